//! `FROM t, unnest(t.list) AS u(item)` and `FROM t, LATERAL (SELECT t.a + 1 AS b)`.
//!
//! DataFusion plans these as joins with a query that refers to the table, which it cannot run. If
//! that query reads no tables itself, its operators can work on the rows of the table instead.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, JoinType, Result, ScalarValue, plan_err};
use datafusion::logical_expr::logical_plan::{Filter, Join, Projection, SubqueryAlias};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, Subquery};

use crate::tree_walk::{PlanWalk, TreeWalk};

/// Plans queries that read no tables themselves as operators on the rows before them.
pub fn with_unnested_lists(plan: LogicalPlan) -> Result<LogicalPlan> {
    let is_lateral = |plan: &LogicalPlan| {
        Ok(matches!(plan, LogicalPlan::Join(join) if lateral(&join.right).is_some()))
    };
    if !plan.exists_with_subqueries_dyn(&is_lateral)? {
        return Ok(plan);
    }
    let plan = plan.transform_up_with_subqueries_dyn(&mut |plan| match plan {
        LogicalPlan::Join(join) => unnest_join(join),
        plan => Ok(Transformed::no(plan)),
    })?;
    Ok(plan.data)
}

/// The lateral query that is a side of a join.
fn lateral(side: &LogicalPlan) -> Option<&Subquery> {
    match side {
        LogicalPlan::Subquery(subquery) => {
            (!subquery.outer_ref_columns.is_empty()).then_some(subquery)
        }
        LogicalPlan::SubqueryAlias(alias) => lateral(&alias.input),
        _ => None,
    }
}

fn unnest_join(join: Join) -> Result<Transformed<LogicalPlan>> {
    if lateral(&join.right).is_none() || !join.on.is_empty() {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    }
    let rows = Rows {
        left: &join.left,
        columns: join.left.schema().columns(),
    };
    let Some(plan) = rows.with(&join.right)? else {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    };
    let is_true = Expr::Literal(ScalarValue::Boolean(Some(true)), None);
    let condition = join.filter.filter(|condition| *condition != is_true);
    match join.join_type {
        JoinType::Inner => {}
        JoinType::Left if condition.is_none() && keeps_rows(&join.right)? => {}
        JoinType::Left => {
            return plan_err!(
                "LEFT JOIN with a list or query of each row is not supported: write \
                 SELECT unnest_outer(list) AS item FROM t"
            );
        }
        kind => return plan_err!("{kind} JOIN LATERAL is not supported: write CROSS JOIN LATERAL"),
    }
    Ok(Transformed::yes(match condition {
        Some(condition) => LogicalPlan::Filter(Filter::try_new(condition, Arc::new(plan))?),
        None => plan,
    }))
}

/// A query without the node that makes it a subquery.
fn unwrapped(query: &LogicalPlan) -> &LogicalPlan {
    match query {
        LogicalPlan::Subquery(subquery) => unwrapped(&subquery.subquery),
        query => query,
    }
}

/// Whether a query returns one row for each row before it.
fn keeps_rows(query: &LogicalPlan) -> Result<bool> {
    let drops = query.exists_dyn(&|plan| {
        Ok(matches!(
            plan,
            LogicalPlan::Unnest(_) | LogicalPlan::Filter(_)
        ))
    })?;
    Ok(!drops)
}

/// The rows on the left side of a join.
struct Rows<'a> {
    left: &'a LogicalPlan,
    columns: Vec<Column>,
}

impl Rows<'_> {
    /// Returns the rows with the columns of a query without tables. `None` if it has some.
    fn with(&self, query: &LogicalPlan) -> Result<Option<LogicalPlan>> {
        if let LogicalPlan::SubqueryAlias(alias) = query
            && let LogicalPlan::Projection(projection) = unwrapped(&alias.input)
        {
            return self.with_alias(alias, projection);
        }
        let input = match query {
            LogicalPlan::EmptyRelation(empty) if empty.produce_one_row => {
                return Ok(Some(self.left.clone()));
            }
            LogicalPlan::Subquery(subquery) => return self.with(&subquery.subquery),
            LogicalPlan::SubqueryAlias(alias) => &alias.input,
            LogicalPlan::Projection(projection) => &projection.input,
            LogicalPlan::Unnest(unnest) => &unnest.input,
            LogicalPlan::Filter(filter) => &filter.input,
            _ => return Ok(None),
        };
        let Some(input) = self.with(input)? else {
            return Ok(None);
        };
        Ok(Some(match query {
            LogicalPlan::SubqueryAlias(alias) => {
                let own = alias.input.schema().columns().into_iter().map(|column| {
                    let name = column.name.clone();
                    Expr::Column(column).alias_qualified(Some(alias.alias.clone()), name)
                });
                self.project(own.collect(), input)?
            }
            LogicalPlan::Projection(projection) => {
                let own = projection.expr.iter().cloned().map(inner);
                self.project(own.collect::<Result<_>>()?, input)?
            }
            LogicalPlan::Unnest(unnest) => LogicalPlanBuilder::from(input)
                .unnest_columns_with_options(unnest.exec_columns.clone(), unnest.options.clone())?
                .build()?,
            LogicalPlan::Filter(filter) => {
                let condition = inner(filter.predicate.clone())?;
                LogicalPlan::Filter(Filter::try_new(condition, Arc::new(input))?)
            }
            _ => return Ok(None),
        }))
    }

    /// Names the columns of a projection after their table immediately, because they would be
    /// ambiguous beside columns of the same name.
    fn with_alias(
        &self,
        alias: &SubqueryAlias,
        projection: &Projection,
    ) -> Result<Option<LogicalPlan>> {
        let Some(input) = self.with(&projection.input)? else {
            return Ok(None);
        };
        let own = projection.expr.iter().zip(alias.schema.fields());
        let own = own.map(|(expr, field)| {
            let value = inner(expr.clone())?.unalias();
            Ok(value.alias_qualified(Some(alias.alias.clone()), field.name()))
        });
        self.project(own.collect::<Result<_>>()?, input).map(Some)
    }

    fn project(&self, own: Vec<Expr>, input: LogicalPlan) -> Result<LogicalPlan> {
        let columns = self.columns.iter().cloned().map(Expr::Column);
        let columns = columns.chain(own).collect();
        let projection = Projection::try_new(columns, Arc::new(input))?;
        Ok(LogicalPlan::Projection(projection))
    }
}

/// Returns the expression with outer references to the left side replaced by ordinary columns.
fn inner(expr: Expr) -> Result<Expr> {
    let name = expr.schema_name().to_string();
    let replaced = expr.transform_up_dyn(&mut |expr| match expr {
        Expr::OuterReferenceColumn(_, column) => Ok(Transformed::yes(Expr::Column(column))),
        expr => Ok(Transformed::no(expr)),
    })?;
    Ok(match replaced.data {
        changed if replaced.transformed && changed.schema_name().to_string() != name => {
            changed.alias(name)
        }
        unchanged => unchanged,
    })
}
