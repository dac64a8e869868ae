//! `2 ^ 3` and `2 ** 3` are powers, as in DuckDB, and bind more tightly than `*`. DataFusion's
//! generic dialect takes `^` for `XOR`, silently.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

/// Between that of `*`, 40, and that of `::`, 50.
const POWER_PRECEDENCE: u8 = 45;

/// Returns the precedence of the next operator if that is a power.
pub fn precedence(parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
    (power_tokens(parser) > 0).then_some(Ok(POWER_PRECEDENCE))
}

/// The number of tokens of the operator `^` or `**`; 0 if there is another one.
fn power_tokens(parser: &Parser<'_>) -> usize {
    match parser.peek_token_ref().token {
        Token::Caret => 1,
        Token::Mul if parser.peek_nth_token_ref(1).token == Token::Mul => 2,
        _ => 0,
    }
}

/// Parses the operator and its right side.
pub fn parse_infix(
    parser: &mut Parser<'_>,
    left: &Expr,
    precedence: u8,
) -> Option<Result<Expr, ParserError>> {
    let tokens = power_tokens(parser);
    if tokens == 0 {
        return None;
    }
    for _ in 0..tokens {
        parser.next_token();
    }
    let right = parser.parse_subexpr(precedence);
    Some(right.map(|right| Expr::BinaryOp {
        left: Box::new(left.clone()),
        op: BinaryOperator::PGExp,
        right: Box::new(right),
    }))
}

/// Parses a sign, which binds more tightly than `^`: `-2 ^ 2` is 4.
pub fn parse_prefix(parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
    let op = match parser.peek_token_ref().token {
        Token::Minus => UnaryOperator::Minus,
        Token::Plus => UnaryOperator::Plus,
        _ => return None,
    };
    parser.next_token();
    let value = parser.parse_subexpr(POWER_PRECEDENCE);
    Some(value.map(|value| Expr::UnaryOp {
        op,
        expr: Box::new(value),
    }))
}
