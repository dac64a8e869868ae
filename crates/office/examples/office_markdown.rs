//! Prints the Markdown of a document:
//! `cargo run -p corpus-office --example office_markdown -- document.docx`

use std::{env, fs, io};

use corpus_blocks::markdown::{self, markdown};
use corpus_office::{Limits, read_blocks};

fn main() -> io::Result<()> {
    let bytes = fs::read(env::args().nth(1).unwrap_or_default())?;
    let document = read_blocks(&bytes, &Limits::default());
    println!(
        "{}",
        markdown(&document.blocks, &markdown::Options::default())
    );
    match document.error {
        Some(error) => Err(io::Error::other(error)),
        None => Ok(()),
    }
}
