//! Prints the compression format of each file, detected from its first bytes.

use std::fs::File;

use corpus_bytes::compression::Compression;
use corpus_bytes::file::read_up_to;

/// Enough for the magic bytes of all formats.
const START_BYTES: usize = 64;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let mut start = [0; START_BYTES];
        let length = read_up_to(&mut File::open(&path)?, &mut start)?;
        let compression = Compression::detect(&start[..length]);
        println!("{path}\t{}", compression.map_or("none", Compression::name));
    }
    Ok(())
}
