//! `(SELECT 1 WHERE false)` is NULL. DataFusion declares its column without NULL, and fails.

use std::sync::{Arc, LazyLock};

use corpus_udfs::duckdb::nullable;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, ScalarUDF};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::PlanWalk;

static NULLABLE: LazyLock<ScalarUDF> = LazyLock::new(nullable);

/// Declares the values of subqueries that may have no row as nullable.
#[derive(Debug)]
pub struct NullableSubqueries;

impl AnalyzerRule for NullableSubqueries {
    fn name(&self) -> &str {
        "nullable_subqueries"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| {
            let rewritten = plan.rewrite_expressions_dyn(&mut with_null)?;
            if rewritten.transformed {
                rewritten.map_data(LogicalPlan::recompute_schema)
            } else {
                Ok(rewritten)
            }
        })
        .map(|rewritten| rewritten.data)
    }
}

fn with_null(expr: Expr) -> Result<Transformed<Expr>> {
    let Expr::ScalarSubquery(mut subquery) = expr else {
        return Ok(Transformed::no(expr));
    };
    let plan = subquery.subquery.as_ref();
    let fields = plan.schema().fields();
    let column = match plan.schema().columns().pop() {
        Some(column) if fields.len() == 1 && !fields[0].is_nullable() && !has_one_row(plan) => {
            column
        }
        _ => return Ok(Transformed::no(Expr::ScalarSubquery(subquery))),
    };
    let value = NULLABLE.call(vec![Expr::Column(column.clone())]);
    let value = value.alias_qualified(column.relation, column.name);
    let plan = LogicalPlanBuilder::from(plan.clone()).project([value])?;
    subquery.subquery = Arc::new(plan.build()?);
    Ok(Transformed::yes(Expr::ScalarSubquery(subquery)))
}

/// Whether a query is an aggregate over all rows.
fn has_one_row(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Projection(projection) => has_one_row(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => has_one_row(&alias.input),
        LogicalPlan::Aggregate(aggregate) => aggregate.group_expr.is_empty(),
        _ => false,
    }
}
