//! `SUMMARIZE table` and `SUMMARIZE SELECT …`: one row per column, with its type, extremes,
//! quantiles and an example, as in DuckDB.
//!
//! The parser makes `SELECT * FROM summarize('SELECT …')` of it. The table function plans the
//! query, and aggregates its columns in one pass.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{Result, plan_err};
use datafusion::datasource::{TableProvider, ViewTable};
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::{LogicalPlanBuilder, col};

use super::dialect;
use super::dialect::summarize::{DESCRIBE, SUMMARIZE};
use super::syntax::{literal, quoted_name};
use super::types::type_name;
use crate::sources::table::arguments::{TableFunctionHelp, session_of, text};

/// The name of the table function.
pub const NAME: &str = SUMMARIZE;

/// The maximum number of characters of a value that a summary shows.
const MAX_SHOWN_CHARS: usize = 60;

/// The documentation of the functions.
pub fn help() -> [TableFunctionHelp; 2] {
    let describe = TableFunctionHelp {
        name: DESCRIBE.to_owned(),
        syntax: format!("{DESCRIBE}(query)"),
        description:
            "The columns of a query: column_name, column_type, null. FROM (DESCRIBE table) does \
                      the same."
                .to_owned(),
    };
    let summarize = TableFunctionHelp {
        name: NAME.to_owned(),
        syntax: format!("{NAME}(query)"),
        description: "A summary of each column of a query: column_name, column_type, min, max, \
                      approx_unique, avg, std, q25, q50, q75, count, null_percentage, as in DuckDB, \
                      and an example. SUMMARIZE table and SUMMARIZE SELECT … do the same."
            .to_owned(),
    };
    [describe, summarize]
}

/// `describe('SELECT …')`: the names and types of the columns of a query.
#[derive(Debug)]
pub struct DescribeFunction;

impl TableFunctionImpl for DescribeFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let (session, query) = arguments(&args, DESCRIBE)?;
        let sql = format!("DESCRIBE {query}");
        let described = dialect::plan_waiting(session, dialect::parse(session, &sql)?)?;
        let columns = ["data_type", "is_nullable"]
            .into_iter()
            .zip(["column_type", "null"]);
        let renamed = columns.map(|(name, other)| col(name).alias(other));
        let columns = std::iter::once(col("column_name")).chain(renamed);
        let plan = LogicalPlanBuilder::new(described)
            .project(columns)?
            .build()?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}

/// The session of a call, and the query that is its argument.
fn arguments<'a>(
    args: &'a TableFunctionArgs<'_, '_>,
    function: &str,
) -> Result<(&'a SessionState, String)> {
    let [query] = args.exprs() else {
        return plan_err!("{function}('SELECT …') takes one query");
    };
    let Some(query) = text(query) else {
        return plan_err!("{function}('SELECT …') takes a query as a literal");
    };
    Ok((session_of(args, function)?, query))
}

/// `summarize('SELECT …')`.
#[derive(Debug)]
pub struct SummarizeFunction;

impl TableFunctionImpl for SummarizeFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let (session, query) = arguments(&args, NAME)?;
        let plan = |sql: &str| {
            let query = dialect::parse(session, sql)?;
            dialect::plan_waiting(session, query)
        };
        let columns = plan(&format!("SELECT * FROM ({query}) LIMIT 0"))?;
        let fields = columns.schema().fields();
        if fields.is_empty() {
            return plan_err!("{NAME}: the query returns no columns");
        }
        let summaries: Vec<String> = fields.iter().map(summary).collect();
        let sql = format!(
            "SELECT c['column_name'] AS column_name, c['column_type'] AS column_type, \
                    c['min'] AS min, c['max'] AS max, c['approx_unique'] AS approx_unique, \
                    c['avg'] AS avg, c['std'] AS std, c['q25'] AS q25, c['q50'] AS q50, \
                    c['q75'] AS q75, c['count'] AS count, \
                    c['null_percentage'] AS null_percentage, c['example'] AS example \
             FROM (SELECT unnest(columns) AS c FROM (SELECT [{}] AS columns FROM ({query})))",
            summaries.join(", ")
        );
        Ok(Arc::new(ViewTable::new(plan(&sql)?, None)))
    }
}

/// The struct that summarizes a column.
fn summary(field: &FieldRef) -> String {
    let column = quoted_name(field.name());
    // Aggregates refuse dictionaries.
    let (kind, name) = match field.data_type() {
        DataType::Dictionary(_, kind) if kind.is_string() => {
            (kind.as_ref(), format!("CAST({column} AS VARCHAR)"))
        }
        kind => (kind, column),
    };
    let shown = |value: String| format!("left(CAST({value} AS VARCHAR), {MAX_SHOWN_CHARS})");
    let none = |kind: &str| format!("CAST(NULL AS {kind})");
    let is_text = kind.is_string();
    let is_scalar =
        is_text || kind.is_numeric() || kind.is_temporal() || matches!(kind, DataType::Boolean);
    let [least, most, example] = if is_scalar {
        ["min", "max", "first_value"].map(|aggregate| {
            let present = match aggregate {
                "first_value" => format!(" FILTER (WHERE {name} IS NOT NULL)"),
                _ => String::new(),
            };
            shown(format!("{aggregate}({name}){present}"))
        })
    } else {
        ["NULL"; 3].map(|value| shown(value.to_owned()))
    };
    let is_counted = is_text
        || kind.is_integer()
        || matches!(
            kind,
            DataType::Timestamp(..) | DataType::Date32 | DataType::Date64
        );
    let distinct = if is_counted {
        format!("CAST(approx_distinct({name}) AS BIGINT)")
    } else {
        none("BIGINT")
    };
    let number = |expression: String| {
        if kind.is_numeric() {
            format!("CAST({expression} AS DOUBLE)")
        } else {
            none("DOUBLE")
        }
    };
    let quantile = |share: f64| number(format!("approx_percentile_cont({name}, {share})"));
    let nulls = format!("round(100.0 * (count(*) - count({name})) / nullif(count(*), 0), 2)");
    format!(
        "{{column_name: {}, column_type: {}, min: {least}, max: {most}, \
          approx_unique: {distinct}, avg: {}, std: {}, q25: {}, q50: {}, q75: {}, \
          count: count(*), null_percentage: {nulls}, example: {example}}}",
        literal(field.name()),
        literal(&type_name(kind)),
        number(format!("avg({name})")),
        number(format!("stddev({name})")),
        quantile(0.25),
        quantile(0.5),
        quantile(0.75),
    )
}
