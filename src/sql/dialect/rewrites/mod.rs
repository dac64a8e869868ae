//! Clauses of other engines that mean the same as others here: joins, samples, limits, operators,
//! calls and types.
//!
//! ```text
//! joins           SEMI, ANTI, ASOF and POSITIONAL JOIN, LATERAL VIEW, unnest in FROM
//! using           FULL and RIGHT JOIN with USING
//! windows         windows that extend a named one
//! row_values      (a, b) IN (SELECT …), and rows of expressions
//! sorted_columns  ORDER BY a column beside an alias of the same name
//! aggregates      several string_agg in different orders
//! decimals        calculations with decimal numbers
//! literals        times, intervals and bytes as DuckDB writes them
//! samples         TABLESAMPLE and USING SAMPLE
//! limits          TOP, FETCH, LIMIT 10%, ORDER BY ALL
//! quantifiers     ANY and ALL with a query
//! spellings       expressions with another form, by
//!   calls         structs, JSON objects, aggregates with LIMIT
//!   collations    COLLATE
//!   operators     ~, !, @, &&
//!   patterns      LIKE, SIMILAR TO, SUBSTRING
//!   subqueries    ARRAY(SELECT …), queries of one value
//!   subscripts    list[OFFSET(0)], name.upper()
//!   times         EXTRACT, AT TIME ZONE
//! unnested        lists in FROM under other names
//! json            -> and ->>
//! first_rows      the first rows of a query inside another one
//! hidden          columns that * leaves out
//! named_tables    names in FROM that may be left out
//! names_used      the names that a query uses
//! list_queries    queries over a list of the outer row
//! lambdas         lambda functions with the number of the item
//! types           BLOB, HUGEINT, STRING …
//! catalog         information_schema.columns
//! ```

mod aggregates;
mod calls;
mod catalog;
mod collations;
mod decimals;
mod first_rows;
mod hidden;
mod joins;
mod json;
mod lambdas;
mod limits;
mod list_queries;
mod literals;
mod named_tables;
mod names_used;
mod operators;
mod patterns;
mod quantifiers;
mod row_values;
mod samples;
mod sorted_columns;
mod spellings;
mod subqueries;
mod subscripts;
mod times;
mod types;
mod unnested;
mod using;
mod windows;

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    CreateTableLikeKind, Expr, Function, GroupByExpr, GroupByWithModifier, Query, Select,
    SelectItem, Statement as SqlStatement, TableFactor, VisitorMut,
};

pub use self::hidden::also_exclude;
pub use self::named_tables::{SERIES, name_file};
pub use self::names_used::Used;
pub use self::using::{join_constraint, name_joined};
use crate::sql::query_table;
use crate::sql::syntax::{Names, TitleStack, arguments, function_name, numbered_item, parse_query};
use crate::sql::walk::step;

/// Replaces the parts of a statement that are not inside of a query.
pub fn in_statement(statement: &mut Statement) -> Result<()> {
    if let Statement::Statement(statement) = statement {
        match statement.as_mut() {
            // Tables live as long as the session, so all of them are temporary.
            SqlStatement::CreateTable(table) => {
                collations::check_columns(table)?;
                table.temporary = false;
                if let Some(like) = table.like.take() {
                    let (CreateTableLikeKind::Parenthesized(like)
                    | CreateTableLikeKind::Plain(like)) = like;
                    let query = format!("SELECT * FROM {} LIMIT 0", like.name);
                    table.query = Some(Box::new(parse_query(&query)?));
                }
                for column in &mut table.columns {
                    types::rename(&mut column.data_type);
                }
            }
            SqlStatement::CreateView(view) => view.temporary = false,
            _ => {}
        }
    }
    Ok(())
}

/// The maximum number of keys of CUBE that is written out. Each doubles the number of sets.
const MAX_CUBE: usize = 12;

/// Replaces clauses of other engines in queries.
pub struct Equivalents {
    names: Names,
    titles: TitleStack,
    replaced: usize,
}

