//! Reads hOCR in SequenceFiles up to a stage, and prints sums of what it found, to measure speed
//! (`valgrind --tool=callgrind` counts instructions) and to compare versions:
//! `cargo run --release -p corpus-ocr --example block_widths -- values|characters|blocks FILE…`

use std::sync::Arc;
use std::{env, io};

use corpus_bytes::local::LocalFile;
use corpus_bytes::record::{ReadRequest, Value};
use corpus_charset::decode_text;
use corpus_ocr::{Level, ReadOptions, read};
use corpus_sequence_file::{ColumnTypes, Header, columns};

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let stage = arguments.next().unwrap_or_default();
    let (mut count, mut sum) = (0, 0.0);
    for path in arguments {
        let file = Arc::new(LocalFile::open(path.as_ref(), Default::default())?);
        let header = Header::read(file.as_ref()).map_err(io::Error::other)?;
        let request = ReadRequest {
            range: 0..u64::MAX,
            file,
            name: path.into(),
            max_record_bytes: 128 << 20,
            modified: None,
            columns: [columns::KEY, columns::VALUE].into_iter().collect(),
        };
        let reader = corpus_sequence_file::open(request, ColumnTypes::of(&header));
        let mut reader = reader.map_err(io::Error::other)?;
        while reader.advance() {
            reader.load(true);
            // The engine copies values into its batches, too.
            let value = match reader.value(columns::VALUE) {
                Value::Bytes(value) => value.to_vec(),
                Value::Text(value) => value.as_bytes().to_vec(),
                _ => Vec::new(),
            };
            if stage == "values" {
                (count, sum) = (count + 1, sum + value.len() as f64);
                continue;
            }
            let page = decode_text(&value, Some("utf-8"), None);
            if stage == "characters" {
                (count, sum) = (count + 1, sum + page.len() as f64);
                continue;
            }
            let options = ReadOptions {
                level: Level::Block,
                text: false,
            };
            let blocks = read(&page, options, |row| {
                count += 1;
                sum += row.element.bbox.map_or(0.0, |bbox| bbox.width());
            });
            blocks.map_err(io::Error::other)?;
        }
    }
    println!("{count}, {sum}");
    Ok(())
}
