//! Clauses of other engines that the parser does not know, written as clauses that it does.
//!
//! Tokens keep their places in the statement, so errors point at what the user wrote. The syntax
//! tree is rewritten next ([`rewrites`](super::rewrites)).
//!
//! ```text
//! aliases    SELECT a: 1
//! groups     keys of ROLLUP, CUBE and GROUPING SETS
//! literals   numbers and texts that the tokenizer divides
//! methods    functions called after a cast
//! pivots     PIVOT and UNPIVOT
//! samples    samples and percentages of rows
//! wildcards  * LIKE 'a%', f(*COLUMNS(…))
//! ```

mod aliases;
mod groups;
mod literals;
mod methods;
mod pivots;
mod samples;
mod wildcards;

use datafusion::sql::sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::summarize::{DESCRIBE, SUMMARIZE};
use crate::sql::syntax::literal;

/// The function in `LIMIT` that marks a percentage of the rows.
pub const PERCENT: &str = "percent";

/// The function in `PREWHERE` that replaces `USING SAMPLE`. The arguments are a number and
/// [`ROWS`], [`PERCENT`] or [`SEED`].
pub const USING_SAMPLE: &str = "using_sample";

/// The unit of a sample by number.
pub const ROWS: &str = "rows";

/// The unit of a sample with a seed, which is not supported.
pub const SEED: &str = "seed";

/// The function that replaces `*COLUMNS(…)`, the columns as arguments of a function.
pub const UNPACKED: &str = "unpacked_columns";

/// The column list of an `INSERT … BY NAME`.
pub const BY_NAME: &str = "BY NAME";

/// Words that begin the clauses after FROM.
const AFTER_FROM: [&str; 5] = ["WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY"];

/// Words that begin the clauses after a query without set operations.
const AFTER_SELECT: [&str; 7] = [
    "ORDER",
    "LIMIT",
    "OFFSET",
    "FETCH",
    "UNION",
    "EXCEPT",
    "INTERSECT",
];

/// The units of intervals.
const UNITS: [&str; 16] = [
    "YEAR", "YEARS", "QUARTER", "QUARTERS", "MONTH", "MONTHS", "WEEK", "WEEKS", "DAY", "DAYS",
    "HOUR", "HOURS", "MINUTE", "MINUTES", "SECOND", "SECONDS",
];

/// Words that the parser takes for the start of a clause or of a value.
const COLUMNS: [&str; 11] = [
    "CLUSTER",
    "DISTRIBUTE",
    "EXCLUDE",
    "EXPLAIN",
    "INTERVAL",
    "SORT",
    "STRUCT",
    "TOP",
    "TRIM",
    "VALUES",
    "VIEW",
];

/// Functions that take `IGNORE NULLS`.
const TAKE_NULL_TREATMENT: [&str; 11] = [
    "any_value",
    "array_agg",
    "first",
    "first_value",
    "lag",
    "last",
    "last_value",
    "lead",
    "list",
    "nth_value",
    "string_agg",
];

/// Returns the tokens in a form that the parser knows.
pub fn rewrite(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut tokens = Tokens(literals::join_parts(tokens));
    tokens.rewrite_start();
    let mut index = 0;
    while index < tokens.0.len() {
        tokens.rewrite_at(index);
        index += 1;
    }
    tokens.select_all();
    tokens.prefix_aliases();
    tokens.0
}

/// The tokens of a statement without white space.
struct Tokens(Vec<TokenWithSpan>);

impl Tokens {
    fn token(&self, index: usize) -> &Token {
        self.0.get(index).map_or(&Token::EOF, |token| &token.token)
    }

