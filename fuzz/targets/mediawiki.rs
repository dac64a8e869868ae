//! Arbitrary bytes as a MediaWiki export, and as lines: reading terminates, and two ranges return
//! the same rows as the whole file.

#![no_main]

use std::ops::Range;
use std::sync::Arc;

use corpus_bytes::memory::Memory;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordError, RecordReader};
use corpus_packages::lines::LineRecords;
use corpus_mediawiki::PageRecords;
use libfuzzer_sys::fuzz_target;

fn request(file: &Memory, range: Range<u64>) -> ReadRequest {
    ReadRequest {
        file: Arc::new(file.clone()),
        name: "fuzzed".into(),
        range,
        max_record_bytes: 1 << 10,
        modified: None,
        columns: ColumnSet::ALL,
    }
}

/// The offset, values and error of each row.
fn rows(reader: Result<impl RecordReader, RecordError>, columns: usize) -> Vec<String> {
    let Ok(mut reader) = reader else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(true);
        let values: Vec<_> = (0..columns).map(|column| reader.value(column)).collect();
        rows.push(format!("{} {values:?} {:?}", reader.offset(), reader.error()));
    }
    rows
}

fuzz_target!(|data: &[u8]| {
    // The first byte selects the cut.
    let Some((cut, text)) = data.split_first() else {
        return;
    };
    let size = text.len() as u64;
    let cut = size * u64::from(*cut) / 255;
    let file = Memory(text.into());
    let pages = |range| rows(PageRecords::open(request(&file, range)), corpus_mediawiki::COLUMNS.len());
    let lines = |range| rows(LineRecords::open(request(&file, range)), corpus_packages::lines::COLUMNS.len());
    assert_eq!(pages(0..size), [pages(0..cut), pages(cut..size)].concat(), "pages, cut at {cut}");
    assert_eq!(lines(0..size), [lines(0..cut), lines(cut..size)].concat(), "lines, cut at {cut}");
});
