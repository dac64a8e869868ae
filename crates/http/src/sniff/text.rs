//! Distinguishes text from binary data: white space, byte order marks and control characters.

use memchr::memchr_iter;

use super::{OCTET_STREAM, header_of};

/// Maximum number of bytes searched for tags before a page is called binary.
const MAX_TAG_SEARCH_BYTES: usize = 64 << 10;
/// The minimum number of bytes to distinguish binary formats from damage.
const MIN_BINARY_BYTES: usize = 128;
/// Binary data have at least one control character in this many bytes; compressed data, one in ten.
const MAX_BYTES_PER_CONTROL: usize = 20;
/// Damage and padding repeat a few control characters; compressed data have nearly all of them.
const MIN_DISTINCT_CONTROLS: u32 = 8;

/// Names of tags at the start of nearly every page.
const TAGS: &[&[u8]] = &[
    b"html",
    b"head",
    b"body",
    b"title",
    b"meta",
    b"link",
    b"script",
    b"style",
    b"div",
    b"table",
    b"tr",
    b"td",
    b"p",
    b"br",
    b"a",
    b"span",
    b"font",
    b"center",
    b"img",
    b"ul",
    b"li",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"pre",
    b"frameset",
    b"!doctype",
    b"!--",
    b"?xml",
];

pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// The binary data bytes of the standard.
pub fn is_binary_byte(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

pub fn has_binary_bytes(bytes: &[u8]) -> bool {
    bytes.iter().any(|b| is_binary_byte(*b))
}

/// The length of the byte order mark, 0 without one.
pub fn byte_order_mark(bytes: &[u8]) -> usize {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => 3,
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => 2,
        _ => 0,
    }
}

/// Skips UTF-8 byte order marks and white space, which scripts may emit before a file.
pub fn without_leading_blanks(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = match bytes {
            [first, rest @ ..] if is_blank(*first) => rest,
            [0xef, 0xbb, 0xbf, rest @ ..] => rest,
            _ => return bytes,
        }
    }
}

/// Whether the bytes start with a tag, a comment or a declaration of any name.
pub fn begins_with_tag(bytes: &[u8]) -> bool {
    matches!(bytes, [b'<', next, ..] if next.is_ascii_alphabetic() || b"!?/".contains(next))
}

/// The standard's rules for distinguishing text from binary resources.
pub fn text_or_binary(body: &[u8]) -> &'static str {
    let header = header_of(body);
    if byte_order_mark(header) > 0 || !has_binary_bytes(header) {
        "text/plain"
    } else {
        OCTET_STREAM
    }
}

/// Whether bytes declared as HTML are not a page in any charset: they have many different control
/// characters and no tags. NUL does not count, because it is common in UTF-16 and padding.
pub fn is_not_a_page(body: &[u8]) -> bool {
    if begins_with_tag(without_leading_blanks(body)) {
        return false;
    }
    let header = header_of(body);
    let (mut controls, mut seen) = (0, 0_u32);
    for byte in header {
        if *byte != 0 && is_binary_byte(*byte) {
            controls += 1;
            seen |= 1 << byte;
        }
    }
    header.len() >= MIN_BINARY_BYTES
        && controls * MAX_BYTES_PER_CONTROL >= header.len()
        && seen.count_ones() >= MIN_DISTINCT_CONTROLS
        && byte_order_mark(header) == 0
        && !has_tags(&body[..body.len().min(MAX_TAG_SEARCH_BYTES)])
}

/// Whether one of the common tags occurs, in ASCII or in UTF-16.
fn has_tags(bytes: &[u8]) -> bool {
    memchr_iter(b'<', bytes).any(|at| {
        let rest = &bytes[at + 1..];
        is_tag(rest.iter()) || rest.first() == Some(&0) && is_tag(rest[1..].iter().step_by(2))
    })
}

/// Whether one of the common tags follows a `<`.
fn is_tag<'a>(rest: impl Iterator<Item = &'a u8>) -> bool {
    // Long enough for the longest name and the byte after it.
    let mut name = [0; 9];
    let characters = rest.skip_while(|b| **b == b'/');
    for (place, byte) in name.iter_mut().zip(characters) {
        *place = byte.to_ascii_lowercase();
    }
    let ends = |end: &u8| is_blank(*end) || matches!(end, b'>' | b'/');
    let is_name = |tag: &&[u8]| {
        let rest = name.strip_prefix(*tag);
        rest.and_then(<[u8]>::first).is_some_and(ends)
    };
    TAGS.iter().any(is_name)
}
