//! Comparisons of different types, as in DuckDB.
//!
//! - Numbers that are compared with a FLOAT become FLOAT.
//! - Decimals become DOUBLE beside a DOUBLE, but literals become decimals. DataFusion makes both
//!   decimals of 30 digits.
//! - Dates and texts become timestamps in microseconds beside a timestamp. DataFusion converts them
//!   to nanoseconds, which have no years before 1678 and after 2261.
//! - Times of different precision become times in nanoseconds. DataFusion refuses them.
//! - Casts to smaller types are compared as they are.
//! - Intervals are compared by their lengths.
//! - Structs and lists are compared by bytes.
//! - Texts such as 'true' are booleans beside a boolean.
//! - IN compares with columns and computed items one by one. DataFusion computes some of them once,
//!   and keeps only the items that `a IN (0) AND a IN (b)` have in common.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use corpus_udfs::duckdb::kept_cast;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::functions::datetime::expr_fn::date_trunc;
use datafusion::logical_expr::binary::comparison_coercion;
use datafusion::logical_expr::expr::{Case, Cast, InList, TryCast};
use datafusion::logical_expr::utils::{disjunction, merge_schema};
use datafusion::logical_expr::{BinaryExpr, Expr, LogicalPlan, Operator, ScalarUDF, cast, lit};
use datafusion::optimizer::AnalyzerRule;

use super::arithmetic::{as_boolean, is_time_of_day, single};
use super::casts::{exact_decimal, is_utc, kind_of, text_as_time};
use super::node::rewrite_plan;
use crate::planner::order_keys::{is_interval, is_nested, key_of, length_of};
use crate::tree_walk::PlanWalk;

/// Functions that compare their arguments, or choose one of them.
const COMPARES: [&str; 4] = ["coalesce", "greatest", "least", "nullif"];

const MAKE_ARRAY: &str = "make_array";

/// Functions that take any date for a timestamp.
const TRUNCATES: [&str; 2] = ["date_bin", "date_trunc"];

/// The sizes of numbers that DataFusion's decimals with 15 digits before and after the point have.
const MIN_DECIMAL: f64 = 1e-15;

const MAX_DECIMAL: f64 = 1e15;

static KEPT: LazyLock<ScalarUDF> = LazyLock::new(kept_cast);

/// Replaces the operands of comparisons whose results differ in DataFusion.
#[derive(Debug)]
pub struct DuckDbComparisons;

impl AnalyzerRule for DuckDbComparisons {
    fn name(&self) -> &str {
        "duckdb_comparisons"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        let plan = rewrite_plan(plan, is_candidate, |part, schema| Ok(rewrite(part, schema)))?;
        plan.transform_up_with_subqueries_dyn(&mut |plan| {
            let LogicalPlan::Join(mut join) = plan else {
                return Ok(Transformed::no(plan));
            };
            let schema = merge_schema(&[&join.left, &join.right]);
            let mut is_changed = false;
            for (left, right) in &mut join.on {
                is_changed |= unify(vec![left, right], &schema);
            }
            Ok(Transformed::new_transformed(
                LogicalPlan::Join(join),
                is_changed,
            ))
        })
        .map(|rewritten| rewritten.data)
    }
}

fn is_candidate(expr: &Expr) -> bool {
    match expr {
        Expr::BinaryExpr(binary) => is_comparison(binary.op),
        Expr::Between(_) | Expr::InList(_) | Expr::Case(_) => true,
        Expr::ScalarFunction(function) => {
            let name = function.func.name();
            COMPARES.contains(&name) || TRUNCATES.contains(&name) || name == MAKE_ARRAY
        }
        _ => false,
    }
}

/// Whether an operator compares, or subtracts times.
fn is_comparison(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Eq
            | Operator::NotEq
            | Operator::Lt
            | Operator::LtEq
            | Operator::Gt
            | Operator::GtEq
            | Operator::IsDistinctFrom
            | Operator::IsNotDistinctFrom
            | Operator::Minus
    )
}

