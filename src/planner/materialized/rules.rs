//! The optimizer rules: one removes unused columns, the other the nodes on a cluster.

use std::collections::BTreeSet;
use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};
use datafusion::optimizer::optimize_projections::OptimizeProjections;
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};

use super::choice::has_expression;
use super::node::MaterializedNode;
use crate::tree_walk::PlanWalk;

/// Removes the columns that no use of a query reads, before other rules change the uses.
/// DataFusion's rule tells each node which of its columns are read.
#[derive(Debug)]
pub struct UsedColumns;

impl OptimizerRule for UsedColumns {
    fn name(&self) -> &str {
        "used_columns"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        None
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        config: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        if !has_unused_columns(&plan)? {
            return Ok(Transformed::no(plan));
        }
        // The rule does not see the columns that a query inside of another one compares with.
        let is_correlated = has_outer_columns(&plan)?;
        let plan = if is_correlated {
            plan
        } else {
            OptimizeProjections::new().rewrite(plan, config)?.data
        };
        let mut is_changed = false;
        plan.transform_up_with_subqueries_dyn(&mut |plan| {
            if let Some(node) = MaterializedNode::of(&plan)
                && let Some(used) = &node.shared.used
            {
                is_changed = true;
                let mut used = used.lock();
                if is_correlated {
                    used.extend(0..node.input.schema().fields().len());
                }
                return Ok(Transformed::yes(pruned(node, &used)?));
            }
            if is_changed {
                Ok(Transformed::yes(plan.recompute_schema()?))
            } else {
                Ok(Transformed::no(plan))
            }
        })
    }
}

/// Removes the nodes, so that each use runs its query: a cluster cannot share rows.
#[derive(Debug)]
pub struct RunForEachUse;

impl OptimizerRule for RunForEachUse {
    fn name(&self) -> &str {
        "run_for_each_use"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        None
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        _config: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| match MaterializedNode::of(&plan) {
            Some(node) if node.shared.is_random => plan_err!(
                "the query '{0}' of WITH has random values, and on a cluster would have other ones at each of its \
                 uses: write CREATE TABLE {0} AS SELECT … before",
                node.shared.name
            ),
            Some(node) => {
                let mut query = LogicalPlanBuilder::from(node.input.clone());
                for condition in &node.conditions {
                    query = query.filter(condition.clone())?;
                }
                Ok(Transformed::yes(query.build()?))
            }
            None => Ok(Transformed::no(plan)),
        })
    }
}

/// Whether a query might have columns that no use reads.
fn has_unused_columns(plan: &LogicalPlan) -> Result<bool> {
    plan.exists_with_subqueries_dyn(&|plan| {
        Ok(MaterializedNode::of(plan).is_some_and(|node| node.shared.used.is_some()))
    })
}

fn has_outer_columns(plan: &LogicalPlan) -> Result<bool> {
    let is_outer = |expr: &Expr| matches!(expr, Expr::OuterReferenceColumn(..));
    plan.exists_with_subqueries_dyn(&|plan| has_expression(plan, &is_outer))
}

/// The query with its used columns only, but at least one.
fn pruned(node: &MaterializedNode, used: &BTreeSet<usize>) -> Result<LogicalPlan> {
    let shared = Arc::new(node.shared.pruned());
    let columns = node.input.schema().columns();
    let mut input = node.input.clone();
    if used.len() < columns.len() {
        let is_kept = |index: &usize| used.contains(index) || used.is_empty() && *index == 0;
        let kept = columns.into_iter().enumerate();
        let kept = kept.filter(|(index, _)| is_kept(index));
        let kept = kept.map(|(_, column)| Expr::Column(column));
        input = LogicalPlanBuilder::from(input).project(kept)?.build()?;
    }
    let conditions = node.conditions.clone();
    let node = MaterializedNode {
        shared,
        input,
        conditions,
    };
    // DataFusion finds the value of IN (SELECT …) in a projection.
    let query = LogicalPlanBuilder::from(node.into_plan());
    let columns = query.schema().columns().into_iter().map(Expr::Column);
    let columns: Vec<Expr> = columns.collect();
    query.project(columns)?.build()
}
