//! Reading any partition into ranges returns the same rows as reading the whole archive.

use std::sync::Arc;

use crate::testing::*;

fn check(bytes: &Arc<[u8]>, serial: &[Row], cuts: &[u64]) {
    let union = read_cut(bytes, cuts);
    assert!(
        union == serial,
        "cuts {cuts:?}\n{}\n{}",
        outline(&union),
        outline(serial)
    );
}

pub fn outline(rows: &[Row]) -> String {
    rows.iter()
        .map(|row| {
            format!(
                "{} {:?} {:?} {:?}\n",
                row.offset, row.length, row.uri, row.error
            )
        })
        .collect()
}

/// Checks one cut at each of many positions, and partitions into many ranges.
pub fn check_cuts(bytes: &[u8], most_single_cuts: usize) {
    let bytes: Arc<[u8]> = bytes.into();
    let size = bytes.len() as u64;
    let serial = read_range(&bytes, 0..size);
    let step = (size / most_single_cuts as u64).max(1);
    for cut in (0..=size).step_by(step as usize) {
        check(&bytes, &serial, &[cut]);
    }
    for parts in [2, 3, 5, 8, 17] {
        let cuts: Vec<u64> = (1..parts).map(|part| size * part / parts).collect();
        check(&bytes, &serial, &cuts);
    }
    let mut random = Random(size + 7);
    for _ in 0..5 {
        let mut cuts: Vec<u64> = (0..4).map(|_| random.next_u64() % (size + 1)).collect();
        cuts.sort_unstable();
        check(&bytes, &serial, &cuts);
    }
}

fn each(records: &[Vec<u8>], compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    records.iter().flat_map(|record| compress(record)).collect()
}

fn stored(text: &[u8]) -> Vec<u8> {
    gzip_level(text, 0)
}

#[test]
fn small_archives() {
    let compressions: [Compress; 5] = [gzip, zstd, lz4, stored, <[u8]>::to_vec];
    for compress in compressions {
        check_cuts(&each(&abc(), compress), 2000);
        check_cuts(&compress(&abc().concat()), 300);
        let pieces: Vec<u8> = abc().concat().chunks(64).flat_map(compress).collect();
        check_cuts(&pieces, 500);
    }
}

/// A crawled .warc.gz does not compress: deflate stores whole members verbatim.
#[test]
fn archives_stored_in_archives() {
    let inner = each(&abc(), gzip);
    let other = each(&abc(), |record| gzip(&gzip(record)));
    let compressions: [Compress; 5] = [gzip, zstd, lz4, stored, <[u8]>::to_vec];
    for compress in compressions {
        let records = [
            record(10, &page('X')),
            record(11, &inner),
            record(
                12,
                &[&inner[..], b"some text", &inner, &[0; 99], &other].concat(),
            ),
            record(13, &page('Y')),
        ];
        let bytes = each(&records, compress);
        assert_eq!(read(&bytes).len(), 4);
        check_cuts(&bytes, 3000);
    }
    for compress in [zstd, lz4] {
        let inner = each(&abc(), compress);
        let records = [record(10, &inner), record(11, &inner), record(12, b"")];
        check_cuts(&each(&records, compress), 2000);
    }
}

/// Inner archives that are longer than a stored block, so that its header falls inside them.
#[test]
fn long_archives_stored_in_archives() {
    let mut random = Random(9);
    let pages: Vec<Vec<u8>> = (0..60)
        .map(|n| record(n, &random.bytes(900 + 100 * (n % 50))))
        .collect();
    let inner = each(&pages, gzip);
    assert!(inner.len() > 150_000);
    let records = [
        record(100, &random.bytes(300_000)),
        record(101, &inner),
        record(102, &random.bytes(100_000)),
        record(103, &inner[..64_000]),
        record(104, &page('Y')),
    ];
    for bytes in [
        each(&records, gzip),
        each(&records, stored),
        stored(&records.concat()),
    ] {
        assert_eq!(
            read(&bytes)
                .iter()
                .filter(|row| row.error.is_none())
                .count(),
            5
        );
        check_cuts(&bytes, 60);
    }
}

#[test]
fn damaged_archives() {
    let inner = each(&abc(), gzip);
    let records = [
        record(10, &page('X')),
        record(11, &inner),
        record_stating(12, "9999", &page('Z')),
        record(13, &[&inner[..], b"some text", &inner].concat()),
        record(14, &page('Y')),
    ];
    let compressions: [Compress; 5] = [gzip, zstd, lz4, stored, <[u8]>::to_vec];
    let mut random =
        Random(77 + std::env::var("CORPUS_ROUNDS").map_or(0, |rounds| rounds.parse().unwrap()));
    for compress in compressions {
        let bytes = each(&records, compress);
        let rounds = std::env::var("CORPUS_ROUNDS").map_or(40, |rounds| rounds.parse().unwrap());
        for _ in 0..rounds {
            let mut damaged = bytes.clone();
            match random.below(4) {
                0 => damaged.truncate(random.below(bytes.len())),
                1 => {
                    let at = random.below(bytes.len());
                    let junk = random.bytes(20);
                    damaged.splice(at..at, junk);
                }
                2 => {
                    let at = random.below(bytes.len());
                    damaged.drain(at..(at + 30).min(bytes.len()));
                }
                _ => {}
            }
            if !damaged.is_empty() {
                for _ in 0..1 + random.below(3) {
                    let at = random.below(damaged.len());
                    damaged[at] ^= 1 << random.below(8);
                }
            }
            check_cuts(&damaged, 60);
        }
    }
}

#[test]
fn large_members() {
    let mut random = Random(3);
    let records: Vec<Vec<u8>> = [3_000_000, 10, 700_000, 5_000_000, 20, 400_000]
        .iter()
        .enumerate()
        .map(|(number, size)| record(number, &random.bytes(*size)))
        .collect();
    let mut bytes = each(&records, |record| gzip_level(record, 1));
    check_cuts(&bytes, 12);
    bytes[4_000_000] ^= 0x55;
    check_cuts(&bytes, 12);
}
