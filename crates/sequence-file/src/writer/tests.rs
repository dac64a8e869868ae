//! Reads written files back.

use std::sync::Arc;

use super::*;
use crate::{ColumnTypes, columns, open};
use corpus_bytes::memory::Memory;
use corpus_bytes::record::{ColumnSet, ReadRequest};

const CODECS: [Codec; 6] = [
    Codec::Deflate,
    Codec::Gzip,
    Codec::Bzip2,
    Codec::Snappy,
    Codec::Lz4,
    Codec::Zstd,
];

fn writer(key: Class, value: Class, codec: Codec) -> Writer<Vec<u8>> {
    Writer::new(Vec::new(), key, value, codec).unwrap()
}

/// Returns keys, values and errors as text.
fn read(bytes: Vec<u8>) -> Vec<[String; 3]> {
    let size = bytes.len() as u64;
    let file = Arc::new(Memory(bytes.into()));
    let types = ColumnTypes::of(&Header::read(file.as_ref()).unwrap());
    let request = ReadRequest {
        file,
        name: "test".into(),
        range: 0..size,
        max_record_bytes: 64 << 20,
        modified: None,
        columns: ColumnSet::ALL,
    };
    let columns = [columns::KEY, columns::VALUE, columns::ERROR];
    let mut reader = open(request, types).unwrap();
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(true);
        rows.push(columns.map(|column| format!("{:?}", reader.value(column))));
    }
    rows
}

fn row(key: Value<'_>, value: Value<'_>) -> [String; 3] {
    [key, value, Value::Null].map(|value| format!("{value:?}"))
}

#[test]
fn all_codecs() {
    let large = b"page ".repeat(500_000);
    let values = [&b"first"[..], b"", &large, b"last"];
    for codec in CODECS {
        let mut writer = writer(Class::Text, Class::Bytes, codec);
        let mut expected = Vec::new();
        for value in values {
            let (key, value) = (Value::Text("kéy"), Value::Bytes(value));
            writer.append(key, value).unwrap();
            expected.push(row(key, value));
        }
        let bytes = writer.finish().unwrap();
        // The large value ends the first block.
        let sync = Header::read(&Memory(bytes.clone().into())).unwrap().sync;
        let marks = bytes.windows(SYNC_BYTES).filter(|bytes| *bytes == sync);
        assert_eq!(marks.count(), 1 + 2);
        assert!(read(bytes) == expected, "{codec:?}");
    }
}

#[test]
fn all_classes() {
    let rows = [
        (Class::Long, Value::Integer(i64::MIN)),
        (Class::Int, Value::Integer(-5)),
        (Class::Double, Value::Double(0.1)),
        (Class::Boolean, Value::Boolean(true)),
        (Class::Null, Value::Null),
    ];
    for (class, value) in rows {
        let mut writer = writer(class, class, Codec::Deflate);
        writer.append(value, value).unwrap();
        assert_eq!(read(writer.finish().unwrap()), [row(value, value)]);
    }
    let empty = writer(Class::Null, Class::Text, Codec::Lz4);
    assert!(read(empty.finish().unwrap()).is_empty());
}

#[test]
fn wrong_values_leave_nothing() {
    let mut writer = writer(Class::Int, Class::Text, Codec::Deflate);
    let text = Value::Text("text");
    for (key, value) in [
        (Value::Null, text),
        (Value::Integer(1 << 40), text),
        (text, text),
        (Value::Integer(1), Value::Null),
        (Value::Integer(1), Value::Bytes(b"bytes")),
    ] {
        let error = writer.append(key, value).unwrap_err();
        assert!(matches!(error, WriteError::WrongType { .. }), "{error}");
    }
    writer.append(Value::Integer(1), text).unwrap();
    let rows = read(writer.finish().unwrap());
    assert_eq!(rows, [row(Value::Integer(1), text)]);
}

#[test]
fn blocks_are_made_apart() {
    let layout = Layout::new(Class::Long, Class::Text, Codec::Snappy);
    let mut bytes = Vec::new();
    layout.write_header(&mut bytes);
    for number in 0..3 {
        let mut block = Block::default();
        let (key, value) = (Value::Integer(number), Value::Text("x"));
        block.append(&layout, key, value).unwrap();
        assert!(!block.is_empty() && !block.is_full());
        block.write(&layout, &mut bytes).unwrap();
        assert!(block.is_empty());
    }
    assert_eq!(read(bytes).len(), 3);
}
