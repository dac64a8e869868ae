//! Clauses that limit and sort the result of a query: `TOP`, `FETCH`, `LIMIT 10%`, `LIMIT` with a
//! query and `ORDER BY ALL`.

use datafusion::common::{Result, not_impl_err, plan_err};
use datafusion::sql::sqlparser::ast::{
    Distinct, Expr, Ident, LimitClause, OrderBy, OrderByExpr, OrderByKind, Query, Select,
    SelectItem, SetExpr, SetQuantifier, TopQuantity, Value,
};

use crate::sql::dialect::tokens::PERCENT;
use crate::sql::syntax::{
    and, arguments, derived, integer, is_grouped, numbered_item, parse_query, selected_from, title,
};
use crate::sql::walk::has_expr;

/// Replaces the clauses of a query that sort by all columns or limit its rows.
pub fn replace(query: &mut Query) -> Result<()> {
    if let Some(LimitClause::LimitOffset { limit_by, .. }) = &query.limit_clause
        && let Some(first) = limit_by.first()
    {
        return plan_err!(
            "LIMIT … BY is not supported: write QUALIFY row_number() OVER (PARTITION BY {first} ORDER BY …) <= 1"
        );
    }
    sort_by_all(query)?;
    sort_by_expressions(query);
    sort_by_queries(query)?;
    let counted = [top(query)?, fetch(query)?, limited(query)];
    match counted.into_iter().flatten().next() {
        Some(counted) => number_rows(query, &counted),
        None => Ok(()),
    }
}

/// How a clause counts the rows that it keeps, unless by a plain number.
enum Counted {
    /// A percentage of the rows.
    Percent,
    /// A number of rows, and all rows that are equal to the last one in the order.
    WithTies,
    /// A number that a query returns.
    Queried,
}

/// The items of the first SELECT of a query. `None` if an item expands to several columns.
fn items(body: &SetExpr) -> Option<&[SelectItem]> {
    match body {
        SetExpr::Select(select) => {
            let is_single = |item: &SelectItem| {
                matches!(
                    item,
                    SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. }
                )
            };
            let all = select.projection.iter().all(is_single);
            (all && !select.projection.is_empty()).then_some(&select.projection)
        }
        SetExpr::SetOperation { left, .. } => items(left),
        SetExpr::Query(query) => items(&query.body),
        _ => None,
    }
}

/// The names of the columns of a query. `None` if an item expands to several columns.
fn column_names(body: &SetExpr) -> Option<Vec<String>> {
    if let SetExpr::SetOperation {
        set_quantifier:
            SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName,
        left,
        right,
        ..
    } = body
    {
        let mut names = column_names(left)?;
        for name in column_names(right)? {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        return Some(names);
    }
    let names = items(body)?.iter().map(|item| match item {
        SelectItem::ExprWithAlias { alias, .. } => alias.value.to_lowercase(),
        item => title(item).map_or_else(|| item.to_string(), |title| title.value.to_lowercase()),
    });
    Some(names.collect())
}

/// Sorts by the numbers of all columns. DataFusion sorts by columns of tables only, which is enough
/// for `SELECT *`, but not for a UNION of them.
fn sort_by_all(query: &mut Query) -> Result<()> {
    let Some(OrderBy {
        kind: OrderByKind::All(options),
        ..
    }) = &query.order_by
    else {
        return Ok(());
    };
    let Some(names) = column_names(&query.body) else {
        if matches!(*query.body, SetExpr::SetOperation { .. }) {
            let mut rows = parse_query("SELECT * FROM t")?;
            std::mem::swap(&mut rows.body, &mut query.body);
            let all = selected_from(derived(rows, None), "SELECT * FROM t")?;
            query.body = all.body;
        }
        return Ok(());
    };
    let options = *options;
    let keys = (1..).zip(names).map(|(number, _)| OrderByExpr {
        expr: integer(number),
        options,
        with_fill: None,
    });
    query.order_by = Some(OrderBy {
        kind: OrderByKind::Expressions(keys.collect()),
        interpolate: None,
    });
    Ok(())
}

/// `ORDER BY 2` of a grouped query as the second item, if that is computed. DataFusion takes the
/// number for a column that is neither a key nor an aggregate.
fn sort_by_expressions(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return;
    };
    let (Some(items), Some(order)) = (items(&query.body), &mut query.order_by) else {
        return;
    };
    let OrderByKind::Expressions(keys) = &mut order.kind else {
        return;
    };
    if !is_grouped(select) || select.distinct.is_some() {
        return;
    }
    for key in keys {
        if let Some(SelectItem::UnnamedExpr(computed)) = numbered_item(&key.expr, items)
            && !matches!(
                computed,
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_)
            )
            && !unnests(computed)
        {
            key.expr = computed.clone();
        }
    }
}

