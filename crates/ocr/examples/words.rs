//! Prints the words of a page with their boxes: `cargo run -p corpus-ocr --example words <
//! page.hocr`

use std::io::{self, Read};

use corpus_ocr::{Level, ReadOptions, elements};

fn main() -> io::Result<()> {
    let mut page = String::new();
    io::stdin().read_to_string(&mut page)?;
    let options = ReadOptions {
        level: Level::Word,
        text: true,
    };
    for word in elements(&page, options).map_err(io::Error::other)? {
        let text = word.text.unwrap_or_default();
        match word.element.bbox {
            Some(bbox) => println!("{text}\t{} {} {} {}", bbox.x1, bbox.y1, bbox.x2, bbox.y2),
            None => println!("{text}\t-"),
        }
    }
    Ok(())
}