fn rewrite(mut expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let is_changed = match &mut expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right })
            if !matches!(op, Operator::And | Operator::Or) =>
        {
            if *op == Operator::Minus {
                unify_times(vec![left, right], schema)
            } else if is_order(*op) && compare_keys(&mut [left, right], schema) {
                true
            } else {
                let is_changed = unify(vec![left, right], schema);
                let is_kept = keep_casts(vec![left, right], schema);
                truncate_dates(left, right, schema) || is_changed || is_kept
            }
        }
        Expr::Between(range) => {
            let is_kept = keep_casts(vec![&mut range.expr], schema);
            let mut values = vec![range.expr.as_mut(), &mut range.low, &mut range.high];
            compare_lengths(&mut values, schema)
                || compare_keys(&mut values, schema)
                || unify(values, schema)
                || is_kept
        }
        Expr::InList(choice) => {
            let is_boolean = kind_of(&choice.expr, schema) == Some(DataType::Boolean);
            if is_boolean {
                let items = std::mem::take(&mut choice.list).into_iter();
                choice.list = items.map(as_boolean).collect();
            }
            let mut values: Vec<&mut Expr> = choice.list.iter_mut().collect();
            values.push(&mut choice.expr);
            let is_changed = compare_lengths(&mut values, schema) || unify(values, schema);
            let is_changed = keep_casts(vec![&mut choice.expr], schema) || is_changed;
            match one_by_one(choice) {
                Some(comparisons) => {
                    expr = comparisons;
                    true
                }
                None => is_changed || is_boolean,
            }
        }
        Expr::Case(case) => unify_case(case, schema),
        Expr::ScalarFunction(function) if TRUNCATES.contains(&function.func.name()) => {
            let dates = function.args.iter_mut().filter(|it| is_date(it, schema));
            let mut is_changed = false;
            for date in dates {
                *date = cast(std::mem::take(date), microseconds(None));
                is_changed = true;
            }
            // DataFusion knows no other origin, and would convert the times to it.
            if let Some(origin) = function.args.get_mut(2)
                && let Some(DataType::Timestamp(unit, zone)) = kind_of(origin, schema)
                && unit != TimeUnit::Nanosecond
            {
                let nanoseconds = DataType::Timestamp(TimeUnit::Nanosecond, zone);
                *origin = cast(std::mem::take(origin), nanoseconds);
                is_changed = true;
            }
            is_changed
        }
        Expr::ScalarFunction(function) if function.func.name() == MAKE_ARRAY => {
            let mut items: Vec<&mut Expr> = function.args.iter_mut().collect();
            unify_decimals(&mut items, schema)
        }
        Expr::ScalarFunction(function) if COMPARES.contains(&function.func.name()) => {
            unify(function.args.iter_mut().collect(), schema)
        }
        _ => false,
    };
    Transformed::new_transformed(expr, is_changed)
}

fn microseconds(zone: Option<&str>) -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, zone.map(Arc::from))
}

fn is_date(expr: &Expr, schema: &DFSchema) -> bool {
    kind_of(expr, schema) == Some(DataType::Date32)
}

/// Whether values of a type may change what they are compared with, or change beside it.
fn has_own_comparison(kind: &DataType) -> bool {
    *kind == DataType::Float32
        || kind.is_decimal()
        || is_time_of_day(kind)
        || matches!(kind, DataType::Timestamp(..))
}

/// Gives values that are compared a common type. Returns whether one changes.
fn unify(mut values: Vec<&mut Expr>, schema: &DFSchema) -> bool {
    // Finding the types of long operands again takes long.
    let mut kinds = values.iter().filter_map(|value| kind_of(value, schema));
    if !kinds.any(|kind| has_own_comparison(&kind)) {
        return false;
    }
    let is_single = |value: &&mut Expr| kind_of(value, schema) == Some(DataType::Float32);
    if !values.iter().any(is_single) {
        return unify_decimals(&mut values, schema)
            || unify_precision(&mut values, schema)
            || unify_times(values, schema);
    }
    let is_double = |value: &Expr| kind_of(value, schema) == Some(DataType::Float64);
    let mut is_changed = false;
    for value in &mut values {
        if matches!(value, Expr::Literal(..)) && is_double(value) {
            **value = single(std::mem::take(*value));
            is_changed = true;
        }
    }
    is_changed
}

