use std::process::ExitCode;

use corpus_sql::{allocator, cli, open_files};

fn main() -> ExitCode {
    allocator::keep_freed_memory(None);
    // This process may be a worker that parses PDFs.
    #[cfg(feature = "pdf")]
    if let Some(code) = corpus_pdf::isolation::at_start_of_main() {
        return code;
    }
    open_files::raise_limit();
    cli::run(cli::args::Args::from_command_line())
}
