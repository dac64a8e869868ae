//! `CREATE MACRO name(a, b) AS expression` and `AS TABLE SELECT …`, with the syntax of DuckDB.
//!
//! A macro is SQL without types. A call is replaced before planning ([`expand`]), so a macro may
//! contain whatever a statement may: aggregates, subqueries, table functions, other macros.
//! The module `duckdb` has the macros of every session.
//! DataFusion's own hook, `FunctionFactory`, makes functions, which need the types of their
//! arguments and see one value at a time.
//!
//! ```text
//! duckdb      the macros of every session, and other names of functions
//! expand      replaces the calls of macros
//! parameters  puts the arguments in place of the parameters
//! selection   functions that the arguments of a call select
//! ```

mod duckdb;
mod expand;
mod parameters;
mod selection;

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::common::{Result, not_impl_err, plan_datafusion_err, plan_err};
use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionDesc, MacroArg, MacroDefinition, ObjectName, Statement as SqlStatement,
};
use datafusion::sql::sqlparser::dialect::Dialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;
use parking_lot::RwLock;

use expand::MacroScope;
pub use expand::{expand, expand_own};

use super::syntax::{FieldsAsSubscripts, Names, single_name};
use super::walk::rewrite;

/// The macros of a session.
#[derive(Debug, Default)]
pub struct Macros(RwLock<BTreeMap<String, Arc<Macro>>>);

/// A macro.
#[derive(Debug)]
pub struct Macro {
    pub name: String,
    parameters: Vec<Parameter>,
    definition: MacroDefinition,
}

#[derive(Debug)]
struct Parameter {
    name: String,
    default: Option<Expr>,
}

impl Macros {
    fn of(state: &SessionState) -> Result<Arc<Self>> {
        let macros = state.config().get_extension();
        macros.ok_or_else(|| plan_datafusion_err!("the session has no macros"))
    }

    /// Returns the macros of DuckDB and of a session, by their names.
    pub fn all(state: &SessionState, dialect: &dyn Dialect) -> BTreeMap<String, Arc<Macro>> {
        let mut all = duckdb::all(dialect);
        all.extend(Self::own(state));
        all
    }

    /// Returns the macros that a session has created. Copies pointers only.
    fn own(state: &SessionState) -> BTreeMap<String, Arc<Macro>> {
        match Self::of(state) {
            Ok(macros) => {
                let own = macros.0.read();
                own.clone()
            }
            Err(_) => BTreeMap::new(),
        }
    }
}

impl Macro {
    /// The call, for documentation: `name(a, b := 1)`.
    pub fn syntax(&self) -> String {
        let parameters = self.parameters.iter().map(|parameter| {
            let Parameter { name, default } = parameter;
            match default {
                Some(default) => format!("{name} := {default}"),
                None => name.clone(),
            }
        });
        format!(
            "{}({})",
            self.name,
            parameters.collect::<Vec<_>>().join(", ")
        )
    }

    /// Whether it is called in FROM.
    pub fn is_table(&self) -> bool {
        matches!(self.definition, MacroDefinition::Table(_))
    }

    /// The SQL that replaces a call.
    pub fn definition(&self) -> String {
        match &self.definition {
            MacroDefinition::Expr(expr) => expr.to_string(),
            MacroDefinition::Table(query) => query.to_string(),
        }
    }
}

