//! Finds values inside JSON by a path. Only the part before a value is parsed.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;

use jiter::{Jiter, JiterResult, NumberAny, NumberInt, Peek};

/// One step into an object or an array.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
    /// `[#-1]` and `[-1]` are the last item.
    FromEnd(usize),
}

/// The path of a value: a key of the outermost object, `$`, followed by `.key`, `['key']` and
/// `[index]`, or a pointer such as `/key/0`. An empty path means the whole JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

impl FromStr for Path {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(pointer) = text.strip_prefix('/') {
            return Ok(Self(pointer.split('/').map(pointer_step).collect()));
        }
        if text.is_empty() {
            return Ok(Self::default());
        }
        let Some(mut rest) = text.strip_prefix('$') else {
            return Ok(Self(vec![Step::Key(text.to_owned())]));
        };
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let step;
            (step, rest) = next_step(rest).ok_or_else(|| {
                format!(
                    "cannot read the path '{text}' from '{rest}': expected a key, or $ followed by \
                     .key, ['key'] or [0]"
                )
            })?;
            steps.push(step);
        }
        Ok(Self(steps))
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("$")?;
        for step in &self.0 {
            match step {
                Step::Key(key) => formatter.write_str(&key_step(key))?,
                Step::Index(index) => write!(formatter, "[{index}]")?,
                Step::FromEnd(number) => write!(formatter, "[#-{number}]")?,
            }
        }
        Ok(())
    }
}

/// The step of a path to a key: `.key` or `."a key"`.
pub fn key_step(key: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || letter == '_';
    if !key.is_empty() && key.chars().all(is_plain) {
        format!(".{key}")
    } else {
        format!(".\"{key}\"")
    }
}

/// A path with wildcards: `[*]` is every item of an array, and `.*` every value of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The path before the first wildcard.
    first: Path,
    /// The wildcards, and the paths after them.
    rest: Vec<(Wildcard, Path)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wildcard {
    Items,
    Members,
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let end_of = |text: &str| {
            let wildcards = [("[*]", Wildcard::Items), (".*", Wildcard::Members)];
            let found = wildcards.into_iter().filter_map(|(written, wildcard)| {
                let start = text.find(written)?;
                Some((start, start + written.len(), wildcard))
            });
            found.min_by_key(|(start, ..)| *start)
        };
        let mut next = end_of(text);
        let first = &text[..next.map_or(text.len(), |(start, ..)| start)];
        let mut pattern = Self {
            first: first.parse()?,
            rest: Vec::new(),
        };
        let mut text = text;
        while let Some((_, end, wildcard)) = next {
            text = &text[end..];
            next = end_of(text);
            let path = &text[..next.map_or(text.len(), |(start, ..)| start)];
            pattern.rest.push((wildcard, format!("${path}").parse()?));
        }
        Ok(pattern)
    }
}

impl Pattern {
    /// Passes the values that match to `emit`, as written.
    pub fn matches(&self, json: &[u8], mut emit: impl FnMut(&[u8])) {
        matches(json, &self.first, &self.rest, &mut emit);
    }
}

fn matches(json: &[u8], path: &Path, rest: &[(Wildcard, Path)], emit: &mut dyn FnMut(&[u8])) {
    let Some(value) = find(json, path) else {
        return;
    };
    match rest.split_first() {
        None => emit(&value),
        Some(((Wildcard::Items, path), rest)) => {
            items(&value, |item| matches(item, path, rest, emit));
        }
        Some(((Wildcard::Members, path), rest)) => {
            entries(&value, |_, value| matches(value, path, rest, emit));
        }
    }
}

/// A step of a JSON pointer, in which `~1` is a slash and `~0` a tilde.
fn pointer_step(step: &str) -> Step {
    match step.parse() {
        Ok(index) if step.bytes().all(|byte| byte.is_ascii_digit()) => Step::Index(index),
        _ => Step::Key(step.replace("~1", "/").replace("~0", "~")),
    }
}

