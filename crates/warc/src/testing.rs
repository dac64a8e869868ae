//! Archives in memory, and rows to compare.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{columns, open};
use corpus_bytes::file::FileBytes;
pub use corpus_bytes::memory::Memory;
pub use corpus_bytes::random::Random;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordReader, Value};
pub use corpus_bytes::test_data::gzip;

pub const LIMIT: usize = 64 << 20;

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub offset: u64,
    pub length: Option<i64>,
    pub warc_type: Option<String>,
    pub uri: Option<String>,
    pub id: Option<String>,
    pub date: Option<i64>,
    pub headers: Vec<(String, String)>,
    pub body: Option<Vec<u8>>,
    pub cut: bool,
    pub reason: Option<&'static str>,
    pub error: Option<String>,
}

impl Row {
    pub fn text(&self) -> &str {
        std::str::from_utf8(self.body.as_deref().unwrap_or_default()).unwrap()
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_owned()),
        Value::Null => None,
        other => panic!("{other:?}"),
    }
}

fn integer(value: Value) -> Option<i64> {
    match value {
        Value::Integer(number) | Value::Timestamp(number) => Some(number),
        Value::Null => None,
        other => panic!("{other:?}"),
    }
}

pub fn current(reader: &dyn RecordReader) -> Row {
    Row {
        offset: reader.offset(),
        length: integer(reader.value(columns::LENGTH)),
        warc_type: text(reader.value(columns::WARC_TYPE)),
        uri: text(reader.value(columns::TARGET_URI)),
        id: text(reader.value(columns::RECORD_ID)),
        date: integer(reader.value(columns::DATE)),
        headers: match reader.value(columns::HEADERS) {
            Value::Pairs(pairs) => pairs.to_vec(),
            _ => Vec::new(),
        },
        body: match reader.value(columns::BODY) {
            Value::Bytes(bytes) => Some(bytes.to_vec()),
            _ => None,
        },
        cut: reader.value(columns::BODY_TRUNCATED) == Value::Boolean(true),
        reason: reader.error().map(|error| error.reason),
        error: text(reader.value(columns::ERROR)),
    }
}

pub fn request(bytes: &Arc<[u8]>, range: Range<u64>, limit: usize) -> ReadRequest {
    request_file(Arc::new(Memory(bytes.clone())), range, limit)
}

pub fn request_file(file: Arc<dyn FileBytes>, range: Range<u64>, limit: usize) -> ReadRequest {
    ReadRequest {
        file,
        name: "test".into(),
        range,
        max_record_bytes: limit,
        modified: None,
        columns: ColumnSet::ALL,
    }
}

pub fn read_range(bytes: &Arc<[u8]>, range: Range<u64>) -> Vec<Row> {
    read_with(bytes, range, LIMIT, |_| true)
}

/// Reads a range. `wanted` decides for each record whether to load its payload.
pub fn read_with(
    bytes: &Arc<[u8]>,
    range: Range<u64>,
    limit: usize,
    wanted: impl Fn(usize) -> bool,
) -> Vec<Row> {
    let mut reader = open(request(bytes, range, limit)).unwrap();
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(wanted(rows.len()));
        rows.push(current(reader.as_ref()));
        assert!(
            rows.len() < 10_000,
            "endless: {:?} {:?}",
            &rows[9_990..],
            &bytes[..]
        );
    }
    assert!(!reader.advance());
    rows
}

pub fn read(bytes: &[u8]) -> Vec<Row> {
    let bytes: Arc<[u8]> = bytes.into();
    let size = bytes.len() as u64;
    let rows = read_range(&bytes, 0..size);
    // Without loading, and with loading every other record, the rows are the same.
    let unloaded = read_with(&bytes, 0..size, LIMIT, |_| false);
    let mixed = read_with(&bytes, 0..size, LIMIT, |row| row % 2 == 0);
    assert_eq!(unloaded.len(), rows.len());
    assert_eq!(mixed.len(), rows.len());
    for (row, other) in rows.iter().zip(&unloaded).chain(rows.iter().zip(&mixed)) {
        let mut other = other.clone();
        if other.body.is_none() {
            other.body = row.body.clone();
        }
        assert_eq!(*row, other);
    }
    let mut reader = open(request(&bytes, 0..size, LIMIT)).unwrap();
    let mut advanced = 0;
    while reader.advance() {
        advanced += 1;
    }
    assert_eq!(advanced, rows.len());
    rows
}

/// The rows of all ranges between these cuts.
pub fn read_cut(bytes: &Arc<[u8]>, cuts: &[u64]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    for end in cuts.iter().copied().chain([bytes.len() as u64]) {
        rows.extend(read_range(bytes, start..end));
        start = end;
    }
    rows
}

pub fn warc(fields: &str, body: &[u8]) -> Vec<u8> {
    let mut record = format!("WARC/1.0\r\n{fields}\r\n").into_bytes();
    record.extend_from_slice(body);
    record
}

/// An intact record with this number as its identity.
pub fn record(number: usize, body: &[u8]) -> Vec<u8> {
    record_stating(number, &body.len().to_string(), body)
}

pub fn record_stating(number: usize, length: &str, body: &[u8]) -> Vec<u8> {
    let fields = format!(
        "WARC-Type: response\r\nWARC-Target-URI: http://e.example/{number}\r\nWARC-Date: 2014-10-23T06:05:08Z\r\n\
         WARC-Record-ID: <urn:uuid:{number:08}>\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {length}\r\n"
    );
    let mut record = warc(&fields, body);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

pub fn page(letter: char) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{letter}</p>").into_bytes()
}

/// Records A, B, C.
pub fn abc() -> [Vec<u8>; 3] {
    [('A', 1), ('B', 2), ('C', 3)].map(|(letter, number)| record(number, &page(letter)))
}

/// One of the compression functions below.
pub type Compress = fn(&[u8]) -> Vec<u8>;

pub fn gzip_level(text: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

pub fn lz4(text: &[u8]) -> Vec<u8> {
    let mut info = lz4_flex::frame::FrameInfo::new();
    info.content_checksum = true;
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}
