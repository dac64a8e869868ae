//! The interactive session.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Instant;

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer, Whitespace};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use tokio::runtime::Runtime;

use super::commands::{COMMANDS, Next, Session};
use super::editor::SqlHelper;
use super::foreign_commands::{self, Meaning};
use super::runner::Runner;
use crate::completion::columns::Columns;
use crate::results::{Expand, Hints};
use crate::statements::script::{Failure, Script};
use crate::statements::split::is_incomplete;

const HISTORY_LENGTH: usize = 10_000;

const PROMPT: &str = "corpus> ";

/// As wide as the prompt, so that lines are aligned.
const CONTINUATION_PROMPT: &str = "   ...> ";

struct Repl<'a> {
    front: &'a Runtime,
    session: Session<'a>,
}

/// Reads and runs statements until the user leaves.
pub fn run(front: &Runtime, runner: &mut Runner, quiet: bool) -> Result<(), Failure> {
    let cannot_edit =
        |error: ReadlineError| Failure::Usage(format!("cannot start line editing: {error}"));
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .history_ignore_space(true)
        .max_history_size(HISTORY_LENGTH)
        .map_err(cannot_edit)?
        .build();
    let mut editor = Editor::<SqlHelper, FileHistory>::with_config(config).map_err(cannot_edit)?;
    let colors = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let ours = COMMANDS.iter().map(|command| command.name);
    let commands = ours.chain(foreign_commands::names()).collect();
    let columns = Columns::new(runner.context.clone(), runner.engine.clone());
    let helper = SqlHelper::new(runner.context.clone(), columns, commands, colors);
    editor.set_helper(Some(helper));
    let history = history_file();
    if let Some(history) = &history {
        // The file does not exist before the first session.
        let _ = editor.load_history(history);
    }
    if !quiet {
        println!(
            "corpus-sql {}: statements end with a semicolon; \\? for help, \\q to quit",
            env!("CARGO_PKG_VERSION")
        );
    }
    runner.output.screen.hints = Hints::Commands;
    let mut repl = Repl {
        front,
        session: Session {
            runner,
            timing: !quiet,
        },
    };
    let mut unfinished = String::new();
    loop {
        match read_input(&mut editor, &mut unfinished) {
            Ok(inputs) => {
                if !inputs.iter().all(|text| repl.run_line(text.trim())) {
                    break;
                }
                if !unfinished.is_empty() {
                    say!(
                        "the statement before that command goes on: end it with a semicolon, or \
                         discard it with Ctrl-C"
                    );
                }
            }
            // Ctrl-C discards all lines of the statement, Ctrl-D quits.
            Err(ReadlineError::Interrupted) => unfinished.clear(),
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(cannot_edit(error)),
        }
        if let Some(history) = &history {
            // Saved after every statement, in case the session is killed.
            let _ = editor.save_history(history);
        }
    }
    Ok(())
}

/// Reads lines up to the end of a statement, or a command, and adds them to the history as one
/// entry. A command between the lines of a statement leaves these in `unfinished`.
fn read_input(
    editor: &mut Editor<SqlHelper, FileHistory>,
    unfinished: &mut String,
) -> rustyline::Result<Vec<String>> {
    loop {
        let is_first = unfinished.is_empty();
        if let Some(helper) = editor.helper_mut() {
            if is_first {
                helper.columns.begin_statement()
            } else {
                helper
                    .columns
                    .continue_statement(&format!("{unfinished}\n"))
            }
        }
        let line = editor.readline(if is_first {
            PROMPT
        } else {
            CONTINUATION_PROMPT
        })?;
        let (line, command) = match command_start(unfinished, &line) {
            Some(at) => line.split_at(at),
            None => (line.as_str(), ""),
        };
        if !is_first {
            unfinished.push('\n');
        }
        unfinished.push_str(line);
        if unfinished.trim().is_empty() {
            unfinished.clear();
        }
        if !command.is_empty() {
            let inputs = with_command(unfinished, command);
            for input in &inputs {
                editor.add_history_entry(input)?;
            }
            return Ok(inputs);
        }
        if !is_incomplete(unfinished, &GenericDialect {}) {
            editor.add_history_entry(unfinished.as_str())?;
            return Ok(vec![std::mem::take(unfinished)]);
        }
    }
}

/// Where a command begins in a line that follows the lines of a statement.
fn command_start(unfinished: &str, line: &str) -> Option<usize> {
    let is_outside = |line: &str| {
        let text = format!("{unfinished}\n{line}");
        let tokens = Tokenizer::new(&GenericDialect {}, &text).tokenize();
        // A comment ends with its line.
        tokens.is_ok_and(|tokens| {
            let last = tokens.last();
            line.trim().is_empty()
                || !matches!(
                    last,
                    Some(Token::Whitespace(Whitespace::SingleLineComment { .. }))
                )
        })
    };
    if is_command(line) {
        return is_outside("").then_some(0);
    }
    let mut starts = line.match_indices('\\').map(|(at, _)| at);
    starts.find(|at| {
        let (before, command) = line.split_at(*at);
        let follows = before.ends_with(char::is_whitespace) || before.ends_with(';');
        let is_name = command[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '?');
        follows && is_name && is_outside(before)
    })
}

