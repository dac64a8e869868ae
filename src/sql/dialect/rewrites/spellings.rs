//! Expressions with another form here.

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::Expr;

use super::{calls, collations, operators, patterns, row_values, subqueries, subscripts, times};
use crate::sql::syntax::Names;

/// Replaces an expression. Returns whether it did.
pub fn replace(expr: &mut Expr, names: Names) -> Result<bool> {
    let replaced = match subqueries::replace(expr, names)? {
        Some(replaced) => Some(replaced),
        None => row_values::compare(expr)
            .or_else(|| operators::replace(expr))
            .or_else(|| times::replace(expr)),
    };
    let replaced = match (replaced, &mut *expr) {
        (None, Expr::CompoundFieldAccess { root, access_chain }) => {
            subscripts::accesses(root, access_chain)?
        }
        (replaced, _) => replaced,
    };
    if let Some(replaced) = replaced {
        *expr = replaced;
        return Ok(true);
    }
    Ok(
        collations::replace(expr)?
            || patterns::replace(expr, names)
            || calls::replace(expr, names)?,
    )
}
