//! `list_has_all` and `list_has_any` of lists that are NULL, whose result is NULL. DataFusion takes
//! them for empty lists.

use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, BooleanArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::functions_nested::array_has::{array_has_all_udf, array_has_any_udf};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature,
};

use super::as_inner::named_as_inner;

/// Whether a list has all, or any, items of another one.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ListOverlaps {
    inner: Arc<ScalarUDF>,
}

pub fn functions() -> Vec<ScalarUDF> {
    [array_has_all_udf(), array_has_any_udf()]
        .map(|inner| ListOverlaps { inner }.into())
        .to_vec()
}

impl ScalarUDFImpl for ListOverlaps {
    named_as_inner!();

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(given)
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.inner.return_type(given)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let field = self.inner.return_field_from_args(args)?;
        Ok(Arc::new(field.as_ref().clone().with_nullable(true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let lists = args.args.iter().map(|list| list.to_array(rows));
        let lists = lists.collect::<Result<Vec<_>>>()?;
        let found = self.inner.invoke_with_args(args)?.into_array(rows)?;
        let nulls = lists.iter().fold(found.nulls().cloned(), |nulls, list| {
            NullBuffer::union(nulls.as_ref(), list.logical_nulls().as_ref())
        });
        let values = found.as_boolean().values().clone();
        Ok(ColumnarValue::Array(Arc::new(BooleanArray::new(
            values, nulls,
        ))))
    }
}
