//! The operator `^`.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result};
use datafusion::functions::math::expr_fn::power;
use datafusion::logical_expr::cast;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::sql::sqlparser::ast::BinaryOperator;

/// Plans `a ^ b` as a power of floating-point numbers, as DuckDB does.
#[derive(Debug)]
pub struct PowerPlanner;

impl ExprPlanner for PowerPlanner {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        _schema: &DFSchema,
    ) -> Result<PlannerResult<RawBinaryExpr>> {
        if expr.op != BinaryOperator::PGExp {
            return Ok(PlannerResult::Original(expr));
        }
        let base = cast(expr.left, DataType::Float64);
        let exponent = cast(expr.right, DataType::Float64);
        Ok(PlannerResult::Planned(power(base, exponent)))
    }
}
