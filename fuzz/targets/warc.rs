//! Any bytes as a web archive: reading ends, and ranges give what the whole gives.

#![no_main]

use std::io::{Cursor, Read, Result};
use std::ops::Range;
use std::sync::Arc;

use corpus_sql::sources::format::RecordFormat;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{ColumnSet, ReadRequest};
use corpus_sql::sources::warc::WarcFormat;
use libfuzzer_sys::fuzz_target;

struct Memory(Arc<[u8]>);

impl FileBytes for Memory {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn stream(&self, offset: u64) -> Result<Box<dyn Read + Send>> {
        let mut cursor = Cursor::new(Arc::clone(&self.0));
        cursor.set_position(offset);
        Ok(Box::new(cursor))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let mut cursor = Cursor::new(&self.0[..]);
        cursor.set_position(offset);
        cursor.read(buffer)
    }
}

/// Offset, values and error of every row.
fn rows(file: &Arc<[u8]>, range: Range<u64>) -> Vec<String> {
    let format = WarcFormat::default();
    let request = ReadRequest {
        file: Arc::new(Memory(Arc::clone(file))),
        name: "fuzzed".into(),
        range,
        max_record_bytes: 1 << 20,
        modified: None,
        columns: ColumnSet::ALL,
    };
    let Ok(mut reader) = format.open(request) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(true);
        let columns = 0..format.columns().len();
        let values: Vec<_> = columns.map(|column| reader.value(column)).collect();
        rows.push(format!("{} {values:?} {:?}", reader.offset(), reader.error()));
    }
    rows
}

fuzz_target!(|data: &[u8]| {
    let file: Arc<[u8]> = data.into();
    let size = file.len() as u64;
    let whole = rows(&file, 0..size);
    // The first byte chooses where to cut.
    let cut = data.first().map_or(0, |byte| size * u64::from(*byte) / 255);
    let mut parts = rows(&file, 0..cut);
    parts.extend(rows(&file, cut..size));
    assert_eq!(whole, parts, "cut at {cut}");
});
