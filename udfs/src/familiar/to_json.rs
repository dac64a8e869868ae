//! `to_json`.

use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, LargeStringArray, LargeStringBuilder, make_array};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::writer::{
    Encoder, EncoderFactory, EncoderOptions, NullableEncoder, make_encoder,
};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::SECTION;
use super::type_names::type_name;
use super::value_text;
use crate::function::document;

/// Takes values of any type, unlike a [`Function`](crate::function::Function).
#[derive(Debug)]
pub struct ToJson {
    signature: Signature,
    documentation: Documentation,
}

impl Default for ToJson {
    fn default() -> Self {
        Self {
            signature: Signature::user_defined(Volatility::Immutable),
            documentation: document(
                SECTION,
                "to_json(value)",
                "Writes a value as JSON: structs as objects, lists as arrays.",
                "> SELECT to_json({a: 1, b: ['x']});\n{\"a\":1,\"b\":[\"x\"]}",
                &[(
                    "value",
                    "Texts, numbers, booleans, dates, times, and lists and structs of these.",
                )],
            ),
        }
    }
}

/// Equal to every other one.
impl PartialEq for ToJson {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for ToJson {}

impl std::hash::Hash for ToJson {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl ScalarUDFImpl for ToJson {
    fn name(&self) -> &str {
        "to_json"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let [value] = given else {
            return plan_err!("to_json takes 1 argument, not {}", given.len());
        };
        check(value)?;
        Ok(given.to_vec())
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::LargeUtf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let values = &arrays[0];
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
        Ok(ColumnarValue::Array(Arc::new(texts.finish())))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
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
