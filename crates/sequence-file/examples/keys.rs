//! Prints the header and the keys of a SequenceFile:
//! `cargo run -p corpus-sequence-file --example keys FILE…`

use std::process::ExitCode;

use corpus_sequence_file::Reader;

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let reader = match Reader::open(&path) {
            Ok(reader) => reader,
            Err(error) => {
                eprintln!("{path}: {error}");
                exit = ExitCode::FAILURE;
                continue;
            }
        };
        let header = reader.header();
        println!(
            "{path}: {} and {}, compression {}",
            header.key_class,
            header.value_class,
            header.compression.name()
        );
        for record in reader {
            println!("{:>12}  {:?}", record.offset, record.key);
            if let Some(error) = record.error {
                eprintln!("{path} at {}: {error}", record.offset);
                exit = ExitCode::FAILURE;
            }
        }
    }
    exit
}
