//! Keeps the order of `SELECT list(x) FROM (SELECT x … ORDER BY y)`.
//!
//! Partitions run side by side, so an aggregate sees the rows of a sorted subquery in any order. As
//! in DuckDB, the order of the subquery is that of the aggregate, unless it has one itself.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::expr::{AggregateFunction, Sort as SortExpr};
use datafusion::logical_expr::logical_plan::Aggregate;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::{PlanWalk, TreeWalk};

/// Aggregates whose result depends on the order of rows.
pub const ORDERED: [&str; 5] = [
    "array_agg",
    "first_value",
    "last_value",
    "nth_value",
    "string_agg",
];

/// Copies the order of sorted subqueries to aggregates.
#[derive(Debug)]
pub struct OrderedAggregates;

impl AnalyzerRule for OrderedAggregates {
    fn name(&self) -> &str {
        "ordered_aggregates"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| match plan {
            LogicalPlan::Aggregate(aggregate) if aggregate.aggr_expr.iter().any(takes_order) => {
                with_order(aggregate)
            }
            plan => Ok(Transformed::no(plan)),
        })
        .map(|rewritten| rewritten.data)
    }
}

/// Whether an aggregate depends on an order that it does not name.
fn takes_order(expr: &Expr) -> bool {
    match expr {
        Expr::Alias(alias) => takes_order(&alias.expr),
        Expr::AggregateFunction(AggregateFunction { func, params }) => {
            params.order_by.is_empty() && !params.distinct && ORDERED.contains(&func.name())
        }
        _ => false,
    }
}

fn with_order(aggregate: Aggregate) -> Result<Transformed<LogicalPlan>> {
    let Some(Ordered { plan, keys }) = find_sorted(&aggregate.input, &mut 0)? else {
        return Ok(Transformed::no(LogicalPlan::Aggregate(aggregate)));
    };
    let ordered = aggregate.aggr_expr.iter().map(|expr| {
        if !takes_order(expr) {
            return Ok(expr.clone());
        }
        let name = expr.schema_name().to_string();
        let expr = expr.clone().transform_down_dyn(&mut |part| match part {
            Expr::AggregateFunction(mut function) => {
                function.params.order_by.clone_from(&keys);
                Ok(Transformed::yes(Expr::AggregateFunction(function)))
            }
            part => Ok(Transformed::no(part)),
        })?;
        Ok(expr.data.unalias().alias(name))
    });
    let ordered = ordered.collect::<Result<_>>()?;
    let aggregate = Aggregate::try_new(Arc::new(plan), aggregate.group_expr, ordered)?;
    Ok(Transformed::yes(LogicalPlan::Aggregate(aggregate)))
}

/// A plan that returns the keys of its order, perhaps as additional columns.
pub struct Ordered {
    pub plan: LogicalPlan,
    pub keys: Vec<SortExpr>,
}

/// Returns a sorted plan with its keys; `None` if it is not sorted. `added` counts the columns for
/// keys.
pub fn find_sorted(plan: &LogicalPlan, added: &mut usize) -> Result<Option<Ordered>> {
    if let LogicalPlan::Sort(sort) = plan {
        let (plan, keys) = (plan.clone(), sort.expr.clone());
        return Ok(Some(Ordered { plan, keys }));
    }
    if !matches!(
        plan,
        LogicalPlan::Projection(_)
            | LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::Limit(_)
    ) {
        return Ok(None);
    }
    let input = plan.inputs().first().map(|input| find_sorted(input, added));
    let Some(mut input) = input.transpose()?.flatten() else {
        return Ok(None);
    };
    let mut exprs = plan.expressions();
    match plan {
        LogicalPlan::Projection(_) => {
            for key in &mut input.keys {
                // No user column has this name.
                let name = format!("ORDER BY {added}");
                *added += 1;
                exprs.push(key.expr.clone().alias(&name));
                key.expr = Expr::Column(Column::new_unqualified(name));
            }
        }
        LogicalPlan::SubqueryAlias(named) => {
            for key in &mut input.keys {
                let expr = key
                    .expr
                    .clone()
                    .transform_down_dyn(&mut |part| match part {
                        Expr::Column(mut column) => {
                            column.relation = Some(named.alias.clone());
                            Ok(Transformed::yes(Expr::Column(column)))
                        }
                        part => Ok(Transformed::no(part)),
                    })?;
                key.expr = expr.data;
            }
        }
        _ => {}
    }
    let plan = plan.with_new_exprs(exprs, vec![input.plan])?;
    Ok(Some(Ordered {
        plan,
        keys: input.keys,
    }))
}
