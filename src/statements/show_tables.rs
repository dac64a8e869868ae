//! Implements `SHOW TABLES [FROM schema] [LIKE 'pattern']` as a query that omits system views.

use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    ShowStatementFilter, ShowStatementFilterPosition, ShowStatementOptions,
    Statement as SqlStatement,
};

use crate::sql::dialect;
use crate::sql::syntax::literal;

/// Advice for a session without tables.
pub const NO_TABLES: &str = "there are no tables yet; query files directly:
  SELECT * FROM 'crawl.warc.gz'
  SELECT * FROM read_files('folder/')
or name them:
  CREATE VIEW pages AS SELECT * FROM 'crawl.warc.gz'
  CREATE EXTERNAL TABLE pages STORED AS WARC LOCATION 'folder/'";

/// Whether a statement lists the tables of all schemas, without a filter.
pub fn shows_all(statement: &Statement) -> bool {
    let Statement::Statement(statement) = statement else {
        return false;
    };
    matches!(
        statement.as_ref(),
        SqlStatement::ShowTables { show_options, .. }
            if show_options.show_in.is_none() && show_options.filter_position.is_none()
    )
}

/// Replaces `SHOW TABLES` with the corresponding query. Returns other statements unchanged.
pub fn expand(context: &SessionContext, statement: Statement) -> Result<Statement> {
    let Some(query) = query(&statement) else {
        return Ok(statement);
    };
    dialect::parse(&context.state(), &query)
}

fn query(statement: &Statement) -> Option<String> {
    let Statement::Statement(statement) = statement else {
        return None;
    };
    let SqlStatement::ShowTables {
        extended: false,
        full: false,
        show_options,
        ..
    } = statement.as_ref()
    else {
        return None;
    };
    let ShowStatementOptions {
        show_in,
        filter_position,
        starts_with: None,
        limit: None,
        limit_from: None,
    } = show_options
    else {
        return None;
    };
    let schema = match show_in {
        None => "table_schema <> 'information_schema'".to_owned(),
        Some(show_in) => {
            let schema = show_in.parent_name.as_ref()?.to_string();
            format!("table_schema = {}", literal(&schema))
        }
    };
    let filter = match filter_position {
        None => String::new(),
        Some(
            ShowStatementFilterPosition::Infix(filter)
            | ShowStatementFilterPosition::Suffix(filter),
        ) => match filter {
            ShowStatementFilter::Like(pattern) | ShowStatementFilter::NoKeyword(pattern) => {
                format!(" AND table_name LIKE {}", literal(pattern))
            }
            ShowStatementFilter::ILike(pattern) => {
                format!(" AND table_name ILIKE {}", literal(pattern))
            }
            ShowStatementFilter::Where(condition) => format!(" AND ({condition})"),
        },
    };
    Some(format!(
        "SELECT table_catalog, table_schema, table_name, table_type \
         FROM information_schema.tables WHERE {schema}{filter} ORDER BY 1, 2, 3"
    ))
}
