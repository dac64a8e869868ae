//! Tables of documents, such as `web_pages('crawl/')`: views of a source and of the functions that
//! parse its records.
//!
//! A table is planned from the SQL that a user would write, so everything that DataFusion and this
//! crate know about such a query holds for it: only the columns that a query names are computed,
//! and filters reach the source. [`documents`](crate::sources::documents) has the tables.

use std::sync::Arc;

use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{DataFusionError, Result, plan_datafusion_err, plan_err};
use datafusion::datasource::{TableProvider, ViewTable};
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SessionContext;

use crate::object_stores::is_store_option;
use crate::options::{FormatOption, help_of};
use crate::planning::syntax::literal;
use crate::sources::arguments::{TableFunctionHelp, text, text_list};
use crate::sources::documents::{DocumentTable, TABLES};
use crate::sources::format::RecordFormat;
use crate::sources::formats;
use crate::sources::register::{function_name, options_of, wait_for};
use crate::sql_dialect;

/// Adds the tables to a session.
pub fn register(context: &SessionContext) {
    for table in TABLES {
        context.register_udtf(table.name, Arc::new(DocumentTableFunction(table)));
    }
}

/// The documentation of the table functions.
pub fn help() -> impl Iterator<Item = TableFunctionHelp> {
    TABLES.iter().map(|table| {
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        let options: Vec<FormatOption> = table.options.iter().map(|own| own.option).collect();
        TableFunctionHelp {
            name: table.name.to_owned(),
            syntax: format!("{}(location [, option, value] …)", table.name),
            description: format!(
                "{} Location and options are those of {}: {}.{}",
                table.about,
                table.reader,
                columns.join(", "),
                help_of(&options)
            ),
        }
    })
}

/// A call of a table.
struct Call {
    table: &'static DocumentTable,
    /// The options of the table, with their values.
    own: Vec<(&'static str, String)>,
    /// The call of the reader.
    records: String,
}

impl Call {
    fn new(
        table: &'static DocumentTable,
        locations: &[String],
        options: &[(String, String)],
    ) -> Self {
        let own = table.options.iter();
        let mut own: Vec<(&str, String)> = own
            .map(|own| (own.option.name, own.default.to_owned()))
            .collect();
        let locations: Vec<String> = locations.iter().map(|text| literal(text)).collect();
        let mut arguments = match locations.as_slice() {
            [location] => location.clone(),
            locations => format!("[{}]", locations.join(", ")),
        };
        for (name, value) in options {
            let known = own.iter_mut();
            let mut known = known.filter(|(own, _)| own.eq_ignore_ascii_case(name));
            match known.next() {
                Some((_, own)) => own.clone_from(value),
                None => arguments.push_str(&format!(", {}, {}", literal(name), literal(value))),
            }
        }
        Self {
            table,
            own,
            records: format!("{}({arguments})", table.reader),
        }
    }

    fn plan(&self, session: &SessionState) -> Result<LogicalPlan> {
        let planned = plan(session, &self.query(&[]));
        match planned {
            Err(error) if matches!(error.find_root(), DataFusionError::SchemaError(..)) => {
                let taken = self.taken_names(session)?;
                match taken.is_empty() {
                    true => Err(error),
                    false => plan(session, &self.query(&taken)),
                }
            }
            planned => planned,
        }
    }

    /// The columns from names of folders that have the name of a column of the table.
    fn taken_names(&self, session: &SessionState) -> Result<Vec<String>> {
        let records = plan(session, &format!("SELECT * FROM {}", self.records))?;
        let of_source = source_columns(self.table);
        let own = self.table.columns.iter();
        let own = own.map(|column| column.name.to_owned());
        let own = own.filter(|name| !of_source.contains(name));
        let fields = records.schema().fields();
        Ok(own
            .filter(|name| fields.iter().any(|field| field.name() == name))
            .collect())
    }