/// The start of the names of columns that ORDER BY needs.
const SORT_QUERY: &str = "__sort_query_";

/// Makes a query in ORDER BY a column, because it may use columns of the row, and leaves the column
/// out around it.
fn sort_by_queries(query: &mut Query) -> Result<()> {
    let SetExpr::Select(select) = query.body.as_mut() else {
        return Ok(());
    };
    let Some(OrderBy {
        kind: OrderByKind::Expressions(keys),
        ..
    }) = &mut query.order_by
    else {
        return Ok(());
    };
    if is_grouped(select) || select.distinct.is_some() {
        return Ok(());
    }
    let mut added = Vec::new();
    for key in keys {
        if has_expr(&key.expr, |part| matches!(part, Expr::Subquery(_))) {
            let alias = Ident::new(format!("{SORT_QUERY}{}", added.len()));
            let expr = std::mem::replace(&mut key.expr, Expr::Identifier(alias.clone()));
            let column = SelectItem::ExprWithAlias {
                expr,
                alias: alias.clone(),
            };
            select.projection.push(column);
            added.push(alias.to_string());
        }
    }
    if added.is_empty() {
        return Ok(());
    }
    let with = query.with.take();
    let all = format!("SELECT * EXCLUDE ({}) FROM t", added.join(", "));
    *query = selected_from(derived(query.clone(), None), &all)?;
    query.with = with;
    Ok(())
}

/// Whether an expression makes several rows of one.
fn unnests(expr: &Expr) -> bool {
    has_expr(expr, |part| match part {
        Expr::Function(function) => {
            let name = function.name.to_string().to_ascii_lowercase();
            ["explode", "unnest", "unnest_outer"].contains(&name.as_str())
        }
        _ => false,
    })
}
fn limit(quantity: Expr) -> LimitClause {
    LimitClause::LimitOffset {
        limit: Some(quantity),
        offset: None,
        limit_by: Vec::new(),
    }
}

/// `SELECT TOP 5 …` as `LIMIT 5`.
fn top(query: &mut Query) -> Result<Option<Counted>> {
    let SetExpr::Select(select) = query.body.as_mut() else {
        return Ok(None);
    };
    let Some(top) = select.top.take() else {
        return Ok(None);
    };
    let quantity = match top.quantity {
        Some(TopQuantity::Constant(number)) => {
            Expr::value(Value::Number(number.to_string(), false))
        }
        Some(TopQuantity::Expr(quantity)) => quantity,
        None => return plan_err!("TOP needs a number: write LIMIT 10"),
    };
    if query.limit_clause.is_some() {
        return plan_err!("LIMIT and TOP mean the same: leave one out");
    }
    query.limit_clause = Some(limit(quantity));
    counted(top.percent, top.with_ties)
}

/// `FETCH FIRST 5 ROWS ONLY` as `LIMIT 5`.
fn fetch(query: &mut Query) -> Result<Option<Counted>> {
    let Some(fetch) = query.fetch.take() else {
        return Ok(None);
    };
    let quantity = fetch.quantity.unwrap_or_else(|| integer(1));
    match &mut query.limit_clause {
        None => query.limit_clause = Some(limit(quantity)),
        Some(LimitClause::LimitOffset { limit, .. }) if limit.is_none() => *limit = Some(quantity),
        Some(_) => return plan_err!("LIMIT and FETCH mean the same: leave one out"),
    }
    counted(fetch.percent, fetch.with_ties)
}

fn counted(percent: bool, with_ties: bool) -> Result<Option<Counted>> {
    match (percent, with_ties) {
        (true, true) => not_impl_err!(
            "a percentage WITH TIES is not supported: write QUALIFY percent_rank() OVER (ORDER BY …) < 0.1"
        ),
        (true, false) => Ok(Some(Counted::Percent)),
        (false, true) => Ok(Some(Counted::WithTies)),
        (false, false) => Ok(None),
    }
}