/// Makes decimals floating-point numbers beside one that may be too large or too small for the
/// decimals that DataFusion would use. Returns whether one changes.
fn unify_decimals(values: &mut [&mut Expr], schema: &DFSchema) -> bool {
    let is_wide = |value: &Expr| match value {
        Expr::Literal(ScalarValue::Float64(Some(number)), _) => {
            let size = number.abs();
            size != 0.0 && !(MIN_DECIMAL..MAX_DECIMAL).contains(&size)
        }
        Expr::Literal(..) => false,
        value => kind_of(value, schema).is_some_and(|kind| kind.is_floating()),
    };
    if !values.iter().any(|value| is_wide(value)) {
        return has_decimal(values, schema) && with_decimal_literals(values);
    }
    let mut is_changed = false;
    for value in values {
        if kind_of(value, schema).is_some_and(|kind| kind.is_decimal()) {
            **value = cast(std::mem::take(*value), DataType::Float64);
            is_changed = true;
        }
    }
    is_changed
}

fn has_decimal(values: &[&mut Expr], schema: &DFSchema) -> bool {
    let mut kinds = values.iter().filter_map(|value| kind_of(value, schema));
    kinds.any(|kind| kind.is_decimal())
}

/// Makes numbers with a point decimals of as many digits. DataFusion would use 15 digits after the
/// point. Returns whether there are some.
fn with_decimal_literals(values: &mut [&mut Expr]) -> bool {
    let mut is_changed = false;
    for value in values {
        if let Expr::Literal(ScalarValue::Float64(Some(number)), _) = &**value
            && let Some(decimal) = exact_decimal(*number)
        {
            **value = lit(decimal);
            is_changed = true;
        }
    }
    is_changed
}

/// Makes dates and texts timestamps beside a timestamp. Returns whether one changes.
fn unify_times(values: Vec<&mut Expr>, schema: &DFSchema) -> bool {
    let zones = values
        .iter()
        .find_map(|value| match kind_of(value, schema) {
            Some(DataType::Timestamp(unit, zone)) => Some((unit, zone)),
            _ => None,
        });
    let Some((unit, zone)) = zones else {
        return false;
    };
    // Without a zone of its own, a date or text is local time in the zone of the timestamp.
    let zone = zone
        .as_deref()
        .map(|zone| if is_utc(zone) { "UTC" } else { zone });
    let is_text = |value: &Expr| {
        unit != TimeUnit::Nanosecond && kind_of(value, schema).is_some_and(|kind| kind.is_string())
    };
    let mut is_changed = false;
    for value in values {
        if is_text(value) {
            *value = text_as_time(std::mem::take(value), microseconds(zone));
            is_changed = true;
        } else if is_date(value, schema) {
            *value = cast(std::mem::take(value), microseconds(zone));
            is_changed = true;
        }
    }
    is_changed
}

/// Replaces intervals by their lengths. Returns whether there are some.
fn compare_lengths(values: &mut [&mut Expr], schema: &DFSchema) -> bool {
    let has_interval = |value: &Expr| kind_of(value, schema).is_some_and(|it| is_interval(&it));
    if !values.iter().any(|value| has_interval(value)) {
        return false;
    }
    for value in values {
        **value = length_of(std::mem::take(*value));
    }
    true
}

fn is_order(operator: Operator) -> bool {
    use Operator::{Gt, GtEq, Lt, LtEq};
    matches!(operator, Lt | LtEq | Gt | GtEq)
}

/// Replaces structs and lists by bytes in their order. Returns whether the values are such.
fn compare_keys(values: &mut [&mut Expr], schema: &DFSchema) -> bool {
    let kinds = values
        .iter()
        .map(|value| kind_of(value, schema).filter(is_nested));
    let common = kinds.reduce(|one, other| comparison_coercion(&one?, &other?));
    let Some(common) = common.flatten() else {
        return false;
    };
    for value in values {
        let compared = cast(std::mem::take(*value), common.clone());
        **value = key_of(compared);
    }
    true
}

/// Gives times of the day one precision. Returns whether one changes.
fn unify_precision(values: &mut [&mut Expr], schema: &DFSchema) -> bool {
    let kinds = values.iter().filter_map(|value| kind_of(value, schema));
    let kinds: HashSet<DataType> = kinds.filter(is_time_of_day).collect();
    if kinds.len() < 2 {
        return false;
    }
    for value in values {
        if kind_of(value, schema).is_some_and(|kind| is_time_of_day(&kind)) {
            let nanoseconds = DataType::Time64(TimeUnit::Nanosecond);
            **value = cast(std::mem::take(*value), nanoseconds);
        }
    }
    true
}

