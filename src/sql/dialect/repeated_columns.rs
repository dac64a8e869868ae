//! Names that repeat: `SELECT *, id`, `SELECT a.id, b.id`, `SELECT count(*), count(*)`.
//!
//! DataFusion refuses them. Here the second gets a number, such as `id_1`, as in queries inside of
//! queries in DuckDB. Names of DataFusion have no casts, so `sum(n)` and `sum(n::DOUBLE)` repeat,
//! too: the argument of the second is wrapped in `coalesce`, which changes only its name.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, SchemaError};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{DdlStatement, LogicalPlan};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Select, SelectItem, VisitorMut,
};

use super::expansion;
use crate::sql::syntax::{self, Names, name_item, title};
use crate::sql::walk::{rewrite_own, rewrite_statement, step};

/// Whether DataFusion refuses a statement because a name repeats.
pub fn is_about_names(error: &DataFusionError) -> bool {
    match error.find_root() {
        DataFusionError::SchemaError(error, _) => match error.as_ref() {
            SchemaError::DuplicateUnqualifiedField { .. }
            | SchemaError::DuplicateQualifiedField { .. } => true,
            // Of two columns of a result. Without a table, the name is one that the user wrote.
            SchemaError::AmbiguousReference { field } => field.relation.is_some(),
            SchemaError::FieldNotFound { .. } => false,
        },
        DataFusionError::Plan(text) => text.contains("require unique expression names"),
        _ => false,
    }
}

/// Whether a column `id_1` is missing in a query in FROM that has two columns `id`.
pub fn is_about_number(error: &DataFusionError) -> bool {
    let DataFusionError::SchemaError(error, _) = error.find_root() else {
        return false;
    };
    let SchemaError::FieldNotFound { field, .. } = error.as_ref() else {
        return false;
    };
    let number = field.name.rsplit_once('_').map(|(_, number)| number);
    number.is_some_and(|number| number.parse::<u16>().is_ok())
}

/// Whether a plan makes a table, view or file in which a name repeats.
pub fn makes_repeated(plan: &LogicalPlan) -> bool {
    let input = match plan {
        LogicalPlan::Ddl(DdlStatement::CreateMemoryTable(table)) => &table.input,
        LogicalPlan::Ddl(DdlStatement::CreateView(view)) => &view.input,
        LogicalPlan::Copy(copy) => &copy.input,
        _ => return false,
    };
    let mut used = HashSet::new();
    let fields = input.schema().fields();
    !fields.iter().all(|field| used.insert(field.name()))
}

/// Gives each column of each SELECT a unique name; `None` if the names are unique already.
pub async fn named(state: &SessionState, mut statement: Statement) -> Result<Option<Statement>> {
    let names = Names::new(&state.config_options().sql_parser);
    let written = statement.clone();
    expansion::expand_all(state, &mut statement).await?;
    rewrite_statement(&mut statement, &mut Repeated { names })?;
    let mut calls = Calls::default();
    rewrite_statement(&mut statement, &mut calls)?;
    calls.is_complete = true;
    rewrite_statement(&mut statement, &mut calls)?;
    Ok((statement != written).then_some(statement))
}

/// Finds the calls that differ in casts only, and gives them different names.
#[derive(Default)]
struct Calls {
    /// Calls by their text without casts.
    found: HashMap<String, Vec<String>>,
    is_complete: bool,
}

impl Calls {
    fn visit(&mut self, expr: &mut Expr) -> Result<()> {
        let Expr::Function(call) = &*expr else {
            return Ok(());
        };
        let text = call.to_string();
        let mut plain = expr.clone();
        rewrite_own(&mut plain, |part| {
            if let Expr::Cast { expr, .. } = part {
                *part = expr.as_ref().clone();
            }
            Ok(())
        })?;
        let same = self.found.entry(plain.to_string()).or_default();
        let place = same.iter().position(|known| *known == text);
        if !self.is_complete {
            if place.is_none() {
                same.push(text);
            }
            return Ok(());
        }
        if let Expr::Function(call) = expr
            && let FunctionArguments::List(list) = &mut call.args
            && let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(first))) = list.args.first_mut()
        {
            for _ in 0..place.unwrap_or_default() {
                *first = syntax::call("coalesce", vec![first.clone()]);
            }
        }
        Ok(())
    }
}

impl VisitorMut for Calls {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        step(self.visit(expr))
    }
}

struct Repeated {
    names: Names,
}

impl VisitorMut for Repeated {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        let mut used = HashSet::new();
        for item in &mut select.projection {
            let name = match &*item {
                SelectItem::ExprWithAlias { alias, .. } => Some(alias.clone()),
                item => title(item),
            };
            let Some(name) = name else {
                continue;
            };
            let text = self.names.of(&name);
            let mut own = text.clone();
            let mut number = 0;
            while !used.insert(own.clone()) {
                number += 1;
                own = format!("{text}_{number}");
            }
            let alias = Ident::with_quote('"', own);
            match item {
                SelectItem::ExprWithAlias { alias: old, .. } => *old = alias,
                item => name_item(item, alias),
            }
        }
        ControlFlow::Continue(())
    }
}
