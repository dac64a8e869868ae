//! Random tag soup, parsed by the native engine and by html5ever.

use super::oracle;
use crate::Options;
use crate::testing::Random;

const BLOCKS: &[&str] = &[
    "div",
    "p",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "pre",
    "form",
    "section",
    "center",
    "address",
    "blockquote",
    "fieldset",
    "details",
    "summary",
    "dialog",
    "search",
    "main",
    "menu",
    "listing",
    "hr",
];
const INLINE: &[&str] = &[
    "b", "i", "a", "font", "nobr", "em", "u", "span", "label", "ruby", "rb", "rt", "rtc", "rp",
    "br", "img", "wbr", "sub", "x-y", "object", "marquee", "applet", "button", "code", "s",
    "image", "param", "keygen",
];
const TABLES: &[&str] = &[
    "table", "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "col", "colgroup",
];
const CONTROLS: &[&str] = &[
    "select",
    "option",
    "optgroup",
    "input",
    "input type=hidden",
    "textarea",
    "hr",
    "form",
];
const FRAMES: &[&str] = &[
    "html", "head", "body", "frameset", "frame", "noframes", "title", "meta", "link", "base",
];
const RAW: &[&str] = &[
    "script",
    "style",
    "title",
    "textarea",
    "iframe",
    "noscript",
    "noembed",
    "xmp",
    "plaintext",
];
const FOREIGN: &[&str] = &[
    "svg",
    "math",
    "mi",
    "mo",
    "mtext",
    "annotation-xml",
    "annotation-xml encoding=text/html",
    "foreignObject",
    "desc",
    "title",
    "g",
    "mglyph",
    "malignmark",
    "font",
    "font color=x",
    "p",
    "b",
    "path/",
    "svg/",
    "table",
];
const TEXTS: &[&str] = &[
    "a",
    "b c",
    " ",
    "\n",
    "x &amp; y",
    "&nbsp;",
    "&#0;",
    "&notit;",
    "\0",
    "\r\n",
    "1<2",
    "</>",
    "<!-- c -->",
    "<!doctype html>",
    "<![CDATA[d]]>",
    "<?pi?>",
    "</ p>",
    "&copy",
    " \n ",
];

/// The groups that the tags of a page are taken from.
const MIXES: &[&[&[&str]]] = &[
    &[BLOCKS, INLINE],
    &[TABLES, INLINE, BLOCKS],
    &[TABLES],
    &[CONTROLS, INLINE, TABLES],
    &[FRAMES, BLOCKS],
    &[RAW, BLOCKS, FRAMES],
    &[FOREIGN, INLINE],
    &[FOREIGN, TABLES],
    &[&["template"], TABLES, INLINE],
    &[&["template"], FRAMES, RAW],
    &[&[
        "b",
        "i",
        "a",
        "p",
        "div",
        "nobr",
        "font size=1",
        "font size=2",
    ]],
    &[
        BLOCKS,
        INLINE,
        TABLES,
        CONTROLS,
        FRAMES,
        RAW,
        FOREIGN,
        &["template"],
    ],
];

fn page(random: &mut Random) -> String {
    let mix = MIXES[random.below(MIXES.len())];
    let mut page = String::new();
    page.push_str(random.pick(&[
        "",
        "<!doctype html>",
        "<!doctype html>",
        "<!doctype html><body>",
        "x",
    ]));
    let longest = if random.below(10) == 0 { 120 } else { 25 };
    for _ in 0..1 + random.below(longest) {
        let group = mix[random.below(mix.len())];
        let tag = random.pick(group);
        match random.below(10) {
            0..5 => {
                page.push('<');
                page.push_str(tag);
                if random.below(12) == 0 {
                    page.push_str(random.pick(&[" id=1", " id='>'", "/", " a b=c d=\"e\""]));
                }
                page.push('>');
            }
            5..8 => {
                page.push_str("</");
                page.push_str(tag.split(' ').next().unwrap_or(tag));
                page.push('>');
            }
            _ => page.push_str(random.pick(TEXTS)),
        }
    }
    page
}

/// The number of pages; the environment variable SOUP_PAGES overrides it.
fn pages() -> u64 {
    std::env::var("SOUP_PAGES")
        .ok()
        .and_then(|pages| pages.parse().ok())
        .unwrap_or(20_000)
}

#[test]
fn tag_soup_is_parsed_like_html5ever_does() {
    let mut need_tree = 0;
    let mut only_empty = 0;
    let mut failures = Vec::new();
    for seed in 0..pages() {
        let page = page(&mut Random(seed));
        let options = Options {
            scripting: seed % 4 != 0,
            ..Options::default()
        };
        let (native, tree) = oracle::transcripts(&page, &options);
        let Some(native) = native else {
            need_tree += 1;
            continue;
        };
        if native == tree {
            continue;
        }
        if oracle::without_empty(&native) == oracle::without_empty(&tree) {
            only_empty += 1;
            continue;
        }
        failures.push(format!("{page:?}\n  native {native:?}\n  tree   {tree:?}"));
    }
    println!(
        "{need_tree} need a tree, {only_empty} differ in empty elements, {} fail",
        failures.len()
    );
    failures.sort_by_key(String::len);
    assert!(
        failures.is_empty(),
        "{} fail:\n{}",
        failures.len(),
        failures[..failures.len().min(12)].join("\n")
    );
    // Pages that need a tree prove nothing.
    assert!(need_tree * 4 < pages(), "{need_tree} pages need a tree");
    assert!(
        only_empty * 20 < pages(),
        "{only_empty} pages differ in empty elements"
    );
}
