//! Chooses the queries of WITH that run once.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{AggregateFunction, WindowFunction};
use datafusion::logical_expr::{
    Distinct, Expr, ExprSchemable, LogicalPlan, WindowFrameUnits, WindowFunctionDefinition,
};

use super::node::{MaterializedNode, SharedQuery};
use crate::tree_walk::{PlanWalk, TreeWalk};

/// Aggregates whose result does not depend on the order of the rows.
const ORDERLESS: [&str; 11] = [
    "approx_distinct",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bool_and",
    "bool_or",
    "count",
    "grouping",
    "max",
    "median",
    "min",
];

/// Aggregates whose result depends on the order of floating-point numbers.
const ORDERLESS_IF_EXACT: [&str; 2] = ["avg", "sum"];

/// Window functions that treat equal rows of their order equally.
const RANKS: [&str; 4] = ["cume_dist", "dense_rank", "percent_rank", "rank"];

/// Returns a plan in which the queries that may differ run once if they are used several times.
///
/// A query that another one uses precedes it: the other one reads the same rows at each use.
pub fn materialize(mut plan: LogicalPlan, names: &[String]) -> Result<LogicalPlan> {
    for name in names {
        for query in repeated(&plan, name)? {
            plan = with_node(plan, name, &query)?;
        }
    }
    Ok(plan)
}

/// The queries with a name that are used several times, and may differ.
fn repeated(plan: &LogicalPlan, name: &str) -> Result<Vec<LogicalPlan>> {
    let mut seen = HashSet::new();
    let mut repeated = Vec::new();
    plan.apply_with_subqueries_dyn(&mut |plan| {
        if let Some(query) = query_of(plan, name)
            && may_differ(query)?
            && !is_correlated(query)?
            && !seen.insert(query.clone())
            && !repeated.contains(query)
        {
            repeated.push(query.clone());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(repeated)
}

/// Puts the node above each use of a query.
fn with_node(plan: LogicalPlan, name: &str, query: &LogicalPlan) -> Result<LogicalPlan> {
    let shared = Arc::new(SharedQuery::new(name, has_random(query)?));
    plan.transform_up_with_subqueries_dyn(&mut |plan| {
        let LogicalPlan::SubqueryAlias(mut alias) = plan else {
            return Ok(Transformed::no(plan));
        };
        if alias.alias.table() != name || *alias.input != *query {
            return Ok(Transformed::no(LogicalPlan::SubqueryAlias(alias)));
        }
        let node = MaterializedNode {
            shared: Arc::clone(&shared),
            input: Arc::unwrap_or_clone(alias.input),
            conditions: Vec::new(),
        };
        alias.input = Arc::new(node.into_plan());
        Ok(Transformed::yes(LogicalPlan::SubqueryAlias(alias)))
    })
    .map(|changed| changed.data)
}

/// The query of a plan that is a use of a name.
fn query_of<'a>(plan: &'a LogicalPlan, name: &str) -> Option<&'a LogicalPlan> {
    match plan {
        LogicalPlan::SubqueryAlias(alias)
            if alias.alias.table() == name && MaterializedNode::of(&alias.input).is_none() =>
        {
            Some(&alias.input)
        }
        _ => None,
    }
}

/// Whether the rows of a query may differ between two runs over the same data.
fn may_differ(query: &LogicalPlan) -> Result<bool> {
    let mut differs = false;
    query.apply_with_subqueries_dyn(&mut |plan| {
        if MaterializedNode::of(plan).is_some() {
            return Ok(TreeNodeRecursion::Jump);
        }
        let schema = plan.inputs().first().map(|input| input.schema().as_ref());
        differs = chooses_rows(plan)
            || has_expression(plan, &|expr| {
                expr.is_volatile_node() || depends_on_order(expr, schema)
            })?;
        Ok(if differs {
            TreeNodeRecursion::Stop
        } else {
            TreeNodeRecursion::Continue
        })
    })?;
    Ok(differs)
}

/// Whether a query has random values.
fn has_random(query: &LogicalPlan) -> Result<bool> {
    query.exists_with_subqueries_dyn(&|plan| has_expression(plan, &Expr::is_volatile_node))
}

/// Whether a part of a node's expressions meets a condition.
pub fn has_expression(plan: &LogicalPlan, is_wanted: &dyn Fn(&Expr) -> bool) -> Result<bool> {
    let mut is_found = false;
    plan.apply_expressions_dyn(&mut |expr| {
        is_found = is_found || expr.exists_dyn(&|part| Ok(is_wanted(part)))?;
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(is_found)
}

/// Whether an operator selects rows by their order.
fn chooses_rows(plan: &LogicalPlan) -> bool {
    matches!(
        plan,
        LogicalPlan::Limit(_) | LogicalPlan::Distinct(Distinct::On(_))
    )
}

/// Whether the result of an aggregate or a window function depends on the order of rows that its
/// ORDER BY treats as equal.
fn depends_on_order(expr: &Expr, schema: Option<&DFSchema>) -> bool {
    match expr {
        Expr::AggregateFunction(call) => {
            let AggregateFunction { func, params } = call;
            !is_orderless(func.name(), &params.args, schema)
        }
        Expr::WindowFunction(call) => {
            let WindowFunction { fun, params } = call.as_ref();
            match fun {
                WindowFunctionDefinition::AggregateUDF(function) => {
                    params.window_frame.units == WindowFrameUnits::Rows
                        || !is_orderless(function.name(), &params.args, schema)
                }
                WindowFunctionDefinition::WindowUDF(function) => !RANKS.contains(&function.name()),
            }
        }
        _ => false,
    }
}

fn is_orderless(function: &str, arguments: &[Expr], schema: Option<&DFSchema>) -> bool {
    if ORDERLESS.contains(&function) {
        return true;
    }
    let (Some(argument), Some(schema)) = (arguments.first(), schema) else {
        return false;
    };
    let value = argument.get_type(schema);
    ORDERLESS_IF_EXACT.contains(&function) && value.is_ok_and(|value| !value.is_floating())
}

/// Whether a query reads columns of an outer query.
fn is_correlated(query: &LogicalPlan) -> Result<bool> {
    let is_outer = |expr: &Expr| matches!(expr, Expr::OuterReferenceColumn(..));
    query.exists_dyn(&|plan| has_expression(plan, &is_outer))
}
