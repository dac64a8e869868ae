//! Arbitrary bytes as a web archive: reading terminates, and two ranges return the same rows as the
//! whole file.

#![no_main]

use std::ops::Range;
use std::sync::Arc;

use corpus_bytes::memory::Memory;
use corpus_bytes::record::{ColumnSet, ReadRequest};
use corpus_warc::columns::COLUMNS;
use libfuzzer_sys::fuzz_target;

/// The offset, values and error of every row.
fn rows(file: &Arc<[u8]>, range: Range<u64>) -> Vec<String> {
    let request = ReadRequest {
        file: Arc::new(Memory(Arc::clone(file))),
        name: "fuzzed".into(),
        range,
        max_record_bytes: 1 << 20,
        modified: None,
        columns: ColumnSet::ALL,
    };
    let Ok(mut reader) = corpus_warc::open(request) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(true);
        let columns = 0..COLUMNS.len();
        let values: Vec<_> = columns.map(|column| reader.value(column)).collect();
        rows.push(format!("{} {values:?} {:?}", reader.offset(), reader.error()));
    }
    rows
}

fuzz_target!(|data: &[u8]| {
    let file: Arc<[u8]> = data.into();
    let size = file.len() as u64;
    let whole = rows(&file, 0..size);
    // The first byte selects the cut.
    let cut = data.first().map_or(0, |byte| size * u64::from(*byte) / 255);
    let mut parts = rows(&file, 0..cut);
    parts.extend(rows(&file, cut..size));
    assert_eq!(whole, parts, "cut at {cut}");
});
