//! `SELECT filename, id FROM 'x.parquet'`: the name of the file, as a column of Parquet, CSV and
//! JSON that `SELECT *` leaves out. Our own sources always have one
//! ([`virtual_columns`](crate::sql::virtual_columns)).

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArgOperator, Ident, ObjectName, Query, Select,
    SelectItem, TableFactor, TableFunctionArgs, Value, Visitor,
};

use super::super::rewrites::{Used, also_exclude, name_file};
use super::columns::Column;
use crate::sinks::compression::EXTENSIONS;
use crate::sources::data_files::extensions;
use crate::sources::file_functions::is_file_function;
use crate::sql::syntax::{
    Names, Titles, argument, function_name, joined, joined_mut, literal_text, single_name, text,
};
use crate::sql::virtual_columns::{FILE_NAME, FILENAME, SOURCE_FILE};
use crate::sql::walk::{find, rewrite_own};

/// Whether a SELECT uses the name of the file, and reads files that have it on request.
pub fn has_name(select: &Select, columns: &HashSet<String>, names: Names) -> bool {
    let mut tables = select.from.iter().flat_map(joined);
    if columns.contains(FILENAME) || !tables.any(|table| has_files(table, names)) {
        return false;
    }
    let mut uses = Uses { names, depth: 0 };
    find(&mut select.projection.clone(), &mut uses)
        || find(&mut select.selection.clone(), &mut uses)
        || find(&mut select.group_by.clone(), &mut uses)
        || find(&mut select.having.clone(), &mut uses)
        || find(&mut select.qualify.clone(), &mut uses)
}

/// Asks for the names of the files. Returns `false` if the tables have a column of that name.
pub fn write(select: &mut Select, columns: &[Column], names: Names) -> Result<bool> {
    let has = |name: &str| columns.iter().any(|column| column.name == name);
    if has(FILENAME) || has(SOURCE_FILE) {
        return Ok(false);
    }
    let mut used = Used::new(names);
    find(select, &mut used);
    for table in &mut select.from {
        for factor in joined_mut(table) {
            if has_files(factor, names) {
                if let TableFactor::Table { name, alias, .. } = factor {
                    name_file(name, alias, &used, names);
                }
                with_name(factor);
            }
        }
    }
    let titles = Titles::of(select);
    rewrite_own(select, |expr| {
        if is_spark_name(expr, names) {
            *expr = Expr::Identifier(Ident::new(FILENAME));
        }
        Ok(())
    })?;
    titles.apply_changed(select);
    for item in &mut select.projection {
        let (SelectItem::Wildcard(options) | SelectItem::QualifiedWildcard(_, options)) = item
        else {
            continue;
        };
        also_exclude(options, FILENAME);
    }
    Ok(true)
}

/// Whether an expression is Spark's name of the file. DataFusion's has no slash at the start.
fn is_spark_name(expr: &Expr, names: Names) -> bool {
    matches!(expr, Expr::Function(function)
        if function_name(function, names).as_deref() == Some("input_file_name"))
}

/// Whether a table is one of Parquet, CSV or JSON without its option.
fn has_files(factor: &TableFactor, names: Names) -> bool {
    let TableFactor::Table { name, args, .. } = factor else {
        return false;
    };
    let Some(ident) = single_name(name) else {
        return false;
    };
    match args {
        None => ident.quote_style == Some('\'') && function(&ident.value).is_some(),
        Some(arguments) => {
            let name = names.of(ident);
            is_file_function(&name) && !arguments.args.iter().any(|it| is_option(it, names))
        }
    }
}

/// Whether an argument is the option: `filename => true`, or the text `'filename'` before a value.
fn is_option(argument: &FunctionArg, names: Names) -> bool {
    match argument {
        FunctionArg::Named { name, .. } => names.of(name) == FILENAME,
        FunctionArg::ExprNamed { name, .. } => name.to_string() == FILENAME,
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::BinaryOp { left, .. })) => {
            matches!(left.as_ref(), Expr::Identifier(name) if names.of(name) == FILENAME)
        }
        FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => literal_text(value) == Some(FILENAME),
        FunctionArg::Unnamed(_) => false,
    }
}

/// The function that reads a file.
fn function(file: &str) -> Option<&'static str> {
    let file = file.to_ascii_lowercase();
    let plain = EXTENSIONS
        .iter()
        .find_map(|(extension, _)| file.strip_suffix(extension));
    let (_, extension) = plain.unwrap_or(&file).rsplit_once('.')?;
    extensions::function_of(extension)
}

fn with_name(factor: &mut TableFactor) {
    let TableFactor::Table { name, args, .. } = factor else {
        return;
    };
    if args.is_none()
        && let Some(file) = name.0.first().and_then(|part| part.as_ident())
        && let Some(function) = function(&file.value)
    {
        *args = Some(TableFunctionArgs {
            args: vec![argument(text(&file.value))],
            settings: None,
        });
        *name = ObjectName::from(vec![Ident::new(function)]);
    }
    if let Some(arguments) = args {
        arguments.args.push(FunctionArg::Named {
            name: Ident::new(FILENAME),
            arg: FunctionArgExpr::Expr(Expr::value(Value::Boolean(true))),
            operator: FunctionArgOperator::RightArrow,
        });
    }
}

/// Looks for the names of the virtual columns outside of inner queries.
struct Uses {
    names: Names,
    depth: usize,
}

impl Visitor for Uses {
    type Break = ();

    fn pre_visit_query(&mut self, _query: &Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        let name = match expr {
            Expr::Identifier(name) => Some(name),
            Expr::CompoundIdentifier(parts) if parts.len() == 2 => parts.last(),
            _ => None,
        };
        let is_used = name
            .map(|name| self.names.of(name))
            .is_some_and(|name| [FILENAME, FILE_NAME].contains(&name.as_str()));
        let is_used = is_used || is_spark_name(expr, self.names);
        if is_used && self.depth == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
