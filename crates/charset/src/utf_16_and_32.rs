//! UTF-16 and UTF-32, with or without a byte order mark.
//!
//! Zero bytes alone prove little: in other charsets they occur as padding, string terminators and
//! binary data. So the bytes are decoded in every way, and the least surprising one wins.

use std::sync::LazyLock;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, UTF_8, UTF_16BE, UTF_16LE};

use super::label::Charset;

/// Number of bytes examined at each of the [`PLACES`].
const PLACE_BYTES: usize = 512;

/// Number of places examined, spread over the page from its start to its end.
const PLACES: usize = 4;

/// How much less surprising UTF-16 or UTF-32 must be than another charset.
const MIN_MARGIN: f32 = 12.0;

/// The margin if another charset is declared.
const MIN_MARGIN_AGAINST_DECLARATION: f32 = 24.0;

/// The charset whose byte order mark the page starts with.
pub fn from_mark(bytes: &[u8]) -> Option<Charset> {
    Some(match bytes {
        // Also the mark of UTF-16LE, but no text starts with U+0000.
        [0xff, 0xfe, 0, 0, ..] => Charset::UTF_32LE,
        [0, 0, 0xfe, 0xff, ..] => Charset::UTF_32BE,
        [0xef, 0xbb, 0xbf, ..] => Charset::standard(UTF_8),
        [0xff, 0xfe, ..] => Charset::standard(UTF_16LE),
        [0xfe, 0xff, ..] => Charset::standard(UTF_16BE),
        [0x84, 0x31, 0x95, 0x33, ..] => Charset::standard(GB18030),
        _ => return None,
    })
}

/// Detects UTF-16 or UTF-32: the bytes are text in it and cannot be in anything else, or are
/// declared to be.
pub fn without_mark(bytes: &[u8], declared: Option<Charset>) -> Option<Charset> {
    let head = bytes.get(..PLACE_BYTES).unwrap_or(bytes);
    let is_declared = |charset: Charset| declared == Some(charset);
    // Written without branches, so that the compiler vectorizes it.
    let has_control = head.iter().fold(false, |any, byte| any | is_control(*byte));
    if !has_control {
        // Chinese in UTF-16 may have no control bytes, but ASCII must not be mistaken for Chinese.
        return declared
            .filter(|charset| !charset.keeps_ascii() && std::str::from_utf8(head).is_err())
            .filter(|charset| surprise_in(head, *charset) < surprise_of_bytes(head) + MIN_MARGIN);
    }
    let places = places(bytes);
    let surprise = |charset| -> f32 {
        let surprises = places.iter().map(|place| surprise_in(place, charset));
        surprises.sum()
    };
    let found = CHARSETS.map(|charset| (charset, surprise(charset)));
    let (charset, surprise) = found.into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let of_bytes: f32 = places.iter().map(|place| surprise_of_bytes(place)).sum();
    let margin = match declared {
        _ if is_declared(charset) => 0.0,
        Some(other) if other.keeps_ascii() => MIN_MARGIN_AGAINST_DECLARATION,
        _ => MIN_MARGIN,
    };
    (surprise + margin < of_bytes).then_some(charset)
}

const CHARSETS: [Charset; 4] = [
    Charset::UTF_32LE,
    Charset::UTF_32BE,
    Charset::standard(UTF_16LE),
    Charset::standard(UTF_16BE),
];

/// Parts of the page, each starting at a multiple of four bytes.
fn places(bytes: &[u8]) -> Vec<&[u8]> {
    if bytes.len() <= PLACES * PLACE_BYTES {
        return vec![bytes];
    }
    let last = bytes.len() - PLACE_BYTES;
    let start = |place| last / (PLACES - 1) * place / 4 * 4;
    (0..PLACES)
        .filter_map(|place| bytes.get(start(place)..start(place) + PLACE_BYTES))
        .collect()
}

fn is_control(byte: u8) -> bool {
    (byte < 0x20) & !matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | 0x1b)
}

/// The surprise of a zero, and of each further one in a row, which is padding.
const ZERO_SURPRISE: f32 = 5.0;
const FURTHER_ZERO_SURPRISE: f32 = 0.7;

/// The surprise of the bytes in a charset that extends ASCII.
fn surprise_of_bytes(bytes: &[u8]) -> f32 {
    let mut sum = 0.0;
    let mut before = ' ';
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            sum += match character {
                '\0' if before == '\0' => FURTHER_ZERO_SURPRISE,
                '\0' => ZERO_SURPRISE,
                '\u{80}'..='\u{7ff}' => 6.0,
                '\u{800}'..='\u{ffff}' => 8.0,
                '\u{10000}'.. => 10.0,
                _ => surprise_of_ascii(character),
            };
            before = character;
        }
        // The first byte of an invalid sequence, and the others.
        let further = if chunk.valid().is_empty() { 4.0 } else { 5.0 };
        sum += further * chunk.invalid().len() as f32;
    }
    sum
}

