//! `to_json` and casts to JSON.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeStringArray, LargeStringBuilder, StructArray, make_array,
};
use datafusion::arrow::compute::cast as cast_array;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::writer::{
    Encoder, EncoderFactory, EncoderOptions, NullableEncoder, make_encoder,
};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use super::json_writer::write_text;
use super::type_names::type_name;
use super::value_text;
use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};
use crate::json::compacted;

/// The name of the field of structs that hold marked JSON.
const JSON_VALUE: &str = "value of json_value_of_text";

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        "to_json",
        document(
            SECTION,
            "to_json(value)",
            "Writes a value as JSON: structs as objects, lists as arrays.",
            "> SELECT to_json({a: 1, b: ['x']});\n{\"a\":1,\"b\":[\"x\"]}",
            &[(
                "value",
                "Texts, numbers, booleans, dates, times, and lists and structs of these.",
            )],
        ),
        |given| match given {
            [value] => check(value).map(|()| given.to_vec()),
            _ => plan_err!("to_json takes 1 argument, not {}", given.len()),
        },
        |_| Ok(DataType::LargeUtf8),
        to_json,
    )
    .into()
}

/// The function of casts to JSON.
pub fn cast() -> ScalarUDF {
    AnyTyped::new(
        "json_cast",
        document(
            INTERNAL,
            "json_cast(value)",
            "Returns a text as it is, and other values as `to_json` does. `value::JSON` is the usual form.",
            "> SELECT json_cast({a: 1}), json_cast('[1]');\n{\"a\":1}, [1]",
            &[("value", "A value of a type that `to_json` takes.")],
        ),
        |given| match given {
            [value] => check(value).map(|()| given.to_vec()),
            _ => plan_err!("json_cast takes 1 argument, not {}", given.len()),
        },
        |given| match given {
            [text] if text.is_string() => Ok(text.clone()),
            _ => Ok(DataType::LargeUtf8),
        },
        |args| match args {
            [text] if text.data_type().is_string() => Ok(Arc::clone(text)),
            _ => to_json(args),
        },
    )
    .into()
}

/// The function that marks texts as JSON for `to_json`.
pub fn json_value_of_text() -> ScalarUDF {
    AnyTyped::new(
        "json_value_of_text",
        document(
            INTERNAL,
            "json_value_of_text(json)",
            "Marks JSON, which `to_json` then writes as a value and not as a text.",
            "> SELECT to_json({a: json_value_of_text('[1]')});\n{\"a\":[1]}",
            &[("json", "A text, or a list of texts.")],
        ),
        |given| Ok(given.to_vec()),
        |given| Ok(marked_type(&given[0])),
        |args| marked(&args[0]),
    )
    .into()
}

fn marked_type(kind: &DataType) -> DataType {
    let marked_item = |item: &FieldRef| {
        let kind = marked_type(item.data_type());
        Arc::new(item.as_ref().clone().with_data_type(kind))
    };
    match kind {
        DataType::List(item) => DataType::List(marked_item(item)),
        DataType::LargeList(item) => DataType::LargeList(marked_item(item)),
        _ => DataType::Struct(
            [Field::new(JSON_VALUE, DataType::LargeUtf8, true)]
                .into_iter()
                .collect(),
        ),
    }
}

fn marked(values: &ArrayRef) -> Result<ArrayRef> {
    let kind = marked_type(values.data_type());
    Ok(match &kind {
        DataType::Struct(fields) => {
            let texts = cast_array(values, &DataType::LargeUtf8)?;
            let nulls = texts.logical_nulls();
            Arc::new(StructArray::try_new(fields.clone(), vec![texts], nulls)?)
        }
        _ => {
            let items = match values.data_type() {
                DataType::List(_) => values.as_list::<i32>().values(),
                _ => values.as_list::<i64>().values(),
            };
            let data = values.to_data().into_builder().data_type(kind.clone());
            make_array(data.child_data(vec![marked(items)?.to_data()]).build()?)
        }
    })
}

