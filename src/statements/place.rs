//! The place in a statement that an error is about.
//!
//! Positions of the parser and the planner may belong to another text: that of a macro, of a table
//! of documents, or a statement that was rewritten before it was parsed. A place is therefore
//! returned only if the statement has the word there that the error names.

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::dialect::Dialect;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Precedes the position in the messages of the parser.
const POSITION: &str = " at Line: ";

/// Precedes the token in the messages of the parser.
const FOUND: &str = "found: ";

/// Words after which a name is that of a table.
const BEFORE_TABLES: &[&str] = &[
    "COPY",
    "DESCRIBE",
    "FROM",
    "INTO",
    "JOIN",
    "SUMMARIZE",
    "TABLE",
    "UPDATE",
    "VIEW",
];

/// A position in a script. Both are counted from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl From<Location> for Position {
    fn from(location: Location) -> Self {
        Self {
            line: usize::try_from(location.line).unwrap_or_default(),
            column: usize::try_from(location.column).unwrap_or_default(),
        }
    }
}

/// Returns the place that an error is about, if it is certain. `message` is the text for users.
pub fn of(
    error: &DataFusionError,
    message: &str,
    statement: &str,
    dialect: &dyn Dialect,
) -> Option<Position> {
    let error = cause(error);
    let tokens = Tokenizer::new(dialect, statement).tokenize_with_location();
    let Ok(tokens) = tokens else {
        return parsed_place(error).map(Position::from);
    };
    let words = Words::new(tokens);
    match error {
        DataFusionError::SQL(..) => words.parser_error(error),
        DataFusionError::SchemaError(schema, _) => words.column(schema, spanned(error)),
        DataFusionError::Diagnostic(..) => words.diagnosed(error),
        DataFusionError::Plan(text) => words
            .function(text)
            .or_else(|| words.call(text))
            .or_else(|| words.usage(text))
            .or_else(|| words.table(text))
            .or_else(|| words.quoted(message)),
        DataFusionError::Configuration(_) => words.quoted(message),
        _ => None,
    }
    .map(Position::from)
}

/// The wrapped error that has a position.
fn cause(error: &DataFusionError) -> &DataFusionError {
    match error {
        DataFusionError::Context(_, inner) => cause(inner),
        DataFusionError::Shared(inner) => cause(inner),
        DataFusionError::Collection(errors) => errors.first().map_or(error, cause),
        _ => error,
    }
}

/// The position in a message of the parser.
fn parsed_place(error: &DataFusionError) -> Option<Location> {
    let DataFusionError::SQL(error, _) = error else {
        return None;
    };
    let (ParserError::ParserError(text) | ParserError::TokenizerError(text)) = error.as_ref()
    else {
        return None;
    };
    location(text)
}

/// The position at the end of a message.
fn location(text: &str) -> Option<Location> {
    let (_, position) = text.rsplit_once(POSITION)?;
    let (line, column) = position.split_once(", Column: ")?;
    Some(Location {
        line: line.parse().ok()?,
        column: column.trim_end().parse().ok()?,
    })
}

/// Removes the position from a message, which is shown otherwise.
pub fn without_position(message: &str) -> &str {
    let position = message.rsplit_once(POSITION);
    match position {
        Some((start, _)) if location(message).is_some() => start,
        _ => message,
    }
}

/// The start of the span that the planner gave.
fn spanned(error: &DataFusionError) -> Option<Location> {
    error.diagnostic()?.span.map(|span| Location {
        line: span.start.line,
        column: span.start.column,
    })
}

/// The tokens of a statement, without white space and comments.
struct Words(Vec<TokenWithSpan>);

impl Words {
    fn new(tokens: Vec<TokenWithSpan>) -> Self {
        let is_word =
            |token: &TokenWithSpan| !matches!(token.token, Token::Whitespace(_) | Token::EOF);
        Self(tokens.into_iter().filter(is_word).collect())
    }

    fn start(&self, index: usize) -> Option<Location> {
        self.0.get(index).map(|token| token.span.start)
    }

    /// Whether a token is a word or a text with this value.
    fn is(&self, index: usize, value: &str) -> bool {
        match self.0.get(index).map(|token| &token.token) {
            Some(Token::Word(word)) => word.value.eq_ignore_ascii_case(value),
            Some(Token::SingleQuotedString(text)) => text == value,
            _ => false,
        }
    }

