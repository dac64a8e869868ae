//! The types of columns, from parsed records.
//!
//! Arrow's own inference makes a list of a field that is a text in one record and a list in
//! another; its reader then refuses the text. For objects beside other values, the inference fails.
//! Here, these fields are text. So are objects that are empty in all records.

use std::collections::BTreeMap;

use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema};
use serde_json::{Map, Value};

/// The columns of records.
#[derive(Debug, Default)]
pub struct Columns(BTreeMap<String, Type>);

impl Columns {
    /// Adds a record.
    pub fn add(&mut self, record: Map<String, Value>) {
        add_fields(&mut self.0, fields_of(record));
    }

    pub fn schema(&self) -> Schema {
        Schema::new(fields(&self.0))
    }
}

#[derive(Debug, PartialEq)]
enum Type {
    Null,
    Boolean,
    Integer,
    Float,
    /// Also the type of all other mixtures.
    Text,
    List(Box<Type>),
    Struct(BTreeMap<String, Type>),
}

impl Type {
    fn of(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_i64() => Self::Integer,
            Value::Number(_) => Self::Float,
            Value::String(_) => Self::Text,
            Value::Array(items) => {
                let items = items.into_iter().map(Self::of);
                Self::List(Box::new(items.fold(Self::Null, Self::merge)))
            }
            Value::Object(record) => Self::Struct(fields_of(record)),
        }
    }

    /// Returns the type of a column that has values of both types.
    fn merge(self, other: Self) -> Self {
        match (self, other) {
            (Self::Null, other) | (other, Self::Null) => other,
            (Self::Boolean, Self::Boolean) => Self::Boolean,
            (Self::Integer, Self::Integer) => Self::Integer,
            (Self::Integer | Self::Float, Self::Integer | Self::Float) => Self::Float,
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.merge(*other))),
            (Self::Struct(mut one), Self::Struct(other)) => {
                add_fields(&mut one, other);
                Self::Struct(one)
            }
            _ => Self::Text,
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Null => DataType::Null,
            Self::Boolean => DataType::Boolean,
            Self::Integer => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::Text => DataType::Utf8,
            Self::List(item) => DataType::new_list(item.data_type(), true),
            // Parquet has no structs without fields, and records that come later may have some.
            Self::Struct(columns) if columns.is_empty() => DataType::Utf8,
            Self::Struct(columns) => DataType::Struct(fields(columns)),
        }
    }
}

fn fields_of(record: Map<String, Value>) -> BTreeMap<String, Type> {
    let fields = record.into_iter();
    fields.map(|(key, value)| (key, Type::of(value))).collect()
}

fn add_fields(columns: &mut BTreeMap<String, Type>, others: BTreeMap<String, Type>) {
    for (key, other) in others {
        let column = columns.entry(key).or_insert(Type::Null);
        *column = std::mem::replace(column, Type::Null).merge(other);
    }
}

fn fields(columns: &BTreeMap<String, Type>) -> Fields {
    let fields = columns.iter();
    let fields = fields.map(|(name, kind)| Field::new(name, kind.data_type(), true));
    fields.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_of(records: &[&str]) -> String {
        let mut columns = Columns::default();
        for record in records {
            let Value::Object(record) = serde_json::from_str(record).unwrap() else {
                panic!("{record}");
            };
            columns.add(record);
        }
        columns.schema().field(0).data_type().to_string()
    }

    #[test]
    fn mixtures_are_texts() {
        for (records, expected) in [
            (&[r#"{"a":1}"#, r#"{"a":2}"#][..], "Int64"),
            (&[r#"{"a":1}"#, r#"{"a":null}"#, r#"{"a":2.5}"#], "Float64"),
            (&[r#"{"a":1}"#, r#"{"a":"x"}"#], "Utf8"),
            (&[r#"{"a":true}"#, r#"{"a":1}"#], "Utf8"),
            (&[r#"{"a":null}"#], "Null"),
            (&[r#"{"a":"x"}"#, r#"{"a":["x"]}"#], "Utf8"),
            (&[r#"{"a":["x"]}"#, r#"{"a":"x"}"#], "Utf8"),
            (&[r#"{"a":{"b":1}}"#, r#"{"a":"x"}"#], "Utf8"),
            (&[r#"{"a":{"b":1}}"#, r#"{"a":[1]}"#], "Utf8"),
            (&[r#"{"a":[]}"#, r#"{"a":[1, null]}"#], "List(Int64)"),
            (&[r#"{"a":[1, "x", {"b": 2}]}"#], "List(Utf8)"),
            (&[r#"{"a":[[1]]}"#, r#"{"a":[2]}"#], "List(Utf8)"),
            (
                &[r#"{"a":{"b":1}}"#, r#"{"a":{"b":{}, "c":[]}}"#],
                r#"Struct("b": Utf8, "c": List(Null))"#,
            ),
            (&[r#"{"a":{}}"#, r#"{"a":null}"#], "Utf8"),
            (&[r#"{"a":[{}, {}]}"#, r#"{"a":[]}"#], "List(Utf8)"),
            (&[r#"{"a":{"b":{}}}"#], r#"Struct("b": Utf8)"#),
            (
                &[r#"{"a":{}}"#, r#"{"a":{"b":1}}"#],
                r#"Struct("b": Int64)"#,
            ),
        ] {
            assert_eq!(type_of(records), expected, "{records:?}");
        }
    }
}
