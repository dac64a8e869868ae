//! The commands of the interactive session that begin with a backslash.

use clap::ValueEnum;

use super::runner::Runner;
use super::script_files;
use crate::results::{Expand, Format};
use crate::statements::script::{Script, TYPED};
use crate::statements::variable_checks::check_spelling;
use crate::statements::variables::is_name;

/// The maximum of `\rows`, because the rows to show are held in memory.
const MAX_SHOWN_ROWS: usize = 100_000;

/// The state that commands change.
pub struct Session<'a> {
    pub runner: &'a mut Runner,
    /// Whether to print what each statement read, and how long it took.
    pub timing: bool,
}

/// A backslash command.
pub struct Command {
    pub name: &'static str,
    arguments: &'static str,
    help: &'static str,
    pub run: fn(&mut Session<'_>, &str) -> Result<Next, String>,
}

/// The action after a command.
pub enum Next {
    Go,
    Quit,
    Run(Script),
    /// Like `Run`, with one line per value.
    RunExpanded(Script),
}

impl Next {
    pub fn statements(text: String) -> Self {
        Self::Run(script_of(text))
    }
}

/// Makes a script of statements that the user typed.
fn script_of(text: String) -> Script {
    Script {
        name: TYPED.to_owned(),
        text,
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
        run: |session, name| {
            let name = unquote(name);
            if name.is_empty() {
                return Err("expected a file: \\i FILE".to_owned());
            }
            let script = script_files::read(name).map_err(|failure| failure.to_string())?;
            check_spelling(&script, &session.runner.variables)
                .map_err(|failure| failure.to_string())?;
            Ok(Next::Run(script))
        },
    },
    Command {
        name: "\\set",
        arguments: "[NAME VALUE]",
        help: "set a variable: ${NAME} becomes VALUE; without arguments, list all variables",
        run: set_variable,
    },
    Command {
        name: "\\g",
        arguments: "",
        help: "run the statement before it, as a semicolon does",
        run: |_, statement| Ok(Next::Run(statement_before(statement)?)),
    },
    Command {
        name: "\\gx",
        arguments: "",
        help: "the same, with one line per value",
        run: |_, statement| Ok(Next::RunExpanded(statement_before(statement)?)),
    },
    Command {
        name: "\\format",
        arguments: "FORMAT",
        help: "set the format of results: table, vertical, markdown, csv, tsv, json, ndjson",
        run: |session, name| {
            let format = Format::from_str(name, true).map_err(|_| {
                let names = Format::value_variants().iter().map(|format| format.name());
                format!("expected one of {}", names.collect::<Vec<_>>().join(", "))
            })?;
            session.runner.output.set_format(format)?;
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\x",
        arguments: "[on|off|auto]",
        help: "show one line per value: always, never, or when columns do not fit",
        run: |session, value| {
            let screen = &mut session.runner.output.screen;
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
        name: "\\fold",
        arguments: "[on|off]",
        help: "leave out columns with one value where others would be cut, and folders of paths",
        run: |session, value| {
            let folds = &mut session.runner.output.screen.folds;
            *folds = parse_switch(*folds, value)?;
            say!("folding is {}", if *folds { "on" } else { "off" });
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\rows",
        arguments: "N",
        help: "show at most N rows of a result, the first and the last ones",
        run: |session, value| {
            session.runner.output.screen.max_rows = match value.parse() {
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
        run: |session, value| {
            session.timing = parse_switch(session.timing, value)?;
            say!("timing is {}", if session.timing { "on" } else { "off" });
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

/// The state of a switch after a command.
fn parse_switch(is_on: bool, value: &str) -> Result<bool, String> {
    match value {
        "" => Ok(!is_on),
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected on or off".to_owned()),
    }
}

fn statement_before(statement: &str) -> Result<Script, String> {
    match statement {
        "" => Err("expected a statement before it".to_owned()),
        statement => Ok(script_of(statement.to_owned())),
    }
}

/// The name of a file that may be in quotes.
fn unquote(name: &str) -> &str {
    let inner = name
        .strip_prefix('\'')
        .and_then(|name| name.strip_suffix('\''));
    inner.unwrap_or(name)
}

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

fn set_variable(session: &mut Session<'_>, arguments: &str) -> Result<Next, String> {
    let variables = &mut session.runner.variables;
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
