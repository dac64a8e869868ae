//! Files in memory, and rows to compare.

use std::ops::Range;
use std::sync::Arc;

use super::framing::ESCAPE;
use super::pull::PullReader;
use super::writable::Datum;
use super::{Class, Codec, ColumnTypes, Compression, Header, columns, vint};
use corpus_bytes::file::FileBytes;
pub use corpus_bytes::memory::Memory;
pub use corpus_bytes::random::Random;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordError, RecordReader, Value};

pub const LIMIT: usize = 64 << 20;
pub const SYNC: [u8; 16] = *b"\xa0sync byte here\xff";

pub const CODECS: [Codec; 7] = [
    Codec::Deflate,
    Codec::Gzip,
    Codec::Bzip2,
    Codec::Snappy,
    Codec::Lz4,
    Codec::Zstd,
    Codec::Passthrough,
];

/// Options for writing a file.
#[derive(Debug, Clone)]
pub struct Layout {
    pub version: u8,
    pub compression: Compression,
    pub codec: Codec,
    pub key: Class,
    pub value: Class,
    pub metadata: Vec<(String, String)>,
    /// Records between two sync marks, or in one block.
    pub run: usize,
}

impl Layout {
    pub fn new(version: u8, compression: Compression, codec: Codec) -> Self {
        Self {
            version,
            compression,
            codec,
            key: Class::Text,
            value: Class::Bytes,
            metadata: Vec::new(),
            run: 3,
        }
    }

    pub fn header(&self) -> Header {
        let compressed = self.compression != Compression::None;
        Header {
            version: self.version,
            key_class: name(self.key),
            value_class: name(self.value),
            compression: self.compression,
            codec: self.codec,
            codec_class: compressed.then(|| self.codec.class().to_owned()),
            metadata: self.metadata.clone(),
            sync: SYNC,
            end: 0,
        }
    }

    /// A file of pairs in their serialized form.
    pub fn file(&self, pairs: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
        let mut out = Vec::new();
        self.header().write(&mut out);
        for (number, run) in pairs.chunks(self.run).enumerate() {
            if self.compression == Compression::Block {
                out.extend(self.block(run));
                continue;
            }
            if number > 0 {
                out.extend(mark());
            }
            for (key, value) in run {
                let value = match self.compression {
                    Compression::Record => self.compressed(value),
                    _ => value.clone(),
                };
                out.extend(((key.len() + value.len()) as i32).to_be_bytes());
                out.extend((key.len() as i32).to_be_bytes());
                out.extend(key);
                out.extend(value);
            }
        }
        out
    }

    pub fn block(&self, pairs: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
        let keys: Vec<&[u8]> = pairs.iter().map(|(key, _)| key.as_slice()).collect();
        let values: Vec<&[u8]> = pairs.iter().map(|(_, value)| value.as_slice()).collect();
        let mut buffers = Vec::new();
        for texts in [keys, values] {
            let mut lengths = Vec::new();
            for text in &texts {
                vint::write(&mut lengths, text.len() as i64);
            }
            buffers.push(self.compressed(&lengths));
            buffers.push(self.compressed(&texts.concat()));
        }
        block_of(pairs.len() as i64, &buffers)
    }

    pub fn compressed(&self, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.codec.compress(data, &mut out).unwrap();
        out
    }

    pub fn types(&self) -> ColumnTypes {
        ColumnTypes {
            key: self.key.column_type(),
            value: self.value.column_type(),
        }
    }
}

pub fn block_of(count: i64, buffers: &[Vec<u8>]) -> Vec<u8> {
    let mut out = mark();
    vint::write(&mut out, count);
    for buffer in buffers {
        vint::write(&mut out, buffer.len() as i64);
        out.extend(buffer);
    }
    out
}

fn name(class: Class) -> String {
    match class {
        Class::Other => "org.apache.hadoop.io.MapWritable".to_owned(),
        class => class.name().to_owned(),
    }
}

pub fn mark() -> Vec<u8> {
    [&ESCAPE[..], &SYNC].concat()
}

/// All combinations of version, compression and codec.
pub fn layouts() -> Vec<Layout> {
    let mut layouts = Vec::new();
    for version in 4..=6 {
        let plain = Layout::new(version, Compression::None, Codec::Passthrough);
        layouts.push(plain);
        for compression in [Compression::Record, Compression::Block] {
            let codecs = match version {
                4 => &[Codec::Deflate][..],
                _ => &CODECS,
            };
            for codec in codecs {
                layouts.push(Layout::new(version, compression, *codec));
            }
        }
    }
    layouts
}

/// A few layouts with different framings.
pub fn framings() -> [Layout; 4] {
    [
        Layout::new(6, Compression::None, Codec::Passthrough),
        Layout::new(6, Compression::Record, Codec::Deflate),
        Layout::new(6, Compression::Block, Codec::Deflate),
        // Its blocks are not compressed.
        Layout::new(6, Compression::Block, Codec::Passthrough),
    ]
}

