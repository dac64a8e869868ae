//! Variables and settings in expressions: `SET VARIABLE x = 1`, `getvariable('x')` and
//! `current_setting('threads')`, as in DuckDB.
//!
//! A value is computed once, by SET. It then replaces the calls in a statement, so that it may
//! appear wherever a literal may.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::execution::SessionState;
use datafusion::physical_plan::collect;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, Query, Select, SelectItem, SetExpr, Statement as SqlStatement, Value,
    VisitorMut,
};
use datafusion::sql::unparser::expr_to_sql;
use parking_lot::RwLock;

use crate::sql::syntax::{Names, TitleStack, arguments, call, function_name, literal_text, text};
use crate::sql::walk::{rewrite_statement, step};

/// The function that replaces `SET VARIABLE`.
pub const SET_VARIABLE: &str = "__set_variable";

/// The function that replaces `RESET VARIABLE`.
pub const RESET_VARIABLE: &str = "__reset_variable";

/// Settings of DuckDB, and their names here.
const SETTINGS: &[(&str, &str)] = &[
    ("threads", "datafusion.execution.target_partitions"),
    ("worker_threads", "datafusion.execution.target_partitions"),
    ("memory_limit", "datafusion.runtime.memory_limit"),
    ("max_memory", "datafusion.runtime.memory_limit"),
    ("temp_directory", "datafusion.runtime.temp_directory"),
    ("timezone", "datafusion.execution.time_zone"),
    (
        "default_null_order",
        "datafusion.sql_parser.default_null_ordering",
    ),
];

/// Returns our setting for a name in DuckDB.
pub fn setting_here(name: &str) -> Option<&'static str> {
    let known = SETTINGS.iter().find(|(other, _)| *other == name);
    known.map(|(_, here)| *here)
}

/// The variables of a session.
#[derive(Debug, Default)]
pub struct Variables(RwLock<BTreeMap<String, Expr>>);

impl Variables {
    fn of(state: &SessionState) -> Result<Arc<Self>> {
        let variables = state.config().get_extension();
        variables.ok_or_else(|| plan_datafusion_err!("the session has no variables"))
    }
}

/// Executes `SET VARIABLE` and `RESET VARIABLE`. Returns whether the statement is one of them.
pub async fn execute(state: &SessionState, statement: &Statement) -> Result<bool> {
    let Some(function) = change(statement) else {
        return Ok(false);
    };
    let is_set = function.name.to_string() == SET_VARIABLE;
    let arguments = arguments(function).unwrap_or_default();
    let variables = Variables::of(state)?;
    match arguments.as_slice() {
        [name, value] if is_set => {
            let name = variable(name)?;
            let value = literal(&value_of(state, value).await?, &name)?;
            let mut known = variables.0.write();
            known.insert(name, value);
        }
        [name] => {
            let mut known = variables.0.write();
            known.remove(&variable(name)?);
        }
        _ => return plan_err!("write SET VARIABLE name = value"),
    }
    Ok(true)
}

/// Whether a statement is `SET VARIABLE` or `RESET VARIABLE`, which have no result.
pub fn is_change(statement: &Statement) -> bool {
    change(statement).is_some()
}

/// The call that replaces `SET VARIABLE` or `RESET VARIABLE`.
fn change(statement: &Statement) -> Option<&Function> {
    only_call(statement).filter(|function| {
        let name = function.name.to_string();
        name == SET_VARIABLE || name == RESET_VARIABLE
    })
}

/// The call in `SELECT function(…)`.
fn only_call(statement: &Statement) -> Option<&Function> {
    let Statement::Statement(inner) = statement else {
        return None;
    };
    let SqlStatement::Query(query) = inner.as_ref() else {
        return None;
    };
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    match select.projection.as_slice() {
        [SelectItem::UnnamedExpr(Expr::Function(function))] => Some(function),
        _ => None,
    }
}

fn variable(name: &Expr) -> Result<String> {
    match literal_text(name) {
        Some(name) => Ok(name.to_lowercase()),
        None => plan_err!("the name of a variable is a text, not {name}: write getvariable('x')"),
    }
}

