//! Character references: `&amp;`, `&#38;`, `&#x26;`.

use std::borrow::Cow;

use markup5ever::data::NAMED_ENTITIES;
use memchr::{memchr, memchr2};

use corpus_bytes::step_counter::count_steps;
use corpus_bytes::windows_1252::CHARACTERS_FROM_0X80;

/// The place of a reference. In attribute values, `&copy=1` is not a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    Text,
    Attribute,
}

/// The meaning of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reference {
    pub first: char,
    /// A second character, which some names have.
    pub second: Option<char>,
    /// The length of the reference in bytes, including `&` and `;`.
    pub length: usize,
}

/// More than the length of any name in the table.
const MAX_NAME_BYTES: usize = 40;

/// Parses the reference at the start of a text, which starts with `&`.
pub fn read(text: &str, context: Context) -> Option<Reference> {
    count_steps(1);
    let after = text.get(1..)?;
    match after.as_bytes().first()? {
        b'#' => number(after.get(1..)?),
        byte if byte.is_ascii_alphanumeric() => named_reference(after, context),
        _ => None,
    }
}

fn number(text: &str) -> Option<Reference> {
    let (digits, radix, prefix) = match text.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 3),
        None => (text, 10, 2),
    };
    let mut value = 0u32;
    let mut length = 0;
    for byte in digits.bytes() {
        let Some(digit) = char::from(byte).to_digit(radix) else {
            break;
        };
        value = value.saturating_mul(radix).saturating_add(digit);
        length += 1;
    }
    count_steps(length);
    if length == 0 {
        return None;
    }
    let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
    let first = match value {
        0 => None,
        0x80..=0x9F => CHARACTERS_FROM_0X80.get(value as usize - 0x80).copied(),
        _ => char::from_u32(value),
    };
    Some(Reference {
        first: first.unwrap_or('\u{FFFD}'),
        second: None,
        length: prefix + length + semicolon,
    })
}

fn named_reference(text: &str, context: Context) -> Option<Reference> {
    let bytes = text.as_bytes();
    let window = bytes.get(..MAX_NAME_BYTES).unwrap_or(bytes);
    let letters = window
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric())
        .unwrap_or(window.len());
    count_steps(letters);
    // Most references end with a semicolon. No name continues after one, so this is the longest.
    if window.get(letters) == Some(&b';')
        && let Some(reference) = lookup(text, letters + 1)
    {
        return Some(reference);
    }
    // Otherwise the longest matching name wins. The table also contains all prefixes of names.
    let mut longest = None;
    for length in 1..=letters {
        let Some(found) = text.get(..length).and_then(|name| NAMED_ENTITIES.get(name)) else {
            break;
        };
        if found.0 != 0 {
            longest = lookup(text, length);
        }
    }
    let reference = longest?;
    let next = bytes.get(reference.length - 1);
    let continues = next.is_some_and(|&next| next == b'=' || next.is_ascii_alphanumeric());
    (context == Context::Text || !continues).then_some(reference)
}

/// The reference whose name has this many bytes.
fn lookup(text: &str, length: usize) -> Option<Reference> {
    let name = text.get(..length)?;
    if let Some(first) = frequent(name) {
        return Some(Reference {
            first,
            second: None,
            length: length + 1,
        });
    }
    let &(first, second) = NAMED_ENTITIES.get(name)?;
    Some(Reference {
        first: char::from_u32(first).filter(|first| *first != '\0')?,
        second: char::from_u32(second).filter(|second| *second != '\0'),
        length: length + 1,
    })
}

/// The character of one of the most common names. This is faster than a lookup in the table.
#[inline]
fn frequent(name: &str) -> Option<char> {
    Some(match name {
        "amp;" => '&',
        "lt;" => '<',
        "gt;" => '>',
        "quot;" => '"',
        "nbsp;" => '\u{a0}',
        "raquo;" => '\u{bb}',
        "laquo;" => '\u{ab}',
        "copy;" => '\u{a9}',
        _ => return None,
    })
}

/// Decodes the value of an attribute: references, newlines and NUL.
pub fn decode_value(raw: &str) -> Cow<'_, str> {
    count_steps(raw.len());
    if memchr::memchr3(b'&', b'\r', b'\0', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut value = String::with_capacity(raw.len());
    decode(raw, Context::Attribute, |piece| {
        if memchr(b'\0', piece.as_bytes()).is_some() {
            value.push_str(&piece.replace('\0', "\u{FFFD}"));
        } else {
            value.push_str(piece);
        }
    });
    Cow::Owned(value)
}

