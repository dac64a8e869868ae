//! Queries that use columns of the rows around them in ways that DataFusion cannot join, such as
//! `(SELECT count(*) FROM b WHERE b.date <= a.date)` and `LATERAL (SELECT … LIMIT 2)`.
//!
//! ```text
//! rows    joins numbered rows with a query, and runs its operators for each number
//! ```

mod rows;

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{JoinType, Result};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::logical_plan::{Join, Subquery};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{BinaryExpr, Expr, LogicalPlan, LogicalPlanBuilder, Operator, lit};
use datafusion::optimizer::AnalyzerRule;

use self::rows::{Rows, uses_outer};
use crate::tree_walk::{PlanWalk, TreeWalk};

/// Replaces these queries in the SELECT list, in WHERE and in FROM by joins.
#[derive(Debug)]
pub struct CorrelatedQueries;

impl AnalyzerRule for CorrelatedQueries {
    fn name(&self) -> &str {
        "correlated_queries"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        let mut number = 0;
        let joined = plan.transform_up_with_subqueries_dyn(&mut |mut node| {
            let mut is_changed = false;
            if let LogicalPlan::Join(join) = &node
                && let Some(joined) = lateral(join, &mut number)?
            {
                node = joined;
                is_changed = true;
            }
            if let Some(changed) = with_values(&node, &mut number)? {
                node = changed;
                is_changed = true;
            }
            Ok(Transformed::new(
                node,
                is_changed,
                TreeNodeRecursion::Continue,
            ))
        });
        joined.map(|it| it.data)
    }
}

