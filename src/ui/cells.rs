//! Values as JSON.

use corpus_udfs::duckdb::value_text;
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_json::{Map, Number, Value, json};

/// The number of characters of a value in a page of rows.
const MAX_CELL_CHARS: usize = 300;

/// The number of columns that the page shows, as in grid.js.
const MAX_COLUMNS: usize = 200;

/// The size of a nested value in a page of rows, before it is cut.
const MAX_CELL_BYTES: usize = 4 * MAX_CELL_CHARS;

/// The maximum size of a value of a row that is shown as a whole.
const MAX_VALUE_BYTES: usize = 1 << 20;

/// The maximum size of the shown beginning of bytes.
const MAX_READABLE_BYTES: usize = 64 << 10;

/// Integers up to this one are exact in JavaScript.
const MAX_EXACT: i128 = 1 << 53;

/// Returns a row of a page of rows, up to the columns that the page shows.
pub fn row(batch: &RecordBatch, row: usize) -> Value {
    let columns = batch.columns().iter().take(MAX_COLUMNS);
    columns.map(|column| cell(column, row)).collect()
}

/// Returns a cell of a page of rows. Long values are cut.
fn cell(column: &dyn Array, row: usize) -> Value {
    if let Some(text) = text(column, row) {
        return cut(text, MAX_CELL_CHARS);
    }
    let mut room = MAX_CELL_BYTES;
    match value(column, row, &mut room) {
        value if bytes(column, row).is_none() && (value.is_array() || value.is_object()) => {
            match cut(&value.to_string(), MAX_CELL_CHARS) {
                // The length of the whole value is not known.
                Value::Object(cut) => json!({"cut": cut.get("cut")}),
                whole => whole,
            }
        }
        value => value,
    }
}

/// Returns a whole value, up to a size and `room`, as `{"value": …}`; with the length if a text is
/// cut.
pub fn whole(column: &dyn Array, row: usize, room: &mut usize) -> Value {
    let given = MAX_VALUE_BYTES.min(*room);
    let mut left = given;
    let mut object = json!({"value": value(column, row, &mut left)});
    *room -= given - left;
    if let Some(text) = text(column, row).filter(|text| text.len() >= given) {
        object["length"] = json!(text.chars().count());
    }
    if let Some(text) = bytes(column, row).and_then(readable) {
        object["value"]["text"] = json!(text);
    }
    object
}

/// The beginning of bytes that are text.
fn readable(bytes: &[u8]) -> Option<&str> {
    let start = &bytes[..bytes.len().min(MAX_READABLE_BYTES)];
    match str::from_utf8(start) {
        Ok(text) => Some(text),
        // The last character is cut.
        Err(error) if error.error_len().is_none() => {
            str::from_utf8(&start[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    }
}

/// Cuts a text after a number of characters.
fn cut(text: &str, chars: usize) -> Value {
    match text.char_indices().nth(chars) {
        Some((end, _)) => json!({"cut": text[..end], "length": text.chars().count()}),
        None => Value::from(text),
    }
}

/// A text that is not NULL.
pub fn text(column: &dyn Array, row: usize) -> Option<&str> {
    let text = match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row),
        DataType::Utf8View => column.as_string_view().value(row),
        _ => return None,
    };
    column.is_valid(row).then_some(text)
}

/// Bytes that are not NULL.
pub fn bytes(column: &dyn Array, row: usize) -> Option<&[u8]> {
    let bytes = match column.data_type() {
        DataType::Binary => column.as_binary::<i32>().value(row),
        DataType::LargeBinary => column.as_binary::<i64>().value(row),
        DataType::BinaryView => column.as_binary_view().value(row),
        DataType::FixedSizeBinary(_) => column.as_fixed_size_binary().value(row),
        _ => return None,
    };
    column.is_valid(row).then_some(bytes)
}

/// Returns a value. Its texts and lists are cut when `room` is used up.
pub fn value(column: &dyn Array, row: usize, room: &mut usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    *room = room.saturating_sub(1);
    if let Some(text) = text(column, row) {
        return limit(text, room);
    }
    if let Some(bytes) = bytes(column, row) {
        return json!({"bytes": bytes.len()});
    }
    match column.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => Value::Bool(column.as_boolean().value(row)),
        DataType::Struct(fields) => {
            let columns = column.as_struct().columns();
            let fields = fields.iter().zip(columns);
            let fields = fields.map(|(field, column)| {
                let value = value(column.as_ref(), row, room);
                (field.name().clone(), value)
            });
            Value::Object(fields.collect::<Map<_, _>>())
        }
        DataType::List(_) => list(column.as_list::<i32>().value(row).as_ref(), room),
        DataType::LargeList(_) => list(column.as_list::<i64>().value(row).as_ref(), room),
        DataType::FixedSizeList(..) => list(column.as_fixed_size_list().value(row).as_ref(), room),
        DataType::Map(..) => list(&column.as_map().value(row), room),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let key = dictionary.normalized_keys().get(row).copied();
            key.map_or(Value::Null, |key| {
                value(dictionary.values().as_ref(), key, room)
            })
        }
        DataType::Interval(_) | DataType::Duration(_) => {
            let texts = value_text::texts(&column.slice(row, 1));
            let text = texts.map(|texts| texts.as_string::<i64>().value(0).to_owned());
            limit(&text.unwrap_or_default(), room)
        }
        data_type => {
            let formatter = ArrayFormatter::try_new(column, &FormatOptions::new());
            let text = formatter.map(|formatter| formatter.value(row).to_string());
            let text = text.unwrap_or_default();
            if data_type.is_integer() || data_type.is_floating() {
                return number(&text).unwrap_or(Value::String(text));
            }
            limit(&text, room)
        }
    }
}

