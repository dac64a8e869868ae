//! Files that are designed to cost time or memory.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::testing::*;
use crate::writable::Datum;
use crate::{Codec, Compression, Header, columns, reasons, vint};
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{ColumnSet, RecordReader};

fn header_error(bytes: &[u8]) -> (&'static str, String) {
    let error = Header::read(&Memory(bytes.into())).unwrap_err();
    (error.reason, error.detail)
}

#[test]
fn invalid_headers() {
    let layout = Layout::new(6, Compression::Record, Codec::Gzip);
    let good = layout.file(&[]);
    for size in 0..good.len() {
        assert_eq!(header_error(&good[..size]).0, reasons::NOT_A_SEQUENCE_FILE);
    }
    for version in [0, 3, 7, 255] {
        let mut bytes = good.clone();
        bytes[3] = version;
        let (reason, detail) = header_error(&bytes);
        assert_eq!(reason, reasons::NOT_A_SEQUENCE_FILE);
        assert!(detail.contains(&version.to_string()), "{detail}");
    }
    for bytes in [&b"<html>"[..], b"\x1f\x8b\x08", b"SEX\x06"] {
        assert_eq!(header_error(bytes).0, reasons::NOT_A_SEQUENCE_FILE);
    }
    let text = String::from_utf8_lossy(&good).into_owned();
    let at = text.find("GzipCodec").unwrap();
    let mut bytes = good;
    bytes[at..at + 4].copy_from_slice(b"Zipp");
    let (reason, detail) = header_error(&bytes);
    assert_eq!(reason, reasons::UNKNOWN_CODEC);
    assert!(detail.contains("ZippCodec"), "{detail}");
}

#[test]
fn lengths_in_headers_are_not_believed() {
    for class_length in [i64::MAX, i64::from(i32::MAX), -1, 1 << 30] {
        let mut bytes = b"SEQ\x06".to_vec();
        vint::write(&mut bytes, class_length);
        bytes.extend([b'a'; 100]);
        assert_eq!(header_error(&bytes).0, reasons::NOT_A_SEQUENCE_FILE);
    }
    for count in [0x7fff_ffff_u32, 0xffff_ffff] {
        let mut bytes = b"SEQ\x06\x01a\x01b\0\0".to_vec();
        bytes.extend(count.to_be_bytes());
        bytes.resize(3 << 20, 0);
        assert_eq!(header_error(&bytes).0, reasons::NOT_A_SEQUENCE_FILE);
    }
}

/// A file that counts the bytes read from it.
struct Counted {
    bytes: Arc<[u8]>,
    read: Arc<AtomicU64>,
}

impl FileBytes for Counted {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let file = Self {
            bytes: self.bytes.clone(),
            read: self.read.clone(),
        };
        Ok(Box::new(CountedStream { file, offset }))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let count = Memory(self.bytes.clone()).read_at(offset, buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

struct CountedStream {
    file: Counted,
    offset: u64,
}

impl Read for CountedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(self.offset, buffer)?;
        self.offset += count as u64;
        Ok(count)
    }
}

/// Reads all rows. Returns their number, and how often each byte was read on average.
fn passes(layout: &Layout, bytes: Vec<u8>, columns: ColumnSet, payload: bool) -> (usize, f64) {
    let bytes: Arc<[u8]> = bytes.into();
    let read = Arc::new(AtomicU64::new(0));
    let size = bytes.len() as u64;
    let file = Counted {
        bytes,
        read: read.clone(),
    };
    let reading = Reading {
        columns,
        ..Reading::of(layout)
    };
    let mut reader = reading.open(Arc::new(file), 0..size).unwrap().unwrap();
    let mut rows = 0;
    while reader.advance() {
        reader.load(payload);
        rows += 1;
    }
    (rows, read.load(Ordering::Relaxed) as f64 / size as f64)
}

#[test]
fn values_that_nobody_wants_are_not_read() {
    let mut random = Random(6);
    let pairs: Vec<_> = (0..5).map(|_| pair("k", &random.bytes(8 << 20))).collect();
    for mut layout in framings() {
        layout.run = 1;
        let bytes = layout.file(&pairs);
        let keys = [columns::KEY].into_iter().collect();
        let (rows, read) = passes(&layout, bytes.clone(), keys, false);
        assert_eq!(rows, 5);
        assert!(read < 0.5, "{read}");
        let (rows, read) = passes(&layout, bytes, ColumnSet::ALL, true);
        assert_eq!(rows, 5);
        assert!((0.99..1.6).contains(&read), "{read}");
    }
}

/// Thousands of marks, each followed by lengths that lead far ahead to no record.
#[test]
fn marks_that_lead_nowhere_take_linear_time() {
    let step = 4 << 20;
    for layout in framings() {
        let mut bytes = Vec::new();
        layout.header().write(&mut bytes);
        let end = bytes.len() + 2 * step;
        while bytes.len() < end - step {
            bytes.extend(mark());
            match layout.compression {
                Compression::Block => {
                    bytes.extend([1, 0, 0, 0]);
                    vint::write(&mut bytes, step as i64);
                }
                _ => bytes.extend([0, 0x40, 0, 0, 0, 0, 0, 0]),
            }
        }
        bytes.resize(end, b'x');
        let (rows, read) = passes(&layout, bytes, ColumnSet::ALL, true);
        assert!(rows > 10_000);
        assert!(read < 12.0, "{read}");
    }
}

/// Values that expand far beyond their compressed size.
#[test]
fn bombs_are_cut() {
    let huge = vec![0; 16 << 20];
    for codec in [
        Codec::Deflate,
        Codec::Gzip,
        Codec::Zstd,
        Codec::Lz4,
        Codec::Snappy,
    ] {
        for compression in [Compression::Record, Compression::Block] {
            let layout = Layout::new(6, compression, codec);
            let pairs = [pair("bomb", &huge), pair("after", b"it")];
            let mut reading = Reading::of(&layout);
            reading.limit = 1 << 20;
            let rows = reading.read(&layout.file(&pairs));
            assert_eq!(rows.len(), 2);
            assert_eq!(
                (rows[0].cut, rows[0].reason),
                (Some(true), Some("content cut"))
            );
            assert_eq!(rows[0].value, Datum::Bytes(vec![0; 1 << 20]));
            assert!(rows[1].is_sound("after", b"it"));
        }
    }
}

#[test]
fn noise() {
    let mut random = Random(15);
    for layout in layouts() {
        for size in [1, 7, 8, 19, 20, 21, 30, 1000, 100_000] {
            let mut bytes = layout.file(&[]);
            bytes.extend(random.bytes(size));
            let rows = Reading::of(&layout).read(&bytes);
            assert!(!rows.is_empty() && rows.iter().any(|row| row.error.is_some()));
            let mut bytes = layout.file(&[]);
            bytes.extend(mark());
            bytes.extend(random.bytes(size));
            Reading::of(&layout).read(&bytes);
        }
    }
}
