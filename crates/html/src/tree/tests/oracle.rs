//! The arena with its limits has the same tree as html5ever with its own tree.

use html5ever::ns;
use html5ever::serialize::{SerializeOpts, TraversalScope, serialize};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts};
use markup5ever_rcdom::{NodeData, RcDom, SerializableHandle};

use super::soup;
use crate::events::{Element, Events, Options};
use crate::testing::Random;
use crate::tree::arena::{Content, Id, Step, Tree, Vocabulary};
use crate::tree::{parse, read};
use corpus_markup::Name;

fn options(scripting: bool) -> Options {
    Options {
        scripting,
        ..Options::default()
    }
}

fn oracle(page: &str, scripting: bool) -> RcDom {
    let tree_builder = TreeBuilderOpts {
        scripting_enabled: scripting,
        ..TreeBuilderOpts::default()
    };
    let options = ParseOpts {
        tree_builder,
        ..ParseOpts::default()
    };
    html5ever::parse_document(RcDom::default(), options).one(StrTendril::from_slice(page))
}

/// One line per node. Comments are left out, and the text around them is joined.
#[derive(Default)]
struct Lines {
    lines: Vec<String>,
    is_text: bool,
}

impl Lines {
    fn text(&mut self, text: &str) {
        match self.lines.last_mut() {
            Some(last) if self.is_text => last.push_str(text),
            _ => self.lines.push(format!("\"{text}")),
        }
        self.is_text = true;
    }

    fn tag(&mut self, tag: String) {
        self.lines.push(tag);
        self.is_text = false;
    }
}

fn expected(page: &str, scripting: bool) -> Vec<String> {
    enum Todo {
        Node(markup5ever_rcdom::Handle),
        End(String),
    }
    let qualified = |attribute: &Attribute| {
        let local = &attribute.name.local;
        let name = match attribute.name.ns {
            ns!(xlink) => format!("xlink:{local}"),
            ns!(xml) => format!("xml:{local}"),
            ns!(xmlns) if &**local != "xmlns" => format!("xmlns:{local}"),
            _ => local.to_string(),
        };
        format!(" {name}={:?}", &*attribute.value)
    };
    let mut lines = Lines::default();
    // Dropping a node drops all its descendants.
    let dom = oracle(page, scripting);
    let mut todo = vec![Todo::Node(dom.document.clone())];
    while let Some(next) = todo.pop() {
        let node = match next {
            Todo::End(end) => {
                lines.tag(end);
                continue;
            }
            Todo::Node(node) => node,
        };
        let mut children = node.children.borrow().clone();
        match &node.data {
            NodeData::Text { contents } => lines.text(&contents.borrow()),
            NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } => {
                let attributes: String = attrs.borrow().iter().map(qualified).collect();
                lines.tag(format!(
                    "<{:?} {}{attributes}",
                    Vocabulary::of(&name.ns),
                    name.local
                ));
                todo.push(Todo::End(format!("/{}", name.local)));
                if let Some(contents) = &*template_contents.borrow() {
                    children.extend(contents.children.borrow().iter().cloned());
                }
            }
            _ => {}
        }
        todo.extend(children.into_iter().rev().map(Todo::Node));
    }
    lines.lines
}

fn actual(tree: &Tree) -> Vec<String> {
    let mut lines = Lines::default();
    let mut step = Some(Step::Enter(Id::DOCUMENT));
    while let Some(now) = step {
        match now {
            Step::Enter(id) => match &tree.node(id).content {
                Content::Document => {}
                Content::Text(text) => lines.text(text),
                Content::Element(element) => {
                    let attributes = tree.attributes(element).iter();
                    let attributes: String = attributes
                        .map(|a| format!(" {}={:?}", &*a.name, &*a.value))
                        .collect();
                    lines.tag(format!("<{:?} {}{attributes}", element.space, element.name));
                }
            },
            Step::Leave(id) => {
                if let Some(element) = tree.element(id) {
                    lines.tag(format!("/{}", element.name));
                }
            }
        }
        step = tree.step(Id::DOCUMENT, now);
    }
    lines.lines
}

/// Asserts that the links between nodes are consistent.
fn assert_consistent(tree: &Tree) {
    let mut step = Some(Step::Enter(Id::DOCUMENT));
    while let Some(now) = step {
        if let Step::Enter(id) = now {
            if let Some(child) = tree.first_child(id) {
                assert_eq!(tree.parent(child), Some(id));
                assert_eq!(tree.previous(child), None);
            }
            if let Some(child) = tree.last_child(id) {
                assert_eq!(tree.parent(child), Some(id));
                assert_eq!(tree.next(child), None);
            }
            if let Some(next) = tree.next(id) {
                assert_eq!(tree.previous(next), Some(id));
                assert_eq!(tree.parent(next), tree.parent(id));
            }
        }
        step = tree.step(Id::DOCUMENT, now);
    }
}

fn compare(page: &str) {
    for scripting in [true, false] {
        let tree = parse(page, &options(scripting)).tree;
        assert_eq!(actual(&tree), expected(page, scripting), "{page:?}");
        assert_consistent(&tree);
    }
}

