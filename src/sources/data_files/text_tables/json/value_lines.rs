//! Files that are one JSON array, or JSON objects over several lines.

use bytes::Bytes;
use memchr::memchr2;

use super::stage::Stage;

/// The column of elements that are not objects, as in DuckDB.
const WRAPPER: &[u8] = br#"{"json":"#;

/// Puts each element of an array, or each object, on a separate line. Only the array's brackets,
/// the commas between its elements, and line breaks change; if the first element is not an object,
/// all become objects with one field.
#[derive(Default)]
pub struct ValueLines {
    state: State,
    /// Whether the file is an array.
    is_array: bool,
    /// The number of open brackets and braces inside the array.
    depth: u64,
    /// Whether the current element has begun.
    has_begun: bool,
    /// Whether elements become objects. `None` before the first one.
    is_wrapped: Option<bool>,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum State {
    #[default]
    Before,
    Inside,
    InString,
    /// After a backslash in a string.
    InEscape,
    After,
}

/// Texts to put into another, and their places.
type Added = Vec<(usize, &'static [u8])>;

impl ValueLines {
    /// Reads a byte outside of texts. Returns what replaces it.
    fn inside(&mut self, byte: u8, at: usize, added: &mut Added) -> u8 {
        if self.is_array && self.depth == 0 && matches!(byte, b',' | b']') {
            if self.has_begun && self.is_wrapped == Some(true) {
                added.push((at, b"}"));
            }
            self.has_begun = false;
            if byte == b']' {
                self.state = State::After;
            }
            return b'\n';
        }
        if !self.has_begun {
            self.has_begun = true;
            let is_object = !self.is_array || byte == b'{';
            if *self.is_wrapped.get_or_insert(!is_object) {
                added.push((at, WRAPPER));
            }
        }
        match byte {
            b'"' => self.state = State::InString,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 && !self.is_array {
                    added.push((at + 1, b"\n"));
                }
            }
            _ => {}
        }
        byte
    }
}

/// Puts texts into a text.
fn with(text: Vec<u8>, added: &Added) -> Vec<u8> {
    if added.is_empty() {
        return text;
    }
    let length = added.iter().map(|(_, text)| text.len()).sum::<usize>();
    let mut all = Vec::with_capacity(text.len() + length);
    let mut from = 0;
    for (at, new) in added {
        all.extend_from_slice(&text[from..*at]);
        all.extend_from_slice(new);
        from = *at;
    }
    all.extend_from_slice(&text[from..]);
    all
}

impl Stage for ValueLines {
    fn push(&mut self, chunk: Bytes) -> Result<Bytes, String> {
        let mut text = Vec::from(chunk);
        let mut added = Added::new();
        let mut at = 0;
        while let Some(byte) = text.get_mut(at) {
            match (self.state, *byte) {
                (State::InString, _) => {
                    let Some(offset) = memchr2(b'"', b'\\', &text[at..]) else {
                        break;
                    };
                    at += offset;
                    self.state = match text[at] {
                        b'"' => State::Inside,
                        _ => State::InEscape,
                    };
                }
                (State::InEscape, _) => self.state = State::InString,
                (_, b'\n' | b'\r') => *byte = b' ',
                (_, byte) if byte.is_ascii_whitespace() => {}
                (State::Inside, inside) => *byte = self.inside(inside, at, &mut added),
                (State::Before, b'[') => {
                    *byte = b' ';
                    self.is_array = true;
                    self.state = State::Inside;
                }
                (State::Before, b'{') => {
                    self.state = State::Inside;
                    self.inside(b'{', at, &mut added);
                }
                (State::Before, _) => {
                    return Err("does not start with a JSON array or object".to_owned());
                }
                (State::After, _) => {
                    return Err(
                        "has text after its JSON array: if each line is an array, read_lines('…') \
                         has the lines as text, and json_text(text, '$[0]') their items"
                            .to_owned(),
                    );
                }
            }
            at += 1;
        }
        Ok(with(text, &added).into())
    }

    fn finish(&mut self) -> Result<Bytes, String> {
        match self.state {
            State::After | State::Before => Ok(Bytes::new()),
            State::Inside if !self.is_array && self.depth == 0 => Ok(Bytes::new()),
            _ if self.is_array => Err("ends inside its JSON array".to_owned()),
            _ => Err("ends inside a JSON object".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::tests::in_all_chunks;
    use super::*;

    fn lines(text: &str) -> Result<String, String> {
        in_all_chunks(text.as_bytes(), ValueLines::default)
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
    fn elements_that_are_not_objects_become_fields() {
        let text = "[1, \"a,]\",\n[2, {}], null, {\"b\": 3}]";
        let expected = " {\"json\":1}\n {\"json\":\"a,]\"}\n {\"json\":[2, {}]}\n {\"json\":null}\n \
                        {\"json\":{\"b\": 3}}\n";
        assert_eq!(lines(text).unwrap(), expected);
        // The parser reports elements that are not as the first one.
        assert_eq!(lines("[{}, 1]").unwrap(), " {}\n 1\n");
    }

    #[test]
    fn objects_over_several_lines_become_lines() {
        let text = "{\n \"a\": [1,\n{\"b\": \"}\\\\\"}]\n}\n{}{\"c\":\r\n2}\n";
        let expected = "{  \"a\": [1, {\"b\": \"}\\\\\"}] }\n {}\n{\"c\":  2}\n ";
        assert_eq!(lines(text).unwrap(), expected);
    }

    #[test]
    fn damage_is_reported() {
        for (text, expected) in [
            ("[{}, {\"a\": \"", "ends inside"),
            ("[{}", "ends inside"),
            ("[{}] {}", "text after"),
            ("x", "does not start"),
            ("{\"a\": [", "ends inside a JSON object"),
        ] {
            assert!(lines(text).unwrap_err().contains(expected), "{text}");
        }
    }
}
