//! `UPDATE`, `DELETE` and `INSERT` on tables in memory.
//!
//! DataFusion evaluates their conditions outside of a plan: a condition with a subquery changes all
//! rows, and EXPLAIN changes them, too. Here, a statement becomes a query for the numbers of the
//! rows, so that its WHERE means what it means in SELECT:
//!
//! ```text
//! DELETE FROM t WHERE c            SELECT row FROM t WHERE c
//! UPDATE t SET a = x FROM u …      SELECT row, x FROM t, u …
//! numbered   the table with the numbers of its rows
//! apply      the sink that takes the numbers and changes the table
//! defaults   DEFAULT as a value
//! insert     INSERT into tables that have keys or columns that are NOT NULL
//! keys       checks of keys and NOT NULL, for INSERT and UPDATE
//! ```

mod apply;
pub mod defaults;
pub mod insert;
pub mod keys;
mod numbered;

use std::any::Any;
use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference, plan_datafusion_err, plan_err};
use datafusion::datasource::{MemTable, provider_as_source, source_as_provider};
use datafusion::execution::SessionState;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::{
    DmlStatement, Expr as LogicalExpr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, WriteOp,
};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Assignment, AssignmentTarget, DataType as SqlType, Delete, ExactNumberInfo, Expr, FromTable,
    Ident, ObjectName, Query, SelectItem, SetExpr, Statement as SqlStatement, TableAlias,
    TableFactor, TableWithJoins, Update, UpdateTableFromKind, With,
};

use self::apply::{Changed, Kind};
use self::numbered::{Numbered, with_table};
use super::existing_table;
use crate::sql::syntax::{Names, cast, in_known_case, parse_query, table_alias, table_reference};

/// What an `UPDATE` or `DELETE` has done with rows. `None` for other statements.
pub fn verb(statement: &DmlStatement) -> Option<&'static str> {
    let table = source_as_provider(&statement.target).ok()?;
    let changed = (table.as_ref() as &dyn Any).downcast_ref::<Changed>()?;
    Some(changed.verb())
}

/// An `UPDATE` or `DELETE`.
struct Change {
    /// The queries before it, which its condition may use.
    with: Option<With>,
    table: ObjectName,
    alias: Option<TableAlias>,
    /// Other tables, after USING or FROM.
    others: Vec<TableWithJoins>,
    condition: Option<Expr>,
    /// The columns and their new values. `None` for DELETE.
    values: Option<Vec<(Ident, Expr)>>,
}

/// Returns a plan for an `UPDATE` or `DELETE`, and `None` for other statements. EXPLAIN shows the
/// query for the rows.
pub async fn plan(state: &SessionState, statement: &Statement) -> Result<Option<LogicalPlan>> {
    match statement {
        Statement::Statement(inner) => match Change::of(inner)? {
            Some(change) => Planned::new(state, change).await?.changed().map(Some),
            None => Ok(None),
        },
        Statement::Explain(explain) => {
            let Statement::Statement(inner) = explain.statement.as_ref() else {
                return Ok(None);
            };
            let Some(change) = Change::of(inner)? else {
                return Ok(None);
            };
            let planned = Planned::new(state, change).await?;
            let mut explain = explain.clone();
            *explain.statement = Statement::Statement(Box::new(planned.query));
            let plan = super::plan(&planned.state, Statement::Explain(explain));
            Box::pin(plan).await.map(Some)
        }
        _ => Ok(None),
    }
}

impl Change {
    fn of(statement: &SqlStatement) -> Result<Option<Self>> {
        match statement {
            SqlStatement::Delete(delete) => Self::delete(delete).map(Some),
            SqlStatement::Update(update) => Self::update(update).map(Some),
            SqlStatement::Merge(_) => plan_err!(
                "MERGE is not supported: write UPDATE t SET … FROM u WHERE …, and INSERT INTO t SELECT … \
                 FROM u ANTI JOIN t USING (key)"
            ),
            // WITH … DELETE
            SqlStatement::Query(query) => {
                let inner = match query.body.as_ref() {
                    SetExpr::Delete(inner) | SetExpr::Update(inner) => inner,
                    _ => return Ok(None),
                };
                let mut change = Self::of(inner)?;
                if let Some(change) = &mut change {
                    change.with.clone_from(&query.with);
                }
                Ok(change)
            }
            _ => Ok(None),
        }
    }

