//! Lists the messages of mailboxes: `cargo run -p corpus-office --example mail_text FILE…`

use std::process::ExitCode;

use corpus_office::mail::{messages, read};

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{path}: {error}");
                exit = ExitCode::FAILURE;
                continue;
            }
        };
        for message in messages(&bytes).map(read) {
            println!("Subject: {}\n", message.subject.unwrap_or_default());
            println!("{}\n", message.text);
            if let Some(error) = message.error {
                eprintln!("{path}: {error}");
            }
        }
    }
    exit
}