/// Returns the first step of a path, and the rest.
fn next_step(path: &str) -> Option<(Step, &str)> {
    if let Some(quoted) = path.strip_prefix(".\"") {
        let (key, rest) = quoted.split_once('"')?;
        return Some((Step::Key(key.to_owned()), rest));
    }
    if let Some(rest) = path.strip_prefix('.') {
        let end = rest.find(['.', '[', '"', '*']).unwrap_or(rest.len());
        let (key, rest) = rest.split_at(end);
        return (!key.is_empty()).then(|| (Step::Key(key.to_owned()), rest));
    }
    for quote in ['\'', '"'] {
        let quoted = path
            .strip_prefix('[')
            .and_then(|path| path.strip_prefix(quote));
        if let Some(quoted) = quoted {
            let (key, rest) = quoted.split_once(quote)?;
            return Some((Step::Key(key.to_owned()), rest.strip_prefix(']')?));
        }
    }
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    let from_end = index.strip_prefix("#-").or_else(|| index.strip_prefix('-'));
    let (index, step): (_, fn(usize) -> Step) = match from_end {
        Some(number) => (number, Step::FromEnd),
        None => (index, Step::Index),
    };
    let is_index = index.bytes().all(|byte| byte.is_ascii_digit());
    Some((step(index.parse().ok().filter(|_| is_index)?), rest))
}

/// Returns the value at a path, as written. `None` if there is no such value, or if the JSON is
/// damaged before its end. Unpaired surrogates and bytes that are not UTF-8 become replacement
/// characters if they prevent the value from being found.
pub fn find<'a>(json: &'a [u8], path: &Path) -> Option<Cow<'a, [u8]>> {
    if let Ok(range) = locate(json, path) {
        return Some(Cow::Borrowed(&json[range?]));
    }
    let repaired = repair(json)?;
    let range = locate(&repaired, path).ok().flatten()?;
    Some(Cow::Owned(repaired[range].to_vec()))
}

/// Returns the range of the value at a path; `None` if there is no such value.
fn locate(json: &[u8], path: &Path) -> JiterResult<Option<Range<usize>>> {
    let mut jiter = Jiter::new(json);
    for step in &path.0 {
        let is_found = match (step, jiter.peek()?) {
            (Step::Key(key), Peek::Object) => enter_object(&mut jiter, key)?,
            (Step::Index(index), Peek::Array) => enter_array(&mut jiter, *index)?,
            (Step::FromEnd(number), Peek::Array) => {
                let count = length(&json[jiter.current_index()..]);
                match count.and_then(|count| count.checked_sub(*number)) {
                    Some(index) => enter_array(&mut jiter, index)?,
                    None => false,
                }
            }
            _ => false,
        };
        if !is_found {
            return Ok(None);
        }
    }
    let peek = jiter.peek()?;
    let start = jiter.current_index();
    jiter.known_skip(peek)?;
    Ok(Some(start..jiter.current_index()))
}

/// Moves to the value of a key; the first one if the key is repeated.
fn enter_object(jiter: &mut Jiter<'_>, key: &str) -> JiterResult<bool> {
    let mut is_wanted = jiter.next_object_bytes()?.map(|name| is_key(name, key));
    while let Some(is_found) = is_wanted {
        if is_found {
            return Ok(true);
        }
        jiter.next_skip()?;
        is_wanted = jiter.next_key_bytes()?.map(|name| is_key(name, key));
    }
    Ok(false)
}

/// Moves to an item, counted from 0.
fn enter_array(jiter: &mut Jiter<'_>, index: usize) -> JiterResult<bool> {
    let mut next = jiter.known_array()?;
    for _ in 0..index {
        let Some(peek) = next else { return Ok(false) };
        jiter.known_skip(peek)?;
        next = jiter.array_step()?;
    }
    Ok(next.is_some())
}

/// Whether a name, as written in the JSON, equals a key.
fn is_key(name: &[u8], key: &str) -> bool {
    if !name.contains(&b'\\') {
        return name == key.as_bytes();
    }
    let quoted = [b"\"", name, b"\""].concat();
    string(&quoted).as_deref() == Some(key)
}

