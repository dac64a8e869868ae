//! The command line arguments.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::job_arguments::{self, JobsArgs, RunArgs};
use super::numbers::{parse_memory, parse_size, parse_threads};
#[cfg(feature = "cluster")]
use super::processes::Process;
use super::results::Format;
#[cfg(feature = "cluster")]
use crate::cluster::Cluster;
use crate::jobs::Job;
use crate::statements::variables::is_name;

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

  The syntax and variables of a file are checked before its first statement runs. The run stops at
  the first statement that fails. Results go to stdout, everything else to stderr.

  Exit codes: 0 success, 1 a statement failed, 2 wrong usage, 130 interrupted; with
  --fail-on-errors, 3 records or files had errors.";

/// SQL over raw document corpora: web archives, scanned books, PDFs.
///
/// Without statements, starts an interactive session, or reads statements from stdin when it is not
/// a terminal.
#[derive(Debug, Parser)]
#[command(name = "corpus-sql", version, styles = STYLES, after_help = EXAMPLES, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// Run this statement or .sql file, or open a session with this file, folder or URL as a view
    #[arg(value_name = "SQL|FILE")]
    pub positional: Option<String>,

    /// Run the statements in these files; - is stdin
    #[arg(short, long, value_name = "FILE", num_args = 1..)]
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

/// The options of all runs.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Set a variable: ${NAME} in the statements becomes VALUE
    #[arg(short = 'v', long = "var", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub variables: Vec<(String, String)>,

    /// Set a parameter: $NAME in the statements is the text VALUE, never read as SQL
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub parameters: Vec<(String, String)>,

    /// Continue an earlier run: COPY keeps what is complete, and adds the rest
    #[arg(long)]
    pub resume: bool,

    /// Continue an earlier run, and process inputs that had errors again
    #[arg(long)]
    pub retry_errors: bool,

    /// Format of the results
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// Write results to this file instead of stdout; it appears only when the run is complete
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print only results and errors: no progress, no summary
    #[arg(short, long)]
    pub quiet: bool,

    /// Number of partitions processed in parallel [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,

    /// Memory that queries may use before they spill to disk, such as 8GB [default: 70 % of RAM]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory_limit: Option<usize>,

    /// Folder for data that queries spill [default: the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    pub temp_dir: Option<PathBuf>,

    /// Maximum size of that data; a query that needs more fails [default: 100GB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub temp_limit: Option<u64>,

    /// Show progress on stderr: a bar on a terminal, otherwise a line from time to time
    #[arg(long, value_enum, default_value_t = ProgressMode::Auto)]
    pub progress: ProgressMode,

    /// Write one JSON object per event to stderr, instead of progress and a summary
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub log: Option<LogFormat>,

    /// Write the state of the run to this file, about once a second, as JSON
    #[arg(long, value_name = "FILE")]
    pub status: Option<PathBuf>,

    /// Write a summary of the run to this file when it ends, as JSON
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,

    /// Exit with code 3 if all statements succeeded, but records or files had errors
    #[arg(long)]
    pub fail_on_errors: bool,

    /// Run queries on a cluster: the address of its scheduler, df://HOST:PORT
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "URL")]
    pub cluster: Option<Cluster>,
}

#[derive(Debug, Subcommand)]
pub enum Task {
    /// List the jobs in this program, or show one
    Jobs(JobsArgs),
    /// Run a job
    Run(RunArgs),
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// A bar on a terminal, otherwise a line every ten seconds; nothing in the first second
    Auto,
    /// Show progress from the start
    Always,
    /// Show no progress
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Json,
}

/// What `--generate` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Generated {
    Man,
    Bash,
    Fish,
    Powershell,
    Zsh,
}

impl Generated {
    /// Writes it, from the definition of the arguments.
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
        // It panics if it cannot write.
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

    /// The same for other arguments than those of the process. The first one is the program's name.
    pub fn from_arguments(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let arguments = arguments.into_iter().map(not_an_option).collect();
        let arguments = job_arguments::with_options_last(arguments);
        Self::parsed(&arguments).unwrap_or_else(|error| error.exit())
    }

    fn parsed(arguments: &[OsString]) -> Result<Self, clap::Error> {
        let command = Self::command();
        let (command, job) = match job_arguments::named(arguments)? {
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

fn parse_variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if is_name(name) => Ok((name.to_owned(), value.to_owned())),
        Some((name, _)) => Err(format!(
            "'{name}' is not a valid name: use letters, digits and _"
        )),
        None => Err("expected name=value".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(line: &[&str]) -> Vec<Input> {
        let line = std::iter::once(&"corpus-sql").chain(line);
        Args::parsed(&line.map(OsString::from).collect::<Vec<_>>())
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