fn surprise_of_ascii(character: char) -> f32 {
    match character {
        'a'..='z' | ' ' => 3.0,
        '\t' | '\n' | '\r' | '!'..='~' => 4.5,
        _ => 9.0,
    }
}

/// The surprise of the bytes in UTF-16 or UTF-32.
fn surprise_in(bytes: &[u8], charset: Charset) -> f32 {
    let (pairs, byte) = bytes.as_chunks::<2>();
    let (quads, tail) = bytes.as_chunks::<4>();
    if charset == Charset::UTF_32LE {
        surprise_of_units(
            quads.iter().map(|quad| u32::from_le_bytes(*quad)),
            tail,
            4.0,
        )
    } else if charset == Charset::UTF_32BE {
        surprise_of_units(
            quads.iter().map(|quad| u32::from_be_bytes(*quad)),
            tail,
            4.0,
        )
    } else if charset == Charset::standard(UTF_16LE) {
        let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair).into());
        surprise_of_units(units, byte, 2.0)
    } else {
        let units = pairs.iter().map(|pair| u16::from_be_bytes(*pair).into());
        surprise_of_units(units, byte, 2.0)
    }
}

/// The surprise of units of `size` bytes, and of an incomplete `tail`.
fn surprise_of_units(units: impl Iterator<Item = u32>, tail: &[u8], size: f32) -> f32 {
    let mut sum = 5.0 * tail.len() as f32;
    let mut before = u32::MAX;
    for unit in units {
        sum += match unit {
            0 if before == 0 => size * FURTHER_ZERO_SURPRISE,
            0 => 12.0,
            _ => surprise_of_unit(unit).unwrap_or(size * UNKNOWN_SURPRISE),
        };
        before = unit;
    }
    sum
}

/// The surprise of a UTF-16 unit or of a character.
fn surprise_of_unit(unit: u32) -> Option<f32> {
    Some(match unit {
        0x09..=0x0d | 0x20..=0x7e => surprise_of_ascii(char::from_u32(unit)?),
        // Phonetics and marks.
        0x180..=0x217 | 0x21c..=0x36f => 9.0,
        // Letters, kana and punctuation.
        0xa0..=0x52f | 0x531..=0x6ff | 0x900..=0xeff | 0x10a0..=0x10ff | 0x1e00..=0x1fff => 4.5,
        0x2010..=0x2027 | 0x2030..=0x203a | 0x20ac | 0x2122 | 0xfeff => 5.0,
        0x3000..=0x30ff | 0xff01..=0xff9f => 5.0,
        0x4e00..=0x9fff | 0xac00..=0xd7a3 if is_common(unit) => 7.5,
        // Rare characters, surrogates and symbols.
        0x4e00..=0x9fff | 0xac00..=0xd7a3 => 12.0,
        0xd800..=0xdfff | 0x2190..=0x27ff | 0x3400..=0x4dff => 12.0,
        0x1_0000..=0x3_ffff => 12.0,
        _ => return None,
    })
}

/// The surprise per byte of a unit that is not a character, or a rare one.
const UNKNOWN_SURPRISE: f32 = 10.0;

fn is_common(unit: u32) -> bool {
    COMMON.get(unit as usize).copied().unwrap_or_default()
}

