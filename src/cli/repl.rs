//! The interactive session.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use tokio::runtime::Runtime;

use super::completion::Columns;
use super::editor::SqlHelper;
use super::results::{Expand, Format, Hints};
use super::runner::Runner;
use crate::statements::script::{Failure, Script};
use crate::statements::split::{is_incomplete, is_outside_of_quotes};
use crate::statements::variable_checks::check_spelling;
use crate::statements::variables::is_name;

const HISTORY_LENGTH: usize = 10_000;

const PROMPT: &str = "corpus> ";

/// Has the width of the prompt, so that lines are aligned.
const CONTINUATION_PROMPT: &str = "   ...> ";

/// A limit, since shown rows are held in memory.
const MAX_SHOWN_ROWS: usize = 100_000;

/// A backslash command.
pub struct Command {
    pub name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&mut Repl<'_>, &str) -> Result<Next, String>,
}

/// What to do after a command.
enum Next {
    Go,
    Quit,
    Run(Script),
}

impl Next {
    fn statements(text: String) -> Self {
        Self::Run(Script {
            name: "line".to_owned(),
            text,
        })
    }
}

pub const COMMANDS: &[Command] = &[
    Command {
        name: "\\?",
        arguments: "",
        help: "show this list",
        run: |_, _| {
            print_help();
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\d",
        arguments: "[TABLE]",
        help: "list all tables, or the columns of one",
        run: |_, name| {
            Ok(Next::statements(if name.is_empty() {
                "SELECT table_schema, table_name, table_type FROM information_schema.tables \
                 WHERE table_schema <> 'information_schema' ORDER BY 1, 2"
                    .to_owned()
            } else {
                format!("DESCRIBE {name}")
            }))
        },
    },
    Command {
        name: "\\df",
        arguments: "[NAME]",
        help: "list the functions whose name contains NAME, with their documentation",
        run: |_, name| {
            let name = name.replace('\'', "''");
            Ok(Next::statements(format!("SHOW FUNCTIONS LIKE '%{name}%'")))
        },
    },
    Command {
        name: "\\i",
        arguments: "FILE",
        help: "run the statements of a file",
        run: |repl, name| {
            if name.is_empty() {
                return Err("expected a file: \\i FILE".to_owned());
            }
            match std::fs::read_to_string(name) {
                Ok(text) => {
                    let script = Script {
                        name: name.to_owned(),
                        text,
                    };
                    check_spelling(&script, &repl.runner.variables)
                        .map_err(|failure| failure.to_string())?;
                    Ok(Next::Run(script))
                }
                Err(error) => Err(format!("cannot read '{name}': {error}")),
            }
        },
    },
    Command {
        name: "\\set",
        arguments: "[NAME VALUE]",
        help: "set a variable: ${NAME} becomes VALUE; without arguments, list all variables",
        run: set_variable,
    },
    Command {
        name: "\\format",
        arguments: "FORMAT",
        help: "set the format of results: table, vertical, markdown, csv, tsv, json, ndjson",
        run: |repl, name| {
            repl.runner.output.format = Format::from_str(name, true).map_err(|_| {
                let names = Format::value_variants().iter();
                let names = names
                    .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()));
                format!("expected one of {}", names.collect::<Vec<_>>().join(", "))
            })?;
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\x",
        arguments: "[on|off|auto]",
        help: "show one line per value: always, never, or when columns do not fit",
        run: |repl, value| {
            let screen = &mut repl.runner.output.screen;
            screen.expand = match value {
                "" if screen.expand == Expand::Always => Expand::Never,
                "" | "on" => Expand::Always,
                "off" => Expand::Never,
                "auto" => Expand::Auto,
                _ => return Err("expected on, off or auto".to_owned()),
            };
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\rows",
        arguments: "N",
        help: "show at most N rows of a result, the first and the last ones",
        run: |repl, value| {
            repl.runner.output.screen.max_rows = match value.parse() {
                Ok(rows @ 1..=MAX_SHOWN_ROWS) => rows,
                _ => return Err(format!("expected a number from 1 to {MAX_SHOWN_ROWS}")),
            };
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\timing",
        arguments: "[on|off]",
        help: "show what each statement read, and how long it took",
        run: |repl, value| {
            repl.timing = match value {
                "" => !repl.timing,
                "on" => true,
                "off" => false,
                _ => return Err("expected on or off".to_owned()),
            };
            eprintln!("timing is {}", if repl.timing { "on" } else { "off" });
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\q",
        arguments: "",
        help: "quit, like Ctrl-D",
        run: |_, _| Ok(Next::Quit),
    },
];

fn print_help() {
    println!(
        "Statements end with a semicolon and may span several lines. Ctrl-C stops a statement."
    );
    println!(
        "Tab completes. SHOW FUNCTIONS, SHOW TABLES and SHOW ALL list functions, tables and settings.\n"
    );
    for command in COMMANDS {
        let usage = format!("{} {}", command.name, command.arguments);
        println!("  {usage:<20} {}", command.help);
    }
}

fn set_variable(repl: &mut Repl<'_>, arguments: &str) -> Result<Next, String> {
    let variables = &mut repl.runner.variables;
    if arguments.is_empty() {
        for (name, value) in variables.iter() {
            println!("{name} = {value}");
        }
        return Ok(Next::Go);
    }
    let (name, value) = arguments
        .split_once(char::is_whitespace)
        .unwrap_or((arguments, ""));
    if !is_name(name) {
        return Err(format!(
            "'{name}' is not a valid name: use letters, digits and _"
        ));
    }
    variables.insert(name.to_owned(), value.trim().to_owned());
    Ok(Next::Go)
}

pub struct Repl<'a> {
    front: &'a Runtime,
    runner: &'a mut Runner,
    timing: bool,
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
    let commands = COMMANDS.iter().map(|command| command.name).collect();
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
        runner,
        timing: !quiet,
    };
    let mut unfinished = String::new();
    loop {
        match read_input(&mut editor, &mut unfinished) {
            Ok(text) => {
                if !repl.run_line(text.trim()) {
                    break;
                }
                if !unfinished.is_empty() {
                    eprintln!(
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
) -> rustyline::Result<String> {
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
        if is_command(&line) && (is_first || is_outside_of_quotes(unfinished, &GenericDialect {})) {
            editor.add_history_entry(&line)?;
            return Ok(line);
        }
        if !is_first {
            unfinished.push('\n');
        }
        unfinished.push_str(&line);
        if !is_incomplete(unfinished, &GenericDialect {}) {
            editor.add_history_entry(unfinished.as_str())?;
            return Ok(std::mem::take(unfinished));
        }
    }
}

/// Whether the line is complete without a semicolon.
fn is_command(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('\\') || foreign_command(line).is_some()
}

/// Commands of other programs, and ours. The words are commands only if nothing follows them.
const FOREIGN_COMMANDS: &[(&str, &str)] = &[
    ("exit", "\\q"),
    ("quit", "\\q"),
    ("help", "\\?"),
    ("?", "\\?"),
    (".exit", "\\q"),
    (".quit", "\\q"),
    (".help", "\\?"),
    (".tables", "\\d"),
    (".schema", "\\d"),
    (".databases", "\\d"),
    (".read", "\\i"),
    (".mode", "\\format"),
    (".timer", "\\timing"),
    (".maxrows", "\\rows"),
];

/// Returns our command for one of another program, and its arguments. The name is empty if there is
/// none.
fn foreign_command(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim().trim_end_matches(';').trim_end();
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is_name = |known: &&(&str, &str)| known.0.eq_ignore_ascii_case(name);
    let known = FOREIGN_COMMANDS.iter().find(is_name).map(|(_, ours)| *ours);
    match name.strip_prefix('.') {
        // No statement begins with a dot. A number may continue one.
        Some(word) if word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            Some((known.unwrap_or_default(), arguments))
        }
        _ if arguments.is_empty() => known.map(|ours| (ours, "")),
        _ => None,
    }
}

impl Repl<'_> {
    /// Runs a line or a command. Returns `false` at the end of the session.
    fn run_line(&mut self, line: &str) -> bool {
        let next = if line.starts_with('\\') {
            self.run_command(line)
        } else if let Some((ours, arguments)) = foreign_command(line) {
            self.run_foreign_command(line, ours, arguments)
        } else {
            Ok(Next::statements(line.to_owned()))
        };
        match next {
            Ok(Next::Quit) => return false,
            Ok(Next::Go) => {}
            Ok(Next::Run(script)) => self.run_script(&script),
            Err(message) => eprintln!("error: {message}"),
        }
        true
    }

    fn run_command(&mut self, line: &str) -> Result<Next, String> {
        let line = line.trim_end_matches(';');
        let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match COMMANDS.iter().find(|command| command.name == name) {
            Some(command) => (command.run)(self, arguments.trim()),
            None => Err(format!("unknown command {name}; type \\? for a list")),
        }
    }

    fn run_foreign_command(
        &mut self,
        line: &str,
        ours: &str,
        arguments: &str,
    ) -> Result<Next, String> {
        if ours.is_empty() {
            return Err(format!(
                "unknown command {line}; commands begin with a backslash: type \\? for a list"
            ));
        }
        if line.starts_with('.') {
            eprintln!("{line} is {ours} here; type \\? for all commands");
        }
        self.run_command(&format!("{ours} {arguments}"))
    }

    fn run_script(&mut self, script: &Script) {
        let started = Instant::now();
        self.runner.interrupts.forget();
        let ran = self.front.block_on(self.runner.run_script(script));
        let summary = std::mem::take(&mut self.runner.summary);
        match ran {
            Err(failure @ Failure::Interrupted(_)) => eprintln!("{failure}"),
            Err(failure) => eprintln!("error: {failure}"),
            Ok(()) if self.timing && summary.statements > 0 => {
                eprintln!("{}", summary.of_statement(started.elapsed()));
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
