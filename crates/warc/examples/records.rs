//! Prints the records of web archives: `cargo run -p corpus-warc --example records FILE…`

use std::process::ExitCode;

use corpus_warc::WarcReader;

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let reader = match WarcReader::open(&path) {
            Ok(reader) => reader,
            Err(error) => {
                eprintln!("{path}: {error}");
                exit = ExitCode::FAILURE;
                continue;
            }
        };
        for record in reader {
            let kind = record.warc_type.as_deref().unwrap_or("-");
            let uri = record.target_uri.as_deref().unwrap_or("-");
            println!("{}\t{kind}\t{}\t{uri}", record.offset, record.body.len());
            if let Some(error) = record.error {
                eprintln!("{path} at {}: {error}", record.offset);
                exit = ExitCode::FAILURE;
            }
        }
    }
    exit
}
