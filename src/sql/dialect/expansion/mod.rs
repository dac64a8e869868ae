//! Parts of a SELECT that depend on the columns of FROM: `* RENAME`, `COLUMNS(…)`, `struct.*`,
//! `SELECT t FROM t`, NATURAL JOIN, the column `filename` of files, `unnest(value, recursive :=
//! true)`, PIVOT, UNPIVOT and `INSERT … BY NAME`.
//!
//! FROM is planned first to get its columns. This opens its tables twice, so only statements that
//! need it do so.
//!
//! ```text
//! find        finds the first SELECT that needs the columns
//! columns     `*` with its clauses, COLUMNS(…) and struct.*
//! conditions  COLUMNS(c -> c LIKE 'a%')
//! unpack      coalesce(*COLUMNS('a|b'))
//! rows        SELECT t FROM t
//! natural     NATURAL JOIN
//! file_names  the column filename
//! recursive   unnest(value, recursive := true)
//! pivot       PIVOT and UNPIVOT
//! ```

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
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, SchemaError, plan_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{Expr as LogicalExpr, LogicalPlan};
use datafusion::physical_plan::collect;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Insert, JoinConstraint, ObjectName, Query, Select, SelectItem, SetExpr,
    Statement as SqlStatement, TableObject, Value, VisitorMut,
};

pub use columns::{Column, Kind, parse};
pub use find::First;

use super::rewrites::join_constraint;
use super::tokens::BY_NAME;
use super::{CorpusDialect, existing_table};
use crate::sql::identifiers::FOLDED;
use crate::sql::macros;
use crate::sql::syntax::{Names, in_known_case, parse_query, selected_from, table_reference, text};
use crate::sql::walk::rewrite_statement;
use crate::tree_walk::PlanWalk;

/// The maximum number of SELECTs that are expanded in a statement.
const MAX_EXPANDED_SELECTS: usize = 1000;

/// The maximum number of columns that PIVOT makes.
const MAX_PIVOTED_COLUMNS: usize = 1000;

/// Writes out the parts of SELECTs that depend on the columns of FROM.
pub async fn expand(state: &SessionState, statement: &mut Statement) -> Result<()> {
    expand_kind(state, statement, Kind::Special).await?;
    insert_by_name(state, statement).await
}

/// Like [`expand`], and writes out all other wildcards.
pub async fn expand_all(state: &SessionState, statement: &mut Statement) -> Result<()> {
    expand_kind(state, statement, Kind::Wildcards).await
}

/// Like [`expand`], and writes out the wildcards and joins with names of columns in another case.
pub async fn expand_named(state: &SessionState, statement: &mut Statement) -> Result<()> {
    expand_kind(state, statement, Kind::Named).await
}

/// Whether `* REPLACE` of a statement replaces no column, which DataFusion does not report.
pub fn replaces_nothing(statement: &Statement, plan: &LogicalPlan) -> bool {
    let mut replaced = Replaced::default();
    // The visit cannot fail.
    let _ = rewrite_statement(&mut statement.clone(), &mut replaced);
    if replaced.0.is_empty() {
        return false;
    }
    let mut is_missing = false;
    let mut found = HashSet::new();
    let _ = plan.apply_with_subqueries_dyn(&mut |node| {
        if let LogicalPlan::Projection(projection) = node {
            let aliases = projection.expr.iter().filter_map(|expr| match expr {
                LogicalExpr::Alias(alias) => Some(alias.name.to_lowercase()),
                _ => None,
            });
            found.extend(aliases);
            let inputs = projection.input.schema().fields();
            let known = || inputs.iter().map(|field| field.name().as_str());
            is_missing |= replaced
                .0
                .iter()
                .any(|name| in_known_case(name, known()).is_some_and(|known| known != name));
        }
        Ok(TreeNodeRecursion::Continue)
    });
    is_missing
        || replaced
            .0
            .iter()
            .any(|name| !found.contains(&name.to_lowercase()))
}

