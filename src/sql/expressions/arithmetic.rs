//! The operators `^`, `/` and `//`, products of intervals, and numbers and lists joined by `||`.

use std::sync::LazyLock;

use corpus_udfs::duckdb::{CheckedOperator, checked_function, division, interval_product, power};
use datafusion::arrow::datatypes::IntervalUnit::MonthDayNano;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::functions_nested::expr_fn::array_concat;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{
    Expr, ExprSchemable, Operator, ScalarUDF, binary_expr, cast, lit, when,
};
use datafusion::sql::sqlparser::ast::BinaryOperator;

use crate::planner::order_keys::{is_interval, length_of};

/// Reports division by zero, unlike the operator for floating-point numbers.
static QUOTIENT: LazyLock<ScalarUDF> = LazyLock::new(division);

static POWER: LazyLock<ScalarUDF> = LazyLock::new(power);

static PRODUCT: LazyLock<ScalarUDF> = LazyLock::new(|| checked_function(CheckedOperator::Multiply));

static INTERVAL_PRODUCT: LazyLock<Option<ScalarUDF>> = LazyLock::new(interval_product);

/// The maximum number of places by which the bits of a `BIGINT` move.
const MAX_SHIFT_BITS: i64 = 63;

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
fn in_32_bits(mut expr: RawBinaryExpr, left: &DataType, right: &DataType) -> RawBinaryExpr {
    if *right == DataType::Float32 {
        expr.left = single(expr.left);
    }
    if *left == DataType::Float32 {
        expr.right = single(expr.right);
    }
    expr
}

/// The product of an interval, or a difference of timestamps, and a number.
fn product(
    expr: RawBinaryExpr,
    order: impl FnOnce(Expr, Expr) -> (Expr, Expr),
) -> PlannerResult<RawBinaryExpr> {
    match &*INTERVAL_PRODUCT {
        Some(function) => {
            let (time, factor) = order(expr.left, expr.right);
            let interval = cast(time, DataType::Interval(MonthDayNano));
            PlannerResult::Planned(function.call(vec![interval, factor]))
        }
        None => PlannerResult::Original(expr),
    }
}

/// Shifts bits. A shift by all bits or more gives 0; DataFusion takes the number of places modulo
/// the number of bits.
fn shift(expr: RawBinaryExpr, operator: Operator) -> Result<Expr> {
    let shifted = binary_expr(expr.left, operator, expr.right.clone());
    match &expr.right {
        Expr::Literal(ScalarValue::Int64(Some(0..=MAX_SHIFT_BITS)), _) => Ok(shifted),
        places => when(
            places.clone().not_between(lit(0_i64), lit(MAX_SHIFT_BITS)),
            lit(0_i64),
        )
        .otherwise(shifted),
    }
}

/// Whether an interval may have hours, minutes or seconds.
fn has_time(interval: &Expr) -> bool {
    const DAY_NANOSECONDS: i64 = 86_400_000_000_000;
    match interval {
        Expr::Literal(ScalarValue::IntervalMonthDayNano(Some(it)), _) => {
            it.nanoseconds % DAY_NANOSECONDS != 0
        }
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
        Expr::Literal(ScalarValue::Int64(Some(places @ 0..MAX_SHIFT_BITS)), _) => {
            product(lit(1_i64 << places))
        }
        places => {
            let places = cast(places.clone(), DataType::Int64);
            let factor = binary_expr(lit(1_i64), Operator::BitwiseShiftLeft, places.clone());
            when(
                places.between(lit(0_i64), lit(MAX_SHIFT_BITS - 1)),
                product(factor),
            )
            .otherwise(shift(expr, Operator::BitwiseShiftLeft)?)?
        }
    };
    Ok(shifted.alias(name))
}

/// Makes a text such as 'true' a boolean. Others stay.
pub fn as_boolean(expr: Expr) -> Expr {
    let text = expr
        .as_literal()
        .and_then(|text| text.try_as_str().flatten());
    let value = text.and_then(|text| match text.to_ascii_lowercase().as_str() {
        "true" | "t" => Some(true),
        "false" | "f" => Some(false),
        _ => None,
    });
    value.map_or(expr, lit)
}

