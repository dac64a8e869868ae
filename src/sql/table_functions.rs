//! Names the scan of a table function after the whole call.
//!
//! DataFusion compares scans by name, not by table, and names the scan of a call after the function
//! alone. All calls of a function would be equal, and expressions over them, such as scalar
//! subqueries, would share one result. Here the name of a scan includes the arguments:
//!
//! ```text
//! SubqueryAlias: read_pdf()                 the qualifier of the columns, without an alias in SQL
//!   TableScan: read_pdf('papers/')
//! ```

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};

use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::{DFSchema, Result, TableReference, plan_err};
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::planner::{
    PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning,
};
use datafusion::logical_expr::{Expr as LogicalExpr, ExprSchemable, LogicalPlanBuilder, cast};
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, ObjectName, TableFactor, Value,
};

use super::dialect::SERIES;
use super::syntax::{last_name, literal_text};
use super::virtual_columns::{FILENAME, SOURCE_FILE};
use crate::object_stores::is_store_option;
use crate::planner::lateral::{LateralProvider, lateral_call};
use crate::sources::file_functions;
#[cfg(feature = "search")]
use crate::sources::search;

/// The maximum number of characters of the arguments that a name shows.
const MAX_ARGUMENT_CHARS: usize = 80;

/// Plans calls of table functions.
#[derive(Debug)]
pub struct TableFunctionPlanner;