/// Unifies what a CASE compares with each other, and its results.
fn unify_case(case: &mut Case, schema: &DFSchema) -> bool {
    let mut compared: Vec<&mut Expr> = Vec::new();
    let mut results: Vec<&mut Expr> = Vec::new();
    for (when, then) in &mut case.when_then_expr {
        compared.push(when);
        results.push(then);
    }
    results.extend(case.else_expr.as_deref_mut());
    let is_compared = match case.expr.as_deref_mut() {
        Some(value) => {
            compared.push(value);
            unify(compared, schema)
        }
        None => false,
    };
    unify(results, schema) || is_compared
}

/// Hides casts that may lose values or their order. DataFusion would compare the values before the
/// cast, and skip parts of files.
fn keep_casts(values: Vec<&mut Expr>, schema: &DFSchema) -> bool {
    let mut is_changed = false;
    for value in values {
        let is_lossy = match &*value {
            Expr::Cast(Cast { expr, field }) => match kind_of(expr, schema) {
                Some(from) => loses_values(&from, field.data_type()),
                None => false,
            },
            Expr::TryCast(TryCast { expr, .. }) => {
                kind_of(expr, schema).is_some_and(|kind| !kind.is_string())
            }
            _ => false,
        };
        if is_lossy {
            *value = KEPT.call(vec![std::mem::take(value)]);
            is_changed = true;
        }
    }
    is_changed
}

/// Whether a cast maps different values to the same one, fails for some, or changes their order.
fn loses_values(from: &DataType, to: &DataType) -> bool {
    match (from, to) {
        (DataType::Timestamp(..), DataType::Time32(_) | DataType::Time64(_)) => true,
        (from, to) if from.is_integer() && to.is_integer() => {
            let is_signed = |kind: &DataType| kind.is_signed_integer();
            let (from_bytes, to_bytes) = (from.primitive_width(), to.primitive_width());
            to_bytes < from_bytes || (is_signed(from) != is_signed(to) && to_bytes <= from_bytes)
        }
        (
            DataType::Decimal128(digits, scale) | DataType::Decimal256(digits, scale),
            DataType::Decimal128(to_digits, to_scale) | DataType::Decimal256(to_digits, to_scale),
        ) => {
            let whole = |digits: u8, scale: i8| i16::from(digits) - i16::from(scale);
            to_scale < scale || whole(*to_digits, *to_scale) < whole(*digits, *scale)
        }
        _ => false,
    }
}

/// Truncates timestamps before they become dates, if they are compared with a column. DataFusion
/// derives statistics from the cast, and fails if the rounded range is larger than the column's.
fn truncate_dates(left: &mut Expr, right: &mut Expr, schema: &DFSchema) -> bool {
    if [&*left, &*right]
        .iter()
        .any(|it| matches!(it, Expr::Literal(..)))
    {
        return false;
    }
    let mut is_changed = false;
    for side in [left, right] {
        if let Expr::Cast(Cast { expr, field }) = side
            && *field.data_type() == DataType::Date32
            && matches!(expr.as_ref(), Expr::Column(_))
            && matches!(kind_of(expr, schema), Some(DataType::Timestamp(..)))
        {
            **expr = date_trunc(lit("day"), std::mem::take(expr.as_mut()));
            is_changed = true;
        }
    }
    is_changed
}

/// Returns an IN whose computed items are compared one by one.
fn one_by_one(choice: &mut InList) -> Option<Expr> {
    let is_plain = |item: &Expr| {
        let mut item = item;
        while let Expr::Cast(Cast { expr, .. }) | Expr::Negative(expr) = item {
            item = expr;
        }
        matches!(item, Expr::Literal(..) | Expr::Placeholder(_))
    };
    if choice.list.iter().all(is_plain) {
        return None;
    }
    let (plain, computed): (Vec<_>, Vec<_>) = std::mem::take(&mut choice.list)
        .into_iter()
        .partition(is_plain);
    let value = std::mem::take(choice.expr.as_mut());
    let mut choices: Vec<Expr> = computed
        .into_iter()
        .map(|item| value.clone().eq(item))
        .collect();
    if !plain.is_empty() {
        choices.push(value.in_list(plain, false));
    }
    let any = disjunction(choices)?;
    Some(if choice.negated { !any } else { any })
}
