use std::sync::Arc;

use corpus_bytes::memory::Memory;
use corpus_bytes::random::Random;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordReader, Value};
use corpus_bytes::test_data::gzip;

use super::LineRecords;

const LIMIT: usize = 1 << 20;

type Row = (i64, Option<String>, Option<String>);

fn read(bytes: &[u8], range: std::ops::Range<u64>, limit: usize) -> Vec<Row> {
    let mut records = LineRecords::open(ReadRequest {
        file: Arc::new(Memory(bytes.into())),
        name: "x.txt".into(),
        range,
        max_record_bytes: limit,
        modified: None,
        columns: ColumnSet::ALL,
    })
    .unwrap();
    let mut rows = Vec::new();
    while records.advance() {
        records.load(true);
        let Value::Integer(offset) = records.value(1) else {
            panic!("no offset");
        };
        let text = match records.value(2) {
            Value::Text(text) => Some(text.to_owned()),
            _ => None,
        };
        rows.push((offset, text, records.error().map(ToString::to_string)));
    }
    rows
}

fn texts(bytes: &[u8]) -> Vec<(i64, String)> {
    let rows = read(bytes, 0..bytes.len() as u64, LIMIT);
    rows.into_iter()
        .map(|(offset, text, error)| {
            assert_eq!(error, None);
            (offset, text.unwrap())
        })
        .collect()
}

fn owned(lines: &[(i64, &str)]) -> Vec<(i64, String)> {
    lines
        .iter()
        .map(|(at, text)| (*at, text.to_string()))
        .collect()
}

#[test]
fn lines_end_with_lf_or_crlf() {
    for (bytes, expected) in [
        (&b""[..], &[][..]),
        (b"\n", &[(0, "")]),
        (b"a", &[(0, "a")]),
        (b"a\n", &[(0, "a")]),
        (b"a\n\nb", &[(0, "a"), (2, ""), (3, "b")]),
        (b"a\r\nb\r\n", &[(0, "a"), (3, "b")]),
        (b"a\rb\n\r\n", &[(0, "a\rb"), (4, "")]),
        (b"a\r\r\nb\r", &[(0, "a\r"), (4, "b\r")]),
        (b"\xef\xbb\xbf", &[]),
        (b"\xef\xbb\xbfa\nb", &[(0, "a"), (5, "b")]),
        (b"\xef\xbb\xbf\nb", &[(0, ""), (4, "b")]),
        (b"a\n\xef\xbb\xbfb", &[(0, "a"), (2, "\u{feff}b")]),
        (b"a\0b\n", &[(0, "a\0b")]),
    ] {
        assert_eq!(texts(bytes), owned(expected), "{bytes:?}");
    }
}

#[test]
fn compressed_files_are_read_by_the_first_range() {
    let text = b"\xef\xbb\xbfone\ntwo\r\n\nthree";
    let gzipped = gzip(text);
    let two = [gzip(&text[..9]), gzip(&text[9..])].concat();
    let zstd = zstd::encode_all(&text[..], 0).unwrap();
    for bytes in [gzipped, two, zstd] {
        assert_eq!(texts(&bytes), texts(text));
        let size = bytes.len() as u64;
        assert_eq!(read(&bytes, 0..1, LIMIT).len(), 4);
        assert_eq!(read(&bytes, 1..size, LIMIT), []);
    }
}

/// The rows of all ranges between the cuts of a file.
fn union(bytes: &[u8], cuts: &[u64], limit: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    for end in cuts.iter().copied().chain([bytes.len() as u64]) {
        rows.extend(read(bytes, start..end, limit));
        start = end;
    }
    rows
}

#[test]
fn ranges_cut_anywhere_make_up_the_file() {
    let mut random = Random(5);
    for _ in 0..60 {
        let length = 1 + random.below(60);
        let pieces = ["\n", "\r", "\r\n", "a", "long text", "é", "\u{feff}"];
        let mut bytes = Vec::new();
        while bytes.len() < length {
            bytes.extend_from_slice(pieces[random.below(pieces.len())].as_bytes());
        }
        let size = bytes.len() as u64;
        for limit in [3, LIMIT] {
            let whole = read(&bytes, 0..size, limit);
            for cut in 0..=size {
                assert_eq!(
                    union(&bytes, &[cut], limit),
                    whole,
                    "{bytes:?} cut at {cut}"
                );
                let second = cut + random.below((size - cut + 1) as usize) as u64;
                assert_eq!(union(&bytes, &[cut, second], limit), whole);
            }
            let every: Vec<u64> = (1..size).collect();
            assert_eq!(union(&bytes, &every, limit), whole);
        }
    }
}

