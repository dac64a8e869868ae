//! Decides whether a name is a column or an alias.

use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::sql::sqlparser::ast::BinaryOperator;

use super::{REUSED, REUSED_IN_WHERE, UNUSABLE};
use crate::tree_walk::TreeWalk;

/// Plans `name OPERATOR expression`, which [`rewrite`](super::rewrite) puts in place of a name.
#[derive(Debug)]
pub struct AliasPlanner;

impl ExprPlanner for AliasPlanner {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawBinaryExpr>> {
        let BinaryOperator::Custom(operator) = &expr.op else {
            return Ok(PlannerResult::Original(expr));
        };
        let checked = match operator.as_str() {
            REUSED => check_repeatable,
            REUSED_IN_WHERE => check_in_where,
            UNUSABLE => report_unusable,
            _ => return Ok(PlannerResult::Original(expr)),
        };
        if is_column(&expr.left, schema) {
            return Ok(PlannerResult::Planned(expr.left));
        }
        checked(&name(&expr.left), &expr.right)?;
        Ok(PlannerResult::Planned(expr.right))
    }
}

/// Whether a planned name is a column of FROM, or a field of one. The planner returns a column
/// without a check if it does not know a name. A column of an outer query comes after the alias.
fn is_column(name: &Expr, schema: &DFSchema) -> bool {
    match name {
        Expr::Column(column) => schema.has_column(column),
        Expr::OuterReferenceColumn(..) => false,
        _ => true,
    }
}

fn name(expr: &Expr) -> String {
    match expr {
        Expr::Column(column) | Expr::OuterReferenceColumn(_, column) => match &column.relation {
            // A field of the alias.
            Some(alias) => alias.table().to_owned(),
            None => column.name.clone(),
        },
        other => other.to_string(),
    }
}

/// Each use of an alias evaluates its expression, unless it is costly.
fn check_repeatable(alias: &str, value: &Expr) -> Result<()> {
    if value.is_volatile() {
        return plan_err!(
            "the alias '{alias}' cannot be used again in the same SELECT, because {value} returns \
             another value on each call: compute it in a subquery"
        );
    }
    Ok(())
}

fn check_in_where(alias: &str, value: &Expr) -> Result<()> {
    check_repeatable(alias, value)?;
    let contains = |is_kind: fn(&Expr) -> bool| value.exists_dyn(&|part| Ok(is_kind(part)));
    let advice = if contains(|part| matches!(part, Expr::WindowFunction(_)))? {
        "is a window function, whose value WHERE does not know: use QUALIFY"
    } else if contains(|part| matches!(part, Expr::AggregateFunction(_)))? {
        "is an aggregate, whose value WHERE does not know: use HAVING"
    } else if contains(|part| matches!(part, Expr::Unnest(_)))? {
        "is unnested after WHERE: filter in a query around this one"
    } else {
        return Ok(());
    };
    plan_err!("the alias '{alias}' {advice}")
}

fn report_unusable(_: &str, message: &Expr) -> Result<()> {
    match message {
        Expr::Literal(ScalarValue::Utf8(Some(message)), _) => plan_err!("{message}"),
        other => plan_err!("{other}"),
    }
}
