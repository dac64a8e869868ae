//! Parses the elements of pages and revisions.

use std::borrow::Cow;

use chrono::DateTime;
use corpus_markup::references::{Context, decode};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

/// The first bytes of the tag that starts a page.
pub const PAGE: &[u8] = b"<page";

/// The first bytes of the tag that ends a page.
pub const PAGE_END: &[u8] = b"</page";

/// Whether a text starts with this tag, given up to the end of its name.
pub fn is_tag(text: &[u8], tag: &[u8]) -> bool {
    let next = text.strip_prefix(tag).and_then(<[u8]>::first);
    matches!(next, Some(b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n'))
}

/// A page, without its revisions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    pub title: Option<String>,
    /// The number of the namespace: 0 for articles.
    pub namespace: Option<i64>,
    pub id: Option<i64>,
    /// The title that the page redirects to.
    pub redirect: Option<String>,
    /// The error, if something could not be read.
    pub error: Option<String>,
}

/// A revision, without its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Revision {
    pub id: Option<i64>,
    /// Microseconds since 1970, UTC.
    pub timestamp: Option<i64>,
    /// The name of the user, or the address of an anonymous one.
    pub contributor: Option<String>,
    pub comment: Option<String>,
    /// The content model, such as `wikitext`.
    pub model: Option<String>,
    /// The media type, such as `text/x-wiki`.
    pub format: Option<String>,
    /// The error, if something could not be read.
    pub error: Option<String>,
}

impl Page {
    /// Reads the elements before the first revision.
    pub fn read(xml: &str) -> Self {
        let mut page = Self::default();
        elements(xml, |element| match element.name() {
            "title" => page.title = Some(element.text),
            "ns" => page.namespace = number(&element, &mut page.error),
            "id" => page.id = number(&element, &mut page.error),
            "redirect" => {
                let title = element.tag.attributes().value("title");
                page.redirect = title.map(Cow::into_owned);
            }
            _ => {}
        });
        page
    }
}

impl Revision {
    /// Reads the elements of a revision, except its text.
    pub fn read(&mut self, xml: &str) {
        elements(xml, |element| match (element.parent, element.name()) {
            ("", "id") => self.id = number(&element, &mut self.error),
            ("", "timestamp") => match DateTime::parse_from_rfc3339(element.text.trim()) {
                Ok(time) => self.timestamp = Some(time.timestamp_micros()),
                Err(_) => note(&mut self.error, &element),
            },
            ("contributor", "username" | "ip") => self.contributor = Some(element.text),
            ("", "comment") if !element.is_deleted() => self.comment = Some(element.text),
            ("", "model") => self.model = Some(element.text),
            ("", "format") => self.format = Some(element.text),
            _ => {}
        });
    }
}

/// Reads the `text` element at the start of the XML; `None` if the text was deleted. Later
/// `content` elements have other texts of the revision, such as the metadata of a picture.
pub fn read_text(xml: &str) -> Option<String> {
    let mut text = None;
    elements(xml, |element| {
        let is_other = element.parent == "content";
        if element.name() == "text" && !is_other && !element.is_deleted() {
            text = Some(element.text);
        }
    });
    text
}

/// An element without child elements.
struct Element<'a> {
    /// The name of the parent element; empty if there is none.
    parent: &'a str,
    tag: Tag<'a>,
    /// The text with references decoded.
    text: String,
}

impl Element<'_> {
    fn name(&self) -> &str {
        self.tag.local_name()
    }

    fn is_deleted(&self) -> bool {
        self.tag.attributes().get("deleted").is_some()
    }
}

fn number(element: &Element<'_>, error: &mut Option<String>) -> Option<i64> {
    let number = element.text.trim().parse().ok();
    if number.is_none() {
        note(error, element);
    }
    number
}

/// Records a bad value, unless there already is an error.
fn note(error: &mut Option<String>, element: &Element<'_>) {
    const MAX_SHOWN_CHARS: usize = 50;
    let shown: String = element.text.chars().take(MAX_SHOWN_CHARS).collect();
    error.get_or_insert_with(|| format!("{} is '{shown}'", element.name()));
}

/// Reports the elements without child elements, on at most two levels.
fn elements<'a>(xml: &'a str, mut report: impl FnMut(Element<'a>)) {
    let mut parent = "";
    let mut current: Option<Element<'a>> = None;
    for token in Tokenizer::new(xml, Syntax::Xml) {
        match token {
            Token::Start(tag) => {
                // An element with a child element, or without its end tag.
                if let Some(outer) = current.take() {
                    parent = outer.tag.local_name();
                    if !outer.text.trim_ascii().is_empty() {
                        report(outer);
                    }
                }
                let element = Element {
                    parent,
                    tag,
                    text: String::new(),
                };
                if tag.self_closing() {
                    report(element)
                } else {
                    current = Some(element)
                }
            }
            Token::Text(raw) => {
                if let Some(element) = &mut current {
                    element.text.reserve(raw.len());
                    decode(raw, Context::Text, |part| element.text.push_str(part));
                }
            }
            Token::CData(text) => {
                if let Some(element) = &mut current {
                    element.text.push_str(text);
                }
            }
            Token::End(_) => match current.take() {
                Some(element) => report(element),
                None => parent = "",
            },
            Token::Comment(_) | Token::Doctype { .. } | Token::Instruction(_) => {}
        }
    }
    // A truncated element.
    if let Some(element) = current {
        report(element);
    }
}
