//! Gives `x IN (SELECT y …)` the value NULL where SQL requires it, and allows it in a SELECT list.
//!
//! Within OR, NOT and other expressions, DataFusion's join answers `false` if no `y` equals `x`,
//! even if `x` or some `y` is NULL. Under NOT, rows would pass that SQL excludes. Outside of
//! conditions, DataFusion supports neither `IN (SELECT …)` nor `EXISTS`, but it supports subqueries
//! that count rows.

use std::ops::Not;
use std::sync::{Arc, LazyLock};

use corpus_udfs::duckdb::nullable;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, ExprSchema, Result, ScalarValue, plan_err};
use datafusion::functions_aggregate::count::count_all;
use datafusion::logical_expr::expr::{Case, InSubquery};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::logical_plan::{Distinct, Filter, Subquery};
use datafusion::logical_expr::type_coercion::binary::comparison_coercion;
use datafusion::logical_expr::utils::{conjunction, disjunction, split_conjunction_owned};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, FetchType, LogicalPlan, LogicalPlanBuilder, Operator,
    ScalarUDF, cast, lit, when,
};
use datafusion::optimizer::AnalyzerRule;

use super::correlated::{is_aggregated, is_unusual};
use crate::tree_walk::{PlanWalk, TreeWalk};

static NULLABLE: LazyLock<ScalarUDF> = LazyLock::new(nullable);

/// Rewrites `IN (SELECT …)` where DataFusion's result is wrong or an error.
#[derive(Debug)]
pub struct InSubqueries;

impl AnalyzerRule for InSubqueries {
    fn name(&self) -> &str {
        "in_subqueries"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| match plan {
            LogicalPlan::Filter(filter) => rewrite_filter(filter),
            LogicalPlan::Projection(_)
            | LogicalPlan::Aggregate(_)
            | LogicalPlan::Window(_)
            | LogicalPlan::Sort(_) => rewrite_list(plan),
            plan => Ok(Transformed::no(plan)),
        })
        .map(|rewritten| rewritten.data)
    }
}

fn is_in(expr: &Expr) -> bool {
    matches!(expr, Expr::InSubquery(_))
}

/// Whether a subquery uses columns of the query around it.
fn is_correlated(test: &InSubquery) -> bool {
    !test.subquery.outer_ref_columns.is_empty()
}

fn rewrite_filter(mut filter: Filter) -> Result<Transformed<LogicalPlan>> {
    let counting = filter.predicate.transform_down_dyn(&mut |part| {
        let part = with_simple_query(part);
        let query = match &part {
            Expr::InSubquery(test) => &test.subquery,
            Expr::Exists(test) => &test.subquery,
            _ => return Ok(Transformed::no(part)),
        };
        let is_correlated = !query.outer_ref_columns.is_empty();
        let query = &query.subquery;
        if !is_correlated || !(is_unusual(query)? || is_aggregated(query)?) {
            return with_one_type(part, &filter.input);
        }
        let part = counted(part, &filter.input)?;
        Ok(Transformed::new(part, true, TreeNodeRecursion::Jump))
    })?;
    filter.predicate = counting.data;
    if !filter.predicate.exists_dyn(&|part| Ok(is_in(part)))? {
        return Ok(Transformed::new(
            LogicalPlan::Filter(filter),
            counting.transformed,
            TreeNodeRecursion::Continue,
        ));
    }
    let conditions = split_conjunction_owned(filter.predicate);
    let rewritten = conditions
        .into_iter()
        .map(|condition| match without_not(condition) {
            // DataFusion's joins for these respect NULL, but not if a constant is looked for.
            Expr::InSubquery(test)
                if !is_correlated(&test) && !test.expr.column_refs().is_empty() =>
            {
                Ok(Expr::InSubquery(test))
            }
            condition => rewrite(condition, true, &filter.input),
        })
        .collect::<Result<Vec<_>>>()?;
    let predicate = conjunction(rewritten).unwrap_or(lit(true));
    let filter = Filter::try_new(predicate, filter.input)?;
    Ok(Transformed::yes(LogicalPlan::Filter(filter)))
}

/// Gives the value of a correlated query the type of the comparison, and a name of its own.
/// DataFusion adds columns to the query, and names a cast like its column.
fn with_one_type(expr: Expr, input: &LogicalPlan) -> Result<Transformed<Expr>> {
    let Expr::InSubquery(mut test) = expr else {
        return Ok(Transformed::no(expr));
    };
    let query = test.subquery.subquery.as_ref();
    let (value, rows) = match query {
        LogicalPlan::Projection(list) if list.expr.len() == 1 => {
            (list.expr[0].clone().unalias(), list.input.as_ref())
        }
        query => (value_of(&test.subquery), query),
    };
    let kind = value.get_type(rows.schema())?;
    let common = comparison_coercion(&test.expr.get_type(input.schema())?, &kind);
    let Some(common) = common.filter(|common| {
        is_correlated(&test) && (*common != kind || !matches!(value, Expr::Column(_)))
    }) else {
        return Ok(Transformed::no(Expr::InSubquery(test)));
    };
    let value = if common == kind {
        value
    } else {
        cast(value, common)
    };
    let rows = LogicalPlanBuilder::from(rows.clone()).project([value.alias("value")])?;
    test.subquery = test.subquery.with_plan(Arc::new(rows.build()?));
    Ok(Transformed::yes(Expr::InSubquery(test)))
}

