//! Brings a plan of the SQL planner into a form that the rule understands.

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Distinct, LogicalPlan};
use datafusion::optimizer::decorrelate_lateral_join::DecorrelateLateralJoin;
use datafusion::optimizer::optimize_projections::OptimizeProjections;
use datafusion::optimizer::replace_distinct_aggregate::ReplaceDistinctWithAggregate;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use crate::tree_walk::PlanWalk;

/// Applies some rules of DataFusion early, because the rule depends on them. They remove the calls
/// whose values no operator uses, such as those of other columns of a view: an `EvaluateOnceNode`
/// keeps its calls.
pub fn normalize(plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<LogicalPlan> {
    let plan = without_distinct_on(plan, config)?;
    let plan = without_lateral_joins(plan, config)?;
    // `OptimizeProjections` does not see which columns a lateral subquery uses.
    if has_lateral_subquery(&plan)? {
        return Ok(plan);
    }
    Ok(OptimizeProjections::new().rewrite(plan, config)?.data)
}

/// Makes aggregates of `SELECT DISTINCT ON`. `OptimizeProjections` confuses the indexes of its
/// columns with those of its input, and `LogicalPlan::with_new_exprs` panics if it is sorted.
fn without_distinct_on(plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<LogicalPlan> {
    let rule = ReplaceDistinctWithAggregate::new();
    let plan = plan.transform_up_with_subqueries_dyn(&mut |node| match node {
        LogicalPlan::Distinct(Distinct::On(_)) => rule.rewrite(node, config),
        node => Ok(Transformed::no(node)),
    })?;
    Ok(plan.data)
}

fn without_lateral_joins(plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<LogicalPlan> {
    if !has_lateral_subquery(&plan)? {
        return Ok(plan);
    }
    let rule = DecorrelateLateralJoin::new();
    let plan = plan.transform_down_with_subqueries_dyn(&mut |node| rule.rewrite(node, config))?;
    Ok(plan.data)
}

/// Whether a subquery is the input of an operator, as opposed to part of an expression.
fn has_lateral_subquery(plan: &LogicalPlan) -> Result<bool> {
    let is_subquery = |input: &&LogicalPlan| matches!(input, LogicalPlan::Subquery(_));
    plan.exists_with_subqueries_dyn(&|node| Ok(node.inputs().iter().any(is_subquery)))
}
