//! `x > ANY (SELECT …)` and `x > ALL (SELECT …)` as comparisons with the smallest and the largest
//! value. DataFusion's own plans return wrong rows.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Query, SetExpr, TableAliasColumnDef,
};

use crate::sql::syntax::{derived, parse_query, table_alias};

/// The value of a query that is NULL if one of its values is.
const EXTREME: &str = "CASE WHEN count(*) = count(v) THEN";

/// Returns the comparison that means the same. `None` if there is no query in it.
pub fn replaced(expr: &Expr) -> Result<Option<Expr>> {
    let (left, op, right, is_any) = match expr {
        Expr::AnyOp {
            left,
            compare_op,
            right,
            ..
        } => (left, compare_op, right, true),
        Expr::AllOp {
            left,
            compare_op,
            right,
        } => (left, compare_op, right, false),
        _ => return Ok(None),
    };
    let Some(query) = query_of(right) else {
        return Ok(None);
    };
    let value = |sql: &str| aggregate(query, sql);
    let compared = |op: BinaryOperator, value: Expr| Expr::BinaryOp {
        left: Box::new(Expr::Nested(left.clone())),
        op,
        right: Box::new(value),
    };
    let both = |one: Expr, op: BinaryOperator, other: Expr| Expr::BinaryOp {
        left: Box::new(one),
        op,
        right: Box::new(other),
    };
    let in_query = |negated: bool| Expr::InSubquery {
        expr: left.clone(),
        subquery: Box::new(query.clone()),
        negated,
    };
    let replaced = match (op, is_any) {
        (BinaryOperator::Eq, true) => in_query(false),
        (BinaryOperator::NotEq, false) => in_query(true),
        (BinaryOperator::NotEq, true) => both(
            compared(BinaryOperator::NotEq, value("min(v)")?),
            BinaryOperator::Or,
            compared(BinaryOperator::NotEq, value("max(v)")?),
        ),
        (BinaryOperator::Gt | BinaryOperator::GtEq, true) => compared(op.clone(), value("min(v)")?),
        (BinaryOperator::Lt | BinaryOperator::LtEq, true) => compared(op.clone(), value("max(v)")?),
        // Every value meets a condition on all values of an empty query.
        (BinaryOperator::Gt | BinaryOperator::GtEq, false) => both(
            value("count(*) = 0")?,
            BinaryOperator::Or,
            compared(op.clone(), value(&format!("{EXTREME} max(v) END"))?),
        ),
        (BinaryOperator::Lt | BinaryOperator::LtEq, false) => both(
            value("count(*) = 0")?,
            BinaryOperator::Or,
            compared(op.clone(), value(&format!("{EXTREME} min(v) END"))?),
        ),
        (BinaryOperator::Eq, false) => both(
            value("count(*) = 0")?,
            BinaryOperator::Or,
            both(
                compared(BinaryOperator::Eq, value(&format!("{EXTREME} min(v) END"))?),
                BinaryOperator::And,
                compared(BinaryOperator::Eq, value(&format!("{EXTREME} max(v) END"))?),
            ),
        ),
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

/// `(SELECT aggregate FROM (query) AS t (v))`
pub fn aggregate(query: &Query, aggregate: &str) -> Result<Expr> {
    let mut outer = parse_query(&format!("SELECT {aggregate} FROM t"))?;
    let mut alias = table_alias(Ident::new("t"));
    alias.columns.push(TableAliasColumnDef {
        name: Ident::new("v"),
        data_type: None,
    });
    if let SetExpr::Select(select) = outer.body.as_mut()
        && let Some(table) = select.from.first_mut()
    {
        table.relation = derived(query.clone(), Some(alias));
    }
    Ok(Expr::Subquery(Box::new(outer)))
}
