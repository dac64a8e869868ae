//! Queries in the place of values: `ARRAY(SELECT …)`, and queries of one value.

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArgumentClause, FunctionArguments, OrderByKind, Query, SelectItem,
    SetExpr,
};

use super::first_rows::{first_row, has_call, is_plain};
use super::list_queries;
use super::names_used::uses_other_tables;
use super::quantifiers;
use super::row_values;
use crate::sql::syntax::{Names, call, function_name};

/// Returns the expression that replaces a query.
pub fn replace(expr: &mut Expr, names: Names) -> Result<Option<Expr>> {
    if let Some(replaced) = list_queries::replace(expr, names)? {
        return Ok(Some(replaced));
    }
    Ok(match expr {
        Expr::InSubquery { .. } => row_values::replace(expr)?,
        Expr::Subquery(query) => match first_row(query, names) {
            Some(query) => Some(Expr::Subquery(Box::new(query))),
            // DataFusion joins aggregates only.
            None if uses_other_tables(query, names) => {
                aggregated(query).map(|values| call("only_item", vec![values]))
            }
            None => None,
        },
        Expr::Function(function) => match subquery(function, names) {
            Some(query) => Some(listed(query)?),
            None => None,
        },
        _ => None,
    })
}

/// The query in `ARRAY(SELECT …)`.
fn subquery(function: &Function, names: Names) -> Option<&Query> {
    match &function.args {
        FunctionArguments::Subquery(query)
            if function_name(function, names).as_deref() == Some("array") =>
        {
            Some(query)
        }
        _ => None,
    }
}

/// The values of a query as a list.
fn listed(query: &Query) -> Result<Expr> {
    let values = match aggregated(query) {
        Some(values) => values,
        None => quantifiers::aggregate(query, "array_agg(v)")?,
    };
    Ok(call(
        "coalesce",
        vec![values, call("make_array", Vec::new())],
    ))
}

/// The query of a plain SELECT, whose conditions may compare with columns around it.
fn aggregated(query: &Query) -> Option<Expr> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let is_plain = query.with.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none()
        && is_plain(select);
    let [SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. }] =
        select.projection.as_slice()
    else {
        return None;
    };
    if !is_plain || has_call(value) {
        return None;
    }
    let mut clauses = Vec::new();
    match query.order_by.as_ref().map(|order| &order.kind) {
        None => {}
        // Numbers mean columns of the SELECT.
        Some(OrderByKind::Expressions(keys))
            if !keys.iter().any(|key| matches!(key.expr, Expr::Value(_))) =>
        {
            clauses.push(FunctionArgumentClause::OrderBy(keys.clone()));
        }
        Some(_) => return None,
    }
    let mut listed = call("array_agg", vec![value.clone()]);
    if let Expr::Function(function) = &mut listed
        && let FunctionArguments::List(arguments) = &mut function.args
    {
        arguments.clauses = clauses;
    }
    let mut outer = query.clone();
    outer.order_by = None;
    if let SetExpr::Select(select) = outer.body.as_mut() {
        select.projection = vec![SelectItem::UnnamedExpr(listed)];
    }
    Some(Expr::Subquery(Box::new(outer)))
}
