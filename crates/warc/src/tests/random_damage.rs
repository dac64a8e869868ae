//! Random archives with random damage: intact records are returned exactly once, and damaged ones
//! have an error.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ranges::{check_cuts, outline};
use crate::testing::*;

/// An archive, and the range of each record in it.
struct Archive {
    bytes: Vec<u8>,
    records: Vec<Original>,
    compressed: bool,
}

struct Original {
    uri: String,
    body: Vec<u8>,
    place: Range<usize>,
}

pub fn rounds(default: usize) -> usize {
    std::env::var("CORPUS_ROUNDS").map_or(default, |rounds| rounds.parse().unwrap())
}

fn words(random: &mut Random, count: usize) -> Vec<u8> {
    const WORDS: [&str; 12] = [
        "archive", "<p>", "</p>", "page", "\r\n", "\n", "the", "of", "href=", "0815", "<a ", "web",
    ];
    let words: Vec<&str> = (0..count).map(|_| WORDS[random.below(12)]).collect();
    words.join(" ").into_bytes()
}

/// Pages, noise, archives in bodies, and bodies with lines that look like headers.
pub fn body(random: &mut Random) -> Vec<u8> {
    let size = random.below(400);
    let mut body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec();
    match random.below(10) {
        0 => body.extend(random.bytes(size * 12)),
        1 => body.extend(vec![0; size]),
        2 => return abc().concat(),
        3 => body.extend(abc().concat()),
        4 => {
            body.extend(words(random, size / 4));
            body.extend(b"\r\nWARC/1.0\r\nsays the specification\r\n\r\n");
            body.extend(words(random, size / 4));
        }
        5 => return Vec::new(),
        _ => body.extend(words(random, size)),
    }
    body
}

pub fn arc_record(number: usize, body: &[u8], length: usize) -> Vec<u8> {
    let line = format!("http://e.example/{number} 10.0.0.1 20140216050221 text/html {length}\n");
    [line.as_bytes(), body, b"\n"].concat()
}

fn archive(random: &mut Random, is_arc: bool, compress: Option<Compress>) -> Archive {
    let mut bytes = Vec::new();
    let mut records = Vec::new();
    for number in 100..100 + 10 + random.below(30) {
        let body = body(random);
        let record = if is_arc {
            arc_record(number, &body, body.len())
        } else {
            record(number, &body)
        };
        let start = bytes.len();
        bytes.extend(compress.map_or_else(|| record.clone(), |compress| compress(&record)));
        records.push(Original {
            uri: format!("http://e.example/{number}"),
            body,
            place: start..bytes.len(),
        });
    }
    Archive {
        bytes,
        records,
        compressed: compress.is_some(),
    }
}

/// Damages the bytes in one place. Returns the records that this affects.
///
/// `margin`: in an uncompressed archive a record also needs the first bytes of the next one.
/// Without them, its length may be too small.
fn damage(
    bytes: &mut Vec<u8>,
    records: &mut [Option<Original>],
    margin: usize,
    random: &mut Random,
) {
    let size = bytes.len();
    let at = random.below(size);
    let length = [512, 4096, 1 + random.below(3000)][random.below(3)].min(size - at);
    let mut inserted = 0;
    let (touched, removed) = match random.below(5) {
        0 => {
            bytes[at..at + length].fill(0);
            (at..at + length, 0)
        }
        1 => {
            bytes[at] ^= 1 << random.below(8);
            (at..at + 1, 0)
        }
        2 => {
            bytes.drain(at..at + length);
            (at..at + length, length)
        }
        3 => {
            let noise = random.bytes(length);
            bytes.splice(at..at + length, noise);
            (at..at + length, 0)
        }
        _ => {
            inserted = length;
            let noise = random.bytes(length);
            bytes.splice(at..at, noise);
            (at..at, 0)
        }
    };
    for slot in records {
        let Some(record) = slot else { continue };
        let end = record.place.end + margin;
        let inside = record.place.start < touched.start && touched.start < end;
        let overlaps = touched.start < end && record.place.start < touched.end;
        if inside || overlaps {
            *slot = None;
        } else if record.place.start >= touched.end && record.place.start >= touched.start {
            let moved = |at: usize| at + inserted - removed;
            record.place = moved(record.place.start)..moved(record.place.end);
        }
    }
}

fn check(archive: &Archive, damaged: &[u8], untouched: &[Option<Original>], round: usize) {
    let rows = read(damaged);
    let mut sound: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.error.is_none()) {
        sound
            .entry(row.uri.as_deref().unwrap_or_default())
            .or_default()
            .push(row);
    }
    let outline = outline(&rows);
    for record in untouched.iter().flatten() {
        let found = sound.get(record.uri.as_str()).map_or(0, Vec::len);
        assert_eq!(found, 1, "round {round}: {} {outline}", record.uri);
    }
    for row in sound.values().flatten() {
        let original = archive
            .records
            .iter()
            .find(|r| Some(&r.uri) == row.uri.as_ref());
        let right = original.is_some_and(|r| row.body.as_deref() == Some(&r.body[..]));
        let was_touched = original.is_some_and(|original| {
            let mut untouched = untouched.iter().flatten();
            !untouched.any(|record| record.uri == original.uri)
        });
        // Without compression there is no checksum, and an archive in a body whose record lost its
        // header is like any other archive.
        let undetectable = !archive.compressed && (was_touched || original.is_none());
        assert!(right || undetectable, "round {round}: {row:?} {outline}");
    }
}

fn run(is_arc: bool, compress: Option<Compress>, seed: u64) {
    let mut random = Random(seed + rounds(0) as u64);
    for round in 0..rounds(60) {
        let archive = archive(&mut random, is_arc, compress);
        let mut bytes = archive.bytes.clone();
        let mut untouched: Vec<_> = archive
            .records
            .iter()
            .map(|r| {
                Some(Original {
                    uri: r.uri.clone(),
                    body: r.body.clone(),
                    place: r.place.clone(),
                })
            })
            .collect();
        for _ in 0..1 + random.below(3) {
            if !bytes.is_empty() {
                let margin = if archive.compressed { 0 } else { 8 };
                damage(&mut bytes, &mut untouched, margin, &mut random);
            }
        }
        check(&archive, &bytes, &untouched, round);
        if round % 10 == 0 {
            check_cuts(&bytes, 7);
        }
    }
}

#[test]
fn gzip_members() {
    run(false, Some(gzip), 1);
    run(false, Some(|text| gzip_level(text, 1)), 2);
    run(false, Some(|text| gzip_level(text, 9)), 3);
}

#[test]
fn arc_members() {
    run(true, Some(gzip), 4);
}

#[test]
fn zstd_frames() {
    run(false, Some(zstd), 5);
}

#[test]
fn lz4_frames() {
    run(false, Some(lz4), 6);
}

#[test]
fn plain_warc() {
    run(false, None, 7);
}

#[test]
fn plain_arc() {
    run(true, None, 8);
}
