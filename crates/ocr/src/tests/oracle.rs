//! Compares random pages, including broken ones, with html5ever's tree.

use corpus_bytes::random::Random;
use html5ever::parse_document;
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::super::{Level, ReadOptions, read};
use super::LEVELS;

/// The compared properties of an element: tag, class, title, and text without white space.
type Compared = (String, String, String, String);

#[test]
fn random_pages_are_read_as_html5ever_reads_them() {
    let mut elements = 0;
    for seed in 0..3000 {
        let page = random_page(seed);
        let dom = parse_document(RcDom::default(), Default::default()).one(page.as_str());
        for level in LEVELS {
            let Some(expected) = by_tree(&dom.document, level) else {
                continue;
            };
            assert_eq!(by_stream(&page, level, true), expected, "{level:?}: {page}");
            let without_text = expected.into_iter().map(|(tag, class, title, _)| {
                elements += 1;
                (tag, class, title, String::new())
            });
            let without_text: Vec<Compared> = without_text.collect();
            assert_eq!(
                by_stream(&page, level, false),
                without_text,
                "{level:?}: {page}"
            );
        }
    }
    assert!(elements > 15_000, "{elements}");
}

fn by_stream(page: &str, level: Level, text: bool) -> Vec<Compared> {
    let mut all = Vec::new();
    read(page, ReadOptions { level, text }, |row| {
        let element = row.element;
        all.push((
            element.tag.clone().into_owned(),
            element.class.clone().unwrap_or_default().into_owned(),
            element.title.clone().unwrap_or_default().into_owned(),
            without_space(row.text.unwrap_or_default()),
        ));
    })
    .unwrap();
    all
}

fn without_space(text: &str) -> String {
    text.split_ascii_whitespace().collect()
}

/// Walks the tree without recursion, because it may be deep. `None` if words are nested: those are
/// merged and tested separately.
fn by_tree(document: &Handle, level: Level) -> Option<Vec<Compared>> {
    let mut all: Vec<Compared> = Vec::new();
    // A node, the element that its text belongs to, and whether it is inside a block.
    let mut open = vec![(document.clone(), None, false)];
    while let Some((node, row, in_block)) = open.pop() {
        let mut inner = (row, in_block);
        match &node.data {
            NodeData::Text { contents } => {
                if let Some(row) = row {
                    let element: &mut Compared = &mut all[row];
                    element.3.push_str(&without_space(&contents.borrow()));
                }
            }
            NodeData::Element { name, attrs, .. } => {
                let value = |name: &str| {
                    let attrs = attrs.borrow();
                    let found = attrs.iter().find(|a| &*a.name.local == name);
                    found.map(|a| a.value.to_string()).unwrap_or_default()
                };
                let (tag, class) = (name.local.to_string(), value("class"));
                if matches!(&*tag, "script" | "style" | "title") {
                    continue;
                }
                let is_block = has_class(&class, "ocr_carea")
                    || has_class(&class, "ocrx_block")
                    || (has_class(&class, "ocr_par") && !in_block);
                let is_wanted = match level {
                    Level::Page => has_class(&class, "ocr_page"),
                    Level::Block => is_block,
                    Level::Line => has_class(&class, "ocr_line"),
                    Level::Word => has_class(&class, "ocrx_word"),
                };
                inner.1 |= is_block;
                if is_wanted {
                    if level == Level::Word && row.is_some() {
                        return None;
                    }
                    inner.0 = Some(all.len());
                    all.push((tag, class, value("title"), String::new()));
                } else if tag == "del" && has_class(&class, "alt") {
                    inner.0 = None;
                }
            }
            _ => {}
        }
        let children = node.children.borrow();
        open.extend(children.iter().rev().map(|c| (c.clone(), inner.0, inner.1)));
    }
    Some(all)
}

fn has_class(classes: &str, class: &str) -> bool {
    classes.split_ascii_whitespace().any(|own| own == class)
}

const TAGS: [&str; 8] = ["div", "div", "DIV", "span", "span", "Span", "p", "ins"];
const CLASSES: [&str; 10] = [
    "ocr_page",
    "ocr_carea",
    "ocrx_block",
    "ocr_par",
    "ocr_line",
    "ocrx_word",
    "ocrx_word x",
    " ocr_line\n",
    "ocr&#95;page",
    "other",
];
const TITLES: [&str; 7] = [
    "bbox 1 2 3 4",
    "bbox 5 6 7 8; x_wconf 90",
    "image &quot;a;b.tif&quot;",
    "a > b",
    "&amp;amp;",
    "",
    "&copy=1",
];
const TEXTS: [&str; 16] = [
    "<span class='ocrx_word' title='bbox 1 2 3 4'>one</span> <span class='ocrx_word' title='a > b'>two</span>",
    "<span class='ocrx_word' title='bbox 5 6 7 8'>1 < 2</span><span class='ocrx_word' title=''></span>",
    "<span class='ocrx_word' title='bbox 5 6 7 8'>a<b>b</b></span></span>",
    "<b><em>bold</em></b>",
    "word ",
    "two words",
    " ",
    "\n",
    "&amp;",
    "a < b",
    "&lt;span>",
    "<br>",
    "<br/>",
    "<!-- <div class=ocr_page> -->",
    "<!-->",
    "<script>if (1<2) '<div class=ocr_page>'</script>",
];

/// A page of elements with classes. Formatting elements are well nested, because the standard
/// reopens misnested ones, which is not implemented here.
pub(super) fn random_page(seed: u64) -> String {
    let mut numbers = Random::seeded(seed);
    let mut page = String::from("<!DOCTYPE html><html><head><title><div></title></head><body>");
    let mut open: Vec<&str> = Vec::new();
    let is_broken = seed.is_multiple_of(2);
    for _ in 0..10 + numbers.below(40) {
        match numbers.below(6) {
            0 | 1 => {
                let tag = numbers.pick(&TAGS);
                page.push('<');
                page.push_str(tag);
                if tag != "ins" {
                    push_attributes(&mut page, &mut numbers);
                }
                page.push('>');
                open.push(tag);
            }
            2 if numbers.below(4) == 0 => page.push_str("<del class=alt>not chosen</del>"),
            2 | 3 => {
                if let Some(tag) = open.pop() {
                    page.push_str(&format!("</{tag}>"));
                }
            }
            4 if is_broken && numbers.below(2) == 0 => {
                let tag = numbers.pick(&TAGS);
                page.push_str(&format!("</{tag}>"));
            }
            _ => page.push_str(numbers.pick(&TEXTS)),
        }
    }
    if !is_broken {
        while let Some(tag) = open.pop() {
            page.push_str(&format!("</{tag}>"));
        }
    } else if numbers.below(4) == 0 {
        page.push_str("<div class='ocr_page' title='");
    }
    page
}

fn push_attributes(page: &mut String, numbers: &mut Random) {
    let (class, title) = (numbers.pick(&CLASSES), numbers.pick(&TITLES));
    let attributes = match numbers.below(8) {
        0..=2 => format!(" class='{class}' title='{title}'"),
        3 => format!(" class=\"{class}\" id='a' title=\"{title}\""),
        4 => format!("\tTITLE = \"{title}\"\nCLASS=\"{class}\""),
        5 => format!(" class='{class}'title='{title}' class='ocr_page'"),
        6 => " class=ocrx_word title=x".to_owned(),
        _ => format!(" class='{class}'"),
    };
    page.push_str(&attributes);
}
