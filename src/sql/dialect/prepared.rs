//! `PREPARE`, `EXECUTE` and `DEALLOCATE`: values replace the parameters in the parsed statement.
//!
//! DataFusion plans the statement first, and fails where the type of a parameter is unknown. It
//! does not support named parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result, plan_datafusion_err, plan_err};
use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, Statement as SqlStatement, Value, ValueWithSpan, VisitorMut,
};
use parking_lot::RwLock;

use super::implied_names::name_all;
use crate::sql::syntax::{Names, cast, last_name};
use crate::sql::walk::rewrite_statement;

/// The prepared statements of a session.
#[derive(Debug, Default)]
pub struct Prepared(RwLock<BTreeMap<String, Arc<Definition>>>);

#[derive(Debug)]
struct Definition {
    /// The types of the first parameters.
    types: Vec<DataType>,
    statement: SqlStatement,
}

/// Executes `PREPARE` and `DEALLOCATE`, and replaces `EXECUTE` by the prepared statement. Returns
/// the statement that is left.
pub async fn execute(state: &SessionState, statement: Statement) -> Result<Option<Statement>> {
    let Statement::Statement(inner) = statement else {
        return Ok(Some(statement));
    };
    let names = Names::new(&state.config_options().sql_parser);
    let known: Option<Arc<Prepared>> = state.config().get_extension();
    let known = known.ok_or_else(|| plan_datafusion_err!("the session prepares no statements"));
    match *inner {
        SqlStatement::Prepare {
            name,
            data_types: types,
            statement,
        } => {
            let body = Statement::Statement(statement.clone());
            // The types of parameters are known only when they have values.
            if parameters(body.clone())?.is_empty() {
                Box::pin(super::plan_query(state, body)).await?;
            }
            let statement = *statement;
            let definition = Arc::new(Definition { types, statement });
            let known = known?;
            let mut known = known.0.write();
            known.insert(names.of(&name), definition);
            Ok(None)
        }
        SqlStatement::Deallocate { name, .. } => {
            let known = known?;
            let mut known = known.0.write();
            match known.remove(&names.of(&name)) {
                Some(_) => Ok(None),
                None => plan_err!("no prepared statement '{name}'"),
            }
        }
        SqlStatement::Execute {
            name: Some(name),
            parameters,
            ..
        } => {
            let key = last_name(&name)
                .map(|name| names.of(name))
                .unwrap_or_default();
            let known = known?;
            let known = known.0.read();
            let Some(definition) = known.get(&key).cloned() else {
                let prepared: Vec<&str> = known.keys().map(String::as_str).collect();
                return match prepared.as_slice() {
                    [] => plan_err!("no prepared statement '{name}': write PREPARE {name} AS …"),
                    prepared => plan_err!(
                        "no prepared statement '{name}': there is {}",
                        prepared.join(", ")
                    ),
                };
            };
            let statement = bind(&name.to_string(), &definition, parameters, names)?;
            Ok(Some(statement))
        }
        other => Ok(Some(Statement::Statement(Box::new(other)))),
    }
}

/// The names of the parameters of a statement, `1` for `$1`.
fn parameters(mut statement: Statement) -> Result<BTreeSet<String>> {
    let mut binding = Binding::default();
    rewrite_statement(&mut statement, &mut binding)?;
    Ok(binding.used)
}

/// Puts the values of `EXECUTE` into a prepared statement.
fn bind(name: &str, definition: &Definition, given: Vec<Expr>, names: Names) -> Result<Statement> {
    let mut binding = Binding::default();
    for (place, value) in given.into_iter().enumerate() {
        let (parameter, value) = match value {
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Assignment,
                right,
            } => match *left {
                Expr::Identifier(parameter) => (names.of(&parameter), *right),
                left => return plan_err!("expected the name of a parameter, got {left}"),
            },
            value => ((place + 1).to_string(), value),
        };
        let value = match (definition.types.get(place), value) {
            (Some(data_type), value) => cast(value, data_type.clone()),
            // Places such as LIMIT take a literal only.
            (None, value @ Expr::Value(_)) => value,
            (None, value) => Expr::Nested(Box::new(value)),
        };
        if binding.values.insert(parameter.clone(), value).is_some() {
            return plan_err!("EXECUTE {name} has two values for ${parameter}");
        }
    }
    let mut statement = definition.statement.clone();
    if let SqlStatement::Query(query) = &mut statement {
        // The names of columns do not depend on the values.
        name_all(query, false);
    }
    let mut statement = Statement::Statement(Box::new(statement));
    rewrite_statement(&mut statement, &mut binding)?;
    let used = binding.used;
    if let Some(missing) = used.iter().find(|it| !binding.values.contains_key(*it)) {
        let is_number = missing.bytes().all(|byte| byte.is_ascii_digit());
        let name_of = |it: &String| {
            if is_number {
                String::new()
            } else {
                format!("{it} := ")
            }
        };
        let values = listed(&used, |it| format!("{}value", name_of(it)));
        return plan_err!(
            "EXECUTE {name} has no value for ${missing}: write EXECUTE {name}({values})"
        );
    }
    if let Some(other) = binding.values.keys().find(|it| !used.contains(*it)) {
        return match used.len() {
            0 => plan_err!("the prepared statement {name} has no parameters: write EXECUTE {name}"),
            _ => plan_err!(
                "the prepared statement {name} has no parameter ${other}: it has {}",
                listed(&used, |it| format!("${it}"))
            ),
        };
    }
    Ok(statement)
}

fn listed(names: &BTreeSet<String>, shown: impl Fn(&String) -> String) -> String {
    names.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Finds the parameters of a statement, and replaces them where values are known.
#[derive(Default)]
struct Binding {
    values: BTreeMap<String, Expr>,
    used: BTreeSet<String>,
}

impl VisitorMut for Binding {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        let Expr::Value(ValueWithSpan {
            value: Value::Placeholder(text),
            ..
        }) = expr
        else {
            return ControlFlow::Continue(());
        };
        let name = text.strip_prefix('$').unwrap_or(text).to_owned();
        if let Some(value) = self.values.get(&name) {
            *expr = value.clone();
        }
        self.used.insert(name);
        ControlFlow::Continue(())
    }
}
