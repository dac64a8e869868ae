//! `to_json` and casts to JSON.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeStringArray, LargeStringBuilder, make_array,
};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::writer::{
    Encoder, EncoderFactory, EncoderOptions, NullableEncoder, make_encoder,
};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use super::type_names::type_name;
use super::value_text;
use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

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

fn to_json(args: &[ArrayRef]) -> Result<ArrayRef> {
    let values = &args[0];
    let field = Arc::new(Field::new("value", values.data_type().clone(), true));
    let options = EncoderOptions::default()
        .with_explicit_nulls(true)
        .with_encoder_factory(Arc::new(Times));
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

/// Writes timestamps and intervals as casts to text do.
#[derive(Debug)]
struct Times;

impl EncoderFactory for Times {
    fn make_default_encoder<'a>(
        &self,
        _field: &'a FieldRef,
        array: &'a dyn Array,
        _options: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        if !matches!(
            array.data_type(),
            DataType::Timestamp(..) | DataType::Interval(_)
        ) {
            return Ok(None);
        }
        let texts = value_text::texts(&make_array(array.to_data()))?;
        let texts = TimeTexts(texts.as_string().clone());
        let encoder = NullableEncoder::new(Box::new(texts), array.nulls().cloned());
        Ok(Some(encoder))
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
