//! The first rows of a query that uses tables around it.

use std::collections::HashSet;

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Distinct, Expr, FunctionArgumentClause, FunctionArguments, Ident, LimitClause,
    OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr,
};

use super::hidden::hide;
use super::names_used::{other_tables, uses_other_tables};
use crate::sql::syntax::{
    Contents, Names, and, call, conjuncts, derived, is_grouped, literal_number, parse_query,
    selected_from, table_alias, table_name, title,
};
use crate::sql::walk::has_expr;

/// The column with the numbers of the rows.
const ROW: &str = "__row";

/// `(SELECT a FROM t WHERE t.k = u.k ORDER BY b LIMIT 1)` as a query of `first_value(a ORDER BY
/// b)`: DataFusion joins aggregates only. `None` if the query uses no table around it.
pub fn first_row(query: &Query, names: Names) -> Option<Query> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    if limit(query)? != 1 || !uses_other_tables(query, names) {
        return None;
    }
    let keys = sort_keys(query, select)?;
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

/// The number of rows of a query that has no other clause after its SELECT than ORDER BY.
fn limit(query: &Query) -> Option<u64> {
    let Some(LimitClause::LimitOffset {
        limit: Some(limit),
        offset: None,
        ..
    }) = &query.limit_clause
    else {
        return None;
    };
    let is_alone = query.with.is_none()
        && query.fetch.is_none()
        && matches!(query.body.as_ref(), SetExpr::Select(select) if is_plain(select));
    literal_number(limit).filter(|_| is_alone)?.parse().ok()
}

/// The keys of ORDER BY, unless they are numbers or aliases, which mean columns of the result.
fn sort_keys(query: &Query, select: &Select) -> Option<Vec<OrderByExpr>> {
    let keys = match query.order_by.as_ref().map(|order| &order.kind) {
        None => Vec::new(),
        Some(OrderByKind::Expressions(keys)) => keys.clone(),
        Some(_) => return None,
    };
    let is_column = |key: &Expr| {
        match key {
        Expr::Value(_) => true,
        Expr::Identifier(name) => select.projection.iter().any(|item| {
            matches!(item, SelectItem::ExprWithAlias { alias, .. } if alias.value == name.value)
        }),
        _ => false,
    }
    };
    (!keys.iter().any(|key| is_column(&key.expr))).then_some(keys)
}

/// `LATERAL (SELECT a FROM t WHERE t.k = u.k ORDER BY b LIMIT 2)` as a query of the rows whose
/// number among those with the same `t.k` is at most 2. `None` for other queries.
pub fn first_rows_of_each(query: &Query, names: Names) -> Result<Option<Query>> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return Ok(None);
    };
    let (Some(limit), Some(keys)) = (limit(query), sort_keys(query, select)) else {
        return Ok(None);
    };
    let outer: HashSet<String> = other_tables(query, names).collect();
    let ([table], Some(condition)) = (select.from.as_slice(), &select.selection) else {
        return Ok(None);
    };
    let names_of = |expr: &Expr| Contents::of(&mut expr.clone(), names).names;
    let is_own = |expr: &Expr| names_of(expr).is_disjoint(&outer);
    let is_others = |expr: &Expr| names_of(expr).is_subset(&outer);
    let (mut own, mut joined, mut groups) = (None, None, Vec::new());
    for part in conjuncts(condition) {
        if is_own(part) {
            own = Some(and(own, part.clone()));
            continue;
        }
        let group = match part {
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Eq,
                right,
            } if is_own(left) && is_others(right) => left,
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Eq,
                right,
            } if is_own(right) && is_others(left) => right,
            _ => return Ok(None),
        };
        groups.push(group.to_string());
        joined = Some(and(joined, part.clone()));
    }
    let is_simple = table.joins.is_empty()
        && !groups.is_empty()
        && keys.iter().all(|key| is_own(&key.expr))
        && !select.projection.iter().any(|item| match item {
            SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. } => {
                has_call(value)
            }
            _ => false,
        });
    let Some(joined) = joined.filter(|_| is_simple) else {
        return Ok(None);
    };
    let name = table_name(&table.relation).unwrap_or_else(|| Ident::new(format!("{ROW}s")));
    let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
    let order = if keys.is_empty() {
        String::new()
    } else {
        format!("ORDER BY {}", keys.join(", "))
    };
    let sql = format!(
        "SELECT *, row_number() OVER (PARTITION BY {} {order}) AS {ROW} FROM t",
        groups.join(", ")
    );
    let mut numbered = selected_from(table.relation.clone(), &sql)?;
    if let SetExpr::Select(numbered) = numbered.body.as_mut() {
        numbered.selection = own;
    }
    let first = parse_query(&format!("SELECT 1 WHERE {name}.{ROW} <= {limit}"))?;
    let mut query = query.clone();
    (query.order_by, query.limit_clause) = (None, None);
    if let (SetExpr::Select(select), SetExpr::Select(first)) = (query.body.as_mut(), *first.body)
        && let (Some(table), Some(first)) = (select.from.first_mut(), first.selection)
    {
        table.relation = derived(numbered, Some(table_alias(name.clone())));
        select.selection = Some(and(Some(joined), first));
        hide(select, &[(name, ROW)], names)?;
    }
    Ok(Some(query))
}

/// Whether a SELECT returns a row for each row of FROM that meets its condition.
pub fn is_plain(select: &Select) -> bool {
    let is_distinct = matches!(select.distinct, Some(Distinct::Distinct | Distinct::On(_)));
    !is_distinct
        && !is_grouped(select)
        && !select.from.is_empty()
        && select.having.is_none()
        && select.qualify.is_none()
        && select.top.is_none()
}

/// Whether an expression calls a function, which may be an aggregate or `unnest`.
pub fn has_call(expr: &Expr) -> bool {
    has_expr(expr, |part| {
        matches!(part, Expr::Function(_) | Expr::Subquery(_))
    })
}
