//! Transfer encodings: quoted-printable and base64.

use std::borrow::Cow;

/// Decoded bytes, and whether characters were skipped or kept unchanged.
pub struct Decoded<'a> {
    pub bytes: Cow<'a, [u8]>,
    pub is_damaged: bool,
    /// Text after the end of base64, such as mailing lists add.
    pub footer: &'a [u8],
}

const QUOTED_PRINTABLE: &str = "quoted-printable";
const BASE64: &str = "base64";

/// Minimum length of a line of base64 that is data rather than a word of a footer.
const MIN_DATA_LINE_BYTES: usize = 40;

/// Encodings that leave a body unchanged.
const IDENTITIES: [&str; 4] = ["", "7bit", "8bit", "binary"];

fn is(encoding: &str, name: &str) -> bool {
    encoding.trim().eq_ignore_ascii_case(name)
}

/// Whether a body with this encoding is readable without decoding.
pub fn is_identity(encoding: &str) -> bool {
    IDENTITIES.iter().any(|name| is(encoding, name))
}

/// Whether bodies with this encoding can be decoded.
pub fn is_known(encoding: &str) -> bool {
    is_identity(encoding) || is(encoding, QUOTED_PRINTABLE) || is(encoding, BASE64)
}

/// Decodes a body. Bodies with unknown encodings are left unchanged.
pub fn decode<'a>(body: &'a [u8], encoding: &str) -> Decoded<'a> {
    if is(encoding, QUOTED_PRINTABLE) {
        quoted_printable(body)
    } else if is(encoding, BASE64) {
        let (encoded, footer) = body.split_at(footer_start(body));
        Decoded {
            footer,
            ..base64(encoded)
        }
    } else {
        Decoded {
            bytes: body.into(),
            is_damaged: !is_identity(encoding),
            footer: &[],
        }
    }
}

/// Decodes quoted-printable. Keeps a `=` that does not start a code.
fn quoted_printable(body: &[u8]) -> Decoded<'_> {
    let mut bytes = Vec::with_capacity(body.len());
    let mut is_damaged = false;
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let content = line.trim_ascii_end();
        let ends_line = line.len() > content.len() && line.ends_with(b"\n");
        let (content, is_soft) = match content.strip_suffix(b"=") {
            Some(content) => (content, true),
            None => (content, false),
        };
        is_damaged |= unescape(content, b'=', &mut bytes);
        if !is_soft && ends_line {
            bytes.push(b'\n');
        }
    }
    Decoded {
        bytes: bytes.into(),
        is_damaged,
        footer: &[],
    }
}

/// Appends text in which `escape` and two digits represent a byte. Returns whether an escape was
/// invalid.
pub fn unescape(text: &[u8], escape: u8, out: &mut Vec<u8>) -> bool {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut is_damaged = false;
    let mut rest = text;
    while let Some(at) = memchr::memchr(escape, rest) {
        let (before, code) = rest.split_at(at);
        out.extend_from_slice(before);
        let skipped = match (digit(code.get(1)), digit(code.get(2))) {
            (Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                3
            }
            _ => {
                out.push(escape);
                is_damaged = true;
                1
            }
        };
        rest = code.get(skipped..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    is_damaged
}

/// Returns the offset of the first line after base64 that is plain text, or the length of the body.
/// Text between lines of base64 is damage.
fn footer_start(body: &[u8]) -> usize {
    let mut offset = 0;
    let mut characters = 0;
    let mut start = None;
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let content = line.trim_ascii();
        if is_base64(content) {
            if start.is_none() {
                characters += content.len();
            } else if content.len() >= MIN_DATA_LINE_BYTES {
                return body.len();
            }
        } else if start.is_none() && characters > 0 && !content.is_empty() {
            // Data ends with a complete group.
            if !characters.is_multiple_of(4) || !is_text(content) {
                return body.len();
            }
            start = Some(offset);
        }
        offset += line.len();
    }
    start.unwrap_or(body.len())
}

/// Whether a line may be base64. Lines of underscores or dashes precede footers.
fn is_base64(line: &[u8]) -> bool {
    let is_digit = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
    };
    !line.is_empty() && line.iter().all(is_digit) && !is_rule(line)
}

fn is_rule(line: &[u8]) -> bool {
    let first = line.first().copied().unwrap_or_default();
    line.len() > 1 && b"_-=*#".contains(&first) && line.iter().all(|byte| *byte == first)
}

