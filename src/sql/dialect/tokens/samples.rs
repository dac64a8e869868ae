//! Samples and percentages of rows.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::{AFTER_FROM, AFTER_SELECT, PERCENT, ROWS, SEED, Tokens, USING_SAMPLE, word};

impl Tokens {
    /// `LIMIT 10%` as `LIMIT percent(10)`.
    pub fn limit(&mut self, at: usize) {
        let number = self.token(at + 1).clone();
        let is_percent = matches!(number, Token::Number(..))
            && (*self.token(at + 2) == Token::Mod || self.is(at + 2, "PERCENT"));
        let is_end = matches!(
            self.token(at + 3),
            Token::EOF | Token::SemiColon | Token::RParen
        ) || self.is(at + 3, "OFFSET");
        if is_percent && is_end {
            let call = vec![word(PERCENT), Token::LParen, number, Token::RParen];
            self.replace(at + 1, at + 3, call);
        }
    }

    /// `TABLESAMPLE reservoir(10%)` as `TABLESAMPLE (10 PERCENT)`, and `TABLESAMPLE 10% (system)`
    /// as `TABLESAMPLE system (10 PERCENT)`.
    pub fn table_sample(&mut self, at: usize) {
        if let [
            number @ Token::Number(..),
            unit,
            Token::LParen,
            method @ Token::Word(_),
            Token::RParen,
        ] = self.tokens(at + 1, at + 6).as_slice()
        {
            let call = [method, &Token::LParen, number, unit, &Token::RParen];
            self.replace(at + 1, at + 6, call.into_iter().cloned().collect());
        }
        if self.is(at + 1, "RESERVOIR") {
            self.replace(at + 1, at + 2, Vec::new());
        }
        for index in at + 1..at + 5 {
            if *self.token(index) == Token::Mod
                && matches!(self.token(index - 1), Token::Number(..))
            {
                self.replace(index, index + 1, vec![word("PERCENT")]);
            }
        }
    }

    /// Moves `USING SAMPLE 10%` to `PREWHERE using_sample(10, 'percent')`: the sample is one of
    /// the tables in FROM.
    pub fn using_sample(&mut self, at: usize) {
        let methods = ["BERNOULLI", "SYSTEM", "RESERVOIR"];
        let end = self.find(at + 2, &AFTER_SELECT);
        let parts = self.tokens(at + 2, end);
        let Some(number) = parts.iter().find(|part| matches!(part, Token::Number(..))) else {
            return;
        };
        let has = |words: &[&str]| (at + 2..end).any(|index| self.is_one_of(index, words));
        let is_plain = !has(&["REPEATABLE"]) && !parts.contains(&Token::Comma);
        let is_percent = parts.contains(&Token::Mod)
            || has(&["PERCENT"])
            || (has(&methods[..2]) && !has(&["ROWS"]));
        let Some(from) = self.find_before(at, "FROM") else {
            return;
        };
        let unit = match (is_plain, is_percent) {
            (false, _) => SEED,
            (true, true) => PERCENT,
            (true, false) => ROWS,
        };
        let call = vec![
            word("PREWHERE"),
            word(USING_SAMPLE),
            Token::LParen,
            number.clone(),
            Token::Comma,
            Token::SingleQuotedString(unit.to_owned()),
            Token::RParen,
        ];
        self.replace(at, end, Vec::new());
        let place = self.find(from + 1, &AFTER_FROM).min(at);
        self.replace(place, place, call);
    }
}
