//! Operators that the parser knows in other dialects only, or with another meaning.
//!
//! `2 ^ 3` and `2 ** 3` are powers, as in DuckDB, and bind more tightly than `*`. DataFusion's
//! generic dialect takes `^` for `XOR`, silently. `->` and `->>` bind as tightly. The bitwise
//! operators have the same precedence, below `+`; `||` and the list operators bind less tightly
//! still.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use crate::sql::syntax::{call, literal_text, not, text};

/// The precedence of `**`: between `*`, 40, and `::`, 50.
const POWER_PRECEDENCE: u8 = 45;

/// The precedence of `&`, `|`, `<<` and `>>`: less than `+`, 30.
const BITWISE_PRECEDENCE: u8 = 22;

/// The precedence of `||`, `@>`, `<@` and `&&`: more than `=`, 20.
const CONCAT_PRECEDENCE: u8 = 21;

/// The precedence of LIKE.
const GLOB_PRECEDENCE: u8 = 19;

/// The precedence of IN.
const IN_PRECEDENCE: u8 = 20;

/// The precedence of IS.
const IS_PRECEDENCE: u8 = 17;

/// An operator of this module.
#[derive(Clone, Copy)]
enum Operator {
    Power,
    Arrow,
    LongArrow,
    Glob,
    InList,
    /// IS DISTINCT FROM. The parser would include AND and OR in its right side.
    Distinct,
    NotDistinct,
}

