//! Lists in FROM under other names: PostgreSQL's `jsonb_array_elements(json) AS e` and
//! `LATERAL (VALUES (t.a), (t.b)) AS v(x)`, and BigQuery's `FROM t, t.links AS link`.

use std::collections::HashSet;

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Join, JoinConstraint, JoinOperator, Select, SetExpr, TableFactor, TableWithJoins,
};

use super::named_tables::unnest;
use super::names_used::Used;
use crate::sql::syntax::{
    Names, alias_column, call, joined_mut, parse_query, plain_arguments, single_name, table_alias,
    table_name, text,
};
use crate::sql::walk::find;

/// Functions that return a row for each item, and the functions that return the list.
const FUNCTIONS: &[(&str, &str)] = &[
    ("json_array_elements", "json_array"),
    ("json_array_elements_text", "json_value_array"),
    ("json_object_keys", "json_keys"),
    ("jsonb_array_elements", "json_array"),
    ("jsonb_array_elements_text", "json_value_array"),
    ("jsonb_object_keys", "json_keys"),
    ("regexp_split_to_table", "regexp_split_to_array"),
    ("string_to_table", "string_split"),
];

/// The name of the column of these functions.
const VALUE: &str = "value";

/// Replaces such functions and lists by `unnest(list)`.
pub fn replace(select: &mut Select, names: Names) -> Result<()> {
    let mut used = Used::new(names);
    find(select, &mut used);
    let mut before = HashSet::new();
    for table in &mut select.from {
        for factor in joined_mut(table) {
            let unnested = of_function(factor, &used, names);
            let unnested = match unnested.or_else(|| of_column(factor, &before, names)) {
                Some(unnested) => Some(unnested),
                None => of_values(factor)?,
            };
            if let Some(unnested) = unnested {
                *factor = unnested;
            }
            before.extend(table_name(factor).map(|name| names.of(&name)));
        }
    }
    join_earlier(select);
    Ok(())
}

/// Writes `FROM a, unnest(a.list) AS u JOIN b ON …` as `FROM a CROSS JOIN unnest(a.list) AS u …`.
/// DataFusion would join `u` and `b` alone, without a row of `a`.
fn join_earlier(select: &mut Select) {
    let mut tables: Vec<TableWithJoins> = Vec::new();
    for table in std::mem::take(&mut select.from) {
        let is_joined = matches!(table.relation, TableFactor::UNNEST { .. })
            && !table.joins.is_empty()
            && table.joins.iter().all(keeps_left);
        match tables.last_mut() {
            Some(earlier) if is_joined => {
                earlier.joins.push(Join {
                    relation: table.relation,
                    global: false,
                    join_operator: JoinOperator::CrossJoin(JoinConstraint::None),
                });
                earlier.joins.extend(table.joins);
            }
            _ => tables.push(table),
        }
    }
    select.from = tables;
}

/// Whether the left side of a join may be joined with other tables first.
fn keeps_left(join: &Join) -> bool {
    use JoinOperator::{
        Anti, CrossJoin, Inner, Join as Plain, Left, LeftAnti, LeftOuter, LeftSemi, Semi,
    };
    match &join.join_operator {
        CrossJoin(_) => true,
        Plain(on) | Inner(on) | Left(on) | LeftOuter(on) | Semi(on) | LeftSemi(on) | Anti(on)
        | LeftAnti(on) => matches!(on, JoinConstraint::On(_)),
        _ => false,
    }
}

/// `jsonb_array_elements(json) AS e`. The alias is also the name of the column, as in PostgreSQL.
fn of_function(factor: &TableFactor, used: &Used, names: Names) -> Option<TableFactor> {
    let (name, arguments, alias, is_numbered) = match factor {
        TableFactor::Table {
            name,
            args: Some(arguments),
            alias,
            with_ordinality,
            ..
        } => (name, &arguments.args, alias, *with_ordinality),
        TableFactor::Function {
            name,
            args,
            alias,
            with_ordinality,
            ..
        } => (name, args, alias, *with_ordinality),
        _ => return None,
    };
    let own = single_name(name).map(|name| names.of(name))?;
    let (_, function) = FUNCTIONS.iter().find(|(known, _)| *known == own)?;
    let values = plain_arguments(arguments)?.into_iter().cloned();
    let list = call(function, values.collect());
    let mut alias = alias.clone();
    let is_value = match &alias {
        Some(alias) => {
            let qualified = (names.of(&alias.name), VALUE.to_owned());
            used.alone.contains(VALUE) || used.columns.contains(&qualified)
        }
        None => true,
    };
    let own = alias.get_or_insert_with(|| table_alias(Ident::new(own)));
    if is_value && own.columns.is_empty() {
        own.columns.push(alias_column(Ident::new(VALUE)));
    }
    Some(unnest(list, alias, is_numbered))
}

/// `LATERAL (VALUES (t.a, 1), (t.b, 2)) AS v(x, n)`
fn of_values(factor: &TableFactor) -> Result<Option<TableFactor>> {
    let TableFactor::Derived {
        lateral: true,
        subquery,
        alias: Some(alias),
        ..
    } = factor
    else {
        return Ok(None);
    };
    let SetExpr::Values(values) = subquery.body.as_ref() else {
        return Ok(None);
    };
    let is_plain = subquery.order_by.is_none() && subquery.limit_clause.is_none();
    let columns = &alias.columns;
    let rows = values.rows.iter().map(|row| &row.content);
    if !is_plain || columns.is_empty() || rows.clone().any(|row| row.len() != columns.len()) {
        return Ok(None);
    }
    if let [_] = columns.as_slice() {
        let items = rows.flatten().cloned().collect();
        let list = call("make_array", items);
        return Ok(Some(unnest(list, Some(alias.clone()), false)));
    }
    let items = rows.map(|row| {
        let fields = columns.iter().zip(row);
        let fields = fields.flat_map(|(column, value)| [text(&column.name.value), value.clone()]);
        call("named_struct", fields.collect())
    });
    let list = call("make_array", items.collect());
    let fields = columns.iter().map(|column| {
        let field = text(&column.name.value);
        format!("__row[{field}] AS {}", column.name)
    });
    let fields: Vec<String> = fields.collect();
    let fields = fields.join(", ");
    let query = parse_query(&format!(
        "SELECT {fields} FROM unnest({list}) AS __rows(__row)"
    ))?;
    Ok(Some(TableFactor::Derived {
        lateral: true,
        subquery: Box::new(query),
        alias: Some(alias.clone()),
        sample: None,
    }))
}

/// `t.links AS link` after a table `t`.
fn of_column(factor: &TableFactor, before: &HashSet<String>, names: Names) -> Option<TableFactor> {
    let TableFactor::Table {
        name,
        args: None,
        alias,
        with_ordinality,
        ..
    } = factor
    else {
        return None;
    };
    let parts = name.0.iter().map(|part| part.as_ident().cloned());
    let parts: Vec<Ident> = parts.collect::<Option<_>>()?;
    let [table, _, ..] = parts.as_slice() else {
        return None;
    };
    before.contains(&names.of(table)).then(|| {
        let alias = alias
            .clone()
            .or_else(|| parts.last().cloned().map(table_alias));
        unnest(
            Expr::CompoundIdentifier(parts.clone()),
            alias,
            *with_ordinality,
        )
    })
}
