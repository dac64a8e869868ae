//! Names of tables and columns in FROM that may be left out, for files, lists and series.

use std::collections::HashSet;

use datafusion::common::{Result, not_impl_err};
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, JoinOperator, ObjectName, Select, SelectItem,
    SetExpr, TableAlias, TableFactor,
};

use super::names_used::{Used, other_tables};
use crate::sql::syntax::{
    Contents, Names, alias_column, arguments, call, derived, function_name, joined_mut, last_name,
    parse_query, plain_arguments, selected_from, single_name, table_alias, table_name,
};
use crate::sql::walk::{find, rewrite_own};

/// The table functions that are also functions, which return a list.
pub const SERIES: [&str; 2] = ["generate_series", "range"];

/// The formats that Spark names before a file.
const FORMATS: [&str; 4] = ["csv", "json", "orc", "parquet"];

/// The function that makes rows of a list, and its column in DuckDB.
const UNNEST: &str = "unnest";

/// The column of the series.
const SERIES_COLUMN: &str = "value";

/// The column of WITH ORDINALITY.
const ORDINALITY: &str = "ordinality";

/// Names the table of `FROM 'folder/x.parquet'` `x`, if it is used so, and takes Spark's
/// `FROM parquet.`x.parquet`` for it.
pub fn name_file(name: &mut ObjectName, alias: &mut Option<TableAlias>, used: &Used, names: Names) {
    let parts = name.0.iter().map(|part| part.as_ident());
    let file = match parts.collect::<Option<Vec<_>>>().as_deref() {
        Some([file]) if file.quote_style == Some('\'') => Ident::clone(file),
        Some([format, file])
            if file.quote_style == Some('`') && FORMATS.contains(&names.of(format).as_str()) =>
        {
            Ident::with_quote('\'', &file.value)
        }
        _ => return,
    };
    let base = file.value.rsplit('/').next().unwrap_or_default();
    let stem = Ident::new(base.split('.').next().unwrap_or_default());
    if alias.is_none() && used.qualifiers.contains(&names.of(&stem)) {
        *alias = Some(table_alias(stem));
    }
    *name = ObjectName::from(vec![file]);
}

/// `unnest(list)` in FROM.
pub fn unnest(list: Expr, alias: Option<TableAlias>, with_ordinality: bool) -> TableFactor {
    TableFactor::UNNEST {
        alias,
        array_exprs: vec![list],
        with_offset: false,
        with_offset_alias: None,
        with_ordinality,
    }
}

/// Takes `LATERAL unnest(list)` for `unnest(list)`.
fn without_lateral(factor: &mut TableFactor, names: Names) {
    if let TableFactor::Function {
        lateral: true,
        name,
        args,
        with_ordinality: false,
        alias,
    } = factor
        && single_name(name).is_some_and(|name| names.of(name) == UNNEST)
        && let [FunctionArg::Unnamed(FunctionArgExpr::Expr(list))] = args.as_slice()
    {
        *factor = unnest(list.clone(), alias.take(), false);
    }
}

/// Names the column of `unnest(list) AS u` in FROM `u`, as PostgreSQL and DuckDB do.
pub fn name_unnested(factor: &mut TableFactor, names: Names) -> Result<()> {
    without_lateral(factor, names);
    if let Some(numbered) = number_rows(factor, names)? {
        *factor = numbered;
        return Ok(());
    }
    if let TableFactor::UNNEST { array_exprs, .. } = factor {
        // The planner looks for the columns of a list in brackets only in the table itself.
        rewrite_own(array_exprs, |expr| {
            if let Expr::Array(list) = expr {
                *expr = call("make_array", std::mem::take(&mut list.elem));
            }
            Ok(())
        })?;
    }
    if let TableFactor::UNNEST {
        alias, array_exprs, ..
    } = factor
        && array_exprs.len() == 1
    {
        let alias = alias.get_or_insert_with(|| table_alias(Ident::new(UNNEST)));
        if alias.columns.is_empty() {
            alias.columns.push(alias_column(alias.name.clone()));
        }
    }
    Ok(())
}

