//! Names of columns without an alias, as in DuckDB: `meta.author` is `author`, and the columns of
//! new tables, views and files, and of queries in FROM, are named as they are written, such as
//! `max(n)`.
//!
//! The planner names the first `t.meta[author]`, and the second `max(t.n)`.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::{CopyToSource, Statement};
use datafusion::sql::sqlparser::ast::{
    DescribeAlias, Distinct, Expr, Ident, OrderByKind, Query, Select, SelectItem, SetExpr,
    Statement as SqlStatement, TableFactor, VisitorMut,
};

use super::rewrites::Used;
use crate::sql::syntax::{Names, integer, is_grouped, joined, name_item, table_name, title};
use crate::sql::walk::{find, rewrite_statement};

/// The name of the column `count(*)` in DuckDB.
const COUNT_STAR: &str = "count_star()";

/// Names the columns of a statement.
pub fn give(statement: &mut Statement, names: Names) -> Result<()> {
    // The name of DuckDB, only if it is used: files may have a column with the other one.
    let counts_stars = statement.to_string().contains(&format!("\"{COUNT_STAR}\""));
    rewrite_statement(
        statement,
        &mut ImpliedNames {
            names,
            counts_stars,
        },
    )?;
    if let Some(query) = kept_query(statement) {
        name_all(query, counts_stars);
    }
    Ok(())
}

/// The query whose columns a new table, view or file gets, or DESCRIBE shows.
fn kept_query(statement: &mut Statement) -> Option<&mut Query> {
    match statement {
        Statement::Statement(statement) => match statement.as_mut() {
            SqlStatement::CreateTable(table) => table.query.as_deref_mut(),
            SqlStatement::CreateView(view) => Some(&mut view.query),
            SqlStatement::Explain {
                describe_alias: DescribeAlias::Describe | DescribeAlias::Desc,
                statement,
                ..
            } => match statement.as_mut() {
                SqlStatement::Query(query) => Some(query),
                _ => None,
            },
            _ => None,
        },
        Statement::CopyTo(copy) => match &mut copy.source {
            CopyToSource::Query(query) => Some(query),
            CopyToSource::Relation(_) => None,
        },
        _ => None,
    }
}

/// Names the columns of a query as they are written.
pub fn name_all(query: &mut Query, counts_stars: bool) {
    name_as_written(&mut query.body, counts_stars);
    sort_by_columns(query);
}

/// Gives the expressions of the first SELECT their text as a name, and a number if it repeats.
fn name_as_written(body: &mut SetExpr, counts_stars: bool) {
    match body {
        SetExpr::Select(select) => {
            let mut used = HashSet::new();
            for item in &mut select.projection {
                let is_column = matches!(
                    item,
                    SelectItem::UnnamedExpr(Expr::Identifier(_) | Expr::CompoundIdentifier(_))
                );
                if let (false, Some(mut title)) = (is_column, title(item)) {
                    if counts_stars && title.value == "count(*)" {
                        COUNT_STAR.clone_into(&mut title.value);
                    }
                    let text = title.value.clone();
                    let mut number = 0;
                    while !used.insert(title.value.clone()) {
                        number += 1;
                        title.value = format!("{text}_{number}");
                    }
                    name_item(item, title);
                }
            }
        }
        SetExpr::SetOperation { left, .. } => name_as_written(left, counts_stars),
        SetExpr::Query(query) => name_as_written(&mut query.body, counts_stars),
        _ => {}
    }
}

/// Names fields of structs.
struct ImpliedNames {
    names: Names,
    /// Whether `count(*)` gets its name in DuckDB.
    counts_stars: bool,
}

impl ImpliedNames {
    fn in_body(&self, body: &mut SetExpr, sorted_by: &HashSet<String>) {
        match body {
            SetExpr::Select(select) => self.in_select(select, sorted_by),
            SetExpr::SetOperation { left, right, .. } => {
                self.in_body(left, sorted_by);
                self.in_body(right, sorted_by);
            }
            _ => {}
        }
    }

