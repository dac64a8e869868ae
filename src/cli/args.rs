//! The arguments of the command line.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};

use super::results::Format;
use super::variables::is_name;
use crate::settings::ByteSize;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  corpus-sql
      An interactive session; \\? there lists its commands.
  corpus-sql -c \"SELECT source_file, size FROM read_files('scans/')\"
      Every file of a folder, members of .tar and .zip packages included, as a row.
  corpus-sql -f queries/files_report.sql -v input=scans/
      Runs a file of statements; ${input} in it becomes scans/.
  corpus-sql -c \"COPY (SELECT * FROM read_pdf('papers/')) TO 'papers.parquet'\"
      Writes Parquet, which Python and Spark read.

A file's syntax and variables are checked before its first statement runs; then it stops at
the first statement that fails. Results go to stdout, all else to stderr.

Exit codes: 0 all done, 1 a statement failed, 2 wrong usage, 130 interrupted.";

/// SQL over raw document corpora: web archives, scanned books, PDFs.
///
/// Without -f or -c, statements are read from the terminal, or from stdin if that is none.
#[derive(Debug, Parser)]
#[command(name = "corpus-sql", version, styles = STYLES, after_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    /// Run the statements of these files; - is stdin
    #[arg(short, long, value_name = "FILE", num_args = 1..)]
    pub file: Vec<String>,

    /// Run these statements
    #[arg(short, long, value_name = "SQL", num_args = 1..)]
    pub command: Vec<String>,

    /// Set a variable: ${name} in the statements becomes its value
    #[arg(short = 'v', long = "var", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub variables: Vec<(String, String)>,

    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// Write results to this file instead of stdout; it appears when all is done
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// No progress, no summary: only results and errors
    #[arg(short, long)]
    pub quiet: bool,

    /// How many partitions work at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,

    /// Memory that queries may hold before they spill to disk, such as 8GB [default: 70 % of RAM]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory_limit: Option<usize>,

    /// Where queries spill [default: the system's folder for temporary files]
    #[arg(long, value_name = "DIR")]
    pub temp_dir: Option<PathBuf>,

    /// Show progress on stderr: a bar on a terminal, else a line now and then
    #[arg(long, value_enum, default_value_t = ProgressMode::Auto)]
    pub progress: ProgressMode,

    /// What to run, in the order of the arguments.
    #[arg(skip)]
    pub inputs: Vec<Input>,
}

/// One `-f` or `-c`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    File(String),
    Command(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// A bar on a terminal, a line every ten seconds elsewhere; nothing in the first second
    Auto,
    /// From the first moment on
    Always,
    Never,
}

impl Args {
    /// Ends the process with code 2 and a message if the arguments are wrong.
    pub fn from_command_line() -> Self {
        Self::from_matches(Self::command().get_matches())
    }

    fn from_matches(matches: ArgMatches) -> Self {
        let mut args = match Self::from_arg_matches(&matches) {
            Ok(args) => args,
            Err(error) => error.exit(),
        };
        let files = args.file.iter().cloned().map(Input::File);
        let commands = args.command.iter().cloned().map(Input::Command);
        let indices = |name| matches.indices_of(name).into_iter().flatten();
        let mut inputs: Vec<_> = indices("file")
            .zip(files)
            .chain(indices("command").zip(commands))
            .collect();
        inputs.sort_by_key(|(index, _)| *index);
        args.inputs = inputs.into_iter().map(|(_, input)| input).collect();
        args
    }
}

fn parse_variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if is_name(name) => Ok((name.to_owned(), value.to_owned())),
        Some((name, _)) => Err(format!(
            "'{name}' is no name: names are letters, digits and _"
        )),
        None => Err("expected name=value".to_owned()),
    }
}

fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

fn parse_memory(text: &str) -> Result<usize, String> {
    let ByteSize(bytes) = text.parse()?;
    const LEAST: usize = 16 << 20;
    if bytes < LEAST {
        return Err("at least 16MiB are needed".to_owned());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(line: &[&str]) -> Vec<Input> {
        let line = std::iter::once(&"corpus-sql").chain(line);
        Args::from_matches(Args::command().get_matches_from(line)).inputs
    }

    #[test]
    fn the_definition_is_sound() {
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
    }
}
