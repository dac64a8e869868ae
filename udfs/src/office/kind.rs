//! `document_kind`: the kind of a document, by its content.

use std::sync::Arc;

use corpus_bytes::blank::is_blank;
use corpus_bytes::compression::has_extension;
use corpus_charset::decode_text;
use corpus_http::sniffed_type;
use corpus_ocr::Format;
use corpus_office::mail::begins_with_field;
use datafusion::arrow::array::{ArrayRef, AsArray, LargeStringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use memchr::memmem;

use super::SECTION;
use crate::function::{Parameter, functions};
use crate::settings::CorpusSettings;

/// Maximum number of bytes searched for pages of hOCR and the root element of XML.
const MAX_START_BYTES: usize = 16 << 10;
/// Maximum distance between the start of an attribute `class` and the class of a page.
const MAX_CLASS_DISTANCE_BYTES: usize = 16;
/// The kinds of documents, by the extensions of their names.
const KINDS_OF_EXTENSIONS: [(&[&str], &str); 8] = [
    (&["html", "htm", "xhtml"], "html"),
    (&["pdf"], "pdf"),
    (&["epub"], "epub"),
    (&["docx"], "docx"),
    (&["odt", "ott", "odm", "oth"], "odt"),
    (&["eml"], "eml"),
    (&["mbox"], "mbox"),
    (&["hocr"], "hocr"),
];
/// Text has at most one control character in this many bytes.
const MIN_BYTES_PER_CONTROL: usize = 20;

const DATA: Parameter = Parameter::new(
    "data",
    || DataType::BinaryView,
    "The document as bytes, or its first 32 KiB.",
);

const MEDIA_TYPE: Parameter = Parameter::text(
    "media_type",
    "The declared type, or NULL; clear bytes overrule it.",
)
.optional();

const NAME: Parameter = Parameter::text(
    "name",
    "The name of the file, or NULL. Its extension decides about empty, blank and unclear data.",
)
.optional();

functions! {
    SECTION;

    /// The kind of a document, by its content: 'html', 'pdf', 'epub', 'docx', 'odt', 'eml', 'mbox',
    /// 'hocr', 'alto', 'page_xml', 'text', or a media type such as 'image/png'.
    ///
    /// > SELECT document_kind('%PDF-1.7'), document_kind(E'From: a\nTo: b\n\nHello'),
    ///     document_kind('Hello'), document_kind('<html>', 'text/plain');
    /// pdf, eml, text, text
    document_kind(DATA, MEDIA_TYPE, NAME) -> DataType::LargeUtf8, costly;
}

fn document_kind(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let declared = args[1].as_string::<i64>().iter();
    let names = args[2].as_string::<i64>().iter();
    let documents = args[0].as_binary_view().iter();
    let mut kinds = LargeStringBuilder::new();
    for ((data, declared), name) in documents.zip(declared).zip(names) {
        let declared = declared.map(str::to_ascii_lowercase);
        kinds.append_option(data.map(|data| kind_of(data, declared.as_deref(), name)));
    }
    Ok(Arc::new(kinds.finish()))
}

/// Returns the kind that the extension of a name suggests.
fn kind_of_name(name: &str, has_nul: bool) -> Option<&'static str> {
    let mut kinds = KINDS_OF_EXTENSIONS.iter();
    let (_, kind) = kinds.find(|(extensions, _)| has_extension(name, extensions))?;
    // The parsers of the other kinds would treat NUL as text.
    let is_binary = matches!(*kind, "pdf" | "epub" | "docx" | "odt");
    (is_binary || !has_nul).then_some(*kind)
}

