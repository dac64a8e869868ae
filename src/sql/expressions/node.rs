//! Rewrites the expressions of one node of a plan, for the rules of this folder.

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, LogicalPlan};

use crate::tree_walk::{PlanWalk, TreeWalk};

/// Rewrites the expressions of all nodes of a plan that have candidates.
pub fn rewrite_plan(
    plan: LogicalPlan,
    is_candidate: fn(&Expr) -> bool,
    rewrite: fn(Expr, &DFSchema) -> Result<Transformed<Expr>>,
) -> Result<LogicalPlan> {
    plan.transform_up_with_subqueries_dyn(&mut |node| rewrite_node(node, is_candidate, &rewrite))
        .map(|rewritten| rewritten.data)
}

/// Whether an expression of a node has a candidate in it.
pub fn has_candidates(plan: &LogicalPlan, is_candidate: fn(&Expr) -> bool) -> Result<bool> {
    let mut has_candidates = false;
    plan.apply_expressions_dyn(&mut |expr| {
        has_candidates = has_candidates || expr.exists_dyn(&|part| Ok(is_candidate(part)))?;
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(has_candidates)
}

/// Rewrites the expressions of a node that has candidates. Columns keep their names.
pub fn rewrite_node(
    plan: LogicalPlan,
    is_candidate: fn(&Expr) -> bool,
    rewrite: &dyn Fn(Expr, &DFSchema) -> Result<Transformed<Expr>>,
) -> Result<Transformed<LogicalPlan>> {
    let rewritten = rewrite_same_types(plan, is_candidate, rewrite)?;
    if rewritten.transformed {
        rewritten.map_data(LogicalPlan::recompute_schema)
    } else {
        Ok(rewritten)
    }
}

/// Does the same for rewrites that keep all types. The schema stays.
pub fn rewrite_same_types(
    plan: LogicalPlan,
    is_candidate: fn(&Expr) -> bool,
    rewrite: &dyn Fn(Expr, &DFSchema) -> Result<Transformed<Expr>>,
) -> Result<Transformed<LogicalPlan>> {
    if !has_candidates(&plan, is_candidate)? {
        return Ok(Transformed::no(plan));
    }
    let schema = merge_schema(&plan.inputs());
    plan.rewrite_expressions_dyn(&mut |part| rewrite(part, &schema))
}