    /// Whether a token is this word, in any case and without quotes.
    fn is(&self, index: usize, word: &str) -> bool {
        matches!(
            self.token(index),
            Token::Word(found) if found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word)
        )
    }

    fn is_one_of(&self, index: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(index, word))
    }

    /// Replaces tokens. The new ones have the place of the first.
    fn replace(&mut self, from: usize, to: usize, tokens: Vec<Token>) {
        let span = self.span(from);
        let new = tokens
            .into_iter()
            .map(|token| TokenWithSpan { token, span });
        self.0.splice(from..to, new);
    }

    fn span(&self, index: usize) -> Span {
        let token = self.0.get(index).or_else(|| self.0.last());
        token.map_or_else(Span::empty, |token| token.span)
    }

    /// The tokens of a range, to be moved.
    fn tokens(&self, from: usize, to: usize) -> Vec<Token> {
        let range = self.0.get(from..to).unwrap_or_default();
        range.iter().map(|token| token.token.clone()).collect()
    }

    /// The first token from `from` on, in the same parentheses, that is one of `words` or ends
    /// the query.
    fn find(&self, from: usize, words: &[&str]) -> usize {
        let mut depth = 0_usize;
        let mut index = from;
        loop {
            match self.token(index) {
                Token::EOF | Token::SemiColon => return index.min(self.0.len()),
                Token::LParen | Token::LBracket | Token::LBrace => depth += 1,
                Token::RParen | Token::RBracket | Token::RBrace if depth == 0 => return index,
                Token::RParen | Token::RBracket | Token::RBrace => depth -= 1,
                Token::Word(_) if depth == 0 && self.is_one_of(index, words) => return index,
                _ => {}
            }
            index += 1;
        }
    }

    /// The last token before `before`, in the same parentheses, that is this word.
    fn find_before(&self, before: usize, word: &str) -> Option<usize> {
        let mut depth = 0_usize;
        for index in (0..before).rev() {
            match self.token(index) {
                Token::RParen | Token::RBracket | Token::RBrace => depth += 1,
                Token::LParen | Token::LBracket | Token::LBrace if depth == 0 => return None,
                Token::LParen | Token::LBracket | Token::LBrace => depth -= 1,
                _ if depth == 0 && self.is(index, word) => return Some(index),
                _ => {}
            }
        }
        None
    }

    /// Rewrites clauses that only the start of a statement can have.
    fn rewrite_start(&mut self) {
        if self.is(0, "TABLE") {
            self.replace(0, 1, vec![word("SELECT"), Token::Mul, word("FROM")]);
        } else if self.is_one_of(0, &["DESCRIBE", "DESC"])
            && self.is(1, "TABLE")
            && matches!(self.token(2), Token::SingleQuotedString(_) | Token::Word(_))
        {
            self.replace(1, 2, Vec::new());
        } else if self.is(0, "EXPLAIN") {
            let format = self.find_format();
            if self.is(format, "JSON") {
                self.replace(format, format + 1, vec![word("PGJSON")]);
            }
        } else if self.is(0, "CREATE") {
            // In a macro, AS TABLE has another meaning.
            let is_macro = (1..5).any(|at| self.is_one_of(at, &["FUNCTION", "MACRO"]));
            let query = self.find(1, &["AS"]) + 1;
            if !is_macro && self.is(query, "TABLE") {
                self.replace(
                    query,
                    query + 1,
                    vec![word("SELECT"), Token::Mul, word("FROM")],
                );
            }
        } else if self.is(0, "PREPARE") {
            let mut number = 0;
            for token in &mut self.0 {
                if matches!(&token.token, Token::Placeholder(name) if name == "?") {
                    number += 1;
                    token.token = Token::Placeholder(format!("${number}"));
                }
            }
        } else if self.is(0, "INSERT") {
            let by = self.find(1, &["BY"]);
            if self.is(by + 1, "POSITION") {
                self.replace(by, by + 2, Vec::new());
            } else if self.is(by + 1, "NAME") {
                let columns = vec![Token::LParen, quote(BY_NAME), Token::RParen];
                self.replace(by, by + 2, columns);
            }
        }
    }

    /// The place of the format of EXPLAIN, with or without parentheses.
    fn find_format(&self) -> usize {
        let format = (1..6).find(|at| self.is(*at, "FORMAT"));
        format.map_or(self.0.len(), |at| at + 1)
    }

    /// `(SUMMARIZE t)` and `(DESCRIBE t)` in FROM as calls of table functions.
    fn describe(&mut self, at: usize) {
        let is_table = *self.token(at - 1) == Token::LParen
            && (self.is_one_of(at.saturating_sub(2), &["FROM", "JOIN"])
                || *self.token(at.saturating_sub(2)) == Token::Comma);
        let end = self.find(at + 1, &[]);
        if at < 2 || !is_table || *self.token(end) != Token::RParen {
            return;
        }
        let function = if self.is(at, "SUMMARIZE") {
            SUMMARIZE
        } else {
            DESCRIBE
        };
        let first = at + 1 + usize::from(self.is(at + 1, "TABLE"));
        let is_query = *self.token(first) == Token::LParen
            || self.is_one_of(first, &["FROM", "SELECT", "VALUES", "WITH"]);
        let tokens = self
            .tokens(first, end)
            .into_iter()
            .map(|token| match token {
                Token::SingleQuotedString(text) => literal(&text),
                token => token.to_string(),
            });
        let tokens: Vec<String> = tokens.collect();
        let select = if is_query { "" } else { "SELECT * FROM " };
        let query = format!("{select}{}", tokens.join(" "));
        let call = vec![
            word(function),
            Token::LParen,
            Token::SingleQuotedString(query),
            Token::RParen,
        ];
        self.replace(at - 1, end + 1, call);
    }

    /// Whether a word that begins a clause is a column: `SELECT left, top FROM boxes`.
    fn is_column(&self, at: usize) -> bool {
        if at == 0 || !self.is_one_of(at, &COLUMNS) {
            return false;
        }
        let is_first = matches!(self.token(at - 1), Token::Comma | Token::LParen)
            || self.is_one_of(at - 1, &["SELECT", "DISTINCT", "BY"]);
        let is_last = match self.token(at + 1) {
            Token::Comma | Token::Period | Token::RParen | Token::SemiColon | Token::EOF => true,
            Token::Plus | Token::Minus | Token::Mul | Token::Div | Token::DoubleColon => {
                self.is(at, "TOP")
            }
            _ => self.is_one_of(at + 1, &["FROM", "AS"]),
        };
        is_first && is_last
    }

    fn rewrite_at(&mut self, at: usize) {
        if *self.token(at) == Token::Mul {
            self.wildcard(at);
            return;
        }
        if *self.token(at) == Token::LBracket && *self.token(at + 1) == Token::DoubleColon {
            self.slice(at + 1);
            return;
        }
        if *self.token(at) == Token::DoubleColon {
            self.method_of_cast(at);
            return;
        }
        let Token::Word(found) = self.token(at) else {
            return;
        };
        if found.quote_style.is_some() {
            return;
        }
        // The tokenizer takes `@(` for the start of a name.
        if let Some(rest) = found.value.strip_prefix("@(") {
            let mut absolute = vec![Token::AtSign, Token::LParen];
            if rest.starts_with(|first: char| first.is_ascii_digit()) {
                absolute.push(Token::Number(rest.to_owned(), false));
            } else if !rest.is_empty() {
                absolute.push(word(rest));
            }
            self.replace(at, at + 1, absolute);
            return;
        }
        if self.is_column(at) {
            let name = found.value.to_ascii_lowercase();
            self.replace(at, at + 1, vec![quote(&name)]);
            return;
        }
        match found.value.to_ascii_uppercase().as_str() {
            // The parser takes the column for a function without parentheses.
            "USER"
                if *self.token(at + 1) == Token::Period
                    || *self.token(at.saturating_sub(1)) == Token::Period =>
            {
                self.replace(at, at + 1, vec![quote("user")]);
            }
            // The default.
            "EXCLUDE" if self.is(at + 1, "NO") && self.is(at + 2, "OTHERS") => {
                self.replace(at, at + 3, Vec::new());
            }
            // The parser takes an interval without a cast before PRECEDING.
            "INTERVAL"
                if *self.token(at.saturating_sub(1)) == Token::DoubleColon
                    && self.is_one_of(at + 1, &["PRECEDING", "FOLLOWING"]) =>
            {
                self.replace(at - 1, at + 1, Vec::new());
            }
            // The column of BigQuery's WITH OFFSET. The clause has a number.
            "OFFSET"
                if !self.is(at.saturating_sub(1), "WITH")
                    && (*self.token(at + 1) == Token::Comma
                        || self.is(at + 1, "FROM")
                        || (*self.token(at.saturating_sub(1)) == Token::Comma
                            && matches!(self.token(at + 1), Token::EOF | Token::SemiColon))) =>
            {
                self.replace(at, at + 1, vec![quote("offset")]);
            }
            "LIMIT" => self.limit(at),
            "DESCRIBE" | "SUMMARIZE" if at > 1 => self.describe(at),
            "STRUCT"
                if self.is(at.saturating_sub(1), "AS")
                    && self.is(at.saturating_sub(2), "SELECT") =>
            {
                self.select_struct(at);
            }
            "STRUCT" => self.struct_type(at),
            "ARRAY" if *self.token(at + 1) == Token::Lt => self.array_of_type(at),
            // Names that the parser takes for its own forms: `text.trim()`.
            "TRIM" | "SUBSTRING" if self.is_method(at) => {
                let name = if self.is(at, "TRIM") { "btrim" } else { "mid" };
                self.replace(at, at + 1, vec![word(name)]);
            }
            // BigQuery's prefix, with which errors are NULL.
            "SAFE"
                if *self.token(at + 1) == Token::Period && *self.token(at + 3) == Token::LParen =>
            {
                self.replace(at, at + 2, Vec::new());
            }
            // Spark's exists(list, x -> …)
            "EXISTS"
                if *self.token(at + 1) == Token::LParen
                    && !self.is_one_of(
                        at + 2,
                        &["SELECT", "FROM", "WITH", "VALUES", "TABLE", "PIVOT"],
                    )
                    && *self.token(at + 2) != Token::LParen =>
            {
                self.replace(at, at + 1, vec![word("any_match")]);
            }
            "INTERVAL" => self.interval(at),
            "ROLLUP" | "CUBE" if *self.token(at + 1) == Token::LParen => self.group_keys(at + 1),
            "GROUPING" if self.is(at + 1, "SETS") && *self.token(at + 2) == Token::LParen => {
                self.group_keys(at + 2);
            }
            "IGNORE" | "RESPECT" if self.is(at + 1, "NULLS") => self.null_treatment(at),
            // trim(LEADING FROM text)
            "LEADING" | "TRAILING" | "BOTH"
                if self.is(at + 1, "FROM") && self.is(at.saturating_sub(2), "TRIM") =>
            {
                let space = Token::SingleQuotedString(" ".to_owned());
                self.replace(at + 1, at + 1, vec![space]);
            }
            "TABLESAMPLE" => self.table_sample(at),
            "USING" if self.is(at + 1, "SAMPLE") => self.using_sample(at),
            "POSITIONAL" if self.is(at + 1, "JOIN") => {
                self.replace(at, at + 1, vec![word("GLOBAL"), word("CROSS")]);
            }
            "ASOF" => self.asof(at),
            // ClickHouse's word does not change the result. It marks joins here.
            "GLOBAL" if self.is_join(at + 1) => self.replace(at, at + 1, Vec::new()),
            "FILTER"
                if at > 0
                    && *self.token(at - 1) == Token::RParen
                    && *self.token(at + 1) == Token::LParen
                    && !self.is(at + 2, "WHERE") =>
            {
                self.replace(at + 1, at + 2, vec![Token::LParen, word("WHERE")]);
            }
            "AS" => {
                let negated = usize::from(self.is(at + 1, "NOT"));
                if self.is(at + 1 + negated, "MATERIALIZED")
                    && *self.token(at + 2 + negated) == Token::LParen
                {
                    self.replace(at + 1, at + 2 + negated, Vec::new());
                }
            }
            "PIVOT" | "PIVOT_WIDER" if self.is_query_start(at) => self.pivot(at),
            "PIVOT" if *self.token(at + 1) == Token::LParen => self.pivot_groups(at + 1),
            "UNPIVOT" | "PIVOT_LONGER" if self.is_query_start(at) => self.unpivot(at),
            "ISNULL"
                if at > 0 && self.ends_value(at - 1) && *self.token(at + 1) != Token::LParen =>
            {
                self.replace(at, at + 1, vec![word("IS"), word("NULL")]);
            }
            "DIV" if at > 0 && self.ends_value(at - 1) && self.begins_value(at + 1) => {
                self.replace(at, at + 1, vec![Token::DuckIntDiv]);
            }
            // The name of EXCEPT in Spark and Oracle.
            "MINUS" if self.is(at + 1, "SELECT") => {
                self.replace(at, at + 1, vec![word("EXCEPT")]);
            }
            _ => {}
        }
    }

    /// Whether a name is a function called after its first argument: `text.trim()`.
    fn is_method(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.token(before));
        before == Some(&Token::Period) && *self.token(at + 1) == Token::LParen
    }

    /// `INTERVAL (n) DAY` as `interval_of((n), 'DAY')`, and `INTERVAL 1 QUARTER`, because literals
    /// have no quarters.
    fn interval(&mut self, at: usize) {
        let close = match self.token(at + 1) {
            Token::LParen => self.find(at + 2, &[]),
            Token::Number(..) if self.is_one_of(at + 2, &["QUARTER", "QUARTERS"]) => at + 1,
            _ => return,
        };
        let unit = match self.token(close + 1) {
            Token::Word(unit) if self.is_one_of(close + 1, &UNITS) => unit.value.clone(),
            _ => return,
        };
        let mut call = vec![word("interval_of"), Token::LParen];
        call.extend(self.tokens(at + 1, close + 1));
        call.extend([Token::Comma, Token::SingleQuotedString(unit), Token::RParen]);
        self.replace(at, close + 2, call);
    }

    /// `last_value(trim(a) IGNORE NULLS)` as `last_value(trim(a)) IGNORE NULLS`. The parser would
    /// give it to `trim`.
    fn null_treatment(&mut self, at: usize) {
        let open = at.checked_sub(1).and_then(|close| self.opening(close));
        let name = open.and_then(|open| open.checked_sub(1));
        let is_taken = name.is_none_or(|name| self.is_one_of(name, &TAKE_NULL_TREATMENT));
        if !is_taken && *self.token(at + 2) == Token::RParen {
            let mut tokens = vec![Token::RParen];
            tokens.extend(self.tokens(at, at + 2));
            self.replace(at, at + 3, tokens);
        }
    }

    /// Returns the place of the opening bracket that belongs to the closing one at a place.
    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in (0..=close).rev() {
            match self.token(index) {
                Token::RParen | Token::RBracket | Token::RBrace => depth += 1,
                Token::LParen | Token::LBracket | Token::LBrace => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// `STRUCT(a INT)` as `STRUCT<a INT>`, where it is a type.
    fn struct_type(&mut self, at: usize) {
        let operators = [
            "AND", "AS", "BETWEEN", "COLLATE", "ILIKE", "IN", "IS", "LIKE", "NOT", "OR",
        ];
        let is_after_name = at.checked_sub(1).is_some_and(|before| {
            matches!(self.token(before), Token::Word(_) | Token::DoubleColon)
        });
        let has_field = matches!(self.token(at + 2), Token::Word(_))
            && matches!(self.token(at + 3), Token::Word(_))
            && !self.is_one_of(at + 3, &operators);
        if !is_after_name || !has_field || *self.token(at + 1) != Token::LParen {
            return;
        }
        let close = self.find(at + 2, &[]);
        if *self.token(close) == Token::RParen {
            self.replace(close, close + 1, vec![Token::Gt]);
            self.replace(at + 1, at + 2, vec![Token::Lt]);
        }
    }

    /// BigQuery's `SELECT AS STRUCT a, b` as `SELECT STRUCT(a, b)`.
    fn select_struct(&mut self, at: usize) {
        let end = self.find(at + 1, &[&AFTER_SELECT[..], &["FROM", "WHERE"]].concat());
        self.replace(end, end, vec![Token::RParen]);
        self.replace(at - 1, at + 1, vec![word("STRUCT"), Token::LParen]);
    }

    /// BigQuery's `ARRAY<INT64>[1, 2]` as `ARRAY[1, 2]`.
    fn array_of_type(&mut self, at: usize) {
        let mut depth = 0_usize;
        for index in at + 1..self.0.len() {
            match self.token(index) {
                Token::Lt => depth += 1,
                Token::Gt => depth = depth.saturating_sub(1),
                Token::ShiftRight => depth = depth.saturating_sub(2),
                Token::Word(_) | Token::Comma => {}
                _ => return,
            }
            if depth == 0 {
                if *self.token(index + 1) == Token::LBracket {
                    self.replace(at + 1, index + 1, Vec::new());
                }
                return;
            }
        }
    }

    /// `list[::-1]` as `list[-1:1:-1]`.
    fn slice(&mut self, colons: usize) {
        let one = || Token::Number("1".to_owned(), false);
        let bounds = if *self.token(colons + 1) == Token::Minus {
            vec![Token::Minus, one(), Token::Colon, one(), Token::Colon]
        } else {
            vec![one(), Token::Colon, Token::Minus, one(), Token::Colon]
        };
        self.replace(colons, colons + 1, bounds);
    }

    /// Whether a token may be the last of a value.
    fn ends_value(&self, at: usize) -> bool {
        let clauses = [
            "ALL", "AND", "AS", "BY", "CASE", "DISTINCT", "ELSE", "FROM", "HAVING", "IN", "JOIN",
            "NOT", "ON", "OR", "SELECT", "THEN", "WHEN", "WHERE",
        ];
        match self.token(at) {
            Token::Word(_) => !self.is_one_of(at, &clauses),
            token => matches!(
                token,
                Token::Number(..) | Token::SingleQuotedString(_) | Token::RParen | Token::RBracket
            ),
        }
    }

    /// Whether a token may be the first of a value, and not of a clause.
    fn begins_value(&self, at: usize) -> bool {
        matches!(self.token(at), Token::Number(..) | Token::LParen)
            || (matches!(self.token(at), Token::Word(_)) && !self.is_one_of(at, &["FROM", "AS"]))
    }

    fn is_join(&self, at: usize) -> bool {
        let kinds = ["LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS"];
        let mut index = at;
        while self.is_one_of(index, &kinds) {
            index += 1;
        }
        self.is(index, "JOIN")
    }

    /// `ASOF JOIN … ON` as `GLOBAL JOIN … ON`. `ASOF JOIN … MATCH_CONDITION` is parsed as it is.
    fn asof(&mut self, at: usize) {
        if !self.is_join(at + 1) {
            return;
        }
        let end = self.find(at + 1, &["ON", "USING", "MATCH_CONDITION"]);
        if self.is_one_of(end, &["ON", "USING"]) {
            self.replace(at, at + 1, vec![word("GLOBAL")]);
        }
    }

    /// Whether a query begins at a token.
    fn is_query_start(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let set_operations = ["UNION", "EXCEPT", "INTERSECT"];
        let is_operation = |index| self.is_one_of(index, &set_operations);
        let is_after_operation = is_operation(before)
            || (before >= 1 && self.is(before, "ALL") && is_operation(before - 1))
            || (before >= 1 && self.is(before, "NAME") && self.is(before - 1, "BY"));
        if is_after_operation || matches!(self.token(before), Token::LParen | Token::SemiColon) {
            return true;
        }
        if self.find_before(at, "SELECT").is_some() {
            return false;
        }
        let statements = ["EXPLAIN", "ANALYZE", "VERBOSE", "DESCRIBE", "SUMMARIZE"];
        match self.token(before) {
            // The last of the queries after WITH, or the columns of INSERT.
            Token::RParen => ["WITH", "INTO"]
                .iter()
                .any(|word| self.find_before(at, word).is_some()),
            _ => {
                self.is(before, "AS")
                    || self.is_one_of(before, &statements)
                    || (before >= 1 && self.is(before - 1, "INTO"))
            }
        }
    }

    /// `FROM t WHERE a` as `SELECT * FROM t WHERE a`. The parser knows `FROM t` alone.
    fn select_all(&mut self) {
        let mut index = 0;
        while index < self.0.len() {
            if self.is(index, "FROM") && self.is_query_start(index) {
                let mut ends = vec!["SELECT", "PREWHERE"];
                ends.extend(AFTER_FROM);
                ends.extend(AFTER_SELECT);
                let end = self.find(index + 1, &ends);
                if self.is(end, "PREWHERE") || self.is_one_of(end, &AFTER_FROM) {
                    self.replace(index, index, vec![word("SELECT"), Token::Mul]);
                    index += 2;
                }
            }
            index += 1;
        }
    }
}

fn word(text: &str) -> Token {
    Token::make_keyword(text)
}

fn quote(text: &str) -> Token {
    Token::make_word(text, Some('"'))
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::Tokenizer;

    fn rewrite(sql: &str) -> String {
        let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize_with_location();
        let tokens = super::rewrite(tokens.unwrap());
        let texts = tokens.iter().map(|token| token.token.to_string());
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn clauses_become_parseable() {
        for (sql, expected) in [
            ("SELECT 1_000_000, 1 _a", "SELECT 1000000 , 1 _a"),
            ("SELECT 1_000.5, r'\\d'", "SELECT 1000.5 , '\\d'"),
            ("SELECT 0x1F, x'1F'", "SELECT 31 , X'1F'"),
            (
                "SELECT a isnull, isnull(b), 5 DIV 2, c AS div FROM t MINUS SELECT 1",
                "SELECT a IS NULL , isnull ( b ) , 5 // 2 , c AS div FROM t EXCEPT SELECT 1",
            ),
            (
                "SELECT * FROM t PIVOT (sum(a) FOR b IN (1) GROUP BY c) AS p ORDER BY c",
                "SELECT * FROM t PIVOT ( sum ( a ) FOR b IN ( 1 ) ) AS p GROUP BY c ORDER BY c",
            ),
            (
                "SELECT * FROM t TABLESAMPLE 20% (bernoulli)",
                "SELECT * FROM t TABLESAMPLE bernoulli ( 20 PERCENT )",
            ),
            ("SELECT a[::-1]", "SELECT a [ - 1 : 1 : - 1 ]"),
            (
                "FROM t WHERE a > 1 ORDER BY a",
                "SELECT * FROM t WHERE a > 1 ORDER BY a",
            ),
            (
                "WITH x AS (FROM t GROUP BY ALL) FROM x WHERE a",
                "WITH x AS ( SELECT * FROM t GROUP BY ALL ) SELECT * FROM x WHERE a",
            ),
            ("FROM t SELECT a WHERE b", "FROM t SELECT a WHERE b"),
            (
                "SELECT * FROM t LIMIT 10 %",
                "SELECT * FROM t LIMIT percent ( 10 )",
            ),
            ("SELECT 1 LIMIT 10 % 3", "SELECT 1 LIMIT 10 % 3"),
            (
                "SELECT a FROM t WHERE b USING SAMPLE 10% (bernoulli) ORDER BY a",
                "SELECT a FROM t PREWHERE using_sample ( 10 , 'percent' ) WHERE b ORDER BY a",
            ),
            (
                "FROM t USING SAMPLE reservoir(5 ROWS)",
                "SELECT * FROM t PREWHERE using_sample ( 5 , 'rows' )",
            ),
            (
                "SELECT * FROM t TABLESAMPLE reservoir(20%)",
                "SELECT * FROM t TABLESAMPLE ( 20 PERCENT )",
            ),
            (
                "SELECT count(*) FILTER (a = 1), sum(b) FILTER (WHERE c) FROM t",
                "SELECT count ( * ) FILTER ( WHERE a = 1 ) , sum ( b ) FILTER ( WHERE c ) FROM t",
            ),
            (
                "WITH x AS NOT MATERIALIZED (SELECT 1) TABLE x",
                "WITH x AS ( SELECT 1 ) TABLE x",
            ),
            (
                "PIVOT t ON a USING sum(b) GROUP BY c ORDER BY c",
                "SELECT * FROM t PIVOT ( sum ( b ) FOR a IN ( ANY ) ) GROUP BY c ORDER BY c",
            ),
            (
                "PIVOT t ON a > 1 USING sum(b)",
                "SELECT * FROM t PIVOT ( sum ( b ) FOR ( ( a > 1 ) ) IN ( ANY ) )",
            ),
            (
                "UNPIVOT (SELECT 1) ON a, b INTO NAME k VALUE v LIMIT 1",
                "SELECT * FROM ( SELECT 1 ) UNPIVOT ( v FOR k IN ( a , b ) ) LIMIT 1",
            ),
            (
                "UNPIVOT t ON (a, b), (c, d) INTO NAME k VALUE v, w",
                "SELECT * FROM t UNPIVOT ( ( v , w ) FOR k IN ( ( a , b ) , ( c , d ) ) )",
            ),
            (
                "SELECT * FROM a ASOF LEFT JOIN b ON a.t >= b.t",
                "SELECT * FROM a GLOBAL LEFT JOIN b ON a . t >= b . t",
            ),
            (
                "SELECT * FROM a ASOF JOIN b MATCH_CONDITION (a.t >= b.t) ON true",
                "SELECT * FROM a ASOF JOIN b MATCH_CONDITION ( a . t >= b . t ) ON true",
            ),
            (
                "SELECT -t.a::INT.abs() + f(b)[1]::DECIMAL(5, 2)::VARCHAR.length().sqrt(), c::INT[], (d)::INT.e",
                "SELECT - ( t . a :: INT ) . abs ( ) + ( f ( b ) [ 1 ] :: DECIMAL ( 5 , 2 ) :: VARCHAR ) . length ( ) . sqrt ( ) , c :: INT [ ] , ( d ) :: INT . e",
            ),
            (
                "SELECT DATE '2024-01-05'::VARCHAR.length(), [1]::INT[].len()::VARCHAR.upper()",
                "SELECT ( DATE '2024-01-05' :: VARCHAR ) . length ( ) , ( ( [ 1 ] :: INT [ ] ) . len ( ) :: VARCHAR ) . upper ( )",
            ),
            (
                "SELECT 1 FROM t GROUP BY ROLLUP ((a + 1) * 2, b, (c)), CUBE ((a, b), (c) + (d)), GROUPING SETS ((), (a)::INT)",
                "SELECT 1 FROM t GROUP BY ROLLUP ( ( ( a + 1 ) * 2 ) , b , ( c ) ) , CUBE ( ( a , b ) , ( ( c ) + ( d ) ) ) , GROUPING SETS ( ( ) , ( ( a ) :: INT ) )",
            ),
            ("PREPARE p AS SELECT ? + ?", "PREPARE p AS SELECT $1 + $2"),
            (
                "SELECT a: 1, b: left(x, 2) FROM y: t, z: (SELECT c: 1) WHERE d",
                "SELECT 1 AS a , left ( x , 2 ) AS b FROM t AS y , ( SELECT 1 AS c ) AS z WHERE d",
            ),
            (
                "SELECT d + INTERVAL (f(n)) DAY, interval(n) FROM t",
                "SELECT d + interval_of ( ( f ( n ) ) , 'DAY' ) , interval ( n ) FROM t",
            ),
            (
                "SELECT lag(f(g(x)) IGNORE NULLS) OVER w, h(last(f(x)) IGNORE NULLS), last((x) IGNORE NULLS)",
                "SELECT lag ( f ( g ( x ) ) ) IGNORE NULLS OVER w , h ( last ( f ( x ) ) IGNORE NULLS ) , last ( ( x ) ) IGNORE NULLS",
            ),
            (
                "SELECT * LIKE 'a_%', * NOT GLOB 'b*' FROM t",
                "SELECT COLUMNS ( '(?s)^a..*$' ) , COLUMNS ( NOT '(?s)^b.*$' ) FROM t",
            ),
            (
                "SELECT coalesce(*COLUMNS('a')), 2 *COLUMNS('a') FROM t",
                "SELECT coalesce ( unpacked_columns ( 'a' ) ) , 2 * COLUMNS ( 'a' ) FROM t",
            ),
            (
                "SELECT x::STRUCT(a INT, b STRUCT(c INT)[])",
                "SELECT x :: STRUCT < a INT , b STRUCT < c INT > [ ] >",
            ),
            (
                "INSERT INTO t BY NAME SELECT 1",
                "INSERT INTO t ( \"BY NAME\" ) SELECT 1",
            ),
        ] {
            assert_eq!(rewrite(sql), expected);
        }
    }

    #[test]
    fn other_statements_stay_as_they_are() {
        for sql in [
            "SELECT extract ( year FROM d ) , trim ( both 'x' FROM y ) FROM t WHERE a",
            "SELECT a IS DISTINCT FROM b WHERE c",
            "DELETE FROM t WHERE a",
            "SELECT { a : 1 } , [ b : c ] , list [ d : 2 ] , struct ( a AS b )",
            "SELECT \"LIMIT\" , \"pivot\" FROM t USING x",
            "SELECT a FROM t JOIN u USING ( sample )",
            "WITH x AS ( SELECT 1 ) SELECT name FROM x WHERE f ( a ) IN ( 1 )",
            "WITH x AS ( SELECT 1 ) SELECT f ( a ) FROM x WHERE a",
        ] {
            assert_eq!(rewrite(sql), sql);
        }
    }
}
