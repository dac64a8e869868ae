//! Compares character references and attributes with html5ever.

use super::oracle;
use crate::Options;
use corpus_markup::{Syntax, Token, Tokenizer};
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

#[test]
fn every_named_reference_is_decoded() {
    let mut names: Vec<&str> = markup5ever::data::NAMED_ENTITIES.keys().copied().collect();
    names.sort_unstable();
    assert!(names.len() > 2000);
    // The table also contains prefixes of names, which are not references.
    for name in names {
        let bare = name.trim_end_matches(';');
        let page = format!("<p>a&{name}b&{bare}=&{bare}x&{bare};;&{bare}&{bare}\n");
        let (native, tree) = oracle::transcripts(&page, &Options::default());
        assert_eq!(native, Some(tree), "{page:?}");
        let tag =
            format!("<p a='&{name}b' b='&{bare}=' c=\"&{bare}x\" d=&{bare};; e='&{bare}&{bare}'>");
        assert_eq!(attributes(&tag), attributes_of_tree(&tag), "{tag:?}");
    }
}

#[test]
fn numbers_are_decoded() {
    for number in (0..0x120).chain([
        0xD7FF,
        0xD800,
        0xDFFF,
        0xFFFE,
        0x1F600,
        0x10FFFF,
        0x110000,
        u32::MAX,
    ]) {
        let page = format!("<p>&#{number};a&#x{number:x};b&#X{number:X}g&#{number}");
        let (native, tree) = oracle::transcripts(&page, &Options::default());
        assert_eq!(native, Some(tree), "{page:?}");
    }
}

#[test]
fn random_tags_have_the_attributes_that_html5ever_sees() {
    let pieces = [
        " ",
        "\n",
        "/",
        "=",
        "'",
        "\"",
        "a",
        "b",
        "ID",
        "class",
        "&amp;",
        "&lt",
        "&copy=",
        "a=b",
        "c='d e'",
        "f=\"g>h\"",
        " = ",
        "x=y/",
        "\0",
        "é",
        "<",
        "\r\n",
        "`",
        "hidden ",
    ];
    let mut state = 1u64;
    let mut tags = 0;
    for _ in 0..30_000 {
        let mut tag = String::from("<p ");
        for _ in 0..10 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            tag.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        tag.push('>');
        let native = attributes(&tag);
        tags += usize::from(native.is_some());
        assert_eq!(native, attributes_of_tree(&tag), "{tag:?}");
    }
    assert!(tags > 10_000, "only {tags} are tags");
}

type Attributes = Vec<(String, String)>;

fn attributes(page: &str) -> Option<Attributes> {
    match Tokenizer::new(page, Syntax::Html).next_token()? {
        Token::Start(tag) => {
            let attributes = tag.attributes().iter().map(|attribute| {
                let name = attribute
                    .name
                    .to_ascii_lowercase()
                    .replace('\0', "\u{FFFD}");
                let value = attribute.value().into_owned();
                assert_eq!(
                    tag.attributes().value(&name).as_deref(),
                    Some(&*value),
                    "{name} of {page:?}"
                );
                (name, value)
            });
            Some(attributes.collect())
        }
        _ => None,
    }
}

fn attributes_of_tree(page: &str) -> Option<Attributes> {
    let dom = html5ever::parse_document(RcDom::default(), Default::default()).one(page);
    let html = children(&dom.document).pop()?;
    let body = children(&html).pop()?;
    let p = children(&body).into_iter().next()?;
    let NodeData::Element { attrs, .. } = &p.data else {
        return None;
    };
    let attributes = attrs.borrow();
    Some(
        attributes
            .iter()
            .map(|a| (a.name.local.to_string(), a.value.to_string()))
            .collect(),
    )
}

fn children(node: &Handle) -> Vec<Handle> {
    node.children.borrow().clone()
}
