//! The command line arguments.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::job_arguments::{self, JobsArgs, RunArgs};
use super::options::Options;
#[cfg(feature = "cluster")]
use super::processes::Process;
#[cfg(feature = "ui")]
use super::ui::UiArgs;
use crate::jobs::Job;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
    corpus-sql
        Starts an interactive session; \\? lists its commands.
    corpus-sql -c \"SELECT source_file, size FROM read_files('scans/')\"
        Shows each file in a folder as a row, including members of .tar and .zip packages.
    corpus-sql crawl.warc.gz
        Starts a session with a file as the view `crawl`. Folders and URLs are possible, too.
    corpus-sql jobs
        Lists the jobs in this program; corpus-sql jobs NAME shows what one does.
    corpus-sql run warc_to_document crawl/ -o documents/
        Runs a job.
    corpus-sql -f queries/files_report.sql -v input=scans/
        Runs a file of statements, with ${input} replaced by scans/.
    corpus-sql -c \"COPY (SELECT * FROM read_pdf('papers/')) TO 'papers.parquet'\"
        Writes Parquet, for example for Python or Spark.
    corpus-sql -c \"SELECT url, title FROM web_pages('crawl/')\" -o pages.xlsx
        Writes the result for Excel; the extension names the format.

  The syntax and variables of a file are checked before its first statement runs. The run stops at
  the first statement that fails. Results go to stdout, everything else to stderr.

  Exit codes: 0 success, 1 a statement failed, 2 wrong usage, 130 interrupted; with
  --fail-on-errors, 3 records, files or rows had errors.";

/// SQL over raw document corpora: web archives, scanned books, PDFs.
///
/// Without statements, starts an interactive session, or reads statements from stdin when it is not
/// a terminal.
#[derive(Debug, Parser)]
#[command(name = "corpus-sql", version, styles = STYLES, after_help = EXAMPLES, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// Run this statement or .sql file, or open a session with this file, folder or URL as a view
    #[arg(value_name = "SQL|FILE", value_hint = ValueHint::AnyPath)]
    pub positional: Option<String>,

    /// Run the statements in these files; - is stdin
    #[arg(short, long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    pub file: Vec<String>,

    /// Run these statements
    #[arg(short, long, value_name = "SQL", num_args = 1..)]
    pub command: Vec<String>,

    #[command(flatten)]
    pub options: Options,

    #[command(subcommand)]
    pub task: Option<Task>,

    /// Print a man page, or completions for a shell
    #[arg(long, value_enum, value_name = "WHAT", exclusive = true)]
    pub generate: Option<Generated>,

    /// The files and commands to run, in the order of the arguments.
    #[arg(skip)]
    pub inputs: Vec<Input>,
}

#[derive(Debug, Subcommand)]
pub enum Task {
    /// List the jobs in this program, or show one
    Jobs(JobsArgs),
    /// Run a job
    Run(Box<RunArgs>),
    /// Show a page for SQL, and the documents of its rows, in a browser
    #[cfg(feature = "ui")]
    Ui(UiArgs),
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    Process(Process),
}

/// One source of statements, or a view that statements need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The argument of `-f`.
    File(String),
    /// The argument of `-c`.
    Command(String),
    /// The argument without an option: a statement, a file of statements, or data.
    Positional(String),
    /// The argument of `run`.
    Job(&'static Job),
}

/// The output of `--generate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Generated {
    Man,
    Bash,
    Fish,
    Powershell,
    Zsh,
}

impl Generated {
    /// Writes the man page or the completions, generated from the definition of the arguments.
    pub fn write(self, output: &mut dyn Write) -> io::Result<()> {
        let mut command = Args::command();
        let shell = match self {
            Self::Man => return Man::new(command).render(output),
            Self::Bash => Shell::Bash,
            Self::Fish => Shell::Fish,
            Self::Powershell => Shell::PowerShell,
            Self::Zsh => Shell::Zsh,
        };
        let name = command.get_name().to_owned();
        // `generate` panics if writing fails, so the text is collected in memory first.
        let mut text = Vec::new();
        generate(shell, &mut command, name, &mut text);
        output.write_all(&text)
    }
}