/// `LATERAL (SELECT unnest(list) AS item) AS u` as `unnest(list) AS u(item)`, which outer joins
/// take.
fn unnested_query(factor: &TableFactor, names: Names) -> Option<TableFactor> {
    let TableFactor::Derived {
        lateral: true,
        subquery,
        alias: Some(alias),
        ..
    } = factor
    else {
        return None;
    };
    let SetExpr::Select(select) = subquery.body.as_ref() else {
        return None;
    };
    let ([SelectItem::ExprWithAlias { expr, alias: item }], []) =
        (select.projection.as_slice(), select.from.as_slice())
    else {
        return None;
    };
    let Expr::Function(function) = expr else {
        return None;
    };
    let lists = arguments(function)?;
    let [list] = lists.as_slice() else {
        return None;
    };
    let is_plain = function_name(function, names).as_deref() == Some(UNNEST)
        && select.selection.is_none()
        && select.distinct.is_none()
        && subquery.order_by.is_none()
        && subquery.limit_clause.is_none();
    let mut alias = alias.clone();
    if alias.columns.is_empty() {
        alias.columns.push(alias_column(item.clone()));
    }
    is_plain.then(|| unnest(Expr::clone(list), Some(alias), false))
}

/// Makes a query in FROM that names a table before it lateral, or unnests its list in an outer
/// join.
pub fn imply_lateral(select: &mut Select, names: Names) {
    let mut before = HashSet::new();
    for table in &mut select.from {
        for factor in joined_mut(table) {
            if let TableFactor::Derived {
                lateral, subquery, ..
            } = factor
                && !before.is_empty()
            {
                let mut others = other_tables(subquery, names);
                *lateral |= others.any(|table| before.contains(&table));
            }
            before.extend(table_name(factor).map(|name| names.of(&name)));
        }
        for join in &mut table.joins {
            if matches!(
                join.join_operator,
                JoinOperator::Left(_) | JoinOperator::LeftOuter(_)
            ) {
                without_lateral(&mut join.relation, names);
                if let Some(unnested) = unnested_query(&join.relation, names) {
                    join.relation = unnested;
                }
            }
        }
    }
}

/// Names the column of `unnest(list) AS u` in FROM `unnest`, as DuckDB does, if it is used so.
fn name_item(alias: &mut Option<TableAlias>, used: &Used, names: Names) {
    if let Some(alias) = alias
        && alias.columns.is_empty()
        && used
            .columns
            .contains(&(names.of(&alias.name), UNNEST.to_owned()))
    {
        alias.columns.push(alias_column(Ident::new(UNNEST)));
    }
}

/// Rewrites series in FROM. In `FROM range(3) AS i`, the alias may be used as the column's name. In
/// `FROM t, range(t.n) AS r(i)`, the series depends on a row, so the list function makes it.
pub fn name_series(select: &mut Select, names: Names) {
    let mut used = Used::new(names);
    find(select, &mut used);
    for table in &mut select.from {
        for factor in joined_mut(table) {
            let (name, arguments, alias, is_lateral, is_numbered) = match factor {
                TableFactor::Table {
                    name,
                    args: Some(arguments),
                    alias,
                    with_ordinality,
                    ..
                } => (name, &arguments.args, alias, false, *with_ordinality),
                TableFactor::Function {
                    lateral: true,
                    name,
                    args,
                    with_ordinality,
                    alias,
                } => (name, &*args, alias, true, *with_ordinality),
                TableFactor::UNNEST { alias, .. } => {
                    name_item(alias, &used, names);
                    continue;
                }
                TableFactor::Table {
                    name,
                    args: None,
                    alias,
                    ..
                } => {
                    name_file(name, alias, &used, names);
                    continue;
                }
                _ => continue,
            };
            let function = single_name(name).map(|name| names.of(name));
            if function.as_deref() == Some(UNNEST) {
                name_item(alias, &used, names);
            }
            let Some(function) = function.filter(|name| SERIES.contains(&name.as_str())) else {
                continue;
            };
            // DuckDB names the column after the function.
            if alias.is_none() && used.alone.contains(&function) {
                let mut own = table_alias(Ident::new(&function));
                own.columns.push(alias_column(Ident::new(&function)));
                *alias = Some(own);
            }
            if let Some(alias) = alias
                && alias.columns.is_empty()
                && used.alone.contains(&names.of(&alias.name))
                && !used.qualifiers.contains(&names.of(&alias.name))
            {
                alias.columns.push(alias_column(alias.name.clone()));
            }
            if !is_lateral && Contents::of(&mut arguments.clone(), names).names.is_empty() {
                continue;
            }
            if let Some(values) = plain_arguments(arguments) {
                let values = values.into_iter().cloned().collect();
                let mut alias = alias.take();
                let alias = alias.get_or_insert_with(|| table_alias(Ident::new(&function)));
                if alias.columns.is_empty() {
                    alias.columns.push(alias_column(Ident::new(SERIES_COLUMN)));
                }
                *factor = unnest(call(&function, values), Some(alias.clone()), is_numbered);
            }
        }
    }
}

