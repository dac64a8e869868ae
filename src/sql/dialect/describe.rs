//! Parses `DESCRIBE read_x('…')` as `DESCRIBE SELECT * FROM read_x('…')`.

use datafusion::sql::sqlparser::ast::Statement;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

/// Parses `DESCRIBE` with a table function. sqlparser knows the name of a table and a query only.
pub fn parse(parser: &mut Parser<'_>) -> Option<Result<Statement, ParserError>> {
    let Token::Word(first) = parser.peek_nth_token(0).token else {
        return None;
    };
    let is_describe = matches!(first.keyword, Keyword::DESCRIBE | Keyword::DESC);
    let is_call = matches!(parser.peek_nth_token(1).token, Token::Word(_))
        && parser.peek_nth_token(2).token == Token::LParen;
    if !is_describe || !is_call {
        return None;
    }
    parser.next_token();
    Some(parse_described(parser))
}

fn parse_described(parser: &mut Parser<'_>) -> Result<Statement, ParserError> {
    let sql = format!("DESCRIBE SELECT * FROM {}", parser.parse_table_factor()?);
    Parser::new(&GenericDialect {})
        .try_with_sql(&sql)?
        .parse_statement()
}
