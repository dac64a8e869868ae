//! Moves filters with subqueries, such as `url IN (SELECT …)`, below costly calls.
//!
//! DataFusion turns them into joins, and does not move joins below projections. The calls of a view
//! would run for all of its rows before the join drops most of them.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::logical_plan::{Filter, Projection, Subquery, SubqueryAlias};
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{Expr, LogicalPlan};

use super::calls::{calls_in, translate};
use crate::planner::without_alias;
use crate::tree_walk::TreeWalk;

/// Moves the filters of a plan.
pub fn move_below_calls(plan: LogicalPlan) -> Result<LogicalPlan> {
    plan.transform_down_dyn(&mut |node| {
        let LogicalPlan::Filter(filter) = node else {
            return Ok(Transformed::no(node));
        };
        if !filter.predicate.exists_dyn(&|part| Ok(is_subquery(part)))? {
            return Ok(Transformed::no(LogicalPlan::Filter(filter)));
        }
        let mut input = Arc::unwrap_or_clone(filter.input);
        let mut kept = Vec::new();
        let mut is_moved = false;
        for condition in split_conjunction_owned(filter.predicate) {
            let moved = if is_movable(&condition)? {
                moved_below(&condition, &input)?
            } else {
                None
            };
            match moved {
                Some(with_filter) => {
                    input = with_filter;
                    is_moved = true;
                }
                None => kept.push(condition),
            }
        }
        let plan = match conjunction(kept) {
            Some(predicate) => filter_by(predicate, input)?,
            None => input,
        };
        Ok(if is_moved {
            Transformed::yes(plan)
        } else {
            Transformed::no(plan)
        })
    })
    .map(|moved| moved.data)
}

fn subquery(expr: &Expr) -> Option<&Subquery> {
    match expr {
        Expr::InSubquery(part) => Some(&part.subquery),
        Expr::Exists(part) => Some(&part.subquery),
        Expr::ScalarSubquery(part) => Some(part),
        _ => None,
    }
}

fn is_subquery(expr: &Expr) -> bool {
    subquery(expr).is_some()
}

/// Whether a condition has subqueries, none of which depends on the row, and no costly calls.
fn is_movable(condition: &Expr) -> Result<bool> {
    let depends_on_row = |part: &Expr| {
        let subquery = subquery(part);
        Ok(subquery.is_some_and(|part| !part.outer_ref_columns.is_empty()))
    };
    // Their joins would hold the side with the records, because of NULLs in the subquery.
    let is_not_in = |part: &Expr| Ok(matches!(part, Expr::InSubquery(part) if part.negated));
    Ok(condition.exists_dyn(&|part| Ok(is_subquery(part)))?
        && !condition.exists_dyn(&depends_on_row)?
        && !condition.exists_dyn(&is_not_in)?
        && !condition.is_volatile()
        && calls_in([condition])?.is_empty())
}

/// Returns the plan with the condition moved below at least one operator with costly calls. `None`
/// if it cannot pass any such operator.
fn moved_below(condition: &Expr, plan: &LogicalPlan) -> Result<Option<LogicalPlan>> {
    Ok(match plan {
        LogicalPlan::Projection(projection) => {
            let schema = &projection.schema;
            let input_of = |column: &Column| {
                let index = schema.maybe_index_of_column(column)?;
                match without_alias(&projection.expr[index]) {
                    Expr::Column(column) => Some(Expr::Column(column.clone())),
                    _ => None,
                }
            };
            let Some(condition) = translate(condition, input_of)? else {
                return Ok(None);
            };
            let has_calls = !calls_in(&projection.expr)?.is_empty();
            let Some(input) = below(condition, &projection.input, has_calls)? else {
                return Ok(None);
            };
            let projection = Projection::try_new(projection.expr.clone(), Arc::new(input))?;
            Some(LogicalPlan::Projection(projection))
        }
        LogicalPlan::SubqueryAlias(alias) => {
            let inner = alias.input.schema();
            let input_of = |column: &Column| {
                let index = alias.schema.maybe_index_of_column(column)?;
                Some(Expr::Column(Column::from(inner.qualified_field(index))))
            };
            let Some(condition) = translate(condition, input_of)? else {
                return Ok(None);
            };
            let Some(input) = below(condition, &alias.input, false)? else {
                return Ok(None);
            };
            let alias = SubqueryAlias::try_new(Arc::new(input), alias.alias.clone())?;
            Some(LogicalPlan::SubqueryAlias(alias))
        }
        LogicalPlan::Filter(filter) => {
            let has_calls = !calls_in([&filter.predicate])?.is_empty();
            match below(condition.clone(), &filter.input, has_calls)? {
                Some(input) => Some(filter_by(filter.predicate.clone(), input)?),
                None => None,
            }
        }
        LogicalPlan::Unnest(unnest) => {
            let inner = unnest.input.schema();
            let input_of = |column: &Column| {
                let index = unnest.schema.maybe_index_of_column(column)?;
                let index = *unnest.dependency_indices.get(index)?;
                let mut lists = unnest.list_type_columns.iter();
                let is_unnested = lists.any(|(list, _)| *list == index)
                    || unnest.struct_type_columns.contains(&index);
                let field = inner.qualified_field(index);
                (!is_unnested).then(|| Expr::Column(Column::from(field)))
            };
            let Some(condition) = translate(condition, input_of)? else {
                return Ok(None);
            };
            match below(condition, &unnest.input, false)? {
                Some(input) => Some(plan.with_new_exprs(plan.expressions(), vec![input])?),
                None => None,
            }
        }
        _ => None,
    })
}

/// Puts the condition into the input of an operator: below the input's calls, or above the input if
/// the operator itself has calls.
fn below(condition: Expr, input: &LogicalPlan, has_calls: bool) -> Result<Option<LogicalPlan>> {
    Ok(match moved_below(&condition, input)? {
        None if has_calls => Some(filter_by(condition, input.clone())?),
        moved => moved,
    })
}

fn filter_by(condition: Expr, input: LogicalPlan) -> Result<LogicalPlan> {
    Ok(LogicalPlan::Filter(Filter::try_new(
        condition,
        Arc::new(input),
    )?))
}
