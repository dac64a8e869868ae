//! Prints the text of documents: `cargo run -p corpus-office --example office_text FILE…`

use std::process::ExitCode;

use corpus_office::{Limits, read};

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let document = match std::fs::read(&path) {
            Ok(bytes) => read(&bytes, &Limits::default()),
            Err(error) => {
                eprintln!("{path}: {error}");
                exit = ExitCode::FAILURE;
                continue;
            }
        };
        println!("{}", document.text.unwrap_or_default());
        if let Some(error) = document.error {
            eprintln!("{path}: {error}");
            exit = ExitCode::FAILURE;
        }
    }
    exit
}