/// Compares intervals by their lengths, times of different precision in nanoseconds, and booleans
/// with texts such as 'true'.
fn comparable(mut expr: RawBinaryExpr, left: &DataType, right: &DataType) -> RawBinaryExpr {
    if *left == DataType::Boolean && right.is_string() {
        expr.right = as_boolean(expr.right);
    } else if *right == DataType::Boolean && left.is_string() {
        expr.left = as_boolean(expr.left);
    }
    let has_interval = is_interval(left) || is_interval(right);
    let convert: fn(Expr) -> Expr = if has_interval && is_time(left) && is_time(right) {
        length_of
    } else if left != right && is_time_of_day(left) && is_time_of_day(right) {
        |time| cast(time, DataType::Time64(TimeUnit::Nanosecond))
    } else {
        return expr;
    };
    RawBinaryExpr {
        left: convert(expr.left),
        right: convert(expr.right),
        op: expr.op,
    }
}

/// Whether a type is a time of the day.
pub fn is_time_of_day(kind: &DataType) -> bool {
    matches!(kind, DataType::Time32(_) | DataType::Time64(_))
}

fn is_exact(kind: &DataType) -> bool {
    kind.is_integer() || is_decimal(kind)
}

/// Whether a type is an interval, or a difference of timestamps.
fn is_time(kind: &DataType) -> bool {
    is_interval(kind) || matches!(kind, DataType::Duration(_))
}

fn double(side: Expr) -> Expr {
    cast(side, DataType::Float64)
}

fn multiply(
    expr: RawBinaryExpr,
    left: &DataType,
    right: &DataType,
) -> PlannerResult<RawBinaryExpr> {
    if is_time(left) && right.is_numeric() {
        product(expr, |time, factor| (time, double(factor)))
    } else if left.is_numeric() && is_time(right) {
        product(expr, |factor, time| (time, double(factor)))
    } else {
        PlannerResult::Original(expr)
    }
}

fn divide(expr: RawBinaryExpr, left: &DataType, right: &DataType) -> PlannerResult<RawBinaryExpr> {
    if is_exact(left) && is_exact(right) {
        PlannerResult::Planned(QUOTIENT.call(vec![double(expr.left), double(expr.right)]))
    } else if is_time(left) && right.is_numeric() {
        let inverse = |number| binary_expr(lit(1.0), Operator::Divide, double(number));
        product(expr, |time, divisor| (time, inverse(divisor)))
    } else {
        PlannerResult::Original(expr)
    }
}

/// The quotient of `//`. DataFusion divides decimals, and unsigned by signed integers, exactly:
/// without the remainder, the quotient is whole.
fn whole_quotient(expr: RawBinaryExpr, left: &DataType, right: &DataType) -> Expr {
    let is_whole =
        |kind: &DataType| kind.is_integer() || matches!(kind, DataType::Decimal128(_, 0));
    let is_decimal = match (left, right) {
        (DataType::UInt64, other) | (other, DataType::UInt64) => !other.is_unsigned_integer(),
        _ => is_decimal(left) || is_decimal(right),
    };
    let (number, divisor) = (expr.left, expr.right);
    if !(is_decimal && is_whole(left) && is_whole(right)) {
        return binary_expr(number, Operator::Divide, divisor);
    }
    let remainder = binary_expr(number.clone(), Operator::Modulo, divisor.clone());
    let multiple = binary_expr(number, Operator::Minus, remainder);
    let quotient = binary_expr(multiple, Operator::Divide, divisor);
    cast(quotient, DataType::Decimal128(38, 0))
}