/// Whether a field holds marked JSON.
fn is_marked(kind: &DataType) -> bool {
    matches!(kind, DataType::Struct(fields) if fields.len() == 1 && fields[0].name() == JSON_VALUE)
}

fn to_json(args: &[ArrayRef]) -> Result<ArrayRef> {
    let values = &args[0];
    let field = Arc::new(Field::new("value", values.data_type().clone(), true));
    let options = EncoderOptions::default()
        .with_explicit_nulls(true)
        .with_encoder_factory(Arc::new(Texts));
    let mut encoder = make_encoder(&field, values.as_ref(), &options)?;
    let mut texts = LargeStringBuilder::new();
    let mut text = Vec::new();
    for row in 0..values.len() {
        if encoder.is_null(row) || values.is_null(row) {
            texts.append_null();
            continue;
        }
        text.clear();
        encoder.encode(row, &mut text);
        match std::str::from_utf8(&text) {
            Ok(text) => texts.append_value(text),
            Err(error) => return exec_err!("to_json: {error}"),
        }
    }
    Ok(Arc::new(texts.finish()))
}

/// Writes times as casts to text do, and marked JSON as it is.
#[derive(Debug)]
struct Texts;

impl EncoderFactory for Texts {
    fn make_default_encoder<'a>(
        &self,
        _field: &'a FieldRef,
        array: &'a dyn Array,
        _options: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        let encoder: Box<dyn Encoder> = match array.data_type() {
            DataType::Timestamp(..) | DataType::Interval(_) | DataType::Duration(_) => {
                let texts = value_text::texts(&make_array(array.to_data()))?;
                Box::new(TimeTexts(texts.as_string().clone()))
            }
            kind if is_marked(kind) => {
                Box::new(JsonTexts(array.as_struct().column(0).as_string().clone()))
            }
            _ => return Ok(None),
        };
        Ok(Some(NullableEncoder::new(encoder, array.nulls().cloned())))
    }
}

/// The texts of times, which have no characters to escape.
struct TimeTexts(LargeStringArray);

impl Encoder for TimeTexts {
    fn encode(&mut self, row: usize, json: &mut Vec<u8>) {
        json.push(b'"');
        json.extend_from_slice(self.0.value(row).as_bytes());
        json.push(b'"');
    }
}

/// Texts that are JSON. Others become strings.
struct JsonTexts(LargeStringArray);

impl Encoder for JsonTexts {
    fn encode(&mut self, row: usize, json: &mut Vec<u8>) {
        let text = self.0.value(row);
        let value = compacted(text).unwrap_or_else(|| {
            let mut string = String::new();
            write_text(text, &mut string);
            string
        });
        json.extend_from_slice(value.as_bytes());
    }
}

/// Refuses types that DuckDB writes in another way.
fn check(kind: &DataType) -> Result<()> {
    match kind {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            check(item.data_type())
        }
        DataType::Struct(fields) => fields.iter().try_for_each(|field| check(field.data_type())),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(entry) if entry[0].data_type().is_string() => {
                check(entry[1].data_type())
            }
            _ => {
                plan_err!("to_json takes maps whose keys are texts: cast the others to text first")
            }
        },
        kind if kind.is_string()
            || kind.is_integer()
            || kind.is_null()
            || matches!(
                kind,
                DataType::Boolean
                    | DataType::Float32
                    | DataType::Float64
                    | DataType::Decimal32(..)
                    | DataType::Decimal64(..)
                    | DataType::Decimal128(..)
                    | DataType::Decimal256(..)
                    | DataType::Date32
                    | DataType::Timestamp(..)
                    | DataType::Interval(_)
                    | DataType::Duration(_)
            ) =>
        {
            Ok(())
        }
        other => plan_err!(
            "to_json does not write {}: cast it to text first",
            type_name(other)
        ),
    }
}
