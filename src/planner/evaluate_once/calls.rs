//! Finds and replaces calls of costly functions in expressions.

use corpus_udfs::is_costly;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{Case, Expr};

use crate::tree_walk::TreeWalk;

/// Returns the calls to evaluate once: calls of costly functions, and conditional expressions that
/// make such calls only for some rows. Outer calls come before inner ones.
pub fn calls_in<'a>(exprs: impl IntoIterator<Item = &'a Expr>) -> Result<Vec<Expr>> {
    let mut calls = Vec::new();
    for expr in exprs {
        collect(expr, &mut calls)?;
    }
    Ok(calls)
}

fn collect(expr: &Expr, calls: &mut Vec<Expr>) -> Result<()> {
    let conditional = conditional_parts(expr);
    let lazy = conditional
        .iter()
        .any(|part| part.exists_dyn(&|e| Ok(is_costly_call(e))).unwrap_or(false));
    if (lazy || is_costly_call(expr)) && depends_on_rows(expr) && !calls.contains(expr) {
        calls.push(expr.clone());
    }
    expr.apply_children(|child| {
        if !conditional.iter().any(|part| std::ptr::eq(*part, child)) {
            collect(child, calls)?;
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(())
}

fn is_costly_call(expr: &Expr) -> bool {
    matches!(expr, Expr::ScalarFunction(call) if is_costly(&call.func))
}

fn depends_on_rows(expr: &Expr) -> bool {
    let outer = |e: &Expr| Ok(matches!(e, Expr::OuterReferenceColumn(..)));
    expr.any_column_refs() && !expr.is_volatile() && !expr.exists_dyn(&outer).unwrap_or(true)
}

/// Returns the parts of an expression that are evaluated only for some rows.
fn conditional_parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Case(Case {
            expr: _,
            when_then_expr,
            else_expr,
        }) => {
            let (whens, thens): (Vec<&Expr>, Vec<&Expr>) = when_then_expr
                .iter()
                .map(|(when, then)| (when.as_ref(), then.as_ref()))
                .unzip();
            let later = whens.into_iter().skip(1).chain(thens);
            later.chain(else_expr.as_deref()).collect()
        }
        Expr::ScalarFunction(call) => call
            .func
            .conditional_arguments(&call.args)
            .map_or_else(Vec::new, |(_, conditional)| conditional),
        _ => Vec::new(),
    }
}

/// The columns that hold the values of calls.
#[derive(Debug, Clone, Default)]
pub struct CallColumns(Vec<(Expr, Column)>);

impl CallColumns {
    pub fn add(&mut self, call: Expr, column: Column) {
        self.0.push((call, column));
    }

    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub fn column(&self, call: &Expr) -> Option<&Column> {
        let found = self.0.iter().find(|(known, _)| known == call);
        found.map(|(_, column)| column)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Replaces calls by their columns, the outermost first.
    pub fn replace(&self, expr: Expr) -> Result<Transformed<Expr>> {
        if self.is_empty() {
            return Ok(Transformed::no(expr));
        }
        expr.transform_down_dyn(&mut |e| {
            Ok(match self.column(&e) {
                // A column has no children, so the walk ends here.
                Some(column) => Transformed::yes(Expr::Column(column.clone())),
                None => Transformed::no(e),
            })
        })
    }

    /// Like `replace`, but keeps the name under which an operator exposes the expression.
    pub fn replace_named(&self, expr: Expr) -> Result<Expr> {
        let name = expr.qualified_name();
        let replaced = self.replace(expr)?;
        Ok(
            if replaced.transformed && replaced.data.qualified_name() != name {
                replaced.data.alias_qualified(name.0, name.1)
            } else {
                replaced.data
            },
        )
    }

    /// Like `replace`, for an operator that uses only the value of the expression.
    pub fn replace_plain(&self, expr: Expr) -> Result<Expr> {
        self.replace(expr).data()
    }
}

/// Translates an expression on the output of an operator to one on its input. `None` if it uses
/// other columns.
pub fn translate(expr: &Expr, input_of: impl Fn(&Column) -> Option<Expr>) -> Result<Option<Expr>> {
    let mut complete = true;
    let translated = expr.clone().transform_down_dyn(&mut |e| {
        let Expr::Column(column) = &e else {
            return Ok(Transformed::no(e));
        };
        Ok(match input_of(column) {
            // The replacement must not be translated again.
            Some(input) => Transformed::new(input, true, TreeNodeRecursion::Jump),
            None => {
                complete = false;
                Transformed::no(e)
            }
        })
    })?;
    Ok(complete.then_some(translated.data))
}