impl Args {
    /// Parses the arguments. If they are wrong, prints a message and exits with code 2.
    pub fn from_command_line() -> Self {
        Self::from_arguments(std::env::args_os())
    }

    /// Like [`Self::from_command_line`], for the given arguments. The first one is the program's
    /// name.
    pub fn from_arguments(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let arguments = arguments.into_iter().map(not_an_option).collect();
        let arguments = with_options_last(arguments);
        Self::parse(&arguments).unwrap_or_else(|error| error.exit())
    }

    fn parse(arguments: &[OsString]) -> Result<Self, clap::Error> {
        let command = Self::command();
        let (command, job) = match job_arguments::named_job(arguments)? {
            Some(job) => (
                command.mut_subcommand("run", |run| job_arguments::add(run, job)),
                Some(job),
            ),
            None => (command, None),
        };
        let matches = command.try_get_matches_from(arguments);
        Self::from_matches(matches.map_err(|error| job_arguments::explain(error, arguments, job))?)
    }

    fn from_matches(matches: ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::from_arg_matches(&matches)?;
        let positional = args.positional.iter().cloned().map(Input::Positional);
        let files = args.file.iter().cloned().map(Input::File);
        let commands = args.command.iter().cloned().map(Input::Command);
        let indices = |name| matches.indices_of(name).into_iter().flatten();
        let mut inputs: Vec<_> = indices("positional")
            .zip(positional)
            .chain(indices("file").zip(files))
            .chain(indices("command").zip(commands))
            .collect();
        inputs.sort_by_key(|(index, _)| *index);
        args.inputs = inputs.into_iter().map(|(_, input)| input).collect();
        if let (Some(Task::Run(run)), Some(matches)) =
            (&mut args.task, matches.subcommand_matches("run"))
        {
            run.set_variables(matches)?;
        }
        Ok(args)
    }
}

/// Returns statements that begin with a comment (`-- …`) so that they are not taken for an option.
fn not_an_option(argument: OsString) -> OsString {
    let after = argument.to_str().and_then(|text| text.strip_prefix("--"));
    match after {
        Some(rest) if rest.starts_with(char::is_whitespace) => format!(" --{rest}").into(),
        _ => argument,
    }
}

/// Moves options before `run` after the name of the job, where they have the same meaning.
fn with_options_last(arguments: Vec<OsString>) -> Vec<OsString> {
    let is_run = |at: &usize| {
        let parsed = || Args::command().try_get_matches_from(&arguments[..*at]);
        let has_statements = |matches: ArgMatches| {
            let ids = ["positional", "file", "command", "generate"];
            matches.subcommand().is_some() || ids.iter().any(|id| matches.contains_id(id))
        };
        arguments[*at] == "run" && parsed().is_ok_and(|matches| !has_statements(matches))
    };
    let Some(run) = (2..arguments.len()).find(is_run) else {
        return arguments;
    };
    let (before, after) = arguments.split_at(run);
    let has_name = |after: &[OsString]| {
        let name = after.get(1);
        name.is_some_and(|name| !name.to_string_lossy().starts_with('-'))
    };
    let (command, rest) = after.split_at(if has_name(after) { 2 } else { 1 });
    let (program, options) = before.split_at(1);
    [program, command, options, rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(line: &[&str]) -> Vec<Input> {
        let line = std::iter::once(&"corpus-sql").chain(line);
        Args::parse(&line.map(OsString::from).collect::<Vec<_>>())
            .unwrap()
            .inputs
    }

    #[test]
    fn the_definition_is_valid() {
        Args::command().debug_assert();
    }

    #[test]
    fn inputs_keep_their_order() {
        let file = |name: &str| Input::File(name.to_owned());
        let command = |sql: &str| Input::Command(sql.to_owned());
        assert_eq!(
            inputs(&["-f", "a", "b", "-c", "x", "-f", "-"]),
            [file("a"), file("b"), command("x"), file("-")]
        );
        let positional = Input::Positional("d".to_owned());
        assert_eq!(
            inputs(&["-q", "d", "-c", "x"]),
            [positional.clone(), command("x")]
        );
        assert_eq!(inputs(&["-c", "x", "-q", "d"]), [command("x"), positional]);
    }
}
