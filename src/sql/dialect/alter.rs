//! `ALTER TABLE` of tables in memory. Columns change by `CREATE OR REPLACE TABLE t AS SELECT …`.

use std::any::Any;

use datafusion::common::{Result, TableReference, plan_err};
use datafusion::datasource::MemTable;
use datafusion::execution::SessionState;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::{
    AlterColumnOperation, AlterTable, AlterTableOperation, ColumnOption, Ident, ObjectName,
    RenameTableNameKind, Statement as SqlStatement,
};

use super::existing_table;
use crate::sql::syntax::{Names, table_reference};

/// The result of looking at a statement.
pub enum Altered {
    /// It is not an `ALTER TABLE`.
    Other,
    /// It has taken effect.
    Done,
    /// The statement that changes the table.
    Statement(Statement),
}

/// Renames a table, or returns the statement that changes its columns.
pub async fn altered(state: &SessionState, statement: &Statement) -> Result<Altered> {
    let Statement::Statement(inner) = statement else {
        return Ok(Altered::Other);
    };
    let SqlStatement::AlterTable(alter) = inner.as_ref() else {
        return Ok(Altered::Other);
    };
    let AlterTable {
        name,
        if_exists,
        operations,
        ..
    } = alter;
    let names = Names::new(&state.config_options().sql_parser);
    let table = table_reference(name, names)?;
    if *if_exists
        && !state
            .schema_for_ref(table.clone())?
            .table_exist(table.table())
    {
        return Ok(Altered::Done);
    }
    let found = existing_table(state, &table).await?;
    let [operation] = operations.as_slice() else {
        return plan_err!("ALTER TABLE takes one change: write a statement for each");
    };
    if let AlterTableOperation::RenameTable {
        table_name: RenameTableNameKind::To(new) | RenameTableNameKind::As(new),
    } = operation
    {
        rename(state, &table, new, names)?;
        return Ok(Altered::Done);
    }
    if !(found.as_ref() as &dyn Any).is::<MemTable>() {
        return plan_err!(
            "ALTER TABLE changes tables in memory only, and '{table}' is a view or has files: write CREATE \
             TABLE … AS SELECT … FROM {table}"
        );
    }
    let schema = found.schema();
    let has = |column: &Ident| schema.field_with_name(&names.of(column)).is_ok();
    let operation = match operation.clone() {
        AlterTableOperation::AddColumn {
            if_not_exists,
            column_def,
            ..
        } if has(&column_def.name) => {
            if if_not_exists {
                return Ok(Altered::Done);
            }
            return plan_err!("'{table}' has a column '{}' already", column_def.name);
        }
        AlterTableOperation::DropColumn {
            has_column_keyword,
            mut column_names,
            if_exists: true,
            drop_behavior,
        } => {
            column_names.retain(has);
            if column_names.is_empty() {
                return Ok(Altered::Done);
            }
            AlterTableOperation::DropColumn {
                has_column_keyword,
                column_names,
                if_exists: true,
                drop_behavior,
            }
        }
        other => other,
    };
    match items(&operation)? {
        Some(items) => {
            let sql = format!("CREATE OR REPLACE TABLE {name} AS SELECT {items} FROM {name}");
            let mut statements = DFParserBuilder::new(sql.as_str())
                .with_dialect(&super::CorpusDialect)
                .build()?
                .parse_statements()?;
            let statement = statements.pop_front();
            statement.map_or_else(
                || plan_err!("no statement"),
                |it| Ok(Altered::Statement(it)),
            )
        }
        None => Ok(Altered::Done),
    }
}

/// Gives a table another name in the same schema.
fn rename(
    state: &SessionState,
    table: &TableReference,
    new: &ObjectName,
    names: Names,
) -> Result<()> {
    let new = table_reference(new, names)?;
    let schema = state.schema_for_ref(table.clone())?;
    if schema.table_exist(new.table()) {
        return plan_err!("there is a table '{new}': drop it first, or choose another name");
    }
    if let Some(provider) = schema.deregister_table(table.table())? {
        schema.register_table(new.table().to_owned(), provider)?;
    }
    Ok(())
}

/// The SELECT list of the changed table. `None` if nothing changes.
fn items(operation: &AlterTableOperation) -> Result<Option<String>> {
    Ok(Some(match operation {
        AlterTableOperation::AddColumn { column_def, .. } => {
            let mut value = "NULL".to_owned();
            for option in &column_def.options {
                match &option.option {
                    ColumnOption::Default(default) => value = default.to_string(),
                    ColumnOption::Null => {}
                    other => {
                        return plan_err!(
                            "ALTER TABLE … ADD COLUMN does not support {other}: leave it out"
                        );
                    }
                }
            }
            let (name, data_type) = (&column_def.name, &column_def.data_type);
            format!("*, CAST({value} AS {data_type}) AS {name}")
        }
        AlterTableOperation::DropColumn { column_names, .. } => {
            let names: Vec<String> = column_names.iter().map(ToString::to_string).collect();
            format!("* EXCLUDE ({})", names.join(", "))
        }
        AlterTableOperation::RenameColumn {
            old_column_name,
            new_column_name,
        } => format!("* RENAME ({old_column_name} AS {new_column_name})"),
        AlterTableOperation::AlterColumn { column_name, op } => match op {
            AlterColumnOperation::SetDataType {
                data_type, using, ..
            } => {
                let value = match using {
                    Some(using) => using.to_string(),
                    None => column_name.to_string(),
                };
                format!("* REPLACE (CAST({value} AS {data_type}) AS {column_name})")
            }
            // Columns have no defaults to drop, and may be NULL.
            AlterColumnOperation::DropNotNull | AlterColumnOperation::DropDefault => {
                return Ok(None);
            }
            other => {
                return plan_err!(
                    "ALTER COLUMN … {other} is not supported: CREATE OR REPLACE TABLE with the types of its columns, \
                     and INSERT the rows"
                );
            }
        },
        other => {
            return plan_err!(
                "ALTER TABLE … {other} is not supported: write CREATE OR REPLACE TABLE … AS SELECT …"
            );
        }
    }))
}
