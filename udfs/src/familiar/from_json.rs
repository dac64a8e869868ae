//! `from_json`: JSON as values of a type that the second argument describes, as in DuckDB.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, new_empty_array};
use datafusion::arrow::compute::{cast, concat};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, TimeUnit};
use datafusion::arrow::json::ReaderBuilder;
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
    Volatility,
};
use jiter::JsonValue;

use super::SECTION;
use crate::function::document;

/// The name of the function.
pub const NAME: &str = "from_json";

const HELP: &str =
    "from_json takes JSON and a structure, such as '{\"a\": \"INTEGER\", \"b\": [\"VARCHAR\"]}'";

/// The type of its results depends on the value of its second argument.
#[derive(Debug)]
pub struct FromJson {
    signature: Signature,
    aliases: Vec<String>,
    documentation: Documentation,
}

impl Default for FromJson {
    fn default() -> Self {
        Self {
            signature: Signature::user_defined(Volatility::Immutable),
            aliases: vec!["json_transform".to_owned()],
            documentation: document(
                SECTION,
                "from_json(json, structure)",
                "Returns the values in JSON as a struct, a list or another value. Fields that are missing, and values \
                 of other types, are NULL. `CAST(json AS STRUCT(a INTEGER))` does the same.",
                "> SELECT from_json('{\"a\": 1, \"b\": [\"x\"]}', '{\"a\": \"INTEGER\", \"b\": [\"VARCHAR\"]}');\n\
                 {a: 1, b: [x]}",
                &[
                    ("json", "JSON, as text."),
                    (
                        "structure",
                        "The names of types in JSON: an object for a struct, an array of one type for a list.",
                    ),
                ],
            ),
        }
    }
}

