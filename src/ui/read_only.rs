//! Decides which statements only read. They stop when their page is closed; with `--read-only`, all
//! others are refused.

use std::ops::ControlFlow;

use datafusion::common::{Result, plan_err};
use datafusion::execution::SessionState;
use datafusion::execution::context::SQLOptions;
use datafusion::sql::parser::{ResetStatement, Statement};
use datafusion::sql::sqlparser::ast::{
    ObjectName, Query, Set, SetExpr, Statement as SqlStatement, Visitor,
};

use crate::sql::dialect;
use crate::sql::walk::find;

/// Settings of the whole process: they create folders, and lift the limits of the command line.
const PROCESS_SETTINGS: &str = "datafusion.runtime.";

/// Refuses a statement unless it is known to only read. Settings may be changed, except those of
/// the process.
pub async fn check(state: &SessionState, statement: &Statement) -> Result<()> {
    if !is_read(statement) {
        return plan_err!(
            "this page only reads (--read-only): the statement is not a query, EXPLAIN, \
             DESCRIBE, SHOW or SET"
        );
    }
    if setting(statement).is_some_and(is_of_process) {
        return plan_err!(
            "this page only reads (--read-only): settings of the process, such as memory_limit, \
             are options of corpus-sql ui"
        );
    }
    if !is_planned(statement) {
        return Ok(());
    }
    let plan = dialect::plan(state, statement.clone()).await?;
    SQLOptions::new()
        .with_allow_ddl(false)
        .with_allow_dml(false)
        .verify_plan(&plan)
}

/// Whether a statement is known to only read, or to change settings.
pub fn is_read(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(statement) => is_read_sql(statement),
        Statement::Explain(explain) => is_read(&explain.statement),
        Statement::Reset(_) => true,
        _ => false,
    }
}

/// The setting that a statement changes.
fn setting(statement: &Statement) -> Option<&ObjectName> {
    match statement {
        Statement::Statement(statement) => match &**statement {
            SqlStatement::Set(Set::SingleAssignment { variable, .. }) => Some(variable),
            _ => None,
        },
        Statement::Reset(ResetStatement::Variable(variable)) => Some(variable),
        _ => None,
    }
}

fn is_of_process(setting: &ObjectName) -> bool {
    let name = setting.to_string().replace('"', "").to_lowercase();
    name.starts_with(PROCESS_SETTINGS)
}

/// Whether planning the statement has no effect, so that its plan can be checked first.
fn is_planned(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(statement) => !matches!(**statement, SqlStatement::Set(_)),
        Statement::Explain(_) => true,
        _ => false,
    }
}

fn is_read_sql(statement: &SqlStatement) -> bool {
    match statement {
        SqlStatement::Query(_) => !writes(statement),
        SqlStatement::Explain { statement, .. } => is_read_sql(statement),
        SqlStatement::ExplainTable { .. }
        | SqlStatement::Set(_)
        | SqlStatement::ShowColumns { .. }
        | SqlStatement::ShowCreate { .. }
        | SqlStatement::ShowDatabases { .. }
        | SqlStatement::ShowFunctions { .. }
        | SqlStatement::ShowSchemas { .. }
        | SqlStatement::ShowTables { .. }
        | SqlStatement::ShowVariable { .. } => true,
        _ => false,
    }
}

/// Whether a query has a part that writes: `SELECT … INTO`, or `INSERT` in WITH.
fn writes(statement: &SqlStatement) -> bool {
    struct Writes;
    impl Visitor for Writes {
        type Break = ();

        fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
            if body_writes(&query.body) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        }
    }
    find(&mut statement.clone(), &mut Writes)
}

fn body_writes(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => select.into.is_some(),
        SetExpr::SetOperation { left, right, .. } => body_writes(left) || body_writes(right),
        // The visitor comes to its query.
        SetExpr::Query(_) | SetExpr::Values(_) | SetExpr::Table(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{SessionOptions, session};

    #[tokio::test(flavor = "multi_thread")]
    async fn only_known_statements_are_read_only() {
        let context = session(&SessionOptions::default()).unwrap();
        let state = context.state();
        for sql in [
            "SELECT 1",
            "WITH a AS (SELECT 1) SELECT * FROM a UNION ALL (VALUES (2))",
            "EXPLAIN SELECT 1",
            "EXPLAIN ANALYZE SELECT 1",
            "DESCRIBE SELECT 1 AS a",
            "SUMMARIZE SELECT 1 AS a",
            "FROM range(1, 3)",
            "SHOW TABLES",
            "SHOW FUNCTIONS",
            "SHOW ALL",
            "SET datafusion.execution.batch_size = 100",
            "SET VARIABLE a = 1",
            "RESET datafusion.execution.batch_size",
        ] {
            let statement = dialect::parse(&state, sql).unwrap();
            let checked = check(&state, &statement).await;
            assert!(checked.is_ok(), "{sql}: {checked:?}");
        }
        for sql in [
            "COPY (SELECT 1) TO 'a.parquet'",
            "CREATE EXTERNAL TABLE a STORED AS PARQUET LOCATION 'a.parquet'",
            "CREATE VIEW a AS SELECT 1",
            "CREATE TABLE a AS SELECT 1",
            "CREATE MACRO a(x) AS x + 1",
            "INSERT INTO a SELECT 1",
            "UPDATE a SET b = 1",
            "DELETE FROM a",
            "DROP TABLE a",
            "ALTER TABLE a RENAME TO b",
            "SELECT 1 INTO a",
            "SELECT 1 INTO a UNION ALL SELECT 2",
            "SELECT * FROM (SELECT 1 INTO a)",
            "EXPLAIN COPY (SELECT 1) TO 'a.parquet'",
            "EXPLAIN ANALYZE COPY (SELECT 1) TO 'a.parquet'",
            "PREPARE a AS COPY (SELECT 1) TO 'a.parquet'",
            "EXECUTE a",
            "SET datafusion.runtime.temp_directory = '/tmp'",
            "SET \"datafusion\".\"runtime\".Temp_Directory = '/tmp'",
            "SET memory_limit = '1TB'",
            "RESET datafusion.runtime.max_temp_directory_size",
        ] {
            // Statements that this dialect does not have cannot run either.
            if let Ok(statement) = dialect::parse(&state, sql) {
                assert!(check(&state, &statement).await.is_err(), "{sql}");
            }
        }
    }
}
