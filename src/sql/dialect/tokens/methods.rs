//! `text::VARCHAR.length()`: functions called after a cast, which the parser takes for the name of
//! a type.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::Tokens;

/// Words before a text that make it a value of another type.
const TYPES_OF_TEXTS: [&str; 5] = ["DATE", "INTERVAL", "TIME", "TIMESTAMP", "TIMESTAMPTZ"];

impl Tokens {
    /// `a::INT.abs()` as `(a::INT).abs()`, from the place of the cast.
    pub fn method_of_cast(&mut self, cast: usize) {
        let Some(value) = cast.checked_sub(1) else {
            return;
        };
        let mut end = cast + 2;
        while matches!(self.token(end), Token::LParen | Token::LBracket) {
            end = self.find(end + 1, &[]) + 1;
        }
        let has_method = *self.token(end) == Token::Period
            && matches!(self.token(end + 1), Token::Word(_))
            && *self.token(end + 2) == Token::LParen;
        if has_method {
            let start = self.value_start(value);
            self.replace(end, end, vec![Token::RParen]);
            self.replace(start, start, vec![Token::LParen]);
        }
    }

    /// The first token of the value that ends with a token: `f` in `f(a).b[1]`.
    fn value_start(&self, end: usize) -> usize {
        let mut start = self.opening(end).unwrap_or(end);
        if let Some(before) = start.checked_sub(1) {
            match self.token(end) {
                Token::RBracket if self.ends_value(before) => return self.value_start(before),
                Token::RParen
                    if matches!(self.token(before), Token::Word(_)) && self.ends_value(before) =>
                {
                    start = before;
                }
                Token::RBrace if self.is(before, "MAP") => start = before,
                Token::SingleQuotedString(_) if self.is_one_of(before, &TYPES_OF_TEXTS) => {
                    start = before;
                }
                _ => {}
            }
        }
        let operator = start.checked_sub(1).map(|before| self.token(before));
        match (operator, start.checked_sub(2)) {
            (Some(Token::Period | Token::DoubleColon), Some(value)) => self.value_start(value),
            _ => start,
        }
    }
}
