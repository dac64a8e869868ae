//! Files that are one JSON array.

use bytes::Bytes;
use memchr::memchr2;

use super::stage::Stage;

/// Puts each element of an array on a separate line. Only the array's brackets, the commas between
/// its elements, and line breaks change.
#[derive(Default)]
pub struct ArrayLines {
    state: State,
    /// The number of open brackets and braces inside the array.
    depth: u64,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum State {
    #[default]
    BeforeArray,
    InArray,
    InString,
    /// After a backslash in a string.
    InEscape,
    AfterArray,
}

impl Stage for ArrayLines {
    fn push(&mut self, chunk: Bytes) -> Result<Bytes, String> {
        let mut text = Vec::from(chunk);
        let mut at = 0;
        while let Some(byte) = text.get_mut(at) {
            match (self.state, *byte) {
                (State::InString, _) => {
                    let Some(offset) = memchr2(b'"', b'\\', &text[at..]) else {
                        break;
                    };
                    at += offset;
                    self.state = match text[at] {
                        b'"' => State::InArray,
                        _ => State::InEscape,
                    };
                }
                (State::InEscape, _) => self.state = State::InString,
                (_, b'\n' | b'\r') => *byte = b' ',
                (State::InArray, b'"') => self.state = State::InString,
                (State::InArray, b'{' | b'[') => self.depth += 1,
                (State::InArray, b']') if self.depth == 0 => {
                    *byte = b'\n';
                    self.state = State::AfterArray;
                }
                (State::InArray, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
                (State::InArray, b',') if self.depth == 0 => *byte = b'\n',
                (State::InArray, _) => {}
                (_, byte) if byte.is_ascii_whitespace() => {}
                (State::BeforeArray, b'[') => {
                    *byte = b' ';
                    self.state = State::InArray;
                }
                (State::BeforeArray, _) => {
                    return Err("does not start with a JSON array, as other files do".to_owned());
                }
                (State::AfterArray, _) => return Err("has text after its JSON array".to_owned()),
            }
            at += 1;
        }
        Ok(text.into())
    }

    fn finish(&mut self) -> Result<Bytes, String> {
        match self.state {
            State::AfterArray | State::BeforeArray => Ok(Bytes::new()),
            _ => Err("ends inside its JSON array".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::tests::in_all_chunks;
    use super::*;

    fn lines(text: &str) -> Result<String, String> {
        in_all_chunks(text.as_bytes(), ArrayLines::default)
            .map(|lines| String::from_utf8(lines).unwrap())
    }

    #[test]
    fn elements_become_lines() {
        let text = " [\n {\"a\": [1, 2], \"b\": {\"c\": \"],[ \\\" \\\\\"}},\r\n{\"a\":\n[]} ]\n ";
        let expected = "    {\"a\": [1, 2], \"b\": {\"c\": \"],[ \\\" \\\\\"}}\n  {\"a\": []} \n  ";
        assert_eq!(lines(text).unwrap(), expected);
        assert_eq!(lines("[]").unwrap(), " \n");
        assert_eq!(lines(" ").unwrap(), " ");
    }

    #[test]
    fn damage_is_reported() {
        for (text, expected) in [
            ("[{}, {\"a\": \"", "ends inside"),
            ("[{}", "ends inside"),
            ("[{}] {}", "text after"),
            ("{}", "does not start"),
        ] {
            assert!(lines(text).unwrap_err().contains(expected), "{text}");
        }
    }
}