/// A number, unless it has no exact value in JavaScript. 32-bit floats keep their own digits.
fn number(text: &str) -> Option<Value> {
    match text.parse::<i128>() {
        Ok(integer) if integer.abs() > MAX_EXACT => None,
        Ok(integer) => Some(Value::from(integer as i64)),
        Err(_) => Some(Value::Number(Number::from_f64(text.parse().ok()?)?)),
    }
}

fn list(items: &dyn Array, room: &mut usize) -> Value {
    let mut values = Vec::new();
    for row in 0..items.len() {
        if *room == 0 {
            values.push(Value::from("…"));
            break;
        }
        values.push(value(items, row, room));
    }
    Value::Array(values)
}

/// A text, or its beginning.
fn limit(text: &str, room: &mut usize) -> Value {
    if text.len() <= *room {
        *room -= text.len();
        return Value::from(text);
    }
    let end = text.floor_char_boundary(*room);
    *room = 0;
    Value::from(format!("{}…", &text[..end]))
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{
        BinaryArray, Float32Array, Float64Array, Int64Array, ListArray, StringArray,
    };
    use datafusion::arrow::datatypes::Int32Type;

    use super::*;

    #[test]
    fn cells_are_short() {
        let texts = StringArray::from(vec![Some("é".repeat(301)), Some("é".repeat(300)), None]);
        assert_eq!(
            cell(&texts, 0),
            json!({"cut": "é".repeat(300), "length": 301})
        );
        assert_eq!(cell(&texts, 1), json!("é".repeat(300)));
        assert_eq!(cell(&texts, 2), Value::Null);
        let long = (0..100_000).map(Some);
        let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([
            Some(vec![Some(1), None]),
            Some(long.collect()),
        ]);
        assert_eq!(cell(&lists, 0), json!("[1,null]"));
        let cut = cell(&lists, 1);
        let cut = cut["cut"].as_str().unwrap();
        assert_eq!(cut.chars().count(), 300);
        assert_eq!(
            cell(&BinaryArray::from(vec![&b"abc"[..]]), 0),
            json!({"bytes": 3})
        );
    }

    #[test]
    fn numbers_are_exact() {
        let numbers = Int64Array::from(vec![1 << 53, (1 << 53) + 1, i64::MIN]);
        assert_eq!(cell(&numbers, 0), json!(9_007_199_254_740_992_i64));
        assert_eq!(cell(&numbers, 1), json!("9007199254740993"));
        assert_eq!(cell(&numbers, 2), json!("-9223372036854775808"));
        assert_eq!(cell(&Float32Array::from(vec![0.1]), 0), json!(0.1));
        assert_eq!(cell(&Float64Array::from(vec![f64::NAN]), 0), json!("NaN"));
    }

    #[test]
    fn whole_values_are_bounded() {
        let texts = StringArray::from(vec!["a".repeat(2 << 20), "b".to_owned()]);
        let mut room = usize::MAX;
        let text = whole(&texts, 0, &mut room);
        assert_eq!(room, usize::MAX - MAX_VALUE_BYTES);
        assert_eq!(text["length"], json!(2 << 20));
        assert_eq!(
            text["value"].as_str().unwrap().len(),
            MAX_VALUE_BYTES - 1 + "…".len()
        );
        assert_eq!(whole(&texts, 1, &mut room), json!({"value": "b"}));
        assert_eq!(whole(&texts, 1, &mut 1), json!({"value": "…", "length": 1}));
        let bytes = BinaryArray::from(vec![&b"abc\xc3"[..], b"\xff"]);
        assert_eq!(
            whole(&bytes, 0, &mut room),
            json!({"value": {"bytes": 4, "text": "abc"}})
        );
        assert_eq!(whole(&bytes, 1, &mut room), json!({"value": {"bytes": 1}}));
    }
}
