//! `PIVOT` and `UNPIVOT` statements as clauses of FROM.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::{Tokens, word};

impl Tokens {
    /// Moves the GROUP BY in `t PIVOT (sum(a) FOR b IN (1, 2) GROUP BY c)` after the parentheses.
    pub fn pivot_groups(&mut self, open: usize) {
        let group = self.find(open + 1, &["GROUP"]);
        let close = self.find(open + 1, &[]);
        if !self.is(group, "GROUP") || *self.token(close) != Token::RParen {
            return;
        }
        let end = close + if self.is(close + 1, "AS") { 3 } else { 1 };
        let keys = self.tokens(group, close);
        let alias = self.tokens(close, end);
        self.replace(group, end, [alias, keys].concat());
    }

    /// `PIVOT t ON a USING sum(b) GROUP BY c` as `SELECT * FROM t PIVOT (sum(b) FOR a IN (ANY))
    /// GROUP BY c`.
    pub fn pivot(&mut self, at: usize) {
        let on = self.find(at + 1, &["ON"]);
        if !self.is(on, "ON") {
            return;
        }
        let after = ["USING", "GROUP", "ORDER", "LIMIT"];
        let ends = ["IN", "USING", "GROUP", "ORDER", "LIMIT"];
        let columns_end = self.find(on + 1, &ends);
        let columns = self.tokens(on + 1, columns_end);
        let using = self.find(columns_end, &after);
        let values = if self.is(columns_end, "IN") {
            self.tokens(columns_end + 1, using)
        } else {
            vec![Token::LParen, word("ANY"), Token::RParen]
        };
        let end = self.find(using, &after[1..]);
        let aggregates = if self.is(using, "USING") {
            self.tokens(using + 1, end)
        } else {
            vec![word("count"), Token::LParen, Token::Mul, Token::RParen]
        };
        let mut clause = vec![word("PIVOT"), Token::LParen];
        clause.extend(aggregates);
        clause.push(word("FOR"));
        if columns.len() > 1 {
            // One for the list of columns, one for an expression.
            let is_list = columns.contains(&Token::Comma);
            let depth = if is_list { 1 } else { 2 };
            clause.extend(vec![Token::LParen; depth]);
            clause.extend(columns);
            clause.extend(vec![Token::RParen; depth]);
        } else {
            clause.extend(columns);
        }
        clause.push(word("IN"));
        clause.extend(values);
        clause.push(Token::RParen);
        self.replace(on, end, clause);
        self.replace(at, at + 1, vec![word("SELECT"), Token::Mul, word("FROM")]);
    }

    /// `UNPIVOT t ON a, b INTO NAME k VALUE v` as `SELECT * FROM t UNPIVOT (v FOR k IN (a, b))`.
    pub fn unpivot(&mut self, at: usize) {
        let on = self.find(at + 1, &["ON"]);
        let into = self.find(on, &["INTO", "ORDER", "LIMIT"]);
        if !self.is(on, "ON") {
            return;
        }
        let columns = self.tokens(on + 1, into);
        let (mut name, mut values, mut end) = (word("name"), vec![word("value")], into);
        if self.is(into, "INTO") && self.is(into + 1, "NAME") && self.is(into + 3, "VALUE") {
            name = self.token(into + 2).clone();
            end = into + 5;
            while *self.token(end) == Token::Comma {
                end += 2;
            }
            values = self.tokens(into + 4, end);
        }
        if values.len() > 1 {
            values = [vec![Token::LParen], values, vec![Token::RParen]].concat();
        }
        let mut clause = vec![word("UNPIVOT"), Token::LParen];
        clause.extend(values);
        clause.extend([word("FOR"), name, word("IN"), Token::LParen]);
        clause.extend(columns);
        clause.extend([Token::RParen, Token::RParen]);
        self.replace(on, end, clause);
        self.replace(at, at + 1, vec![word("SELECT"), Token::Mul, word("FROM")]);
    }
}
