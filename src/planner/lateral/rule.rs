//! An analyzer rule that replaces joins with a call by separate nodes.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, JoinType, Result, ScalarValue, plan_err};
use datafusion::logical_expr::logical_plan::{Filter, Join};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, cast};
use datafusion::optimizer::AnalyzerRule;

use super::node::{CallColumn, LateralCall, LateralNode};
use crate::planner::without_alias;
use crate::tree_walk::{PlanWalk, TreeWalk};

/// Plans the calls of table functions whose argument is a column.
#[derive(Debug)]
pub struct LateralJoins;

impl AnalyzerRule for LateralJoins {
    fn name(&self) -> &str {
        "lateral_joins"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        with_lateral_joins(plan)
    }
}

/// Plans the calls. Optimizer rules cannot handle them.
pub fn with_lateral_joins(plan: LogicalPlan) -> Result<LogicalPlan> {
    if call_within(&plan)?.is_none() {
        return Ok(plan);
    }
    let plan = plan.transform_up_with_subqueries_dyn(&mut |plan| match plan {
        LogicalPlan::Join(join) => called(join),
        plan => Ok(Transformed::no(plan)),
    })?;
    match call_within(&plan.data)? {
        None => Ok(plan.data),
        Some(call) => plan_err!(
            "{call} has a column as argument: name it directly in FROM, after the table with that \
             column, as in FROM t CROSS JOIN LATERAL {call}"
        ),
    }
}

/// Returns the text of a call that is still in a plan.
fn call_within(plan: &LogicalPlan) -> Result<Option<String>> {
    let mut found = None;
    plan.apply_with_subqueries_dyn(&mut |plan| {
        let LogicalPlan::Extension(extension) = plan else {
            return Ok(TreeNodeRecursion::Continue);
        };
        let Some(node) = extension.node.as_any().downcast_ref::<LateralCall>() else {
            return Ok(TreeNodeRecursion::Continue);
        };
        found = Some(node.call.text.clone());
        Ok(TreeNodeRecursion::Stop)
    })?;
    Ok(found)
}

/// The call that is one side of a join.
fn call_of(side: &LogicalPlan) -> Option<&LateralCall> {
    match side {
        LogicalPlan::Subquery(subquery) => call_of(&subquery.subquery),
        LogicalPlan::SubqueryAlias(alias) => call_of(&alias.input),
        // `AS hits(a, b)` renames the columns.
        LogicalPlan::Projection(projection) => {
            let columns = projection.input.schema().columns();
            let is_renamed = projection.expr.len() == columns.len()
                && columns
                    .into_iter()
                    .zip(&projection.expr)
                    .all(|(column, expr)| *without_alias(expr) == Expr::Column(column));
            is_renamed.then(|| call_of(&projection.input)).flatten()
        }
        LogicalPlan::Extension(extension) => extension.node.as_any().downcast_ref(),
        _ => None,
    }
}

/// Replaces a join with a call.
fn called(join: Join) -> Result<Transformed<LogicalPlan>> {
    let Some(found) = call_of(&join.right) else {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    };
    let call = found.call.clone();
    let argument = argument(&found.argument, &join, &call.text)?;
    let is_true = Expr::Literal(ScalarValue::Boolean(Some(true)), None);
    let condition = join.filter.filter(|condition| *condition != is_true);
    let keeps_all = match join.join_type {
        JoinType::Inner => false,
        JoinType::Left if condition.is_none() => true,
        JoinType::Left => {
            return plan_err!(
                "LEFT JOIN LATERAL {} supports only the condition ON true: put the condition into WHERE",
                call.text
            );
        }
        kind => return plan_err!("{kind} JOIN LATERAL {} is not supported", call.text),
    };
    if !join.on.is_empty() {
        return plan_err!(
            "JOIN LATERAL {} takes no USING: put the condition into WHERE",
            call.text
        );
    }
    let inputs = join.left.schema().fields().len();
    let columns = join.schema.iter().skip(inputs);
    let columns = columns
        .enumerate()
        .map(|(place, (qualifier, field))| CallColumn {
            place,
            qualifier: qualifier.cloned(),
            field: Arc::clone(field),
        });
    let columns = columns.collect();
    let input = Arc::unwrap_or_clone(join.left);
    let plan = LateralNode::try_new(input, call, argument, columns, keeps_all)?.into_plan();
    Ok(Transformed::yes(match condition {
        Some(condition) => LogicalPlan::Filter(Filter::try_new(condition, Arc::new(plan))?),
        None => plan,
    }))
}

/// Returns the argument cast to text, in terms of the tables before the call.
fn argument(argument: &Expr, join: &Join, call: &str) -> Result<Expr> {
    let schema = join.left.schema();
    let argument = argument.clone().transform_up_dyn(&mut |expr| match expr {
        Expr::OuterReferenceColumn(_, column) => Ok(Transformed::yes(Expr::Column(column))),
        expr => Ok(Transformed::no(expr)),
    })?;
    let argument = argument.data;
    let is_elsewhere = |column: &&Column| !schema.has_column(column);
    if let Some(column) = argument.column_refs().into_iter().find(is_elsewhere) {
        return plan_err!(
            "{call}: {} is not a column of the tables before it",
            column.quoted_flat_name()
        );
    }
    match argument.get_type(schema.as_ref())? {
        DataType::LargeUtf8 => Ok(argument),
        DataType::Utf8 | DataType::Utf8View | DataType::Null => {
            Ok(cast(argument, DataType::LargeUtf8))
        }
        DataType::Dictionary(_, values) if values.is_string() => {
            Ok(cast(argument, DataType::LargeUtf8))
        }
        other => plan_err!(
            "{call}: the argument {argument} has to be text, not {other}: cast it with {argument}::text"
        ),
    }
}