/// Equal to every other one.
impl PartialEq for FromJson {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for FromJson {}

impl std::hash::Hash for FromJson {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl ScalarUDFImpl for FromJson {
    fn name(&self) -> &str {
        NAME
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        match given {
            [json, structure] if (json.is_string() || json.is_null()) && structure.is_string() => {
                Ok(vec![DataType::LargeUtf8, structure.clone()])
            }
            _ => plan_err!("{HELP}"),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        plan_err!("{HELP}")
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let structure = args.scalar_arguments.get(1).copied().flatten();
        let Some(Some(structure)) = structure.and_then(ScalarValue::try_as_str) else {
            return plan_err!("{HELP}");
        };
        Ok(Arc::new(Field::new(NAME, kind_of(structure)?, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let kind = args.return_field.data_type().clone();
        let json = args.args[0].to_array(args.number_rows)?;
        let texts = cast(&json, &DataType::LargeUtf8)?;
        let texts: Vec<Option<&str>> = texts.as_string::<i64>().iter().collect();
        Ok(ColumnarValue::Array(values(&texts, &kind)?))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// The structure of a type, as the function takes it. `None` for types that it cannot return.
pub fn structure_of(kind: &DataType) -> Option<String> {
    let quoted = |name: &str| Some(format!("\"{name}\""));
    match kind {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            Some(format!("[{}]", structure_of(item.data_type())?))
        }
        DataType::Struct(fields) => {
            let fields = fields.iter().map(|field| {
                let name = field.name().replace('\\', "\\\\").replace('"', "\\\"");
                Some(format!("\"{name}\": {}", structure_of(field.data_type())?))
            });
            Some(format!(
                "{{{}}}",
                fields.collect::<Option<Vec<_>>>()?.join(", ")
            ))
        }
        kind if kind.is_string() => quoted("VARCHAR"),
        DataType::Boolean => quoted("BOOLEAN"),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => quoted("BIGINT"),
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => {
            quoted("UBIGINT")
        }
        DataType::Float16 | DataType::Float32 | DataType::Float64 => quoted("DOUBLE"),
        DataType::Date32 => quoted("DATE"),
        DataType::Timestamp(_, None) => quoted("TIMESTAMP"),
        _ => None,
    }
}

/// The type that a structure describes.
fn kind_of(structure: &str) -> Result<DataType> {
    match JsonValue::parse(structure.as_bytes(), false) {
        Ok(value) => kind_of_value(&value),
        Err(_) => plan_err!("{HELP}"),
    }
}

fn kind_of_value(value: &JsonValue<'_>) -> Result<DataType> {
    match value {
        JsonValue::Str(name) => named_kind(name),
        JsonValue::Array(items) => match items.as_slice() {
            [item] => Ok(DataType::new_list(kind_of_value(item)?, true)),
            _ => plan_err!("a list in a structure has one type: [\"INTEGER\"]"),
        },
        JsonValue::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| Ok(Field::new(name.to_string(), kind_of_value(value)?, true)));
            Ok(DataType::Struct(fields.collect::<Result<Fields>>()?))
        }
        _ => plan_err!("{HELP}"),
    }
}

fn named_kind(name: &str) -> Result<DataType> {
    let name = name.trim();
    if let Some(item) = name.strip_suffix("[]") {
        return Ok(DataType::new_list(named_kind(item)?, true));
    }
    Ok(match name.to_ascii_uppercase().as_str() {
        "VARCHAR" | "TEXT" | "STRING" | "JSON" => DataType::Utf8,
        "BOOLEAN" | "BOOL" => DataType::Boolean,
        "TINYINT" => DataType::Int8,
        "SMALLINT" => DataType::Int16,
        "INTEGER" | "INT" => DataType::Int32,
        "BIGINT" => DataType::Int64,
        "UTINYINT" => DataType::UInt8,
        "USMALLINT" => DataType::UInt16,
        "UINTEGER" => DataType::UInt32,
        "UBIGINT" => DataType::UInt64,
        "FLOAT" | "REAL" => DataType::Float32,
        "DOUBLE" => DataType::Float64,
        "DATE" => DataType::Date32,
        "TIMESTAMP" => DataType::Timestamp(TimeUnit::Microsecond, None),
        _ => {
            return plan_err!(
                "'{name}' is not a type for from_json: use VARCHAR, BIGINT, DOUBLE, BOOLEAN, DATE or TIMESTAMP"
            );
        }
    })
}

/// The name of the column that values are read into.
const COLUMN: &str = "value";

/// Reads values. What does not fit the type is NULL.
fn values(texts: &[Option<&str>], kind: &DataType) -> Result<ArrayRef> {
    let schema = Arc::new(Schema::new(vec![Field::new(COLUMN, kind.clone(), true)]));
    let mut arrays: Vec<ArrayRef> = Vec::new();
    let mut lines = String::new();
    for text in texts {
        let value = text.and_then(|text| JsonValue::parse(text.as_bytes(), false).ok());
        lines.push_str("{\"value\":");
        match &value {
            Some(value) => write_fitting(value, kind, &mut lines),
            None => lines.push_str("null"),
        }
        lines.push_str("}\n");
    }
    for batch in ReaderBuilder::new(schema).build(lines.as_bytes())? {
        arrays.push(Arc::clone(batch?.column(0)));
    }
    let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
    let values = if arrays.is_empty() {
        new_empty_array(kind)
    } else {
        concat(&arrays)?
    };
    if values.len() == texts.len() {
        Ok(values)
    } else {
        exec_err!("{NAME} read {} values of {}", values.len(), texts.len())
    }
}

/// Writes a value as JSON, and null for parts that do not fit the type.
fn write_fitting(value: &JsonValue<'_>, kind: &DataType, json: &mut String) {
    match (value, kind) {
        (JsonValue::Array(items), DataType::List(item)) => {
            json.push('[');
            for (number, value) in items.iter().enumerate() {
                json.push_str(if number > 0 { "," } else { "" });
                write_fitting(value, item.data_type(), json);
            }
            json.push(']');
        }
        (JsonValue::Object(values), DataType::Struct(fields)) => {
            json.push('{');
            let mut is_first = true;
            for field in fields {
                let found = values.iter().find(|(name, _)| **name == **field.name());
                let Some((name, value)) = found else { continue };
                json.push_str(if is_first { "" } else { "," });
                is_first = false;
                write_text(name, json);
                json.push(':');
                write_fitting(value, field.data_type(), json);
            }
            json.push('}');
        }
        (JsonValue::Bool(value), DataType::Boolean) => json.push_str(&value.to_string()),
        (JsonValue::Str(text), kind) if kind.is_string() => write_text(text, json),
        (JsonValue::Str(text), DataType::Date32 | DataType::Timestamp(..)) => {
            let fits = ScalarValue::Utf8(Some(text.to_string()))
                .cast_to(kind)
                .is_ok();
            if fits {
                write_text(text, json)
            } else {
                json.push_str("null")
            }
        }
        (JsonValue::Str(text), kind) if kind.is_numeric() => {
            write_number(text.trim().parse().ok(), kind, json);
        }
        (JsonValue::Int(number), kind) if kind.is_string() => write_text(&number.to_string(), json),
        (JsonValue::Float(number), kind) if kind.is_string() => {
            write_text(&number.to_string(), json);
        }
        (JsonValue::Bool(value), kind) if kind.is_string() => write_text(&value.to_string(), json),
        (JsonValue::Array(_) | JsonValue::Object(_), kind) if kind.is_string() => {
            let mut inner = String::new();
            write_whole(value, &mut inner);
            write_text(&inner, json);
        }
        (JsonValue::Int(number), kind) if kind.is_numeric() => {
            let fits = ScalarValue::Int64(Some(*number)).cast_to(kind).is_ok();
            if fits {
                json.push_str(&number.to_string())
            } else {
                json.push_str("null")
            }
        }
        (JsonValue::Float(number), kind) if kind.is_numeric() => {
            write_number(Some(*number), kind, json);
        }
        _ => json.push_str("null"),
    }
}

/// Writes a number if it is in the range of a type. Integers are rounded.
fn write_number(number: Option<f64>, kind: &DataType, json: &mut String) {
    let number = number.filter(|number| number.is_finite());
    let number = number.map(|number| {
        if kind.is_integer() {
            number.round()
        } else {
            number
        }
    });
    let fits =
        number.is_some_and(|number| ScalarValue::Float64(Some(number)).cast_to(kind).is_ok());
    match number.filter(|_| fits) {
        Some(number) if kind.is_integer() => json.push_str(&format!("{number:.0}")),
        Some(number) => json.push_str(&format!("{number:?}")),
        None => json.push_str("null"),
    }
}

fn write_text(text: &str, json: &mut String) {
    json.push('"');
    for letter in text.chars() {
        match letter {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            letter if letter.is_control() => {
                json.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => json.push(letter),
        }
    }
    json.push('"');
}

/// Writes a value as it is.
fn write_whole(value: &JsonValue<'_>, json: &mut String) {
    match value {
        JsonValue::Null => json.push_str("null"),
        JsonValue::Bool(value) => json.push_str(&value.to_string()),
        JsonValue::Int(number) => json.push_str(&number.to_string()),
        JsonValue::Float(number) => json.push_str(&format!("{number:?}")),
        JsonValue::Str(text) => write_text(text, json),
        JsonValue::Array(items) => {
            json.push('[');
            for (number, value) in items.iter().enumerate() {
                json.push_str(if number > 0 { "," } else { "" });
                write_whole(value, json);
            }
            json.push(']');
        }
        JsonValue::Object(fields) => {
            json.push('{');
            for (number, (name, value)) in fields.iter().enumerate() {
                json.push_str(if number > 0 { "," } else { "" });
                write_text(name, json);
                json.push(':');
                write_whole(value, json);
            }
            json.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(texts: &[Option<&str>], structure: &str) -> Vec<String> {
        let values = values(texts, &kind_of(structure).unwrap()).unwrap();
        let texts = super::super::value_text::texts(&values).unwrap();
        let texts = texts.as_string::<i64>().iter();
        texts
            .map(|text| text.unwrap_or("NULL").to_owned())
            .collect()
    }

    #[test]
    fn what_does_not_fit_is_null() {
        let texts = [
            Some(r#"{"a": 1, "b": ["x", 2, null], "c": 3}"#),
            Some(r#"{"a": "7", "b": "x"}"#),
            Some(r#"{"a": 1e300, "b": [{"d": 1.5}]}"#),
            Some("[1]"),
            Some("{"),
            None,
        ];
        assert_eq!(
            shown(&texts, r#"{"a": "INTEGER", "b": ["VARCHAR"]}"#),
            [
                "{'a': 1, 'b': [x, 2, NULL]}",
                "{'a': 7, 'b': NULL}",
                "{'a': NULL, 'b': ['{\"d\":1.5}']}",
                "NULL",
                "NULL",
                "NULL",
            ]
        );
        assert_eq!(
            shown(&[Some("[2.5, \"2024-01-01\"]")], r#"["DATE"]"#),
            ["[NULL, 2024-01-01]"]
        );
        assert_eq!(shown(&[], "\"BIGINT\""), Vec::<String>::new());
    }

    #[test]
    fn structures_are_those_of_types() {
        let structure = r#"{"a": "BIGINT", "b": [{"c": "VARCHAR"}]}"#;
        assert_eq!(
            structure_of(&kind_of(structure).unwrap()).unwrap(),
            structure
        );
        for wrong in ["", "1", "\"BLOB\"", "[]", "{\"a\": 1}"] {
            assert!(kind_of(wrong).is_err(), "{wrong}");
        }
    }
}
