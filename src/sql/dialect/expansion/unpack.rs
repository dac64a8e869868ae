//! `coalesce(*COLUMNS('a|b'))`: columns as arguments of a function, or items of a list.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::sqlparser::ast::{Expr, FunctionArguments, VisitorMut};

use crate::sql::syntax::{self, plain_argument};
use crate::sql::walk::step;

/// Replaces each call for which a function returns columns by these columns.
pub struct Unpack<F>(pub F);

impl<F: Fn(&Expr) -> Result<Option<Vec<Expr>>>> Unpack<F> {
    fn unpack(&self, expr: &mut Expr) -> Result<()> {
        match expr {
            Expr::Function(function) => {
                if let FunctionArguments::List(list) = &mut function.args {
                    let mut arguments = Vec::new();
                    for argument in std::mem::take(&mut list.args) {
                        let columns = match plain_argument(&argument) {
                            Some(value) => (self.0)(value)?,
                            None => None,
                        };
                        match columns {
                            Some(columns) => {
                                arguments.extend(columns.into_iter().map(syntax::argument));
                            }
                            None => arguments.push(argument),
                        }
                    }
                    list.args = arguments;
                }
            }
            Expr::Array(list) => {
                let mut items = Vec::new();
                for item in std::mem::take(&mut list.elem) {
                    match (self.0)(&item)? {
                        Some(columns) => items.extend(columns),
                        None => items.push(item),
                    }
                }
                list.elem = items;
            }
            _ => {}
        }
        Ok(())
    }
}

impl<F: Fn(&Expr) -> Result<Option<Vec<Expr>>>> VisitorMut for Unpack<F> {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        step(self.unpack(expr))
    }
}