    /// The SQL of the call, without some of the columns from names of folders.
    fn query(&self, without: &[String]) -> String {
        let (table, own) = (self.table, &self.own);
        let with_options = |sql: &str| {
            own.iter().fold(sql.to_owned(), |sql, (name, value)| {
                sql.replace(&format!("${{{name}}}"), &literal(value))
            })
        };
        let named = |(name, expression): (&str, &str)| {
            format!("{} AS \"{name}\"", with_options(expression))
        };
        let steps: Vec<String> = table.steps.iter().copied().map(named).collect();
        let columns = table.columns.iter();
        let columns: Vec<String> = columns.map(|c| named((c.name, c.expression))).collect();
        let condition = |condition: &str| match condition {
            "" => String::new(),
            condition => format!(" WHERE {condition}"),
        };
        // What is left are columns from the names of folders, such as `year=2024/`.
        let hidden = source_columns(table).into_iter();
        let hidden: Vec<String> = hidden
            .chain(table.steps.iter().map(|(name, _)| (*name).to_owned()))
            .chain(without.iter().cloned())
            .map(|name| format!("\"{name}\""))
            .collect();
        format!(
            "WITH records AS (SELECT *, {} FROM {}{}) \
             SELECT {}, * EXCLUDE ({}) FROM records{}",
            steps.join(", "),
            self.records,
            condition(table.records),
            columns.join(", "),
            hidden.join(", "),
            condition(table.rows),
        )
    }
}

fn plan(session: &SessionState, sql: &str) -> Result<LogicalPlan> {
    let query = sql_dialect::parse(session, sql)?;
    wait_for(sql_dialect::plan(session, query))
}

/// The format of the reader.
fn format(table: &DocumentTable) -> Option<Arc<dyn RecordFormat>> {
    formats()
        .into_iter()
        .find(|format| function_name(format.as_ref()) == table.reader)
}

/// Rejects options that neither the table, nor its reader, nor an object store has.
fn check_names(table: &DocumentTable, options: &[(String, String)]) -> Result<()> {
    let own = table.options.iter().map(|own| own.option.name);
    let format = format(table);
    let of_reader = format.iter();
    let of_reader = of_reader.flat_map(|format| options_of(format.as_ref()));
    let known: Vec<&str> = own.chain(of_reader.map(|option| option.name)).collect();
    for (name, _) in options {
        let is_known = known.iter().any(|known| known.eq_ignore_ascii_case(name));
        if !is_known && !is_store_option(name) {
            return plan_err!(
                "{} has no option '{name}'; it has '{}'",
                table.name,
                known.join("', '")
            );
        }
    }
    Ok(())
}

/// The columns that the reader returns, without those from names of folders.
fn source_columns(table: &DocumentTable) -> Vec<String> {
    let columns = format(table).map(|format| format.columns());
    let columns = columns.iter().flat_map(|columns| columns.iter());
    columns.map(|column| column.name.to_owned()).collect()
}

/// `name('location' | ['location', …], 'option', 'value', …)`.
#[derive(Debug)]
struct DocumentTableFunction(&'static DocumentTable);

impl TableFunctionImpl for DocumentTableFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let table = self.0;
        let usage = || {
            plan_datafusion_err!(
                "{}('location', 'option', 'value', …) takes string literals: one location or \
                 an array of them, then pairs of option and value",
                table.name
            )
        };
        let (first, rest) = args.exprs().split_first().ok_or_else(usage)?;
        let locations = text_list(first).ok_or_else(usage)?;
        if !rest.len().is_multiple_of(2) {
            return Err(usage());
        }
        let rest: Vec<String> = rest
            .iter()
            .map(|expr| text(expr).ok_or_else(usage))
            .collect::<Result<_>>()?;
        let options: Vec<(String, String)> = rest
            .chunks_exact(2)
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect();
        check_names(table, &options)?;
        let Some(session) = args.session().as_any().downcast_ref::<SessionState>() else {
            return plan_err!("{}() needs a session of DataFusion", table.name);
        };
        let plan = Call::new(table, &locations, &options).plan(session)?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}
