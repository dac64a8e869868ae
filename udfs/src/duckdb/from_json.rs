//! `from_json`: JSON as values of a type that the second argument describes, as in DuckDB.
//! `parse_nested` also reads lists and structs as casts to VARCHAR write them.

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
use super::json_writer::{JsonWriter, write_text};
use super::nested_text::write_nested;
use super::type_names::type_name;
use crate::function::{INTERNAL, compared_by, document};

const HELP: &str =
    "from_json takes JSON and a structure, such as '{\"a\": \"INTEGER\", \"b\": [\"VARCHAR\"]}'";

/// The syntax of the texts, and whether invalid ones are errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonSyntax {
    /// JSON. Values that do not fit become NULL.
    Json,
    /// JSON, or what a cast of a list or struct to VARCHAR writes. Values that do not fit become
    /// NULL.
    TryNested,
    /// Like `TryNested`, but texts that do not fit are errors.
    Nested,
}

/// A function whose type depends on the value of its second argument.
#[derive(Debug)]
pub struct FromJson {
    reading: JsonSyntax,
    signature: Signature,
    aliases: Vec<String>,
    documentation: Documentation,
}

impl FromJson {
    pub fn new(reading: JsonSyntax) -> Self {
        let aliases = match reading {
            JsonSyntax::Json => vec!["json_transform".to_owned()],
            JsonSyntax::TryNested | JsonSyntax::Nested => Vec::new(),
        };
        Self {
            reading,
            signature: Signature::user_defined(Volatility::Immutable),
            aliases,
            documentation: reading.documentation(),
        }
    }
}

impl JsonSyntax {
    pub const ALL: [Self; 3] = [Self::Json, Self::TryNested, Self::Nested];

    fn name(self) -> &'static str {
        match self {
            Self::Json => "from_json",
            Self::TryNested => "try_parse_nested",
            Self::Nested => "parse_nested",
        }
    }

    fn documentation(self) -> Documentation {
        let text = (
            "text",
            "The text, in JSON or as `CAST(value AS VARCHAR)` writes it.",
        );
        let structure = (
            "structure",
            "The names of types in JSON: an object for a struct, an array of one type for a list.",
        );
        match self {
            Self::Nested => document(
                INTERNAL,
                "parse_nested(text, structure)",
                "Returns the list or struct that a text writes. `CAST(text AS INTEGER[])` calls it.",
                "> SELECT parse_nested('[a, b]', '[\"VARCHAR\"]');\n[a, b]",
                &[text, structure],
            ),
            Self::TryNested => document(
                INTERNAL,
                "try_parse_nested(text, structure)",
                "Returns the list or struct that a text writes. What does not fit is NULL. `TRY_CAST(text AS \
                 INTEGER[])` calls it.",
                "> SELECT try_parse_nested('[1, b]', '[\"INTEGER\"]');\n[1, NULL]",
                &[text, structure],
            ),
            Self::Json => document(
                SECTION,
                "from_json(json, structure)",
                "Returns the values in JSON as a struct, a list or another value. Fields that are missing, and values \
                 of other types, are NULL.",
                "> SELECT from_json('{\"a\": 1, \"b\": [\"x\"]}', '{\"a\": \"INTEGER\", \"b\": [\"VARCHAR\"]}');\n\
                 {a: 1, b: [x]}",
                &[("json", "JSON, as text."), structure],
            ),
        }
    }
}

compared_by!(FromJson, reading);

