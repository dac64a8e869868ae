//! Bodies that have lost or gained a few bytes, so that the declared length ends in the separator
//! or at line ends before it.

use crate::digest::{Algorithm, compute};
use crate::reasons;
use crate::testing::*;

use super::random_damage::arc_record;

type Pack = fn(&[Vec<u8>]) -> Vec<u8>;

const PACKS: [Pack; 4] = [
    |records| records.concat(),
    |records| gzip(&records.concat()),
    |records| records.iter().flat_map(|record| gzip(record)).collect(),
    |records| records.iter().flat_map(|record| zstd(record)).collect(),
];

/// A record with the digest of `sound`, or without one.
fn record_with(number: usize, declared: usize, body: &[u8], sound: Option<&[u8]>) -> Vec<u8> {
    let record = record_stating(number, &declared.to_string(), body);
    let Some(sound) = sound else {
        return record;
    };
    let field = format!(
        "\r\nWARC-Block-Digest: {}\r\nContent-Length",
        compute(Algorithm::Sha1, sound)
    );
    let at = memchr::memmem::find(&record, b"\r\nContent-Length").unwrap();
    let after = at + "\r\nContent-Length".len();
    [&record[..at], field.as_bytes(), &record[after..]].concat()
}

fn bodies() -> [Vec<u8>; 3] {
    [
        page('B'),
        b"text that ends with a line end\r\n".to_vec(),
        vec![b'x'; (1 << 20) + 100_000],
    ]
}

#[test]
fn a_body_that_lost_a_few_bytes_is_reported_and_contains_no_separator() {
    for body in bodies() {
        for lost in 1..=4 {
            for has_digest in [false, true] {
                // Bytes are lost in the middle of the body, wherever the record is.
                let rest = [&body[..10], &body[10 + lost..]].concat();
                let digest = has_digest.then_some(&body[..]);
                let damaged = |number| record_with(number, body.len(), &rest, digest);
                let [a, b, c] = abc();
                for records in [
                    [damaged(9), b.clone(), c],
                    [a.clone(), damaged(9), b.clone()],
                    [a, b, damaged(9)],
                ] {
                    for pack in PACKS {
                        let rows = read(&pack(&records));
                        assert_eq!(rows.len(), 3, "{lost} {rows:?}");
                        for row in rows {
                            let is_damaged = row.uri.as_deref() == Some("http://e.example/9");
                            let expected = is_damaged.then_some(reasons::BAD_LENGTH);
                            assert_eq!(row.reason, expected, "{lost} {has_digest} {:?}", row.error);
                            assert!(!is_damaged || row.body.as_deref() == Some(&rest[..]));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_length_that_counts_the_separator_is_corrected_by_the_digest() {
    let body = page('B');
    for surplus in 1..=4 {
        let b = record_with(2, body.len() + surplus, &body, Some(&body));
        let [a, _, c] = abc();
        let rows = read(&[a, b, c].concat());
        assert_eq!(rows[1].body.as_deref(), Some(&body[..]));
        let error = rows[1].error.as_deref().unwrap();
        assert!(
            error.ends_with("up to the separator, which the digest confirms"),
            "{error}"
        );
    }
}

#[test]
fn a_digest_confirms_a_body_that_ends_like_a_separator() {
    let body = [&page('B')[..], b"\r\n\r\n"].concat();
    for kept in 0..4 {
        let mut b = record_with(2, body.len(), &body, Some(&body));
        b.truncate(b.len() - 4 + kept);
        let [a, _, c] = abc();
        let rows = read(&[a, b, c].concat());
        assert_eq!(rows[1].error, None, "{kept}");
        assert_eq!(rows[1].body.as_deref(), Some(&body[..]));
    }
}

#[test]
fn a_response_without_payload_and_separator_is_sound() {
    let [a, b, _] = abc();
    let mut moved = record(9, b"HTTP/1.1 301 Moved Permanently\r\nLocation: /\r\n\r\n");
    moved.truncate(moved.len() - 4);
    for records in [[moved.clone(), a.clone(), b.clone()], [a, b, moved]] {
        for pack in PACKS {
            let rows = read(&pack(&records));
            assert!(rows.iter().all(|row| row.error.is_none()), "{rows:?}");
        }
    }
}

#[test]
fn a_body_that_gained_line_ends_is_compared_with_the_digest() {
    let sound = page('B');
    for gained in ["\n", "\r\n", "\n\n"] {
        // The gained bytes are at the start: the declared length ends before the last bytes.
        let whole = [&sound[..sound.len() - gained.len()], gained.as_bytes()].concat();
        let damaged = [gained.as_bytes(), &whole].concat();
        for pack in PACKS {
            let [a, _, c] = abc();
            let b = record_with(2, whole.len(), &damaged, Some(&damaged));
            let rows = read(&pack(&[a.clone(), b, c.clone()]));
            assert_eq!(rows[1].reason, Some(reasons::BAD_LENGTH), "{gained:?}");
            assert_eq!(rows[1].body.as_deref(), Some(&damaged[..]));

            // Without a digest, blank lines between records are not damage.
            let b = record_with(2, whole.len(), &damaged, None);
            let rows = read(&pack(&[a, b, c]));
            let expected = (gained != "\r\n").then_some(reasons::BAD_LENGTH);
            assert_eq!(rows[1].reason, expected, "{gained:?}");
        }
    }
}

#[test]
fn a_record_of_arc_that_lost_a_byte_is_reported() {
    let body = b"HTTP/1.0 200 OK\r\n\r\n<p>text</p>".to_vec();
    let damaged = arc_record(2, &body[1..], body.len());
    let records = [
        arc_record(1, &body, body.len()),
        damaged,
        arc_record(3, &body, body.len()),
    ];
    for bytes in [records.concat(), gzip(&records.concat())] {
        let rows = read(&bytes);
        let reasons: Vec<_> = rows.iter().map(|row| row.reason).collect();
        assert_eq!(reasons, [None, Some(reasons::BAD_LENGTH), None]);
        assert_eq!(rows[1].body.as_deref(), Some(&body[1..]));
    }
}

#[test]
fn writers_that_separate_records_differently_are_understood() {
    let bodies = [page('A'), page('B'), page('C')];
    for separator in ["", "\r\n", "\n", "\n\n", "\r\n\r\n", "\r\n\r\n\r\n\r\n"] {
        let records: Vec<_> = (1..)
            .zip(&bodies)
            .map(|(number, body)| {
                let mut record = record(number, body);
                record.truncate(record.len() - 4);
                record.extend_from_slice(separator.as_bytes());
                record
            })
            .collect();
        for pack in PACKS {
            let rows = read(&pack(&records));
            assert_eq!(rows.len(), 3);
            for (row, body) in rows.iter().zip(&bodies) {
                assert_eq!(row.error, None, "{separator:?}");
                assert_eq!(row.body.as_deref(), Some(&body[..]));
            }
        }
    }
}
