//! Aggregates that compare structs and lists, by bytes in their order.
//!
//! For `count(DISTINCT (a, b))`, DataFusion keeps each value with the whole batch that it came in,
//! and compares it field by field. Its `min` and `max` of structs ignore the order of NULL.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::functions_aggregate::first_last::first_value_udaf;
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use crate::planner::order_keys::key_of;
use crate::tree_walk::PlanWalk;

/// Replaces nested values by their bytes in `count(DISTINCT …)`, `min` and `max`.
#[derive(Debug)]
pub struct NestedAggregates;

impl AnalyzerRule for NestedAggregates {
    fn name(&self) -> &str {
        "nested_aggregates"
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
    let Expr::AggregateFunction(AggregateFunction { func, params }) = &mut expr else {
        return Ok(Transformed::no(expr));
    };
    let [value] = params.args.as_mut_slice() else {
        return Ok(Transformed::no(expr));
    };
    match func.name() {
        "count" if params.distinct && value.get_type(schema)?.is_nested() => {
            *value = key_of(std::mem::take(value));
        }
        name @ ("min" | "max") if matches!(value.get_type(schema)?, DataType::Struct(_)) => {
            let key = key_of(value.clone());
            params.order_by = vec![key.sort(name == "min", false)];
            params.distinct = false;
            *func = first_value_udaf();
        }
        _ => return Ok(Transformed::no(expr)),
    }
    Ok(Transformed::yes(expr))
}
