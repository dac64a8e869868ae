//! `octet_length`, for text and bytes.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::length::length;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::types::{logical_binary, logical_string};
use datafusion::logical_expr::{
    Coercion, ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature,
    TypeSignature, TypeSignatureClass, Volatility,
};
use datafusion_macros::user_doc;

/// The number of bytes of each value.
pub(super) fn byte_lengths(values: &ArrayRef) -> Result<ArrayRef> {
    let lengths = length(values.as_ref())?;
    Ok(cast(&lengths, &DataType::Int64)?)
}

/// Replaces DataFusion's function, which accepts text only.
#[user_doc(
    doc_section(label = "Binary String Functions"),
    description = "Returns the number of bytes of a text or of binary data.",
    syntax_example = "octet_length(value)",
    sql_example = r#"```sql
> SELECT octet_length('日本'), octet_length(x'0102FF');
6, 3
```"#,
    argument(
        name = "value",
        description = "Text or binary data, such as a body or a file's content."
    )
)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct OctetLength {
    signature: Signature,
}

impl Default for OctetLength {
    fn default() -> Self {
        let exact = |kind| Coercion::new_exact(TypeSignatureClass::Native(kind));
        Self {
            signature: Signature::one_of(
                vec![
                    TypeSignature::Coercible(vec![exact(logical_string())]),
                    TypeSignature::Coercible(vec![exact(logical_binary())]),
                ],
                Volatility::Immutable,
            ),
        }
    }
}

impl ScalarUDFImpl for OctetLength {
    fn name(&self) -> &str {
        "octet_length"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        Ok(ColumnarValue::Array(byte_lengths(&arrays[0])?))
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.doc()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{BinaryArray, BinaryViewArray, Int64Array, LargeStringArray};
    use std::sync::Arc;

    #[test]
    fn bytes_are_counted_not_characters() {
        let arrays: [ArrayRef; 3] = [
            Arc::new(LargeStringArray::from(vec![Some("日本"), None])),
            Arc::new(BinaryArray::from(vec![Some(&b"\xff\x00abcd"[..]), None])),
            Arc::new(BinaryViewArray::from(vec![
                Some(&b"\xff\x00abcd"[..]),
                None,
            ])),
        ];
        let expected: ArrayRef = Arc::new(Int64Array::from(vec![Some(6), None]));
        for array in arrays {
            assert_eq!(&byte_lengths(&array).unwrap(), &expected);
        }
    }
}
