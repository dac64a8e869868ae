//! Replaces the calls of macros in a statement.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArguments, Ident, MacroDefinition, ObjectName, Query, Select,
    TableFactor, VisitMut, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::Dialect;

use super::parameters::Arguments;
use super::{Macro, Macros, duckdb, selection};
use crate::sql::syntax::{Contents, Names, TitleStack, single_name, table_alias};
use crate::sql::walk::{rewrite, rewrite_statement, step};

/// The maximum size of the expanded calls in a statement. Macros that call others twice grow
/// exponentially.
const MAX_EXPANDED_EXPRESSIONS: usize = 50_000;

/// The maximum depth of macros that call others.
const MAX_DEPTH: usize = 32;

/// Replaces the calls of the macros that a session has created. Their definitions are SQL as users
/// write it, so this comes before all rewrites of a statement.
pub fn expand_own(state: &SessionState, statement: &mut Statement) -> Result<()> {
    let own = Macros::own(state);
    if own.is_empty() {
        return Ok(());
    }
    let names = Names::new(&state.config_options().sql_parser);
    expand_calls(&MacroScope::only(own), names, statement)
}

/// Replaces the calls of the macros of DuckDB in a statement.
pub fn expand(
    state: &SessionState,
    dialect: &'static dyn Dialect,
    statement: &mut Statement,
) -> Result<()> {
    expand_calls(
        &MacroScope {
            own: BTreeMap::new(),
            duckdb_dialect: Some(dialect),
        },
        Names::new(&state.config_options().sql_parser),
        statement,
    )
}

/// The macros that a statement may call.
pub struct MacroScope {
    own: BTreeMap<String, Arc<Macro>>,
    /// The dialect of DuckDB's macros, if these are among them.
    duckdb_dialect: Option<&'static dyn Dialect>,
}

impl MacroScope {
    /// Only these macros.
    pub fn only(own: BTreeMap<String, Arc<Macro>>) -> Self {
        Self {
            own,
            duckdb_dialect: None,
        }
    }

    fn find(&self, name: &str) -> Option<Arc<Macro>> {
        let own = self.own.get(name).cloned();
        own.or_else(|| duckdb::find(name, self.duckdb_dialect?))
    }
}

/// Replaces the calls of these macros in a statement.
pub fn expand_calls(macros: &MacroScope, names: Names, statement: &mut Statement) -> Result<()> {
    let mut expanded = 0;
    let mut calls = Calls {
        macros,
        names,
        around: Vec::new(),
        expanded: &mut expanded,
        titles: TitleStack::default(),
    };
    rewrite_statement(statement, &mut calls)
}

struct Calls<'a> {
    macros: &'a MacroScope,
    names: Names,
    /// The macros whose definitions contain the current expression.
    around: Vec<String>,
    expanded: &'a mut usize,
    titles: TitleStack,
}

