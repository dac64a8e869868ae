//! An optimizer rule that removes unused columns of calls. Some columns, such as snippets, are
//! expensive.

use std::collections::HashSet;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use super::node::LateralNode;

/// Removes unused columns of calls.
#[derive(Debug)]
pub struct LateralColumns;

impl OptimizerRule for LateralColumns {
    fn name(&self) -> &str {
        "lateral_columns"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        _config: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        if !matches!(plan, LogicalPlan::Projection(_) | LogicalPlan::Aggregate(_)) {
            return Ok(Transformed::no(plan));
        }
        match narrow(&plan, &mut HashSet::new())? {
            Some(plan) => Ok(Transformed::yes(plan)),
            None => Ok(Transformed::no(plan)),
        }
    }
}

/// Returns a plan above a call in which the call has only the columns in `used` and those that the
/// plan itself uses. `None` if the call already has no others.
fn narrow(plan: &LogicalPlan, used: &mut HashSet<Column>) -> Result<Option<LogicalPlan>> {
    if has_subquery(plan)? {
        return Ok(None);
    }
    let expressions = plan.expressions();
    for expression in &expressions {
        used.extend(expression.column_refs().into_iter().cloned());
    }
    let [input] = plan.inputs()[..] else {
        return Ok(None);
    };
    let input = match input {
        LogicalPlan::Extension(extension) => {
            let node = extension.node.as_any().downcast_ref::<LateralNode>();
            node.map(|node| with_columns(node, used))
                .transpose()?
                .flatten()
        }
        LogicalPlan::Filter(_) | LogicalPlan::Sort(_) | LogicalPlan::Limit(_) => {
            narrow(input, used)?
        }
        _ => None,
    };
    input
        .map(|input| plan.with_new_exprs(expressions, vec![input]))
        .transpose()
}

/// Whether a plan has subqueries in its expressions, which may use any column.
fn has_subquery(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_subqueries(|_| {
        found = true;
        Ok(TreeNodeRecursion::Stop)
    })?;
    Ok(found)
}

fn with_columns(node: &LateralNode, used: &HashSet<Column>) -> Result<Option<LogicalPlan>> {
    let mut columns = node.columns.clone();
    columns
        .retain(|column| used.contains(&Column::from((column.qualifier.as_ref(), &column.field))));
    if columns.len() == node.columns.len() {
        return Ok(None);
    }
    let (call, argument) = (node.call.clone(), node.argument.clone());
    let input = node.input.clone();
    let node = LateralNode::try_new(input, call, argument, columns, node.keeps_all)?;
    Ok(Some(node.into_plan()))
}