/// Emits a raw text in pieces, with decoded references and normalized newlines. NULs stay.
pub fn decode(raw: &str, context: Context, mut emit: impl FnMut(&str)) {
    count_steps(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr2(b'&', b'\r', rest.as_bytes()) {
        let (before, special) = rest.split_at_checked(at).unwrap_or((rest, ""));
        if !before.is_empty() {
            emit(before);
        }
        let consumed = if special.starts_with('&') {
            match read(special, context) {
                Some(reference) => {
                    emit_reference(&reference, &mut emit);
                    reference.length
                }
                None => {
                    emit("&");
                    1
                }
            }
        } else {
            emit("\n");
            if special.starts_with("\r\n") { 2 } else { 1 }
        };
        rest = special.get(consumed..).unwrap_or_default();
    }
    if !rest.is_empty() {
        emit(rest);
    }
}

fn emit_reference(reference: &Reference, emit: &mut impl FnMut(&str)) {
    let mut buffer = [0; 8];
    let mut length = reference.first.encode_utf8(&mut buffer).len();
    if let (Some(second), Some(room)) = (reference.second, buffer.get_mut(length..)) {
        length += second.encode_utf8(room).len();
    }
    if let Some(Ok(text)) = buffer.get(..length).map(str::from_utf8) {
        emit(text);
    }
}

/// Emits a text without references in pieces: `\r\n` and `\r` become `\n`.
pub fn normalize_newlines(raw: &str, mut emit: impl FnMut(&str)) {
    let mut rest = raw;
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        let (before, newline) = rest.split_at_checked(at).unwrap_or((rest, ""));
        if !before.is_empty() {
            emit(before);
        }
        emit("\n");
        let consumed = if newline.starts_with("\r\n") { 2 } else { 1 };
        rest = newline.get(consumed..).unwrap_or_default();
    }
    if !rest.is_empty() {
        emit(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Context, NAMED_ENTITIES, decode, decode_value, frequent, normalize_newlines, read,
    };

    fn decoded(raw: &str) -> String {
        let mut text = String::new();
        decode(raw, Context::Text, |piece| text.push_str(piece));
        text
    }

    #[test]
    fn names_and_numbers_are_decoded() {
        assert_eq!(decoded("a &amp; b &lt;&#65;&#x42;&#x43"), "a & b <ABC");
        assert_eq!(
            decoded("&nbsp;&copy&NotEqualTilde;"),
            "\u{A0}\u{A9}\u{2242}\u{338}"
        );
    }

    #[test]
    fn frequent_names_mean_what_the_table_says() {
        for name in [
            "amp;", "lt;", "gt;", "quot;", "nbsp;", "raquo;", "laquo;", "copy;",
        ] {
            let expected = NAMED_ENTITIES.get(name).copied();
            let first = frequent(name).map(|first| (u32::from(first), 0));
            assert_eq!(first, expected, "{name}");
        }
    }

    #[test]
    fn the_longest_name_counts() {
        assert_eq!(decoded("&notin;&notit;&not"), "\u{2209}\u{AC}it;\u{AC}");
    }

    #[test]
    fn other_ampersands_stay() {
        for raw in [
            "&", "&&", "& a", "&x;", "&#;", "&#x;", "&#xg", "a&b=c", "&ampe",
        ] {
            let expected = if raw == "&ampe" { "&e" } else { raw };
            assert_eq!(decoded(raw), expected);
        }
    }

    #[test]
    fn bad_numbers_are_replaced() {
        assert_eq!(
            decoded("&#0;&#xD800;&#x110000;&#99999999999;"),
            "\u{FFFD}".repeat(4)
        );
        assert_eq!(decoded("&#128;&#x9F;&#129;"), "\u{20AC}\u{178}\u{81}");
    }

    #[test]
    fn in_attributes_a_name_must_end() {
        assert_eq!(
            decode_value("?a=1&copy=2&copyx&copy;&copy"),
            "?a=1&copy=2&copyx\u{A9}\u{A9}"
        );
        assert_eq!(
            read("&copy=", Context::Text).map(|found| found.length),
            Some(5)
        );
        assert_eq!(read("&copy=", Context::Attribute), None);
    }

    #[test]
    fn newlines_are_normalized() {
        assert_eq!(decoded("a\r\nb\rc\n\rd"), "a\nb\nc\n\nd");
        let mut text = String::new();
        normalize_newlines("\r\n&amp;\r", |piece| text.push_str(piece));
        assert_eq!(text, "\n&amp;\n");
        assert_eq!(decode_value("a\r\n\0"), "a\n\u{FFFD}");
    }
}
