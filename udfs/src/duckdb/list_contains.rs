//! `list_contains` of lists with NULL. DataFusion rewrites it to IN, whose result is NULL where the
//! function returns false.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::length::length;
use datafusion::arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_nested::array_has::array_has_udf;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, in_list,
};

use super::as_inner::named_as_inner;

/// Whether a list has an item.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ListContains {
    inner: Arc<ScalarUDF>,
}

pub fn function() -> ScalarUDF {
    let inner = array_has_udf();
    ListContains { inner }.into()
}

/// The items of a constant list that are not NULL.
fn constant_items(list: &Expr) -> Option<Vec<Expr>> {
    let Expr::Literal(list @ (ScalarValue::List(_) | ScalarValue::LargeList(_)), _) = list else {
        return None;
    };
    if list.is_null() {
        return None;
    }
    let rows = ScalarValue::convert_array_to_scalar_vec(&list.to_array().ok()?).ok()?;
    let items = rows.into_iter().flatten().flatten();
    let items = items.filter(|item| !item.is_null());
    Some(items.map(|item| Expr::Literal(item, None)).collect())
}

impl ScalarUDFImpl for ListContains {
    named_as_inner!();

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(arg_types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.inner.return_field_from_args(args)
    }

    /// IN a constant list is faster: the list does not vary by row.
    fn simplify(&self, args: Vec<Expr>, _info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        if let [list, item] = args.as_slice()
            && let Some(items) = constant_items(list)
            && !items.is_empty()
        {
            let choice = in_list(item.clone(), items, false);
            return Ok(ExprSimplifyResult::Simplified(choice));
        }
        Ok(ExprSimplifyResult::Original(args))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let (list, rows) = (args.args.first().cloned(), args.number_rows);
        let found = self.inner.invoke_with_args(args)?;
        match (list, found) {
            (Some(list), ColumnarValue::Array(found)) if found.null_count() > 0 => {
                let found = without_items(&list.to_array(rows)?, found.as_boolean())?;
                Ok(ColumnarValue::Array(found))
            }
            (Some(ColumnarValue::Scalar(list)), ColumnarValue::Scalar(found))
                if found.is_null() =>
            {
                let found = without_items(&list.to_array()?, &BooleanArray::new_null(1))?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(
                    &found, 0,
                )?))
            }
            (_, found) => Ok(found),
        }
    }
}

/// Returns false for empty lists, which do not contain NULL either.
fn without_items(lists: &ArrayRef, found: &BooleanArray) -> Result<ArrayRef> {
    let lengths = length(lists)?;
    let lengths = cast(&lengths, &DataType::Int64)?;
    let lengths = lengths.as_primitive::<Int64Type>().iter();
    let found = lengths.zip(found).map(|(length, found)| match length {
        Some(0) => Some(false),
        _ => found,
    });
    Ok(Arc::new(found.collect::<BooleanArray>()))
}