    fn is_token(&self, index: usize, token: &Token) -> bool {
        self.0.get(index).is_some_and(|found| found.token == *token)
    }

    fn all(&self, value: &str) -> impl Iterator<Item = usize> {
        (0..self.0.len()).filter(move |index| self.is(*index, value))
    }

    /// The place of a word that occurs once.
    fn only(&self, mut found: impl Iterator<Item = usize>) -> Option<Location> {
        let first = found.next()?;
        found.next().is_none().then(|| self.start(first))?
    }

    fn parser_error(&self, error: &DataFusionError) -> Option<Location> {
        let DataFusionError::SQL(parser, _) = error else {
            return None;
        };
        let text = parser.to_string();
        let Some(location) = parsed_place(error) else {
            // The parser has no position for the end of the statement.
            let is_end = text.trim_end().ends_with(&format!("{FOUND}EOF"));
            return is_end.then(|| self.0.last().map(|token| token.span.end))?;
        };
        let index = self
            .0
            .iter()
            .position(|token| token.span.start == location)?;
        let found = text.rsplit_once(FOUND)?.1;
        let found = found
            .rsplit_once(POSITION)
            .map_or(found, |(found, _)| found);
        let token = &self.0[index].token;
        let is_rewritten = ["COPY", "CREATE", "INSERT", "PRAGMA"]
            .iter()
            .any(|first| self.is(0, first));
        let is_certain = matches!(
            token,
            Token::Word(_) | Token::SingleQuotedString(_) | Token::Number(..)
        ) || !is_rewritten;
        (is_certain && token.to_string().eq_ignore_ascii_case(found)).then_some(location)
    }

    /// A column that is unknown or ambiguous.
    fn column(&self, error: &SchemaError, span: Option<Location>) -> Option<Location> {
        let (SchemaError::FieldNotFound { field, .. } | SchemaError::AmbiguousReference { field }) =
            error
        else {
            return None;
        };
        let relation = field.relation.as_ref().map(|relation| relation.table());
        let spanned = span.filter(|location| {
            let index = self
                .0
                .iter()
                .position(|token| token.span.start == *location);
            index.is_some_and(|index| {
                self.is(index, &field.name) || relation.is_some_and(|name| self.is(index, name))
            })
        });
        let is_reference = |index: &usize| {
            let is_qualified = *index >= 2 && self.is_token(*index - 1, &Token::Period);
            let is_call = self.is_token(*index + 1, &Token::LParen);
            let matches = match relation {
                Some(relation) if is_qualified => self.is(*index - 2, relation),
                _ => !is_qualified,
            };
            matches && !is_call
        };
        spanned.or_else(|| self.only(self.all(&field.name).filter(is_reference)))
    }

    /// An error with a span, whose message names what is there.
    fn diagnosed(&self, error: &DataFusionError) -> Option<Location> {
        let DataFusionError::Diagnostic(diagnostic, inner) = error else {
            return None;
        };
        match cause(inner) {
            DataFusionError::SchemaError(schema, _) => return self.column(schema, spanned(error)),
            inner @ DataFusionError::SQL(..) => return self.parser_error(inner),
            inner @ DataFusionError::Diagnostic(..) => return self.diagnosed(inner),
            DataFusionError::Plan(text) => {
                if let Some(location) = self.function(text).or_else(|| self.table(text)) {
                    return Some(location);
                }
            }
            _ => {}
        }
        let location = spanned(error)?;
        let index = self
            .0
            .iter()
            .position(|token| token.span.start == location)?;
        let mut names = quoted(&diagnostic.message);
        let is_named = |name: &str| {
            let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
            self.is(index, name) || self.is(index, last)
        };
        names.any(is_named).then_some(location)
    }

    /// An unknown function. All its calls are wrong, so that the first one is shown.
    fn function(&self, text: &str) -> Option<Location> {
        let name = ["Invalid function '", "table function '"]
            .iter()
            .find_map(|before| text.split_once(before)?.1.split('\'').next())?;
        let is_call = |index: &usize| self.is_token(*index + 1, &Token::LParen);
        self.start(self.all(name).find(is_call)?)
    }

    /// A function with arguments of wrong types. Other calls may be right.
    fn call(&self, text: &str) -> Option<Location> {
        let name = text.split_once("argument types '")?.1.split('(').next()?;
        let is_call = |index: &usize| self.is_token(*index + 1, &Token::LParen);
        self.only(self.all(name).filter(is_call))
    }

