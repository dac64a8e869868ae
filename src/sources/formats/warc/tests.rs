//! Tests single records, read at the places that an index names.

use std::io::Write;
use std::sync::Arc;

use corpus_bytes::memory::Memory;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordReader};
use corpus_bytes::record_locations::{NamedRecord, RecordLocation};
use corpus_bytes::test_data::gzip;
use corpus_warc::{Record, WarcReader};

use super::WarcFormat;
use crate::sources::format::RecordFormat;
use crate::sources::indexed::IndexedReader;

fn read(bytes: &[u8]) -> Vec<Record> {
    WarcReader::from_bytes(bytes).unwrap().collect()
}

fn read_places(bytes: &[u8], places: &[RecordLocation]) -> Vec<Record> {
    let format: Arc<dyn RecordFormat> = Arc::new(WarcFormat::default());
    let request = ReadRequest {
        file: Arc::new(Memory(bytes.into())),
        name: "test".into(),
        range: 0..bytes.len() as u64,
        max_record_bytes: 64 << 20,
        modified: None,
        columns: ColumnSet::ALL,
    };
    let records: Vec<NamedRecord> = places.iter().map(|place| (*place).into()).collect();
    let mut reader = IndexedReader::new(format, request, records.into());
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(true);
        rows.push(Record::current(&reader));
    }
    rows
}

fn reason(row: &Record) -> Option<&'static str> {
    row.error.as_ref().map(|error| error.reason)
}

fn place(row: &Record) -> RecordLocation {
    RecordLocation {
        offset: row.offset,
        length: row.length,
    }
}

/// Three records.
fn abc() -> [Vec<u8>; 3] {
    [1, 2, 3].map(|number| {
        let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{number}</p>");
        let record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.example/{number}\r\n\
             WARC-Date: 2014-10-23T06:05:08Z\r\nWARC-Record-ID: <urn:uuid:{number:08}>\r\n\
             Content-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        );
        record.into_bytes()
    })
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 3).unwrap()
}

fn lz4(text: &[u8]) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A dictionary in the first frame, raw or compressed, and frames that need it.
fn zstd_with_dictionary() -> [Vec<u8>; 2] {
    let dictionary = abc().concat();
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let frames = abc().map(|record| compressor.compress(&record).unwrap());
    [dictionary.clone(), zstd(&dictionary)].map(|content| {
        let size = (content.len() as u32).to_le_bytes();
        let start: [&[u8]; 3] = [&[0x5d, 0x2a, 0x4d, 0x18], &size, &content];
        [start.concat(), frames.concat()].concat()
    })
}

fn archives() -> Vec<Vec<u8>> {
    let each = |compress: fn(&[u8]) -> Vec<u8>| abc().iter().flat_map(|r| compress(r)).collect();
    let mut archives = vec![
        each(gzip),
        each(zstd),
        each(lz4),
        each(|record| record.to_vec()),
    ];
    archives.extend(zstd_with_dictionary());
    archives
}

#[test]
fn a_record_read_alone_equals_that_of_the_whole_file() {
    for bytes in archives() {
        let serial = read(&bytes);
        assert_eq!(serial.len(), 3);
        for row in &serial {
            assert_eq!(
                read_places(&bytes, &[place(row)]),
                std::slice::from_ref(row)
            );
        }
        let places: Vec<RecordLocation> = serial.iter().rev().map(place).collect();
        let reversed: Vec<Record> = serial.into_iter().rev().collect();
        assert_eq!(read_places(&bytes, &places), reversed);
    }
}

#[test]
fn a_length_is_not_needed() {
    for bytes in archives() {
        let serial = read(&bytes);
        for row in &serial {
            let place = RecordLocation {
                offset: row.offset,
                length: None,
            };
            assert_eq!(read_places(&bytes, &[place]), std::slice::from_ref(row));
        }
    }
}

#[test]
fn a_wrong_place_is_one_row_with_an_error() {
    for bytes in archives() {
        let second = place(&read(&bytes)[1]);
        let places = [
            RecordLocation {
                offset: second.offset + 3,
                length: Some(20),
            },
            RecordLocation {
                offset: bytes.len() as u64 + 7,
                length: Some(20),
            },
            RecordLocation {
                offset: u64::MAX,
                length: Some(u64::MAX),
            },
            second,
        ];
        let rows = read_places(&bytes, &places);
        assert_eq!(rows.len(), 4, "{rows:?}");
        assert!(rows[..3].iter().all(|row| row.error.is_some()), "{rows:?}");
        assert_eq!(rows[3].error, None);
    }
}

/// Removes a wrong-length error from a row.
fn without_error(mut row: Record) -> Record {
    row.error = None;
    row
}

#[test]
fn a_wrong_length_gives_the_record_and_an_error() {
    for bytes in archives() {
        let serial = read(&bytes);
        for row in &serial {
            let right = row.length.unwrap();
            for length in [
                1,
                5,
                right / 2,
                right - 1,
                right + 40,
                1 << 20,
                1 << 40,
                u64::MAX,
            ] {
                let rows = read_places(
                    &bytes,
                    &[RecordLocation {
                        offset: row.offset,
                        length: Some(length),
                    }],
                );
                let [found] = <[Record; 1]>::try_from(rows).unwrap();
                assert_eq!(
                    reason(&found),
                    Some("wrong length in the index"),
                    "{length}"
                );
                assert_eq!(without_error(found), *row, "{length}");
            }
        }
    }
}

#[test]
fn a_length_may_include_blank_lines_and_padding() {
    let padded = |bytes: &[u8]| [bytes, &[0; 512]].concat();
    let [a, b, _] = abc();
    for (bytes, padding) in [
        ([a.clone(), b.clone()].concat(), 4),
        ([padded(&gzip(&a)), padded(&gzip(&b))].concat(), 512),
    ] {
        for row in read(&bytes) {
            let place = RecordLocation {
                offset: row.offset,
                length: row.length.map(|length| length + padding),
            };
            assert_eq!(read_places(&bytes, &[place]), [row]);
        }
    }
}

/// A place is one row, even if several records share a unit or damage hides records.
#[test]
fn each_place_is_one_row() {
    let all = abc().concat();
    let junk = [&all[..], b"junk".repeat(100).as_slice(), &all].concat();
    for bytes in [gzip(&all), zstd(&all), gzip(&junk), junk] {
        let places: Vec<RecordLocation> = (0..bytes.len() as u64 + 9)
            .flat_map(|offset| {
                [None, Some(1), Some(30), Some(1 << 30)]
                    .map(|length| RecordLocation { offset, length })
            })
            .collect();
        let rows = read_places(&bytes, &places);
        assert_eq!(rows.len(), places.len());
        for (row, place) in rows.iter().zip(&places) {
            assert_eq!(row.offset, place.offset);
            assert!(
                row.target_uri.is_some() || row.error.is_some(),
                "{place:?} {row:?}"
            );
        }
        assert_eq!(rows[0].target_uri.as_deref(), Some("http://e.example/1"));
    }
}

#[test]
fn a_truncated_archive_has_a_separate_error() {
    for bytes in archives() {
        let place = place(&read(&bytes)[2]);
        let cut = &bytes[..bytes.len() - 60];
        let rows = read_places(cut, &[place]);
        assert_eq!(rows.len(), 1, "{rows:?}");
        let reason = reason(&rows[0]).unwrap();
        assert_ne!(reason, "wrong length in the index");
    }
}
