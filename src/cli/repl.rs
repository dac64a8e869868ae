//! The interactive session.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use tokio::runtime::Runtime;

use super::editor::SqlHelper;
use super::output::Format;
use super::runner::{Failure, Runner, Script};
use super::variables::is_name;

const HISTORY_LENGTH: usize = 10_000;

/// A backslash command.
pub struct Command {
    pub name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&mut Repl<'_>, &str) -> Result<Next, String>,
}

/// What follows a command.
enum Next {
    Go,
    Quit,
    /// Run these statements.
    Run(String),
}

pub const COMMANDS: &[Command] = &[
    Command {
        name: "\\?",
        arguments: "",
        help: "this list",
        run: |_, _| {
            print_help();
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\d",
        arguments: "[TABLE]",
        help: "all tables, or the columns of one",
        run: |_, name| {
            Ok(Next::Run(if name.is_empty() {
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
        help: "the functions whose name contains NAME, with their documentation",
        run: |_, name| {
            Ok(Next::Run(format!(
                "SELECT DISTINCT routine_name AS name, syntax_example, description \
                 FROM information_schema.routines WHERE routine_name LIKE '%{}%' ORDER BY 1",
                name.replace('\'', "''")
            )))
        },
    },
    Command {
        name: "\\i",
        arguments: "FILE",
        help: "run the statements of a file",
        run: |_, name| {
            std::fs::read_to_string(name)
                .map(Next::Run)
                .map_err(|error| format!("cannot read '{name}': {error}"))
        },
    },
    Command {
        name: "\\set",
        arguments: "[NAME VALUE]",
        help: "set a variable: ${NAME} becomes VALUE; without arguments, all variables",
        run: set_variable,
    },
    Command {
        name: "\\format",
        arguments: "FORMAT",
        help: "how results are shown: table, vertical, markdown, csv, tsv, json, ndjson",
        run: |repl, name| {
            repl.runner.output.format = Format::from_str(name, true)?;
            Ok(Next::Go)
        },
    },
    Command {
        name: "\\timing",
        arguments: "[on|off]",
        help: "show what each statement read and how long it took",
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
        help: "quit, as Ctrl-D does",
        run: |_, _| Ok(Next::Quit),
    },
];

fn print_help() {
    println!("Statements end with a semicolon and may span lines. Ctrl-C stops a statement.");
    println!("Tab completes. SHOW FUNCTIONS, SHOW TABLES and SHOW ALL list what there is.\n");
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
            "'{name}' is no name: names are letters, digits and _"
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
    let cannot_edit = |error: ReadlineError| Failure::Usage(format!("no line editing: {error}"));
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(true)
        .history_ignore_space(true)
        .max_history_size(HISTORY_LENGTH)
        .map_err(cannot_edit)?
        .build();
    let mut editor = Editor::<SqlHelper, FileHistory>::with_config(config).map_err(cannot_edit)?;
    let colors = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    editor.set_helper(Some(SqlHelper::new(runner.context.clone(), colors)));
    let history = history_file();
    if let Some(history) = &history {
        // The first session has none.
        let _ = editor.load_history(history);
    }
    if !quiet {
        println!(
            "corpus-sql {}: statements end with ; \\? helps, \\q quits",
            env!("CARGO_PKG_VERSION")
        );
    }
    let mut repl = Repl {
        front,
        runner,
        timing: !quiet,
    };
    loop {
        match editor.readline("corpus> ") {
            Ok(line) => {
                if !repl.run_line(line.trim()) {
                    break;
                }
            }
            // Ctrl-C drops the line, Ctrl-D leaves.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(cannot_edit(error)),
        }
        if let Some(history) = &history {
            // Kept after every line: a session may end badly.
            let _ = editor.save_history(history);
        }
    }
    Ok(())
}

impl Repl<'_> {
    /// Runs a line or a command. `false` ends the session.
    fn run_line(&mut self, line: &str) -> bool {
        let next = if line.starts_with('\\') {
            self.run_command(line)
        } else {
            Ok(Next::Run(line.to_owned()))
        };
        match next {
            Ok(Next::Quit) => return false,
            Ok(Next::Go) => {}
            Ok(Next::Run(text)) => self.run_statements(text),
            Err(message) => eprintln!("error: {message}"),
        }
        true
    }

    fn run_command(&mut self, line: &str) -> Result<Next, String> {
        let line = line.trim_end_matches(';');
        let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match COMMANDS.iter().find(|command| command.name == name) {
            Some(command) => (command.run)(self, arguments.trim()),
            None => Err(format!("there is no command {name}; \\? lists them")),
        }
    }

    fn run_statements(&mut self, text: String) {
        let script = Script {
            name: "line".to_owned(),
            text,
        };
        let started = Instant::now();
        let ran = self.front.block_on(self.runner.run_script(&script));
        let summary = std::mem::take(&mut self.runner.summary);
        match ran {
            Err(Failure::Interrupted) => eprintln!("interrupted"),
            Err(failure) => eprintln!("error: {failure}"),
            Ok(()) if self.timing && !script.text.is_empty() => {
                eprintln!("{}", summary.of_statement(started.elapsed()));
            }
            Ok(()) => {}
        }
    }
}

/// In the user's data folder, not where the session happens to run.
fn history_file() -> Option<PathBuf> {
    let folder = dirs::data_dir()?.join("corpus-sql");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history.txt"))
}
