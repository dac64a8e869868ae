//! Prints the titles in an export: `cargo run -p corpus-mediawiki --example titles pages.xml.bz2`

use std::io;
use std::path::Path;
use std::sync::Arc;

use corpus_bytes::local::{ByteCounter, LocalFile};
use corpus_mediawiki::Export;

/// Longer revisions are cut.
const MAX_REVISION_BYTES: usize = 64 << 20;

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let file = LocalFile::open(Path::new(&path), ByteCounter::default())?;
    let mut export = Export::open(Arc::new(file), 0..u64::MAX, MAX_REVISION_BYTES)?;
    while let Some(entry) = export.next_entry() {
        match (entry.error, &entry.page.title) {
            (Some(error), _) => eprintln!("at {}: {error}", entry.offset),
            (None, title) => println!("{}", title.as_deref().unwrap_or_default()),
        }
    }
    Ok(())
}
