//! `count(DISTINCT (a, b))`: structs and lists are counted by bytes that represent them.
//!
//! DataFusion keeps each of them with the whole batch that it came in, and compares it value by
//! value.

use std::sync::LazyLock;

use corpus_udfs::duckdb::row_key;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, ScalarUDF};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::PlanWalk;

static ROW_KEY: LazyLock<ScalarUDF> = LazyLock::new(row_key);

/// Replaces the nested values of `count(DISTINCT …)` by their bytes.
#[derive(Debug)]
pub struct DistinctCounts;

impl AnalyzerRule for DistinctCounts {
    fn name(&self) -> &str {
        "distinct_counts"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| match &plan {
            LogicalPlan::Aggregate(aggregate) => {
                let schema = aggregate.input.schema().clone();
                plan.rewrite_expressions_dyn(&mut |expr| by_bytes(expr, &schema))
            }
            _ => Ok(Transformed::no(plan)),
        })
        .map(|rewritten| rewritten.data)
    }
}

fn by_bytes(mut expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    if let Expr::AggregateFunction(function) = &mut expr
        && function.func.name() == "count"
        && function.params.distinct
        && let [value] = function.params.args.as_mut_slice()
        && value.get_type(schema)?.is_nested()
    {
        *value = ROW_KEY.call(vec![std::mem::take(value)]);
        return Ok(Transformed::yes(expr));
    }
    Ok(Transformed::no(expr))
}