impl RelationPlanner for TableFunctionPlanner {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let (name, arguments, alias, qualifier) = match &relation {
            TableFactor::Table {
                name,
                args: Some(arguments),
                alias,
                ..
            } => {
                let function = function_name(name, context)?;
                let qualifier = format!("{function}()");
                (function, &arguments.args, alias.clone(), qualifier)
            }
            TableFactor::Function {
                name, args, alias, ..
            } => {
                let function = function_name(name, context)?;
                (function.clone(), args, alias.clone(), function)
            }
            _ => return Ok(RelationPlanning::Original(Box::new(relation))),
        };
        let mut arguments = by_position(&name, arguments, context)?;
        let filename = if file_functions::is_file_function(&name) {
            None
        } else {
            take_filename(&name, &mut arguments)?
        };
        let shown: Vec<&Expr> = arguments.iter().collect();
        let scan_name = TableReference::bare(call(&name, &shown));
        let arguments = arguments
            .into_iter()
            .map(|argument| {
                let argument = context.sql_expr_to_logical_expr(argument, &DFSchema::empty())?;
                let is_series = SERIES.contains(&name.as_str());
                Ok(if is_series {
                    in_nanoseconds(argument)
                } else {
                    argument
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let columns: Vec<_> = arguments
            .iter()
            .flat_map(|argument| argument.column_refs())
            .collect();
        if let Some(column) = columns.first() {
            return plan_err!(
                "{scan_name}: no table before it in FROM has the column {}; a text is in single quotes",
                column.quoted_flat_name()
            );
        }
        let source = context
            .context_provider()
            .get_table_function_source(&name, arguments)?;
        let table = source_as_provider(&source)?;
        let scan = match (table.as_ref() as &dyn Any).downcast_ref::<LateralProvider>() {
            Some(lateral) => {
                LogicalPlanBuilder::from(lateral_call(scan_name.table().to_owned(), lateral)?)
            }
            None => LogicalPlanBuilder::scan(scan_name, source, None)?,
        };
        let scan = match filename {
            Some(filename) => with_filename(&name, scan, filename)?,
            None => scan,
        };
        let plan = match &alias {
            Some(_) => scan.build()?,
            None => scan.alias(TableReference::bare(qualifier))?.build()?,
        };
        let planned = PlannedRelation::new(plan, alias);
        Ok(RelationPlanning::Planned(Box::new(planned)))
    }
}

/// Casts times to nanoseconds, the only ones that DataFusion's series take.
fn in_nanoseconds(argument: LogicalExpr) -> LogicalExpr {
    match argument.get_type(&DFSchema::empty()) {
        Ok(DataType::Timestamp(_, zone)) => {
            cast(argument, DataType::Timestamp(TimeUnit::Nanosecond, zone))
        }
        _ => argument,
    }
}

fn function_name(name: &ObjectName, context: &dyn RelationPlannerContext) -> Result<String> {
    match last_name(name) {
        Some(identifier) => Ok(context.normalize_ident(identifier.clone())),
        None => plan_err!("'{name}' is not the name of a table function"),
    }
}

/// Returns the names of the arguments before the options. `None` if a function has no names.
fn parameters(function: &str) -> Option<&'static [&'static str]> {
    match function {
        #[cfg(feature = "search")]
        search::NAME => Some(&search::PARAMETERS),
        "connected_components" | "summarize" => Some(&["query"]),
        "range" | "generate_series" => None,
        _ => Some(&["location"]),
    }
}

/// Returns the arguments by position: named options become pairs `'name', value`.
fn by_position(
    function: &str,
    arguments: &[FunctionArg],
    context: &dyn RelationPlannerContext,
) -> Result<Vec<Expr>> {
    let mut by_position = Vec::new();
    let mut named: Vec<(String, Expr)> = Vec::new();
    for argument in arguments {
        match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => by_position.push(value.clone()),
            FunctionArg::Named {
                name,
                arg: FunctionArgExpr::Expr(value),
                ..
            } => {
                let name = context.normalize_ident(name.clone());
                if named.iter().any(|(other, _)| *other == name) {
                    return plan_err!("the argument '{name}' of {function} is given twice");
                }
                named.push((name, value.clone()));
            }
            _ => return plan_err!("table functions take values, not '{argument}'"),
        }
    }
    if named.is_empty() {
        return Ok(by_position);
    }
    let Some(parameters) = parameters(function) else {
        return plan_err!("{function} takes its arguments by position, not by name");
    };
    let given = by_position.len();
    for (position, parameter) in parameters.iter().enumerate() {
        let Some(at) = named.iter().position(|(name, _)| name == parameter) else {
            continue;
        };
        let (_, value) = named.remove(at);
        if position < given {
            return plan_err!("the argument '{parameter}' of {function} is given twice");
        }
        if position > by_position.len() {
            let missing = parameters[by_position.len()];
            return plan_err!("{function} needs the argument '{missing}'");
        }
        by_position.push(value);
    }
    if by_position.is_empty()
        && let Some(first) = parameters.first()
    {
        return plan_err!("{function} needs the argument '{first}'");
    }
    for (name, value) in named {
        by_position.push(Expr::value(Value::SingleQuotedString(name)));
        by_position.push(value);
    }
    Ok(by_position)
}

/// Removes `'filename', value` from the arguments. Returns the name of the column to add.
fn take_filename(function: &str, arguments: &mut Vec<Expr>) -> Result<Option<String>> {
    let is_name = |argument: &Expr| literal_text(argument) == Some(FILENAME);
    let mut names = (1..arguments.len()).rev();
    let Some(at) = names.find(|at| at + 1 < arguments.len() && is_name(&arguments[*at])) else {
        return Ok(None);
    };
    let name = match &arguments[at + 1] {
        Expr::Value(value) => match &value.value {
            Value::Boolean(true) => Some(FILENAME.to_owned()),
            Value::Boolean(false) => None,
            Value::SingleQuotedString(text) => match text.to_ascii_lowercase().as_str() {
                "true" => Some(FILENAME.to_owned()),
                "false" => None,
                _ => Some(text.clone()),
            },
            other => {
                return plan_err!(
                    "option '{FILENAME}' of {function} is true, false or the name of the column, \
                     not {other}"
                );
            }
        },
        // The query of search() may be this word.
        _ => return Ok(None),
    };
    arguments.drain(at..at + 2);
    Ok(name)
}

/// Adds a column with the values of `source_file`.
fn with_filename(
    function: &str,
    scan: LogicalPlanBuilder,
    filename: String,
) -> Result<LogicalPlanBuilder> {
    let columns = scan.schema().columns();
    let Some(file) = columns.iter().find(|column| column.name == SOURCE_FILE) else {
        return plan_err!("{function} has no files, so it has no option '{FILENAME}'");
    };
    let file = file.clone();
    let columns = columns.into_iter().map(LogicalExpr::Column);
    let added = LogicalExpr::Column(file).alias(filename);
    scan.project(columns.chain([added]))
}

/// The call as users write it. A call that is too long, or contains a secret, is shortened and gets
/// a hash of the whole.
fn call(function: &str, arguments: &[&Expr]) -> String {
    let full: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let mut shown = full.clone();
    for at in 1..arguments.len() {
        if literal_text(arguments[at - 1]).is_some_and(is_secret) {
            shown[at] = "…".to_owned();
        }
    }
    let (full, mut shown) = (full.join(", "), shown.join(", "));
    if let Some((end, _)) = shown.char_indices().nth(MAX_ARGUMENT_CHARS) {
        shown.truncate(end);
        shown.push('…');
    }
    if shown == full {
        return format!("{function}({full})");
    }
    let mut hasher = DefaultHasher::new();
    full.hash(&mut hasher);
    format!("{function}({shown}) #{:016x}", hasher.finish())
}

/// Whether the value of an option may be a secret, such as a key of an object store.
fn is_secret(option: &str) -> bool {
    is_store_option(option) || option.eq_ignore_ascii_case("password")
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::parser::Parser;

    fn name_of(arguments: &str) -> String {
        let mut parser = Parser::new(&GenericDialect {})
            .try_with_sql(arguments)
            .unwrap();
        let arguments = parser.parse_comma_separated(Parser::parse_expr).unwrap();
        call("read_x", &arguments.iter().collect::<Vec<_>>())
    }

    #[test]
    fn calls_are_shown_as_they_were_written() {
        assert_eq!(
            name_of("'a/', 'unpack', 'false'"),
            "read_x('a/', 'unpack', 'false')"
        );
        assert_eq!(name_of("['a', 'it''s']"), "read_x(['a', 'it''s'])");
    }

    #[test]
    fn long_calls_are_short_and_differ() {
        let list = |last: &str| format!("['{}', '{last}']", "日本/".repeat(1000));
        let (one, other) = (name_of(&list("a")), name_of(&list("b")));
        assert_ne!(one, other);
        assert_eq!(one, name_of(&list("a")));
        assert!(one.chars().count() < MAX_ARGUMENT_CHARS + 40, "{one}");
    }

    #[test]
    fn secrets_are_not_shown() {
        let with =
            |secret: &str| name_of(&format!("'s3://b/', 'AWS.secret_access_key', '{secret}'"));
        assert!(!with("hidden").contains("hidden"), "{}", with("hidden"));
        assert_ne!(with("hidden"), with("other"));
        let password = name_of("'a.pdf', 'password', 'hidden'");
        assert!(!password.contains("hidden"), "{password}");
    }
}
