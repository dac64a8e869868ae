//! `2 ^ 3` is a power, as in DuckDB and PostgreSQL, and binds more tightly than `*`. DataFusion's
//! generic dialect takes `^` for `XOR`, silently.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

/// Between that of `*`, 40, and that of `::`, 50.
const POWER_PRECEDENCE: u8 = 45;

/// Returns the precedence of the next token if that is `^`.
pub fn precedence(parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
    (parser.peek_token_ref().token == Token::Caret).then_some(Ok(POWER_PRECEDENCE))
}

/// Parses `^` and its right side.
pub fn parse_infix(
    parser: &mut Parser<'_>,
    left: &Expr,
    precedence: u8,
) -> Option<Result<Expr, ParserError>> {
    if parser.peek_token_ref().token != Token::Caret {
        return None;
    }
    parser.next_token();
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
