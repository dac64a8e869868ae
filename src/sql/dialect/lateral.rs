//! `FROM t, search('index', t.text)`: the word LATERAL may be left out.

use std::ops::ControlFlow;

use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::ast::{FunctionArg, FunctionArgExpr, TableFactor, VisitorMut};

use crate::sql::syntax::{Contents, Names, single_name};

/// Table functions whose argument may be a column.
const FUNCTIONS: [&str; 1] = ["search"];

/// Makes calls with a column as argument lateral.
pub struct ImplicitLateral(pub Names);

impl ImplicitLateral {
    fn has_column(&self, argument: &FunctionArg) -> bool {
        match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(value))
            | FunctionArg::Named {
                arg: FunctionArgExpr::Expr(value),
                ..
            } => !Contents::of(&mut value.clone(), self.0).names.is_empty(),
            _ => false,
        }
    }
}

impl VisitorMut for ImplicitLateral {
    type Break = DataFusionError;

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        let TableFactor::Table {
            name,
            args: Some(arguments),
            alias,
            ..
        } = factor
        else {
            return ControlFlow::Continue(());
        };
        let function = single_name(name).map(|name| self.0.of(name));
        let is_known = function.is_some_and(|name| FUNCTIONS.contains(&name.as_str()));
        if is_known
            && arguments
                .args
                .iter()
                .any(|argument| self.has_column(argument))
        {
            *factor = TableFactor::Function {
                lateral: true,
                name: name.clone(),
                args: arguments.args.clone(),
                with_ordinality: false,
                alias: alias.clone(),
            };
        }
        ControlFlow::Continue(())
    }
}