/// `LIMIT 10%` as a percentage, and `LIMIT` or `OFFSET` with a query.
fn limited(query: &mut Query) -> Option<Counted> {
    let Some(LimitClause::LimitOffset { limit, offset, .. }) = &mut query.limit_clause else {
        return None;
    };
    if let Some(Expr::Function(function)) = limit
        && function.name.to_string() == PERCENT
        && let Some([share]) = arguments(function).as_deref()
    {
        *limit = Some((*share).clone());
        return Some(Counted::Percent);
    }
    let offset = offset.as_ref().map(|offset| &offset.value);
    let is_queried = |number: &Expr| has_expr(number, |part| matches!(part, Expr::Subquery(_)));
    let is_any = limit.iter().chain(offset).any(is_queried);
    is_any.then_some(Counted::Queried)
}

/// Replaces `LIMIT` and `OFFSET` by conditions on the numbers of the rows.
fn number_rows(query: &mut Query, counted: &Counted) -> Result<()> {
    let Some(LimitClause::LimitOffset { limit, offset, .. }) = query.limit_clause.take() else {
        return Ok(());
    };
    // DataFusion takes no query in QUALIFY of a grouped one.
    let is_queried = matches!(counted, Counted::Queried);
    let is_plain = matches!(query.body.as_ref(), SetExpr::Select(select)
        if is_plain(select) && !(is_queried && is_grouped(select)));
    if !is_plain {
        let mut outer = parse_query("SELECT * FROM t")?;
        let mut inner = query.clone();
        let order_by = inner.order_by.take();
        inner.with = None;
        if let SetExpr::Select(select) = outer.body.as_mut()
            && let Some(table) = select.from.first_mut()
        {
            table.relation = derived(inner, None);
        }
        query.body = outer.body;
        query.order_by = order_by;
    }
    let SetExpr::Select(select) = query.body.as_mut() else {
        return plan_err!("these rows cannot be counted: write LIMIT with a number of rows");
    };
    let keys = match &query.order_by {
        Some(OrderBy {
            kind: OrderByKind::Expressions(keys),
            ..
        }) => keys.iter().map(|key| sort_key(key, select)).collect(),
        Some(_) => {
            return not_impl_err!(
                "LIMIT with ORDER BY ALL takes a number of rows: name the columns to sort by"
            );
        }
        None => String::new(),
    };
    let window = match keys.trim_end_matches(", ") {
        "" => String::new(),
        keys => format!("ORDER BY {keys}"),
    };
    let limit = limit.map(|limit| format!("({limit})"));
    let skipped = offset.map(|offset| format!("coalesce({}, 0)", offset.value));
    let last = match (&limit, &skipped) {
        (Some(limit), Some(skipped)) => Some(format!("{limit} + {skipped}")),
        (limit, _) => limit.clone(),
    };
    let mut conditions = Vec::new();
    if let Some(skipped) = skipped {
        if matches!(counted, Counted::Percent) {
            return not_impl_err!("LIMIT 10% takes no OFFSET: write LIMIT 100 OFFSET 10");
        }
        conditions.push(format!("row_number() OVER ({window}) > {skipped}"));
    }
    if let Some(last) = last {
        conditions.push(match counted {
            Counted::Percent => {
                format!("row_number() OVER ({window}) <= floor(count(*) OVER () * {last} / 100.0)")
            }
            Counted::WithTies if window.is_empty() => {
                return plan_err!("WITH TIES needs ORDER BY, which says what equal rows are");
            }
            Counted::WithTies => format!("rank() OVER ({window}) <= {last}"),
            // LIMIT NULL keeps all rows.
            Counted::Queried => {
                format!("coalesce(row_number() OVER ({window}) <= {last}, true)")
            }
        });
    }
    let numbers = parse_query(&format!("SELECT 1 WHERE {}", conditions.join(" AND ")))?;
    if let SetExpr::Select(numbers) = *numbers.body
        && let Some(condition) = numbers.selection
    {
        select.qualify = Some(and(select.qualify.take(), condition));
    }
    Ok(())
}

/// Whether the number of rows of a SELECT is known before QUALIFY.
fn is_plain(select: &Select) -> bool {
    let is_distinct = matches!(select.distinct, Some(Distinct::Distinct | Distinct::On(_)));
    !is_distinct && select.qualify.is_none()
}

/// A key of ORDER BY for a window: without numbers of columns.
fn sort_key(key: &OrderByExpr, select: &Select) -> String {
    let mut key = key.clone();
    if let Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) =
        numbered_item(&key.expr, &select.projection)
    {
        key.expr = expr.clone();
    }
    format!("{key}, ")
}