#[test]
fn lines_continue_across_buffers() {
    let mut random = Random(9);
    let lines: Vec<String> = (0..300)
        .map(|_| "x".repeat(random.below(8000)))
        .chain(["y".repeat(900_000), String::new(), "z".repeat(300_000)])
        .collect();
    let text = lines.join("\r\n");
    let found = texts(text.as_bytes());
    assert_eq!(found.len(), lines.len());
    let mut offset = 0;
    for ((at, text), line) in found.iter().zip(&lines) {
        assert_eq!((*at, text), (offset, line));
        offset += line.len() as i64 + 2;
    }
}

#[test]
fn long_lines_are_cut_and_skipped() {
    for (start, limit) in [("ab", 4), ("", 2), ("a", 700_000)] {
        let long = "é".repeat(500_000);
        let text = format!("{start}\n{long}\r\nafter");
        let rows = read(text.as_bytes(), 0..text.len() as u64, limit);
        assert_eq!(rows.len(), 3, "{limit}");
        let (offset, cut, error) = &rows[1];
        assert_eq!(*offset, start.len() as i64 + 1);
        assert_eq!(cut.as_deref(), Some("é".repeat(limit / 2).as_str()));
        let error = error.as_deref().unwrap();
        let expected =
            format!("line too long: it has 1000002 bytes, and the text is cut at {limit}");
        assert!(error.starts_with(&expected), "{error}");
        let last = &rows[2];
        if limit > 4 {
            assert_eq!((last.1.as_deref(), &last.2), (Some("after"), &None));
        }
    }
    // As long as the limit, with any end.
    for text in ["abc", "abc\n", "abc\r\n", "abc\r\nd"] {
        let rows = read(text.as_bytes(), 0..9, 3);
        assert_eq!(rows[0], (0, Some("abc".to_owned()), None), "{text:?}");
    }
    let rows = read(b"abc\r", 0..9, 3);
    assert!(rows[0].2.as_deref().unwrap().starts_with("line too long"));
}

#[test]
fn invalid_bytes_are_replaced_and_reported() {
    let rows = read(b"good\nb\xffd\xe9\nlast \xc3", 0..100, LIMIT);
    let row =
        |at, text: &str, error: Option<&str>| (at, Some(text.to_owned()), error.map(str::to_owned));
    let expected = [
        row(0, "good", None),
        row(
            5,
            "b\u{fffd}d\u{fffd}",
            Some("invalid UTF-8: at byte 1 of the line"),
        ),
        row(
            10,
            "last \u{fffd}",
            Some("invalid UTF-8: at byte 5 of the line"),
        ),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn damage_ends_a_compressed_file_with_an_error() {
    let text: String = (0..2000).map(|number| format!("line {number}\n")).collect();
    let whole = gzip(text.as_bytes());
    let complete = texts(text.as_bytes());
    for cut in (12..whole.len()).step_by(37) {
        let rows = read(&whole[..cut], 0..cut as u64, LIMIT);
        let (last, before) = rows.split_last().unwrap();
        let error = last.2.as_deref().unwrap();
        assert_eq!(
            error,
            "damaged compression: the compressed data ends too early"
        );
        for (row, expected) in before.iter().zip(&complete) {
            assert_eq!(row, &(expected.0, Some(expected.1.clone()), None));
        }
        if let Some(text) = &last.1 {
            assert!(complete[before.len()].1.starts_with(text.as_str()));
        }
    }
    let mut flipped = whole.clone();
    let checksum = flipped.len() - 6;
    flipped[checksum] ^= 1;
    let rows = read(&flipped, 0..1, LIMIT);
    let (last, before) = rows.split_last().unwrap();
    assert_eq!(before.len(), 2000);
    assert_eq!(last.1, None);
    assert!(
        last.2
            .as_deref()
            .unwrap()
            .starts_with("damaged compression")
    );
}

#[test]
fn text_that_is_not_requested_is_not_checked() {
    let file = Arc::new(Memory(b"a\nb\xff\n".as_slice().into()));
    let rows = |columns: &[usize]| {
        let mut records = LineRecords::open(ReadRequest {
            file: file.clone(),
            name: "x".into(),
            range: 0..5,
            max_record_bytes: LIMIT,
            modified: None,
            columns: columns.iter().copied().collect(),
        })
        .unwrap();
        let mut errors = Vec::new();
        while records.advance() {
            errors.push(records.error().is_some());
        }
        errors
    };
    assert_eq!(rows(&[0, 1]), [false, false]);
    assert_eq!(rows(&[3]), [false, true]);
    assert_eq!(rows(&[2]), [false, true]);
}