/// Returns what to run for a command after a statement. `\g` and `\gx` end the statement; other
/// commands run before it continues.
fn with_command(unfinished: &mut String, command: &str) -> Vec<String> {
    let name = command.trim().trim_end_matches(';');
    // `\G` is that of MySQL.
    let ends = match name {
        "\\g" => Some("\\g"),
        "\\gx" | "\\G" => Some("\\gx"),
        _ => None,
    };
    if let Some(name) = ends {
        return vec![format!("{name} {}", std::mem::take(unfinished))];
    }
    let is_complete = !unfinished.is_empty() && !is_incomplete(unfinished, &GenericDialect {});
    if is_complete {
        vec![std::mem::take(unfinished), command.to_owned()]
    } else {
        vec![command.to_owned()]
    }
}

/// Whether the line is complete without a semicolon.
fn is_command(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('\\') || foreign_commands::meaning(line).is_some()
}

impl Repl<'_> {
    /// Runs a line or a command. Returns `false` at the end of the session.
    fn run_line(&mut self, line: &str) -> bool {
        let next = match foreign_commands::meaning(line) {
            Some(Meaning::Command(ours)) => self.run_command(&ours),
            Some(Meaning::Statement(statement)) => Ok(Next::statements(statement)),
            Some(Meaning::Advice(advice)) => Err(advice),
            None if line.starts_with('\\') => self.run_command(line),
            None => Ok(Next::statements(line.to_owned())),
        };
        match next {
            Ok(Next::Quit) => return false,
            Ok(Next::Go) => {}
            Ok(Next::Run(script)) => self.run_script(&script),
            Ok(Next::RunExpanded(script)) => {
                let expand = self.session.runner.output.screen.expand;
                self.session.runner.output.screen.expand = Expand::Always;
                self.run_script(&script);
                self.session.runner.output.screen.expand = expand;
            }
            Err(message) => say!("error: {message}"),
        }
        true
    }

    fn run_command(&mut self, line: &str) -> Result<Next, String> {
        let line = line.trim_end_matches(';');
        let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match COMMANDS.iter().find(|command| command.name == name) {
            Some(command) => (command.run)(&mut self.session, arguments.trim()),
            None => Err(format!("unknown command {name}; type \\? for a list")),
        }
    }

    fn run_script(&mut self, script: &Script) {
        let started = Instant::now();
        self.session.runner.interrupts.forget();
        let ran = self.front.block_on(self.session.runner.run_script(script));
        let summary = std::mem::take(&mut self.session.runner.summary);
        match ran {
            Err(failure @ Failure::Interrupted(_)) => say!("{failure}"),
            Err(failure) => say!("error: {failure}"),
            Ok(()) if self.session.timing && summary.statements > 0 => {
                say!("{}", summary.of_statement(started.elapsed()));
            }
            Ok(()) => {}
        }
    }
}

/// The history file, in the user's data folder.
fn history_file() -> Option<PathBuf> {
    let folder = dirs::data_dir()?.join("corpus-sql");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history.txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_behind_statements() {
        for (unfinished, line, command) in [
            ("", "\\x", Some("\\x")),
            ("SELECT 1", "  help", Some("  help")),
            ("", "SELECT 1 \\gx", Some("\\gx")),
            ("", "SELECT 1; \\x on", Some("\\x on")),
            ("", "SELECT 1;\\q", Some("\\q")),
            ("SELECT 1", "FROM t \\?", Some("\\?")),
            ("-- note", "\\d", Some("\\d")),
            ("", "SELECT ' \\x'", None),
            ("SELECT '", " \\x", None),
            ("", "SELECT 1 -- \\x", None),
            ("", "SELECT a\\x", None),
            ("/*", "help", None),
            ("", "SELECT ' \\x' \\d", Some("\\d")),
        ] {
            let found = command_start(unfinished, line).map(|at| &line[at..]);
            assert_eq!(found, command, "{unfinished:?} {line:?}");
        }
    }

    #[test]
    fn commands_end_statements_or_run_before_they_go_on() {
        for (statement, command, inputs, rest) in [
            ("SELECT 1 ", "\\gx", &["\\gx SELECT 1 "][..], ""),
            ("SELECT 1", "\\G;", &["\\gx SELECT 1"], ""),
            ("SELECT 1;", "\\x", &["SELECT 1;", "\\x"], ""),
            ("SELECT 1", "\\x", &["\\x"], "SELECT 1"),
            ("", "help", &["help"], ""),
        ] {
            let mut unfinished = statement.to_owned();
            assert_eq!(with_command(&mut unfinished, command), inputs);
            assert_eq!(unfinished, rest);
        }
    }
}
