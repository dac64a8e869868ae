//! Files that are one JSON array.

use bytes::Bytes;
use memchr::memchr2;

use super::stage::Stage;

/// Puts each element of an array on a separate line. Only the array's brackets, the commas between
/// its elements, and line breaks change.
#[derive(Default)]
pub struct ArrayLines {
    place: Place,
    /// The number of open brackets and braces inside the array.
    depth: u64,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Place {
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
            match (self.place, *byte) {
                (Place::InString, _) => {
                    let Some(offset) = memchr2(b'"', b'\\', &text[at..]) else {
                        break;
                    };
                    at += offset;
                    self.place = match text[at] {
                        b'"' => Place::InArray,
                        _ => Place::InEscape,
                    };
                }
                (Place::InEscape, _) => self.place = Place::InString,
                (_, b'\n' | b'\r') => *byte = b' ',
                (Place::InArray, b'"') => self.place = Place::InString,
                (Place::InArray, b'{' | b'[') => self.depth += 1,
                (Place::InArray, b']') if self.depth == 0 => {
                    *byte = b'\n';
                    self.place = Place::AfterArray;
                }
                (Place::InArray, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
                (Place::InArray, b',') if self.depth == 0 => *byte = b'\n',
                (Place::InArray, _) => {}
                (_, byte) if byte.is_ascii_whitespace() => {}
                (Place::BeforeArray, b'[') => {
                    *byte = b' ';
                    self.place = Place::InArray;
                }
                (Place::BeforeArray, _) => {
                    return Err("does not start with a JSON array, as other files do".to_owned());
                }
                (Place::AfterArray, _) => return Err("has text after its JSON array".to_owned()),
            }
            at += 1;
        }
        Ok(text.into())
    }

    fn finish(&mut self) -> Result<Bytes, String> {
        match self.place {
            Place::AfterArray | Place::BeforeArray => Ok(Bytes::new()),
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
