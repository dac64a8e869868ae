//! The operators `^`, `/` and `//`, products of intervals, and numbers and lists joined by `||`.

use std::sync::LazyLock;

use corpus_udfs::duckdb::{Checked, checked, division, interval_order, interval_product};
use datafusion::arrow::datatypes::IntervalUnit::MonthDayNano;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
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

static PRODUCT: LazyLock<ScalarUDF> = LazyLock::new(|| checked(Checked::Multiply));

static INTERVAL_ORDER: LazyLock<Option<ScalarUDF>> = LazyLock::new(interval_order);

static INTERVAL_PRODUCT: LazyLock<Option<ScalarUDF>> = LazyLock::new(interval_product);

/// The maximum number of places by which the bits of a `BIGINT` move.
const MAX_SHIFT: i64 = 63;

/// Plans powers and quotients as DuckDB does: `a ^ b` and `a / b` of integers and decimals are
/// floating-point numbers, `a // b` of integers is an integer, and differences have a sign.
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

/// A number as a literal of 32 bits. Other expressions stay.
pub fn single(expr: Expr) -> Expr {
    match expr {
        Expr::Literal(ScalarValue::Float64(Some(number)), _) => lit(number as f32),
        other => other,
    }
}

/// Compares FLOAT columns with FLOAT literals: `x = 0.1` is true for `0.1::FLOAT`, but not for the
/// same number as DOUBLE.
fn in_32_bits(expr: RawBinaryExpr, schema: &DFSchema) -> RawBinaryExpr {
    let is_single = |side: &Expr| {
        let kind = side.get_type(schema);
        kind.is_ok_and(|kind| kind == DataType::Float32)
    };
    let (is_left, is_right) = (is_single(&expr.left), is_single(&expr.right));
    RawBinaryExpr {
        left: if is_right {
            single(expr.left)
        } else {
            expr.left
        },
        right: if is_left {
            single(expr.right)
        } else {
            expr.right
        },
        op: expr.op,
    }
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

/// Shifts bits. More than all bits leave 0, where DataFusion shifts by the rest of the division by
/// their number.
fn shifted(expr: RawBinaryExpr, operator: Operator) -> Result<Expr> {
    let shifted = binary_expr(expr.left, operator, expr.right.clone());
    match &expr.right {
        Expr::Literal(ScalarValue::Int64(Some(0..=MAX_SHIFT)), _) => Ok(shifted),
        places => when(
            places.clone().not_between(lit(0_i64), lit(MAX_SHIFT)),
            lit(0_i64),
        )
        .otherwise(shifted),
    }
}

/// Whether an interval may have hours, minutes or seconds.
fn has_time(interval: &Expr) -> bool {
    const DAY: i64 = 86_400_000_000_000;
    match interval {
        Expr::Literal(ScalarValue::IntervalMonthDayNano(Some(it)), _) => it.nanoseconds % DAY != 0,
        Expr::Literal(ScalarValue::IntervalYearMonth(_), _) => false,
        Expr::ScalarFunction(call) if call.func.name() == "interval_of" => {
            let unit = call.args.get(1).and_then(Expr::as_literal);
            let unit = unit.and_then(|unit| unit.try_as_str().flatten());
            let unit = unit.unwrap_or_default().to_lowercase();
            let days = ["day", "week", "month", "quarter", "year"];
            !days.contains(&unit.trim_end_matches('s'))
        }
        Expr::ScalarFunction(call) if call.func.name() == "interval_times" => {
            !call.args.iter().any(is_whole) || call.args.first().is_none_or(has_time)
        }
        _ => true,
    }
}

fn is_whole(number: &Expr) -> bool {
    match number {
        Expr::Literal(ScalarValue::Int64(_), _) => true,
        Expr::Literal(ScalarValue::Float64(Some(number)), _) => number.fract() == 0.0,
        Expr::Cast(cast) => is_whole(&cast.expr),
        _ => false,
    }
}

/// Shifts bits to the left as a product, which fails if bits are lost.
fn shifted_left(expr: RawBinaryExpr) -> Result<Expr> {
    let name = format!(
        "{} << {}",
        expr.left.schema_name(),
        expr.right.schema_name()
    );
    let value = cast(expr.left.clone(), DataType::Int64);
    let product = |factor: Expr| PRODUCT.call(vec![value, factor]);
    let shifted = match &expr.right {
        Expr::Literal(ScalarValue::Int64(Some(places @ 0..MAX_SHIFT)), _) => {
            product(lit(1_i64 << places))
        }
        places => {
            let places = cast(places.clone(), DataType::Int64);
            let factor = binary_expr(lit(1_i64), Operator::BitwiseShiftLeft, places.clone());
            when(
                places.between(lit(0_i64), lit(MAX_SHIFT - 1)),
                product(factor),
            )
            .otherwise(shifted(expr, Operator::BitwiseShiftLeft)?)?
        }
    };
    Ok(shifted.alias(name))
}

/// Compares the lengths of intervals: 24 hours are a day, and 30 days are a month.
fn by_length(expr: RawBinaryExpr) -> RawBinaryExpr {
    let Some(length) = &*INTERVAL_ORDER else {
        return expr;
    };
    // Differences of timestamps have another type.
    let length = |time| length.call(vec![cast(time, DataType::Interval(MonthDayNano))]);
    RawBinaryExpr {
        left: length(expr.left),
        right: length(expr.right),
        op: expr.op,
    }
}

impl ExprPlanner for ArithmeticPlanner {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawBinaryExpr>> {
        let expr = in_32_bits(expr, schema);
        let is_exact = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| kind.is_integer() || is_decimal(&kind))
        };
        let is_interval = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| matches!(kind, DataType::Interval(_)))
        };
        let is_time = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| matches!(kind, DataType::Interval(_) | DataType::Duration(_)))
        };
        let is_number = |side: &Expr| side.get_type(schema).is_ok_and(|kind| kind.is_numeric());
        let is_list = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| matches!(kind, DataType::List(_) | DataType::LargeList(_)))
        };
        let is_unsigned = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| kind.is_unsigned_integer())
        };
        let is_date = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| kind == DataType::Date32)
        };
        let instant = |side: Expr| cast(side, DataType::Timestamp(TimeUnit::Microsecond, None));
        let is_signed = |side: &Expr| {
            let kind = side.get_type(schema);
            kind.is_ok_and(|kind| kind.is_signed_integer())
        };
        let signed = |side: Expr| cast(side, DataType::Int64);
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
            // DataFusion drops the hours of the sum.
            BinaryOperator::Plus | BinaryOperator::Minus
                if is_date(&expr.left) && is_interval(&expr.right) && has_time(&expr.right) =>
            {
                PlannerResult::Original(RawBinaryExpr {
                    left: instant(expr.left),
                    ..expr
                })
            }
            BinaryOperator::Plus
                if is_interval(&expr.left) && is_date(&expr.right) && has_time(&expr.left) =>
            {
                PlannerResult::Original(RawBinaryExpr {
                    right: instant(expr.right),
                    ..expr
                })
            }
            // `row_number()` and other counts are unsigned, but a difference may be negative.
            BinaryOperator::Minus if is_unsigned(&expr.left) && is_unsigned(&expr.right) => {
                let (left, right) = (signed(expr.left), signed(expr.right));
                PlannerResult::Planned(binary_expr(left, Operator::Minus, right))
            }
            BinaryOperator::Multiply if is_number(&expr.left) && is_interval(&expr.right) => {
                product(expr, |left, right| (right, double(left)))
            }
            BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
                if (is_interval(&expr.left) && is_time(&expr.right))
                    || (is_time(&expr.left) && is_interval(&expr.right)) =>
            {
                PlannerResult::Original(by_length(expr))
            }
            BinaryOperator::PGBitwiseShiftLeft if is_signed(&expr.left) => {
                PlannerResult::Planned(shifted_left(expr)?)
            }
            BinaryOperator::PGBitwiseShiftLeft if is_exact(&expr.left) => {
                PlannerResult::Planned(shifted(expr, Operator::BitwiseShiftLeft)?)
            }
            BinaryOperator::PGBitwiseShiftRight if is_exact(&expr.left) => {
                PlannerResult::Planned(shifted(expr, Operator::BitwiseShiftRight)?)
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