    /// The call of a function, whose message begins with the form of its calls.
    fn usage(&self, text: &str) -> Option<Location> {
        let (name, _) = text.split_once("('")?;
        let is_call = |index: &usize| self.is_token(*index + 1, &Token::LParen);
        self.only(self.all(name).filter(is_call))
    }

    /// An unknown table. All uses of it are wrong.
    fn table(&self, text: &str) -> Option<Location> {
        let table = text.strip_prefix("table '")?.strip_suffix("' not found")?;
        let last = table.rsplit_once('.').map_or(table, |(_, last)| last);
        // A name with a dot is that of a file.
        let files = self.all(table.strip_prefix("datafusion.public.").unwrap_or(table));
        let is_table = |index: &usize| {
            let mut before = *index;
            while before >= 2 && self.is_token(before - 1, &Token::Period) {
                before -= 2;
            }
            before.checked_sub(1).is_some_and(|before| {
                let is_listed = || {
                    self.is_token(before, &Token::Comma)
                        && self.all("FROM").any(|from| from < before)
                };
                BEFORE_TABLES.iter().any(|word| self.is(before, word)) || is_listed()
            })
        };
        let index = files.chain(self.all(last)).find(is_table)?;
        self.start(index)
    }

    /// The first name in quotes of a message, if it occurs once.
    fn quoted(&self, message: &str) -> Option<Location> {
        let name = quoted(message).next()?;
        self.only(self.all(name))
    }
}

/// The names in single quotes.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('\'').skip(1).step_by(2)
}

/// Shows a place as DuckDB and PostgreSQL do: the line, at most `width` wide, and a mark below.
pub fn excerpt(script: &str, place: Position, width: usize) -> Option<String> {
    /// The part of a long line that is shown before the place.
    const MAX_WIDTH_BEFORE: usize = 40;
    let line = script.lines().nth(place.line.checked_sub(1)?)?;
    let line: String = line
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let at = place.column.checked_sub(1)?;
    let offset = line.char_indices().nth(at).map_or(line.len(), |(at, _)| at);
    let (before, after) = line.split_at(offset);
    let start = format!("LINE {}: ", place.line);
    let room = width.saturating_sub(start.width());
    let limit = if line.width() <= room {
        room
    } else {
        MAX_WIDTH_BEFORE.min(room / 2)
    };
    let before = if before.width() <= limit {
        before.to_owned()
    } else {
        format!("…{}", extension(before, limit.saturating_sub(1)))
    };
    let room = room.saturating_sub(before.width());
    let after = if after.width() <= room {
        after.to_owned()
    } else {
        format!("{}…", beginning(after, room.saturating_sub(1)))
    };
    let indent = start.width() + before.width();
    Some(format!("{start}{before}{after}\n{:indent$}^", ""))
}

fn beginning(text: &str, width: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > width
    });
    end.map_or(text, |(end, _)| &text[..end])
}