/// The next operator, if it is one of this module, the number of its tokens, and whether NOT comes
/// before it.
fn next(parser: &Parser<'_>) -> Option<(Operator, usize, bool)> {
    match &parser.peek_token_ref().token {
        Token::Caret => Some((Operator::Power, 1, false)),
        Token::Mul if parser.peek_nth_token_ref(1).token == Token::Mul => {
            Some((Operator::Power, 2, false))
        }
        Token::Arrow => Some((Operator::Arrow, 1, false)),
        Token::LongArrow => Some((Operator::LongArrow, 1, false)),
        Token::Word(word) if word.keyword == Keyword::IS => {
            let is_next = |at: usize, keyword| matches!(&parser.peek_nth_token_ref(at).token, Token::Word(word) if word.keyword == keyword);
            let is_negated = is_next(1, Keyword::NOT);
            let at = 1 + usize::from(is_negated);
            let operator = if is_negated {
                Operator::NotDistinct
            } else {
                Operator::Distinct
            };
            (is_next(at, Keyword::DISTINCT) && is_next(at + 1, Keyword::FROM)).then_some((
                operator,
                at + 2,
                false,
            ))
        }
        Token::Word(word) if word.quote_style.is_none() => {
            let is_negated = word.keyword == Keyword::NOT;
            let at = usize::from(is_negated);
            let Token::Word(word) = &parser.peek_nth_token_ref(at).token else {
                return None;
            };
            let after = &parser.peek_nth_token_ref(at + 1).token;
            if word.value.eq_ignore_ascii_case("GLOB") && is_value(after) {
                Some((Operator::Glob, at + 1, is_negated))
            } else if word.keyword == Keyword::IN && is_list(after) {
                Some((Operator::InList, at + 1, is_negated))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Whether a token begins a pattern. `glob` is also the name of a table function, and may be an
/// alias.
fn is_value(token: &Token) -> bool {
    matches!(token, Token::SingleQuotedString(_) | Token::Word(_))
}

/// Whether a token begins a list, and not the values or the query after IN.
fn is_list(token: &Token) -> bool {
    match token {
        Token::LBracket => true,
        Token::Word(word) => word.keyword != Keyword::UNNEST,
        _ => false,
    }
}

/// Returns the precedence of the next operator if DuckDB's differs from the parser's.
pub fn precedence(parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
    match parser.peek_token_ref().token {
        Token::Ampersand | Token::Pipe | Token::ShiftLeft | Token::ShiftRight => {
            return Some(Ok(BITWISE_PRECEDENCE));
        }
        Token::StringConcat | Token::AtArrow | Token::ArrowAt | Token::Overlap => {
            return Some(Ok(CONCAT_PRECEDENCE));
        }
        _ => {}
    }
    let (operator, ..) = next(parser)?;
    Some(Ok(match operator {
        Operator::Power | Operator::Arrow | Operator::LongArrow => POWER_PRECEDENCE,
        Operator::Glob => GLOB_PRECEDENCE,
        Operator::InList => IN_PRECEDENCE,
        Operator::Distinct | Operator::NotDistinct => IS_PRECEDENCE,
    }))
}

/// Parses the operator and its right side.
pub fn parse_infix(
    parser: &mut Parser<'_>,
    left: &Expr,
    precedence: u8,
) -> Option<Result<Expr, ParserError>> {
    let (operator, tokens, is_negated) = next(parser)?;
    for _ in 0..tokens {
        parser.next_token();
    }
    let right = parser.parse_subexpr(precedence);
    let expr = right.and_then(|right| infix(operator, left.clone(), right));
    Some(expr.map(|expr| if is_negated { not(expr) } else { expr }))
}

fn infix(operator: Operator, left: Expr, right: Expr) -> Result<Expr, ParserError> {
    let (op, right) = match operator {
        Operator::Power => (BinaryOperator::PGExp, right),
        Operator::Arrow => (BinaryOperator::Arrow, right),
        Operator::LongArrow => (BinaryOperator::LongArrow, right),
        Operator::InList => return Ok(call("array_has", vec![right, left])),
        Operator::Distinct => return Ok(Expr::IsDistinctFrom(Box::new(left), Box::new(right))),
        Operator::NotDistinct => {
            return Ok(Expr::IsNotDistinctFrom(Box::new(left), Box::new(right)));
        }
        Operator::Glob => {
            let Some(pattern) = literal_text(&right) else {
                return Err(ParserError::ParserError(format!(
                    "GLOB takes a literal pattern, not {right}: write regexp_matches(text, pattern)"
                )));
            };
            (BinaryOperator::PGRegexMatch, text(&glob_regex(pattern)))
        }
    };
    Ok(Expr::BinaryOp {
        left: Box::new(left),
        op,
        right: Box::new(right),
    })
}

/// The regular expression of a pattern with `*`, `?`, `[a-z]` and `[!a-z]`.
pub fn glob_regex(pattern: &str) -> String {
    let mut regex = "(?s)^".to_owned();
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '*' => regex.push_str(".*"),
            '?' => regex.push('.'),
            '[' => {
                regex.push('[');
                if characters.next_if_eq(&'!').is_some() {
                    regex.push('^');
                }
                for inner in characters.by_ref() {
                    if inner == ']' {
                        break;
                    }
                    if matches!(inner, '[' | '^' | '\\' | '&' | '~') {
                        regex.push('\\');
                    }
                    regex.push(inner);
                }
                regex.push(']');
            }
            '\\' => {
                if let Some(escaped) = characters.next() {
                    regex.push_str(&regex::escape(&escaped.to_string()));
                }
            }
            other => regex.push_str(&regex::escape(&other.to_string())),
        }
    }
    regex.push('$');
    regex
}

/// The regular expression of a pattern of LIKE or ILIKE.
pub fn like_regex(pattern: &str, ignores_case: bool) -> String {
    let mut regex = if ignores_case { "(?is)^" } else { "(?s)^" }.to_owned();
    for character in pattern.chars() {
        match character {
            '%' => regex.push_str(".*"),
            '_' => regex.push('.'),
            other => regex.push_str(&regex::escape(&other.to_string())),
        }
    }
    regex.push('$');
    regex
}

/// Parses a sign, which binds more tightly than `^`: `-2 ^ 2` is 4. `@ -2` is 2.
pub fn parse_prefix(parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
    let op = match parser.peek_token_ref().token {
        Token::Minus => UnaryOperator::Minus,
        Token::Plus => UnaryOperator::Plus,
        Token::AtSign => UnaryOperator::PGAbs,
        _ => return None,
    };
    parser.next_token();
    let value = parser.parse_subexpr(POWER_PRECEDENCE);
    Some(value.map(|value| Expr::UnaryOp {
        op,
        expr: Box::new(value),
    }))
}
