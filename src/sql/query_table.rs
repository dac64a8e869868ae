//! `query_table('t')` and `query('SELECT …')`: tables and queries that are given as texts.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, ObjectName, TableFactor, Value, VisitorMut,
};

use crate::sql::syntax::{Names, derived, literal_text, parse_query, single_name};
use crate::sql::walk::step;

/// Puts tables in place of `query_table('t')`. The argument may be a parameter of a macro, so the
/// calls of macros come first.
pub struct QueryTable(pub Names);

impl VisitorMut for QueryTable {
    type Break = DataFusionError;

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        step(self.replace(factor))
    }
}

impl QueryTable {
    fn replace(&self, factor: &mut TableFactor) -> Result<()> {
        let TableFactor::Table { alias, .. } = factor else {
            return Ok(());
        };
        let alias = alias.clone();
        let (tables, by_name) = match arguments(factor, "query_table", self.0).as_deref() {
            None => return Ok(()),
            Some([Expr::Array(list)]) => (&list.elem, false),
            Some([Expr::Array(list), Expr::Value(by_name)]) => {
                (&list.elem, by_name.value == Value::Boolean(true))
            }
            Some([table]) => {
                let table = named(table)?;
                if let TableFactor::Table { name, args, .. } = factor {
                    (*name, *args) = (ObjectName::from(vec![table]), None);
                }
                return Ok(());
            }
            Some(_) => return plan_err!("{USE}"),
        };
        let union = if by_name {
            " UNION ALL BY NAME "
        } else {
            " UNION ALL "
        };
        let selects = tables
            .iter()
            .map(|table| Ok(format!("SELECT * FROM {}", named(table)?)));
        let selects = selects.collect::<Result<Vec<_>>>()?;
        if selects.is_empty() {
            return plan_err!("{USE}");
        }
        *factor = derived(parse_query(&selects.join(union))?, alias);
        Ok(())
    }
}

const USE: &str = "query_table takes the name of a table or a list of names as texts, such as \
                   FROM query_table('t') or FROM query_table(['a', 'b'])";

/// A name as it would be written without quotes, if it can be.
fn named(table: &Expr) -> Result<Ident> {
    if let Expr::Identifier(name) = table {
        return Ok(name.clone());
    }
    let Some(table) = literal_text(table) else {
        return plan_err!("{USE}");
    };
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    if table.chars().all(is_word) && !table.starts_with(|first: char| first.is_ascii_digit()) {
        Ok(Ident::new(table))
    } else {
        Ok(Ident::with_quote('"', table))
    }
}

/// Puts the query in place of `query('SELECT …')`.
pub fn replace_query(factor: &mut TableFactor, names: Names) -> Result<()> {
    let query = match arguments(factor, "query", names).as_deref() {
        None => return Ok(()),
        Some([sql]) => literal_text(sql).map(parse_query),
        Some(_) => None,
    };
    let Some(query) = query else {
        return plan_err!("query takes one SELECT as a text, such as FROM query('SELECT 1 AS a')");
    };
    if let TableFactor::Table { alias, .. } = factor {
        *factor = derived(query?, alias.take());
    }
    Ok(())
}

/// The values that a table function is called with, if it has this name.
fn arguments<'a>(factor: &'a TableFactor, function: &str, names: Names) -> Option<Vec<&'a Expr>> {
    let TableFactor::Table {
        name,
        args: Some(call),
        ..
    } = factor
    else {
        return None;
    };
    if names.of(single_name(name)?) != function {
        return None;
    }
    let values = call.args.iter().filter_map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(value))
        | FunctionArg::Named {
            arg: FunctionArgExpr::Expr(value),
            ..
        } => Some(value),
        _ => None,
    });
    Some(values.collect())
}
