//! Lists and objects in columns of texts, which become texts with JSON.

use std::collections::HashMap;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use serde_json::value::RawValue;

/// Returns the record with the values of these columns.
pub fn with_texts(record: &RawValue, columns: &Fields) -> serde_json::Result<String> {
    let mut written = String::with_capacity(record.get().len());
    write_object(record.get(), columns, &mut written)?;
    Ok(written)
}

fn write_object(json: &str, columns: &Fields, written: &mut String) -> serde_json::Result<()> {
    let values: HashMap<String, &RawValue> = serde_json::from_str(json)?;
    written.push('{');
    let known = columns.iter().filter_map(|column: &FieldRef| {
        let value = values.get(column.name())?;
        Some((column, value))
    });
    for (place, (column, value)) in known.enumerate() {
        if place > 0 {
            written.push(',');
        }
        written.push_str(&serde_json::to_string(column.name())?);
        written.push(':');
        write_value(value.get(), column, written)?;
    }
    written.push('}');
    Ok(())
}

fn write_value(json: &str, column: &Field, written: &mut String) -> serde_json::Result<()> {
    match (column.data_type(), json.as_bytes().first()) {
        (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View, Some(b'{' | b'[')) => {
            written.push_str(&serde_json::to_string(json)?);
        }
        (DataType::Struct(columns), Some(b'{')) => write_object(json, columns, written)?,
        (DataType::List(item) | DataType::LargeList(item), Some(b'[')) => {
            let items: Vec<&RawValue> = serde_json::from_str(json)?;
            written.push('[');
            for (place, value) in items.into_iter().enumerate() {
                if place > 0 {
                    written.push(',');
                }
                write_value(value.get(), item, written)?;
            }
            written.push(']');
        }
        _ => written.push_str(json),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_objects_become_texts_where_columns_are_texts() {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let columns: Fields = vec![
            text("t"),
            Field::new("n", DataType::Int64, true),
            Field::new("l", DataType::new_list(DataType::Utf8, true), true),
            Field::new("s", DataType::Struct(vec![text("x")].into()), true),
        ]
        .into();
        for (record, expected) in [
            (
                r#"{"t": ["a", "\"é\n"], "n": [1], "left out": {}}"#,
                r#"{"t":"[\"a\", \"\\\"é\\n\"]","n":[1]}"#,
            ),
            (
                r#"{ "l" : [1, ["b"], {"c": null}], "s": {"x": {"y": 1}}, "t": "\u0061"}"#,
                r#"{"t":"\u0061","l":[1,"[\"b\"]","{\"c\": null}"],"s":{"x":"{\"y\": 1}"}}"#,
            ),
            (r#"{"l": "b", "s": 3}"#, r#"{"l":"b","s":3}"#),
            (r#"{"t": 1, "t": {}}"#, r#"{"t":"{}"}"#),
        ] {
            let record: &RawValue = serde_json::from_str(record).unwrap();
            assert_eq!(with_texts(record, &columns).unwrap(), expected);
        }
    }
}
