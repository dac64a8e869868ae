//! The words of a statement before it is parsed.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::sql::locations::Lines;

/// The tokens of a statement without white space and comments.
pub struct Words<'a> {
    pub sql: &'a str,
    pub tokens: Vec<Token>,
    /// The byte range of each token.
    pub ranges: Vec<(usize, usize)>,
}

impl<'a> Words<'a> {
    pub fn new(sql: &'a str, tokens: &[TokenWithSpan]) -> Self {
        let lines = Lines::new(sql);
        let kept = tokens.iter().filter(|token| {
            !matches!(
                token.token,
                Token::Whitespace(_) | Token::EOF | Token::SemiColon
            )
        });
        let (tokens, ranges) = kept
            .map(|token| {
                let range = (lines.offset(token.span.start), lines.offset(token.span.end));
                (token.token.clone(), range)
            })
            .unzip();
        Self {
            sql,
            tokens,
            ranges,
        }
    }

    pub fn token(&self, index: usize) -> &Token {
        self.tokens.get(index).unwrap_or(&Token::EOF)
    }

    /// Whether a token is this word, in any case and without quotes.
    pub fn is(&self, index: usize, word: &str) -> bool {
        self.word(index)
            .is_some_and(|found| found.eq_ignore_ascii_case(word))
    }

    pub fn word(&self, index: usize) -> Option<&str> {
        match self.token(index) {
            Token::Word(word) if word.quote_style.is_none() => Some(&word.value),
            _ => None,
        }
    }

    /// The text of the tokens in a range.
    pub fn text(&self, from: usize, to: usize) -> &'a str {
        let start = self
            .ranges
            .get(from)
            .map_or(self.sql.len(), |range| range.0);
        let end = match to.checked_sub(1).and_then(|last| self.ranges.get(last)) {
            Some(range) => range.1,
            None => self.sql.len(),
        };
        self.sql.get(start..end).unwrap_or_default()
    }

    /// The index of the parenthesis that closes the one at an index.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The index after the brace that closes the one at an index.
    pub fn after_brace(&self, open: usize) -> Option<usize> {
        let mut rest = self.tokens.get(open..)?.iter();
        let close = rest.position(|token| *token == Token::RBrace);
        close.map(|close| open + close + 1)
    }

    /// The indexes of the first parenthesis and of the one that closes it.
    pub fn parentheses(&self) -> Option<(usize, usize)> {
        let open = self.tokens.iter().position(|it| *it == Token::LParen)?;
        Some((open, self.closing(open)?))
    }

    /// The first token at depth 0 that is this word.
    pub fn find(&self, word: &str) -> Option<usize> {
        let mut index = 0;
        while index < self.tokens.len() {
            if *self.token(index) == Token::LParen {
                index = self.closing(index)?;
            } else if self.is(index, word) {
                return Some(index);
            }
            index += 1;
        }
        None
    }
}