/// Whether a line is text, and not damaged base64.
fn is_text(line: &[u8]) -> bool {
    is_rule(line) || line.contains(&b' ')
}

/// Decodes base64. White space is ignored, other characters outside the alphabet are damage.
/// Padding ends a group, so that concatenated data is decoded.
pub fn base64(body: &[u8]) -> Decoded<'static> {
    let mut bytes = Vec::with_capacity(body.len() / 4 * 3);
    let mut is_damaged = false;
    let (mut group, mut length) = (0_u32, 0_u32);
    for byte in body {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                is_damaged |= end_group(&mut group, &mut length, &mut bytes);
                continue;
            }
            byte if byte.is_ascii_whitespace() => continue,
            _ => {
                is_damaged = true;
                continue;
            }
        };
        group = group << 6 | u32::from(value);
        length += 1;
        if length == 4 {
            bytes.extend_from_slice(&group.to_be_bytes()[1..]);
            (group, length) = (0, 0);
        }
    }
    is_damaged |= end_group(&mut group, &mut length, &mut bytes);
    Decoded {
        bytes: bytes.into(),
        is_damaged,
        footer: &[],
    }
}

/// Appends the bytes of an incomplete group. Returns whether a single character, which encodes no
/// byte, is left over.
fn end_group(group: &mut u32, length: &mut u32, bytes: &mut Vec<u8>) -> bool {
    let count = (*length * 6 / 8) as usize;
    let aligned = *group << (32 - (*length * 6).clamp(1, 31));
    let is_damaged = *length == 1;
    if count > 0 {
        bytes.extend_from_slice(&aligned.to_be_bytes()[..count]);
    }
    (*group, *length) = (0, 0);
    is_damaged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(body: &str, encoding: &str) -> (String, bool) {
        let decoded = decode(body.as_bytes(), encoding);
        let text = String::from_utf8(decoded.bytes.into_owned()).unwrap();
        (text, decoded.is_damaged)
    }

    #[test]
    fn quoted_printable_lines() {
        let body = "caf=C3=A9 =\r\nau  \t\nlait=3D=\n!= \nx";
        assert_eq!(
            decoded(body, "Quoted-Printable"),
            ("café au\nlait=!x".to_owned(), false)
        );
        assert_eq!(
            decoded("a=b =4", "quoted-printable"),
            ("a=b =4".to_owned(), true)
        );
    }

    #[test]
    fn base64_of_all_lengths() {
        for (body, text) in [
            ("", ""),
            ("YQ==", "a"),
            ("YWI=", "ab"),
            ("YWJj", "abc"),
            ("YW\r\nJj ZA", "abcd"),
            ("YQ==YWI=", "aab"),
        ] {
            assert_eq!(decoded(body, "BASE64"), (text.to_owned(), false));
        }
        assert_eq!(decoded("YW!Jj", "base64"), ("abc".to_owned(), true));
        assert_eq!(decoded("YWJjY", "base64"), ("abc".to_owned(), true));
    }

    #[test]
    fn text_after_base64_is_a_footer() {
        let rule = "_".repeat(47);
        let data = "QUJD".repeat(19);
        for (body, text, footer) in [
            (
                "YWJj\n\n-- \nSent by a list\n",
                "abc",
                "-- \nSent by a list\n",
            ),
            ("YQ==\r\n--\r\nList\r\n", "a", "--\r\nList\r\n"),
            (
                &format!("YWJj\n{rule}\nlist mailing list\n"),
                "abc",
                &format!("{rule}\nlist mailing list\n"),
            ),
            ("YWJj\nYQ==\n", "abca", ""),
            ("To you:\nYWJj\n", "", ""),
        ] {
            let decoded = decode(body.as_bytes(), "base64");
            assert_eq!(decoded.footer, footer.as_bytes(), "{body}");
            if !text.is_empty() {
                assert_eq!(
                    (&*decoded.bytes, decoded.is_damaged),
                    (text.as_bytes(), false)
                );
            }
        }
        // Text between lines of data or after an incomplete group counts as damage.
        for body in [format!("{data}\nx y\n{data}\n"), "YWJ\nx y\n".to_owned()] {
            let decoded = decode(body.as_bytes(), "base64");
            assert!(decoded.footer.is_empty(), "{body}");
        }
    }

    #[test]
    fn other_encodings_are_kept() {
        assert_eq!(decoded("a=20", " 8BIT "), ("a=20".to_owned(), false));
        assert_eq!(decoded("a=20", "x-uuencode"), ("a=20".to_owned(), true));
    }
}
