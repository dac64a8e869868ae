//! XHTML in the syntax of HTML.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::Name;
use crate::bytes::find_near;
use crate::tokenizer::{Syntax, Tag, Token, Tokenizer};

/// Elements of HTML that have no end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Converts an XHTML page for an HTML parser: elements such as `<title/>` get an end tag, because
/// HTML ignores the slash, and CDATA sections become text.
///
/// ```
/// use corpus_markup::xhtml::as_html;
///
/// let xhtml = "<title/><p>a<br/><![CDATA[<b>]]></p>";
/// assert_eq!(as_html(xhtml), "<title></title><p>a<br/>&lt;b></p>");
/// ```
pub fn as_html(page: &str) -> Cow<'_, str> {
    let page = page.strip_prefix('\u{FEFF}').unwrap_or(page);
    let mut tokens = Tokenizer::new(page, Syntax::Xml);
    let mut html = String::new();
    let mut copied = 0;
    loop {
        let start = tokens.offset();
        let Some(token) = tokens.next_token() else {
            break;
        };
        let end = tokens.offset();
        match token {
            Token::Start(tag) if tag.self_closing() && !VOID.contains(&tag.written()) => {
                push_closed(&page[copied..end], &tag, &mut html);
            }
            Token::CData(text) => {
                html.push_str(&page[copied..start]);
                html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
            }
            _ => continue,
        }
        copied = end;
    }
    match copied {
        0 => Cow::Borrowed(page),
        _ => Cow::Owned(html + &page[copied..]),
    }
}

/// Elements that hide the rest of a page from an HTML parser, if they are never closed.
const SWALLOWING: [&str; 14] = [
    "audio", "canvas", "iframe", "noembed", "noframes", "noscript", "object", "script", "select",
    "style", "textarea", "title", "video", "xmp",
];

/// The namespace of XHTML.
const NAMESPACE: &[u8] = b"http://www.w3.org/1999/xhtml";
/// The number of bytes at the start of a page that are searched for the namespace.
const MAX_START_BYTES: usize = 1024;

/// Adds end tags after `<script src="a.js"/>` and the like, in pages that declare XHTML. Leaves
/// everything else unchanged, because most of these pages are written and served as HTML.
///
/// ```
/// use corpus_markup::xhtml::with_end_tags;
///
/// let page = "<?xml version='1.0'?><script src='a'/><p/>text";
/// assert_eq!(with_end_tags(page), "<?xml version='1.0'?><script src='a'></script><p/>text");
/// let page = "<script src='a'/><p/>text</script>";
/// assert_eq!(with_end_tags(page), page);
/// ```
pub fn with_end_tags(page: &str) -> Cow<'_, str> {
    if !says_xhtml(page) || !may_swallow(page.as_bytes()) {
        return Cow::Borrowed(page);
    }
    let page = page.strip_prefix('\u{FEFF}').unwrap_or(page);
    let mut tokens = Tokenizer::new(page, Syntax::Html);
    let mut html = String::new();
    let mut copied = 0;
    while let Some(token) = tokens.next_token() {
        let Token::Start(tag) = token else {
            continue;
        };
        let name = tag.name.text();
        if !SWALLOWING.contains(&&*name) {
            continue;
        }
        if tag.self_closing() {
            push_closed(&page[copied..tokens.offset()], &tag, &mut html);
            copied = tokens.offset();
        } else if tag.name == Name::SCRIPT {
            tokens.script();
        } else if matches!(tag.name, Name::STYLE | Name::TITLE | Name::TEXTAREA) {
            tokens.raw_text(&name);
        }
    }
    match copied {
        0 => Cow::Borrowed(page),
        _ => Cow::Owned(html + &page[copied..]),
    }
}

fn says_xhtml(page: &str) -> bool {
    let start = page.as_bytes();
    let start = start.get(..MAX_START_BYTES).unwrap_or(start);
    let text = page.trim_start_matches('\u{FEFF}').trim_start();
    text.starts_with("<?xml") || memmem::find(start, NAMESPACE).is_some()
}