/// Removes what the query of a test does not need: ORDER BY and DISTINCT, and LIMIT from EXISTS.
fn with_simple_query(mut expr: Expr) -> Expr {
    let is_exists = matches!(expr, Expr::Exists(_));
    let query = match &mut expr {
        Expr::Exists(test) => &mut test.subquery,
        Expr::InSubquery(test) => &mut test.subquery,
        _ => return expr,
    };
    loop {
        let input = match query.subquery.as_ref() {
            LogicalPlan::Distinct(Distinct::All(input)) => input,
            LogicalPlan::Sort(sort) if sort.fetch.is_none() => &sort.input,
            LogicalPlan::Limit(limit)
                if is_exists
                    && limit.skip.is_none()
                    && matches!(limit.get_fetch_type(), Ok(FetchType::Literal(Some(1..)))) =>
            {
                &limit.input
            }
            _ => return expr,
        };
        *query = query.with_plan(Arc::clone(input));
    }
}

/// Computes the tests of a SELECT list, of groups, aggregates or an order as columns of its input,
/// and values of correlated queries that are in no SELECT list.
fn rewrite_list(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let mut tests: Vec<Expr> = Vec::new();
    let is_list = matches!(plan, LogicalPlan::Projection(_));
    let names = NamePreserver::new(&plan);
    let mut exprs = Vec::new();
    for expr in plan.expressions() {
        let name = names.save(&expr);
        let with_columns = expr.transform_down_dyn(&mut |part| {
            let is_test = match &part {
                Expr::InSubquery(_) | Expr::Exists(_) => true,
                // DataFusion joins these with projections and filters only.
                Expr::ScalarSubquery(query) => !is_list && !query.outer_ref_columns.is_empty(),
                _ => false,
            };
            if !is_test {
                return Ok(Transformed::no(part));
            }
            let part = with_simple_query(part);
            let known = tests.iter().position(|test| *test == part);
            let place = known.unwrap_or(tests.len());
            if known.is_none() {
                tests.push(part);
            }
            let column = Column::new_unqualified(test_name(place));
            Ok(Transformed::yes(Expr::Column(column)))
        })?;
        let is_sort = matches!(plan, LogicalPlan::Sort(_));
        exprs.push(if with_columns.transformed && !is_sort {
            name.restore(with_columns.data)
        } else {
            with_columns.data
        });
    }
    let (Some(input), false) = (plan.inputs().first().copied(), tests.is_empty()) else {
        return Ok(Transformed::no(plan));
    };
    let columns = |plan: &LogicalPlan| plan.schema().columns().into_iter().map(Expr::Column);
    let mut computed: Vec<_> = columns(input).collect();
    for (place, test) in tests.into_iter().enumerate() {
        computed.push(counted(test, input)?.alias(test_name(place)));
    }
    let input = LogicalPlanBuilder::from(input.clone()).project(computed)?;
    let rewritten = plan.with_new_exprs(exprs, vec![input.build()?])?;
    // Sorts and windows pass the new columns on.
    if rewritten.schema().fields().len() == plan.schema().fields().len() {
        return Ok(Transformed::yes(rewritten));
    }
    LogicalPlanBuilder::from(rewritten)
        .project(columns(&plan))?
        .build()
        .map(Transformed::yes)
}

/// The column of a test. No user column has this name.
fn test_name(place: usize) -> String {
    format!("IN {place}")
}

/// A test as a comparison of counts.
fn counted(test: Expr, input: &LogicalPlan) -> Result<Expr> {
    match test {
        Expr::InSubquery(test) => {
            let found = has_equal(&test, input)?;
            with_null(test, found, input)
        }
        Expr::Exists(test) => {
            let has_rows = has_rows(&test.subquery, None)?;
            Ok(if test.negated {
                has_rows.not()
            } else {
                has_rows
            })
        }
        test => Ok(test),
    }
}

