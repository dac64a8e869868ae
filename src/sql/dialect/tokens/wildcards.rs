//! `* LIKE 'a%'` as `COLUMNS('^a.*$')`, and `f(*COLUMNS(…))` as `f(unpacked_columns(…))`.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::super::operators::{glob_regex, like_regex};
use super::{Tokens, UNPACKED, word};

impl Tokens {
    /// Rewrites a wildcard with a pattern, or before `COLUMNS`.
    pub fn wildcard(&mut self, at: usize) {
        let Some(before) = at.checked_sub(1) else {
            return;
        };
        let is_after_comma = *self.token(before) == Token::Comma;
        let is_argument = is_after_comma || *self.token(before) == Token::LParen;
        if is_argument && self.is(at + 1, "COLUMNS") && *self.token(at + 2) == Token::LParen {
            self.replace(at, at + 2, vec![word(UNPACKED)]);
            return;
        }
        if !is_after_comma && !self.is_one_of(before, &["SELECT", "DISTINCT"]) {
            return;
        }
        let negated = usize::from(self.is(at + 1, "NOT"));
        let operator = at + 1 + negated;
        let is_similar = self.is(operator, "SIMILAR") && self.is(operator + 1, "TO");
        let pattern_at = operator + 1 + usize::from(is_similar);
        let Token::SingleQuotedString(pattern) = self.token(pattern_at) else {
            return;
        };
        let regex = if is_similar {
            format!("^(?:{pattern})$")
        } else if self.is(operator, "LIKE") {
            like_regex(pattern, false)
        } else if self.is(operator, "ILIKE") {
            like_regex(pattern, true)
        } else if self.is(operator, "GLOB") {
            glob_regex(pattern)
        } else {
            return;
        };
        let mut call = vec![word("COLUMNS"), Token::LParen];
        if negated == 1 {
            call.push(word("NOT"));
        }
        call.extend([Token::SingleQuotedString(regex), Token::RParen]);
        self.replace(at, pattern_at + 1, call);
    }
}
