//! `lambda x: [x, 1]`: DataFusion plans list literals without the parameters of lambda functions.

use std::ops::ControlFlow;

use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::ast::{Expr, VisitorMut};

use crate::sql::syntax::call;

/// Replaces list literals in lambda functions by calls of `make_array`.
#[derive(Default)]
pub struct LambdaLists {
    /// The number of lambda functions around the current expression.
    depth: usize,
}

impl VisitorMut for LambdaLists {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if let Expr::Lambda(_) = expr {
            self.depth += 1;
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        match expr {
            Expr::Lambda(_) => self.depth -= 1,
            Expr::Array(list) if self.depth > 0 => {
                *expr = call("make_array", std::mem::take(&mut list.elem));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
