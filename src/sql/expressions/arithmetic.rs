//! The operators `^`, `/` and `//`.

use std::sync::LazyLock;

use corpus_udfs::familiar::division;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result};
use datafusion::functions::math::expr_fn::power;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, Operator, ScalarUDF, binary_expr, cast};
use datafusion::sql::sqlparser::ast::BinaryOperator;

/// Reports division by zero, unlike the operator for floating-point numbers.
static QUOTIENT: LazyLock<ScalarUDF> = LazyLock::new(division);

/// Plans powers and quotients as DuckDB does: `a ^ b` and `a / b` of integers are floating-point
/// numbers, and `a // b` of integers is an integer.
#[derive(Debug)]
pub struct ArithmeticPlanner;

impl ExprPlanner for ArithmeticPlanner {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawBinaryExpr>> {
        let is_integer = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| kind.is_integer())
        };
        let double = |side: Expr| cast(side, DataType::Float64);
        Ok(match expr.op {
            BinaryOperator::PGExp => {
                PlannerResult::Planned(power(double(expr.left), double(expr.right)))
            }
            BinaryOperator::Divide if is_integer(&expr.left) && is_integer(&expr.right) => {
                PlannerResult::Planned(QUOTIENT.call(vec![double(expr.left), double(expr.right)]))
            }
            BinaryOperator::DuckIntegerDivide | BinaryOperator::MyIntegerDivide => {
                PlannerResult::Planned(binary_expr(expr.left, Operator::Divide, expr.right))
            }
            _ => PlannerResult::Original(expr),
        })
    }
}