/// The names of the columns after REPLACE.
#[derive(Default)]
struct Replaced(HashSet<String>);

impl VisitorMut for Replaced {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        let options = select.projection.iter().filter_map(|item| match item {
            SelectItem::Wildcard(options) | SelectItem::QualifiedWildcard(_, options) => {
                options.opt_replace.as_ref()
            }
            _ => None,
        });
        let names = options.flat_map(|replace| &replace.items);
        self.0
            .extend(names.map(|item| FOLDED.of(&item.column_name)));
        ControlFlow::Continue(())
    }
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
    let unnests = |node: &LogicalPlan| match node {
        LogicalPlan::Unnest(unnest) => Ok(!unnest.struct_type_columns.is_empty()),
        _ => Ok(false),
    };
    // The visit of a plan cannot fail.
    plan.exists_with_subqueries_dyn(&unnests).unwrap_or(false)
}

async fn expand_kind(state: &SessionState, statement: &mut Statement, kind: Kind) -> Result<()> {
    let names = Names::new(&state.config_options().sql_parser);
    let is_aggregate = |name: &ObjectName| macros::is_aggregate(state, &CorpusDialect, name, names);
    // Names of tables and virtual columns that are also names of columns.
    let mut own = HashSet::new();
    let mut lists = HashSet::new();
    for _ in 0..MAX_EXPANDED_SELECTS {
        let mut first = First::new(kind, names, &is_aggregate);
        (first.own, first.lists) = (own, lists);
        rewrite_statement(statement, &mut first)?;
        let Some(found) = first.found else {
            return Ok(());
        };
        (own, lists) = (first.own, first.lists);
        let columns = columns_of(state, found.tables.clone()).await?;
        let of_tables = match without_using(&found.tables) {
            Some(tables) => Some(columns_of(state, tables).await?),
            None => None,
        };
        let mut values = Vec::new();
        for column in &found.pivoted {
            values.push(values_of(state, found.tables.clone(), column).await?);
        }
        let mut first = First::new(kind, names, &is_aggregate);
        (first.columns, first.of_tables) = (Some(columns), of_tables);
        first.values = values;
        (first.own, first.lists) = (own, lists);
        rewrite_statement(statement, &mut first)?;
        (own, lists) = (first.own, first.lists);
    }
    plan_err!("a statement has at most {MAX_EXPANDED_SELECTS} wildcards with columns to look up")
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

/// A query for the columns of all tables. `None` if it has no JOIN … USING.
fn without_using(query: &Query) -> Option<Query> {
    let mut query = query.clone();
    let SetExpr::Select(select) = query.body.as_mut() else {
        return None;
    };
    let mut has_using = false;
    for join in select.from.iter_mut().flat_map(|table| &mut table.joins) {
        if let Some(constraint @ JoinConstraint::Using(_)) = join_constraint(join) {
            *constraint = JoinConstraint::On(Expr::value(Value::Boolean(true)));
            has_using = true;
        }
    }
    has_using.then_some(query)
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
        MAX_PIVOTED_COLUMNS + 1
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
    if values.len() > MAX_PIVOTED_COLUMNS {
        return plan_err!(
            "PIVOT ON {column} would make more than {MAX_PIVOTED_COLUMNS} columns: name the values with {column} IN ('a', 'b')"
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
        table,
        columns,
        source,
        ..
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
    let names = Names::new(&state.config_options().sql_parser);
    let known = match table {
        TableObject::TableName(name) => {
            let table = existing_table(state, &table_reference(name, names)?).await?;
            table.schema()
        }
        _ => Arc::new(Schema::empty()),
    };
    let known = || known.fields().iter().map(|field| field.name().as_str());
    let found = columns_of(state, all).await?.into_iter();
    *columns = found
        .map(|column| {
            let name = in_known_case(&column.name, known()).unwrap_or(&column.name);
            Ident::with_quote('"', name).into()
        })
        .collect();
    Ok(())
}
