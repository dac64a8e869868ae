//! Line editing for SQL: highlighting, and completion of tables, functions, keywords and columns.

use std::borrow::Cow;

use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::dialect::{Dialect, GenericDialect};
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::completion::columns::Columns;
use crate::completion::{KEYWORDS, complete, file_names};

const KEYWORD_COLOR: &str = "\x1b[1;34m";
const STRING_COLOR: &str = "\x1b[32m";
const NUMBER_COLOR: &str = "\x1b[36m";
const COMMENT_COLOR: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

pub struct SqlHelper {
    context: SessionContext,
    pub columns: Columns,
    /// The names of the commands that begin with a backslash.
    commands: Vec<&'static str>,
    colors: bool,
}

impl SqlHelper {
    pub fn new(
        context: SessionContext,
        columns: Columns,
        commands: Vec<&'static str>,
        colors: bool,
    ) -> Self {
        Self {
            context,
            columns,
            commands,
            colors,
        }
    }
}

impl Helper for SqlHelper {}

impl Hinter for SqlHelper {
    type Hint = String;
}

impl Validator for SqlHelper {}

impl Completer for SqlHelper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..position];
        if before.starts_with(['\\', '.']) && !before.contains(' ') {
            let commands = self.commands.iter().copied();
            return Ok((0, pairs(commands.filter(|name| name.starts_with(before)))));
        }
        if let Some(start) = path_of_command(before) {
            let (offset, names) = file_names::matching(&before[start..]);
            return Ok((start + offset, pairs(names.iter().map(String::as_str))));
        }
        let after = &line[position..];
        let (start, candidates) = complete(&self.context, &self.columns, before, after);
        let texts = candidates.iter().map(|candidate| candidate.text.as_str());
        Ok((start, pairs(texts)))
    }
}

/// The commands whose argument is a file.
const READ_FILE: [&str; 3] = ["\\i ", "\\include ", ".read "];

/// Returns the start of the path after a command.
fn path_of_command(before: &str) -> Option<usize> {
    let is_typed = |command: &&&str| before.starts_with(**command);
    let command = READ_FILE.iter().find(is_typed)?;
    let quote = usize::from(before[command.len()..].starts_with('\''));
    Some(command.len() + quote)
}

fn pairs<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Pair> {
    names
        .map(|name| Pair {
            display: name.to_owned(),
            replacement: name.to_owned(),
        })
        .collect()
}

impl Highlighter for SqlHelper {
    fn highlight<'l>(&self, line: &'l str, _position: usize) -> Cow<'l, str> {
        if !self.colors || line.trim_start().starts_with('\\') {
            return Cow::Borrowed(line);
        }
        match highlight(line, &GenericDialect {}) {
            Some(colored) => Cow::Owned(colored),
            None => Cow::Borrowed(line),
        }
    }

    fn highlight_char(&self, _line: &str, _position: usize, _kind: CmdKind) -> bool {
        self.colors
    }
}

/// Returns the line with colors; `None` if it cannot be tokenized yet, for example because of an
/// unclosed quote.
fn highlight(line: &str, dialect: &dyn Dialect) -> Option<String> {
    let tokens = Tokenizer::new(dialect, line)
        .with_unescape(false)
        .tokenize()
        .ok()?;
    let mut out = String::with_capacity(line.len() * 2);
    for token in tokens {
        let text = token.to_string();
        let color = match &token {
            Token::Word(word) if word.quote_style.is_none() && is_keyword(&word.value) => {
                KEYWORD_COLOR
            }
            Token::SingleQuotedString(_) => STRING_COLOR,
            Token::Number(..) => NUMBER_COLOR,
            Token::Whitespace(_) if !text.trim().is_empty() => COMMENT_COLOR,
            _ => "",
        };
        if color.is_empty() {
            out.push_str(&text);
        } else {
            out.push_str(&format!("{color}{text}{RESET}"));
        }
    }
    // Only colors may differ. Otherwise, the cursor would be drawn in the wrong place.
    (strip_colors(&out) == line).then_some(out)
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word.to_uppercase().as_str())
}

fn strip_colors(text: &str) -> String {
    [
        KEYWORD_COLOR,
        STRING_COLOR,
        NUMBER_COLOR,
        COMMENT_COLOR,
        RESET,
    ]
    .iter()
    .fold(text.to_owned(), |text, color| text.replace(color, ""))
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Handle;

    use super::*;
    use crate::session::{SessionOptions, session};

    fn completions(line: &str) -> Vec<String> {
        let session = session(&SessionOptions::default()).unwrap();
        let columns = Columns::new(session.clone(), Handle::current());
        let helper = SqlHelper::new(session, columns, vec!["\\q", "\\set"], true);
        let history = rustyline::history::MemHistory::new();
        let context = Context::new(&history);
        let (_, pairs) = helper.complete(line, line.len(), &context).unwrap();
        pairs.into_iter().map(|pair| pair.replacement).collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn functions_keywords_and_commands_are_completed() {
        assert!(completions("SELECT * FROM read_f").contains(&"read_files(".to_owned()));
        assert!(completions("SELECT octet").contains(&"octet_length(".to_owned()));
        assert_eq!(completions("sel"), ["select"]);
        assert_eq!(completions("SEL"), ["SELECT"]);
        assert_eq!(completions("\\q"), ["\\q"]);
        assert!(completions("SELECT '日本").is_empty());
        assert_eq!(
            completions("SELECT * FROM (SELECT 1 AS value) WHERE valu"),
            ["value", "values"]
        );
        assert!(completions("SELECT x.sel").is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn files_are_completed_in_quotes_and_nothing_else() {
        assert_eq!(completions("SELECT * FROM 'data-sam"), ["data-samples/"]);
        assert_eq!(completions("FROM read_warc(['data-samples/wa"), ["warc/"]);
        assert_eq!(completions("\\i queries/pdf_wor"), ["pdf_words.sql"]);
        assert_eq!(completions(".read 'queries/pdf_wor"), ["pdf_words.sql"]);
        let folder = std::env::current_dir().unwrap();
        let url = format!("SELECT * FROM 'file://{}/data-samples/wa", folder.display());
        assert_eq!(completions(&url), ["warc/"]);
        assert!(completions("SELECT * FROM 'nosuch://x/a").is_empty());
        assert!(completions("SELECT * FROM 'sel").is_empty());
        assert!(completions("SELECT 'octet").is_empty());
        let field = completions("SELECT url_parts('x') AS p, p['sch");
        assert_eq!(field, ["scheme"]);
    }

    #[test]
    fn highlighting_changes_colors_only() {
        let line = "SELECT 'it''s', 1.5 -- note";
        let colored = highlight(line, &GenericDialect {}).unwrap();
        assert_eq!(strip_colors(&colored), line);
        assert!(colored.contains(&format!("{KEYWORD_COLOR}SELECT{RESET}")));
        assert!(colored.contains(&format!("{STRING_COLOR}'it''s'{RESET}")));
        assert_eq!(highlight("SELECT 'open", &GenericDialect {}), None);
    }
}