impl Equivalents {
    pub fn new(names: Names) -> Self {
        Self {
            names,
            titles: TitleStack::default(),
            replaced: 0,
        }
    }

    fn replace_clauses(&self, select: &mut Select) -> Result<()> {
        // DataFusion leaves it out.
        if !select.connect_by.is_empty() {
            return plan_err!("CONNECT BY is not supported: write WITH RECURSIVE");
        }
        // GROUP BY a, () has one group for each a.
        if let GroupByExpr::Expressions(keys, _) = &mut select.group_by {
            keys.retain(|key| !matches!(key, Expr::Tuple(parts) if parts.is_empty()));
        }
        replace_totals(&mut select.group_by)?;
        expand_sets(&mut select.group_by, self.names)?;
        name_grouped(select);
        unnested::replace(select, self.names)?;
        named_tables::name_series(select, self.names);
        named_tables::imply_lateral(select, self.names);
        samples::using(select)?;
        joins::replace(select, self.names)?;
        using::replace(select, self.names)?;
        quantifiers::replace_correlated(select, self.names)?;
        windows::allow_columns(select, self.names);
        windows::replace(select, self.names)?;
        aggregates::replace(select, self.names)
    }

    fn replace_expression(&mut self, expr: &mut Expr) -> Result<()> {
        windows::complete(expr, self.names)?;
        if let Some(result) = decimals::fold(expr) {
            *expr = result;
            self.replaced += 1;
            return Ok(());
        }
        let is_named = types::rename_in(expr) | literals::replace(expr);
        let is_replaced = is_named
            || json::replace(expr, self.names)
            || lambdas::replace_fields(expr, self.names)?
            || lambdas::replace(expr, self.names)?
            || spellings::replace(expr, self.names)?;
        self.replaced += usize::from(is_replaced);
        Ok(())
    }
}

/// Writes `GROUP BY a, b WITH ROLLUP` as `GROUP BY ROLLUP (a, b)`. DataFusion leaves out the
/// totals.
fn replace_totals(group_by: &mut GroupByExpr) -> Result<()> {
    let (GroupByExpr::Expressions(_, modifiers) | GroupByExpr::All(modifiers)) = &*group_by;
    let modifier = match modifiers.as_slice() {
        [] => return Ok(()),
        [modifier] => modifier.clone(),
        _ => return plan_err!("GROUP BY takes one of WITH ROLLUP and WITH CUBE"),
    };
    let GroupByExpr::Expressions(keys, _) = &mut *group_by else {
        return plan_err!("name the columns for totals: write GROUP BY ROLLUP (a, b)");
    };
    let keys = std::mem::take(keys).into_iter().map(|key| vec![key]);
    let keys = match modifier {
        GroupByWithModifier::Rollup => Expr::Rollup(keys.collect()),
        GroupByWithModifier::Cube => Expr::Cube(keys.collect()),
        GroupByWithModifier::Totals => {
            return plan_err!(
                "WITH TOTALS is not supported: write GROUP BY GROUPING SETS ((a, b), ())"
            );
        }
        GroupByWithModifier::GroupingSets(_) => {
            return plan_err!("write GROUP BY GROUPING SETS ((a), (b)) without WITH");
        }
    };
    *group_by = GroupByExpr::Expressions(vec![keys], Vec::new());
    Ok(())
}

