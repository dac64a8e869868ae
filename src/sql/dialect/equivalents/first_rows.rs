//! The first row of a query that uses tables around it.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Distinct, Expr, FunctionArgumentClause, FunctionArguments, GroupByExpr, LimitClause,
    OrderByKind, Query, Select, SelectItem, SetExpr, Visitor,
};

use super::names_used::uses_other_tables;
use crate::sql::syntax::{Names, call, title};
use crate::sql::walk::find;

/// `(SELECT a FROM t WHERE t.k = u.k ORDER BY b LIMIT 1)` as a query of `first_value(a ORDER BY
/// b)`: DataFusion joins aggregates only. `None` if the query uses no table around it.
pub fn first_row(query: &Query, names: Names) -> Option<Query> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let is_one = matches!(
        &query.limit_clause,
        Some(LimitClause::LimitOffset { limit: Some(limit), offset: None, .. }) if limit.to_string() == "1"
    );
    let is_alone = query.with.is_none() && query.fetch.is_none() && is_plain(select);
    if !is_one || !is_alone || !uses_other_tables(query, names) {
        return None;
    }
    let keys = match query.order_by.as_ref().map(|order| &order.kind) {
        None => Vec::new(),
        Some(OrderByKind::Expressions(keys)) => keys.clone(),
        Some(_) => return None,
    };
    // Numbers and aliases mean columns of the result.
    let is_column = |key: &Expr| {
        match key {
        Expr::Value(_) => true,
        Expr::Identifier(name) => select.projection.iter().any(|item| {
            matches!(item, SelectItem::ExprWithAlias { alias, .. } if alias.value == name.value)
        }),
        _ => false,
    }
    };
    if keys.iter().any(|key| is_column(&key.expr)) {
        return None;
    }
    let mut outer = query.clone();
    (outer.order_by, outer.limit_clause) = (None, None);
    let SetExpr::Select(select) = outer.body.as_mut() else {
        return None;
    };
    for item in &mut select.projection {
        let (value, alias) = match item {
            SelectItem::UnnamedExpr(value) => (value.clone(), title(item)?),
            SelectItem::ExprWithAlias { expr, alias } => (expr.clone(), alias.clone()),
            _ => return None,
        };
        if has_call(&value) {
            return None;
        }
        let mut first = call("first_value", vec![value]);
        if let (Expr::Function(function), false) = (&mut first, keys.is_empty())
            && let FunctionArguments::List(arguments) = &mut function.args
        {
            let order = FunctionArgumentClause::OrderBy(keys.clone());
            arguments.clauses.push(order);
        }
        *item = SelectItem::ExprWithAlias { expr: first, alias };
    }
    Some(outer)
}

/// Whether a SELECT returns a row for each row of FROM that meets its condition.
pub fn is_plain(select: &Select) -> bool {
    let is_distinct = matches!(select.distinct, Some(Distinct::Distinct | Distinct::On(_)));
    let is_grouped = match &select.group_by {
        GroupByExpr::Expressions(keys, _) => !keys.is_empty(),
        GroupByExpr::All(_) => true,
    };
    !is_distinct
        && !is_grouped
        && !select.from.is_empty()
        && select.having.is_none()
        && select.qualify.is_none()
        && select.top.is_none()
}

/// Whether an expression calls a function, which may be an aggregate or `unnest`.
pub fn has_call(expr: &Expr) -> bool {
    struct Calls;
    impl Visitor for Calls {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Function(_) | Expr::Subquery(_) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    find(expr, &mut Calls)
}
