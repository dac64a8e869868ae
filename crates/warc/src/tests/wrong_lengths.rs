//! A wrong Content-Length damages only its own record, whatever the difference.

use super::random_damage::{arc_record, body, rounds};
use super::ranges::outline;
use crate::testing::*;

const COUNT: usize = 8;

/// Archives in which one record declares a wrong length. All others are returned exactly once, and
/// the one with the wrong length has an error unless its length is consistent.
fn check(is_arc: bool, pack: fn(&[Vec<u8>]) -> Vec<u8>, seed: u64) {
    let mut random = Random(seed + rounds(0) as u64);
    for round in 0..rounds(150) {
        let bodies: Vec<_> = (0..COUNT).map(|_| body(&mut random)).collect();
        let wrong = random.below(COUNT);
        let real = bodies[wrong].len();
        let by = match random.below(5) {
            0 => random.below(12),
            1 => random.below(700),
            2 => 1 + random.below(20_000),
            3 => (1 << 20) + random.below(2 << 20),
            _ => real / 2 + 1,
        };
        let declared = match random.below(3) {
            0 => real.saturating_sub(by),
            _ => real + by,
        };
        let records: Vec<_> = (0..COUNT)
            .map(|number| {
                let length = if number == wrong {
                    declared
                } else {
                    bodies[number].len()
                };
                if is_arc {
                    arc_record(100 + number, &bodies[number], length)
                } else {
                    record_stating(100 + number, &length.to_string(), &bodies[number])
                }
            })
            .collect();
        // A length that leads to a record, or to the end, is consistent.
        let all = records.concat();
        let separator = if is_arc { 1 } else { 4 };
        let ends: Vec<usize> = records
            .iter()
            .scan(0, |end, record| {
                *end += record.len();
                Some(*end)
            })
            .collect();
        let end = ends[wrong] - separator - real + declared;
        let rest = all.get(end..).unwrap_or(b"x");
        let blank = rest
            .iter()
            .take_while(|b| matches!(b, 0 | b'\r' | b'\n' | b' '));
        let rest = &rest[blank.count()..];
        let to_head = rest.starts_with(b"WARC/1.0") || rest.starts_with(b"http://");
        let to_end = rest.is_empty() || end.abs_diff(all.len()) <= separator;
        let is_in_separator = !is_arc && (real + 1..=real + separator).contains(&declared);
        if (to_head || to_end) && !is_in_separator {
            continue;
        }
        let rows = read(&pack(&records));
        let outline = outline(&rows);
        let context = format!("round {round}: {wrong} has {real}, not {declared} {outline}");
        for (number, body) in bodies.iter().enumerate() {
            let uri = format!("http://e.example/{}", 100 + number);
            let found: Vec<_> = rows
                .iter()
                .filter(|row| row.uri.as_ref() == Some(&uri))
                .collect();
            assert_eq!(found.len(), 1, "{number}: {context}");
            let row = found[0];
            if number != wrong {
                assert!(row.error.is_none(), "{number}: {context}");
                assert!(
                    row.body.as_deref() == Some(&body[..]),
                    "{number}: {context}"
                );
            } else {
                assert!(row.error.is_some(), "{context}");
                assert!(
                    !is_in_separator || row.body.as_deref() == Some(&body[..]),
                    "{context}"
                );
            }
        }
    }
}

#[test]
fn plain_warc() {
    check(false, |records| records.concat(), 11);
}

#[test]
fn one_member() {
    check(false, |records| gzip(&records.concat()), 12);
    check(false, |records| zstd(&records.concat()), 13);
}

#[test]
fn members() {
    let pack = |records: &[Vec<u8>]| records.iter().flat_map(|record| gzip(record)).collect();
    check(false, pack, 14);
}

#[test]
fn arc() {
    check(true, |records| records.concat(), 15);
    check(true, |records| gzip(&records.concat()), 16);
}

/// A WARC in a WARC, larger than the buffer: its length is right, and so it is trusted.
#[test]
fn large_archives_in_bodies() {
    let inner: Vec<u8> = (0..40).flat_map(|n| record(n, &[b'x'; 100_000])).collect();
    let records = [record(100, &inner), record(101, b"y"), record(102, &inner)];
    for bytes in [
        records.concat(),
        gzip(&records.concat()),
        lz4(&records.concat()),
    ] {
        let rows = read(&bytes);
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| row.error.is_none()));
        assert!(rows[2].body.as_deref() == Some(&inner[..]));
    }
    let declared = (inner.len() + 7).to_string();
    let records = [record(99, b"x"), record_stating(100, &declared, &inner)];
    let bytes = [records.concat(), record(101, b"y")].concat();
    for bytes in [bytes.clone(), gzip(&bytes)] {
        let rows = read(&bytes);
        // The record is cut at the first header in it, and the records in it are returned.
        assert_eq!(rows.len(), 3 + 40);
        assert!(rows[1].error.is_some());
        assert!(rows[42].error.is_none() && rows[42].text() == "y");
    }
}

#[test]
fn heads_that_end_in_cr_cr_lf() {
    let text = String::from_utf8(abc().concat()).unwrap();
    let all = text
        .replace("\r\nWARC", "\r\r\nWARC")
        .replace("\r\nContent-L", "\r\r\nContent-L");
    let [a, b] = ["HTTP/1.1", "\r\nHTTP/1.1"];
    for text in [
        all.replace(&format!("\r\n\r\n{a}"), &format!("\r\n\r{b}")),
        text.replace(&format!("\r\n\r\n{a}"), &format!("\r\n\r{b}")),
        all.replace(&format!("\r\n\r\n{a}"), &format!("\r\r\n\r\r{}", &b[1..])),
    ] {
        let rows = read(text.as_bytes());
        assert_eq!(rows.len(), 3, "{text:?} {rows:?}");
        for (row, letter) in rows.iter().zip(['A', 'B', 'C']) {
            assert_eq!(row.error, None, "{text:?}");
            assert_eq!(row.text().as_bytes(), page(letter));
        }
    }
}