/// Returns the kind of a document, by its declared type in lower case and its name.
pub fn kind_of<'a>(data: &[u8], declared: Option<&'a str>, name: Option<&str>) -> &'a str {
    let named = name.and_then(|name| kind_of_name(name, data.contains(&0)));
    if is_blank(data)
        && let Some(named) = named
    {
        return named;
    }
    let undeclared = declared.is_none_or(|declared| declared == "application/octet-stream");
    match (kind_of_content(data, declared), named) {
        // Fragments of HTML begin with text, and short mails have few fields.
        ("text", Some("html")) if undeclared => "html",
        ("text", Some("eml")) if undeclared && begins_with_field(data) => "eml",
        // The first page may be far from the start.
        ("html", Some("hocr")) => "hocr",
        (kind, ..) => kind,
    }
}

fn kind_of_content<'a>(data: &[u8], declared: Option<&'a str>) -> &'a str {
    let media_type = sniffed_type(data, declared);
    match media_type {
        None | Some("text/plain") => undeclared_ocr_kind(data)
            .unwrap_or_else(|| corpus_office::mail::kind(data).map_or("text", |kind| kind.name())),
        Some("text/markdown" | "text/csv" | "text/tab-separated-values" | "application/json") => {
            "text"
        }
        // Mails may contain attached files as they are.
        Some(binary @ "application/octet-stream") => match corpus_office::mail::kind(data) {
            Some(kind) => kind.name(),
            None if is_text(data) => "text",
            None => binary,
        },
        Some("application/pdf") => "pdf",
        Some("text/html" | "application/xhtml+xml") => html_kind(data),
        Some("application/epub+zip") => "epub",
        Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document") => "docx",
        Some(
            "application/vnd.oasis.opendocument.text"
            | "application/vnd.oasis.opendocument.text-template"
            | "application/vnd.oasis.opendocument.text-master"
            | "application/vnd.oasis.opendocument.text-web",
        ) => "odt",
        Some("message/rfc822") => "eml",
        Some("application/mbox") => "mbox",
        Some(other) if is_xml(other) => xml_kind(data).unwrap_or(other),
        Some(other) => other,
    }
}

fn is_xml(media_type: &str) -> bool {
    matches!(media_type, "text/xml" | "application/xml") || media_type.ends_with("+xml")
}

fn start_of(data: &[u8]) -> &[u8] {
    data.get(..MAX_START_BYTES).unwrap_or(data)
}

/// Whether bytes are text despite control characters, by which the standard detects binary data:
/// UTF-8 with few of them and without NUL.
fn is_text(data: &[u8]) -> bool {
    let start = start_of(data);
    let text = match str::from_utf8(start) {
        Ok(text) => text,
        // The last character may be cut.
        Err(error) if error.error_len().is_none() => {
            let valid = start.get(..error.valid_up_to()).unwrap_or_default();
            str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let is_space = |character: char| matches!(character, '\t' | '\n' | '\r' | '\x0c');
    let controls = text.chars().filter(|c| c.is_control() && !is_space(*c));
    !text.contains('\0') && controls.count() * MIN_BYTES_PER_CONTROL <= text.len()
}

fn html_kind(data: &[u8]) -> &'static str {
    let start = start_of(data);
    let has_class = |at: usize| {
        let before = start.get(at.saturating_sub(MAX_CLASS_DISTANCE_BYTES)..at);
        before.is_some_and(|before| memmem::find(before, b"class").is_some())
    };
    if memmem::find_iter(start, b"ocr_page").any(has_class) {
        "hocr"
    } else {
        "html"
    }
}

fn xml_kind(data: &[u8]) -> Option<&'static str> {
    let text = decode_text(start_of(data), None, None);
    match Format::detect(&text)? {
        Format::Alto => Some("alto"),
        Format::Page => Some("page_xml"),
        Format::Hocr if text.contains("<html") => Some(html_kind(data)),
        _ => None,
    }
}

/// The kind of ALTO and PAGE XML without an XML declaration, which is text to the standard.
fn undeclared_ocr_kind(data: &[u8]) -> Option<&'static str> {
    let start = data.trim_ascii_start();
    let is_markup = start.starts_with(b"<") || start.starts_with("\u{feff}<".as_bytes());
    let kind = is_markup.then(|| xml_kind(data)).flatten();
    kind.filter(|kind| ["alto", "page_xml"].contains(kind))
}

