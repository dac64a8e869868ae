//! Arbitrary bytes as a SequenceFile: reading terminates, and two ranges return the same records as
//! the whole file.

#![no_main]

use std::ops::Range;
use std::sync::Arc;

use corpus_bytes::file::FileBytes;
use corpus_bytes::memory::Memory;
use corpus_bytes::record::{ColumnSet, ReadRequest};
use corpus_sequence_file::{ColumnTypes, Header, columns, open};
use libfuzzer_sys::fuzz_target;

/// The offset, values and error of each row.
fn rows(file: &Memory, range: Range<u64>) -> Vec<String> {
    let types = Header::read(file).map_or_else(|_| ColumnTypes::default(), |header| ColumnTypes::of(&header));
    let request = ReadRequest {
        file: Arc::new(file.clone()),
        name: "fuzzed".into(),
        range,
        max_record_bytes: 1 << 20,
        modified: None,
        columns: ColumnSet::ALL,
    };
    let mut reader = match open(request, types) {
        Ok(reader) => reader,
        Err(error) => return vec![error.to_string()],
    };
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(true);
        let values: Vec<_> = (0..columns::of(types).len()).map(|column| reader.value(column)).collect();
        rows.push(format!("{} {values:?} {:?}", reader.offset(), reader.error()));
    }
    rows
}

/// A header without compression, or with one of the codecs for records or blocks. The fuzzer would
/// take too long to find their class names.
fn header(kind: u8) -> Vec<u8> {
    const CODECS: [&str; 4] = ["DefaultCodec", "GzipCodec", "SnappyCodec", "Lz4Codec"];
    let mut header = b"SEQ\x06".to_vec();
    let mut push = |name: &str| {
        let class = format!("org.apache.hadoop.io.{name}");
        header.push(class.len() as u8);
        header.extend(class.as_bytes());
    };
    push("Text");
    push("BytesWritable");
    let codec = CODECS.get(usize::from(kind / 2));
    header.extend(codec.map_or([0, 0], |_| [1, kind % 2]));
    if let Some(codec) = codec {
        let class = format!("org.apache.hadoop.io.compress.{codec}");
        header.push(class.len() as u8);
        header.extend(class.as_bytes());
    }
    header.extend([0; 4]);
    header.extend(b"0123456789abcdef");
    header
}

fuzz_target!(|data: &[u8]| {
    // The first byte chooses a header, or none; the second chooses the cut.
    let [kind, cut, rest @ ..] = data else {
        return;
    };
    let bytes = match kind {
        0..16 => [&header(*kind)[..], rest].concat(),
        _ => rest.to_vec(),
    };
    let file = Memory(bytes.into());
    let size = file.size();
    let whole = rows(&file, 0..size);
    let cut = size * u64::from(*cut) / 255;
    // An empty first range of a file with content reports nothing, not even a bad header.
    let mut parts = if cut == 0 { Vec::new() } else { rows(&file, 0..cut) };
    if cut < size || size == 0 {
        parts.extend(rows(&file, cut..size));
    }
    assert_eq!(whole, parts, "cut at {cut}");
});
