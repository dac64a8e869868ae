//! Prints the words of a page with their boxes: `cargo run -p corpus-ocr --example words < page.hocr`

use std::io::{self, Read};

use corpus_ocr::{Level, Wanted, read};

fn main() -> io::Result<()> {
    let mut page = String::new();
    io::stdin().read_to_string(&mut page)?;
    let wanted = Wanted {
        level: Level::Word,
        text: true,
    };
    read(&page, wanted, |row| {
        let text = row.text.unwrap_or_default();
        match row.element.bbox {
            Some(bbox) => println!("{text}\t{} {} {} {}", bbox.x1, bbox.y1, bbox.x2, bbox.y2),
            None => println!("{text}\t-"),
        }
    })
    .map_err(io::Error::other)?;
    Ok(())
}
