//! Values as JSON.

use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::{
    DataType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_json::{Map, Number, Value, json};

/// The number of characters of a value in a page of rows.
const MAX_CELL_CHARS: usize = 300;

/// The size of a nested value in a page of rows, before it is cut.
const MAX_CELL_BYTES: usize = 4 * MAX_CELL_CHARS;

/// The maximum size of a value of a row that is shown as a whole.
const MAX_VALUE_BYTES: usize = 1 << 20;

/// The maximum size of the shown beginning of bytes.
const MAX_READABLE_BYTES: usize = 64 << 10;

/// Integers up to this one are exact in JavaScript.
const MAX_EXACT: u64 = 1 << 53;

/// Returns a cell of a page of rows. Long values are cut.
pub fn cell(column: &dyn Array, row: usize) -> Value {
    let mut room = MAX_CELL_BYTES;
    let value = match column.data_type() {
        data_type if is_text(data_type) && !column.is_null(row) => {
            return cut(text(column, row), MAX_CELL_CHARS);
        }
        _ => value(column, row, &mut room),
    };
    match value {
        Value::Array(_) | Value::Object(_) if bytes_of(&value).is_none() => {
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
    if is_text(column.data_type()) && !column.is_null(row) {
        let text = text(column, row);
        if text.len() >= given {
            object["length"] = json!(text.chars().count());
        }
    } else if let (Some(_), Some(text)) = (bytes_of(&object["value"]), readable(column, row)) {
        object["value"]["text"] = json!(text);
    }
    object
}

/// The beginning of bytes that are text.
fn readable(column: &dyn Array, row: usize) -> Option<String> {
    let bytes = match column.data_type() {
        DataType::Binary => column.as_binary::<i32>().value(row),
        DataType::LargeBinary => column.as_binary::<i64>().value(row),
        DataType::BinaryView => column.as_binary_view().value(row),
        _ => return None,
    };
    let start = &bytes[..bytes.len().min(MAX_READABLE_BYTES)];
    match std::str::from_utf8(start) {
        Ok(text) => Some(text.to_owned()),
        // The last character is cut.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&start[..error.valid_up_to()])
                .ok()
                .map(str::to_owned)
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

fn bytes_of(value: &Value) -> Option<&Value> {
    value
        .get("bytes")
        .filter(|_| value.as_object().is_some_and(|object| object.len() == 1))
}

fn is_text(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
    )
}

fn text(column: &dyn Array, row: usize) -> &str {
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row),
        DataType::Utf8View => column.as_string_view().value(row),
        _ => "",
    }
}

/// Returns a value. Its texts and lists are cut when `room` is used up.
pub fn value(column: &dyn Array, row: usize, room: &mut usize) -> Value {
    macro_rules! integer {
        ($type:ty) => {{
            let value = column.as_primitive::<$type>().value(row);
            integer(i128::from(value))
        }};
    }
    if column.is_null(row) {
        return Value::Null;
    }
    *room = room.saturating_sub(1);
    match column.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => Value::Bool(column.as_boolean().value(row)),
        DataType::Int8 => integer!(Int8Type),
        DataType::Int16 => integer!(Int16Type),
        DataType::Int32 => integer!(Int32Type),
        DataType::Int64 => integer!(Int64Type),
        DataType::UInt8 => integer!(UInt8Type),
        DataType::UInt16 => integer!(UInt16Type),
        DataType::UInt32 => integer!(UInt32Type),
        DataType::UInt64 => integer!(UInt64Type),
        DataType::Float16 => float(column.as_primitive::<Float16Type>().value(row).to_f64()),
        DataType::Float32 => short(column.as_primitive::<Float32Type>().value(row)),
        DataType::Float64 => float(column.as_primitive::<Float64Type>().value(row)),
        data_type if is_text(data_type) => limited(text(column, row), room),
        DataType::Binary => bytes(column.as_binary::<i32>().value(row)),
        DataType::LargeBinary => bytes(column.as_binary::<i64>().value(row)),
        DataType::BinaryView => bytes(column.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => bytes(column.as_fixed_size_binary().value(row)),
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
        _ => {
            let options = FormatOptions::new();
            let formatter = ArrayFormatter::try_new(column, &options);
            formatter.map_or(Value::Null, |formatter| {
                limited(&formatter.value(row).to_string(), room)
            })
        }
    }
}

fn integer(value: i128) -> Value {
    if value.unsigned_abs() > u128::from(MAX_EXACT) {
        return Value::from(value.to_string());
    }
    Value::from(i64::try_from(value).unwrap_or_default())
}

fn float(value: f64) -> Value {
    Number::from_f64(value).map_or_else(|| Value::from(value.to_string()), Value::Number)
}

/// A 32-bit float with its own digits, not those of the nearest 64-bit float.
fn short(value: f32) -> Value {
    float(value.to_string().parse().unwrap_or(f64::NAN))
}

fn bytes(value: &[u8]) -> Value {
    json!({"bytes": value.len()})
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
fn limited(text: &str, room: &mut usize) -> Value {
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
