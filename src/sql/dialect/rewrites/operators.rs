//! Operators with another form here.

use datafusion::sql::sqlparser::ast::{BinaryOperator, DataType, Expr, UnaryOperator};

use crate::sql::syntax::{binary, call, cast, integer, not};

/// Window functions that return unsigned integers.
const UNSIGNED: [&str; 4] = ["dense_rank", "ntile", "rank", "row_number"];

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
        // DataFusion negates neither unsigned integers nor differences of timestamps.
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

fn negative(expr: &Expr) -> Option<Expr> {
    let nested = |expr: &Expr| Expr::Nested(Box::new(expr.clone()));
    match expr {
        Expr::Nested(inner) => match inner.as_ref() {
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Minus,
                right,
            } => Some(nested(&binary(
                nested(right),
                BinaryOperator::Minus,
                nested(left),
            ))),
            _ => None,
        },
        Expr::Function(function) => {
            let name = function.name.to_string().to_ascii_lowercase();
            let is_unsigned = function.over.is_some() && UNSIGNED.contains(&name.as_str());
            is_unsigned.then(|| {
                let signed = cast(expr.clone(), DataType::BigInt(None));
                binary(integer(0), BinaryOperator::Minus, signed)
            })
        }
        _ => None,
    }
}
