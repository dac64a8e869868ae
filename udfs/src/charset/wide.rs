//! UTF-16 and UTF-32: by their byte order mark, or without one.
//!
//! Text in any other charset has no control characters but white space and ESC. In UTF-16 and
//! UTF-32 every byte value turns up, zero above all.

use encoding_rs::{GB18030, UTF_8, UTF_16BE, UTF_16LE};

use super::label::Charset;

/// So many bytes are looked at, from the beginning.
const LOOKED_AT: usize = 512;

/// The charset whose byte order mark the bytes begin with.
pub fn by_mark(bytes: &[u8]) -> Option<Charset> {
    Some(match bytes {
        // The mark of UTF-16LE, too, but no text begins with U+0000.
        [0xff, 0xfe, 0, 0, ..] => Charset::UTF_32LE,
        [0, 0, 0xfe, 0xff, ..] => Charset::UTF_32BE,
        [0xef, 0xbb, 0xbf, ..] => Charset::standard(UTF_8),
        [0xff, 0xfe, ..] => Charset::standard(UTF_16LE),
        [0xfe, 0xff, ..] => Charset::standard(UTF_16BE),
        [0x84, 0x31, 0x95, 0x33, ..] => Charset::standard(GB18030),
        _ => return None,
    })
}

/// UTF-16 or UTF-32, if the bytes are text in it and cannot be text in anything else, or are
/// declared to be.
pub fn without_mark(bytes: &[u8], declared: Option<Charset>) -> Option<Charset> {
    let head = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let controls = head.iter().filter(|byte| is_control(**byte)).count();
    if controls > 0 && controls * 50 >= head.len() {
        let best_of = |charsets: [Charset; 2]| {
            let shares = charsets.map(|charset| (charset, share_of_text(head, charset)));
            let best = shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
            best.filter(|(_, share)| *share > 0.8)
        };
        // Text in UTF-16 is never text in UTF-32, but the other way round it may be.
        let best = best_of(UTF_32).or_else(|| best_of(UTF_16));
        return best.map(|(charset, _)| charset);
    }
    // Chinese in UTF-16 may do without low bytes, but ASCII is not to be taken for Chinese.
    declared
        .filter(|charset| !charset.keeps_ascii() && std::str::from_utf8(head).is_err())
        .filter(|charset| share_of_text(head, *charset) > 0.9)
}

const UTF_32: [Charset; 2] = [Charset::UTF_32LE, Charset::UTF_32BE];
const UTF_16: [Charset; 2] = [Charset::standard(UTF_16LE), Charset::standard(UTF_16BE)];

fn is_control(byte: u8) -> bool {
    byte < 0x20 && !byte.is_ascii_whitespace() && byte != 0x1b
}

/// How much of it are characters that text is made of, where common ones count most and others
/// against it.
fn share_of_text(bytes: &[u8], charset: Charset) -> f32 {
    let (pairs, _) = bytes.as_chunks::<2>();
    let (quads, _) = bytes.as_chunks::<4>();
    if charset == Charset::UTF_32LE {
        mean(quads.iter().map(|quad| weight(u32::from_le_bytes(*quad))))
    } else if charset == Charset::UTF_32BE {
        mean(quads.iter().map(|quad| weight(u32::from_be_bytes(*quad))))
    } else if charset == Charset::standard(UTF_16LE) {
        mean(
            pairs
                .iter()
                .map(|pair| weight(u16::from_le_bytes(*pair).into())),
        )
    } else {
        mean(
            pairs
                .iter()
                .map(|pair| weight(u16::from_be_bytes(*pair).into())),
        )
    }
}

fn mean(weights: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = weights.len().max(1) as f32;
    weights.sum::<f32>() / count
}

fn weight(unit: u32) -> f32 {
    match unit {
        0x09 | 0x0a | 0x0d | 0x20..=0x7e => 1.05,
        // Letters of the alphabets, kana, punctuation.
        0xa0..=0x52f | 0x531..=0x6ff | 0x900..=0xeff | 0x10a0..=0x10ff => 1.0,
        0x1e00..=0x1fff | 0x2010..=0x2027 | 0x2030..=0x203a | 0x20ac | 0x2122 => 1.0,
        0x3001..=0x30ff | 0x4e00..=0x9fff | 0xac00..=0xd7a3 | 0xff01..=0xff9f => 1.0,
        0x1_0000..=0x3_ffff => 1.0,
        // Halves of characters beyond U+FFFF, symbols, the ideographic space.
        0xd800..=0xdfff | 0x2190..=0x27ff | 0x3000 | 0x3400..=0x4dff | 0xfeff => 0.5,
        _ => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text in all four charsets.
    fn written(text: &str) -> [(Charset, Vec<u8>); 4] {
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
            for (charset, bytes) in written(text) {
                assert_eq!(without_mark(&bytes, None), Some(charset), "{text}");
            }
        }
    }

    #[test]
    fn marks() {
        for (charset, bytes) in written("\u{feff}text") {
            assert_eq!(by_mark(&bytes), Some(charset));
        }
        assert_eq!(
            by_mark("\u{feff}".as_bytes()),
            Some(Charset::standard(UTF_8))
        );
        assert_eq!(
            by_mark(b"\x84\x31\x95\x33"),
            Some(Charset::standard(GB18030))
        );
        assert_eq!(by_mark(b"\xff"), None);
        assert_eq!(by_mark(b""), None);
    }

    #[test]
    fn what_is_no_text_in_them() {
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
    fn a_declaration_helps_where_no_byte_is_a_control_character() {
        let charset = Charset::standard(UTF_16BE);
        let bytes = [0x6f, 0x22, 0x5b, 0x57, 0x8a, 0x9e];
        assert_eq!(without_mark(&bytes, None), None);
        assert_eq!(without_mark(&bytes, Some(charset)), Some(charset));
        assert_eq!(without_mark(b"plain text", Some(charset)), None);
    }
}
