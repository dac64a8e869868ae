use std::process::ExitCode;

use corpus_sql::cli;

fn main() -> ExitCode {
    cli::run(cli::args::Args::from_command_line())
}