/// A pair of Text and BytesWritable.
pub fn pair(key: &str, value: &[u8]) -> (Vec<u8>, Vec<u8>) {
    (
        serialized(Class::Text, Value::Text(key)),
        serialized(Class::Bytes, Value::Bytes(value)),
    )
}

pub fn serialized(class: Class, value: Value<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    assert!(class.serialize(value, &mut out), "{class:?} {value:?}");
    out
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub offset: u64,
    pub key: Datum,
    pub value: Datum,
    pub cut: Option<bool>,
    pub reason: Option<&'static str>,
    pub error: Option<String>,
}

impl Row {
    pub fn is_sound(&self, key: &str, value: &[u8]) -> bool {
        self.error.is_none()
            && self.key == Datum::Text(key.to_owned())
            && self.value == Datum::Bytes(value.to_owned())
    }
}

fn datum(value: Value<'_>) -> Datum {
    match value {
        Value::Null => Datum::Null,
        Value::Text(text) => Datum::Text(text.to_owned()),
        Value::Bytes(bytes) => Datum::Bytes(bytes.to_owned()),
        Value::Integer(number) => Datum::Integer(number),
        Value::Double(number) => Datum::Double(number),
        Value::Boolean(flag) => Datum::Boolean(flag),
        other => panic!("{other:?}"),
    }
}

fn current(reader: &dyn RecordReader) -> Row {
    Row {
        offset: reader.offset(),
        key: datum(reader.value(columns::KEY)),
        value: datum(reader.value(columns::VALUE)),
        cut: match reader.value(columns::VALUE_TRUNCATED) {
            Value::Boolean(cut) => Some(cut),
            _ => None,
        },
        reason: reader.error().map(|error| error.reason),
        error: match reader.value(columns::ERROR) {
            Value::Text(text) => Some(text.to_owned()),
            _ => None,
        },
    }
}

/// One way to read a file.
#[derive(Clone)]
pub struct Reading {
    pub types: ColumnTypes,
    pub limit: usize,
    pub columns: ColumnSet,
    pub look_back: u64,
}

impl Reading {
    pub fn of(layout: &Layout) -> Self {
        Self {
            types: layout.types(),
            limit: LIMIT,
            columns: ColumnSet::ALL,
            look_back: super::split::LOOK_BACK_BYTES,
        }
    }

    pub fn open(
        &self,
        file: Arc<dyn FileBytes>,
        range: Range<u64>,
    ) -> Result<Option<PullReader>, RecordError> {
        let request = ReadRequest {
            file,
            name: "test".into(),
            range,
            max_record_bytes: self.limit,
            modified: None,
            columns: self.columns,
        };
        PullReader::open(request, self.types, self.look_back)
    }

    /// Returns the rows of a range. `wanted` decides by row number whether to load a value.
    pub fn rows(
        &self,
        bytes: &Arc<[u8]>,
        range: Range<u64>,
        wanted: impl Fn(usize) -> bool,
    ) -> Vec<Row> {
        let mut reader = match self.open(Arc::new(Memory(bytes.clone())), range) {
            Ok(Some(reader)) => reader,
            Ok(None) => return Vec::new(),
            Err(error) => return vec![unreadable(&error)],
        };
        let mut rows = Vec::new();
        while reader.advance() {
            reader.load(wanted(rows.len()));
            rows.push(current(&reader));
            assert!(rows.len() < 100_000, "endless");
        }
        assert!(!reader.advance());
        rows
    }

    /// Returns all rows, and checks that other ways of reading return the same records.
    pub fn read(&self, bytes: &[u8]) -> Vec<Row> {
        let bytes: Arc<[u8]> = bytes.into();
        let all = 0..bytes.len() as u64;
        let rows = self.rows(&bytes, all.clone(), |_| true);
        let keys_only = Self {
            columns: [columns::KEY].into_iter().collect(),
            ..self.clone()
        };
        let keys = keys_only.rows(&bytes, all.clone(), |_| false);
        let places = |rows: &[Row]| -> Vec<(u64, Datum)> {
            rows.iter().map(|r| (r.offset, r.key.clone())).collect()
        };
        assert_eq!(places(&rows), places(&keys));
        let some = keys_only.rows(&bytes, all.clone(), |row| row % 3 == 1);
        assert_eq!(places(&rows), places(&some));
        for (index, row) in some.iter().enumerate() {
            assert!(index % 3 != 1 || row.value == rows[index].value);
        }
        let checked = self.rows(&bytes, all, |_| false);
        assert!(checked == rows);
        rows
    }
}

/// The row of a file that cannot be opened.
fn unreadable(error: &RecordError) -> Row {
    Row {
        offset: 0,
        key: Datum::Null,
        value: Datum::Null,
        cut: None,
        reason: Some(error.reason),
        error: Some(error.to_string()),
    }
}
