//! Intact files of all versions, compressions, codecs and classes.

use std::sync::Arc;

use crate::testing::*;
use crate::writable::Datum;
use crate::{Class, Codec, ColumnTypes, Compression, Header, columns, reasons};
use corpus_bytes::columns::ColumnType;
use corpus_bytes::record::{RecordReader, Value};

fn values() -> Vec<Vec<u8>> {
    let mut random = Random(21);
    vec![
        b"first".to_vec(),
        Vec::new(),
        random.bytes(300_000),
        b"<p>page</p>".repeat(30_000),
        vec![0; 5],
        b"last but one".to_vec(),
        random.bytes(70),
    ]
}

#[test]
fn written_records_are_read() {
    let values = values();
    let keys: Vec<String> = (0..values.len()).map(|n| format!("key/{n}")).collect();
    let pairs: Vec<_> = keys
        .iter()
        .zip(&values)
        .map(|(key, value)| pair(key, value))
        .collect();
    for layout in layouts() {
        let bytes = layout.file(&pairs);
        let rows = Reading::of(&layout).read(&bytes);
        assert_eq!(rows.len(), values.len(), "{layout:?}");
        for (row, (key, value)) in rows.iter().zip(keys.iter().zip(&values)) {
            assert!(row.is_sound(key, value), "{layout:?} {:?}", row.error);
            assert_eq!(row.cut, Some(false));
        }
        assert_eq!(Reading::of(&layout).read(&layout.file(&[])), []);
    }
}

/// Blocks and values that are too large to be held in memory.
#[test]
fn large_values() {
    let mut random = Random(3);
    let values = [
        random.bytes(5 << 19),
        vec![b'a'; 5 << 20],
        random.bytes(1 << 20),
    ];
    let pairs: Vec<_> = values.iter().map(|value| pair("k", value)).collect();
    for mut layout in layouts().into_iter().filter(|layout| layout.version == 6) {
        layout.run = 2;
        let rows = Reading::of(&layout).read(&layout.file(&pairs));
        assert_eq!(rows.len(), values.len());
        for (row, value) in rows.iter().zip(&values) {
            assert!(row.is_sound("k", value), "{layout:?} {:?}", row.error);
        }
    }
}

#[test]
fn offsets_are_those_of_records_and_of_blocks() {
    let pairs: Vec<_> = (0..5).map(|n| pair(&n.to_string(), b"value")).collect();
    let layout = Layout::new(6, Compression::None, Codec::Passthrough);
    let mut header = Vec::new();
    layout.header().write(&mut header);
    let record = 8 + pairs[0].0.len() + pairs[0].1.len();
    let offsets = |layout: &Layout| -> Vec<u64> {
        let rows = Reading::of(layout).read(&layout.file(&pairs));
        rows.iter().map(|row| row.offset).collect()
    };
    let start = header.len() as u64;
    let expected = [0, 1, 2, 3, 4].map(|n| start + n * record as u64 + if n > 2 { 20 } else { 0 });
    assert_eq!(offsets(&layout), expected);

    let layout = Layout::new(6, Compression::Block, Codec::Gzip);
    header.clear();
    layout.header().write(&mut header);
    let first = header.len() as u64;
    let second = first + layout.block(&pairs[..3]).len() as u64;
    assert_eq!(offsets(&layout), [first, first, first, second, second]);
}

#[test]
fn classes_have_types() {
    let number = |number| (Value::Integer(number), Datum::Integer(number));
    let double = |number| (Value::Double(number), Datum::Double(number));
    let cases = [
        (Class::Byte, number(-128)),
        (Class::Short, number(32767)),
        (Class::Int, number(-1)),
        (Class::Int, number(i32::MIN.into())),
        (Class::Long, number(i64::MIN)),
        (Class::VInt, number(-113)),
        (Class::VLong, number(i64::MAX)),
        (Class::Float, double(0.5)),
        (Class::Double, double(7523.666666666667)),
        (Class::Boolean, (Value::Boolean(true), Datum::Boolean(true))),
        (
            Class::Text,
            (
                Value::Text("Bücher 日本"),
                Datum::Text("Bücher 日本".into()),
            ),
        ),
        (
            Class::Bytes,
            (Value::Bytes(b"\0\xff"), Datum::Bytes(b"\0\xff".to_vec())),
        ),
        (
            Class::Other,
            (Value::Bytes(b"\x01map"), Datum::Bytes(b"\x01map".to_vec())),
        ),
        (Class::Null, (Value::Null, Datum::Null)),
    ];
    for (class, (value, expected)) in &cases {
        for mut layout in framings() {
            (layout.key, layout.value) = (*class, *class);
            let bytes = serialized(*class, *value);
            let pairs = vec![(bytes.clone(), bytes); 4];
            let rows = Reading::of(&layout).read(&layout.file(&pairs));
            assert_eq!(rows.len(), 4, "{class:?}");
            for row in rows {
                assert_eq!(row.error, None, "{class:?}");
                assert_eq!((&row.key, &row.value), (expected, expected));
            }
        }
    }
}

