//! Lists files and the members of packages: `cargo run -p corpus-packages --example members FILE…`

use std::process::ExitCode;

use corpus_packages::Reader;

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let records = match Reader::open(&path) {
            Ok(records) => records,
            Err(error) => {
                eprintln!("{path}: {error}");
                exit = ExitCode::FAILURE;
                continue;
            }
        };
        for record in records {
            let bytes = record.content.map_or(0, |content| content.len());
            println!("{bytes:>12}  {}", record.name);
            if let Some(error) = record.error {
                eprintln!("{}: {error}", record.name);
                exit = ExitCode::FAILURE;
            }
        }
    }
    exit
}