/// Decodes a string. `None` for other values.
fn string(value: &[u8]) -> Option<String> {
    if let Ok(text) = Jiter::new(value).next_str() {
        return Some(text.to_owned());
    }
    let repaired = repair(value)?;
    Jiter::new(&repaired).next_str().ok().map(str::to_owned)
}

/// Returns a value as written, without white space between its parts.
pub fn compact(value: &[u8]) -> Option<String> {
    let mut compact = Vec::with_capacity(value.len());
    let (mut is_quoted, mut is_escaped) = (false, false);
    for byte in value {
        if !is_quoted && byte.is_ascii_whitespace() {
            continue;
        }
        compact.push(*byte);
        is_quoted ^= *byte == b'"' && !is_escaped;
        is_escaped = is_quoted && *byte == b'\\' && !is_escaped;
    }
    Some(String::from_utf8_lossy(&compact).into_owned())
}

/// Returns the name of the type of a value, as in DuckDB.
pub fn kind(value: &[u8]) -> Option<&'static str> {
    Some(match value.first()? {
        b'{' => "OBJECT",
        b'[' => "ARRAY",
        b'"' => "VARCHAR",
        b't' | b'f' => "BOOLEAN",
        b'n' => "NULL",
        _ if value.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) => "DOUBLE",
        b'-' => "BIGINT",
        _ => "UBIGINT",
    })
}

/// Returns a value as text: the characters of a string, numbers as written, and objects and arrays
/// without white space. `None` for null.
pub fn text(value: &[u8]) -> Option<String> {
    match value.first() {
        Some(b'"') => string(value),
        Some(b'n') => None,
        Some(b'{' | b'[') => compact(value),
        _ => Some(String::from_utf8_lossy(value).into_owned()),
    }
}

/// Returns a number if it is whole and in the range of the type.
pub fn integer(value: &[u8]) -> Option<i64> {
    match Jiter::new(value).next_number().ok()? {
        NumberAny::Int(NumberInt::Int(number)) => Some(number),
        _ => None,
    }
}

pub fn double(value: &[u8]) -> Option<f64> {
    Jiter::new(value).next_float().ok()
}

pub fn boolean(value: &[u8]) -> Option<bool> {
    match value {
        b"true" => Some(true),
        b"false" => Some(false),
        _ => None,
    }
}

/// Passes the items of an array to `emit`, as written. Returns whether the value is an array.
pub fn items<'a>(value: &'a [u8], mut emit: impl FnMut(&'a [u8])) -> bool {
    let mut jiter = Jiter::new(value);
    let Ok(mut next) = jiter.next_array() else {
        return false;
    };
    while let Some(peek) = next {
        let start = jiter.current_index();
        if jiter.known_skip(peek).is_err() {
            return false;
        }
        emit(&value[start..jiter.current_index()]);
        next = match jiter.array_step() {
            Ok(next) => next,
            Err(_) => return false,
        };
    }
    true
}

/// Passes the keys of an object to `emit`. Returns whether the value is an object.
pub fn keys(value: &[u8], mut emit: impl FnMut(&str)) -> bool {
    entries(value, |key, _| emit(key))
}

/// Passes the keys of an object and their values, as written, to `emit`. Returns whether the value
/// is an object.
pub fn entries<'a>(value: &'a [u8], mut emit: impl FnMut(&str, &'a [u8])) -> bool {
    let mut jiter = Jiter::new(value);
    let mut next = jiter.next_object_bytes();
    loop {
        let key = match next {
            Ok(Some(name)) => string(&[b"\"", name, b"\""].concat()),
            Ok(None) => return true,
            Err(_) => return false,
        };
        let (Some(key), Ok(peek)) = (key, jiter.peek()) else {
            return false;
        };
        let start = jiter.current_index();
        if jiter.known_skip(peek).is_err() {
            return false;
        }
        emit(&key, &value[start..jiter.current_index()]);
        next = jiter.next_key_bytes();
    }
}

