//! The table function `corpus_functions()`, which lists the functions of SQL with their
//! documentation.
//!
//! `SHOW FUNCTIONS` reads it. DataFusion's own lists contain neither the types of functions that
//! check their arguments themselves, as all of ours do, nor the documentation of table functions.

use std::collections::BTreeSet;
use std::sync::Arc;

use corpus_columns::type_name;
use corpus_udfs::{is_internal, result_type};
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::catalog::{MemTable, TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{Result, plan_err};
use datafusion::datasource::TableProvider;
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::function::WindowUDFFieldArgs;
use datafusion::logical_expr::{Documentation, ReturnFieldArgs, ScalarUDF, Signature};

use crate::connected_components;
use crate::sources::formats::formats;
#[cfg(feature = "search")]
use crate::sources::search;
use crate::sources::table::arguments::TableFunctionHelp;
use crate::sources::table::register;
use crate::sources::{file_facts, file_functions};
use crate::sql::dialect::CorpusDialect;
use crate::sql::document_tables;
use crate::sql::macros::Macros;
use crate::sql::summarize;

/// The name of the table function.
pub const NAME: &str = "corpus_functions";

/// One row of the table.
struct Row {
    name: String,
    kind: &'static str,
    syntax: String,
    returns: Option<String>,
    description: Option<String>,
}

#[derive(Debug)]
pub struct FunctionsFunction;

impl TableFunctionImpl for FunctionsFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        if !args.exprs().is_empty() {
            return plan_err!("{NAME}() takes no arguments");
        }
        let Some(session) = args.session().as_any().downcast_ref() else {
            return plan_err!("{NAME}() needs a session of DataFusion");
        };
        let batch = batch(&rows(session))?;
        Ok(Arc::new(MemTable::try_new(
            batch.schema(),
            vec![vec![batch]],
        )?))
    }
}

fn rows(session: &SessionState) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, function) in session.scalar_functions() {
        if is_internal(function) {
            continue;
        }
        let returns = scalar_type(function);
        let main = function.name();
        rows.push(Row::new(
            name,
            main,
            "scalar",
            returns,
            function.documentation(),
        ));
    }
    for (name, function) in session.higher_order_functions() {
        let main = function.name();
        rows.push(Row::new(
            name,
            main,
            "scalar",
            None,
            function.documentation(),
        ));
    }
    for (name, function) in session.aggregate_functions() {
        let returns = only_type(function.signature(), |fields| function.return_field(fields));
        let main = function.name();
        rows.push(Row::new(
            name,
            main,
            "aggregate",
            returns,
            function.documentation(),
        ));
    }
    for (name, function) in session.window_functions() {
        let returns = only_type(function.signature(), |fields| {
            function.field(WindowUDFFieldArgs::new(fields, name))
        });
        let main = function.name();
        rows.push(Row::new(
            name,
            main,
            "window",
            returns,
            function.documentation(),
        ));
    }
    let help = table_functions();
    for name in session.table_functions().keys() {
        let help = help.iter().find(|help| help.name == *name);
        rows.push(Row {
            name: name.clone(),
            kind: "table",
            syntax: help.map_or_else(|| format!("{name}(…)"), |help| help.syntax.clone()),
            returns: Some("table".to_owned()),
            description: help.map(|help| help.description.clone()),
        });
    }
    for called in Macros::all(session, &CorpusDialect).values() {
        rows.push(Row {
            name: called.name.clone(),
            kind: if called.is_table() {
                "table macro"
            } else {
                "macro"
            },
            syntax: called.syntax(),
            returns: called.is_table().then(|| "table".to_owned()),
            description: Some(called.definition()),
        });
    }
    rows.sort_by(|a, b| (&a.name, a.kind).cmp(&(&b.name, b.kind)));
    rows
}

/// The table functions that are documented.
fn table_functions() -> Vec<TableFunctionHelp> {
    let series = |name: &str, end: &str| TableFunctionHelp {
        name: name.to_owned(),
        syntax: format!("{name}([start,] end [, step])"),
        description: format!(
            "The numbers, days or times from start to end, {end}: a column value."
        ),
    };
    let own = TableFunctionHelp {
        name: NAME.to_owned(),
        syntax: format!("{NAME}()"),
        description: "The functions that SHOW FUNCTIONS lists: name, kind, syntax, returns, \
                      description."
            .to_owned(),
    };
    let mut all = vec![
        own,
        connected_components::help(),
        series("generate_series", "which is included"),
        series("range", "which is not included"),
    ];
    #[cfg(feature = "search")]
    all.push(search::help());
    all.extend(summarize::help());
    all.extend(document_tables::help());
    all.extend(file_functions::help());
    all.extend(file_facts::help());
    all.extend(
        formats()
            .iter()
            .map(|format| register::help(format.as_ref())),
    );
    all
}

impl Row {
    /// `main` is the name that the documentation uses, of which `name` may be an alias.
    fn new(
        name: &str,
        main: &str,
        kind: &'static str,
        returns: Option<DataType>,
        documentation: Option<&Documentation>,
    ) -> Self {
        let syntax = documentation.map(|text| text.syntax_example.trim().to_owned());
        let syntax = match syntax {
            Some(syntax) if name != main => match syntax.strip_prefix(main) {
                Some(arguments) => format!("{name}{arguments}"),
                None => format!("{name}: {syntax}"),
            },
            Some(syntax) => syntax,
            None => format!("{name}(…)"),
        };
        Self {
            name: name.to_owned(),
            kind,
            syntax,
            returns: returns.map(|kind| type_name(&kind)),
            description: documentation.map(|text| text.description.trim().to_owned()),
        }
    }
}

fn scalar_type(function: &ScalarUDF) -> Option<DataType> {
    let typed = only_type(function.signature(), |fields| {
        function.return_field_from_args(ReturnFieldArgs {
            arg_fields: fields,
            scalar_arguments: &vec![None; fields.len()],
        })
    });
    typed.or_else(|| result_type(function))
}

/// Returns the type of the results, unless it depends on the arguments.
fn only_type(
    signature: &Signature,
    result: impl Fn(&[FieldRef]) -> Result<FieldRef>,
) -> Option<DataType> {
    let examples = signature.type_signature.get_example_types();
    let mut types = examples.iter().filter_map(|arguments| {
        let fields: Vec<FieldRef> = arguments
            .iter()
            .enumerate()
            .map(|(at, kind)| Arc::new(Field::new(format!("arg_{at}"), kind.clone(), true)))
            .collect();
        result(&fields).ok().map(|field| field.data_type().clone())
    });
    let first = types.next()?;
    let names: BTreeSet<String> = types.map(|kind| type_name(&kind)).collect();
    let same = names.iter().all(|name| *name == type_name(&first));
    same.then_some(first)
}

fn batch(rows: &[Row]) -> Result<RecordBatch> {
    let column = |value: &dyn for<'a> Fn(&'a Row) -> Option<&'a str>| -> ArrayRef {
        Arc::new(rows.iter().map(value).collect::<StringArray>())
    };
    Ok(RecordBatch::try_from_iter_with_nullable([
        ("name", column(&|row| Some(&row.name)), false),
        ("kind", column(&|row| Some(row.kind)), false),
        ("syntax", column(&|row| Some(&row.syntax)), false),
        ("returns", column(&|row| row.returns.as_deref()), true),
        (
            "description",
            column(&|row| row.description.as_deref()),
            true,
        ),
    ])?)
}
