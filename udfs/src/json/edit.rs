//! Rewrites JSON: indented, with a patch applied, or as the types of its values.

use super::find;

/// The white space of one level.
const INDENT: &str = "    ";

/// Writes a value on several lines.
pub fn pretty(value: &[u8]) -> Option<String> {
    let compact = find::compact(value)?;
    let mut pretty = String::with_capacity(compact.len() * 2);
    let mut depth = 0;
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut characters = compact.chars().peekable();
    while let Some(character) = characters.next() {
        let was_quoted = is_quoted;
        is_quoted ^= character == '"' && !is_escaped;
        is_escaped = is_quoted && character == '\\' && !is_escaped;
        if was_quoted {
            pretty.push(character);
            continue;
        }
        match character {
            '{' | '[' => {
                pretty.push(character);
                match characters.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => pretty.push(end),
                    None => {
                        depth += 1;
                        break_line(&mut pretty, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.checked_sub(1)?;
                break_line(&mut pretty, depth);
                pretty.push(character);
            }
            ',' => {
                pretty.push(character);
                break_line(&mut pretty, depth);
            }
            ':' => pretty.push_str(": "),
            _ => pretty.push(character),
        }
    }
    Some(pretty)
}

fn break_line(text: &mut String, depth: usize) {
    text.push('\n');
    for _ in 0..depth {
        text.push_str(INDENT);
    }
}

/// Applies a patch of RFC 7396: its values replace those of the same keys, and null removes them.
pub fn merge(target: &[u8], patch: &[u8]) -> Option<String> {
    if patch.first() != Some(&b'{') {
        return find::compact(patch);
    }
    let mut members: Vec<(String, Option<String>)> = Vec::new();
    if target.first() == Some(&b'{') {
        let is_read = find::entries(target, |key, value| {
            members.push((key.to_owned(), find::compact(value)));
        });
        if !is_read {
            return None;
        }
    }
    let mut is_merged = true;
    let is_read = find::entries(patch, |key, value| {
        let place = members.iter().position(|(known, _)| known == key);
        let before = place.and_then(|place| members[place].1.clone());
        let merged = match value.first() {
            Some(b'n') => None,
            _ => {
                let merged = merge(before.unwrap_or_default().as_bytes(), value);
                is_merged &= merged.is_some();
                merged
            }
        };
        match place {
            Some(place) => members[place].1 = merged,
            None => members.push((key.to_owned(), merged)),
        }
    });
    if !is_read || !is_merged {
        return None;
    }
    let members = members.iter().filter_map(|(key, value)| {
        let value = value.as_ref()?;
        Some(format!("{}:{value}", quote(key)))
    });
    Some(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
}

fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            ..'\u{20}' => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns the types of a value and those in it, in the form that `from_json` takes.
pub fn structure(value: &[u8]) -> Option<String> {
    Shape::of(value).map(|shape| shape.to_text())
}

/// The type of one or several values.
enum Shape {
    /// The name of a type. `NULL` fits all others.
    Simple(&'static str),
    List(Box<Shape>),
    Object(Vec<(String, Shape)>),
}

const NULL: Shape = Shape::Simple("NULL");

/// The common type of values of different types.
const MIXED: Shape = Shape::Simple("JSON");

impl Shape {
    fn of(value: &[u8]) -> Option<Self> {
        let mut is_valid = true;
        match value.first()? {
            b'[' => {
                let mut item = NULL;
                let is_read = find::items(value, |value| match Self::of(value) {
                    Some(shape) => item = std::mem::replace(&mut item, NULL).and(shape),
                    None => is_valid = false,
                });
                (is_read && is_valid).then(|| Self::List(Box::new(item)))
            }
            b'{' => {
                let mut members = Vec::new();
                let is_read = find::entries(value, |key, value| match Self::of(value) {
                    Some(shape) => add(&mut members, key.to_owned(), shape),
                    None => is_valid = false,
                });
                (is_read && is_valid).then_some(Self::Object(members))
            }
            _ => find::kind(value).map(Self::Simple),
        }
    }

    /// The type that both have in common.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Simple("NULL"), shape) | (shape, Self::Simple("NULL")) => shape,
            (Self::Simple(one), Self::Simple(other)) => match (one, other) {
                (one, other) if one == other => Self::Simple(one),
                ("BIGINT", "UBIGINT") | ("UBIGINT", "BIGINT") => Self::Simple("BIGINT"),
                ("DOUBLE", "BIGINT" | "UBIGINT") | ("BIGINT" | "UBIGINT", "DOUBLE") => {
                    Self::Simple("DOUBLE")
                }
                _ => MIXED,
            },
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.and(*other))),
            (Self::Object(mut members), Self::Object(others)) => {
                for (key, shape) in others {
                    add(&mut members, key, shape);
                }
                Self::Object(members)
            }
            _ => MIXED,
        }
    }

    fn to_text(&self) -> String {
        match self {
            Self::Simple(name) => quote(name),
            Self::List(item) => format!("[{}]", item.to_text()),
            Self::Object(members) => {
                let members = members
                    .iter()
                    .map(|(key, shape)| format!("{}:{}", quote(key), shape.to_text()));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
        }
    }
}

fn add(members: &mut Vec<(String, Shape)>, key: String, shape: Shape) {
    match members.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = std::mem::replace(known, NULL).and(shape),
        None => members.push((key, shape)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_in_strings_are_no_structure() {
        let text = pretty(br#"{"a,{\"": "[:,]\\", "b": [ ]}"#).unwrap();
        assert_eq!(text, "{\n    \"a,{\\\"\": \"[:,]\\\\\",\n    \"b\": []\n}");
        assert_eq!(pretty(b"1]"), None);
    }

    #[test]
    fn patches_replace_add_and_remove() {
        for (target, patch, merged) in [
            (
                r#"{"a":{"b":1,"c":2}}"#,
                r#"{"a":{"b":null,"d":"\n"}}"#,
                r#"{"a":{"c":2,"d":"\n"}}"#,
            ),
            ("[1]", r#"{"a":{"b":null}}"#, r#"{"a":{}}"#),
            (r#"{"a":1}"#, "[ 2 ]", "[2]"),
            (r#"{"\"":1}"#, "{}", r#"{"\"":1}"#),
        ] {
            let found = merge(target.as_bytes(), patch.as_bytes());
            assert_eq!(found.as_deref(), Some(merged));
        }
        assert_eq!(merge(b"{", b"{}"), None);
    }

    #[test]
    fn types_of_items_are_united() {
        for (json, types) in [
            ("[1,-1]", r#"["BIGINT"]"#),
            ("[null,1,0.5]", r#"["DOUBLE"]"#),
            ("[1,\"a\"]", r#"["JSON"]"#),
            ("[[],[true]]", r#"[["BOOLEAN"]]"#),
            (r#"[{"a":1},{"b":null}]"#, r#"[{"a":"UBIGINT","b":"NULL"}]"#),
        ] {
            assert_eq!(structure(json.as_bytes()).as_deref(), Some(types));
        }
        assert_eq!(structure(b"[1,"), None);
    }
}
