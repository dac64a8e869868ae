//! Detects the media type of a body from its first bytes.
//!
//! The rules follow the WHATWG's MIME Sniffing standard (mimesniff.spec.whatwg.org): a declaration
//! of HTML or XML is kept, and only bodies of unknown type are searched for HTML. The standard
//! protects browsers from attacks and ignores formats that they do not render. For corpora, these
//! rules differ:
//!
//! - A binary signature overrules every declared type. If a text format is declared, the structure
//!   of the binary format is checked as well, because a text may start with letters such as "BM".
//! - `application/octet-stream` counts as undeclared, and `X-Content-Type-Options` is ignored.
//! - Bytes declared as HTML are `application/octet-stream` if they are not text in any charset.
//! - XML whose root is that of a page is `application/xhtml+xml`: browsers show the page.
//! - Tags are found after a byte order mark; PDFs are found after white space or error messages.
//!
//! ```text
//! declaration  the declared type
//! signatures   byte patterns
//! structure    checks of the bytes after a pattern
//! media        audio, video and images without a fixed pattern
//! zip          formats inside zip files
//! markup       HTML, XML and PDF
//! text         text or binary data
//! ```

mod declaration;
mod markup;
mod media;
mod signatures;
mod structure;
#[cfg(test)]
mod tests;
mod text;
mod zip;

pub use declaration::Declared;
use declaration::DeclaredKind;
use signatures::Group;
use text::has_binary_bytes;

/// The length of the standard's resource header. Except for names inside zip files, all signatures
/// lie within it.
const HEADER_BYTES: usize = 1445;

const PDF: &str = "application/pdf";
const OCTET_STREAM: &str = "application/octet-stream";
const XHTML: &str = "application/xhtml+xml";

/// The media type of the bytes; `None` if there are no bytes or the declared type is correct.
pub fn sniff(body: &[u8], declared: &Declared) -> Option<&'static str> {
    if body.is_empty() {
        return None;
    }
    let found = markup::pdf_type(body).or_else(|| match declared.kind() {
        DeclaredKind::Unknown => Some(identify(body)),
        DeclaredKind::Html => {
            binary_type(body).or_else(|| text::is_not_a_page(body).then_some(OCTET_STREAM))
        }
        DeclaredKind::ApacheText => binary_type(body).or_else(|| Some(text::text_or_binary(body))),
        DeclaredKind::Text => binary_type(body).or_else(|| {
            let is_page = declared.is_xml() && markup::is_xhtml(body);
            is_page.then_some(XHTML)
        }),
        DeclaredKind::Binary(group) => signatures::find(body, |trusted| Some(trusted) == group)
            .filter(|found| !declared.may_be_in(found))
            .map(|found| found.media_type),
    });
    found.filter(|found| declared.media_type != Some(found))
}

/// The bytes that the standard examines.
fn header_of(body: &[u8]) -> &[u8] {
    &body[..body.len().min(HEADER_BYTES)]
}

/// Whether the first bytes are not those of a text.
pub fn starts_binary(body: &[u8]) -> bool {
    has_binary_bytes(header_of(body))
}

/// The standard's rules for identifying an unknown MIME type.
fn identify(body: &[u8]) -> &'static str {
    if let Some(found) = markup::markup_type(body) {
        return if found == "text/xml" && markup::is_xhtml(body) {
            XHTML
        } else {
            found
        };
    }
    let signature = || signatures::find(body, |group| group != Group::Font);
    let found = match text::byte_order_mark(body) {
        0 => signature().map(|found| found.media_type),
        _ => None,
    };
    found.unwrap_or_else(|| text::text_or_binary(body))
}

/// The type of a binary format, if the bytes cannot be the declared text.
fn binary_type(body: &[u8]) -> Option<&'static str> {
    let content = text::without_leading_blanks(body);
    // Nearly all pages start with a tag, and no binary signature does.
    if text::begins_with_tag(content) {
        return None;
    }
    let find = |bytes| signatures::find(bytes, |_| false);
    let is_shorter = content.len() < body.len();
    find(body)
        .or_else(|| is_shorter.then(|| find(content))?)
        .map(|found| found.media_type)
}
