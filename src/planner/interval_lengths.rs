//! Intervals in comparisons and orders: 24 hours are a day, and 30 days are a month. DataFusion
//! compares months first, then days, then nanoseconds.

use std::sync::LazyLock;

use corpus_udfs::duckdb::interval_order;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::datatypes::IntervalUnit::MonthDayNano;
use datafusion::logical_expr::{Expr, ScalarUDF, cast};

static INTERVAL_ORDER: LazyLock<Option<ScalarUDF>> = LazyLock::new(interval_order);

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
