//! A failed checksum makes every record it covers suspect.

use crate::testing::*;
use crate::writable::Datum;
use crate::{Codec, Compression, reasons};

const CHECKED: [Codec; 3] = [Codec::Deflate, Codec::Gzip, Codec::Bzip2];

/// Compressible text, in which a flipped bit often decompresses to other text.
fn pairs(count: usize, random: &mut Random) -> Vec<(String, Vec<u8>)> {
    let words = ["archive", "page", "record", "column", "leaf", "of", "the"];
    (0..count)
        .map(|n| {
            let text: Vec<_> = (0..random.below(60))
                .map(|_| words[random.below(words.len())])
                .collect();
            (format!("page {n:04}"), text.join(" ").into_bytes())
        })
        .collect()
}

fn file(layout: &Layout, pairs: &[(String, Vec<u8>)]) -> Vec<u8> {
    let serialized: Vec<_> = pairs.iter().map(|(k, v)| pair(k, v)).collect();
    layout.file(&serialized)
}

fn is_one_of(row: &Row, pairs: &[(String, Vec<u8>)]) -> bool {
    pairs.iter().any(|(key, value)| row.is_sound(key, value))
}

#[test]
fn no_wrong_row_of_a_block_is_without_error() {
    let mut random = Random(42);
    let pairs = pairs(24, &mut random);
    for codec in CHECKED {
        let mut layout = Layout::new(6, Compression::Block, codec);
        layout.run = 8;
        let bytes = file(&layout, &pairs);
        let reading = Reading::of(&layout);
        let whole = reading.read(&bytes);
        let start = whole[0].offset as usize;
        for round in 0..150 {
            let mut damaged = bytes.clone();
            let at = start + random.below(bytes.len() - start);
            damaged[at] ^= 1 << random.below(8);
            let rows = reading.read(&damaged);
            for row in rows.iter().filter(|row| row.error.is_none()) {
                assert!(is_one_of(row, &pairs), "{codec:?} {round} {at} {row:?}");
            }
            let hit = whole
                .iter()
                .rposition(|row| row.offset <= at as u64)
                .unwrap()
                / 8;
            for (number, (key, value)) in pairs.iter().enumerate() {
                let count = rows.iter().filter(|row| row.is_sound(key, value)).count();
                // A flipped mark also hides the block before it from the search for marks.
                let untouched = number / 8 != hit && number / 8 + 1 != hit;
                assert!(count <= 1 && (count == 1 || !untouched), "{codec:?} {at}");
            }
        }
    }
}

#[test]
fn suspect_rows_keep_their_values() {
    let pairs: Vec<_> = (0..6)
        .map(|n| (format!("key {n}"), vec![b'a' + n; 100]))
        .collect();
    for codec in CHECKED {
        let mut layout = Layout::new(6, Compression::Block, codec);
        layout.run = 6;
        let mut bytes = file(&layout, &pairs);
        // The checksum of the values at the end of the file (in bzip2, before some padding bits).
        let at = bytes.len() - if codec == Codec::Gzip { 7 } else { 3 };
        bytes[at] ^= 0x10;
        let rows = Reading::of(&layout).read(&bytes);
        assert_eq!(rows.len(), 6, "{codec:?}");
        let mut lost = 0;
        for (row, (key, value)) in rows.iter().zip(&pairs) {
            assert_eq!(row.reason, Some(reasons::DAMAGED), "{codec:?} {row:?}");
            assert_eq!(row.key, Datum::Text(key.clone()));
            match &row.value {
                Datum::Bytes(saved) if value.starts_with(saved) => {
                    lost += value.len() - saved.len()
                }
                _ => lost += value.len(),
            }
        }
        assert!(lost <= 64, "{codec:?} {lost}");
    }
}

#[test]
fn no_wrong_value_of_a_record_is_without_error() {
    let mut random = Random(7);
    let pairs = pairs(9, &mut random);
    for codec in CHECKED {
        let layout = Layout::new(6, Compression::Record, codec);
        let bytes = file(&layout, &pairs);
        let reading = Reading::of(&layout);
        let start = reading.read(&bytes)[0].offset as usize;
        for _ in 0..200 {
            let mut damaged = bytes.clone();
            let at = start + random.below(bytes.len() - start);
            damaged[at] ^= 1 << random.below(8);
            for row in reading.read(&damaged) {
                let known = pairs
                    .iter()
                    .any(|(_, value)| row.value == Datum::Bytes(value.clone()));
                assert!(row.error.is_some() || known, "{codec:?} {at} {row:?}");
            }
        }
    }
}

/// A block too large to be checked before its first row is emitted.
#[test]
fn late_damage_counts_the_rows_before() {
    let mut layout = Layout::new(6, Compression::Block, Codec::Gzip);
    layout.run = 20;
    let pairs: Vec<_> = (0..20)
        .map(|n| (format!("key {n}"), vec![b'a' + n as u8; 1 << 20]))
        .collect();
    let mut bytes = file(&layout, &pairs);
    let checksum = bytes.len() - 6;
    bytes[checksum] ^= 1;
    let rows = Reading::of(&layout).read(&bytes);
    assert_eq!(rows.len(), 20);
    assert!(rows[..19].iter().all(|row| row.error.is_none()));
    let error = rows[19].error.as_deref().unwrap();
    assert!(error.contains("19 rows of the same block"), "{error}");
}
