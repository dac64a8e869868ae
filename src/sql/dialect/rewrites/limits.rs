//! Clauses that limit and sort the result of a query: `TOP`, `FETCH`, `LIMIT 10%` and
//! `ORDER BY ALL`.

use datafusion::common::{Result, not_impl_err, plan_err};
use datafusion::sql::sqlparser::ast::{
    Distinct, Expr, Fetch, LimitClause, OrderBy, OrderByExpr, OrderByKind, Query, Select,
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
    top(query)?;
    fetch(query)?;
    percentage(query)
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
fn top(query: &mut Query) -> Result<()> {
    let SetExpr::Select(select) = query.body.as_mut() else {
        return Ok(());
    };
    let Some(top) = select.top.take() else {
        return Ok(());
    };
    let quantity = match top.quantity {
        Some(TopQuantity::Constant(number)) => {
            Expr::value(Value::Number(number.to_string(), false))
        }
        Some(TopQuantity::Expr(quantity)) => quantity,
        None => return plan_err!("TOP needs a number: write LIMIT 10"),
    };
    if top.with_ties || top.percent || query.limit_clause.is_some() {
        return not_impl_err!("TOP takes a number only: write ORDER BY … LIMIT 10, or LIMIT 10%");
    }
    query.limit_clause = Some(limit(quantity));
    Ok(())
}

/// `FETCH FIRST 5 ROWS ONLY` as `LIMIT 5`.
fn fetch(query: &mut Query) -> Result<()> {
    let Some(Fetch {
        with_ties,
        percent,
        quantity,
    }) = query.fetch.take()
    else {
        return Ok(());
    };
    if with_ties || percent {
        return not_impl_err!(
            "FETCH takes a number of rows only: write ORDER BY … LIMIT 10, or LIMIT 10%"
        );
    }
    let quantity = quantity.unwrap_or_else(|| integer(1));
    match &mut query.limit_clause {
        None => query.limit_clause = Some(limit(quantity)),
        Some(LimitClause::LimitOffset { limit, .. }) if limit.is_none() => *limit = Some(quantity),
        Some(_) => return plan_err!("LIMIT and FETCH mean the same: leave one out"),
    }
    Ok(())
}

/// The percentage in `LIMIT 10%`.
fn percent(clause: &LimitClause) -> Option<(Expr, bool)> {
    let LimitClause::LimitOffset {
        limit: Some(Expr::Function(function)),
        offset,
        ..
    } = clause
    else {
        return None;
    };
    if function.name.to_string() != PERCENT {
        return None;
    }
    let share = arguments(function)?.first().map(|share| (*share).clone())?;
    Some((share, offset.is_some()))
}

/// Replaces `LIMIT 10%` by a condition on the numbers of the rows.
fn percentage(query: &mut Query) -> Result<()> {
    let Some((share, has_offset)) = query.limit_clause.as_ref().and_then(percent) else {
        return Ok(());
    };
    if has_offset {
        return not_impl_err!("LIMIT 10% takes no OFFSET: write LIMIT 100 OFFSET 10");
    }
    query.limit_clause = None;
    let is_plain = matches!(query.body.as_ref(), SetExpr::Select(select) if is_plain(select));
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
        return plan_err!("LIMIT {share}% cannot be planned: write LIMIT with a number of rows");
    };
    let keys = match &query.order_by {
        Some(OrderBy {
            kind: OrderByKind::Expressions(keys),
            ..
        }) => keys.iter().map(|key| sort_key(key, select)).collect(),
        Some(_) => {
            return not_impl_err!("LIMIT {share}% with ORDER BY ALL: name the columns to sort by");
        }
        None => String::new(),
    };
    let keys = if keys.is_empty() {
        keys
    } else {
        format!("ORDER BY {}", keys.trim_end_matches(", "))
    };
    let numbers = parse_query(&format!(
        "SELECT 1 WHERE row_number() OVER ({keys}) <= floor(count(*) OVER () * {share} / 100.0)"
    ))?;
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
