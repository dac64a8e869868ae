//! Lists the documents in files: `cargo run -p corpus-documents --example list_documents FILE…`

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use corpus_bytes::file::FileBytes;
use corpus_bytes::local::LocalFile;
use corpus_bytes::record::{ColumnSet, ReadRequest, Value};
use corpus_documents::{CONTENT, SOURCE_FILE, URL, open};

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let file = LocalFile::open(Path::new(&path), Arc::default())?;
        let mut reader = open(ReadRequest {
            range: 0..file.size(),
            file: Arc::new(file),
            name: path.as_str().into(),
            max_record_bytes: 128 << 20,
            modified: None,
            columns: ColumnSet::ALL,
        })?;
        while reader.advance() {
            reader.load(true);
            let bytes = match reader.value(CONTENT) {
                Value::Bytes(content) => content.len(),
                _ => 0,
            };
            for column in [SOURCE_FILE, URL] {
                if let Value::Text(text) = reader.value(column) {
                    print!("{text} ");
                }
            }
            println!("{bytes} bytes");
            if let Some(error) = reader.error() {
                eprintln!("{path}: {error}");
            }
        }
    }
    Ok(())
}
