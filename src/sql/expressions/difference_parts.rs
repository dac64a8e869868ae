//! Parts of the difference of two timestamps, as in DuckDB: the hours of 2 days and 5 hours are 5.
//! DataFusion returns all 53, and seconds without a fraction.

use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, cast, lit};
use datafusion::optimizer::AnalyzerRule;

use super::casts::kind_of;
use super::node::rewrite_plan;

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Computes parts of differences from microseconds.
#[derive(Debug)]
pub struct DifferenceParts;

impl AnalyzerRule for DifferenceParts {
    fn name(&self) -> &str {
        "difference_parts"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        rewrite_plan(plan, is_part, |expr, schema| {
            Ok(match part_of_difference(&expr, schema) {
                Some(part) => Transformed::yes(part),
                None => Transformed::no(expr),
            })
        })
    }
}

fn is_part(expr: &Expr) -> bool {
    matches!(expr, Expr::ScalarFunction(function) if function.func.name() == "date_part")
}

fn part_of_difference(expr: &Expr, schema: &DFSchema) -> Option<Expr> {
    let Expr::ScalarFunction(function) = expr else {
        return None;
    };
    let [Expr::Literal(unit, _), difference] = function.args.as_slice() else {
        return None;
    };
    if !matches!(kind_of(difference, schema)?, DataType::Duration(_)) {
        return None;
    }
    let duration = cast(
        difference.clone(),
        DataType::Duration(TimeUnit::Microsecond),
    );
    let microseconds = cast(duration, DataType::Int64);
    let unit = unit.try_as_str().flatten()?.to_lowercase();
    let part = match unit.trim_end_matches('s') {
        "epoch" => cast(microseconds, DataType::Float64) / lit(SECOND as f64),
        "day" => microseconds / lit(DAY),
        "hour" => microseconds % lit(DAY) / lit(HOUR),
        "minute" => microseconds % lit(HOUR) / lit(MINUTE),
        "second" => microseconds % lit(MINUTE) / lit(SECOND),
        "millisecond" => microseconds % lit(MINUTE) / lit(SECOND / 1000),
        "microsecond" => microseconds % lit(MINUTE),
        _ => return None,
    };
    Some(cast(part, kind_of(expr, schema)?))
}