/// Computes a value.
async fn value_of(state: &SessionState, value: &Expr) -> Result<ScalarValue> {
    let mut query: Query = crate::sql::syntax::parse_query("SELECT 1")?;
    if let SetExpr::Select(select) = query.body.as_mut() {
        select.projection = vec![SelectItem::UnnamedExpr(value.clone())];
    }
    let query = Statement::Statement(Box::new(SqlStatement::Query(Box::new(query))));
    let plan = Box::pin(super::plan(state, query)).await?;
    let plan = state.create_physical_plan(&plan).await?;
    let batches = collect(plan, state.task_ctx()).await?;
    let mut rows = batches.iter().filter(|batch| batch.num_rows() > 0);
    match (rows.next(), rows.next()) {
        (Some(batch), None) if batch.num_rows() == 1 => {
            ScalarValue::try_from_array(batch.column(0), 0)
        }
        _ => plan_err!("a variable takes one value"),
    }
}

/// A value as SQL.
fn literal(value: &ScalarValue, name: &str) -> Result<Expr> {
    let list = |values: Vec<ScalarValue>| {
        let items = values.iter().map(|value| literal(value, name));
        Ok(call("make_array", items.collect::<Result<_>>()?))
    };
    let items = match value {
        ScalarValue::List(list) => Some(ScalarValue::convert_array_to_scalar_vec(list.as_ref())?),
        ScalarValue::LargeList(list) => {
            Some(ScalarValue::convert_array_to_scalar_vec(list.as_ref())?)
        }
        _ => None,
    };
    if let Some(items) = items {
        return match items.into_iter().next().flatten() {
            Some(items) => list(items),
            None => Ok(Expr::value(Value::Null)),
        };
    }
    if let ScalarValue::Struct(fields) = value {
        let mut parts = Vec::new();
        for (field, column) in fields.fields().iter().zip(fields.columns()) {
            parts.push(text(field.name()));
            parts.push(literal(&ScalarValue::try_from_array(column, 0)?, name)?);
        }
        return Ok(call("named_struct", parts));
    }
    let value = datafusion::logical_expr::Expr::Literal(value.clone(), None);
    match expr_to_sql(&value) {
        Ok(value) => Ok(Expr::Nested(Box::new(value))),
        Err(_) => plan_err!("the variable '{name}' cannot hold {value}: cast it to a text"),
    }
}

/// Replaces the calls in a statement.
pub fn replace(state: &SessionState, statement: &mut Statement) -> Result<()> {
    rewrite_statement(
        statement,
        &mut Calls {
            state,
            names: Names::new(&state.config_options().sql_parser),
            titles: TitleStack::default(),
            replaced: 0,
        },
    )
}

struct Calls<'a> {
    state: &'a SessionState,
    names: Names,
    titles: TitleStack,
    replaced: usize,
}

impl Calls<'_> {
    fn replace(&mut self, expr: &mut Expr) -> Result<()> {
        let Expr::Function(function) = expr else {
            return Ok(());
        };
        let is_variable = match function_name(function, self.names).as_deref() {
            Some("getvariable") => true,
            Some("current_setting") => false,
            _ => return Ok(()),
        };
        let Some([name]) = arguments(function)
            .as_deref()
            .and_then(|list| <[_; 1]>::try_from(list).ok())
        else {
            return plan_err!(
                "{function} takes one name: write getvariable('x') or current_setting('threads')"
            );
        };
        *expr = if is_variable {
            let variables = Variables::of(self.state)?;
            let known = variables.0.read();
            let value = known.get(&variable(name)?).cloned();
            value.unwrap_or_else(|| Expr::value(Value::Null))
        } else {
            setting(self.state, &variable(name)?)?
        };
        self.replaced += 1;
        Ok(())
    }
}

impl VisitorMut for Calls<'_> {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        self.titles.enter(select, self.replaced);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        self.titles.leave(select, self.replaced);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        step(self.replace(expr))
    }
}

/// The value of a setting: a number, or a text.
fn setting(state: &SessionState, name: &str) -> Result<Expr> {
    let key = setting_here(name).unwrap_or(name);
    let entries = state.config_options().entries();
    let entries = entries
        .into_iter()
        .chain(state.runtime_env().config_entries());
    let Some(entry) = entries.into_iter().find(|entry| entry.key == key) else {
        return plan_err!("unknown setting '{name}': SHOW ALL lists the settings");
    };
    Ok(match entry.value {
        None => Expr::value(Value::Null),
        Some(value) if value.parse::<i64>().is_ok() => Expr::value(Value::Number(value, false)),
        Some(value) => text(&value),
    })
}
