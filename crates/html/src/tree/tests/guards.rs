//! Pages designed to be slow: their trees stay small, and no text is lost.

use super::{html, text};
use crate::events::Options;
use crate::tree::arena::{Id, Step, Tree};
use crate::tree::parse;

const DEPTH: usize = 512;

#[derive(Debug, Default)]
struct Shape {
    elements: usize,
    deepest: usize,
}

fn shape(tree: &Tree) -> Shape {
    let (mut shape, mut depth) = (Shape::default(), 0);
    let mut step = Some(Step::Enter(Id::DOCUMENT));
    while let Some(now) = step {
        match now {
            Step::Enter(_) => depth += 1,
            Step::Leave(_) => depth -= 1,
        }
        if let Step::Enter(id) = now
            && tree.element(id).is_some()
        {
            shape.elements += 1;
            shape.deepest = shape.deepest.max(depth);
        }
        step = tree.step(Id::DOCUMENT, now);
    }
    shape
}

fn tree(page: &str) -> Tree {
    parse(page, &Options::default()).tree
}

fn assert_bounded(page: &str) -> Tree {
    let tree = tree(page);
    let shape = shape(&tree);
    let start = page.get(..60).unwrap_or(page);
    assert!(shape.deepest <= DEPTH + 8, "{shape:?} {start}");
    assert!(
        shape.elements <= 20_000 + page.len() / 3,
        "{shape:?} {start}"
    );
    tree
}

#[test]
fn depth() {
    for tag in [
        "<div>",
        "<b>",
        "<span>",
        "<ul><li>",
        "<p><font>",
        "<table><tr><td>",
        "<svg><g>",
        "<svg><title>",
        "<svg><link>",
        "<math><mi>",
        "<template>",
        "<select><option>",
        "<object>",
        "<button><div>",
        "<a><div>",
        "<custom-element>",
        "<frameset>",
        "<ruby><rt>",
        "</p><div>",
        "<table><caption>",
        "<template><td>",
    ] {
        assert_bounded(&tag.repeat(5_000));
    }
}

#[test]
fn text_of_elements_that_are_too_deep_is_kept() {
    let page = format!(
        "<p>a{}<p>b<div>c</div>d<b>e</b>f",
        "<div>".repeat(2 * DEPTH)
    );
    assert_eq!(text(&tree(&page)), "a\nb\nc\ndef");
}

#[test]
fn the_depth_is_limited() {
    for max_depth in [16, 100, 512] {
        let options = Options {
            max_depth,
            ..Options::default()
        };
        let page = "<div>".repeat(1000);
        // The document is a level here, and the last level is an empty element.
        let deepest = shape(&parse(&page, &options).tree).deepest;
        assert_eq!(deepest, max_depth + 2);
        let page = "<div>".repeat(max_depth - 4);
        let deepest = shape(&parse(&page, &options).tree).deepest;
        assert_eq!(deepest, max_depth - 4 + 3);
    }
}

#[test]
fn implied_ends_are_not_deep() {
    let page = format!("<ul>{}</ul>", "<li><p>x".repeat(5_000));
    let shape = shape(&tree(&page));
    assert_eq!((shape.elements, shape.deepest), (10_004, 6));
}

#[test]
fn many_attributes() {
    let many: String = (0..2000).map(|i| format!(" a{i}='>'")).collect();
    for page in [
        format!("<p{many}>x</p{many}>y"),
        format!("<svg><title><p{many}/>x</svg>y"),
        format!("<script>'<p'</script{many}>xy"),
        format!("<p title=\"<p{many}\">xy"),
        format!("<!-- > --><p{many} =1 b>xy"),
        format!("<svg><![CDATA[<]]></svg><p{many}>xy"),
        format!("<textarea></textarea {many}><plaintexts{many}>xy"),
    ] {
        let tree = tree(&page);
        let mut max = 0;
        let mut step = Some(Step::Enter(Id::DOCUMENT));
        while let Some(now) = step {
            if let Step::Enter(id) = now
                && let Some(element) = tree.element(id)
            {
                max = max.max(tree.attributes(element).len());
            }
            step = tree.step(Id::DOCUMENT, now);
        }
        assert!(max <= 256, "{max} {}", &page[..60]);
        let text = text(&tree).replace(['\n', '<'], "");
        assert_eq!(text, "xy", "{}", &page[..60]);
    }
}

#[test]
fn few_attributes_stay() {
    let attributes: String = (0..256).map(|i| format!(" a{i}=\"{i}\"")).collect();
    let page = format!("<html><head></head><body><p{attributes}></p></body></html>");
    assert_eq!(html(&tree(&page), true), page);
}

#[test]
fn attributes_of_later_body_tags() {
    let page: String = (0..2000).map(|i| format!("<body b{i}={i}>")).collect();
    let tree = tree(&page);
    let html = tree.first_child(Id::DOCUMENT).unwrap();
    let body = tree.last_child(html).unwrap();
    let attributes = tree.attributes(tree.element(body).unwrap());
    assert_eq!(attributes.len(), 256);
    assert_eq!(&*attributes[255].name, "b255");
}

#[test]
fn reopened_formatting_elements_are_bounded() {
    let distinct: String = (0..300).map(|i| format!("<b id={i}>")).collect();
    let tree = assert_bounded(&format!("{distinct}{}", "<p>x".repeat(10_000)));
    let lines = text(&tree).lines().count();
    assert_eq!(lines, 10_000);

    let mut page: String = (0..10_000).map(|i| format!("<p><b id={i}>x</p>")).collect();
    assert_bounded(&page);
    page.push_str("<table><tr><td>y<b>z");
    assert!(text(&assert_bounded(&page)).ends_with("x\nyz"));
}

#[test]
fn a_few_formatting_elements_are_reopened() {
    let page = "<p><font size=1><i>x</p>".to_owned() + &"<p>x</p>".repeat(1000);
    // In addition to html, head and body.
    assert_eq!(shape(&tree(&page)).elements, 3 + 3 * 1001);
}

#[test]
fn misnested_ends() {
    let page = "<b>".repeat(200) + &"<div>".repeat(200) + &"</b>".repeat(5_000);
    assert_bounded(&page.repeat(4));
    assert_bounded(&("<div>".repeat(400) + &"<a>x<div>".repeat(5_000)));
    assert_bounded(&"<div><object></div><b></b>".repeat(5_000));
}

#[test]
fn deep_pages_become_flat_when_they_take_too_long() {
    let page = "<section>".repeat(500) + &"<p>x".repeat(30_000);
    let tree = assert_bounded(&page);
    assert_eq!(text(&tree).lines().count(), 30_000);
    let html = tree.first_child(Id::DOCUMENT).unwrap();
    let mut last = tree.last_child(html).unwrap();
    let mut depth = 1;
    while let Some(child) = tree.last_child(last) {
        last = child;
        depth += 1;
    }
    assert!(depth < 100, "{depth}");
}

#[test]
fn many_unknown_names() {
    let page: String = (0..6_000)
        .map(|i| format!("<unknown{i}>x</unknown{i}>"))
        .collect();
    let tree = tree(&page);
    assert_eq!(text(&tree), "x".repeat(6_000));
    assert_eq!(shape(&tree).elements, 4096 + 3);
}
