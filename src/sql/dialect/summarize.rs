//! Parses `SUMMARIZE table` and `SUMMARIZE SELECT …` as `SELECT * FROM summarize('SELECT …')`.

use datafusion::sql::sqlparser::ast::Statement;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use crate::sql::syntax::literal;

/// The statement, and the table function that it calls.
pub const SUMMARIZE: &str = "summarize";

/// The table function that `(DESCRIBE …)` in FROM calls.
pub const DESCRIBE: &str = "describe";

/// Parses `SUMMARIZE table` and `SUMMARIZE query`, which sqlparser does not know.
pub fn parse(parser: &mut Parser<'_>) -> Option<Result<Statement, ParserError>> {
    let token = parser.peek_token();
    let Token::Word(word) = token.token else {
        return None;
    };
    if word.quote_style.is_some() || !word.value.eq_ignore_ascii_case(SUMMARIZE) {
        return None;
    }
    parser.next_token();
    Some(parse_summarized(parser))
}

fn parse_summarized(parser: &mut Parser<'_>) -> Result<Statement, ParserError> {
    let keyword = match parser.peek_token().token {
        Token::Word(word) => word.keyword,
        Token::LParen => Keyword::SELECT,
        _ => Keyword::NoKeyword,
    };
    let query = match keyword {
        Keyword::SELECT | Keyword::WITH | Keyword::FROM | Keyword::VALUES => {
            parser.parse_query()?.to_string()
        }
        _ => format!("SELECT * FROM {}", parser.parse_table_factor()?),
    };
    let sql = format!("SELECT * FROM {SUMMARIZE}({})", literal(&query));
    Parser::new(&GenericDialect {})
        .try_with_sql(&sql)?
        .parse_statement()
}
