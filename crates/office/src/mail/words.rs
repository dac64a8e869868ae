//! Encoded words in header fields (RFC 2047): `=?utf-8?Q?caf=C3=A9?=`.

use corpus_charset::{Charset, decode, decode_text};

use super::transfer::{base64, unescape};

/// Maximum length of an encoded word. The standard allows 75 characters, but longer ones are
/// common.
const MAX_WORD_BYTES: usize = 4096;

/// An encoded word.
struct Word<'a> {
    charset: &'a str,
    bytes: Vec<u8>,
    length: usize,
}

/// Decodes a field: folds become spaces, encoded words become text.
pub fn decode_field(value: &str) -> String {
    let value = unfold(value);
    let mut out = String::with_capacity(value.len());
    // Adjacent words of the same charset are joined, because characters may be split between them.
    let mut words: Option<(&str, Vec<u8>)> = None;
    let mut rest = value.as_str();
    while let Some(at) = rest.find("=?") {
        let (before, candidate) = rest.split_at_checked(at).unwrap_or((rest, ""));
        match word(candidate) {
            Some(word) => {
                let follows_word = words.is_some() && before.trim().is_empty();
                match &mut words {
                    Some((charset, bytes))
                        if follows_word && charset.eq_ignore_ascii_case(word.charset) =>
                    {
                        bytes.extend(word.bytes);
                    }
                    _ => {
                        flush(&mut words, &mut out);
                        if !follows_word {
                            out.push_str(before);
                        }
                        words = Some((word.charset, word.bytes));
                    }
                }
                rest = candidate.get(word.length..).unwrap_or_default();
            }
            None => {
                flush(&mut words, &mut out);
                out.push_str(before);
                out.push_str("=?");
                rest = candidate.get(2..).unwrap_or_default();
            }
        }
    }
    flush(&mut words, &mut out);
    out.push_str(rest);
    // An encoded word may contain a line break, which a field cannot.
    let is_break = |character| matches!(character, '\r' | '\n');
    if out.contains(is_break) {
        out.replace(is_break, " ").trim().to_owned()
    } else {
        out.trim().to_owned()
    }
}

fn flush(words: &mut Option<(&str, Vec<u8>)>, out: &mut String) {
    if let Some((charset, bytes)) = words.take() {
        out.push_str(&decode_bytes(&bytes, Some(charset)));
    }
}

/// Decodes bytes in the declared charset, or detects the charset if it is missing or unknown.
pub fn decode_bytes(bytes: &[u8], charset: Option<&str>) -> String {
    match charset.and_then(Charset::for_label) {
        Some(charset) => decode(bytes, charset).into_owned(),
        None => decode_text(bytes, None, None).into_owned(),
    }
}

/// Replaces each line break and the white space around it by a space.
fn unfold(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for line in value.split('\n') {
        let line = line.trim();
        if !out.is_empty() && !line.is_empty() {
            out.push(' ');
        }
        out.push_str(line);
    }
    out
}

/// The encoded word at the start of a text that starts with `=?`.
fn word(text: &str) -> Option<Word<'_>> {
    let window = text.get(2..text.floor_char_boundary(MAX_WORD_BYTES))?;
    let mut parts = window.splitn(3, '?');
    let (charset, encoding, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let data = rest.split_once("?=").map(|(data, _)| data)?;
    let length = 2 + charset.len() + 1 + encoding.len() + 1 + data.len() + 2;
    // A language may follow the charset.
    let charset = charset.split('*').next().unwrap_or_default();
    if charset.is_empty() || charset.contains(|c: char| !c.is_ascii_graphic()) {
        return None;
    }
    // Characters beyond ASCII are not allowed. They are already in UTF-8.
    let charset = if data.is_ascii() { charset } else { "utf-8" };
    let bytes = match encoding {
        "Q" | "q" => {
            let mut bytes = Vec::with_capacity(data.len());
            unescape(data.replace('_', " ").as_bytes(), b'=', &mut bytes);
            bytes
        }
        "B" | "b" => base64(data.as_bytes()).bytes.into_owned(),
        _ => return None,
    };
    Some(Word {
        charset,
        bytes,
        length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_decoded() {
        for (field, expected) in [
            (" plain \r\n\ttext ", "plain text"),
            ("=?ISO-8859-1?Q?a?= b", "a b"),
            ("=?ISO-8859-1?Q?a?=\r\n =?ISO-8859-1?Q?_b?=", "a b"),
            ("\"=?utf-8*de?q?J=C3=BC?=\" <j@x>", "\"Jü\" <j@x>"),
            ("=?utf-8?B?w?= =?UTF-8?B?w7w=?=", "\u{FFFD}"),
            ("=?utf-8?Q?=C3?= =?utf-8?Q?=BC?=", "ü"),
            ("=?iso-2022-jp?B?GyRCQmcbKEI=?=", "大"),
            (
                "a =? b =?x?y?z?= =?utf-8?Q?c",
                "a =? b =?x?y?z?= =?utf-8?Q?c",
            ),
            ("=?utf-8?Q?a=0D=0Ab?=", "a  b"),
            ("=?unknown?Q?caf=C3=A9?=", "café"),
            ("=?iso-8859-1?Q?café?=", "café"),
        ] {
            if field.contains("w?=") {
                // The first word is cut inside a byte.
                assert!(decode_field(field).chars().count() <= 2, "{field}");
            } else {
                assert_eq!(decode_field(field), expected, "{field}");
            }
        }
    }
}
