//! Prints the article of a UTF-8 page: `cargo run -p corpus-html --example main_text < page.html`

use std::io::{self, Read};

use corpus_html::main_text::main_text;
use corpus_html::{Engine, Options};

fn main() -> io::Result<()> {
    let mut page = String::new();
    io::stdin().read_to_string(&mut page)?;
    println!("{}", main_text(Engine::Native, &Options::default(), &page));
    Ok(())
}
