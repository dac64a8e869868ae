//! Replaces the calls of macros in a statement.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArguments, Ident, MacroDefinition, ObjectName, Query, Select,
    TableAlias, TableFactor, VisitMut, VisitorMut,
};

use super::parameters::Arguments;
use super::{Macro, Macros};
use crate::sql::syntax::{Contents, Names, Titles, flow, result, visit};

/// The maximum size of what the calls in a statement expand to. Macros that call others twice grow
/// exponentially.
const MAX_EXPANDED_EXPRESSIONS: usize = 50_000;

/// The maximum depth of macros that call others.
const MAX_DEPTH: usize = 32;

/// Replaces the calls of macros in a statement.
pub fn expand(state: &SessionState, statement: &mut Statement) -> Result<()> {
    let macros = Macros::all(state);
    if macros.is_empty() {
        return Ok(());
    }
    expand_calls(
        &macros,
        Names::new(&state.config_options().sql_parser),
        statement,
    )
}

/// Replaces the calls of these macros in a statement.
pub fn expand_calls(
    macros: &BTreeMap<String, Arc<Macro>>,
    names: Names,
    statement: &mut Statement,
) -> Result<()> {
    let mut expanded = 0;
    let mut calls = Calls {
        macros,
        names,
        around: Vec::new(),
        expanded: &mut expanded,
        titles: Vec::new(),
    };
    visit(statement, &mut calls)
}

struct Calls<'a> {
    macros: &'a BTreeMap<String, Arc<Macro>>,
    names: Names,
    /// The macros whose definitions contain the current expression.
    around: Vec<&'a str>,
    expanded: &'a mut usize,
    /// The titles of the columns of each SELECT around the current expression, and the number of
    /// expressions expanded before it.
    titles: Vec<(Titles, usize)>,
}

impl<'a> Calls<'a> {
    fn find(&self, name: &ObjectName, is_table: bool) -> Option<&'a Arc<Macro>> {
        let [part] = name.0.as_slice() else {
            return None;
        };
        let found = self.macros.get(&self.names.of(part.as_ident()?));
        found.filter(|found| found.is_table() == is_table)
    }

    /// Puts arguments into a copy of a definition, whose own calls are expanded first: those in the
    /// arguments already are.
    fn body<B: VisitMut + Clone>(
        &mut self,
        called: &'a Macro,
        definition: &B,
        arguments: &[FunctionArg],
        size: usize,
    ) -> Result<B> {
        if self.around.contains(&called.name.as_str()) {
            return plan_err!("the macro '{}' calls itself", called.name);
        }
        if self.around.len() >= MAX_DEPTH {
            return plan_err!("macros call each other more than {MAX_DEPTH} levels deep");
        }
        let arguments = Arguments::try_new(called, arguments, self.names)?;
        let mut body = definition.clone();
        let mut around = self.around.clone();
        around.push(&called.name);
        result(body.visit(&mut Calls {
            macros: self.macros,
            names: self.names,
            around,
            expanded: &mut *self.expanded,
            titles: Vec::new(),
        }))?;
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
        let Some(called) = self.find(&function.name, false) else {
            return Ok(());
        };
        let MacroDefinition::Expr(definition) = &called.definition else {
            return Ok(());
        };
        let is_plain = function.filter.is_none()
            && function.over.is_none()
            && function.null_treatment.is_none()
            && function.within_group.is_empty();
        let arguments: &[FunctionArg] = match &function.args {
            FunctionArguments::List(list)
                if is_plain && list.duplicate_treatment.is_none() && list.clauses.is_empty() =>
            {
                &list.args
            }
            FunctionArguments::None if is_plain => &[],
            _ => {
                return plan_err!(
                    "the macro {} takes values only: write DISTINCT, FILTER and OVER in its definition",
                    called.syntax()
                );
            }
        };
        let size = Contents::of(definition, self.names).size;
        let body = self.body(called, definition, arguments, size)?;
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
        // Columns may be qualified by the name of the macro, as by that of a table function.
        let alias = alias.clone().unwrap_or_else(|| TableAlias {
            explicit: true,
            name: Ident::with_quote('"', &called.name),
            columns: Vec::new(),
            at: None,
        });
        let size = Contents::of(definition, self.names).size;
        let subquery: Box<Query> = self.body(called, definition, arguments, size)?;
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
        self.titles.push((Titles::of(select), *self.expanded));
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        if let Some((titles, expanded)) = self.titles.pop()
            && expanded != *self.expanded
        {
            titles.apply_changed(select);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        flow(self.expand_expression(expr))
    }

    fn post_visit_table_factor(
        &mut self,
        factor: &mut TableFactor,
    ) -> ControlFlow<DataFusionError> {
        flow(self.expand_table(factor))
    }
}
