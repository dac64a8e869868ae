//! Decoding of bytes.

use std::borrow::Cow;

use super::label::{Charset, Kind};

/// Decodes bytes; borrows them if they already are the text.
///
/// Invalid bytes become U+FFFD. A byte order mark of the same charset is removed.
pub fn decode(bytes: &[u8], charset: Charset) -> Cow<'_, str> {
    match charset.0 {
        Kind::Standard(encoding) => encoding.decode_with_bom_removal(bytes).0,
        Kind::Utf32Le => Cow::Owned(decode_utf_32(bytes, u32::from_le_bytes)),
        Kind::Utf32Be => Cow::Owned(decode_utf_32(bytes, u32::from_be_bytes)),
    }
}

fn decode_utf_32(bytes: &[u8], number: fn([u8; 4]) -> u32) -> String {
    let (units, rest) = bytes.as_chunks::<4>();
    let character =
        |unit: &[u8; 4]| char::from_u32(number(*unit)).unwrap_or(char::REPLACEMENT_CHARACTER);
    let mut text = String::with_capacity(units.len());
    text.extend(units.iter().map(character));
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

    #[test]
    fn text_that_needs_no_change_is_borrowed() {
        for (bytes, encoding) in [
            ("plain".as_bytes(), SHIFT_JIS),
            ("é".as_bytes(), UTF_8),
            ("\u{feff}é".as_bytes(), UTF_8),
        ] {
            let text = decode(bytes, Charset::standard(encoding));
            assert!(matches!(text, Cow::Borrowed(_)), "{text}");
            assert!(!text.contains('\u{feff}'));
        }
    }

    #[test]
    fn a_byte_order_mark_of_another_charset_is_text() {
        let text = decode("\u{feff}a".as_bytes(), Charset::standard(WINDOWS_1252));
        assert_eq!(text, "ï»¿a");
    }

    #[test]
    fn sixteen_bits() {
        let little = [0xff, 0xfe, b'a', 0, 0x42, 0x30];
        assert_eq!(decode(&little, Charset::standard(UTF_16LE)), "aあ");
        let big = [0xfe, 0xff, 0, b'a', 0x30, 0x42, 0x30];
        assert_eq!(decode(&big, Charset::standard(UTF_16BE)), "aあ\u{fffd}");
    }

    #[test]
    fn thirty_two_bits() {
        let little: Vec<u8> = "\u{feff}aあ𠮷"
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        assert_eq!(decode(&little, Charset::UTF_32LE), "aあ𠮷");
        assert_eq!(decode(&little[..9], Charset::UTF_32LE), "a\u{fffd}");
        let big: Vec<u8> = "aあ𠮷"
            .chars()
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect();
        assert_eq!(decode(&big, Charset::UTF_32BE), "aあ𠮷");
        assert_eq!(
            decode(&[0, 0, 0xd8, 0, 0, 0x11, 0, 0], Charset::UTF_32BE),
            "\u{fffd}\u{fffd}"
        );
        assert_eq!(decode(&[], Charset::UTF_32BE), "");
    }
}
