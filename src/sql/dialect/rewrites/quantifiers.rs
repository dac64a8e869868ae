//! `x > ANY (SELECT …)` and `x > ALL (SELECT …)` as comparisons with the smallest and the largest
//! value. DataFusion's own plans return wrong rows.
//!
//! A query that compares with the row around it by another operator than `=` has no such values in
//! DataFusion. As conditions of WHERE, these become EXISTS and NOT EXISTS.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Query, Select, SelectItem, SetExpr, VisitorMut,
};

use crate::sql::syntax::{
    Names, alias_column, and, binary, conjuncts, derived, is_grouped, joined, parse_query,
    table_alias, table_name,
};
use crate::sql::walk::{rewrite, rewrite_own};

/// Replaces the conditions of WHERE whose queries compare with the row around them.
pub fn replace_correlated(select: &mut Select, names: Names) -> Result<()> {
    let table = match select.from.as_slice() {
        [table] if table.joins.is_empty() => table_name(&table.relation),
        _ => None,
    };
    match &mut select.selection {
        Some(condition) => replace_conjuncts(condition, table.as_ref(), names),
        None => Ok(()),
    }
}

fn replace_conjuncts(condition: &mut Expr, table: Option<&Ident>, names: Names) -> Result<()> {
    match condition {
        Expr::Nested(inner) => return replace_conjuncts(inner, table, names),
        Expr::BinaryOp {
            left,
            op: BinaryOperator::And,
            right,
        } => {
            replace_conjuncts(left, table, names)?;
            return replace_conjuncts(right, table, names);
        }
        _ => {}
    }
    let Some((left, op, right, is_any)) = quantified(&*condition) else {
        return Ok(());
    };
    let Some(query) = query_of(right).filter(|query| is_correlated(query, names)) else {
        return Ok(());
    };
    let (Some(value), Some(left)) = (plain_column(query), qualify(left, table)?) else {
        return Ok(());
    };
    let compared = binary(left, op.clone(), value.clone());
    let compared = if is_any {
        compared
    } else {
        Expr::IsNotTrue(Box::new(Expr::Nested(Box::new(compared))))
    };
    let mut subquery = Box::new(query.clone());
    if let SetExpr::Select(inner) = subquery.body.as_mut() {
        let given = inner.selection.take().map(|it| Expr::Nested(Box::new(it)));
        inner.selection = Some(and(given, compared));
    }
    *condition = Expr::Exists {
        subquery,
        negated: !is_any,
    };
    Ok(())
}

/// Whether a condition of a query compares with a table around it by another operator than `=`.
fn is_correlated(query: &Query, names: Names) -> bool {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return false;
    };
    let tables = select.from.iter().flat_map(joined);
    let tables: Vec<String> = tables
        .filter_map(|table| Some(names.of(&table_name(table)?)))
        .collect();
    let is_outer = |expr: &Expr| {
        matches!(expr, Expr::CompoundIdentifier(parts)
            if parts.first().is_some_and(|table| !tables.contains(&names.of(table))))
    };
    let conditions = select.selection.iter().flat_map(conjuncts);
    let mut conditions = conditions.filter_map(|condition| match condition {
        Expr::BinaryOp { left, op, right } if *op != BinaryOperator::Eq => Some((left, right)),
        _ => None,
    });
    conditions.any(|(left, right)| is_outer(left) || is_outer(right))
}

/// Names the table of the columns of an expression, which a query with other tables is to have.
fn qualify(expr: &Expr, table: Option<&Ident>) -> Result<Option<Expr>> {
    let mut expr = expr.clone();
    let mut is_known = true;
    rewrite_own(&mut expr, |expr| {
        if let Expr::Identifier(column) = expr {
            match table {
                Some(table) => {
                    *expr = Expr::CompoundIdentifier(vec![table.clone(), column.clone()]);
                }
                None => is_known = false,
            }
        }
        Ok(())
    })?;
    Ok(is_known.then_some(expr))
}

/// The operands and the operator of a comparison with ANY or ALL, and whether it is ANY.
fn quantified(expr: &Expr) -> Option<(&Expr, &BinaryOperator, &Expr, bool)> {
    match expr {
        Expr::AnyOp {
            left,
            compare_op,
            right,
            ..
        } => Some((left, compare_op, right, true)),
        Expr::AllOp {
            left,
            compare_op,
            right,
        } => Some((left, compare_op, right, false)),
        _ => None,
    }
}