/// Whether DataFusion cannot join a query. It joins conditions of one WHERE, but only equations
/// below one aggregate or DISTINCT, and no columns elsewhere. Windows and limits it computes over
/// the rows of all, and it joins neither sorted rows nor queries in FROM.
pub fn is_unusual(query: &LogicalPlan) -> Result<bool> {
    query.exists_dyn(&|node| match node {
        LogicalPlan::Limit(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::Window(_) => Ok(uses_outer(node)),
        LogicalPlan::Aggregate(aggregate) => Ok(node.contains_outer_reference()
            || has_unequal(node)?
            || uses_outer(node) && is_aggregated(&aggregate.input)?),
        LogicalPlan::Distinct(_) => has_unequal(node),
        LogicalPlan::Filter(filter) => Ok(node.contains_outer_reference()
            && (uses_outer(&filter.input) || is_aggregated(&filter.input)?)),
        _ => Ok(node.contains_outer_reference()),
    })
}

fn has_unequal(query: &LogicalPlan) -> Result<bool> {
    query.exists_dyn(&|node| {
        Ok(matches!(node, LogicalPlan::Filter(filter) if is_unequal(&filter.predicate)))
    })
}

/// Whether a condition on the outer row is not an equation with a column of the query.
fn is_unequal(condition: &Expr) -> bool {
    let is_equation = |condition: &Expr| {
        let is_equal = matches!(
            condition,
            Expr::BinaryExpr(BinaryExpr {
                op: Operator::Eq,
                ..
            })
        );
        is_equal && !condition.column_refs().is_empty()
    };
    let mut conditions = split_conjunction(condition).into_iter();
    conditions.any(|condition| condition.contains_outer() && !is_equation(condition))
}

/// Whether a query groups rows.
pub fn is_aggregated(query: &LogicalPlan) -> Result<bool> {
    query.exists_dyn(&|node| {
        Ok(matches!(
            node,
            LogicalPlan::Aggregate(_) | LogicalPlan::Distinct(_)
        ))
    })
}

/// Whether a query has HAVING, with which DataFusion joins no LATERAL.
fn has_having(query: &LogicalPlan) -> Result<bool> {
    query.exists_dyn(&|node| match node {
        LogicalPlan::Filter(filter) => is_aggregated(&filter.input),
        _ => Ok(false),
    })
}

/// Joins the rows before LATERAL with its query.
fn lateral(join: &Join, number: &mut usize) -> Result<Option<LogicalPlan>> {
    let query = match join.right.as_ref() {
        LogicalPlan::SubqueryAlias(alias) => alias.input.as_ref(),
        query => query,
    };
    let LogicalPlan::Subquery(query) = query else {
        return Ok(None);
    };
    let query = query.subquery.as_ref();
    let condition = join.filter.as_ref().filter(|it| **it != lit(true));
    let is_inner = match join.join_type {
        JoinType::Inner => true,
        JoinType::Left if condition.is_none() => false,
        _ => return Ok(None),
    };
    let is_ours = join.on.is_empty() && (is_unusual(query)? || has_having(query)?);
    if !is_ours {
        // DataFusion's join adds columns, which the operators above do not expect.
        let columns = join.schema.columns().into_iter().map(Expr::Column);
        let joined = LogicalPlanBuilder::from(LogicalPlan::Join(join.clone()));
        return joined.project(columns)?.build().map(Some);
    }
    *number += 1;
    let Some((plan, values)) = Rows::new(&join.left, *number).join(query, is_inner)? else {
        return Ok(None);
    };
    let own = join.left.schema().columns().into_iter().map(Expr::Column);
    let names = join.right.schema().columns();
    let values = values
        .into_iter()
        .zip(names)
        .map(|(value, name)| value.alias_qualified(name.relation, name.name));
    let mut joined = LogicalPlanBuilder::from(plan).project(own.chain(values))?;
    if let Some(condition) = condition {
        joined = joined.filter(condition.clone())?;
    }
    joined.build().map(Some)
}

/// Replaces the queries of one value in a node that DataFusion cannot join.
fn with_values(node: &LogicalPlan, number: &mut usize) -> Result<Option<LogicalPlan>> {
    let input = match node {
        LogicalPlan::Projection(projection) => &projection.input,
        LogicalPlan::Filter(filter) => &filter.input,
        _ => return Ok(None),
    };
    let mut queries: Vec<Subquery> = Vec::new();
    node.apply_expressions_dyn(&mut |expr| {
        expr.apply_dyn(&mut |inner| {
            if let Expr::ScalarSubquery(query) = inner
                && !queries.contains(query)
            {
                queries.push(query.clone());
            }
            Ok(TreeNodeRecursion::Continue)
        })
    })?;
    let mut rows = Arc::clone(input);
    let mut values = Vec::new();
    for query in queries {
        if !has_one_row(&query.subquery) || !is_unusual(&query.subquery)? {
            continue;
        }
        *number += 1;
        if let Some((joined, mut columns)) =
            Rows::new(&rows, *number).join(&query.subquery, false)?
            && let (Some(value), true) = (columns.pop(), columns.is_empty())
        {
            rows = Arc::new(joined);
            values.push((query, value));
        }
    }
    if values.is_empty() {
        return Ok(None);
    }
    replaced(node, rows, &values).map(Some)
}

/// Whether a query is an aggregate of all rows.
fn has_one_row(query: &LogicalPlan) -> bool {
    match query {
        LogicalPlan::Projection(projection) => has_one_row(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => has_one_row(&alias.input),
        LogicalPlan::Filter(filter) => has_one_row(&filter.input),
        LogicalPlan::Window(window) => has_one_row(&window.input),
        LogicalPlan::Aggregate(aggregate) => aggregate.group_expr.is_empty(),
        _ => false,
    }
}

/// Replaces the input of a node by rows that are joined with queries, and the queries by their
/// values.
fn replaced(
    node: &LogicalPlan,
    rows: Arc<LogicalPlan>,
    values: &[(Subquery, Expr)],
) -> Result<LogicalPlan> {
    let names = NamePreserver::new(node);
    let with_values = |expr: &Expr| -> Result<Expr> {
        let name = names.save(expr);
        let replaced = expr.clone().transform_up_dyn(&mut |expr| {
            let value = match &expr {
                Expr::ScalarSubquery(own) => values.iter().find(|(query, _)| query == own),
                _ => None,
            };
            Ok(match value {
                Some((_, value)) => Transformed::yes(value.clone()),
                None => Transformed::no(expr),
            })
        })?;
        Ok(name.restore(replaced.data))
    };
    let rows = LogicalPlanBuilder::from(rows);
    match node {
        LogicalPlan::Filter(filter) => {
            let columns = filter.input.schema().columns().into_iter();
            rows.filter(with_values(&filter.predicate)?)?
                .project(columns.map(Expr::Column))?
                .build()
        }
        node => {
            let items = node.expressions();
            let items: Vec<Expr> = items.iter().map(with_values).collect::<Result<_>>()?;
            rows.project(items)?.build()
        }
    }
}
