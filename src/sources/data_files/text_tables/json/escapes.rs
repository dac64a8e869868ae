//! Escapes of characters beyond ASCII in JSON.
//!
//! Arrow decodes the surrogate pairs of characters beyond U+1FFFF, such as `𠮷`, to other
//! characters. It rejects unpaired surrogates, and decodes other escapes slowly.

use bytes::Bytes;
use memchr::memchr;

use super::stage::Stage;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The length of `\uXXXX`.
const ESCAPE_BYTES: usize = 6;

/// Replaces escapes of characters beyond ASCII with these characters, and unpaired surrogates with
/// U+FFFD. Removes a byte order mark at the start.
pub struct Escapes {
    at_start: bool,
    /// The end of the last chunk, if an escape may start there.
    rest: Vec<u8>,
}

impl Escapes {
    /// `at_start`: whether the first chunk is the start of a file.
    pub fn new(at_start: bool) -> Self {
        Self {
            at_start,
            rest: Vec::new(),
        }
    }

    /// Keeps bytes for the next chunk.
    fn keep(&mut self, rest: &[u8]) {
        self.rest.extend_from_slice(rest);
    }
}

impl Stage for Escapes {
    fn push(&mut self, chunk: Bytes) -> Result<Bytes, String> {
        let mut chunk = chunk;
        if !self.rest.is_empty() {
            let mut joined = std::mem::take(&mut self.rest);
            joined.extend_from_slice(&chunk);
            chunk = joined.into();
        }
        if self.at_start {
            if chunk.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(&chunk) {
                self.keep(&chunk);
                return Ok(Bytes::new());
            }
            self.at_start = false;
            if chunk.starts_with(BYTE_ORDER_MARK) {
                chunk = chunk.slice(BYTE_ORDER_MARK.len()..);
            }
        }
        let mut replaced = Vec::new();
        // The chunk up to here is in `replaced`. 0 if nothing is replaced yet.
        let mut copied = 0;
        let mut at = 0;
        loop {
            // Escapes often follow each other.
            if chunk.get(at) != Some(&b'\\') {
                match memchr(b'\\', &chunk[at..]) {
                    Some(offset) => at += offset,
                    None => break,
                }
            }
            match escape(&chunk[at..]) {
                Escape::Other { length } => at += length,
                Escape::Character { meaning, length } => {
                    if copied == 0 {
                        replaced.reserve(chunk.len());
                    }
                    replaced.extend_from_slice(&chunk[copied..at]);
                    replaced.extend_from_slice(meaning.encode_utf8(&mut [0; 4]).as_bytes());
                    at += length;
                    copied = at;
                }
                Escape::Cut => {
                    self.keep(&chunk[at..]);
                    chunk.truncate(at);
                    break;
                }
            }
        }
        if copied == 0 {
            return Ok(chunk);
        }
        replaced.extend_from_slice(&chunk[copied..]);
        Ok(replaced.into())
    }

    /// An escape that is truncated by the end of the file is left to the parser, which reports it.
    fn finish(&mut self) -> Result<Bytes, String> {
        Ok(std::mem::take(&mut self.rest).into())
    }
}

enum Escape {
    /// A character beyond ASCII.
    Character { meaning: char, length: usize },
    /// Any other escape, or an invalid one.
    Other { length: usize },
    /// The bytes end inside the escape, or where the second half of a surrogate pair may follow.
    Cut,
}

