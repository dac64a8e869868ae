//! The keys of `ROLLUP`, `CUBE` and `GROUPING SETS`.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::Tokens;

impl Tokens {
    /// `ROLLUP ((a + 1) * 2, b)` as `ROLLUP (((a + 1) * 2), b)`: the parser takes a key that starts
    /// with a parenthesis for a list of keys.
    pub fn group_keys(&mut self, open: usize) {
        let mut at = open + 1;
        loop {
            let start = at;
            while !matches!(
                self.token(at),
                Token::Comma | Token::RParen | Token::SemiColon | Token::EOF
            ) {
                if matches!(
                    self.token(at),
                    Token::LParen | Token::LBracket | Token::LBrace
                ) {
                    at = self.find(at + 1, &[]);
                }
                at += 1;
            }
            if *self.token(start) == Token::LParen && self.find(start + 1, &[]) + 1 < at {
                self.replace(at, at, vec![Token::RParen]);
                self.replace(start, start, vec![Token::LParen]);
                at += 2;
            }
            if *self.token(at) != Token::Comma {
                return;
            }
            at += 1;
        }
    }
}
