//! ORDER BY a column beside an alias of the same name: `SELECT upper(t.s) AS s … ORDER BY t.s`.
//! DataFusion adds the column to the SELECT to sort by it, where the names are ambiguous.
//!
//! `ORDER BY length(s)` is about the column, too: a name is the alias only if it is the whole key.

use std::collections::HashSet;

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr,
};

use crate::sql::syntax::{
    Names, derived, is_grouped, name_item, parse_query, selected_from, title,
};
use crate::sql::walk::rewrite_own;

/// Selects these keys under unique names in an inner query, and excludes them from its result.
pub fn replace(query: &mut Query, names: Names) -> Result<()> {
    let (SetExpr::Select(select), Some(order)) = (query.body.as_mut(), &mut query.order_by) else {
        return Ok(());
    };
    let OrderByKind::Expressions(keys) = &mut order.kind else {
        return Ok(());
    };
    let aliases = computed_aliases(select, names);
    if aliases.is_empty() || select.distinct.is_some() {
        return Ok(());
    }
    let is_computed = |key: &OrderByExpr| !matches!(key.expr, Expr::Identifier(_) | Expr::Value(_));
    let shadowing = if keys.iter().any(is_computed) {
        shadowing_aliases(select, names)?
    } else {
        HashSet::new()
    };
    let mut hidden = Vec::new();
    for key in keys {
        if !uses_column_named(&mut key.expr, &aliases, names)?
            && !uses_column_of(&mut key.expr, &shadowing, names)?
        {
            continue;
        }
        let alias = Ident::new(format!("__sort_column_{}", hidden.len()));
        let expr = std::mem::replace(&mut key.expr, Expr::Identifier(alias.clone()));
        hidden.push(alias.value.clone());
        select
            .projection
            .push(SelectItem::ExprWithAlias { expr, alias });
    }
    if hidden.is_empty() {
        return Ok(());
    }
    name_computed(select);
    let outer = format!("SELECT * EXCLUDE ({}) FROM t", hidden.join(", "));
    let mut inner = parse_query("SELECT 1")?;
    std::mem::swap(&mut inner.body, &mut query.body);
    query.body = selected_from(derived(inner, None), &outer)?.body;
    Ok(())
}

/// The aliases of computed values.
fn computed_aliases(select: &Select, names: Names) -> HashSet<String> {
    let aliases = select.projection.iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias {
            expr: Expr::Identifier(_) | Expr::CompoundIdentifier(_),
            ..
        } => None,
        SelectItem::ExprWithAlias { alias, .. } => Some(names.of(alias)),
        _ => None,
    });
    aliases.collect()
}

/// The aliases of values that are computed from a column of the same name, such as `-a AS a`.
fn shadowing_aliases(select: &Select, names: Names) -> Result<HashSet<String>> {
    let mut shadowing = HashSet::new();
    if is_grouped(select) {
        return Ok(shadowing);
    }
    for item in &select.projection {
        let SelectItem::ExprWithAlias { expr, alias } = item else {
            continue;
        };
        let own = HashSet::from([names.of(alias)]);
        let mut expr = expr.clone();
        if uses_column_of(&mut expr, &own, names)? || uses_column_named(&mut expr, &own, names)? {
            shadowing.extend(own);
        }
    }
    Ok(shadowing)
}

/// Whether an expression that is not a name uses one of these names.
fn uses_column_of(expr: &mut Expr, wanted: &HashSet<String>, names: Names) -> Result<bool> {
    let mut whole = &*expr;
    while let Expr::Nested(inner) = whole {
        whole = inner;
    }
    if wanted.is_empty() || matches!(whole, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
        return Ok(false);
    }
    let mut is_used = false;
    rewrite_own(expr, |part| {
        if let Expr::Identifier(name) = part {
            is_used |= wanted.contains(&names.of(name));
        }
        Ok(())
    })?;
    Ok(is_used)
}

/// Whether an expression uses a column `table.name` whose name is one of `aliases`.
fn uses_column_named(expr: &mut Expr, aliases: &HashSet<String>, names: Names) -> Result<bool> {
    let mut is_used = false;
    rewrite_own(expr, |part| {
        if let Expr::CompoundIdentifier(parts) = part
            && let Some(name) = parts.last()
        {
            is_used |= aliases.contains(&names.of(name));
        }
        Ok(())
    })?;
    Ok(is_used)
}

/// Names computed values by their titles, which the outer query would lose.
fn name_computed(select: &mut Select) {
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr) = item
            && !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
            && let Some(alias) = title(item)
        {
            name_item(item, alias);
        }
    }
}
