//! Prints the Markdown of UTF-8 pages, which are separated by NUL bytes:
//! `cargo run -p corpus-html --example markdown < page.html`

use std::io::{self, Read, Write};

use corpus_blocks::markdown::{self, markdown};
use corpus_html::extract::{Addresses, blocks};
use corpus_html::{Engine, Options};

fn main() -> io::Result<()> {
    let mut pages = String::new();
    io::stdin().read_to_string(&mut pages)?;
    let has_links = std::env::args()
        .nth(1)
        .is_some_and(|argument| argument == "links");
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
            let blocks = blocks(Engine::Native, &Options::default(), page, &addresses);
            markdown(&blocks, &output)
        })
        .collect();
    io::stdout().write_all(texts.join("\0").as_bytes())
}
