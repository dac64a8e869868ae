//! Operators with another form here.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};

use crate::sql::syntax::{binary, call, integer, not};

/// Returns the expression that replaces an operator.
pub fn replace(expr: &Expr) -> Option<Expr> {
    Some(match expr {
        Expr::UnaryOp {
            op: UnaryOperator::BitwiseNot,
            expr,
        } => binary(
            integer(-1),
            BinaryOperator::Minus,
            Expr::Nested(Box::new(expr.as_ref().clone())),
        ),
        // DataFusion does not negate differences of timestamps.
        Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr,
        } => negative(expr)?,
        Expr::UnaryOp {
            op: UnaryOperator::PGPostfixFactorial,
            expr,
        } => call("factorial", vec![expr.as_ref().clone()]),
        Expr::BinaryOp {
            left,
            op: BinaryOperator::PGOverlap,
            right,
        } => call(
            "array_has_any",
            vec![left.as_ref().clone(), right.as_ref().clone()],
        ),
        Expr::InUnnest {
            expr: value,
            array_expr,
            negated,
        } => {
            let list = array_expr.as_ref().clone();
            let has = call("array_has", vec![list, value.as_ref().clone()]);
            if *negated { not(has) } else { has }
        }
        Expr::UnaryOp {
            op: UnaryOperator::PGAbs,
            expr,
        } => call("abs", vec![expr.as_ref().clone()]),
        Expr::BinaryOp {
            left,
            op: BinaryOperator::PGStartsWith,
            right,
        } => call(
            "starts_with",
            vec![left.as_ref().clone(), right.as_ref().clone()],
        ),
        _ => return None,
    })
}

/// `-(b - a)` as `a - b`.
fn negative(expr: &Expr) -> Option<Expr> {
    let nested = |expr: &Expr| Expr::Nested(Box::new(expr.clone()));
    let Expr::Nested(inner) = expr else {
        return None;
    };
    let Expr::BinaryOp {
        left,
        op: BinaryOperator::Minus,
        right,
    } = inner.as_ref()
    else {
        return None;
    };
    let difference = binary(nested(right), BinaryOperator::Minus, nested(left));
    Some(nested(&difference))
}