    fn delete(delete: &Delete) -> Result<Self> {
        let Delete {
            tables,
            from: FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from),
            using,
            selection,
            returning,
            order_by,
            limit,
            ..
        } = delete;
        if returning.is_some() {
            return plan_err!(
                "DELETE … RETURNING is not supported: query the rows with SELECT before DELETE"
            );
        }
        if !order_by.is_empty() || limit.is_some() {
            return plan_err!(
                "DELETE takes no ORDER BY and no LIMIT: select the rows with WHERE id IN (SELECT …)"
            );
        }
        let (true, [table]) = (tables.is_empty(), from.as_slice()) else {
            return plan_err!(
                "DELETE takes one table: write DELETE FROM t USING u WHERE t.id = u.id"
            );
        };
        let (table, alias) = target(table, "DELETE FROM t USING u WHERE t.id = u.id")?;
        Ok(Self {
            with: None,
            table,
            alias,
            others: using.clone().unwrap_or_default(),
            condition: selection.clone(),
            values: None,
        })
    }

    fn update(update: &Update) -> Result<Self> {
        let Update {
            table,
            assignments,
            from,
            selection,
            returning,
            or,
            order_by,
            limit,
            ..
        } = update;
        if returning.is_some() {
            return plan_err!(
                "UPDATE … RETURNING is not supported: leave RETURNING out, and query the table after it"
            );
        }
        if or.is_some() {
            return plan_err!(
                "UPDATE OR … is not supported: leave OR out, and the rows that conflict with WHERE"
            );
        }
        if !order_by.is_empty() || limit.is_some() {
            return plan_err!(
                "UPDATE takes no ORDER BY and no LIMIT: select the rows with WHERE id IN (SELECT …)"
            );
        }
        let (table, alias) = target(table, "UPDATE t SET a = u.a FROM u WHERE t.id = u.id")?;
        let mut values = Vec::new();
        for assignment in assignments {
            values.extend(assigned(assignment)?);
        }
        let others = match from {
            Some(
                UpdateTableFromKind::BeforeSet(tables) | UpdateTableFromKind::AfterSet(tables),
            ) => tables.clone(),
            None => Vec::new(),
        };
        Ok(Self {
            with: None,
            table,
            alias,
            others,
            condition: selection.clone(),
            values: Some(values),
        })
    }
}

/// The table, if it is one in memory.
pub fn in_memory(table: &Arc<dyn TableProvider>) -> Option<&MemTable> {
    (table.as_ref() as &dyn Any).downcast_ref()
}

/// The table that a statement changes, and its alias.
fn target(table: &TableWithJoins, example: &str) -> Result<(ObjectName, Option<TableAlias>)> {
    match &table.relation {
        TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } if table.joins.is_empty() => Ok((name.clone(), alias.clone())),
        _ => plan_err!("expected the name of a table, got {table}: write {example}"),
    }
}

/// The columns of an assignment and their values: one, or several as in `(a, b) = (1, 2)`.
fn assigned(assignment: &Assignment) -> Result<Vec<(Ident, Expr)>> {
    let column = |name: &ObjectName| match name.0.as_slice() {
        [part] => part
            .as_ident()
            .cloned()
            .ok_or_else(|| plan_datafusion_err!("{name} is not a column")),
        _ => plan_err!(
            "SET takes the name of a column, not {name}: replace a whole struct, as in SET s = {{a: 1, b: s.b}}"
        ),
    };
    match (&assignment.target, &assignment.value) {
        (AssignmentTarget::ColumnName(name), value) => Ok(vec![(column(name)?, value.clone())]),
        (AssignmentTarget::Tuple(names), Expr::Tuple(values)) if names.len() == values.len() => {
            let names = names.iter().map(column);
            names
                .zip(values)
                .map(|(name, value)| Ok((name?, value.clone())))
                .collect()
        }
        _ => plan_err!(
            "SET {assignment} needs a value for each column: write SET (a, b) = (1, 2) or SET a = 1, b = 2"
        ),
    }
}

/// A change and the query for its rows.
struct Planned {
    /// The session with the table whose rows are numbered.
    state: SessionState,
    /// Selects the numbers of the rows, and their new values.
    query: SqlStatement,
    plan: LogicalPlan,
    name: TableReference,
    table: Arc<Numbered>,
    kind: Kind,
}