    /// A name that means another column in the same SELECT stays free.
    fn in_select(&self, select: &mut Select, sorted_by: &HashSet<String>) {
        let tables = select.from.iter().flat_map(joined);
        // An unnested list and its items have the same name.
        let is_item = |table: &TableFactor| match table {
            TableFactor::UNNEST {
                alias: Some(alias), ..
            } => matches!(alias.columns.as_slice(), [item] if item.name == alias.name),
            _ => false,
        };
        let tables = tables
            .filter(|table| !is_item(table))
            .filter_map(table_name);
        let tables: HashSet<String> = tables.map(|table| self.names.of(&table)).collect();
        let field = |item: &SelectItem| match item {
            SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => {
                let first = parts.first().map(|first| self.names.of(first))?;
                let is_field = parts.len() > 2 || !tables.contains(&first);
                is_field.then(|| parts.last().map(|last| self.names.of(last)))?
            }
            _ => None,
        };
        if !select.projection.iter().any(|item| field(item).is_some()) {
            return;
        }
        let mut used = Used::new(self.names);
        find(select, &mut used);
        let mut taken = used.alone;
        taken.extend(sorted_by.iter().cloned());
        for item in &select.projection {
            if let SelectItem::ExprWithAlias { alias, .. } = item {
                taken.insert(self.names.of(alias));
            } else if field(item).is_none() {
                taken.extend(title(item).map(|title| self.names.of(&title)));
            }
        }
        let mut given = HashSet::new();
        for item in &mut select.projection {
            let Some(field) = field(item).filter(|field| !taken.contains(field)) else {
                continue;
            };
            let numbers = (1..).map(|number| format!("{field}_{number}"));
            let mut free = std::iter::once(field.clone()).chain(numbers);
            let free = free.find(|it| !taken.contains(it) && given.insert(it.clone()));
            if let Some(free) = free {
                name_item(item, Ident::with_quote('"', free));
            }
        }
    }
}

impl VisitorMut for ImpliedNames {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        let mut used = Used::new(self.names);
        if let Some(order) = &mut query.order_by {
            find(order, &mut used);
        }
        self.in_body(&mut query.body, &used.alone);
        sort_by_columns(query);
        for table in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
            if table.alias.columns.is_empty() {
                name_all(&mut table.query, self.counts_stars);
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        if let TableFactor::Derived {
            subquery, alias, ..
        } = factor
            && alias.as_ref().is_none_or(|alias| alias.columns.is_empty())
        {
            name_all(subquery, self.counts_stars);
        }
        ControlFlow::Continue(())
    }
}

/// Sorts rows that are distinct or grouped by the number of a column whose expression is repeated
/// in ORDER BY. The planner compares such keys with the names of columns only.
fn sort_by_columns(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return;
    };
    let is_grouped = is_grouped(select);
    let is_distinct = matches!(select.distinct, Some(Distinct::Distinct));
    let Some(order) = query
        .order_by
        .as_mut()
        .filter(|_| is_grouped || is_distinct)
    else {
        return;
    };
    let OrderByKind::Expressions(keys) = &mut order.kind else {
        return;
    };
    for key in keys {
        let is_same = |item: &SelectItem| match item {
            SelectItem::ExprWithAlias { expr, .. } => {
                *expr == key.expr && !matches!(expr, Expr::Identifier(_) | Expr::Value(_))
            }
            // The planner resolves the others itself.
            SelectItem::UnnamedExpr(expr) => {
                is_distinct
                    && *expr == key.expr
                    && !matches!(
                        expr,
                        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_)
                    )
            }
            _ => false,
        };
        let place = select.projection.iter().position(is_same);
        let is_single = |item: &SelectItem| {
            matches!(item, SelectItem::ExprWithAlias { .. }) || title(item).is_some()
        };
        if let Some(place) = place
            && select.projection[..place].iter().all(is_single)
        {
            key.expr = integer(i64::try_from(place).unwrap_or_default() + 1);
        }
    }
}