/// Whether a row of the subquery equals the operand.
fn has_equal(test: &InSubquery, input: &LogicalPlan) -> Result<Expr> {
    let rows = &test.subquery.subquery;
    let value = value_of(&test.subquery);
    let left = test.expr.get_type(input.schema())?;
    let right = value.get_type(rows.schema())?;
    let Some(common) = comparison_coercion(&left, &right) else {
        return plan_err!("cannot compare {left} with {right} in IN (SELECT …)");
    };
    // Rows are grouped by the value. A cast after that would leave equal values, and repeat rows.
    let value = cast(value, common.clone()).alias("value");
    // The subquery may have columns with the names of the operand's.
    let rows = LogicalPlanBuilder::from(Arc::clone(rows))
        .project([value])?
        .alias("IN")?;
    let mut subquery = test.subquery.with_plan(Arc::new(rows.build()?));
    let operand = cast(test.expr.as_ref().clone(), common).transform_up_dyn(&mut |part| {
        let Expr::Column(column) = part else {
            return Ok(Transformed::no(part));
        };
        let field = input.schema().field_from_column(&column)?;
        let outer = Expr::OuterReferenceColumn(Arc::clone(field), column);
        subquery.outer_ref_columns.push(outer.clone());
        Ok(Transformed::yes(outer))
    })?;
    let value = value_of(&subquery);
    has_rows(&subquery, Some(value.eq(operand.data)))
}

/// The column of a subquery.
fn value_of(subquery: &Subquery) -> Expr {
    Expr::Column(Column::from(subquery.subquery.schema().qualified_field(0)))
}

/// Rewrites the uses in a condition. `false_is_null` is true where NULL has the effect of `false`.
fn rewrite(expr: Expr, false_is_null: bool, input: &LogicalPlan) -> Result<Expr> {
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right })
            if matches!(op, Operator::And | Operator::Or) =>
        {
            let left = rewrite(*left, false_is_null, input)?;
            let right = rewrite(*right, false_is_null, input)?;
            Ok(Expr::BinaryExpr(BinaryExpr::new(
                Box::new(left),
                op,
                Box::new(right),
            )))
        }
        Expr::Not(inner) if is_in(&inner) => {
            rewrite(without_not(Expr::Not(inner)), false_is_null, input)
        }
        Expr::Not(inner) => Ok(Expr::Not(Box::new(rewrite(*inner, false, input)?))),
        Expr::InSubquery(test) => test_in(test, false_is_null, input),
        Expr::Case(Case {
            expr: None,
            when_then_expr,
            else_expr,
        }) => {
            let branches = when_then_expr.into_iter().map(|(condition, value)| {
                Ok((
                    Box::new(rewrite(*condition, true, input)?),
                    Box::new(rewrite(*value, false_is_null, input)?),
                ))
            });
            let branches = branches.collect::<Result<_>>()?;
            let other = else_expr.map(|value| rewrite(*value, false_is_null, input));
            let other = other.transpose()?.map(Box::new);
            Ok(Expr::Case(Case::new(None, branches, other)))
        }
        expr => expr
            .map_children(|child| rewrite(child, false, input).map(Transformed::yes))
            .map(|rewritten| rewritten.data),
    }
}

/// Moves NOT into `IN (SELECT …)`.
fn without_not(expr: Expr) -> Expr {
    match expr {
        Expr::Not(inner) => match *inner {
            Expr::InSubquery(test) => Expr::InSubquery(InSubquery {
                negated: !test.negated,
                ..test
            }),
            inner => Expr::Not(Box::new(inner)),
        },
        expr => expr,
    }
}

/// Rewrites a use in a condition, whose join finds equal rows.
fn test_in(test: InSubquery, false_is_null: bool, input: &LogicalPlan) -> Result<Expr> {
    if false_is_null && !test.negated {
        return Ok(Expr::InSubquery(test));
    }
    let found = Expr::InSubquery(InSubquery {
        negated: false,
        ..test.clone()
    });
    // The optimizer would make NOT IN of a plain CASE, which DataFusion does not join.
    let found = if is_correlated(&test) {
        NULLABLE.call(vec![found])
    } else {
        found
    };
    with_null(test, found, input)
}

/// `IN (SELECT …)` with its three values. `found` is whether a row equals the operand.
fn with_null(test: InSubquery, found: Expr, input: &LogicalPlan) -> Result<Expr> {
    let value = value_of(&test.subquery);
    let mut is_null = Vec::new();
    if value.nullable(test.subquery.subquery.schema())? {
        is_null.push(has_rows(&test.subquery, Some(value.is_null()))?);
    }
    if test.expr.nullable(input.schema()).unwrap_or(true) {
        let has_rows = has_rows(&test.subquery, None)?;
        is_null.push(test.expr.is_null().and(has_rows));
    }
    let mut value = when(found, lit(!test.negated));
    if let Some(is_null) = disjunction(is_null) {
        value = value.when(is_null, lit(ScalarValue::Boolean(None)));
    }
    value.otherwise(lit(test.negated))
}

/// Whether a subquery has rows, or rows with this condition.
fn has_rows(subquery: &Subquery, condition: Option<Expr>) -> Result<Expr> {
    let mut rows = LogicalPlanBuilder::from(Arc::clone(&subquery.subquery));
    if let Some(condition) = condition {
        rows = rows.filter(condition)?;
    }
    let count = rows.aggregate(Vec::<Expr>::new(), vec![count_all()])?;
    let count = subquery.with_plan(Arc::new(count.build()?));
    Ok(Expr::ScalarSubquery(count).gt(lit(0_i64)))
}
