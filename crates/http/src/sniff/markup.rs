//! Signatures that may follow other text: HTML, XML and PDF.

use std::borrow::Cow;

use memchr::memmem;

use super::text::{is_binary_byte, is_blank, without_leading_blanks};
use super::{PDF, header_of};

/// Tags that identify HTML if no type is declared.
const HTML_TAGS: &[&[u8]] = &[
    b"!DOCTYPE HTML",
    b"HTML",
    b"HEAD",
    b"SCRIPT",
    b"IFRAME",
    b"H1",
    b"DIV",
    b"FONT",
    b"TABLE",
    b"A",
    b"STYLE",
    b"TITLE",
    b"B",
    b"BODY",
    b"BR",
    b"P",
    b"!--",
];

/// PDF readers search this many bytes for the header of a file.
const MAX_PDF_START_BYTES: usize = 1024;
/// PDF readers search this many bytes at the end of a file for its end mark.
const MAX_PDF_END_BYTES: usize = 1024;

/// `text/html` or `text/xml` if the bytes start with one of its tags.
pub fn markup_type(body: &[u8]) -> Option<&'static str> {
    let header = as_ascii(header_of(body));
    let rest = without_leading_blanks(&header).strip_prefix(b"<")?;
    if rest.starts_with(b"?xml") {
        return Some("text/xml");
    }
    let is_tag = |tag: &[u8]| {
        // The standard only lets a space or `>` end a tag, but here a line break may end it as
        // well.
        let ends = |end: &u8| *end == b'>' || is_blank(*end);
        let name = rest.get(..tag.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(tag))
            && rest.get(tag.len()).is_some_and(ends)
    };
    HTML_TAGS
        .iter()
        .any(|tag| is_tag(tag))
        .then_some("text/html")
}

/// Whether the bytes are XHTML: XML whose root is `html` in the namespace of HTML.
pub fn is_xhtml(body: &[u8]) -> bool {
    const NAMESPACE: &[u8] = b"http://www.w3.org/1999/xhtml";
    let header = as_ascii(header_of(body));
    let mut rest = without_leading_blanks(&header);
    // What may precede the root, and its end.
    const BEFORE_ROOT: [(&[u8], &[u8]); 3] = [(b"<?", b"?>"), (b"<!--", b"-->"), (b"<!", b">")];
    while let Some((_, end)) = BEFORE_ROOT
        .iter()
        .find(|(start, _)| rest.starts_with(start))
    {
        let Some(at) = memmem::find(rest, end) else {
            return false;
        };
        rest = rest
            .get(at + end.len()..)
            .unwrap_or_default()
            .trim_ascii_start();
    }
    let root = rest
        .strip_prefix(b"<html")
        .and_then(|rest| rest.split(|byte| *byte == b'>').next());
    root.is_some_and(|attributes| memmem::find(attributes, NAMESPACE).is_some())
}

/// The ASCII bytes of UTF-16 text; other text unchanged.
fn as_ascii(header: &[u8]) -> Cow<'_, [u8]> {
    let first = match header {
        [0xff, 0xfe, ..] => 2,
        [0xfe, 0xff, ..] => 3,
        [0, 1..=255, 0, 1..=255, ..] => 1,
        [1..=255, 0, 1..=255, 0, ..] => 0,
        _ => return Cow::Borrowed(header),
    };
    Cow::Owned(header.iter().copied().skip(first).step_by(2).collect())
}

/// `application/pdf` if the bytes are a PDF, perhaps after white space or a script's messages.
pub fn pdf_type(body: &[u8]) -> Option<&'static str> {
    const MARK: &[u8] = b"%PDF-";
    let content = without_leading_blanks(body);
    let starts = content.starts_with(MARK) && is_pdf(content);
    let start = &body[..body.len().min(MAX_PDF_START_BYTES)];
    (starts || memmem::find(start, MARK).is_some_and(|at| at > 0 && is_embedded_pdf(body, at)))
        .then_some(PDF)
}

/// Distinguishes PDFs from text about them.
fn is_pdf(content: &[u8]) -> bool {
    let header = header_of(content);
    memmem::find(header, b" obj").is_some()
        || header.iter().any(|b| is_binary_byte(*b) || *b >= 0x80)
        || !header.iter().any(u8::is_ascii_lowercase)
}

/// Whether a PDF starts at this position. A page that quotes the start of a PDF continues after the
/// quotation, so the file must end with the PDF's end mark.
fn is_embedded_pdf(body: &[u8], at: usize) -> bool {
    const END: &[u8] = b"%%EOF";
    let begins_line = matches!(body[at - 1], b'\n' | b'\r' | b'>');
    let end = &body[body.len().saturating_sub(MAX_PDF_END_BYTES)..];
    begins_line
        && memmem::rfind(end, END).is_some_and(|mark| {
            let is_padding = |b: &u8| *b == 0 || is_blank(*b);
            end[mark + END.len()..].iter().all(is_padding)
        })
}