impl Planned {
    async fn new(state: &SessionState, mut change: Change) -> Result<Self> {
        let names = Names::new(&state.config_options().sql_parser);
        let name = table_reference(&change.table, names)?;
        let verb = match change.values {
            Some(_) => "UPDATE",
            None => "DELETE",
        };
        let found = existing_table(state, &name).await?;
        if in_memory(&found).is_none() {
            return plan_err!(
                "{verb} changes tables in memory only, and '{name}' is a view or has files: write CREATE TABLE t \
                 AS SELECT … FROM {name} with the change in the query"
            );
        }
        let table = Arc::new(Numbered::new(found));
        let schema = table.table().schema();
        let mut columns = Vec::new();
        for (column, _) in change.values.iter().flatten() {
            let wanted = names.of(column);
            let known = schema.fields().iter().map(|field| field.name().as_str());
            let exact = in_known_case(&wanted, known.clone());
            let Some(index) = exact.and_then(|name| schema.index_of(name).ok()) else {
                return plan_err!(
                    "no column '{wanted}' in '{name}', which has {}",
                    known.collect::<Vec<_>>().join(", ")
                );
            };
            if columns.contains(&index) {
                return plan_err!("SET has two values for the column '{wanted}'");
            }
            columns.push(index);
        }
        for ((_, value), index) in change.values.iter_mut().flatten().zip(&columns) {
            let field = schema.field(*index);
            if defaults::is_default(value) {
                *value = defaults::of_column(table.table(), field.name())?;
            }
            // The later cast would round the floating-point number.
            if let DataType::Decimal128(precision, scale) = *field.data_type() {
                let size = ExactNumberInfo::PrecisionAndScale(precision.into(), scale.into());
                *value = cast(value.clone(), SqlType::Decimal(size));
            }
        }
        let (state, full_name) = with_table(state, name.table(), &table)?;
        let query = query(&change, full_name, name.table(), &table)?;
        let plan = Statement::Statement(Box::new(query.clone()));
        let plan = Box::pin(super::plan(&state, plan)).await?;
        Ok(Self {
            state,
            query,
            plan,
            name,
            kind: match change.values {
                Some(_) => Kind::Update(columns),
                None => Kind::Delete,
            },
            table,
        })
    }

    /// The plan that changes the table. It returns the number of rows.
    fn changed(self) -> Result<LogicalPlan> {
        let schema = self.table.table().schema();
        let columns = match &self.kind {
            Kind::Update(columns) => columns.as_slice(),
            Kind::Delete => &[],
        };
        let found = self.plan.schema();
        let mut items = Vec::new();
        for (number, column) in found.columns().into_iter().enumerate() {
            let value = LogicalExpr::Column(column);
            let target = number.checked_sub(1).and_then(|at| columns.get(at));
            items.push(match target {
                Some(target) => {
                    let field = schema.field(*target);
                    value.cast_to(field.data_type(), found)?.alias(field.name())
                }
                None => value,
            });
        }
        let input = LogicalPlanBuilder::from(self.plan)
            .project(items)?
            .build()?;
        let changed = Changed::new(self.table, self.kind, self.name.to_string());
        Ok(LogicalPlan::Dml(DmlStatement::new(
            self.name,
            provider_as_source(Arc::new(changed)),
            // The only operation whose rows DataFusion plans.
            WriteOp::Insert(InsertOp::Append),
            Arc::new(input),
        )))
    }
}

/// `SELECT row, value, … FROM numbered AS t, others WHERE condition`
fn query(
    change: &Change,
    full_name: ObjectName,
    name: &str,
    table: &Numbered,
) -> Result<SqlStatement> {
    let mut query: Query = parse_query("SELECT 1 FROM t")?;
    query.with.clone_from(&change.with);
    let SetExpr::Select(select) = query.body.as_mut() else {
        return plan_err!("not a SELECT");
    };
    let alias = match &change.alias {
        Some(alias) => alias.clone(),
        None => table_alias(Ident::with_quote('"', name)),
    };
    let item = |expr: Expr, alias: String| SelectItem::ExprWithAlias {
        expr,
        alias: Ident::with_quote('"', alias),
    };
    let row = Ident::with_quote('"', table.row());
    let row = Expr::CompoundIdentifier(vec![alias.name.clone(), row]);
    select.projection = vec![item(row, table.row().to_owned())];
    for (number, (_, value)) in change.values.iter().flatten().enumerate() {
        // These names do not occur in statements, where they would refer to the alias.
        let name = format!("{}_value_{number}", table.row());
        select.projection.push(item(value.clone(), name));
    }
    if let Some(first) = select.from.first_mut()
        && let TableFactor::Table {
            name, alias: own, ..
        } = &mut first.relation
    {
        *name = full_name;
        *own = Some(alias);
    }
    select.from.extend(change.others.iter().cloned());
    select.selection.clone_from(&change.condition);
    Ok(SqlStatement::Query(Box::new(query)))
}
