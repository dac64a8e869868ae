//! `(SELECT count(*) FROM b WHERE b.date <= a.date)`: queries of one value that compare with the
//! row around them by more than `=`, which DataFusion cannot run.
//!
//! The rows around it are numbered and joined with those of the query. A group for each number has
//! the aggregates of the query. `EXISTS` in a SELECT list compares a count with 0.

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, JoinType, Result};
use datafusion::functions_aggregate::expr_fn::{count, first_value};
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::expr::Exists;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{
    Aggregate, BinaryExpr, Distinct, Expr, LogicalPlan, LogicalPlanBuilder, Operator, Projection,
    Subquery, lit,
};

use crate::tree_walk::{PlanWalk, TreeWalk};

/// The start of the names of columns that are added.
const PREFIX: &str = "__subquery";

/// Replaces unequal subqueries in the SELECT list and in WHERE by joins.
pub fn with_joined_subqueries(plan: LogicalPlan) -> Result<LogicalPlan> {
    let mut number = 0;
    let joined = plan.transform_up_with_subqueries_dyn(&mut |mut node| {
        let mut is_changed = false;
        if let LogicalPlan::Projection(projection) = &node
            && let Some(counting) = with_counts(projection)?
        {
            node = counting;
            is_changed = true;
        }
        while let Some(changed) = without_first(&node, &mut number)? {
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

/// Replaces EXISTS with another condition than `=` in a SELECT list.
fn with_counts(projection: &Projection) -> Result<Option<LogicalPlan>> {
    let mut is_changed = false;
    let items = projection.expr.iter().map(|item| {
        let counting = item.clone().transform_up_dyn(&mut |expr| {
            let Expr::Exists(Exists { subquery, negated }) = &expr else {
                return Ok(Transformed::no(expr));
            };
            let Some(count) = count_of(subquery)? else {
                return Ok(Transformed::no(expr));
            };
            is_changed = true;
            let count = Expr::ScalarSubquery(count);
            Ok(Transformed::yes(if *negated {
                count.eq(lit(0_i64))
            } else {
                count.gt(lit(0_i64))
            }))
        })?;
        if !counting.transformed {
            return Ok(counting.data);
        }
        let (qualifier, name) = item.qualified_name();
        Ok(counting.data.unalias().alias_qualified(qualifier, name))
    });
    let items: Vec<Expr> = items.collect::<Result<_>>()?;
    if !is_changed {
        return Ok(None);
    }
    let input = LogicalPlanBuilder::from(projection.input.as_ref().clone());
    input.project(items)?.build().map(Some)
}

/// The query of the number of rows of a query that compares with the row around it by more than
/// `=`.
fn count_of(subquery: &Subquery) -> Result<Option<Subquery>> {
    let mut rows = &subquery.subquery;
    while let LogicalPlan::Projection(Projection { input, .. })
    | LogicalPlan::Distinct(Distinct::All(input)) = rows.as_ref()
    {
        rows = input;
    }
    let LogicalPlan::Filter(_) = rows.as_ref() else {
        return Ok(None);
    };
    let counted = LogicalPlanBuilder::from(rows.as_ref().clone())
        .aggregate(Vec::<Expr>::new(), [count(lit(1_i64))])?
        .build()?;
    let value = counted.schema().columns().into_iter().map(Expr::Column);
    let value: Vec<Expr> = value.collect();
    let plan = LogicalPlanBuilder::from(counted).project(value)?.build()?;
    Ok(Parts::of(&plan)
        .is_some()
        .then(|| subquery.with_plan(plan.clone().into())))
}

/// Replaces the first unequal subquery of a node.
fn without_first(node: &LogicalPlan, number: &mut usize) -> Result<Option<LogicalPlan>> {
    let (LogicalPlan::Projection(_) | LogicalPlan::Filter(_)) = node else {
        return Ok(None);
    };
    let mut found = None;
    node.apply_expressions_dyn(&mut |expr| {
        expr.apply_dyn(&mut |inner| {
            if let Expr::ScalarSubquery(subquery) = inner
                && found.is_none()
                && Parts::of(&subquery.subquery).is_some()
            {
                found = Some(subquery.clone());
            }
            Ok(TreeNodeRecursion::Continue)
        })
    })?;
    let Some(subquery) = found else {
        return Ok(None);
    };
    let Some(parts) = Parts::of(&subquery.subquery) else {
        return Ok(None);
    };
    *number += 1;
    match node {
        LogicalPlan::Projection(projection) => {
            let (input, value) = parts.joined(&projection.input, *number)?;
            let names = NamePreserver::new(node);
            let items = projection.expr.iter().map(|expr| {
                let name = names.save(expr);
                let item = with_value(expr.clone(), &subquery, &value)?;
                Ok(name.restore(item))
            });
            let items: Vec<Expr> = items.collect::<Result<_>>()?;
            let plan = LogicalPlanBuilder::from(input).project(items)?;
            plan.build().map(Some)
        }
        LogicalPlan::Filter(filter) => {
            let (input, value) = parts.joined(&filter.input, *number)?;
            let condition = with_value(filter.predicate.clone(), &subquery, &value)?;
            let columns = filter.input.schema().columns().into_iter();
            let plan = LogicalPlanBuilder::from(input)
                .filter(condition)?
                .project(columns.map(Expr::Column))?;
            plan.build().map(Some)
        }
        _ => Ok(None),
    }
}

/// Replaces a query by its value.
fn with_value(expr: Expr, subquery: &Subquery, value: &Expr) -> Result<Expr> {
    let replaced = expr.transform_up_dyn(&mut |expr| {
        Ok(match &expr {
            Expr::ScalarSubquery(own) if own == subquery => Transformed::yes(value.clone()),
            _ => Transformed::no(expr),
        })
    });
    replaced.map(|it| it.data)
}

/// The parts of `SELECT value(aggregates) FROM input WHERE condition`.
struct Parts<'a> {
    value: &'a Expr,
    aggregate: &'a Aggregate,
    condition: &'a Expr,
    input: &'a LogicalPlan,
}

impl<'a> Parts<'a> {
    /// Returns the parts of a query that compares with the row around it by more than `=`.
    fn of(query: &'a LogicalPlan) -> Option<Self> {
        let LogicalPlan::Projection(projection) = query else {
            return None;
        };
        let ([value], LogicalPlan::Aggregate(aggregate)) =
            (projection.expr.as_slice(), projection.input.as_ref())
        else {
            return None;
        };
        let LogicalPlan::Filter(filter) = aggregate.input.as_ref() else {
            return None;
        };
        let is_equation = |condition: &Expr| {
            matches!(
                condition,
                Expr::BinaryExpr(BinaryExpr {
                    op: Operator::Eq,
                    ..
                })
            )
        };
        let mut conditions = split_conjunction(&filter.predicate).into_iter();
        let is_unequal =
            conditions.any(|condition| condition.contains_outer() && !is_equation(condition));
        let is_plain = is_unequal
            && aggregate.group_expr.is_empty()
            && filter.input.all_out_ref_exprs().is_empty();
        is_plain.then_some(Self {
            value,
            aggregate,
            condition: &filter.predicate,
            input: &filter.input,
        })
    }

    /// Joins the rows around the query with it. Returns them with the aggregates, and the value.
    fn joined(&self, outer: &LogicalPlan, number: usize) -> Result<(LogicalPlan, Expr)> {
        // Names that the outer rows do not have.
        let is_row = format!("{PREFIX}_{number}");
        let own_name = |place: usize| format!("{PREFIX}_{number}_{place}");
        let row = format!("{PREFIX}_{number}_row");
        let value_name = |place: usize| format!("{PREFIX}_{number}_value_{place}");
        let own = self.input.schema().columns();
        let items = own.iter().enumerate().map(|(place, column)| {
            let column = Expr::Column(column.clone());
            column.alias(own_name(place))
        });
        let marked = items.chain([lit(true).alias(&is_row)]);
        let inner = LogicalPlanBuilder::from(self.input.clone())
            .project(marked)?
            .build()?;
        let renamed = |expr: &Expr| -> Result<Expr> {
            let renamed = expr.clone().transform_up_dyn(&mut |expr| {
                Ok(match &expr {
                    Expr::OuterReferenceColumn(_, column) => {
                        Transformed::yes(Expr::Column(column.clone()))
                    }
                    Expr::Column(column) => match own.iter().position(|it| it == column) {
                        Some(place) => {
                            let column = Column::new_unqualified(own_name(place));
                            Transformed::yes(Expr::Column(column))
                        }
                        None => Transformed::no(expr),
                    },
                    Expr::AggregateFunction(_) => Transformed::yes(of_rows(expr, &is_row)),
                    _ => Transformed::no(expr),
                })
            });
            renamed.map(|it| it.data)
        };
        let kept = outer.schema().columns().into_iter().map(|column| {
            let value = first_value(Expr::Column(column.clone()), Vec::new());
            value.alias_qualified(column.relation, column.name)
        });
        let mut aggregates: Vec<Expr> = kept.collect();
        for (place, aggregate) in self.aggregate.aggr_expr.iter().enumerate() {
            aggregates.push(renamed(aggregate)?.unalias().alias(value_name(place)));
        }
        let joined = LogicalPlanBuilder::from(outer.clone())
            .window([row_number().alias(&row)])?
            .join_on(inner, JoinType::Left, [renamed(self.condition)?])?
            .aggregate([Expr::Column(Column::new_unqualified(&row))], aggregates)?
            .build()?;
        let computed = self.aggregate.schema.columns();
        let value = self.value.clone().unalias().transform_up_dyn(&mut |expr| {
            Ok(match &expr {
                Expr::Column(column) => match computed.iter().position(|it| it == column) {
                    Some(place) => {
                        let column = Column::new_unqualified(value_name(place));
                        Transformed::yes(Expr::Column(column))
                    }
                    None => Transformed::no(expr),
                },
                Expr::OuterReferenceColumn(_, column) => {
                    Transformed::yes(Expr::Column(column.clone()))
                }
                _ => Transformed::no(expr),
            })
        })?;
        Ok((joined, value.data))
    }
}

/// Leaves rows without a match out of an aggregate.
fn of_rows(aggregate: Expr, is_row: &str) -> Expr {
    let Expr::AggregateFunction(mut function) = aggregate else {
        return aggregate;
    };
    let is_row = Expr::Column(Column::new_unqualified(is_row)).is_true();
    let condition = match function.params.filter.take() {
        Some(filter) => filter.and(is_row),
        None => is_row,
    };
    function.params.filter = Some(Box::new(condition));
    Expr::AggregateFunction(function)
}
