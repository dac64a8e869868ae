//! Lists and structs in the form in which casts to VARCHAR write them: `[a, b]`, `{'a': 1}`.

use datafusion::arrow::datatypes::DataType;

use super::json_writer::JsonWriter;

/// Writes the value of a text as JSON. `None` if brackets, quotes or names do not fit the type.
pub fn write_nested(text: &str, kind: &DataType, written: &mut JsonWriter) -> Option<()> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("null") {
        written.json.push_str("null");
        return Some(());
    }
    match kind {
        DataType::List(item) => {
            written.json.push('[');
            for (number, part) in parts(inner(text, '[', ']')?, ',')?.into_iter().enumerate() {
                written.json.push_str(if number > 0 { "," } else { "" });
                write_nested(part, item.data_type(), written)?;
            }
            written.json.push(']');
        }
        DataType::Struct(fields) => {
            written.json.push('{');
            for (number, part) in parts(inner(text, '{', '}')?, ',')?.into_iter().enumerate() {
                written.json.push_str(if number > 0 { "," } else { "" });
                let colon = parts(part, ':')?.first()?.len();
                let name = unquote(part.get(..colon)?.trim());
                let field = fields
                    .iter()
                    .find(|field| field.name().eq_ignore_ascii_case(&name))?;
                written.scalar(field.name(), &DataType::Utf8);
                written.json.push(':');
                write_nested(part.get(colon + 1..)?, field.data_type(), written)?;
            }
            written.json.push('}');
        }
        kind => written.scalar(&unquote(text), kind),
    }
    Some(())
}

/// The text between brackets.
fn inner(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// Splits a text at a separator that is outside of quotes and brackets. `None` if one of these is
/// open at the end.
fn parts(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    let mut quote = None;
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (quote, character) {
            (Some(_), '\\') => is_escaped = true,
            (Some(open), character) if open == character => quote = None,
            (Some(_), _) => {}
            // An apostrophe inside a word is not a quote.
            (None, '\'' | '"') if text[start..at].trim().is_empty() || depth > 0 => {
                quote = Some(character);
            }
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth = depth.checked_sub(1)?,
            (None, character) if character == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + character.len_utf8();
            }
            _ => {}
        }
    }
    if depth > 0 || quote.is_some() {
        return None;
    }
    let last = &text[start..];
    if !(parts.is_empty() && last.trim().is_empty()) {
        parts.push(last);
    }
    Some(parts)
}

/// The text in quotes, or the text itself.
fn unquote(text: &str) -> String {
    let quoted = ['\'', '"']
        .into_iter()
        .find_map(|quote| inner(text, quote, quote));
    let Some(quoted) = quoted else {
        return text.to_owned();
    };
    let mut plain = String::with_capacity(quoted.len());
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.extend(characters.next()),
            character => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::datatypes::{Field, Fields};

    fn json(text: &str, kind: &DataType) -> Option<String> {
        let mut written = JsonWriter::default();
        write_nested(text, kind, &mut written)?;
        Some(written.json)
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        let texts = DataType::new_list(DataType::Utf8, true);
        let fields = Fields::from(vec![
            Field::new("a", DataType::Int64, true),
            Field::new("b", texts.clone(), true),
        ]);
        let record = DataType::Struct(fields);
        for (text, kind, expected) in [
            (
                "[a, 'b, c', \"d\", it's, NULL]",
                &texts,
                r#"["a","b, c","d","it's",null]"#,
            ),
            ("[]", &texts, "[]"),
            ("['it\\'s']", &texts, r#"["it's"]"#),
            ("{'a': 1, 'b': [x, y]}", &record, r#"{"a":1,"b":["x","y"]}"#),
            ("{a: 1}", &record, r#"{"a":1}"#),
            ("{}", &record, "{}"),
            ("NULL", &record, "null"),
        ] {
            assert_eq!(json(text, kind).as_deref(), Some(expected), "{text}");
        }
        for (text, kind) in [
            ("[1", &texts),
            ("a", &texts),
            ("['a]", &texts),
            ("[a]]", &texts),
            ("{c: 1}", &record),
            ("{a}", &record),
        ] {
            assert_eq!(json(text, kind), None, "{text}");
        }
    }
}
