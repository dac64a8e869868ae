//! `coalesce` of different types. DataFusion refuses dates, times and booleans beside texts, which
//! it compares.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::functions::core::coalesce;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::type_coercion::binary::comparison_coercion;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature,
};

use super::as_inner::named_as_inner;

/// The first value that is not NULL.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Coalesce {
    inner: Arc<ScalarUDF>,
}

pub fn function() -> ScalarUDF {
    let inner = coalesce();
    Coalesce { inner }.into()
}

/// The type in which two values can be compared. Texts are read as booleans beside a boolean.
fn common_type(one: &DataType, other: &DataType) -> Option<DataType> {
    match (one, other) {
        (DataType::Boolean, kind) | (kind, DataType::Boolean) if kind.is_string() => {
            Some(DataType::Boolean)
        }
        _ => comparison_coercion(one, other),
    }
}

impl ScalarUDFImpl for Coalesce {
    named_as_inner!();

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(arg_types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.inner.return_field_from_args(args)
    }

    fn simplify(&self, args: Vec<Expr>, info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        self.inner.simplify(args, info)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.inner.invoke_with_args(args)
    }

    fn conditional_arguments<'a>(
        &self,
        args: &'a [Expr],
    ) -> Option<(Vec<&'a Expr>, Vec<&'a Expr>)> {
        self.inner.conditional_arguments(args)
    }

    fn short_circuits(&self) -> bool {
        self.inner.short_circuits()
    }

    /// The type of all values: DataFusion's choice, or a type in which all can be compared.
    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        if arg_types.is_empty() {
            return plan_err!("coalesce needs at least one value");
        }
        self.inner.coerce_types(arg_types).or_else(|_| {
            let mut common = arg_types[0].clone();
            for kind in &arg_types[1..] {
                common = common_type(&common, kind).ok_or_else(|| {
                    plan_datafusion_err!("coalesce cannot choose between {common} and {kind}")
                })?;
            }
            Ok(vec![common; arg_types.len()])
        })
    }
}
