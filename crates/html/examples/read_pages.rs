//! Reads the UTF-8 pages of a file, separated by NUL bytes, and prints the number of bytes of their
//! output, to measure speed:
//! `cargo run --release -p corpus-html --example read_pages -- document pages`

use std::{env, fs, io};

use corpus_blocks::markdown::{self, markdown};
use corpus_html::extract::{Addresses, Document, blocks};
use corpus_html::main_text::{main_blocks, main_text};
use corpus_html::{Engine, Options};

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let pages = fs::read(arguments.next().unwrap_or_default())?;
    let options = Options::default();
    let engine = Engine::Native;
    let mut bytes = 0;
    for page in pages.split(|byte| *byte == 0) {
        let page = String::from_utf8_lossy(page);
        bytes += match what.as_str() {
            "document" => engine.read(&page, &options, Document::default).finish(),
            "main" => main_text(engine, &options, &page),
            "blocks" => {
                let blocks = blocks(engine, &options, &page, &Addresses::None);
                markdown(&blocks, &markdown::Options::default())
            }
            "main-blocks" => {
                let blocks = main_blocks(engine, &options, &page, &Addresses::None);
                markdown(&blocks, &markdown::Options::default())
            }
            _ => {
                let names = "expected document, main, blocks or main-blocks";
                return Err(io::Error::other(names));
            }
        }
        .len();
    }
    println!("{bytes}");
    Ok(())
}
