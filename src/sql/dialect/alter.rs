//! `ALTER TABLE` of tables in memory. Columns are changed by `CREATE OR REPLACE TABLE t AS SELECT
//! …`, which drops the properties in [`TableProperties`]; they are then restored.

use datafusion::catalog::TableProvider;
use datafusion::common::{
    Constraint, Constraints, DFSchema, Result, TableReference, plan_datafusion_err, plan_err,
};
use datafusion::datasource::MemTable;
use datafusion::execution::SessionState;
use datafusion::logical_expr::{DdlStatement, Expr, LogicalPlan};
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::{
    AlterColumnOperation, AlterTable, AlterTableOperation, ColumnOption, Expr as SqlExpr, Ident,
    ObjectName, RenameTableNameKind, Statement as SqlStatement,
};

use super::dml::in_memory;
use super::existing_table;
use crate::sql::syntax::{Names, table_reference};

/// How a statement alters a table.
pub enum Altered {
    /// It is not an `ALTER TABLE`.
    Other,
    /// It has taken effect.
    Done,
    /// The statement that changes the table, and the properties to restore.
    Statement(Box<(Statement, TableProperties)>),
}

/// Keys, defaults and NOT NULL of a table.
pub struct TableProperties {
    /// For each key, whether it is the primary one, and its columns.
    keys: Vec<(bool, Vec<String>)>,
    defaults: Vec<(String, Expr)>,
    not_null: Vec<String>,
}

impl TableProperties {
    fn of(table: &MemTable) -> Self {
        let schema = table.schema();
        let names = schema.fields().iter().map(|field| field.name());
        let named = |columns: &[usize]| {
            let names = columns.iter().map(|column| schema.field(*column).name());
            names.cloned().collect()
        };
        let keys = table.constraints().into_iter().flat_map(|it| it.iter());
        let keys = keys.map(|key| match key {
            Constraint::PrimaryKey(columns) => (true, named(columns)),
            Constraint::Unique(columns) => (false, named(columns)),
        });
        let default = |name: &String| Some((name.clone(), table.get_column_default(name)?.clone()));
        let required = schema.fields().iter().filter(|field| !field.is_nullable());
        Self {
            keys: keys.collect(),
            defaults: names.filter_map(default).collect(),
            not_null: required.map(|field| field.name().clone()).collect(),
        }
    }

    /// Adapts the properties to a change of the columns.
    fn follow(
        &mut self,
        operation: &AlterTableOperation,
        state: &SessionState,
        names: Names,
    ) -> Result<()> {
        let planned =
            |value: &SqlExpr| state.create_logical_expr(&value.to_string(), &DFSchema::empty());
        match operation {
            AlterTableOperation::AddColumn { column_def, .. } => {
                for option in &column_def.options {
                    if let ColumnOption::Default(value) = &option.option {
                        let name = names.of(&column_def.name);
                        self.defaults.push((name, planned(value)?));
                    }
                }
            }
            AlterTableOperation::DropColumn { column_names, .. } => {
                for name in column_names.iter().map(|name| names.of(name)) {
                    if self.keys.iter().any(|(_, key)| key.contains(&name)) {
                        return plan_err!(
                            "the column '{name}' is in a key: write CREATE TABLE … AS SELECT * EXCLUDE ({name})"
                        );
                    }
                    self.defaults.retain(|(default, _)| *default != name);
                    self.not_null.retain(|column| *column != name);
                }
            }
            AlterTableOperation::RenameColumn {
                old_column_name,
                new_column_name,
            } => {
                let (old, new) = (names.of(old_column_name), names.of(new_column_name));
                let keys = self.keys.iter_mut().flat_map(|(_, key)| key);
                let defaults = self.defaults.iter_mut().map(|(name, _)| name);
                for name in keys.chain(defaults).chain(&mut self.not_null) {
                    if *name == old {
                        name.clone_from(&new);
                    }
                }
            }
            AlterTableOperation::AlterColumn { column_name, op } => {
                let name = names.of(column_name);
                match op {
                    AlterColumnOperation::DropNotNull => {
                        self.not_null.retain(|column| *column != name);
                    }
                    AlterColumnOperation::DropDefault => {
                        self.defaults.retain(|(default, _)| *default != name);
                    }
                    AlterColumnOperation::SetDefault { value } => {
                        self.defaults.retain(|(default, _)| *default != name);
                        self.defaults.push((name, planned(value)?));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the properties to the plan of the new table.
    pub fn put(self, mut plan: LogicalPlan) -> Result<LogicalPlan> {
        if let LogicalPlan::Ddl(DdlStatement::CreateMemoryTable(table)) = &mut plan {
            let schema = table.input.schema();
            let place = |name: &String| {
                let place = schema.index_of_column_by_name(None, name);
                place.ok_or_else(|| plan_datafusion_err!("no column '{name}' of a key"))
            };
            let keys = self.keys.iter().map(|(is_primary, key)| {
                let columns = key.iter().map(place).collect::<Result<Vec<_>>>()?;
                Ok(if *is_primary {
                    Constraint::PrimaryKey(columns)
                } else {
                    Constraint::Unique(columns)
                })
            });
            table.constraints = Constraints::new_unverified(keys.collect::<Result<_>>()?);
            table.column_defaults = self.defaults;
            let not_null = self.not_null;
            let input = super::with_nullability(&table.input, |name| {
                !not_null.iter().any(|column| column == name)
            })?;
            table.input = input.into();
        }
        Ok(plan)
    }
}

/// Renames a table, or returns the statement that changes its columns.
pub async fn alter(state: &SessionState, statement: &Statement) -> Result<Altered> {
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
    let Some(memory) = in_memory(&found) else {
        return plan_err!(
            "ALTER TABLE changes tables in memory only, and '{table}' is a view or has files: write CREATE \
             TABLE … AS SELECT … FROM {table}"
        );
    };
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
    let mut kept = TableProperties::of(memory);
    kept.follow(&operation, state, names)?;
    let items = items(&operation)?;
    let sql = format!("CREATE OR REPLACE TABLE {name} AS SELECT {items} FROM {name}");
    let mut statements = DFParserBuilder::new(sql.as_str())
        .with_dialect(&super::CorpusDialect)
        .build()?
        .parse_statements()?;
    let statement = statements.pop_front();
    let statement = statement.ok_or_else(|| plan_datafusion_err!("no statement"))?;
    Ok(Altered::Statement(Box::new((statement, kept))))
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

/// The SELECT list of the changed table.
fn items(operation: &AlterTableOperation) -> Result<String> {
    Ok(match operation {
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
            AlterColumnOperation::DropNotNull
            | AlterColumnOperation::DropDefault
            | AlterColumnOperation::SetDefault { .. } => "*".to_owned(),
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
    })
}
