//! Searches an index: `cargo run -p corpus-search --example search -- index/ 'great flood'`

use std::error::Error;
use std::path::PathBuf;

use corpus_search::{Search, SearchOptions, SnippetFormat, StoredValue};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(index), Some(query)) = (args.next(), args.next()) else {
        return Err("expected the folder of an index and a query".into());
    };
    let search = Search::open(&[PathBuf::from(index)])?;
    let options = SearchOptions {
        limit: Some(10),
        snippet: SnippetFormat::Text,
        ..SearchOptions::default()
    };
    for row in search.find(&query, &options)?.rows() {
        let row = row?;
        let id = match row.values.first() {
            Some(StoredValue::Text(id)) => id.as_str(),
            _ => "-",
        };
        println!(
            "{:.2}\t{id}\t{}",
            row.score,
            row.snippet.unwrap_or_default()
        );
    }
    Ok(())
}
