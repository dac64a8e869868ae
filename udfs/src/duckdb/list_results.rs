//! `array_concat`, `array_max` and `array_min` with the type that they declare. DataFusion's fail
//! for lists of texts without rows, and for items that are not called `item`.

use std::sync::Arc;

use datafusion::arrow::array::new_empty_array;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::functions_nested::concat::array_concat_udf;
use datafusion::functions_nested::min_max::{array_max_udf, array_min_udf};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};

use super::as_inner::named_as_inner;

#[derive(Debug, PartialEq, Eq, Hash)]
struct Declared {
    inner: Arc<ScalarUDF>,
}

pub fn functions() -> [ScalarUDF; 3] {
    [array_concat_udf(), array_max_udf(), array_min_udf()].map(|inner| Declared { inner }.into())
}

impl ScalarUDFImpl for Declared {
    named_as_inner!();

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(arg_types)
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(arg_types)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let kind = args.return_field.data_type().clone();
        if args.number_rows == 0 {
            return Ok(ColumnarValue::Array(new_empty_array(&kind)));
        }
        self.inner
            .inner()
            .invoke_with_args(args)?
            .cast_to(&kind, None)
    }
}