/// A sum or a difference.
fn add(mut expr: RawBinaryExpr, left: &DataType, right: &DataType) -> PlannerResult<RawBinaryExpr> {
    let instant = |date: Expr| cast(date, DataType::Timestamp(TimeUnit::Microsecond, None));
    let is_sum = expr.op == BinaryOperator::Plus;
    // `row_number()` and other counts are unsigned, but a difference may be negative.
    if !is_sum && left.is_unsigned_integer() && right.is_unsigned_integer() {
        let signed = |side: Expr| cast(side, DataType::Int64);
        let (left, right) = (signed(expr.left), signed(expr.right));
        return PlannerResult::Planned(binary_expr(left, Operator::Minus, right));
    }
    // The number of days. DataFusion's statistics take it for a duration.
    if !is_sum && *left == DataType::Date32 && *right == DataType::Date32 {
        let days = |date: Expr| cast(cast(date, DataType::Int32), DataType::Int64);
        let (left, right) = (days(expr.left), days(expr.right));
        return PlannerResult::Planned(binary_expr(left, Operator::Minus, right));
    }
    // DataFusion drops the hours of the sum.
    let adds_time = |kind: &DataType, time: &Expr| match kind {
        DataType::Duration(_) => true,
        kind => is_interval(kind) && has_time(time),
    };
    if *left == DataType::Date32 && adds_time(right, &expr.right) {
        expr.left = instant(expr.left);
    } else if is_sum && *right == DataType::Date32 && adds_time(left, &expr.left) {
        expr.right = instant(expr.right);
    }
    PlannerResult::Original(expr)
}

/// Joins numbers as texts, and lists.
fn joined(
    mut expr: RawBinaryExpr,
    left: &DataType,
    right: &DataType,
) -> Result<PlannerResult<RawBinaryExpr>> {
    let is_list = |kind: &DataType| matches!(kind, DataType::List(_) | DataType::LargeList(_));
    if is_list(left) && is_list(right) {
        // `array_concat` takes NULL for an empty list.
        let is_null = expr.left.clone().is_null().or(expr.right.clone().is_null());
        let joined = array_concat(vec![expr.left, expr.right]);
        let joined = when(is_null, lit(ScalarValue::Null)).otherwise(joined)?;
        return Ok(PlannerResult::Planned(joined));
    }
    if left.is_numeric() && right.is_numeric() {
        expr.left = cast(expr.left, DataType::Utf8);
    }
    Ok(PlannerResult::Original(expr))
}

/// Whether the operation stays as it is, whatever type the left operand has. Finding that type for
/// each operator of a long chain takes long.
fn ignores_left(expr: &RawBinaryExpr, right: &DataType) -> bool {
    match expr.op {
        BinaryOperator::And | BinaryOperator::Or => true,
        BinaryOperator::Plus | BinaryOperator::Minus => {
            let is_literal = matches!(expr.right, Expr::Literal(..));
            right.is_signed_integer() || *right == DataType::Float64 && !is_literal
        }
        BinaryOperator::StringConcat => right.is_string(),
        _ => false,
    }
}

impl ExprPlanner for ArithmeticPlanner {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawBinaryExpr>> {
        let kind = |side: &Expr| side.get_type(schema).unwrap_or(DataType::Null);
        let right = &kind(&expr.right);
        if ignores_left(&expr, right) {
            return Ok(PlannerResult::Original(expr));
        }
        let left = &kind(&expr.left);
        let expr = in_32_bits(expr, left, right);
        Ok(match expr.op {
            BinaryOperator::PGExp => {
                PlannerResult::Planned(POWER.call(vec![double(expr.left), double(expr.right)]))
            }
            BinaryOperator::Multiply => multiply(expr, left, right),
            BinaryOperator::Divide => divide(expr, left, right),
            BinaryOperator::Plus | BinaryOperator::Minus => add(expr, left, right),
            BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq => PlannerResult::Original(comparable(expr, left, right)),
            BinaryOperator::PGBitwiseShiftLeft if left.is_signed_integer() => {
                PlannerResult::Planned(shifted_left(expr)?)
            }
            BinaryOperator::PGBitwiseShiftLeft if is_exact(left) => {
                PlannerResult::Planned(shift(expr, Operator::BitwiseShiftLeft)?)
            }
            BinaryOperator::PGBitwiseShiftRight if is_exact(left) => {
                PlannerResult::Planned(shift(expr, Operator::BitwiseShiftRight)?)
            }
            BinaryOperator::DuckIntegerDivide | BinaryOperator::MyIntegerDivide => {
                PlannerResult::Planned(whole_quotient(expr, left, right))
            }
            BinaryOperator::StringConcat => joined(expr, left, right)?,
            _ => PlannerResult::Original(expr),
        })
    }
}
