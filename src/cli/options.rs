//! The options of all runs.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

#[cfg(feature = "cluster")]
use super::access::AccessArgs;
#[cfg(feature = "cluster")]
use crate::cluster::{Cluster, DEFAULT_WAIT};
use crate::results::Format;
use crate::session::sizes::{parse_memory, parse_size, parse_threads};
use crate::statements::progress::ProgressMode;
use crate::statements::variables::is_name;

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

    /// Format of the results [default: that of the extension of -o, or table]
    #[arg(long, value_enum)]
    pub format: Option<Format>,

    /// Write results to this file instead of stdout; it appears only when the run is complete
    ///
    /// The extension names the format: .csv, .tsv, .json, .jsonl, .parquet, .arrow, .xlsx, .md or
    /// .txt. After a further .gz or .zst, the file is compressed.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Begin CSV and TSV with a byte order mark, without which Excel misreads letters beyond ASCII
    #[arg(long)]
    pub bom: bool,

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
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
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
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub status: Option<PathBuf>,

    /// Write a summary of the run to this file when it ends, as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub summary: Option<PathBuf>,

    /// Exit with code 3 if all statements succeeded, but records, files or rows had errors
    #[arg(long)]
    pub fail_on_errors: bool,

    /// Run queries on a cluster: the address of its scheduler, df://HOST:PORT
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "URL")]
    pub cluster: Option<Cluster>,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub access: AccessArgs,

    /// Time to wait for a scheduler that is lost during a statement; it then continues
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_WAIT.as_secs(), value_parser = clap::value_parser!(u64).range(..=604_800))]
    pub wait_for_scheduler: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Json,
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
