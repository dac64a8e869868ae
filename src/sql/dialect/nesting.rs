//! Limits the nesting of statements before they are parsed.
//!
//! The parser counts neither nested types nor EXPLAIN, reports NOT and CASE as syntax errors when
//! its limit is reached, and needs long for brackets. DataFusion's checks of plans take twice as
//! long for each query in a query's expressions.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

/// The maximum number of queries around another one that are part of expressions.
const MAX_SUBQUERIES: usize = 16;

/// Fails if brackets, CASE, types or queries are nested too deeply, or a token repeats too often.
pub fn check(tokens: &[TokenWithSpan], limit: usize) -> Result<(), ParserError> {
    let tokens = tokens.iter().map(|token| &token.token);
    let mut tokens = tokens
        .filter(|token| !matches!(token, Token::Whitespace(_)))
        .peekable();
    let mut nesting = Nesting::default();
    let mut before = &Token::EOF;
    while let Some(token) = tokens.next() {
        nesting.add(before, token, tokens.peek().copied());
        if nesting.is_beyond(limit) {
            return Err(ParserError::RecursionLimitExceeded);
        }
        before = token;
    }
    Ok(())
}

#[derive(Default)]
struct Nesting {
    /// For each open bracket: whether it begins a query in an expression.
    brackets: Vec<bool>,
    subqueries: usize,
    cases: usize,
    /// The types in angle brackets around the current one.
    types: usize,
    /// The pairs of `[]` in a row.
    lists: usize,
    /// The number of equal tokens in a row.
    repeated: usize,
}

impl Nesting {
    fn add(&mut self, before: &Token, token: &Token, after: Option<&Token>) {
        self.repeated = if before == token {
            self.repeated + 1
        } else {
            0
        };
        match token {
            Token::RBracket if *before == Token::LBracket => self.lists += 1,
            Token::LBracket if *before == Token::RBracket => {}
            _ => self.lists = 0,
        }
        match token {
            Token::LParen => {
                let is_subquery = begins_query(after) && !precedes_table(before);
                self.subqueries += usize::from(is_subquery);
                self.brackets.push(is_subquery);
            }
            Token::LBracket | Token::LBrace => self.brackets.push(false),
            Token::RParen | Token::RBracket | Token::RBrace => {
                let is_subquery = self.brackets.pop().unwrap_or_default();
                self.subqueries -= usize::from(is_subquery);
            }
            Token::Lt if is_nested_type(before) => self.types += 1,
            Token::Gt => self.types = self.types.saturating_sub(1),
            Token::ShiftRight => self.types = self.types.saturating_sub(2),
            token => match keyword(token) {
                Some(Keyword::CASE) => self.cases += 1,
                Some(Keyword::END) => self.cases = self.cases.saturating_sub(1),
                _ => {}
            },
        }
    }

    fn is_beyond(&self, limit: usize) -> bool {
        let levels = [self.types, self.lists, self.repeated];
        self.subqueries > MAX_SUBQUERIES
            || self.brackets.len() + self.cases > limit
            || levels.iter().any(|levels| *levels > limit)
    }
}

fn keyword(token: &Token) -> Option<Keyword> {
    match token {
        Token::Word(word) => Some(word.keyword),
        _ => None,
    }
}

fn begins_query(token: Option<&Token>) -> bool {
    let keyword = token.and_then(keyword);
    matches!(
        keyword,
        Some(Keyword::SELECT | Keyword::WITH | Keyword::FROM)
    )
}

/// Whether a query after a token is a table, or a part of a query.
fn precedes_table(token: &Token) -> bool {
    let keyword = keyword(token);
    matches!(token, Token::LParen | Token::Comma | Token::EOF)
        || matches!(
            keyword,
            Some(Keyword::FROM | Keyword::JOIN | Keyword::LATERAL | Keyword::AS)
        )
        || matches!(
            keyword,
            Some(Keyword::UNION | Keyword::ALL | Keyword::EXCEPT | Keyword::INTERSECT)
        )
        || matches!(keyword, Some(Keyword::MATERIALIZED | Keyword::COPY))
}

fn is_nested_type(token: &Token) -> bool {
    let keyword = keyword(token);
    matches!(
        keyword,
        Some(Keyword::ARRAY | Keyword::STRUCT | Keyword::MAP)
    )
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::Tokenizer;

    use super::*;

    fn is_accepted(sql: &str) -> bool {
        let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize_with_location();
        check(&tokens.unwrap(), 50).is_ok()
    }

    #[test]
    fn nesting_is_limited() {
        for (start, inner, end, levels) in [
            ("(", "1", ")", 50),
            ("[", "1", "]", 50),
            ("{a: ", "1", "}", 50),
            ("f(", "1", ")", 50),
            ("NOT ", "true", "", 50),
            ("- ", "1", "", 50),
            ("CASE WHEN a THEN 1 ELSE ", "0", " END", 50),
            ("STRUCT(a ", "INT", ")", 50),
            ("ARRAY<", "INT", "> ", 50),
            ("", "INT", "[]", 50),
            ("EXPLAIN ", "SELECT 1", "", 50),
            ("SELECT * FROM (", "SELECT 1", ")", 50),
            ("WITH a AS (", "SELECT 1", ") SELECT 1", 50),
            ("SELECT 1 + (", "SELECT 1", ")", 16),
            ("SELECT 1 WHERE EXISTS (", "SELECT 1", ")", 16),
        ] {
            let nested = |levels| format!("{}{inner}{}", start.repeat(levels), end.repeat(levels));
            assert!(is_accepted(&nested(levels)), "{start}{inner}{end}");
            assert!(!is_accepted(&nested(levels + 2)), "{start}{inner}{end}");
        }
    }

    #[test]
    fn long_statements_are_not_nested() {
        for part in [
            "(1, 'a'), ",
            "a + ",
            "a < b AND c > d AND ",
            "CASE WHEN a THEN 1 END + ",
            "a::INT[] || ",
            "SELECT 1 UNION ALL (SELECT 2) UNION ",
            "'a', ",
        ] {
            assert!(is_accepted(&part.repeat(1000)), "{part}");
        }
    }
}