/// Reads the escape at the start of `bytes`.
fn escape(bytes: &[u8]) -> Escape {
    match bytes.get(1) {
        Some(b'u') if bytes.len() < ESCAPE_BYTES => return Escape::Cut,
        Some(b'u') => {}
        Some(_) => return Escape::Other { length: 2 },
        None => return Escape::Cut,
    }
    let Some(unit) = code_unit(bytes) else {
        return Escape::Other { length: 2 };
    };
    let of_one = |meaning| Escape::Character {
        meaning,
        length: ESCAPE_BYTES,
    };
    let unpaired = of_one(char::REPLACEMENT_CHARACTER);
    match unit {
        0..=0x7f => {
            return Escape::Other {
                length: ESCAPE_BYTES,
            };
        }
        0xd800..=0xdbff => {}
        _ => return char::from_u32(unit.into()).map_or(unpaired, of_one),
    }
    let after = &bytes[ESCAPE_BYTES..];
    let may_be_escape = after
        .iter()
        .zip(b"\\u")
        .all(|(byte, expected)| byte == expected);
    if may_be_escape && after.len() < ESCAPE_BYTES {
        return Escape::Cut;
    }
    let low = may_be_escape.then(|| code_unit(after)).flatten();
    let pair = low.and_then(|low| char::decode_utf16([unit, low]).next()?.ok());
    match pair {
        Some(meaning) => Escape::Character {
            meaning,
            length: 2 * ESCAPE_BYTES,
        },
        None => unpaired,
    }
}

/// The number in `\uXXXX`.
fn code_unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.get(2..ESCAPE_BYTES)?;
    digits.iter().try_fold(0, |number, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(number << 4 | u16::try_from(digit).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::super::stage::tests::in_all_chunks;
    use super::*;

    fn decode(text: &str) -> String {
        let expected = in_all_chunks(text.as_bytes(), || Escapes::new(true));
        String::from_utf8(expected.unwrap()).unwrap()
    }

    #[test]
    fn pairs_of_all_planes_become_characters() {
        for character in [
            '\u{10000}',
            '😀',
            '𠮷',
            '𩸽',
            '\u{2f804}',
            '\u{30000}',
            '\u{10ffff}',
        ] {
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units);
            let escaped: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let (lower, upper) = (
                escaped.clone(),
                escaped.to_uppercase().replace("\\U", "\\u"),
            );
            for escaped in [lower, upper] {
                let text = format!("{{\"a{escaped}\": \"{escaped}野{escaped}\"}}");
                let expected = format!("{{\"a{character}\": \"{character}野{character}\"}}");
                assert_eq!(decode(&text), expected);
            }
        }
    }

    #[test]
    fn other_characters_beyond_ascii_are_replaced() {
        let text = r#"{"\u00e9": "\u0080\u3042\uFFFF\\u3042\n"}"#;
        let expected = "{\"é\": \"\u{80}あ\u{ffff}\\\\u3042\\n\"}";
        assert_eq!(decode(text), expected);
    }

    #[test]
    fn unpaired_surrogates_are_replaced() {
        for (text, expected) in [
            (r#""\ud842""#, "\"\u{fffd}\""),
            (r#""\udfb7x""#, "\"\u{fffd}x\""),
            (r#""\ud842\n\udfb7""#, "\"\u{fffd}\\n\u{fffd}\""),
            (r#""\ud842\ud842\udfb7""#, "\"\u{fffd}𠮷\""),
            (r#""\ud842\u0041""#, "\"\u{fffd}\\u0041\""),
        ] {
            assert_eq!(decode(text), expected, "{text}");
        }
    }

    #[test]
    fn other_text_stays() {
        for text in [
            r#"{"a": "\\ud842\\udfb7 \u0022 \u0000 \u007f \" \\", "b": 1}"#,
            r#""\\\\ud842""#,
            r#""\uzzzz\ud8"#,
            r#""cut \ud842"#,
            "\"cut \\",
            "",
        ] {
            assert_eq!(decode(text), text);
        }
        assert_eq!(decode(r#"\\\ud842\udfb7"#), r"\\𠮷");
    }

    #[test]
    fn a_byte_order_mark_is_removed_at_the_start_only() {
        assert_eq!(decode("\u{feff}{}\u{feff}"), "{}\u{feff}");
        let inside = in_all_chunks("\u{feff}{}".as_bytes(), || Escapes::new(false));
        assert_eq!(inside.unwrap(), "\u{feff}{}".as_bytes());
    }
}
