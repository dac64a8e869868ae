//! Values in comparisons and orders.
//!
//! - Intervals: 24 hours are a day, and 30 days are a month. DataFusion compares months first, then
//!   days, then nanoseconds.
//! - Structs and lists: NULL in them is the largest value, as in DuckDB. For DataFusion it is the
//!   smallest, or the last one in ascending and descending order.

use std::sync::LazyLock;

use corpus_udfs::duckdb::{interval_order, row_key};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::datatypes::IntervalUnit::MonthDayNano;
use datafusion::logical_expr::{Expr, ScalarUDF, cast};

static INTERVAL_ORDER: LazyLock<Option<ScalarUDF>> = LazyLock::new(interval_order);

static ROW_KEY: LazyLock<ScalarUDF> = LazyLock::new(row_key);

pub fn is_interval(kind: &DataType) -> bool {
    matches!(kind, DataType::Interval(_))
}

/// The length of an interval, or of a difference of timestamps.
pub fn length_of(interval: Expr) -> Expr {
    match &*INTERVAL_ORDER {
        Some(length) => length.call(vec![cast(interval, DataType::Interval(MonthDayNano))]),
        None => interval,
    }
}

/// Whether a type is a struct or a list.
pub fn is_nested(kind: &DataType) -> bool {
    matches!(kind, DataType::List(_) | DataType::Struct(_))
}

/// The bytes of a value, which have its order.
pub fn key_of(value: Expr) -> Expr {
    ROW_KEY.call(vec![value])
}
