//! `NaN` and `Infinity` outside of strings, which Python writes although JSON has no such values.

use bytes::Bytes;
use memchr::{memchr, memchr3, memmem, memrchr};

use super::stage::Stage;

const VALUES: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];

/// Replaces these values by `null`, as DuckDB does.
#[derive(Default)]
pub struct NonNumbers {
    in_string: bool,
    /// Whether a backslash precedes the next byte.
    is_escaped: bool,
    /// The end of the last chunk, if a value may start there.
    rest: Vec<u8>,
}

impl NonNumbers {
    /// Returns the bytes with the values replaced, unless there are none.
    fn replace(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let has_values = [&b"NaN"[..], b"Infinity"]
            .iter()
            .any(|value| memmem::find(bytes, value).is_some());
        let mut replaced = Vec::new();
        let mut copied = 0;
        let mut at = 0;
        // Strings end with their line, so only the last line can leave one open.
        if !has_values && let Some(end) = memrchr(b'\n', bytes) {
            (at, self.in_string, self.is_escaped) = (end + 1, false, false);
        }
        if std::mem::take(&mut self.is_escaped) {
            at += 1;
        }
        while let Some(rest) = bytes.get(at..) {
            if self.in_string {
                let Some(found) = memchr3(b'"', b'\\', b'\n', rest) else {
                    break;
                };
                at += found + 1;
                if rest[found] == b'\\' {
                    self.is_escaped = at == bytes.len();
                    at += 1;
                } else {
                    self.in_string = false;
                }
                continue;
            }
            let quote = memchr(b'"', rest);
            let end = at + quote.unwrap_or(rest.len());
            while has_values && let Some((start, value)) = first_value(bytes, at, end) {
                replaced.extend_from_slice(&bytes[copied..start]);
                replaced.extend_from_slice(b"null");
                at = start + value.len();
                copied = at;
            }
            if quote.is_none() {
                break;
            }
            self.in_string = true;
            at = end + 1;
        }
        replaced.extend_from_slice(bytes.get(copied..).filter(|_| copied > 0)?);
        Some(replaced)
    }
}

/// The first of the values between two places.
fn first_value(bytes: &[u8], mut at: usize, end: usize) -> Option<(usize, &'static [u8])> {
    loop {
        at += bytes
            .get(at..end)?
            .iter()
            .position(|byte| matches!(byte, b'-' | b'I' | b'N'))?;
        let is_at = |value: &&&[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(value));
        if let Some(value) = VALUES.iter().find(is_at) {
            return Some((at, value));
        }
        at += 1;
    }
}

/// The place at the end of a chunk where a value may start that the next one continues.
fn cut(chunk: &[u8]) -> usize {
    let starts = chunk.len().saturating_sub(VALUES[0].len())..chunk.len();
    for start in starts {
        let end = &chunk[start..];
        if let Some(value) = VALUES.iter().find(|value| value.starts_with(end)) {
            let is_whole = value.len() == end.len();
            return if is_whole { chunk.len() } else { start };
        }
    }
    chunk.len()
}

impl Stage for NonNumbers {
    fn push(&mut self, chunk: Bytes) -> Result<Bytes, String> {
        let mut chunk = chunk;
        if !self.rest.is_empty() {
            let mut joined = std::mem::take(&mut self.rest);
            joined.extend_from_slice(&chunk);
            chunk = joined.into();
        }
        let kept = chunk.split_off(cut(&chunk));
        self.rest.extend_from_slice(&kept);
        Ok(self.replace(&chunk).map_or(chunk, Bytes::from))
    }

    fn finish(&mut self) -> Result<Bytes, String> {
        let rest = std::mem::take(&mut self.rest);
        Ok(self.replace(&rest).unwrap_or(rest).into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::tests::in_all_chunks;
    use super::*;

    #[test]
    fn values_outside_of_strings_become_null() {
        for (text, expected) in [
            (
                r#"{"a": NaN, "b":[Infinity,-Infinity]}"#,
                r#"{"a": null, "b":[null,null]}"#,
            ),
            (
                r#"{"NaN": "NaN, \"Infinity", "x": NaN}"#,
                r#"{"NaN": "NaN, \"Infinity", "x": null}"#,
            ),
            (r#"{"a": "\\", "b": NaN}"#, r#"{"a": "\\", "b": null}"#),
            (
                "{\"a\": -1, \"b\": \"Na\"}\nNaN",
                "{\"a\": -1, \"b\": \"Na\"}\nnull",
            ),
            (
                "{\"a\": \"cut\n{\"b\": NaN}",
                "{\"a\": \"cut\n{\"b\": null}",
            ),
            (r#"{"a": "x"}"#, r#"{"a": "x"}"#),
        ] {
            let found = in_all_chunks(text.as_bytes(), NonNumbers::default).unwrap();
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        }
    }
}
