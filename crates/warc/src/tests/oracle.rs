//! The `warc` crate reads the same records from well-formed archives.

use std::io::{BufReader, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use warc::WarcReader;

use crate::testing::*;

/// Fields with their names in lower case, sorted, and the body.
type Plain = (Vec<(String, String)>, Vec<u8>);

fn sorted(fields: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut fields: Vec<_> = fields
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect();
    fields.sort();
    fields
}

fn read_by_the_crate(archive: &[u8]) -> Vec<Plain> {
    let mut text = Vec::new();
    if archive.starts_with(b"\x1f\x8b") {
        MultiGzDecoder::new(archive).read_to_end(&mut text).unwrap();
    } else {
        text.extend_from_slice(archive);
    }
    let records = WarcReader::new(BufReader::new(Cursor::new(text))).iter_raw_records();
    records
        .map(|record| {
            let (head, body) = record.unwrap();
            let fields = head.headers.into_iter();
            let fields =
                fields.map(|(name, value)| (name.to_string(), String::from_utf8(value).unwrap()));
            (sorted(fields), body)
        })
        .collect()
}

fn read_by_us(archive: &[u8]) -> Vec<Plain> {
    let plain = |row: Row| {
        assert_eq!(row.error, None);
        (
            sorted(row.headers.into_iter()),
            row.body.unwrap_or_default(),
        )
    };
    read(archive).into_iter().map(plain).collect()
}

#[test]
fn samples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data-samples/warc");
    for (name, records) in [
        ("crawl.warc.gz", 12),
        ("plain.warc", 4),
        ("one-member.warc.gz", 4),
    ] {
        let archive = std::fs::read(folder.join(name)).unwrap();
        let ours = read_by_us(&archive);
        assert_eq!(ours.len(), records, "{name}");
        assert_eq!(ours, read_by_the_crate(&archive), "{name}");
    }
}

/// Bodies of arbitrary bytes, including whole and truncated records.
#[test]
fn random_archives() {
    let mut random = Random(7);
    for _ in 0..300 {
        let mut records = Vec::new();
        for number in 0..1 + random.below(6) {
            let size = random.below(2000);
            let mut body = match random.below(4) {
                0 => record(99, b"a record in a record"),
                1 => b"WARC/1.0\r\nWARC-Type: response\r\n".to_vec(),
                2 => vec![b'\n'; size],
                _ => random.bytes(size),
            };
            body.truncate(random.below(body.len() + 1));
            records.push(record(number, &body));
        }
        let text = records.concat();
        let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        let expected = read_by_the_crate(&text);
        assert_eq!(expected.len(), records.len());
        for archive in [text.clone(), gzip(&text), members] {
            assert_eq!(read_by_us(&archive), expected);
        }
    }
}
