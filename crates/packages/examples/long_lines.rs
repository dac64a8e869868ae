//! Prints where the long lines of a file are: `cargo run -p corpus-packages --example long_lines
//! x.gz`

use std::io;
use std::path::Path;
use std::sync::Arc;

use corpus_bytes::local::{ByteCounter, LocalFile};
use corpus_packages::lines::{Line, Lines};

const LONG: usize = 10_000;

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let file = LocalFile::open(Path::new(&path), ByteCounter::default())?;
    let mut lines = Lines::open(Arc::new(file), 0..u64::MAX, LONG)?;
    while let Some(line) = lines.next_line() {
        match line {
            Line::Cut { offset, length, .. } => println!("{offset}: {length} bytes"),
            Line::Broken { error, .. } => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
