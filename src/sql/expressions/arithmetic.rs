//! The operators `^`, `/` and `//`, products of intervals, and numbers and lists joined by `||`.

use std::sync::LazyLock;

use corpus_udfs::familiar::{division, interval_product};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::functions::math::expr_fn::power;
use datafusion::functions_nested::expr_fn::array_concat;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{
    Expr, ExprSchemable, Operator, ScalarUDF, binary_expr, cast, lit, when,
};
use datafusion::sql::sqlparser::ast::BinaryOperator;

/// Reports division by zero, unlike the operator for floating-point numbers.
static QUOTIENT: LazyLock<ScalarUDF> = LazyLock::new(division);

static INTERVAL_PRODUCT: LazyLock<Option<ScalarUDF>> = LazyLock::new(interval_product);

/// Plans powers and quotients as DuckDB does: `a ^ b` and `a / b` of integers and decimals are
/// floating-point numbers, and `a // b` of integers is an integer.
#[derive(Debug)]
pub struct ArithmeticPlanner;

fn is_decimal(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..)
            | DataType::Decimal256(..)
    )
}

/// The product of an interval and a number.
fn product(
    expr: RawBinaryExpr,
    order: impl FnOnce(Expr, Expr) -> (Expr, Expr),
) -> PlannerResult<RawBinaryExpr> {
    match &*INTERVAL_PRODUCT {
        Some(function) => {
            let (interval, factor) = order(expr.left, expr.right);
            PlannerResult::Planned(function.call(vec![interval, factor]))
        }
        None => PlannerResult::Original(expr),
    }
}

impl ExprPlanner for ArithmeticPlanner {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawBinaryExpr>> {
        let is_exact = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| kind.is_integer() || is_decimal(&kind))
        };
        let is_interval = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| matches!(kind, DataType::Interval(_)))
        };
        let is_number = |side: &Expr| side.get_type(schema).is_ok_and(|kind| kind.is_numeric());
        let is_list = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| matches!(kind, DataType::List(_) | DataType::LargeList(_)))
        };
        let double = |side: Expr| cast(side, DataType::Float64);
        Ok(match expr.op {
            BinaryOperator::PGExp => {
                PlannerResult::Planned(power(double(expr.left), double(expr.right)))
            }
            BinaryOperator::Divide if is_exact(&expr.left) && is_exact(&expr.right) => {
                PlannerResult::Planned(QUOTIENT.call(vec![double(expr.left), double(expr.right)]))
            }
            BinaryOperator::Multiply | BinaryOperator::Divide
                if is_interval(&expr.left) && is_number(&expr.right) =>
            {
                let factor = match expr.op {
                    BinaryOperator::Divide => {
                        binary_expr(lit(1.0), Operator::Divide, double(expr.right.clone()))
                    }
                    _ => double(expr.right.clone()),
                };
                product(expr, |left, _| (left, factor))
            }
            BinaryOperator::Multiply if is_number(&expr.left) && is_interval(&expr.right) => {
                product(expr, |left, right| (right, double(left)))
            }
            BinaryOperator::DuckIntegerDivide | BinaryOperator::MyIntegerDivide => {
                PlannerResult::Planned(binary_expr(expr.left, Operator::Divide, expr.right))
            }
            BinaryOperator::StringConcat if is_number(&expr.left) && is_number(&expr.right) => {
                PlannerResult::Original(RawBinaryExpr {
                    left: cast(expr.left, DataType::Utf8),
                    ..expr
                })
            }
            // `array_concat` takes NULL for an empty list.
            BinaryOperator::StringConcat if is_list(&expr.left) && is_list(&expr.right) => {
                let is_null = expr.left.clone().is_null().or(expr.right.clone().is_null());
                let joined = array_concat(vec![expr.left, expr.right]);
                PlannerResult::Planned(when(is_null, lit(ScalarValue::Null)).otherwise(joined)?)
            }
            _ => PlannerResult::Original(expr),
        })
    }
}
