#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! export   pages and revisions
//! text     the decompressed text of a range
//! streams  the streams of a bzip2 file
//! xml      elements of pages and revisions
//! end      exports that end between two pages
//! records  revisions as rows
//! ```

mod end;
mod export;
mod records;
mod streams;
mod text;
mod xml;

#[cfg(test)]
mod tests;

pub use export::{Entry, Export};
pub use records::{COLUMNS, PageRecords};
pub use xml::{Page, Revision};

/// Whether a file that starts like this is a MediaWiki export. `start` is decompressed.
pub fn is_export(start: &[u8]) -> bool {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let mut rest = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    loop {
        rest = rest.trim_ascii_start();
        let (open, close): (&[u8], &[u8]) = match rest {
            [b'<', b'?', ..] => (b"<?", b"?>"),
            [b'<', b'!', b'-', b'-', ..] => (b"<!--", b"-->"),
            [b'<', b'!', ..] => (b"<!", b">"),
            _ => return xml::is_tag(rest, b"<mediawiki"),
        };
        match memchr::memmem::find(&rest[open.len()..], close) {
            Some(end) => rest = &rest[open.len() + end + close.len()..],
            None => return false,
        }
    }
}
