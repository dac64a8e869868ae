//! Splits a script into statements with their positions.

use datafusion::sql::sqlparser::dialect::Dialect;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, Tokenizer};

use super::place::Position;
use crate::sql::locations::Lines;

/// One statement of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The line of its first word, counted from 1.
    pub line: usize,
    /// The column of its first word, counted from 1.
    pub column: usize,
    /// The text from its first word to its semicolon, without the semicolon.
    pub text: String,
}

impl Statement {
    /// The text, moved to its position in the script, so that the parser's messages have the
    /// script's lines and columns.
    pub fn in_place(&self) -> String {
        let lines = "\n".repeat(self.line - 1);
        let columns = " ".repeat(self.column - 1);
        format!("{lines}{columns}{}", self.text)
    }

    /// The beginning of the text on one line, for messages.
    pub fn summary(&self) -> String {
        const MAX_CHARS: usize = 72;
        let words: Vec<&str> = self.text.split_whitespace().collect();
        let line = words.join(" ");
        if line.chars().count() <= MAX_CHARS {
            return line;
        }
        let cut: String = line.chars().take(MAX_CHARS).collect();
        format!("{cut}…")
    }
}

/// An error in a script that cannot be tokenized, for example because of an unclosed quote.
#[derive(Debug, PartialEq, Eq)]
pub struct ScriptError {
    pub place: Position,
    pub message: String,
}

/// Adds what to write to a message of the tokenizer.
fn with_remedy(message: String) -> String {
    let remedy = match message.as_str() {
        "Unterminated string literal" => {
            "end the text with ', and double a quote in it, such as 'it''s'"
        }
        "Unterminated dollar-quoted string" | "Unterminated dollar-quoted, expected $" => {
            "end the text with the same $$"
        }
        "Unexpected EOF while in a multi-line comment" => "end the comment with */",
        text if text.contains("before EOF") => "end the name with a double quote",
        _ => return message,
    };
    format!("{message}: {remedy}")
}

/// Splits at semicolons outside of quotes and comments. Empty statements are dropped.
pub fn split(script: &str, dialect: &dyn Dialect) -> Result<Vec<Statement>, ScriptError> {
    let tokens = Tokenizer::new(dialect, script)
        .tokenize_with_location()
        .map_err(|error| ScriptError {
            place: error.location.into(),
            message: with_remedy(error.message),
        })?;
    let lines = Lines::new(script);
    let mut statements = Vec::new();
    let mut start: Option<(Location, usize)> = None;
    for token in &tokens {
        match &token.token {
            Token::SemiColon => {
                let end = lines.offset(token.span.start);
                push(&mut statements, script, start.take(), end);
            }
            Token::Whitespace(_) | Token::EOF => {}
            _ if start.is_none() => {
                let location = token.span.start;
                start = Some((location, lines.offset(location)));
            }
            _ => {}
        }
    }
    push(&mut statements, script, start, script.len());
    Ok(statements)
}

/// Whether more lines must follow: the text ends inside a quote or comment, or without a semicolon.
pub fn is_incomplete(text: &str, dialect: &dyn Dialect) -> bool {
    match Tokenizer::new(dialect, text).tokenize() {
        Ok(tokens) => !matches!(
            tokens
                .iter()
                .rev()
                .find(|token| !matches!(token, Token::Whitespace(_) | Token::EOF)),
            None | Some(Token::SemiColon)
        ),
        Err(_) => true,
    }
}

fn push(
    statements: &mut Vec<Statement>,
    script: &str,
    start: Option<(Location, usize)>,
    end: usize,
) {
    if let Some((location, start)) = start {
        statements.push(Statement {
            line: location.line as usize,
            column: location.column as usize,
            text: script[start..end].trim_end().to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::sql::sqlparser::dialect::GenericDialect;

    fn texts(script: &str) -> Vec<(usize, usize, String)> {
        split(script, &GenericDialect {})
            .unwrap()
            .into_iter()
            .map(|s| (s.line, s.column, s.text))
            .collect()
    }

    #[test]
    fn semicolons_in_quotes_and_comments_do_not_count() {
        let script = "-- first; comment\nSELECT ';', \"a;b\" -- x;\n/* ; */ FROM t;;\n\n  SELECT '日本;'; SELECT 3 ";
        assert_eq!(
            texts(script),
            [
                (2, 1, "SELECT ';', \"a;b\" -- x;\n/* ; */ FROM t".to_owned()),
                (5, 3, "SELECT '日本;'".to_owned()),
                (5, 17, "SELECT 3".to_owned()),
            ]
        );
        assert!(texts(" ; -- nothing\n;").is_empty());
    }

    #[test]
    fn an_open_quote_is_an_error_with_its_line() {
        let error = split("SELECT 1;\nSELECT 'x", &GenericDialect {}).unwrap_err();
        assert_eq!((error.place.line, error.place.column), (2, 8));
    }

    #[test]
    fn incomplete_statements_need_more_lines() {
        let incomplete = |text| is_incomplete(text, &GenericDialect {});
        assert!(incomplete("SELECT 1"));
        assert!(incomplete("SELECT 'a;"));
        assert!(incomplete("SELECT 1 /* ;"));
        assert!(!incomplete("SELECT 1; -- done"));
        assert!(!incomplete("  "));
    }

    #[test]
    fn a_statement_in_place_keeps_its_position() {
        let statements = split("SELECT 1;\n  SELECT 2", &GenericDialect {}).unwrap();
        assert_eq!(statements[1].in_place(), "\n  SELECT 2");
    }
}