/// Writes `GROUPING SETS (ROLLUP (a, b), c)` as `GROUPING SETS ((a, b), (a), (), (c))`, and so
/// `ROLLUP ((a, b), c)`, because DataFusion takes single keys only.
fn expand_sets(group_by: &mut GroupByExpr, names: Names) -> Result<()> {
    let GroupByExpr::Expressions(keys, _) = group_by else {
        return Ok(());
    };
    let has_rows = |sets: &[Vec<Expr>]| sets.iter().any(|keys| keys.len() > 1);
    for key in keys {
        match key {
            Expr::Rollup(sets) if has_rows(sets) => *key = Expr::GroupingSets(rollup(sets)),
            Expr::Cube(sets) if has_rows(sets) => *key = Expr::GroupingSets(cube(sets)?),
            Expr::GroupingSets(sets) => {
                let mut expanded = Vec::new();
                for set in std::mem::take(sets) {
                    let nested = match set.as_slice() {
                        [Expr::Function(function)] => nested_sets(function, names)?,
                        _ => None,
                    };
                    expanded.extend(nested.unwrap_or_else(|| vec![set]));
                }
                *sets = expanded;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The sets of ROLLUP or CUBE, which the parser takes for a call inside of GROUPING SETS.
fn nested_sets(function: &Function, names: Names) -> Result<Option<Vec<Vec<Expr>>>> {
    let (Some(name), Some(keys)) = (function_name(function, names), arguments(function)) else {
        return Ok(None);
    };
    let keys = keys.into_iter().map(|key| match key {
        Expr::Tuple(parts) => parts.clone(),
        other => vec![other.clone()],
    });
    let keys: Vec<Vec<Expr>> = keys.collect();
    Ok(match name.as_str() {
        "rollup" => Some(rollup(&keys)),
        "cube" => Some(cube(&keys)?),
        _ => None,
    })
}

fn rollup(keys: &[Vec<Expr>]) -> Vec<Vec<Expr>> {
    let ends = (0..=keys.len()).rev();
    ends.map(|end| keys[..end].concat()).collect()
}

fn cube(keys: &[Vec<Expr>]) -> Result<Vec<Vec<Expr>>> {
    if keys.len() > MAX_CUBE {
        return plan_err!(
            "CUBE takes up to {MAX_CUBE} keys inside of GROUPING SETS and beside rows"
        );
    }
    let sets = (0..1_usize << keys.len()).rev();
    let set = |set: usize| {
        let places = (0..keys.len()).filter(|place| set >> place & 1 == 1);
        places.flat_map(|place| keys[place].clone()).collect()
    };
    Ok(sets.map(set).collect())
}

/// Replaces the numbers of columns in ROLLUP, CUBE and GROUPING SETS, which DataFusion takes for
/// values.
fn name_grouped(select: &mut Select) {
    let GroupByExpr::Expressions(keys, _) = &mut select.group_by else {
        return;
    };
    let sets = keys.iter_mut().filter_map(|key| match key {
        Expr::Rollup(sets) | Expr::Cube(sets) | Expr::GroupingSets(sets) => Some(sets),
        _ => None,
    });
    for key in sets.flatten().flatten() {
        if let Some(
            SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. },
        ) = numbered_item(key, &select.projection)
        {
            *key = value.clone();
        }
    }
}

impl VisitorMut for Equivalents {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        step(
            limits::replace(query)
                .and_then(|()| collations::replace_order(query))
                .and_then(|()| sorted_columns::replace(query, self.names)),
        )
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        let replaced = step(self.replace_clauses(select));
        self.titles.enter(select, self.replaced);
        replaced
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        self.titles.leave(select, self.replaced);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        step(
            query_table::replace_query(factor, self.names)
                .and_then(|()| named_tables::name_unnested(factor, self.names))
                .and_then(|()| samples::of_table(factor)),
        )
    }

    /// Visited after the tables in it: the new query has the table, too, and must stay.
    fn post_visit_table_factor(
        &mut self,
        factor: &mut TableFactor,
    ) -> ControlFlow<DataFusionError> {
        step(catalog::replace(factor, self.names))
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        json::keep_lambdas(expr, self.names);
        row_values::negate(expr);
        // Before their queries, which would become single values.
        step(quantifiers::replace(expr).map(|replaced| {
            if let Some(replaced) = replaced {
                *expr = replaced;
                self.replaced += 1;
            }
        }))
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        step(self.replace_expression(expr))
    }
}