/// Returns the number of items of an array, or of keys of an object.
pub fn length(value: &[u8]) -> Option<usize> {
    let mut count = 0;
    let is_counted = match value.first()? {
        b'[' => items(value, |_| count += 1),
        _ => keys(value, |_| count += 1),
    };
    is_counted.then_some(count)
}

/// Describes the first mistake of JSON and its place; `None` if it is valid.
pub fn error(json: &[u8]) -> Option<String> {
    let mut jiter = Jiter::new(json);
    let checked = jiter.next_skip().and_then(|()| jiter.finish());
    if let Err(error) = checked {
        let position = jiter.error_position(error.index);
        return Some(format!("{} at {position}", error.error_type));
    }
    let error = std::str::from_utf8(json).err()?;
    let position = jiter.error_position(error.valid_up_to());
    Some(format!("bytes that are not UTF-8 at {position}"))
}

const REPLACEMENT: &[u8] = b"\\ufffd";

/// Replaces unpaired surrogates and bytes that are not UTF-8. `None` if there are none.
fn repair(json: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(json);
    let mut is_changed = matches!(text, Cow::Owned(_));
    let bytes = text.as_bytes();
    let mut repaired = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(backslash) = memchr::memchr(b'\\', &bytes[at..]) {
        let escape = at + backslash;
        repaired.extend_from_slice(&bytes[at..escape]);
        at = escape
            + match (surrogate(bytes, escape), surrogate(bytes, escape + 6)) {
                (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
                (Some(_), _) => {
                    is_changed = true;
                    repaired.extend_from_slice(REPLACEMENT);
                    at = escape + 6;
                    continue;
                }
                // The character after a backslash may be another backslash.
                (None, _) => 2,
            };
        at = at.min(bytes.len());
        repaired.extend_from_slice(&bytes[escape..at]);
    }
    repaired.extend_from_slice(&bytes[at..]);
    is_changed.then_some(repaired)
}

/// Returns the surrogate that an escape at an offset represents.
fn surrogate(json: &[u8], offset: usize) -> Option<u16> {
    let escape = json.get(offset..offset + 6)?.strip_prefix(b"\\u")?;
    if !escape.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let code = u16::from_str_radix(std::str::from_utf8(escape).ok()?, 16).ok()?;
    (0xd800..=0xdfff).contains(&code).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &[u8] = br#" {"a": {"b-c": [1, {"d": "x\ty"}, null, 2.5]}, "k\u0065y": true,
        "a": "second", "bad": "\ud800!\ud83d\ude00", "big": 123456789012345678901} "#;

    fn found(path: &str) -> Option<String> {
        let value = find(JSON, &path.parse().unwrap())?;
        Some(String::from_utf8(value.into_owned()).unwrap())
    }

    #[test]
    fn values_are_found_by_their_path() {
        let cases = [
            ("$.a.b-c[0]", Some("1")),
            ("$['a'][\"b-c\"][1].\"d\"", Some(r#""x\ty""#)),
            ("$.a.b-c[2]", Some("null")),
            ("$.a.b-c[#-1]", Some("2.5")),
            ("$.a.b-c[-1]", Some("2.5")),
            ("$.a.b-c[#-3].d", Some(r#""x\ty""#)),
            ("$.a.b-c[#-5]", None),
            ("$.a.b-c[#-0]", None),
            ("$.a.b-c[4]", None),
            ("$.a.b-c.d", None),
            ("$.a[0]", None),
            ("key", Some("true")),
            ("$.key.x", None),
            ("none", None),
            ("big", Some("123456789012345678901")),
        ];
        for (path, value) in cases {
            assert_eq!(found(path).as_deref(), value, "{path}");
        }
        assert!(found("$").unwrap().starts_with("{\"a\""));
    }

    #[test]
    fn wrong_paths_are_errors() {
        for path in [
            "$a", "$.", "$..a", "$[", "$[-]", "$[+1]", "$['a'", "$['a]", "$.*", "$[*]", "$.a[]",
            "$.\"a", "$ .a",
        ] {
            let error = path.parse::<Path>().unwrap_err();
            assert!(error.contains(path), "{path}: {error}");
        }
    }

    #[test]
    fn values_have_types() {
        let value = |path: &str| found(path).unwrap().into_bytes();
        assert_eq!(integer(&value("$.a.b-c[0]")), Some(1));
        assert_eq!(integer(&value("$.a.b-c[3]")), None);
        assert_eq!(integer(&value("big")), None);
        assert_eq!(double(&value("$.a.b-c[3]")), Some(2.5));
        assert_eq!(double(&value("$.a.b-c[0]")), Some(1.0));
        assert_eq!(double(&value("big")), Some(123_456_789_012_345_678_901.0));
        assert_eq!(double(&value("$.a.b-c[1].d")), None);
        assert_eq!(boolean(&value("key")), Some(true));
        assert_eq!(text(&value("$.a.b-c[2]")), None);
        assert_eq!(text(&value("$.a.b-c[1].d")).as_deref(), Some("x\ty"));
        assert_eq!(text(&value("$.a.b-c[3]")).as_deref(), Some("2.5"));
        assert_eq!(length(&value("$.a.b-c")), Some(4));
        assert_eq!(length(&value("$")), Some(5));
        assert_eq!(length(&value("key")), None);
        let mut names = Vec::new();
        assert!(keys(&value("$"), |name| names.push(name.to_owned())));
        assert_eq!(names, ["a", "key", "a", "bad", "big"]);
    }

    #[test]
    fn unpaired_surrogates_and_wrong_bytes_cost_themselves_only() {
        // The value itself, and values after it.
        let bad = find(JSON, &"bad".parse().unwrap()).unwrap();
        assert_eq!(text(&bad).as_deref(), Some("\u{fffd}!😀"));
        let json = b"{\"\\udc00\": \"\\\\ud800\", \"x\xff\": \"y\xe9\"}";
        let value = find(json, &"x\u{fffd}".parse().unwrap()).unwrap();
        assert_eq!(text(&value).as_deref(), Some("y\u{fffd}"));
        let value = find(json, &"\u{fffd}".parse().unwrap()).unwrap();
        assert_eq!(text(&value).as_deref(), Some("\\ud800"));
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(error(b"[1, 2]"), None);
        let wrong: [(&[u8], &str); 5] = [
            (b"", "line 1 column 0"),
            (b"{\"a\": 1,\n \"b\" 2}", "line 2 column"),
            (b"[1] 2", "line 1 column 5"),
            (b"\"\xff\"", "not UTF-8 at line 1 column 2"),
            (b"\"\\ud800\"", "line 1 column"),
        ];
        for (json, message) in wrong {
            let error = error(json).unwrap();
            assert!(error.contains(message), "{error}");
        }
    }

    /// Neither cut nor changed JSON, nor deep nesting, makes a function panic.
    #[test]
    fn damage_is_survived() {
        let paths: Vec<Path> = ["$", "$.a.b-c[1].d", "key", "bad", "$[0]"]
            .iter()
            .map(|path| path.parse().unwrap())
            .collect();
        let read = |json: &[u8]| {
            for path in &paths {
                if let Some(value) = find(json, path) {
                    let _ = (text(&value), integer(&value), double(&value));
                    let _ = length(&value);
                }
            }
            let _ = error(json);
        };
        for end in 0..JSON.len() {
            read(&JSON[..end]);
        }
        for at in 0..JSON.len() {
            for byte in [0, b'"', b'\\', b'{', b']', 0xff] {
                let mut json = JSON.to_vec();
                json[at] = byte;
                read(&json);
            }
        }
        for open in ["[", "{\"a\":"] {
            let deep = open.repeat(100_000);
            read(deep.as_bytes());
            assert!(error(deep.as_bytes()).is_some());
        }
    }
}
