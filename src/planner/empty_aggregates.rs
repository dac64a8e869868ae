//! Keeps conditions without columns above an aggregate of all rows.
//!
//! `SELECT c FROM (SELECT count(*) AS c FROM t) WHERE (SELECT …) > 0` has no row if the condition
//! is false, and so has `FROM (SELECT 'a' AS c, count(*) FROM t) WHERE c = 'b'`. DataFusion would
//! test these conditions below the aggregate, which then counts 0.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::tree_node::TreeNodeRecursion::Jump;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{Expr, Filter, LogicalPlan, LogicalPlanBuilder, Projection};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::{PlanWalk, TreeWalk};

/// Separates these conditions from the aggregate by a LIMIT, which conditions do not pass.
#[derive(Debug)]
pub struct EmptyAggregates;

impl AnalyzerRule for EmptyAggregates {
    fn name(&self) -> &str {
        "empty_aggregates"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |mut plan| {
            let is_changed = match &mut plan {
                LogicalPlan::Filter(filter) if has_open_condition(filter)? => {
                    separate(&mut filter.input)?
                }
                // A condition on a constant column has no columns below it.
                LogicalPlan::Projection(projection) if has_constant(projection) => {
                    separate(&mut projection.input)?
                }
                // Such as LEFT JOIN … ON false.
                LogicalPlan::Join(join) if join.filter.is_some() => {
                    separate(&mut join.left)? | separate(&mut join.right)?
                }
                _ => false,
            };
            Ok(Transformed::new_transformed(plan, is_changed))
        })
        .map(|rewritten| rewritten.data)
    }
}

/// Puts a LIMIT that keeps all rows above the aggregates of a query that conditions may reach.
/// Returns whether there are some.
fn separate(query: &mut Arc<LogicalPlan>) -> Result<bool> {
    if !query.exists_dyn(&|plan| Ok(groups_nothing(plan)))? {
        return Ok(false);
    }
    let separated = query.as_ref().clone().transform_down_dyn(&mut |plan| {
        if groups_nothing(&plan) {
            let limited = LogicalPlanBuilder::from(plan).limit(0, Some(i64::MAX as usize))?;
            return Ok(Transformed::new(limited.build()?, true, Jump));
        }
        Ok(match plan {
            LogicalPlan::Distinct(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::Join(_)
            | LogicalPlan::Projection(_)
            | LogicalPlan::Sort(_)
            | LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::Union(_)
            | LogicalPlan::Window(_) => Transformed::no(plan),
            other => Transformed::new(other, false, Jump),
        })
    })?;
    *query = Arc::new(separated.data);
    Ok(separated.transformed)
}

fn has_constant(projection: &Projection) -> bool {
    let columns = projection.expr.iter();
    columns.map(Expr::column_refs).any(|used| used.is_empty())
}

/// Whether a condition depends on no column of the input, or may become NULL by a value that does
/// not, such as `c <> NULL`.
fn has_open_condition(filter: &Filter) -> Result<bool> {
    for condition in split_conjunction(&filter.predicate) {
        let is_open = match condition {
            Expr::Literal(..) => false,
            condition => condition.exists_dyn(&|part| match part {
                Expr::Literal(value, _) => Ok(value.is_null()),
                part => Ok(part.column_refs().is_empty()),
            })?,
        };
        if is_open {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an operator is an aggregate that returns a row for no input.
fn groups_nothing(plan: &LogicalPlan) -> bool {
    let LogicalPlan::Aggregate(aggregate) = plan else {
        return false;
    };
    let mut groups = aggregate.group_expr.iter();
    aggregate.group_expr.is_empty() || groups.any(|group| matches!(group, Expr::GroupingSet(_)))
}
