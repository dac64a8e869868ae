//! Single records, read at the places that an index names.

use std::sync::Arc;

use crate::sources::format::RecordFormat;
use crate::sources::indexed::{IndexedReader, Place};
use crate::sources::warc::WarcFormat;
use crate::sources::warc::testing::*;
use corpus_bytes::record::RecordReader;

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

/// The row without what a wrong length adds.
fn without_error(mut row: Row) -> Row {
    row.reason = None;
    row
}

#[test]
fn a_wrong_length_gives_the_record_and_an_error() {
    for bytes in archives() {
        let serial = read(&bytes);
        for row in &serial {
            let right = place(row).length.unwrap();
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
                    &[Place {
                        offset: row.offset,
                        length: Some(length),
                    }],
                );
                let [found] = <[Row; 1]>::try_from(rows).unwrap();
                assert_eq!(found.reason, Some("wrong length in the index"), "{length}");
                assert_eq!(without_error(found), *row, "{length}");
            }
        }
    }
}

#[test]
fn blank_lines_and_padding_may_count() {
    let padded = |bytes: &[u8]| [bytes, &[0; 512]].concat();
    let [a, b, _] = abc();
    for (bytes, padding) in [
        ([a.clone(), b.clone()].concat(), 4),
        ([padded(&gzip(&a)), padded(&gzip(&b))].concat(), 512),
    ] {
        for row in read(&bytes) {
            let place = Place {
                offset: row.offset,
                length: row.length.map(|length| length as u64 + padding),
            };
            assert_eq!(read_places(&bytes, &[place]), [row]);
        }
    }
}

/// A place is one row, also where several records share a unit and where damage hides records.
#[test]
fn each_place_is_one_row() {
    let all = abc().concat();
    let junk = [&all[..], b"junk".repeat(100).as_slice(), &all].concat();
    for bytes in [gzip(&all), zstd(&all), gzip(&junk), junk] {
        let places: Vec<Place> = (0..bytes.len() as u64 + 9)
            .flat_map(|offset| {
                [None, Some(1), Some(30), Some(1 << 30)].map(|length| Place { offset, length })
            })
            .collect();
        let rows = read_places(&bytes, &places);
        assert_eq!(rows.len(), places.len());
        for (row, place) in rows.iter().zip(&places) {
            assert_eq!(row.offset, place.offset);
            assert!(
                row.uri.is_some() || row.reason.is_some(),
                "{place:?} {row:?}"
            );
        }
        assert_eq!(rows[0].uri.as_deref(), Some("http://e.example/1"));
    }
}

#[test]
fn a_cut_archive_has_its_own_error() {
    for bytes in archives() {
        let place = place(&read(&bytes)[2]);
        let cut = &bytes[..bytes.len() - 60];
        let rows = read_places(cut, &[place]);
        assert_eq!(rows.len(), 1, "{rows:?}");
        let reason = rows[0].reason.unwrap();
        assert_ne!(reason, "wrong length in the index");
    }
}
