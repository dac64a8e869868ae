//! `[x * 2 FOR x IN list IF x > 1]`, as in DuckDB and Python: the elements of a list that meet a
//! condition, each as an expression.

use datafusion::sql::sqlparser::ast::{Expr, Ident};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

/// Parses a list comprehension, if there is one. Other lists are left to sqlparser.
pub fn parse(parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
    if parser.peek_token_ref().token != Token::LBracket || !has_for(parser) {
        return None;
    }
    match parser.maybe_parse(parse_parts) {
        Ok(Some(sql)) => Some(sql.parse()),
        Ok(None) => None,
        Err(error) => Some(Err(error)),
    }
}

/// Whether the brackets contain the word FOR. Long lists of values are then not parsed twice.
fn has_for(parser: &Parser<'_>) -> bool {
    let mut depth = 0_usize;
    for number in 0.. {
        match &parser.peek_nth_token_ref(number).token {
            Token::LBracket => depth += 1,
            Token::RBracket => {
                depth -= 1;
                if depth == 0 {
                    return false;
                }
            }
            Token::Word(word) if depth == 1 && word.keyword == Keyword::FOR => return true,
            Token::EOF => return false,
            _ => {}
        }
    }
    false
}

struct Comprehension {
    element: Expr,
    variable: Ident,
    /// The variable for the number of the item.
    number: Option<Ident>,
    list: Expr,
    condition: Option<Expr>,
}

fn parse_parts(parser: &mut Parser<'_>) -> Result<Comprehension, ParserError> {
    parser.expect_token(&Token::LBracket)?;
    let element = parser.parse_expr()?;
    parser.expect_keyword(Keyword::FOR)?;
    let variable = parser.parse_identifier()?;
    let number = if parser.consume_token(&Token::Comma) {
        Some(parser.parse_identifier()?)
    } else {
        None
    };
    parser.expect_keyword(Keyword::IN)?;
    let list = parser.parse_expr()?;
    let condition = if parser.parse_keyword(Keyword::IF) {
        Some(parser.parse_expr()?)
    } else {
        None
    };
    parser.expect_token(&Token::RBracket)?;
    Ok(Comprehension {
        element,
        variable,
        number,
        list,
        condition,
    })
}

impl Comprehension {
    /// Returns the calls of functions with lambdas that mean the same.
    fn parse(self) -> Result<Expr, ParserError> {
        let Self {
            element,
            variable,
            number,
            list,
            condition,
        } = self;
        let sql = match (number, condition) {
            (None, None) => format!("array_transform({list}, {variable} -> {element})"),
            (None, Some(condition)) => format!(
                "array_transform(array_filter({list}, {variable} -> {condition}), {variable} -> {element})"
            ),
            (Some(number), None) => {
                format!("array_transform({list}, ({variable}, {number}) -> {element})")
            }
            // Items are numbered before the condition removes some.
            (Some(number), Some(condition)) => format!(
                "array_transform(array_filter(array_transform({list}, ({variable}, {number}) -> \
                 {{kept: {condition}, value: {element}}}), {variable} -> {variable}['kept']), \
                 {variable} -> {variable}['value'])"
            ),
        };
        Parser::new(&super::CorpusDialect)
            .try_with_sql(&sql)?
            .parse_expr()
    }
}
