//! Writes the main text of the UTF-8 pages of a file, separated by NUL bytes, each after the kind
//! of its page and a line feed:
//! `cargo run --release -p corpus-html --example main_texts -- pages > texts`

use std::io::{self, Write};
use std::{env, fs};

use corpus_html::main_text::main_text_and_kind;
use corpus_html::{Engine, Options};

fn main() -> io::Result<()> {
    let pages = fs::read(env::args().nth(1).unwrap_or_default())?;
    let mut output = io::stdout().lock();
    for (index, page) in pages.split(|byte| *byte == 0).enumerate() {
        let page = String::from_utf8_lossy(page);
        let (text, kind) = main_text_and_kind(Engine::Native, &Options::default(), &page);
        let separator = if index > 0 { "\0" } else { "" };
        write!(output, "{separator}{}\n{text}", kind.name())?;
    }
    Ok(())
}