impl ScalarUDFImpl for FromJson {
    fn name(&self) -> &str {
        self.reading.name()
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
        Ok(Arc::new(Field::new(self.name(), kind_of(structure)?, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let kind = args.return_field.data_type().clone();
        let json = args.args[0].to_array(args.number_rows)?;
        let texts = cast(&json, &DataType::LargeUtf8)?;
        let texts: Vec<Option<&str>> = texts.as_string::<i64>().iter().collect();
        Ok(ColumnarValue::Array(values(&texts, &kind, self.reading)?))
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

impl JsonWriter {
    /// Writes a value as JSON, and null for parts that do not fit the type.
    fn fitting(&mut self, value: &JsonValue<'_>, kind: &DataType) {
        match (value, kind) {
            (JsonValue::Null, _) => self.json.push_str("null"),
            (JsonValue::Array(items), DataType::List(item)) => {
                self.json.push('[');
                for (number, value) in items.iter().enumerate() {
                    self.json.push_str(if number > 0 { "," } else { "" });
                    self.fitting(value, item.data_type());
                }
                self.json.push(']');
            }
            (JsonValue::Object(values), DataType::Struct(fields)) => {
                self.json.push('{');
                let mut is_first = true;
                for field in fields {
                    let found = values.iter().find(|(name, _)| **name == **field.name());
                    let Some((name, value)) = found else { continue };
                    self.json.push_str(if is_first { "" } else { "," });
                    is_first = false;
                    write_text(name, &mut self.json);
                    self.json.push(':');
                    self.fitting(value, field.data_type());
                }
                self.json.push('}');
            }
            (JsonValue::Bool(value), DataType::Boolean) => self.json.push_str(&value.to_string()),
            (JsonValue::Str(text), kind) if kind.is_string() => write_text(text, &mut self.json),
            (JsonValue::Str(text), kind) if !kind.is_nested() => self.scalar(text.trim(), kind),
            (JsonValue::Int(number), DataType::Boolean) => {
                self.json.push_str(&(*number != 0).to_string());
            }
            (JsonValue::Int(number), kind) if kind.is_string() => {
                write_text(&number.to_string(), &mut self.json);
            }
            (JsonValue::Float(number), kind) if kind.is_string() => {
                write_text(&number.to_string(), &mut self.json);
            }
            (JsonValue::Bool(value), kind) if kind.is_string() => {
                write_text(&value.to_string(), &mut self.json);
            }
            (JsonValue::Array(_) | JsonValue::Object(_), kind) if kind.is_string() => {
                let mut inner = String::new();
                write_whole(value, &mut inner);
                write_text(&inner, &mut self.json);
            }
            (JsonValue::Int(number), kind) if kind.is_numeric() => self.integer(*number, kind),
            (JsonValue::Float(number), kind) if kind.is_numeric() => {
                self.number(Some(*number), kind);
            }
            _ => self.misfit(),
        }
    }

    /// Writes the value of a text.
    fn value(&mut self, text: &str, kind: &DataType, reading: JsonSyntax) {
        match JsonValue::parse(text.as_bytes(), false) {
            Ok(value) => self.fitting(&value, kind),
            Err(_) if reading == JsonSyntax::Json => self.misfit(),
            Err(_) => {
                let mut nested = Self::default();
                if write_nested(text, kind, &mut nested).is_some() {
                    self.json.push_str(&nested.json);
                    self.has_misfit |= nested.has_misfit;
                } else {
                    self.misfit();
                }
            }
        }
    }
}

/// Reads values.
fn values(texts: &[Option<&str>], kind: &DataType, reading: JsonSyntax) -> Result<ArrayRef> {
    let schema = Arc::new(Schema::new(vec![Field::new(COLUMN, kind.clone(), true)]));
    let mut arrays: Vec<ArrayRef> = Vec::new();
    let mut lines = JsonWriter::default();
    for text in texts {
        lines.json.push_str("{\"value\":");
        match text {
            Some(text) => lines.value(text, kind, reading),
            None => lines.json.push_str("null"),
        }
        lines.json.push_str("}\n");
        if let (Some(text), JsonSyntax::Nested, true) = (text, reading, lines.has_misfit) {
            return exec_err!(
                "cannot cast '{text}' to {}: lists are written as [a, b], structs as {{'a': 1}}; TRY_CAST returns NULL \
                 for other texts",
                type_name(kind)
            );
        }
    }
    for batch in ReaderBuilder::new(schema).build(lines.json.as_bytes())? {
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
        let (read, name) = (values.len(), reading.name());
        exec_err!("{name} read {read} values of {}", texts.len())
    }
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
        let values = values(texts, &kind_of(structure).unwrap(), JsonSyntax::Json).unwrap();
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
