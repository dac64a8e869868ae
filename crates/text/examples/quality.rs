//! Prints the quality rules that a text on stdin breaks.

use std::io::{self, Read};

use corpus_text::quality::{FineWebRules, GopherRules, fineweb, gopher};

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let gopher = gopher(&text);
    let fineweb = fineweb(&text);
    println!("{} words", gopher.words);
    for rule in GopherRules::default().broken(&gopher) {
        println!("{rule}");
    }
    for rule in FineWebRules::default().broken(&fineweb) {
        println!("{rule}");
    }
    Ok(())
}
