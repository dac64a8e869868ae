//! Keeps conditions without columns above an aggregate of all rows.
//!
//! `SELECT c FROM (SELECT count(*) AS c FROM t) WHERE (SELECT …) > 0` has no row if the condition
//! is false, and so has `FROM (SELECT 'a' AS c, count(*) FROM t) WHERE c = 'b'`. DataFusion would
//! test these conditions below the aggregate, which then counts 0.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{Expr, Filter, LogicalPlan, LogicalPlanBuilder, Projection};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::PlanWalk;

/// Separates these conditions from the aggregate by a LIMIT, which conditions do not pass.
#[derive(Debug)]
pub struct EmptyAggregates;

impl AnalyzerRule for EmptyAggregates {
    fn name(&self) -> &str {
        "empty_aggregates"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| match plan {
            LogicalPlan::Filter(mut filter)
                if has_open_condition(&filter) && groups_nothing(&filter.input) =>
            {
                filter.input = separated(filter.input)?;
                Ok(Transformed::yes(LogicalPlan::Filter(filter)))
            }
            // A condition on a constant column has no columns below it.
            LogicalPlan::Projection(mut projection)
                if has_constant(&projection) && groups_nothing(&projection.input) =>
            {
                projection.input = separated(projection.input)?;
                Ok(Transformed::yes(LogicalPlan::Projection(projection)))
            }
            // Such as LEFT JOIN … ON false.
            LogicalPlan::Join(mut join) if join.filter.is_some() => {
                let mut is_changed = false;
                for side in [&mut join.left, &mut join.right] {
                    if groups_nothing(side) {
                        *side = separated(Arc::clone(side))?;
                        is_changed = true;
                    }
                }
                let join = LogicalPlan::Join(join);
                Ok(Transformed::new_transformed(join, is_changed))
            }
            plan => Ok(Transformed::no(plan)),
        })
        .map(|rewritten| rewritten.data)
    }
}

/// Puts a LIMIT above a query that keeps all its rows.
fn separated(query: Arc<LogicalPlan>) -> Result<Arc<LogicalPlan>> {
    let query = LogicalPlanBuilder::from(Arc::unwrap_or_clone(query));
    query
        .limit(0, Some(i64::MAX as usize))?
        .build()
        .map(Arc::new)
}

fn has_constant(projection: &Projection) -> bool {
    let columns = projection.expr.iter();
    columns.map(Expr::column_refs).any(|used| used.is_empty())
}

/// Whether a condition depends on no column of the input.
fn has_open_condition(filter: &Filter) -> bool {
    let conditions = split_conjunction(&filter.predicate);
    let is_open = |condition: &&Expr| {
        condition.column_refs().is_empty() && !matches!(condition, Expr::Literal(..))
    };
    conditions.iter().any(is_open)
}

/// Whether a query is an aggregate that returns a row for no input.
fn groups_nothing(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Projection(projection) => groups_nothing(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => groups_nothing(&alias.input),
        LogicalPlan::Filter(filter) => groups_nothing(&filter.input),
        LogicalPlan::Sort(sort) => groups_nothing(&sort.input),
        LogicalPlan::Aggregate(aggregate) => match aggregate.group_expr.as_slice() {
            [] => true,
            groups => groups
                .iter()
                .any(|group| matches!(group, Expr::GroupingSet(_))),
        },
        _ => false,
    }
}