/// Whether the bytes may contain one of these elements without an end tag. Most pages have none.
fn may_swallow(page: &[u8]) -> bool {
    let mut rest = page;
    while let Some(start) = find_near(b'<', rest) {
        rest = &rest[start + 1..];
        // An attribute may contain `/>`, but the tokenizer then finds nothing to change.
        if may_be_named(rest)
            && is_named(rest)
            && memchr(b'>', rest).is_some_and(|end| rest[..end].ends_with(b"/"))
        {
            return true;
        }
    }
    false
}

/// Rules out most other elements by two letters, which is cheaper than comparing whole names.
#[inline]
fn may_be_named(rest: &[u8]) -> bool {
    let [first, second, ..] = rest else {
        return false;
    };
    matches!(
        (first | 0x20, second | 0x20),
        (b'a', b'u')
            | (b'c', b'a')
            | (b'i', b'f')
            | (b'n', b'o')
            | (b'o', b'b')
            | (b's', b'c' | b'e' | b't')
            | (b't', b'e' | b'i')
            | (b'v', b'i')
            | (b'x', b'm')
    )
}

fn is_named(rest: &[u8]) -> bool {
    SWALLOWING.iter().any(|name| {
        let written = rest.get(..name.len());
        written.is_some_and(|written| written.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// Adds a part of a page, and an end tag for the empty element at its end.
fn push_closed(part: &str, tag: &Tag<'_>, html: &mut String) {
    html.push_str(part.trim_end_matches("/>"));
    html.push_str("></");
    html.push_str(tag.written());
    html.push('>');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_completed_and_nothing_else_changes() {
        for (page, expected) in [
            ("<p>a</p>", "<p>a</p>"),
            ("\u{FEFF}<p/>", "<p></p>"),
            (
                "<script src=\"a>b/\" />c",
                "<script src=\"a>b/\" ></script>c",
            ),
            (
                "<a id='x'/>b<hr /><a href=x/>",
                "<a id='x'></a>b<hr /><a href=x/>",
            ),
            ("<svg:path d=\"\"/>", "<svg:path d=\"\"></svg:path>"),
            ("a<![CDATA[ & ]]>b<![CDATA[]]>", "a &amp; b"),
            ("<p><![CDATA[cut", "<p>cut"),
            (
                "<!-- <p/> --><?x <p/> ?><p title=\"<p/>\">",
                "<!-- <p/> --><?x <p/> ?><p title=\"<p/>\">",
            ),
        ] {
            assert_eq!(as_html(page), expected, "{page}");
        }
    }

    #[test]
    fn only_elements_that_would_swallow_the_page_are_closed() {
        for (page, expected) in [
            ("<title/>a", "<title></title>a"),
            ("<TITLE />a<p/>", "<TITLE ></TITLE>a<p/>"),
            ("<iframe src=\"x\"/>b", "<iframe src=\"x\"></iframe>b"),
            ("<br/><img/><div/>b", "<br/><img/><div/>b"),
            (
                "<script>write('<script/>')</script><style/>b",
                "<script>write('<script/>')</script><style></style>b",
            ),
            (
                "<!-- <title/> --><title/>",
                "<!-- <title/> --><title></title>",
            ),
        ] {
            for start in [
                "<?xml version='1.0'?>",
                "\n<?xml?>",
                "<!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\">",
            ] {
                let page = format!("{start}{page}");
                assert_eq!(with_end_tags(&page), format!("{start}{expected}"));
            }
            assert_eq!(with_end_tags(page), page);
        }
    }

    #[test]
    fn two_letters_are_enough_to_find_candidates() {
        for name in SWALLOWING {
            assert!(may_be_named(name.as_bytes()), "{name}");
            assert!(may_be_named(name.to_uppercase().as_bytes()), "{name}");
            assert!(may_swallow(format!("<{name} />").as_bytes()), "{name}");
        }
        assert!(!may_swallow(b"<div/><span/><titlle/><br/><"));
    }
}