/// Returns an equivalent comparison; `None` for expressions without a subquery.
pub fn replace(expr: &Expr) -> Result<Option<Expr>> {
    let Some((left, op, right, is_any)) = quantified(expr) else {
        return Ok(None);
    };
    let Some(query) = query_of(right) else {
        return Ok(None);
    };
    let value = |sql: &str| aggregate(query, sql);
    let compared = |op: BinaryOperator, value: Expr| Expr::BinaryOp {
        left: Box::new(Expr::Nested(Box::new(left.clone()))),
        op,
        right: Box::new(value),
    };
    let both = |one: Expr, op: BinaryOperator, other: Expr| Expr::BinaryOp {
        left: Box::new(one),
        op,
        right: Box::new(other),
    };
    let in_query = |negated: bool| Expr::InSubquery {
        expr: Box::new(left.clone()),
        subquery: Box::new(query.clone()),
        negated,
    };
    // Every value meets a condition on all values of an empty query. NULL meets none.
    let of_all = |condition: Expr| -> Result<Expr> {
        let has_no_null = value("CASE WHEN count(*) = count(v) THEN true END")?;
        let condition = both(condition, BinaryOperator::And, has_no_null);
        Ok(both(value("count(*) = 0")?, BinaryOperator::Or, condition))
    };
    // No value of an empty query meets a condition. NULL may meet each.
    let of_any = |condition: Expr| -> Result<Expr> {
        let has_no_null = value("CASE WHEN count(*) = count(v) THEN false END")?;
        let condition = both(condition, BinaryOperator::Or, has_no_null);
        let condition = Expr::Nested(Box::new(condition));
        Ok(both(value("count(*) > 0")?, BinaryOperator::And, condition))
    };
    let replaced = match (op, is_any) {
        (BinaryOperator::Eq, true) => in_query(false),
        (BinaryOperator::NotEq, false) => in_query(true),
        (BinaryOperator::NotEq, true) => of_any(both(
            compared(BinaryOperator::NotEq, value("min(v)")?),
            BinaryOperator::Or,
            compared(BinaryOperator::NotEq, value("max(v)")?),
        ))?,
        (BinaryOperator::Gt | BinaryOperator::GtEq, true) => {
            of_any(compared(op.clone(), value("min(v)")?))?
        }
        (BinaryOperator::Lt | BinaryOperator::LtEq, true) => {
            of_any(compared(op.clone(), value("max(v)")?))?
        }
        (BinaryOperator::Gt | BinaryOperator::GtEq, false) => {
            of_all(compared(op.clone(), value("max(v)")?))?
        }
        (BinaryOperator::Lt | BinaryOperator::LtEq, false) => {
            of_all(compared(op.clone(), value("min(v)")?))?
        }
        (BinaryOperator::Eq, false) => of_all(both(
            compared(BinaryOperator::Eq, value("min(v)")?),
            BinaryOperator::And,
            compared(BinaryOperator::Eq, value("max(v)")?),
        ))?,
        (op, _) => {
            return plan_err!("ANY and ALL take =, <>, <, <=, > and >=, not {op}");
        }
    };
    Ok(Some(Expr::Nested(Box::new(replaced))))
}

fn query_of(expr: &Expr) -> Option<&Query> {
    match expr {
        Expr::Subquery(query) => Some(query),
        Expr::Nested(inner) => query_of(inner),
        _ => None,
    }
}

/// `(SELECT aggregate FROM (query) AS t (v))`, or the query of one column with the aggregate of
/// that column, because queries in FROM do not see the tables around this one.
pub fn aggregate(query: &Query, aggregate: &str) -> Result<Expr> {
    if let Some(column) = plain_column(query) {
        let mut value = parse_query(&format!("SELECT {aggregate}"))?;
        rewrite(&mut value, &mut Value(column))?;
        let mut query = query.clone();
        if let (SetExpr::Select(select), SetExpr::Select(value)) =
            (query.body.as_mut(), value.body.as_mut())
        {
            select.projection = std::mem::take(&mut value.projection);
        }
        return Ok(Expr::Subquery(Box::new(query)));
    }
    let mut outer = parse_query(&format!("SELECT {aggregate} FROM t"))?;
    let mut alias = table_alias(Ident::new("t"));
    alias.columns.push(alias_column(Ident::new("v")));
    if let SetExpr::Select(select) = outer.body.as_mut()
        && let Some(table) = select.from.first_mut()
    {
        table.relation = derived(query.clone(), Some(alias));
    }
    Ok(Expr::Subquery(Box::new(outer)))
}

/// The column of `SELECT column FROM … WHERE …`. `None` for other queries.
fn plain_column(query: &Query) -> Option<&Expr> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let (SelectItem::UnnamedExpr(column) | SelectItem::ExprWithAlias { expr: column, .. }) =
        select.projection.first()?
    else {
        return None;
    };
    let is_column = matches!(column, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
    let is_plain = select.projection.len() == 1
        && select.distinct.is_none()
        && select.having.is_none()
        && select.qualify.is_none()
        && !is_grouped(select)
        && query.with.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none();
    (is_column && is_plain).then_some(column)
}

/// Replaces the name `v`.
struct Value<'a>(&'a Expr);

impl VisitorMut for Value<'_> {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if matches!(expr, Expr::Identifier(name) if name.value == "v") {
            *expr = self.0.clone();
        }
        ControlFlow::Continue(())
    }
}
