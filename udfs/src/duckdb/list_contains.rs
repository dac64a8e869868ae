//! `list_contains` of lists with NULL. DataFusion rewrites it to IN, whose result is NULL where the
//! function returns false.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, FieldRef};
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
        self.inner.invoke_with_args(args)
    }
}