#[test]
fn header_columns() {
    let mut layout = Layout::new(6, Compression::Block, Codec::Bzip2);
    let metadata = vec![
        ("a".to_owned(), "1".to_owned()),
        ("ü".to_owned(), String::new()),
    ];
    layout.metadata = metadata.clone();
    layout.value = Class::Other;
    let bytes: Arc<[u8]> = layout.file(&[(vec![1, b'k'], vec![1])]).into();
    let file = Arc::new(Memory(bytes.clone()));
    let header = Header::read(file.as_ref()).unwrap();
    let expected = Header {
        end: header.end,
        ..layout.header()
    };
    assert_eq!(header, expected);

    let mut reader = Reading::of(&layout)
        .open(file, 0..bytes.len() as u64)
        .unwrap()
        .unwrap();
    assert!(reader.advance());
    reader.load(false);
    for (column, value) in [
        (columns::SOURCE_FILE, Value::Text("test")),
        (columns::KEY_CLASS, Value::Text("org.apache.hadoop.io.Text")),
        (
            columns::VALUE_CLASS,
            Value::Text("org.apache.hadoop.io.MapWritable"),
        ),
        (columns::COMPRESSION, Value::Text("BLOCK")),
        (
            columns::CODEC,
            Value::Text("org.apache.hadoop.io.compress.BZip2Codec"),
        ),
        (columns::METADATA, Value::Pairs(&metadata)),
    ] {
        assert_eq!(reader.value(column), value);
    }
}

#[test]
fn other_classes_than_the_columns() {
    let mut layout = Layout::new(6, Compression::Record, Codec::Deflate);
    (layout.key, layout.value) = (Class::Int, Class::Text);
    let pairs = [(
        serialized(Class::Int, Value::Integer(258)),
        serialized(Class::Text, Value::Text("text")),
    )];
    let bytes = layout.file(&pairs);
    let mut reading = Reading::of(&layout);
    reading.types = ColumnTypes::default();
    let rows = reading.read(&bytes);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].reason, Some(reasons::OTHER_CLASS));
    assert_eq!(rows[0].key, Datum::Null);
    // A column of bytes can hold all classes.
    assert_eq!(rows[0].value, Datum::Bytes(b"text".to_vec()));
    reading.types.key = ColumnType::Bytes;
    let rows = reading.read(&bytes);
    assert_eq!(rows[0].error, None);
    assert_eq!(rows[0].key, Datum::Bytes(vec![0, 0, 1, 2]));
}

#[test]
fn limits_cut_values() {
    let text = "äöü".repeat(10);
    for mut layout in framings() {
        layout.value = Class::Text;
        let mut pairs = vec![
            (
                serialized(Class::Text, Value::Text("a")),
                serialized(Class::Text, Value::Text(&text)),
            );
            2
        ];
        pairs[1].1 = serialized(Class::Text, Value::Text("0123456"));
        let mut reading = Reading::of(&layout);
        reading.limit = 7;
        let rows = reading.read(&layout.file(&pairs));
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].value, Datum::Text("äöü".into()));
        assert_eq!(
            (rows[0].cut, rows[0].reason),
            (Some(true), Some("content cut"))
        );
        assert_eq!(rows[1].value, Datum::Text("0123456".into()));
        assert_eq!((rows[1].cut, &rows[1].error), (Some(false), &None));

        pairs[0].0 = serialized(Class::Text, Value::Text("a long key"));
        let rows = reading.read(&layout.file(&pairs));
        assert_eq!(rows[0].key, Datum::Text("a long ".into()));
        assert_eq!(rows[0].reason, Some(reasons::LARGE_KEY));
        assert_eq!(rows[1].error, None);
    }
}