/// Whether a character up to U+FFFF is a common ideograph or Hangul syllable: one on the first
/// level of a national charset.
static COMMON: LazyLock<Vec<bool>> = LazyLock::new(|| {
    let mut common = vec![false; 1 << 16];
    for (encoding, rows, cells) in [
        (EUC_JP, 0xb0..=0xcf, 0xa1..=0xfe),
        (GB18030, 0xb0..=0xd7, 0xa1..=0xfe),
        (BIG5, 0xa4..=0xc6, 0x40..=0xfe_u8),
        (EUC_KR, 0xb0..=0xc8, 0xa1..=0xfe),
    ] {
        for pair in rows.flat_map(|row| cells.clone().map(move |cell| [row, cell])) {
            let text = encoding.decode_without_bom_handling(&pair).0;
            for character in text.chars() {
                if let Some(place) = common.get_mut(character as usize) {
                    *place = true;
                }
            }
        }
    }
    common
});

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes the text in all four charsets.
    fn encoded(text: &str) -> [(Charset, Vec<u8>); 4] {
        [
            (
                Charset::UTF_32LE,
                text.chars()
                    .flat_map(|c| u32::from(c).to_le_bytes())
                    .collect(),
            ),
            (
                Charset::UTF_32BE,
                text.chars()
                    .flat_map(|c| u32::from(c).to_be_bytes())
                    .collect(),
            ),
            (
                Charset::standard(UTF_16LE),
                text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            ),
            (
                Charset::standard(UTF_16BE),
                text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            ),
        ]
    }

    #[test]
    fn text_without_a_mark() {
        for text in [
            "plain",
            "<p>Ein schöner Tag, und was für einer</p>\n",
            "Съешь ещё этих мягких булок",
            "今日はいい天気です。散歩に行きましょう。\n",
            "今天天气很好，我们一起去公园散步吧。明天可能会下雨。",
            "오늘은 날씨가 참 좋습니다.",
            "สวัสดีครับ ยินดีที่ได้รู้จัก",
            "a 𠮷 b 🙂 c",
        ] {
            for (charset, bytes) in encoded(text) {
                assert_eq!(without_mark(&bytes, None), Some(charset), "{text}");
            }
        }
    }

    #[test]
    fn marks() {
        for (charset, bytes) in encoded("\u{feff}text") {
            assert_eq!(from_mark(&bytes), Some(charset));
        }
        assert_eq!(
            from_mark("\u{feff}".as_bytes()),
            Some(Charset::standard(UTF_8))
        );
        assert_eq!(
            from_mark(b"\x84\x31\x95\x33"),
            Some(Charset::standard(GB18030))
        );
        assert_eq!(from_mark(b"\xff"), None);
        assert_eq!(from_mark(b""), None);
    }

    #[test]
    fn bytes_that_are_not_utf_16_or_utf_32() {
        let ascii_with_zeros = [b"plain text, and then nothing but ".as_slice(), &[0; 40]].concat();
        let numbers: Vec<u8> = (0..400_u32)
            .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
            .collect();
        for bytes in [
            b"".as_slice(),
            b"Bush hid the facts",
            "日本語".as_bytes(),
            &[0; 9],
            &[0; 4],
            &[1],
        ] {
            assert_eq!(without_mark(bytes, None), None, "{bytes:?}");
        }
        assert_eq!(without_mark(&ascii_with_zeros, None), None);
        assert_eq!(without_mark(&numbers, None), None);
    }

    #[test]
    fn zeros_on_pages_in_other_charsets() {
        let declared = [None, Some(Charset::standard(UTF_8))];
        let texts = [
            "<p>a",
            "<html><body><p>An ordinary page, with some words.</p></body></html>",
            "Съешь ещё этих мягких булок",
            "今日はいい天気です。散歩に行きましょう。",
            "name=value",
        ];
        let zeros = [1, 2, 3, 40, 5000];
        let snippets = [
            b"\x01\0\x02\0\x03\0".as_slice(),
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01",
        ];
        let padding = zeros.iter().map(|number| vec![0; *number]);
        let fillers: Vec<_> = padding.chain(snippets.map(<[u8]>::to_vec)).collect();
        for text in texts {
            for encoding in [UTF_8, encoding_rs::SHIFT_JIS, encoding_rs::WINDOWS_1251] {
                let (bytes, _, failed) = encoding.encode(text);
                if failed {
                    continue;
                }
                // A page with a snippet that is longer than its text could be anything.
                for filler in fillers.iter().filter(|f| f[0] == 0 || bytes.len() > 9) {
                    for place in [0, 1, 2, bytes.len() / 2, bytes.len()] {
                        let (before, after) = bytes.split_at(place);
                        let page = [before, filler, after, b"b"].concat();
                        for charset in declared {
                            assert_eq!(without_mark(&page, charset), None, "{page:?}");
                        }
                    }
                }
            }
        }
        // Zero-terminated strings.
        let list = b"name\0value\0width\x00100\0height\x00200\0a\0b\0".repeat(20);
        assert_eq!(without_mark(&list, None), None);
    }

    #[test]
    fn text_with_padding() {
        for (charset, bytes) in encoded("今日はいい天気です。散歩に行きましょう。<p>a")
        {
            let padded = [bytes.as_slice(), &[0; 4000]].concat();
            assert_eq!(without_mark(&padded, None), Some(charset));
        }
    }

    #[test]
    fn a_declaration_helps_where_no_byte_is_a_control_character() {
        let charset = Charset::standard(UTF_16BE);
        let bytes = [0x6f, 0x22, 0x5b, 0x57, 0x8a, 0x9e];
        assert_eq!(without_mark(&bytes, None), None);
        assert_eq!(without_mark(&bytes, Some(charset)), Some(charset));
        assert_eq!(without_mark(b"plain text", Some(charset)), None);
    }
}
