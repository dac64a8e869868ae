//! Finds the trailer and the version, which hayro-syntax does not expose.

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, FromBytes, Name};
use memchr::memmem;

use super::objects::Objects;

/// The header must start within this many bytes.
const MAX_HEADER_OFFSET: usize = 1024;

/// The trailer of the last revision, or the dictionary of the cross-reference stream used instead.
/// Empty if there is none. Use [`Objects`] to follow its references.
pub fn trailer(pdf: &Pdf) -> Dict<'_> {
    trailer_of_file(pdf.data().as_ref()).unwrap_or_else(Dict::empty)
}

/// Like [`trailer`], for a file that is not open yet.
pub fn trailer_of_file(data: &[u8]) -> Option<Dict<'_>> {
    find_declared(data).or_else(|| search(data))
}

/// The trailer at the offset that the end of the file declares.
fn find_declared(data: &[u8]) -> Option<Dict<'_>> {
    let keyword = b"startxref";
    let after = memmem::rfind(data, keyword)? + keyword.len();
    let digits = data.get(after..)?.trim_ascii_start();
    let length = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let offset: usize = str::from_utf8(digits.get(..length)?).ok()?.parse().ok()?;
    // Offsets may or may not include bytes before the header.
    let before_header = header(data).unwrap_or_default();
    [offset, offset.checked_add(before_header)?]
        .into_iter()
        .find_map(|offset| at_section(data.get(offset..)?.trim_ascii_start()))
}

/// The trailer of the cross-reference section at the start of `section`.
fn at_section(section: &[u8]) -> Option<Dict<'_>> {
    if section.starts_with(b"xref") {
        return after(section, memmem::find(section, b"trailer")?, b"trailer");
    }
    let keyword = b"obj";
    let start = memmem::find(section, keyword)?;
    let is_number = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace();
    let numbers = section.get(..start)?;
    if !numbers.iter().all(is_number) {
        return None;
    }
    after(section, start, keyword)
}

/// In a damaged file: the last dictionary that looks like a trailer.
fn search(data: &[u8]) -> Option<Dict<'_>> {
    let table = memmem::rfind_iter(data, b"trailer").find_map(|at| after(data, at, b"trailer"));
    table.or_else(|| {
        memmem::rfind_iter(data, b"/XRef").find_map(|at| {
            let start = memmem::rfind(data.get(..at)?, b"obj")?;
            after(data, start, b"obj")
        })
    })
}

/// The dictionary after a keyword, if it refers to a catalog.
fn after<'a>(data: &'a [u8], at: usize, keyword: &[u8]) -> Option<Dict<'a>> {
    let dict = Dict::from_bytes(data.get(at + keyword.len()..)?.trim_ascii_start())?;
    dict.contains_key("Root").then_some(dict)
}

fn header(data: &[u8]) -> Option<usize> {
    memmem::find(data.get(..MAX_HEADER_OFFSET).unwrap_or(data), b"%PDF-")
}

/// The version, for example "1.7": the later of the versions in the header and the catalog.
pub(super) fn version<'a>(pdf: &'a Pdf, catalog: &Dict<'a>, objects: &Objects<'a>) -> String {
    let data = pdf.data().as_ref();
    let in_header = header(data).and_then(|at| number(data.get(at + b"%PDF-".len()..)?));
    let in_catalog = objects
        .name(catalog, "Version")
        .and_then(|name: Name<'_>| number(&name));
    match in_header.max(in_catalog) {
        Some((major, minor)) => format!("{major}.{minor}"),
        None => String::new(),
    }
}

/// Parses two digits with a point between them.
fn number(text: &[u8]) -> Option<(u8, u8)> {
    let [major, b'.', minor, ..] = text else {
        return None;
    };
    let digit = |byte: &u8| byte.is_ascii_digit().then(|| byte - b'0');
    Some((digit(major)?, digit(minor)?))
}