fn extension(text: &str, width: usize) -> &str {
    let mut used = 0;
    let start = text.char_indices().rev().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > width
    });
    start.map_or(text, |(start, c)| &text[start + c.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use datafusion::common::{Column, Diagnostic, plan_datafusion_err};
    use datafusion::sql::sqlparser::dialect::GenericDialect;

    use super::*;

    fn place_of(error: &DataFusionError, sql: &str) -> Option<(usize, usize)> {
        let message = crate::errors::message(error);
        of(error, &message, sql, &GenericDialect {}).map(|place| (place.line, place.column))
    }

    fn syntax(text: &str) -> DataFusionError {
        DataFusionError::SQL(Box::new(ParserError::ParserError(text.to_owned())), None)
    }

    fn unknown_column(relation: Option<&str>, name: &str) -> DataFusionError {
        let field = Box::new(Column::new(relation, name));
        let valid_fields = Vec::new();
        let error = SchemaError::FieldNotFound {
            field,
            valid_fields,
        };
        DataFusionError::SchemaError(Box::new(error), Box::new(None))
    }

    #[test]
    fn a_position_counts_only_if_the_word_is_there() {
        let wrong = syntax("Expected: an expression, found: FROM at Line: 2, Column: 8");
        assert_eq!(place_of(&wrong, "\nSELECT from t"), Some((2, 8)));
        assert_eq!(place_of(&wrong, "\nSELECT a FROM t"), None);
        assert_eq!(place_of(&wrong, "SELECT FROM t"), None);
        let diagnostic = Diagnostic::new_error("wrong", None);
        let wrapped = syntax("found: b at Line: 1, Column: 10").with_diagnostic(diagnostic);
        assert_eq!(place_of(&wrapped, "SELECT 1 b"), Some((1, 10)));
        let comma = syntax("Expected: end, found: , at Line: 1, Column: 9");
        assert_eq!(place_of(&comma, "SELECT 1, 2"), Some((1, 9)));
        assert_eq!(place_of(&comma, "COPY (t), x"), None);
        let end = syntax("Expected: an expression, found: EOF");
        assert_eq!(place_of(&end, "SELECT 1 + -- more\n"), Some((1, 11)));
        assert_eq!(without_position("a at Line: 1, Column: 9"), "a");
        assert_eq!(without_position("a at Line: x"), "a at Line: x");
    }

    #[test]
    fn names_are_found_where_they_are_used() {
        let function = plan_datafusion_err!("Invalid function 'foo'.\nDid you mean 'floor'?");
        assert_eq!(
            place_of(&function, "SELECT 'foo', foo, FOO (1)"),
            Some((1, 20))
        );
        let table = plan_datafusion_err!("table 'datafusion.public.pages' not found");
        assert_eq!(
            place_of(&table, "SELECT pages.a FROM x, Pages"),
            Some((1, 24))
        );
        assert_eq!(
            place_of(&table, "SELECT a, pages FROM a.b.pages"),
            Some((1, 26))
        );
        let file = plan_datafusion_err!("table 'datafusion.public.a.parquet' not found");
        assert_eq!(place_of(&file, "SELECT 1 FROM 'a.parquet'"), Some((1, 15)));
        let types = plan_datafusion_err!("given name and argument types 'sum(Utf8)'");
        assert_eq!(place_of(&types, "SELECT sum, Sum (a)"), Some((1, 13)));
        assert_eq!(place_of(&types, "SELECT sum(1), sum(a)"), None);
        let other = plan_datafusion_err!("unknown option 'on_eror' of read_warc");
        assert_eq!(place_of(&other, "FROM f(on_eror => 1)"), Some((1, 8)));
        assert_eq!(place_of(&other, "FROM f(on_eror => 'on_eror')"), None);
        let data = DataFusionError::Execution("no column 'a'".to_owned());
        assert_eq!(place_of(&data, "SELECT a"), None);
    }

    #[test]
    fn columns_are_certain_if_they_occur_once() {
        let column = unknown_column(None, "titel");
        assert_eq!(
            place_of(&column, "SELECT 日本, Titel FROM t"),
            Some((1, 12))
        );
        assert_eq!(
            place_of(&column, "SELECT titel, (SELECT titel FROM u) FROM t"),
            None
        );
        assert_eq!(place_of(&column, "SELECT t.titel, titel(1)"), None);
        let qualified = unknown_column(Some("t"), "titel");
        let sql = "SELECT u.titel, t.titel FROM t, u";
        assert_eq!(place_of(&qualified, sql), Some((1, 19)));
    }

    #[test]
    fn excerpts_fit_and_mark_the_place() {
        let at = |line, column| Position { line, column };
        assert_eq!(
            excerpt("SELECT 1;\nSELECT\ttitel", at(2, 8), 80).unwrap(),
            "LINE 2: SELECT titel\n               ^"
        );
        assert_eq!(
            excerpt("日本 x", at(1, 4), 80).unwrap(),
            "LINE 1: 日本 x\n             ^"
        );
        assert_eq!(excerpt("a", at(1, 2), 80).unwrap(), "LINE 1: a\n         ^");
        assert_eq!(excerpt("a", at(2, 1), 80), None);
        let long = format!("{}x{}", "日".repeat(100), "本".repeat(100));
        for width in [10, 40, 100] {
            let shown = excerpt(&long, at(1, 101), width).unwrap();
            let (line, mark) = shown.split_once('\n').unwrap();
            assert!(line.width() <= width.max(12), "{line}");
            let before = &line[..line.find('x').unwrap_or(line.len())];
            assert!(width < 20 || before.width() + 1 == mark.width(), "{shown}");
        }
    }
}
