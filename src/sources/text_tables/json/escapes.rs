//! Escapes of surrogates in JSON.
//!
//! Arrow decodes pairs for characters beyond U+1FFFF, such as `𠮷`, to other characters, and refuses
//! surrogates without a partner.

use bytes::Bytes;
use memchr::memchr;

use super::stage::Stage;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes of `\uXXXX`.
const ESCAPE_BYTES: usize = 6;

/// Replaces escapes of surrogates by the characters that they stand for: pairs by one, and single
/// ones by U+FFFD. Also removes a byte order mark at the start.
pub struct Surrogates {
    at_start: bool,
    /// The end of the last chunk, if it may be the start of an escape.
    rest: Vec<u8>,
}

impl Surrogates {
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

impl Stage for Surrogates {
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
        // The bytes before it are in `replaced`, unless nothing is replaced.
        let mut copied = 0;
        let mut at = 0;
        while let Some(offset) = memchr(b'\\', &chunk[at..]) {
            at += offset;
            match escape(&chunk[at..]) {
                Escape::Other { length } => at += length,
                Escape::Surrogates { meaning, length } => {
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

    /// An escape that the file cuts is left to the parser, which reports it.
    fn finish(&mut self) -> Result<Bytes, String> {
        Ok(std::mem::take(&mut self.rest).into())
    }
}

enum Escape {
    Surrogates {
        meaning: char,
        length: usize,
    },
    /// Any other escape, or an invalid one.
    Other {
        length: usize,
    },
    /// The bytes end inside the escape, or before a possible partner.
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
    let single = Escape::Surrogates {
        meaning: char::REPLACEMENT_CHARACTER,
        length: ESCAPE_BYTES,
    };
    match unit {
        0xd800..=0xdbff => {}
        0xdc00..=0xdfff => return single,
        _ => {
            return Escape::Other {
                length: ESCAPE_BYTES,
            };
        }
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
        Some(meaning) => Escape::Surrogates {
            meaning,
            length: 2 * ESCAPE_BYTES,
        },
        None => single,
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

    fn decoded(text: &str) -> String {
        let expected = in_all_chunks(text.as_bytes(), || Surrogates::new(true));
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
                assert_eq!(decoded(&text), expected);
            }
        }
    }

    #[test]
    fn single_surrogates_are_replaced() {
        for (text, expected) in [
            (r#""\ud842""#, "\"\u{fffd}\""),
            (r#""\udfb7x""#, "\"\u{fffd}x\""),
            (r#""\ud842\n\udfb7""#, "\"\u{fffd}\\n\u{fffd}\""),
            (r#""\ud842\ud842\udfb7""#, "\"\u{fffd}𠮷\""),
            (r#""\ud842\u0041""#, "\"\u{fffd}\\u0041\""),
        ] {
            assert_eq!(decoded(text), expected, "{text}");
        }
    }

    #[test]
    fn other_text_stays() {
        for text in [
            r#"{"a": "\\ud842\\udfb7 \u3042 \" \\", "b": 1}"#,
            r#""\\\\ud842""#,
            r#""\uzzzz\ud8"#,
            r#""cut \ud842"#,
            "\"cut \\",
            "",
        ] {
            assert_eq!(decoded(text), text);
        }
        assert_eq!(decoded(r#"\\\ud842\udfb7"#), r"\\𠮷");
    }

    #[test]
    fn a_byte_order_mark_is_removed_at_the_start_only() {
        assert_eq!(decoded("\u{feff}{}\u{feff}"), "{}\u{feff}");
        let inside = in_all_chunks("\u{feff}{}".as_bytes(), || Surrogates::new(false));
        assert_eq!(inside.unwrap(), "\u{feff}{}".as_bytes());
    }
}
