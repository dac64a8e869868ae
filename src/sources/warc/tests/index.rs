//! Single records, read at the places that an index names.

use std::sync::Arc;

use crate::sources::format::RecordFormat;
use crate::sources::indexed::{IndexedReader, Place};
use crate::sources::record::RecordReader;
use crate::sources::warc::WarcFormat;
use crate::sources::warc::testing::*;

fn read_places(bytes: &[u8], places: &[Place]) -> Vec<Row> {
    let bytes: Arc<[u8]> = bytes.into();
    let format: Arc<dyn RecordFormat> = Arc::new(WarcFormat::default());
    let request = request(&bytes, 0..bytes.len() as u64, LIMIT);
    let mut reader = IndexedReader::new(format, request, places.into());
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(true);
        rows.push(current(&reader));
    }
    rows
}

fn place(row: &Row) -> Place {
    Place {
        offset: row.offset,
        length: row.length.map(|length| length as u64),
    }
}

fn archives() -> Vec<Vec<u8>> {
    let each = |compress: fn(&[u8]) -> Vec<u8>| abc().iter().flat_map(|r| compress(r)).collect();
    let mut archives = vec![
        each(gzip),
        each(zstd),
        each(lz4),
        each(|record| record.to_vec()),
    ];
    archives.extend(super::formats::zstd_with_dictionary());
    archives
}

#[test]
fn a_record_by_itself_is_the_one_of_the_whole_file() {
    for bytes in archives() {
        let serial = read(&bytes);
        assert_eq!(serial.len(), 3);
        for row in &serial {
            assert_eq!(
                read_places(&bytes, &[place(row)]),
                std::slice::from_ref(row)
            );
        }
        let places: Vec<Place> = serial.iter().rev().map(place).collect();
        let reversed: Vec<Row> = serial.into_iter().rev().collect();
        assert_eq!(read_places(&bytes, &places), reversed);
    }
}

#[test]
fn a_length_is_not_needed() {
    for bytes in archives() {
        let serial = read(&bytes);
        for row in &serial {
            let place = Place {
                offset: row.offset,
                length: None,
            };
            assert_eq!(read_places(&bytes, &[place]), std::slice::from_ref(row));
        }
    }
}

#[test]
fn a_wrong_place_is_an_error_there_and_no_other_row() {
    for bytes in archives() {
        let second = place(&read(&bytes)[1]);
        let places = [
            Place {
                offset: second.offset + 3,
                length: Some(20),
            },
            Place {
                offset: bytes.len() as u64 + 7,
                length: Some(20),
            },
            Place {
                offset: u64::MAX,
                length: Some(u64::MAX),
            },
            second,
        ];
        let rows = read_places(&bytes, &places);
        assert_eq!(rows.len(), 4, "{rows:?}");
        assert!(rows[..3].iter().all(|row| row.reason.is_some()), "{rows:?}");
        assert_eq!(rows[3].reason, None);
    }
}

#[test]
fn a_length_too_short_is_told() {
    for bytes in archives() {
        let mut cut = place(&read(&bytes)[1]);
        cut.length = cut.length.map(|length| length / 2);
        let rows = read_places(&bytes, &[cut]);
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert!(rows[0].error.is_some(), "{rows:?}");
    }
}
