//! Structs and lists that a condition makes NULL: `(CASE WHEN a THEN s END).b`.

use std::sync::LazyLock;

use corpus_udfs::duckdb::null_masked;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, ScalarUDF};
use datafusion::optimizer::AnalyzerRule;

use super::casts::kind_of;
use super::node::rewrite_plan;

static MASKED: LazyLock<ScalarUDF> = LazyLock::new(null_masked);

/// Removes the values that stay under NULL.
#[derive(Debug)]
pub struct NestedNulls;

impl AnalyzerRule for NestedNulls {
    fn name(&self) -> &str {
        "nested_nulls"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        rewrite_plan(plan, is_candidate, |part, schema| Ok(rewrite(part, schema)))
    }
}

fn is_candidate(expr: &Expr) -> bool {
    match expr {
        Expr::Case(_) => true,
        Expr::ScalarFunction(function) => function.func.name() == "nullif",
        _ => false,
    }
}

fn rewrite(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let is_nested = || kind_of(&expr, schema).is_some_and(|kind| kind.is_nested());
    if is_candidate(&expr) && is_nested() {
        Transformed::yes(MASKED.call(vec![expr]))
    } else {
        Transformed::no(expr)
    }
}