#[cfg(test)]
mod tests {
    use super::{kind_of, kind_of_content, kind_of_name};

    #[test]
    fn a_blank_document_is_what_its_name_says() {
        for (name, expected) in [
            ("a/b.PDF", [Some("pdf"); 2]),
            ("x.tar!c.docx", [Some("docx"); 2]),
            ("message.eml.gz", [Some("eml"), None]),
            ("page.hocr", [Some("hocr"), None]),
            ("page.html", [Some("html"), None]),
            ("note.txt", [None; 2]),
            ("pdf", [None; 2]),
        ] {
            let found = [false, true].map(|has_nul| kind_of_name(name, has_nul));
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn the_name_decides_about_unclear_content() {
        for (data, declared, name, expected) in [
            ("Hello <b>you</b>", None, "a.html", "html"),
            ("Hello <b>you</b>", None, "a.txt", "text"),
            ("Hello <b>you</b>", Some("text/plain"), "a.html", "text"),
            ("%PDF-1.4", None, "a.html", "pdf"),
            ("Subject: a\n\nb", None, "a.EML", "eml"),
            (
                "Subject: a\n\nb",
                Some("application/octet-stream"),
                "a.eml",
                "eml",
            ),
            ("Subject: a\n\nb", None, "a.txt", "text"),
            ("a message without a header", None, "a.eml", "text"),
            ("<html><p>a", None, "a.hocr", "hocr"),
            ("words", None, "a.hocr", "text"),
        ] {
            let kind = kind_of(data.as_bytes(), declared, Some(name));
            assert_eq!(kind, expected, "{data} {name}");
        }
    }

    #[test]
    fn the_content_decides() {
        for (data, declared, expected) in [
            ("", None, "text"),
            ("some words", None, "text"),
            ("%PDF-1.4", Some("text/html"), "pdf"),
            ("<!doctype html><p>x", None, "html"),
            ("<html><div class='ocr_page'>", None, "hocr"),
            (
                "<html><p>The class of pages in hOCR: it is called ocr_page",
                None,
                "html",
            ),
            ("<?xml version='1.0'?><html xmlns='x'>", None, "html"),
            ("<?xml version='1.0'?><alto><Layout>", None, "alto"),
            ("\n<alto xmlns='x'><Layout>", None, "alto"),
            ("<PcGts><Page>", Some("text/plain"), "page_xml"),
            ("words <alto>", None, "text"),
            (
                "<?xml version='1.0'?><PcGts><Page>",
                Some("application/xml"),
                "page_xml",
            ),
            ("<?xml version='1.0'?><svg>", None, "text/xml"),
            ("From: a\nTo: b\n\nx", None, "eml"),
            (
                "From a Tue Nov 14 22:13:20 2023\nFrom: b\n\nx",
                None,
                "mbox",
            ),
            ("From a 22:13\nx", Some("message/rfc822"), "eml"),
            (
                "a text with one control character \u{2} in it",
                None,
                "text",
            ),
            ("\u{1}\u{2}\u{3}", None, "application/octet-stream"),
            ("From: a\r\nTo: b\r\n\r\n--B\r\n\r\n\u{0}\u{1}", None, "eml"),
            (
                "a\0 text with NUL is not a text",
                None,
                "application/octet-stream",
            ),
            ("a,b", Some("text/csv"), "text"),
            ("body {}", Some("text/css"), "text/css"),
            ("\u{89}PNG", Some("image/png"), "image/png"),
            ("x", Some("application/octet-stream"), "text"),
        ] {
            assert_eq!(
                kind_of_content(data.as_bytes(), declared),
                expected,
                "{data}"
            );
        }
    }
}
