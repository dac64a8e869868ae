//! Removes columns that no use of a materialized query reads.

use std::collections::BTreeSet;
use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};
use datafusion::optimizer::optimize_projections::OptimizeProjections;
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};

use super::node::MaterializedNode;
use crate::tree_walk::PlanWalk;

/// Removes them before other rules change the uses of a query. DataFusion's rule tells each node
/// which of its columns are read.
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
        let plan = OptimizeProjections::new().rewrite(plan, config)?.data;
        let mut is_changed = false;
        plan.transform_up_with_subqueries_dyn(&mut |plan| {
            if let Some(node) = MaterializedNode::of(&plan)
                && let Some(used) = &node.query.used
            {
                is_changed = true;
                let used = used.lock();
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

/// Removes the nodes. On a cluster, which keeps no rows, each use runs the query.
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
            Some(node) if node.query.is_random => plan_err!(
                "the query '{0}' of WITH has random values, and on a cluster would have other ones at each of its \
                 uses: write CREATE TABLE {0} AS SELECT … before",
                node.query.name
            ),
            Some(node) => Ok(Transformed::yes(node.input.clone())),
            None => Ok(Transformed::no(plan)),
        })
    }
}

/// Whether a query might have columns that no use reads.
fn has_unused_columns(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries_dyn(&mut |plan| {
        found |= MaterializedNode::of(plan).is_some_and(|node| node.query.used.is_some());
        Ok(if found {
            TreeNodeRecursion::Stop
        } else {
            TreeNodeRecursion::Continue
        })
    })?;
    Ok(found)
}

/// The query with its used columns only, but at least one.
fn pruned(node: &MaterializedNode, used: &BTreeSet<usize>) -> Result<LogicalPlan> {
    let query = Arc::new(node.query.pruned());
    let mut columns = node.input.schema().columns();
    let count = columns.len();
    let mut index = 0;
    columns.retain(|_| {
        index += 1;
        used.contains(&(index - 1)) || (used.is_empty() && index == 1)
    });
    let mut input = node.input.clone();
    if columns.len() < count {
        let columns = columns.into_iter().map(Expr::Column);
        input = LogicalPlanBuilder::from(input).project(columns)?.build()?;
    }
    Ok(MaterializedNode { query, input }.into_plan())
}