/// Executes `CREATE MACRO` and `DROP MACRO`. Returns whether the statement is one of them.
pub fn execute(state: &SessionState, statement: &Statement) -> Result<bool> {
    let Statement::Statement(statement) = statement else {
        return Ok(false);
    };
    let names = Names::new(&state.config_options().sql_parser);
    match statement.as_ref() {
        SqlStatement::CreateMacro {
            or_replace,
            // Holds IF NOT EXISTS, which the parser does not know.
            temporary: if_not_exists,
            name,
            args,
            definition,
        } => {
            let created = new_macro(name, args.as_deref(), definition, names)?;
            create(state, created, *or_replace, *if_not_exists)?;
        }
        SqlStatement::DropProcedure {
            if_exists,
            proc_desc,
            ..
        } => {
            for dropped in proc_desc {
                drop_macro(state, &simple_name(&dropped.name, names)?, *if_exists)?;
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Replaces the calls of one macro in a statement. `definition` is its `CREATE MACRO`.
pub fn expand_with(
    state: &SessionState,
    definition: &Statement,
    statement: &mut Statement,
) -> Result<()> {
    let names = Names::new(&state.config_options().sql_parser);
    let Statement::Statement(definition) = definition else {
        return plan_err!("not a definition of a macro");
    };
    let SqlStatement::CreateMacro {
        name,
        args,
        definition,
        ..
    } = definition.as_ref()
    else {
        return plan_err!("not a definition of a macro");
    };
    let created = new_macro(name, args.as_deref(), definition, names)?;
    let macros = BTreeMap::from([(created.name.clone(), Arc::new(created))]);
    expand::expand_calls(&MacroScope::only(macros), names, statement)
}

fn new_macro(
    name: &ObjectName,
    arguments: Option<&[MacroArg]>,
    definition: &MacroDefinition,
    names: Names,
) -> Result<Macro> {
    let name = simple_name(name, names)?;
    let mut parameters: Vec<Parameter> = Vec::new();
    for argument in arguments.unwrap_or_default() {
        let parameter = names.of(&argument.name);
        if parameters.iter().any(|known| known.name == parameter) {
            return plan_err!("the macro '{name}' has two parameters '{parameter}'");
        }
        let default = argument.default_expr.clone();
        if default.is_none() && parameters.iter().any(|known| known.default.is_some()) {
            return plan_err!(
                "the parameter '{parameter}' of the macro '{name}' has no default, but one before it \
                 has: move it to the front"
            );
        }
        parameters.push(Parameter {
            name: parameter,
            default,
        });
    }
    let mut definition = definition.clone();
    let mut fields = FieldsAsSubscripts(names);
    match &mut definition {
        MacroDefinition::Expr(expr) => rewrite(expr, &mut fields)?,
        MacroDefinition::Table(query) => rewrite(query, &mut fields)?,
    }
    Ok(Macro {
        name,
        parameters,
        definition,
    })
}

/// Whether the function or the macro of a name returns a value for a group.
pub fn is_aggregate(
    state: &SessionState,
    dialect: &dyn Dialect,
    name: &ObjectName,
    names: Names,
) -> bool {
    let Ok(name) = simple_name(name, names) else {
        return false;
    };
    let name = duckdb::name_here(&name);
    let called = duckdb::find(name, dialect);
    called.is_some_and(|called| duckdb::has_aggregate(&called))
        || state.aggregate_functions().contains_key(name)
}

fn create(
    state: &SessionState,
    created: Macro,
    or_replace: bool,
    if_not_exists: bool,
) -> Result<()> {
    let name = &created.name;
    let is_function = if created.is_table() {
        state.table_functions().contains_key(name)
    } else {
        state.scalar_functions().contains_key(name)
            || state.aggregate_functions().contains_key(name)
            || state.window_functions().contains_key(name)
    };
    if is_function {
        return plan_err!("there is a function '{name}': choose another name for the macro");
    }
    let macros = Macros::of(state)?;
    let mut macros = macros.0.write();
    let exists = macros.contains_key(name);
    if exists && if_not_exists {
        return Ok(());
    }
    if exists && !or_replace {
        return plan_err!(
            "there is a macro '{name}': use CREATE OR REPLACE MACRO, or drop it first"
        );
    }
    macros.insert(name.clone(), Arc::new(created));
    Ok(())
}

fn drop_macro(state: &SessionState, name: &str, if_exists: bool) -> Result<()> {
    let macros = Macros::of(state)?;
    let mut macros = macros.0.write();
    if macros.remove(name).is_none() && !if_exists {
        let known: Vec<&str> = macros.keys().map(String::as_str).collect();
        let known = if known.is_empty() {
            "there are none".to_owned()
        } else {
            format!("there are {}", known.join(", "))
        };
        return plan_err!("no macro '{name}'; {known}");
    }
    Ok(())
}

fn simple_name(name: &ObjectName, names: Names) -> Result<String> {
    match single_name(name) {
        Some(identifier) => Ok(names.of(identifier)),
        None => not_impl_err!("macros belong to no schema: '{name}'"),
    }
}

/// Parses `DROP MACRO [TABLE] [IF EXISTS] name`, which sqlparser does not know. It becomes
/// `DROP PROCEDURE`, which DataFusion does not have.
pub fn parse_drop(parser: &mut Parser<'_>) -> Option<Result<SqlStatement, ParserError>> {
    let is_word = |parser: &Parser<'_>, number, keyword| {
        let token = parser.peek_nth_token(number);
        matches!(token.token, Token::Word(word) if word.keyword == keyword)
    };
    if !is_word(parser, 0, Keyword::DROP) || !is_word(parser, 1, Keyword::MACRO) {
        return None;
    }
    parser.next_token();
    parser.next_token();
    let _ = parser.parse_keyword(Keyword::TABLE);
    let if_exists = parser.parse_keywords(&[Keyword::IF, Keyword::EXISTS]);
    let names = parser.parse_comma_separated(|parser| parser.parse_object_name(false));
    Some(names.map(|names| {
        SqlStatement::DropProcedure {
            if_exists,
            proc_desc: names
                .into_iter()
                .map(|name| FunctionDesc { name, args: None })
                .collect(),
            drop_behavior: None,
        }
    }))
}