#[test]
fn handwritten_pages() {
    for page in [
        "",
        " ",
        "x",
        "<!DOCTYPE html><title>t &amp; u</title><p>a<p>b<!-- c -->c",
        "<html lang=ja><body class=x><html lang=en id=i><body class=y id=z>",
        "<p>1<b>2<i>3</b>4</i>5<p>6",
        "<a href=1>x<div>y<a href=2>z</div>w",
        "<table>a<tr><td>b<table><td>c</table>d</table>e",
        "<table><b>x<tr><i>y<td>z</table>w",
        "<template><td>x<template>y</template></template><td>z",
        "<table><template><tr></template><tr></table>",
        "<svg viewbox=1><foreignobject><p>x<svg><title><b>y</svg><circle/>z</svg><desc>",
        "<math><annotation-xml encoding=text/html><p>x</annotation-xml><mi><b>y",
        "<svg><a xlink:href=x xml:lang=y><![CDATA[a<b>c]]></a></svg><![CDATA[d>",
        "<script>a<!--<script></script>b</script>c",
        "<script><!-- x --></script>y<script><!--></script>z<script><!-- <script>--></script>w",
        "<textarea>\n\nx</textareas></textarea>y<pre>\nz",
        "<noscript><p>x</noscript>y<head><noscript><link></noscript>",
        "<select><option>a<option>b<div>c<optgroup>d<select>e",
        "<form><p><form></form>x</form><form>",
        "<ruby>a<rb>b<rt>c<rp>d<rtc>e",
        "<frameset><frame><noframes>x</noframes></frameset>y",
        "<p>x<plaintext></p>y",
        "<div a=1 A=2 b='x>y' c=\"<\" d=e/f g>x</div ' > ' >y",
        "a\0b<svg>\0c</svg>&#0;&#x80;&#xD800;&notin;&notit;&amp",
        "<!-- <p> --!>a<!---->b<!-->c<!--->d<!-- -- >e-->f<!x>g</ h>i</>j<?k>l",
        "<p title=\"unclosed>x</p>",
        "<p title='a'b='c'/d=e>x<p =x ==y>z",
        "<title><b>x</title><title/>y</title>",
        "<button>a<p>b<button>c</p>d",
        "<nobr>a<nobr>b<b id=1><b id=1><b id=1><b id=1>c<p>d",
        "<object><b>x</object>y<div><marquee></div>z",
        "\u{feff}x<style>\u{feff}.a{}</style><p>\u{feff}",
        "x</html>y<!-- z --></body>w",
    ] {
        compare(page);
    }
}

#[test]
fn random_pages() {
    let mut random = Random(1);
    for _ in 0..1500 {
        compare(&soup::page(&mut random));
    }
}

#[test]
fn random_pages_with_little_depth() {
    let mut random = Random(4);
    for _ in 0..300 {
        let pages: String = (0..6).map(|_| soup::page(&mut random)).collect();
        let options = Options {
            scripting: random.below(2) == 0,
            max_depth: random.below(24),
        };
        assert_consistent(&parse(&pages, &options).tree);
    }
}

#[test]
fn long_pages_are_fed_in_pieces() {
    let mut page = String::new();
    for i in 0..12_000 {
        let part = match i % 4 {
            0 => "<p class='a>b'>x &am",
            1 => "<script>if (a<b) '</p>'</script>\r\n",
            2 => "<!-- a <b> -- > -->&#x65;5;</",
            _ => "<svg><![CDATA[ > <i> ]]><g/></svg><title>日本</title>",
        };
        page.push_str(part);
    }
    assert!(page.len() > 300_000);
    compare(&page);
}

#[test]
fn serialized_pages() {
    let mut random = Random(3);
    let mut compared = 0;
    for _ in 0..2000 {
        let page = soup::page(&mut random);
        let scripting = random.below(2) == 0;
        let dom = oracle(&page, scripting);
        let node = SerializableHandle::from(dom.document.clone());
        let mut bytes = Vec::new();
        let options_of_oracle = SerializeOpts {
            scripting_enabled: scripting,
            traversal_scope: TraversalScope::ChildrenOnly(None),
            create_missing_parent: false,
        };
        serialize(&mut bytes, &node, options_of_oracle).unwrap();
        let expected = String::from_utf8(bytes).unwrap();
        let expected = expected.trim_start_matches("<!DOCTYPE html>");
        // The oracle does not serialize the content of templates.
        if expected.contains("<!--") || expected.contains("<template") {
            continue;
        }
        compared += 1;
        let tree = parse(&page, &options(scripting)).tree;
        let actual = super::html(&tree, scripting);
        assert_eq!(actual, expected, "{page:?}");
    }
    assert!(compared > 500);
}

#[derive(Default)]
struct Recorded(Vec<String>);

impl Events for Recorded {
    fn open(&mut self, element: &Element<'_>) {
        let class = element.attribute("class");
        let foreign = if element.foreign { "!" } else { "" };
        self.0.push(format!(
            "<{foreign}{}{}",
            element.tag(),
            class.unwrap_or_default()
        ));
    }

    fn close(&mut self, name: Name) {
        self.0.push(format!("/{}", name.text()));
    }

    fn text(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }
}

#[test]
fn events() {
    let page = "<p class=c>a<br>b<template>t</template><svg><linearGradient>";
    let mut recorded = Recorded::default();
    read(page, &Options::default(), &mut recorded);
    let expected = "<html <head /head <body <pc a <br /br b <template t /template \
                    <!svg <!lineargradient /lineargradient /svg /p /body /html";
    assert_eq!(recorded.0.join(" "), expected);
}

#[test]
fn noscript_is_text_with_scripting() {
    let page = "<body><noscript>a<b>c</b></noscript>";
    for (scripting, expected) in [
        (true, "a<b>c</b> /noscript"),
        (false, "a <b c /b /noscript"),
    ] {
        let mut recorded = Recorded::default();
        read(page, &options(scripting), &mut recorded);
        assert!(recorded.0.join(" ").contains(expected), "{:?}", recorded.0);
    }
}
