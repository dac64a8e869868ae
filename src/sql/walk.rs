//! Walks through parsed SQL with a visitor.
//!
//! `sqlparser` compiles its walk through all kinds of nodes again for each type of visitor, half a
//! megabyte of code each time. Here all visitors share one walk, which calls them as trait objects.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::{CopyToSource, Statement as Parsed};
use datafusion::sql::sqlparser::ast::{
    Expr, ObjectName, Query, Select, Statement, TableFactor, ValueWithSpan, VisitMut, Visitor,
    VisitorMut,
};

use super::identifiers::{FOLDED, LambdaScopes};

/// A visitor that stops, but never fails.
pub type Finder<'a> = dyn Visitor<Break = ()> + 'a;
/// A visitor that changes what it visits.
pub type Rewriter<'a> = dyn VisitorMut<Break = DataFusionError> + 'a;

/// Shows `part` to a visitor. Returns whether the visitor has stopped. It takes the walk of
/// rewriters, because its own would be 5 % of the engine's code; so `part` is mutable, or a copy.
pub fn find(part: &mut impl VisitMut, finder: &mut Finder<'_>) -> bool {
    rewrite(part, &mut Reader(finder)).is_err()
}

/// Whether `part` contains an expression that meets a condition.
pub fn has_expr(part: &(impl VisitMut + Clone), is_wanted: impl FnMut(&Expr) -> bool) -> bool {
    find(&mut part.clone(), &mut Wanted(is_wanted))
}

struct Wanted<F>(F);

impl<F: FnMut(&Expr) -> bool> Visitor for Wanted<F> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if (self.0)(expr) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Lets a visitor change `part`.
pub fn rewrite(part: &mut impl VisitMut, rewriter: &mut Rewriter<'_>) -> Result<()> {
    match part.visit(&mut Shared(rewriter)) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(error),
    }
}

/// Lets a visitor change the SQL inside a statement of DataFusion.
pub fn rewrite_statement(statement: &mut Parsed, rewriter: &mut Rewriter<'_>) -> Result<()> {
    match statement {
        Parsed::Statement(statement) => rewrite(statement, rewriter),
        Parsed::CopyTo(copy) => match &mut copy.source {
            CopyToSource::Query(query) => rewrite(query, rewriter),
            CopyToSource::Relation(_) => Ok(()),
        },
        Parsed::Explain(explain) => rewrite_statement(&mut explain.statement, rewriter),
        Parsed::CreateExternalTable(_) | Parsed::Reset(_) => Ok(()),
    }
}

/// Lets a function change the expressions of `part`, inner ones first. Skips inner queries and
/// parameters of lambda functions.
pub fn rewrite_own(
    part: &mut impl VisitMut,
    change: impl FnMut(&mut Expr) -> Result<()>,
) -> Result<()> {
    let mut own = Own {
        depth: 0,
        lambdas: LambdaScopes::default(),
        change,
    };
    rewrite(part, &mut own)
}

struct Own<F> {
    /// The number of inner queries around the current expression.
    depth: usize,
    lambdas: LambdaScopes,
    change: F,
}

impl<F: FnMut(&mut Expr) -> Result<()>> VisitorMut for Own<F> {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.enter(expr, FOLDED);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.leave(expr);
        let is_parameter = match expr {
            Expr::Identifier(name) => self.lambdas.contain(&FOLDED.of(name)),
            _ => false,
        };
        if self.depth > 0 || is_parameter {
            return ControlFlow::Continue(());
        }
        step((self.change)(expr))
    }
}

/// The result of a step of a [`Rewriter`].
pub fn step(result: Result<()>) -> ControlFlow<DataFusionError> {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error),
    }
}

struct Shared<'a, 'b>(&'a mut Rewriter<'b>);

/// Lets a [`Finder`] take the walk of rewriters.
struct Reader<'a, 'b>(&'a mut Finder<'b>);

/// Ends the walk of a [`Reader`].
fn stopped() -> DataFusionError {
    DataFusionError::External("the visitor has stopped".into())
}

macro_rules! forward {
    ($($method:ident: $node:ty;)*) => {
        impl VisitorMut for Shared<'_, '_> {
            type Break = DataFusionError;

            $(fn $method(&mut self, node: &mut $node) -> ControlFlow<DataFusionError> {
                self.0.$method(node)
            })*
        }

        impl VisitorMut for Reader<'_, '_> {
            type Break = DataFusionError;

            $(fn $method(&mut self, node: &mut $node) -> ControlFlow<DataFusionError> {
                self.0.$method(node).map_break(|()| stopped())
            })*
        }
    };
}

forward! {
    pre_visit_query: Query;
    post_visit_query: Query;
    pre_visit_select: Select;
    post_visit_select: Select;
    pre_visit_relation: ObjectName;
    post_visit_relation: ObjectName;
    pre_visit_table_factor: TableFactor;
    post_visit_table_factor: TableFactor;
    pre_visit_expr: Expr;
    post_visit_expr: Expr;
    pre_visit_statement: Statement;
    post_visit_statement: Statement;
    pre_visit_value: ValueWithSpan;
    post_visit_value: ValueWithSpan;
}