/// `range(3) WITH ORDINALITY`, or another table function, as a query that numbers the rows.
fn numbered_rows(factor: &TableFactor) -> Result<Option<TableFactor>> {
    let mut rows = factor.clone();
    let TableFactor::Table {
        with_ordinality,
        alias,
        name,
        ..
    } = &mut rows
    else {
        return Ok(None);
    };
    if !std::mem::take(with_ordinality) {
        return Ok(None);
    }
    let mut alias = alias.take();
    if alias.is_none() {
        alias = last_name(name).cloned().map(table_alias);
    }
    if let Some(alias) = alias.as_mut().filter(|alias| alias.columns.len() == 1) {
        alias.columns.push(alias_column(Ident::new(ORDINALITY)));
    }
    let sql = format!("SELECT *, row_number() OVER () AS {ORDINALITY} FROM t");
    Ok(Some(derived(selected_from(rows, &sql)?, alias)))
}

/// `unnest(list) WITH ORDINALITY AS t(item, number)` as a query.
fn number_rows(factor: &TableFactor, names: Names) -> Result<Option<TableFactor>> {
    if let Some(numbered) = numbered_rows(factor)? {
        return Ok(Some(numbered));
    }
    // BigQuery counts from 0.
    let (mut first, mut number) = (1, Ident::new(ORDINALITY));
    let (list, alias) = match factor {
        TableFactor::UNNEST {
            with_ordinality,
            with_offset,
            with_offset_alias,
            array_exprs,
            alias,
            ..
        } if *with_ordinality || *with_offset => match array_exprs.as_slice() {
            [list] => {
                if *with_offset {
                    first = 0;
                    number = with_offset_alias
                        .clone()
                        .unwrap_or_else(|| Ident::new("offset"));
                }
                (list, alias)
            }
            _ => return not_impl_err!("WITH ORDINALITY takes unnest of one list"),
        },
        TableFactor::Function {
            with_ordinality: true,
            name,
            args,
            alias,
            ..
        } => match args.as_slice() {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(list))]
                if name.to_string().eq_ignore_ascii_case("unnest") =>
            {
                (list, alias)
            }
            _ => return not_impl_err!("WITH ORDINALITY takes unnest of a list, not {name}"),
        },
        _ => return Ok(None),
    };
    let sql = format!(
        "SELECT unnest({list}) AS unnest, unnest(range({first}, len({list}) + {first})) AS {ORDINALITY}"
    );
    let query = parse_query(&sql)?;
    let mut alias = alias.clone();
    let alias = alias.get_or_insert_with(|| table_alias(Ident::new(UNNEST)));
    match alias.columns.as_slice() {
        [item] => alias.columns = vec![item.clone(), alias_column(number)],
        // BigQuery's alias names the item.
        [] if first == 0 => {
            alias.columns = vec![alias_column(alias.name.clone()), alias_column(number)];
        }
        _ => {}
    }
    let mut numbered = derived(query, Some(alias.clone()));
    if let TableFactor::Derived { lateral, .. } = &mut numbered {
        *lateral = !Contents::of(&mut list.clone(), names).names.is_empty();
    }
    Ok(Some(numbered))
}