impl Calls<'_> {
    fn find(&self, name: &ObjectName, is_table: bool) -> Option<Arc<Macro>> {
        let found = self.macros.find(&self.names.of(single_name(name)?));
        found.filter(|found| found.is_table() == is_table)
    }

    /// Whether a macro around a call defines the function's other name by the function itself.
    fn is_defined_by(&self, name: &ObjectName) -> bool {
        let name = name.to_string();
        let renamed = duckdb::name_here(&name);
        renamed != name && self.around.iter().any(|known| known == renamed)
    }

    /// Puts arguments into a copy of a definition. Calls in the definition are expanded first;
    /// calls in the arguments already are.
    fn body<B: VisitMut>(
        &mut self,
        called: &Macro,
        mut body: B,
        arguments: &[FunctionArg],
    ) -> Result<B> {
        if self.around.contains(&called.name) {
            return plan_err!("the macro '{}' calls itself", called.name);
        }
        if self.around.len() >= MAX_DEPTH {
            return plan_err!("macros call each other more than {MAX_DEPTH} levels deep");
        }
        let arguments = Arguments::try_new(called, arguments, self.names)?;
        let size = Contents::of(&mut body, self.names).size;
        let mut around = self.around.clone();
        around.push(called.name.clone());
        let mut calls = Calls {
            macros: self.macros,
            names: self.names,
            around,
            expanded: &mut *self.expanded,
            titles: TitleStack::default(),
        };
        rewrite(&mut body, &mut calls)?;
        *self.expanded += size + arguments.put_into(&mut body)?;
        if *self.expanded > MAX_EXPANDED_EXPRESSIONS {
            return plan_err!(
                "the macros of a statement, written out, contain more than \
                 {MAX_EXPANDED_EXPRESSIONS} expressions"
            );
        }
        Ok(body)
    }

    fn expand_expression(&mut self, expr: &mut Expr) -> Result<()> {
        let Expr::Function(function) = expr else {
            return Ok(());
        };
        let has_duckdb = self.macros.duckdb_dialect.is_some();
        if has_duckdb && selection::select(function, self.names)? {
            *self.expanded += 1;
            // These functions get new arguments, which may be calls of macros.
            if ["coalesce", "make_array", "quantiles"].contains(&function.name.to_string().as_str())
            {
                rewrite(&mut function.args, self)?;
            }
        }
        if has_duckdb && !self.is_defined_by(&function.name) && duckdb::rename(function, self.names)
        {
            *self.expanded += 1;
        }
        let Some(called) = self.find(&function.name, false) else {
            return Ok(());
        };
        let MacroDefinition::Expr(definition) = &called.definition else {
            return Ok(());
        };
        // FILTER and OVER of the call go to the aggregates in the definition.
        let mut definition = definition.clone();
        let has_clauses = function.filter.is_some() || function.over.is_some();
        let is_plain = (!has_clauses || duckdb::give_clauses(&mut definition, function)?)
            && function.null_treatment.is_none()
            && function.within_group.is_empty();
        let arguments: &[FunctionArg] = match &function.args {
            FunctionArguments::List(list)
                if is_plain && list.duplicate_treatment.is_none() && list.clauses.is_empty() =>
            {
                &list.args
            }
            FunctionArguments::None if is_plain => &[],
            _ if has_duckdb => {
                return plan_err!(
                    "{} takes values only: write DISTINCT, FILTER and ORDER BY in a query in FROM, and a join in place of OVER",
                    called.syntax()
                );
            }
            _ => {
                return plan_err!(
                    "the macro {} takes values only: write DISTINCT, FILTER and OVER in its definition",
                    called.syntax()
                );
            }
        };
        let body = self.body(&called, definition, arguments)?;
        *expr = Expr::Nested(Box::new(body));
        Ok(())
    }

    fn expand_table(&mut self, factor: &mut TableFactor) -> Result<()> {
        let (name, arguments, alias, lateral) = match &*factor {
            TableFactor::Table {
                name,
                args: Some(arguments),
                alias,
                ..
            } => (name, &arguments.args, alias, false),
            TableFactor::Function {
                name,
                args,
                alias,
                lateral,
                ..
            } => (name, args, alias, *lateral),
            _ => return Ok(()),
        };
        let Some(called) = self.find(name, true) else {
            return Ok(());
        };
        let MacroDefinition::Table(definition) = &called.definition else {
            return Ok(());
        };
        // Columns may be qualified by the name of the macro, like columns of a table function.
        let alias = alias.clone();
        let alias = alias.unwrap_or_else(|| table_alias(Ident::with_quote('"', &called.name)));
        // An argument may be a column of a table before it.
        let lateral = lateral
            || !Contents::of(&mut arguments.clone(), self.names)
                .names
                .is_empty();
        let subquery: Box<Query> = self.body(&called, definition.clone(), arguments)?;
        *factor = TableFactor::Derived {
            lateral,
            subquery,
            alias: Some(alias),
            sample: None,
        };
        Ok(())
    }
}

impl VisitorMut for Calls<'_> {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        self.titles.enter(select, *self.expanded);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        self.titles.leave(select, *self.expanded);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        step(self.expand_expression(expr))
    }

    fn post_visit_table_factor(
        &mut self,
        factor: &mut TableFactor,
    ) -> ControlFlow<DataFusionError> {
        step(self.expand_table(factor))
    }
}
