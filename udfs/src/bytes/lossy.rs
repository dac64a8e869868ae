//! Bytes read as UTF-8, with U+FFFD in place of invalid sequences. Patterns match on this text.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, GenericBinaryArray, GenericStringArray, OffsetSizeTrait,
    StringViewArray,
};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

/// The UTF-8 length of U+FFFD. One invalid byte expands to at most this many bytes.
const REPLACEMENT_BYTES: usize = 3;

/// Returns the text type with the same layout as a binary type.
pub fn text_type(binary: &DataType) -> Option<DataType> {
    match binary {
        DataType::Binary => Some(DataType::Utf8),
        DataType::LargeBinary => Some(DataType::LargeUtf8),
        DataType::BinaryView => Some(DataType::Utf8View),
        _ => None,
    }
}

/// Converts binary values to text. Valid UTF-8 is not copied.
pub fn to_text(values: &ArrayRef) -> Result<ArrayRef> {
    match values.data_type() {
        DataType::Binary => from_binary::<i32>(values.as_binary()),
        DataType::LargeBinary => from_binary::<i64>(values.as_binary()),
        DataType::BinaryView => {
            let values = values.as_binary_view();
            Ok(match values.clone().to_string_view() {
                Ok(text) => Arc::new(text),
                Err(_) => {
                    let text = values
                        .iter()
                        .map(|value| value.map(String::from_utf8_lossy));
                    Arc::new(StringViewArray::from_iter(text))
                }
            })
        }
        other => exec_err!("expected binary data, got {other}"),
    }
}

fn from_binary<O: OffsetSizeTrait>(values: &GenericBinaryArray<O>) -> Result<ArrayRef> {
    if let Ok(text) = GenericStringArray::try_from_binary(values.clone()) {
        return Ok(Arc::new(text));
    }
    let bytes: usize = values.iter().flatten().map(<[u8]>::len).sum();
    if O::from_usize(bytes.saturating_mul(REPLACEMENT_BYTES)).is_none() {
        return exec_err!("{bytes} bytes in one batch are too many to match a pattern");
    }
    let text = values
        .iter()
        .map(|value| value.map(String::from_utf8_lossy));
    Ok(Arc::new(GenericStringArray::<O>::from_iter(text)))
}

/// Converts a binary argument to text.
pub fn value_to_text(value: &ColumnarValue) -> Result<ColumnarValue> {
    Ok(match value {
        ColumnarValue::Array(values) => ColumnarValue::Array(to_text(values)?),
        ColumnarValue::Scalar(scalar) => {
            let text = to_text(&scalar.to_array()?)?;
            ColumnarValue::Scalar(ScalarValue::try_from_array(&text, 0)?)
        }
    })
}

/// The function that the planner wraps around the binary operands of `LIKE` and regex operators.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Utf8Lossy {
    signature: Signature,
}

impl Default for Utf8Lossy {
    fn default() -> Self {
        Self {
            signature: Signature::any(1, Volatility::Immutable),
        }
    }
}

impl ScalarUDFImpl for Utf8Lossy {
    fn name(&self) -> &str {
        "utf8_lossy"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        match arg_types.first().and_then(text_type) {
            Some(text) => Ok(text),
            None => plan_err!("utf8_lossy expects binary data"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match args.args.first() {
            Some(value) => value_to_text(value),
            None => exec_err!("utf8_lossy expects one argument"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{BinaryArray, BinaryViewArray, LargeBinaryArray};
    use datafusion::arrow::compute::cast;

    #[test]
    fn invalid_sequences_are_replaced_in_every_layout() {
        let values = [Some(&b"a\xffb"[..]), None, Some("日".as_bytes()), Some(b"")];
        let expected = [Some("a\u{fffd}b"), None, Some("日"), Some("")];
        let arrays: [ArrayRef; 3] = [
            Arc::new(BinaryArray::from_iter(values)),
            Arc::new(LargeBinaryArray::from_iter(values)),
            Arc::new(BinaryViewArray::from_iter(values)),
        ];
        for array in arrays {
            let text = to_text(&array).unwrap();
            assert_eq!(
                Some(text.data_type()),
                text_type(array.data_type()).as_ref()
            );
            let text = cast(&text, &DataType::Utf8).unwrap();
            let text: Vec<_> = text.as_string::<i32>().iter().collect();
            assert_eq!(text, expected);
            // A slice sees only its own values.
            let valid = to_text(&array.slice(1, 2)).unwrap();
            assert_eq!((valid.len(), valid.null_count()), (2, 1));
        }
    }
}
