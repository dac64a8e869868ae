//! Prints the Markdown of UTF-8 pages, which are separated by NUL bytes:
//! `cargo run -p corpus-html --example markdown [-- links] [main] < page.html`

use std::io::{self, Read, Write};

use corpus_blocks::markdown::{self, markdown};
use corpus_html::extract::{Addresses, blocks};
use corpus_html::main_text::main_blocks;
use corpus_html::{Engine, Options};

fn main() -> io::Result<()> {
    let mut pages = String::new();
    io::stdin().read_to_string(&mut pages)?;
    let has = |name: &str| std::env::args().any(|argument| argument == name);
    let (has_links, is_main) = (has("links"), has("main"));
    let (addresses, output) = if has_links {
        let output = markdown::Options {
            links: true,
            pictures: true,
            ..markdown::Options::default()
        };
        (Addresses::AsWritten, output)
    } else {
        (Addresses::None, markdown::Options::default())
    };
    let texts: Vec<String> = pages
        .split('\0')
        .map(|page| {
            let read = if is_main { main_blocks } else { blocks };
            let blocks = read(Engine::Native, &Options::default(), page, &addresses);
            markdown(&blocks, &output)
        })
        .collect();
    io::stdout().write_all(texts.join("\0").as_bytes())
}
