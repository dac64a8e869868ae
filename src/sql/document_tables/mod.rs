//! Tables of documents, such as `web_pages('crawl/')`: views of a source and of the functions that
//! parse its records.
//!
//! A table is planned from the SQL that a user would write, so everything that DataFusion and this
//! crate know about such a query holds for it: only the columns that a query names are computed,
//! and filters reach the source. The SQL files in this folder define the tables.

pub mod definition;

use std::sync::Arc;

use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{DataFusionError, Result, plan_datafusion_err};
use datafusion::datasource::{TableProvider, ViewTable};
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SessionContext;

use self::definition::{DocumentTable, FOLDER_COLUMNS, tables};
use crate::object_stores::is_store_option;
use crate::options::{help_of, unknown_option};
use crate::sources::format::RecordFormat;
use crate::sources::formats::formats;
use crate::sources::table::arguments::{TableFunctionHelp, options, session_of, text_list};
use crate::sources::table::register::{ERROR_OPTIONS, function_name, options_of};
use crate::sql::syntax::literal;
use crate::sql::{dialect, macros};

/// Adds the tables to a session.
pub fn register(context: &SessionContext) {
    for table in tables() {
        context.register_udtf(table.name, Arc::new(DocumentTableFunction(table)));
    }
}

/// The documentation of the table functions.
pub fn help() -> impl Iterator<Item = TableFunctionHelp> {
    tables().iter().map(|table| {
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        TableFunctionHelp {
            name: table.name.to_owned(),
            syntax: format!("{}(location [, option => value] …)", table.name),
            description: format!(
                "{} Location and options are those of {}: {}.{}",
                table.about,
                table.reader,
                columns.join(", "),
                help_of(&table.options)
            ),
        }
    })
}

/// Replaces the value of `pdf_parse` in builds without it.
#[cfg(not(feature = "pdf"))]
const NO_PDF: &str = "CASE WHEN kind_ = 'pdf' THEN named_struct('title', CAST(NULL AS text), \
    'author', CAST(NULL AS text), 'text', CAST(NULL AS text), 'markdown', CAST(NULL AS text), \
    'pages', CAST(NULL AS integer), \
    'error', 'this build has no support for PDF: build with --features pdf') END";

/// A call of a table.
struct Call {
    table: &'static DocumentTable,
    /// The call of the macro that defines the table.
    call: String,
    /// The call of the reader.
    records: String,
}

impl Call {
    fn new(
        table: &'static DocumentTable,
        locations: &[String],
        options: &[(String, String)],
    ) -> Self {
        let locations: Vec<String> = locations.iter().map(|text| literal(text)).collect();
        let mut arguments = match locations.as_slice() {
            [location] => location.clone(),
            locations => format!("[{}]", locations.join(", ")),
        };
        let mut call = format!("{}({arguments}", table.name);
        for (name, value) in options {
            let mut own = table.options.iter().map(|option| option.name);
            match own.find(|own| own.eq_ignore_ascii_case(name)) {
                Some(own) => call.push_str(&format!(", {own} := {}", literal(value))),
                None => arguments.push_str(&format!(", {}, {}", literal(name), literal(value))),
            }
        }
        call.push(')');
        Self {
            table,
            call,
            records: format!("{}({arguments})", table.reader),
        }
    }

    fn plan(&self, session: &SessionState) -> Result<LogicalPlan> {
        let planned = self.plan_without(session, &[]);
        match planned {
            Err(error) if matches!(error.find_root(), DataFusionError::SchemaError(..)) => {
                let taken = self.taken_names(session)?;
                if taken.is_empty() {
                    return Err(error);
                }
                self.plan_without(session, &taken)
            }
            planned => planned,
        }
    }

    /// Plans the call without some of the columns from names of folders.
    fn plan_without(&self, session: &SessionState, taken: &[String]) -> Result<LogicalPlan> {
        let definition = dialect::parse(session, &self.definition(taken))?;
        let mut query = dialect::parse(session, &format!("SELECT * FROM {}", self.call))?;
        macros::expand_with(session, &definition, &mut query)?;
        dialect::plan_waiting(session, query)
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

    /// The statement that defines the table, over the records of this call.
    fn definition(&self, taken: &[String]) -> String {
        let table = self.table;
        let hidden = source_columns(table).into_iter();
        let hidden: Vec<String> = hidden
            .chain(table.steps.iter().map(|name| (*name).to_owned()))
            .chain(taken.iter().cloned())
            .map(|name| format!("\"{name}\""))
            .collect();
        let folders = format!("    * EXCLUDE ({})\nFROM records", hidden.join(", "));
        let statement = table.statement.replace(FOLDER_COLUMNS, &folders);
        #[cfg(not(feature = "pdf"))]
        let statement =
            statement.replace("pdf_parse(CASE WHEN kind_ = 'pdf' THEN data_ END)", NO_PDF);
        #[cfg(not(feature = "pdf"))]
        let statement = statement.replace(
            "pdf_attachments(CASE WHEN whole_kind_ = 'pdf' THEN whole_ END)",
            "NULL",
        );
        statement.replace(&format!("{}(location)", table.reader), &self.records)
    }
}

fn plan(session: &SessionState, sql: &str) -> Result<LogicalPlan> {
    let query = dialect::parse(session, sql)?;
    dialect::plan_waiting(session, query)
}

/// The format of the reader.
fn format(table: &DocumentTable) -> Option<Arc<dyn RecordFormat>> {
    formats()
        .into_iter()
        .find(|format| function_name(format.as_ref()) == table.reader)
}

/// Rejects options that neither the table, nor its reader, nor an object store has.
fn check_names(table: &DocumentTable, options: &[(String, String)]) -> Result<()> {
    let own = table.options.iter().map(|option| option.name);
    let format = format(table);
    let of_reader = format.iter();
    let of_reader = of_reader.flat_map(|format| options_of(format.as_ref()));
    let known: Vec<&str> = own.chain(of_reader.map(|option| option.name)).collect();
    for (name, _) in options {
        let is_known = known.iter().any(|known| known.eq_ignore_ascii_case(name));
        // The reader reports those with advice.
        let is_of_errors = ERROR_OPTIONS.contains(&name.as_str());
        if !is_known && !is_of_errors && !is_store_option(name) {
            return Err(unknown_option(table.name, name, &known));
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

/// `name('location' | ['location', …], option => value, …)`.
#[derive(Debug)]
struct DocumentTableFunction(&'static DocumentTable);

impl TableFunctionImpl for DocumentTableFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let table = self.0;
        let usage = || {
            plan_datafusion_err!(
                "{}('location', option => value, …) takes constants: one location or an array of \
                 them, then options",
                table.name
            )
        };
        let (first, rest) = args.exprs().split_first().ok_or_else(usage)?;
        let locations = text_list(first).ok_or_else(usage)?;
        let options = options(table.name, rest)?;
        check_names(table, &options)?;
        let session = session_of(&args, table.name)?;
        let plan = Call::new(table, &locations, &options).plan(session)?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}
