//! Prints the start tags of a page: `cargo run -p corpus-markup --example tags < page.html`

use std::io::{self, Read};

use corpus_markup::{Syntax, Token, Tokenizer};

fn main() -> io::Result<()> {
    let mut page = String::new();
    io::stdin().read_to_string(&mut page)?;
    for token in Tokenizer::new(&page, Syntax::Html) {
        if let Token::Start(tag) = token {
            println!("{}", tag.written());
        }
    }
    Ok(())
}
