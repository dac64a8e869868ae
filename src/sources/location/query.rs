//! Queries in the options of a table. They run while the statement is planned, and return the
//! places of records or the paths of files to read.

use datafusion::arrow::datatypes::DataType;
use datafusion::catalog::Session;
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::context::{SQLOptions, SessionState};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit, try_cast};
use datafusion::physical_plan::execute_stream;

use crate::planner::inner_queries::{plan_physical, plan_sql};

/// The words with which a query begins.
const FIRST_WORDS: [&str; 5] = ["select", "with", "from", "values", "table"];

/// A planned query.
#[derive(Debug, Clone)]
pub struct NestedQuery {
    plan: LogicalPlan,
}

/// A column that a query has to return, or may return.
#[derive(Debug, Clone, Copy)]
pub struct QueryColumn {
    /// Alternative names. The first one that the query has is used.
    pub names: &'static [&'static str],
    /// A description of the column for messages. `None` if the column is optional.
    pub required: Option<&'static str>,
    pub kind: ColumnKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Text,
    Number,
}

/// Whether a text is a query, as opposed to the name of a file or table.
pub fn is_query(text: &str) -> bool {
    let text = text.trim_start();
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let end = text.find(|c| !is_letter(c)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let is_word = FIRST_WORDS
        .iter()
        .any(|first| first.eq_ignore_ascii_case(word));
    text.starts_with('(') || is_word && rest.starts_with([' ', '\t', '\r', '\n', '(', '*'])
}

impl NestedQuery {
    /// Plans a query, or one for all rows of the file or table that `text` names.
    pub async fn plan(session: &dyn Session, text: &str) -> Result<Self> {
        let state = state(session)?;
        let query = if is_query(text) {
            text.to_owned()
        } else {
            format!("SELECT * FROM '{}'", text.replace('\'', "''"))
        };
        let plan = plan_sql(state, &query).await?;
        SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false)
            .verify_plan(&plan)?;
        Ok(Self { plan })
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.plan.schema().fields().len()
    }

    /// Selects columns by their names, as `LargeUtf8` or `Int64`. Those that the query does not
    /// have are NULL. `option` is for messages.
    pub fn select(self, option: &str, columns: &[QueryColumn]) -> Result<Self> {
        let schema = self.plan.schema();
        let selected: Vec<Expr> = columns
            .iter()
            .enumerate()
            .map(|(number, column)| {
                let found = column.names.iter().find_map(|name| {
                    let index = schema
                        .fields()
                        .iter()
                        .position(|field| field.name() == name)?;
                    Some(schema.qualified_field(index))
                });
                let expr = match (found, column.required) {
                    (Some((qualifier, field)), _) => {
                        column.check(option, field.name(), field.data_type())?;
                        Expr::Column((qualifier, field).into())
                    }
                    (None, None) => lit(datafusion::common::ScalarValue::Null),
                    (None, Some(what)) => {
                        let names: Vec<&str> = schema
                            .fields()
                            .iter()
                            .map(|field| field.name().as_str())
                            .collect();
                        return plan_err!(
                            "the table of the option '{option}' has no column with {what}: \
                             expected {}, got {}",
                            column.names.join(" or "),
                            names.join(", ")
                        );
                    }
                };
                Ok(try_cast(expr, column.kind.arrow()).alias(number.to_string()))
            })
            .collect::<Result<_>>()?;
        let plan = LogicalPlanBuilder::from(self.plan)
            .project(selected)?
            .build()?;
        Ok(Self { plan })
    }

    /// Selects the only column, as text.
    pub fn only_column(self) -> Result<Self> {
        let column = self.plan.schema().columns().into_iter().next();
        let column = column.ok_or_else(|| plan_datafusion_err!("a query without columns"))?;
        let text = try_cast(Expr::Column(column), ColumnKind::Text.arrow());
        let plan = LogicalPlanBuilder::from(self.plan)
            .project([text.alias("0")])?
            .build()?;
        Ok(Self { plan })
    }

    /// Runs the query, in this process.
    pub async fn run(&self, session: &dyn Session) -> Result<SendableRecordBatchStream> {
        let plan = plan_physical(state(session)?, &self.plan).await?;
        execute_stream(plan, session.task_ctx())
    }
}

impl QueryColumn {
    fn check(&self, option: &str, name: &str, kind: &DataType) -> Result<()> {
        let value = match kind {
            DataType::Dictionary(_, value) => value.as_ref(),
            kind => kind,
        };
        let accepted = value.is_string()
            || value.is_null()
            || self.kind == ColumnKind::Number && value.is_integer();
        if accepted {
            Ok(())
        } else {
            plan_err!(
                "the column {name} in the table of the option '{option}': expected {}, got {kind}",
                match self.kind {
                    ColumnKind::Text => "text",
                    ColumnKind::Number => "integers",
                }
            )
        }
    }
}

impl ColumnKind {
    fn arrow(self) -> DataType {
        match self {
            ColumnKind::Text => DataType::LargeUtf8,
            ColumnKind::Number => DataType::Int64,
        }
    }
}

fn state(session: &dyn Session) -> Result<&SessionState> {
    session
        .as_any()
        .downcast_ref()
        .ok_or_else(|| plan_datafusion_err!("queries in options need a session of DataFusion"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_told_from_names() {
        for text in [
            "SELECT 1",
            " \nselect\n1",
            "with a AS (SELECT 1) SELECT * FROM a",
            "(SELECT 1)",
            "FROM x",
            "VALUES(1)",
        ] {
            assert!(is_query(text), "{text}");
        }
        for text in [
            "",
            "select.parquet",
            "with",
            "s3://bucket/from /x.parquet",
            "tables/",
            "from_crawl",
            "日本.txt",
        ] {
            assert!(!is_query(text), "{text}");
        }
    }
}
