//! Parts of a SELECT that depend on the columns of FROM: `* RENAME`, `COLUMNS(…)`, `struct.*`,
//! `SELECT t FROM t`, NATURAL JOIN, the column `filename` of files, `unnest(value, recursive :=
//! true)`, PIVOT, UNPIVOT and `INSERT … BY NAME`.
//!
//! FROM is planned first to get its columns. This opens its tables twice, so only statements that
//! need it do so.

mod columns;
mod conditions;
mod file_names;
mod find;
mod natural;
mod pivot;
mod recursive;
mod rows;
mod unpack;

use std::collections::HashSet;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, SchemaError, plan_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::collect;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Insert, ObjectName, Query, SetExpr, Statement as SqlStatement,
};

pub use columns::{Column, Kind, parse};
pub use find::First;

use super::CorpusDialect;
use super::tokens::BY_NAME;
use crate::sql::macros;
use crate::sql::syntax::{Names, parse_query, selected_from, text};
use crate::sql::walk::rewrite_statement;
use crate::tree_walk::PlanWalk;

/// The maximum number of SELECTs that are expanded in a statement.
const MAX_EXPANDED: usize = 1000;

/// The maximum number of columns that PIVOT makes.
const MAX_PIVOTED: usize = 1000;

/// Writes out the parts of SELECTs that depend on the columns of FROM.
pub async fn expand(state: &SessionState, statement: &mut Statement) -> Result<()> {
    expand_kind(state, statement, Kind::Special).await?;
    insert_by_name(state, statement).await
}

/// Like [`expand`], and writes out all other wildcards.
pub async fn expand_all(state: &SessionState, statement: &mut Statement) -> Result<()> {
    expand_kind(state, statement, Kind::Wildcards).await
}

/// Writes out the fields of structs that are unnested.
pub async fn expand_fields(state: &SessionState, statement: &mut Statement) -> Result<()> {
    expand_kind(state, statement, Kind::Fields).await
}

/// Whether a column is missing that may be a field of a struct that is unnested.
pub fn is_about_field(error: &DataFusionError, statement: &Statement) -> bool {
    let DataFusionError::SchemaError(error, _) = error.find_root() else {
        return false;
    };
    matches!(error.as_ref(), SchemaError::FieldNotFound { .. })
        && statement
            .to_string()
            .to_ascii_lowercase()
            .contains("unnest(")
}

/// Whether a plan unnests a struct.
pub fn unnests_struct(plan: &LogicalPlan) -> bool {
    let mut is_found = false;
    // The visit of a plan cannot fail.
    let _ = plan.apply_with_subqueries_dyn(&mut |node| {
        is_found |=
            matches!(node, LogicalPlan::Unnest(unnest) if !unnest.struct_type_columns.is_empty());
        Ok(TreeNodeRecursion::Continue)
    });
    is_found
}

async fn expand_kind(state: &SessionState, statement: &mut Statement, kind: Kind) -> Result<()> {
    let names = Names::new(&state.config_options().sql_parser);
    let is_aggregate = |name: &ObjectName| macros::is_aggregate(state, &CorpusDialect, name, names);
    // Names of tables and virtual columns that are also names of columns.
    let mut own = HashSet::new();
    let mut lists = HashSet::new();
    for _ in 0..MAX_EXPANDED {
        let mut first = First::new(kind, names, &is_aggregate);
        (first.own, first.lists) = (own, lists);
        rewrite_statement(statement, &mut first)?;
        let Some(found) = first.found else {
            return Ok(());
        };
        (own, lists) = (first.own, first.lists);
        let columns = columns_of(state, found.tables.clone()).await?;
        let mut values = Vec::new();
        for column in &found.pivoted {
            values.push(values_of(state, found.tables.clone(), column).await?);
        }
        let mut first = First::new(kind, names, &is_aggregate);
        first.columns = Some(columns);
        first.values = values;
        (first.own, first.lists) = (own, lists);
        rewrite_statement(statement, &mut first)?;
        (own, lists) = (first.own, first.lists);
    }
    plan_err!("a statement has at most {MAX_EXPANDED} wildcards with columns to look up")
}

async fn plan(state: &SessionState, query: Query) -> Result<LogicalPlan> {
    let query = SqlStatement::Query(Box::new(query));
    Box::pin(super::plan_tables(
        state,
        Statement::Statement(Box::new(query)),
    ))
    .await
}

async fn columns_of(state: &SessionState, query: Query) -> Result<Vec<Column>> {
    let plan = plan(state, query).await?;
    let columns = plan.schema().iter();
    let columns = columns.map(|(relation, field)| Column {
        relation: relation.cloned(),
        name: field.name().clone(),
        kind: field.data_type().clone(),
    });
    Ok(columns.collect())
}

/// The values of a column as texts, sorted, which name the columns of PIVOT.
async fn values_of(state: &SessionState, query: Query, column: &Expr) -> Result<Vec<Expr>> {
    let with = query.with.clone();
    let from = match *query.body {
        SetExpr::Select(select) => select.from,
        _ => Vec::new(),
    };
    let sql = format!(
        "SELECT DISTINCT {column} AS value FROM t WHERE {column} IS NOT NULL ORDER BY value LIMIT {}",
        MAX_PIVOTED + 1
    );
    let mut query = parse_query(&sql)?;
    query.with = with;
    if let SetExpr::Select(select) = query.body.as_mut() {
        select.from = from;
    }
    let plan = plan(state, query).await?;
    let plan = state.create_physical_plan(&plan).await?;
    let mut values = Vec::new();
    for batch in collect(plan, state.task_ctx()).await? {
        let texts = cast(batch.column(0), &DataType::LargeUtf8)?;
        values.extend(texts.as_string::<i64>().iter().flatten().map(text));
    }
    if values.len() > MAX_PIVOTED {
        return plan_err!(
            "PIVOT ON {column} would make more than {MAX_PIVOTED} columns: name the values with {column} IN ('a', 'b')"
        );
    }
    Ok(values)
}

/// Names the columns of `INSERT INTO t BY NAME SELECT …`.
async fn insert_by_name(state: &SessionState, statement: &mut Statement) -> Result<()> {
    let Statement::Statement(inner) = statement else {
        return Ok(());
    };
    let SqlStatement::Insert(Insert {
        columns, source, ..
    }) = inner.as_mut()
    else {
        return Ok(());
    };
    let is_by_name =
        matches!(columns.as_slice(), [column] if column.to_string().trim_matches('"') == BY_NAME);
    let Some(source) = source.as_ref().filter(|_| is_by_name) else {
        return Ok(());
    };
    let all = selected_from(
        crate::sql::syntax::derived(source.as_ref().clone(), None),
        "SELECT * FROM t",
    )?;
    let found = columns_of(state, all).await?.into_iter();
    *columns = found
        .map(|column| Ident::with_quote('"', column.name).into())
        .collect();
    Ok(())
}
