//! `SELECT a: 1 FROM x: t` as `SELECT 1 AS a FROM t AS x`, as in DuckDB.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::{AFTER_FROM, AFTER_SELECT, Tokens, word};

/// Words that end a table in FROM.
const AFTER_TABLE: [&str; 15] = [
    "ANTI",
    "ASOF",
    "CROSS",
    "FULL",
    "GLOBAL",
    "INNER",
    "JOIN",
    "LEFT",
    "NATURAL",
    "ON",
    "POSITIONAL",
    "PREWHERE",
    "RIGHT",
    "SEMI",
    "USING",
];

impl Tokens {
    /// Moves the names before items of SELECT and FROM after them.
    pub fn prefix_aliases(&mut self) {
        let mut open = Vec::new();
        for at in 0..self.0.len() {
            match self.token(at) {
                token @ (Token::LParen | Token::LBracket | Token::LBrace) => {
                    open.push(token.clone())
                }
                Token::RParen | Token::RBracket | Token::RBrace => {
                    open.pop();
                }
                // In braces and brackets, the name is a field, or begins a slice.
                Token::Word(_)
                    if *self.token(at + 1) == Token::Colon
                        && open.last().is_none_or(|open| *open == Token::LParen) =>
                {
                    self.prefix_alias(at);
                }
                _ => {}
            }
        }
    }

    fn prefix_alias(&mut self, at: usize) {
        let Some(before) = at.checked_sub(1) else {
            return;
        };
        let is_first = self.is_one_of(before, &["SELECT", "DISTINCT", "ALL", "FROM", "JOIN"]);
        let is_next = *self.token(before) == Token::Comma
            && (self.find_before(before, "SELECT").is_some()
                || self.find_before(before, "FROM").is_some());
        if !is_first && !is_next {
            return;
        }
        let mut depth = 0_usize;
        let mut end = at + 2;
        loop {
            match self.token(end) {
                Token::EOF | Token::SemiColon => break,
                Token::LParen | Token::LBracket | Token::LBrace => depth += 1,
                Token::RParen | Token::RBracket | Token::RBrace if depth == 0 => break,
                Token::RParen | Token::RBracket | Token::RBrace => depth -= 1,
                Token::Comma if depth == 0 => break,
                _ if depth == 0 && self.ends_item(end) => break,
                _ => {}
            }
            end += 1;
        }
        let end = end.min(self.0.len());
        let name = self.token(at).clone();
        self.replace(end, end, vec![word("AS"), name]);
        self.0.drain(at..at + 2);
    }

    /// Whether an item of SELECT or FROM ends before a word.
    fn ends_item(&self, at: usize) -> bool {
        // a IS DISTINCT FROM b
        let is_from = self.is(at, "FROM") && !self.is(at - 1, "DISTINCT");
        let is_call =
            *self.token(at + 1) == Token::LParen && self.is_one_of(at, &["LEFT", "RIGHT"]);
        is_from
            || self.is_one_of(at, &AFTER_FROM)
            || self.is_one_of(at, &AFTER_SELECT)
            || (self.is_one_of(at, &AFTER_TABLE) && !is_call)
    }
}
