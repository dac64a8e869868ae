//! Measures how often the charset of a page is detected correctly, and how fast.
//!
//! `charset_accuracy [FOLDER] [--check] [--failures]` prints tables for the files listed in
//! FOLDER/manifest.jsonl (one `{"file": …, "encoding": …, "lang": …}` per line), or for texts
//! generated here. With `--check`, a missed target is an error; `--failures` lists the failures.

mod made;
mod manifest;
mod repeats;
mod speed;
mod symbols;
mod tables;
mod texts;
mod trials;

use std::process::ExitCode;

/// A text whose charset is known.
pub struct Labelled {
    pub name: String,
    pub language: String,
    pub charset: corpus_charset::Charset,
    pub bytes: Vec<u8>,
}

fn main() -> ExitCode {
    let (options, folders): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    let has = |name: &str| options.iter().any(|option| option == name);
    let labelled = match folders.first() {
        None => made::texts(),
        Some(folder) => match manifest::read(folder.as_ref()) {
            Ok(labelled) => labelled,
            Err(error) => {
                eprintln!("{folder}: {error}");
                return ExitCode::from(2);
            }
        },
    };
    let trials = trials::run(&labelled);
    if has("--failures") {
        tables::print_failures(&trials);
    }
    tables::print(&trials);
    let (kept, recovered) = repeats::print(has("--failures"));
    let ratio = speed::print(&labelled);
    let missed = tables::print_targets(&trials, kept, recovered, ratio);
    ExitCode::from(u8::from(missed && has("--check")))
}
