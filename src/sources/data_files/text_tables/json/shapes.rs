//! The shape of a JSON record: its keys and the types of its values, without the values.
//!
//! Records of the same shape give the same columns, so only one of them has to be parsed.

use std::hash::{DefaultHasher, Hash, Hasher};

use memchr::{memchr2, memchr3};

use super::super::long_columns::KeySizes;

/// Records with deeper nesting are always parsed.
const MAX_DEPTH: usize = 64;

/// Returns a hash of the keys and types of a record, and adds the sizes of its values. `None` if
/// the record is not plain JSON.
pub fn shape(record: &[u8], sizes: &mut KeySizes) -> Option<u64> {
    sizes.start_record();
    let mut scanner = Scanner {
        rest: record,
        sizes,
    };
    let shape = scanner.value(0)?;
    scanner.skip_space();
    scanner.rest.is_empty().then_some(shape)
}

/// The types that a shape distinguishes.
#[derive(Hash)]
enum Type {
    Null,
    Boolean,
    Integer,
    /// An integer outside the range of `i64`.
    LongInteger,
    Float,
    String,
    Array,
    Object,
}

/// Integers with fewer characters after the first always fit into `i64`.
const MIN_LONG_INTEGER_CHARS: usize = 18;

struct Scanner<'a, 's> {
    rest: &'a [u8],
    sizes: &'s mut KeySizes,
}

impl<'a> Scanner<'a, '_> {
    fn skip_space(&mut self) {
        let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let end = self.rest.iter().position(|byte| !space(byte));
        self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
    }

    /// Reads the next byte that is not white space.
    fn next(&mut self) -> Option<u8> {
        self.skip_space();
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn value(&mut self, depth: usize) -> Option<u64> {
        let kind = match self.next()? {
            b'"' => {
                self.string()?;
                Type::String
            }
            b'{' => return self.object(depth),
            b'[' => return self.array(depth),
            b't' => self.word(b"rue", Type::Boolean)?,
            b'f' => self.word(b"alse", Type::Boolean)?,
            b'n' => self.word(b"ull", Type::Null)?,
            first @ (b'-' | b'0'..=b'9') => self.number(first),
            _ => return None,
        };
        Some(hash_of(kind))
    }

    fn word(&mut self, word: &[u8], kind: Type) -> Option<Type> {
        self.rest = self.rest.strip_prefix(word)?;
        Some(kind)
    }

    /// Reads the rest of a number. The parser checks whether it is a valid one.
    fn number(&mut self, first: u8) -> Type {
        let in_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
        let end = self.rest.iter().position(|byte| !in_number(byte));
        let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        match memchr3(b'.', b'e', b'E', number) {
            Some(_) => Type::Float,
            None if number.len() < MIN_LONG_INTEGER_CHARS => Type::Integer,
            None if is_long_integer(first, number) => Type::LongInteger,
            None => Type::Integer,
        }
    }

    /// Reads a string after its opening quote. Returns it with its escapes.
    fn string(&mut self) -> Option<&'a [u8]> {
        let text = self.rest;
        let mut at = 0;
        loop {
            at += memchr2(b'"', b'\\', &text[at..])?;
            if text[at] == b'"' {
                self.rest = &text[at + 1..];
                return Some(&text[..at]);
            }
            at += 2;
            if at > text.len() {
                return None;
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<u64> {
        if depth == MAX_DEPTH {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        Type::Object.hash(&mut hasher);
        let mut next = self.next()?;
        if next == b'}' {
            return Some(hasher.finish());
        }
        loop {
            if next != b'"' {
                return None;
            }
            let key = self.string()?;
            key.hash(&mut hasher);
            if self.next()? != b':' {
                return None;
            }
            let before = self.rest.len();
            self.value(depth + 1)?.hash(&mut hasher);
            if depth == 0 {
                self.sizes.add(key, before - self.rest.len());
            }
            match self.next()? {
                b',' => next = self.next()?,
                b'}' => return Some(hasher.finish()),
                _ => return None,
            }
        }
    }

    /// Counts equal neighbors once, because the length of a list does not change its type.
    fn array(&mut self, depth: usize) -> Option<u64> {
        if depth == MAX_DEPTH {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        Type::Array.hash(&mut hasher);
        self.skip_space();
        if let Some(rest) = self.rest.strip_prefix(b"]") {
            self.rest = rest;
            return Some(hasher.finish());
        }
        let mut last = None;
        loop {
            let element = self.value(depth + 1)?;
            if last != Some(element) {
                element.hash(&mut hasher);
                last = Some(element);
            }
            match self.next()? {
                b',' => {}
                b']' => return Some(hasher.finish()),
                _ => return None,
            }
        }
    }
}

fn hash_of(kind: Type) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    hasher.finish()
}

fn is_long_integer(first: u8, rest: &[u8]) -> bool {
    let digits = rest.iter().map(|digit| char::from(*digit));
    let text: String = std::iter::once(char::from(first)).chain(digits).collect();
    text.parse::<i64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(record: &[u8]) -> Option<u64> {
        super::shape(record, &mut KeySizes::default())
    }

    #[test]
    fn records_with_the_same_columns_have_the_same_shape() {
        for (one, other) in [
            (r#"{"a":1,"b":"x"}"#, r#" { "a" : 234 , "b" : "y\"}{\\" } "#),
            (r#"{"a":[1,2]}"#, r#"{"a":[1,2,3,-4]}"#),
            (r#"{"a":1}"#, r#"{"a":-9223372036854775808}"#),
            (r#"{"a":1}"#, r#"{"a":9223372036854775807}"#),
            (r#"{"a":{"b":true}}"#, r#"{"a":{"b":false}}"#),
        ] {
            assert!(shape(one.as_bytes()).is_some(), "{one}");
            assert_eq!(shape(one.as_bytes()), shape(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn other_keys_types_and_elements_are_other_shapes() {
        let records = [
            r#"{}"#,
            r#"{"a":1}"#,
            r#"{"b":1}"#,
            r#"{"a":1.5}"#,
            r#"{"a":9223372036854775808}"#,
            r#"{"a":"1"}"#,
            r#"{"a":null}"#,
            r#"{"a":true}"#,
            r#"{"a":[]}"#,
            r#"{"a":[1]}"#,
            r#"{"a":[1,null]}"#,
            r#"{"a":[1,1.5]}"#,
            r#"{"a":[[1]]}"#,
            r#"{"a":{}}"#,
            r#"{"a":{"b":1}}"#,
            r#"{"a":{"b":1},"c":2}"#,
            r#"{"a":{"b":1,"c":2}}"#,
            r#"[{"a":1}]"#,
        ];
        for (place, one) in records.iter().enumerate() {
            for other in &records[..place] {
                assert_ne!(
                    shape(one.as_bytes()),
                    shape(other.as_bytes()),
                    "{one} {other}"
                );
            }
        }
    }

    #[test]
    fn what_is_not_json_has_no_shape() {
        for text in [
            "",
            "x",
            "{",
            r#"{"a"#,
            r#"{"a":"#,
            r#"{"a":1"#,
            r#"{"a":1,}"#,
            r#"{"a":"\"#,
            r#"{"a":"\""#,
            r#"{"a" 1}"#,
            r#"{"a":1}}"#,
            "[1,]",
            "[1",
            "nul",
            "{,}",
            "\"",
        ] {
            assert_eq!(shape(text.as_bytes()), None, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(shape(deep.as_bytes()), None);
    }
}
