//! A worker process that parses PDFs, for programs that run in another binary, such as the Python
//! package: `use_worker_binary` names it.

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = corpus_pdf::isolation::at_start_of_main() {
        return code;
    }
    eprintln!("error: a worker of corpus-sql, which starts it to parse PDFs");
    ExitCode::from(2)
}
