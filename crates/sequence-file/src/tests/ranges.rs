//! Reading any partition into ranges returns the same rows as reading the whole file.

use std::sync::Arc;

use crate::testing::*;
use crate::{Codec, Compression};

/// Reads the ranges between these cuts.
fn read_cut(reading: &Reading, bytes: &Arc<[u8]>, cuts: &[u64]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    for end in cuts.iter().copied().chain([bytes.len() as u64]) {
        rows.extend(reading.rows(bytes, start..end, |_| true));
        start = end;
    }
    rows
}

/// Checks one cut at each of many places, and partitions into many ranges.
pub fn check_cuts(reading: &Reading, bytes: &[u8], max_single_cuts: u64) {
    let size = bytes.len() as u64;
    let step = (size / max_single_cuts).max(1);
    let mut cuts: Vec<Vec<u64>> = (0..=size).step_by(step as usize).map(|c| vec![c]).collect();
    for parts in [2, 3, 8, 17, max_single_cuts / 4 + 1] {
        cuts.push((1..parts).map(|part| size * part / parts).collect());
    }
    check(reading, bytes, cuts);
    check_some_cuts(reading, bytes, 5);
}

/// Checks some partitions into a few ranges.
pub fn check_some_cuts(reading: &Reading, bytes: &[u8], count: usize) {
    let size = bytes.len() as u64;
    let mut random = Random(size + 7);
    let cuts = (0..count).map(|_| {
        let mut cuts: Vec<u64> = (0..4).map(|_| random.next_u64() % (size + 1)).collect();
        cuts.sort_unstable();
        cuts
    });
    check(reading, bytes, cuts.collect());
}

fn check(reading: &Reading, bytes: &[u8], partitions: Vec<Vec<u64>>) {
    let bytes: Arc<[u8]> = bytes.into();
    if bytes.is_empty() {
        // There is only one range.
        return;
    }
    let serial = reading.rows(&bytes, 0..bytes.len() as u64, |_| true);
    for cuts in partitions {
        let union = read_cut(reading, &bytes, &cuts);
        let outline = |rows: &[Row]| -> Vec<_> {
            let row = |row: &Row| (row.offset, row.key.clone(), row.error.clone());
            rows.iter().map(row).collect()
        };
        assert!(
            union == serial,
            "{cuts:?}\n{:?}\n{:?}",
            outline(&union),
            outline(&serial)
        );
    }
}

#[test]
fn small_files() {
    let pairs: Vec<_> = (0..10)
        .map(|n| pair(&format!("key {n}"), &vec![b'v'; 9 * n]))
        .collect();
    for layout in layouts() {
        check_cuts(&Reading::of(&layout), &layout.file(&pairs), 100);
        check_cuts(&Reading::of(&layout), &layout.file(&[]), 100);
    }
    for mut layout in framings() {
        layout.run = 1;
        check_cuts(&Reading::of(&layout), &layout.file(&pairs), 3000);
        layout.run = 100;
        check_cuts(&Reading::of(&layout), &layout.file(&pairs), 3000);
    }
}

/// Values that contain the file's own sync marks: alone, repeated, and followed by whole runs.
pub fn file_with_marks_in_values(layout: &Layout) -> (Vec<u8>, Vec<(String, Vec<u8>)>) {
    let mut random = Random(77);
    let plain: Vec<_> = (0..7)
        .map(|n| pair(&format!("inner {n}"), &random.bytes(50)))
        .collect();
    let inner = layout.file(&plain);
    let values = [
        b"before".to_vec(),
        mark(),
        mark().repeat(7),
        [random.bytes(40), mark(), random.bytes(40)].concat(),
        inner.clone(),
        [&mark()[..], &inner, &mark(), b"text"].concat(),
        b"between".to_vec(),
        [&inner[..], &inner[inner.len() / 2..], &mark()[..11]].concat(),
        b"after".to_vec(),
    ];
    let pairs: Vec<_> = values
        .into_iter()
        .enumerate()
        .map(|(n, value)| (format!("key {n}"), value))
        .collect();
    let serialized: Vec<_> = pairs.iter().map(|(k, v)| pair(k, v)).collect();
    (layout.file(&serialized), pairs)
}

#[test]
fn marks_in_values() {
    for mut layout in framings() {
        for run in [1, 2, 4, 100] {
            layout.run = run;
            let (bytes, pairs) = file_with_marks_in_values(&layout);
            let reading = Reading::of(&layout);
            let rows = reading.read(&bytes);
            assert_eq!(rows.len(), pairs.len());
            for (row, (key, value)) in rows.iter().zip(&pairs) {
                assert!(row.is_sound(key, value), "{:?}", row.error);
            }
            check_cuts(&reading, &bytes, 300);
        }
    }
}

/// Ranges whose walk does not begin at the start of the file.
#[test]
fn looking_back_a_little() {
    let mut random = Random(4);
    let pairs: Vec<_> = (0..120)
        .map(|n| {
            let mut value = random.bytes(10 + 20 * (n % 9));
            if n % 5 == 0 {
                let between = random.bytes(300);
                value = [&value[..], &mark(), &between, &mark(), &value].concat();
            }
            pair(&format!("key {n}"), &value)
        })
        .collect();
    for layout in framings() {
        let bytes = layout.file(&pairs);
        for look_back in [1, 100, 700, 3000] {
            let reading = Reading {
                look_back,
                ..Reading::of(&layout)
            };
            assert_eq!(reading.read(&bytes).len(), pairs.len());
            check_cuts(&reading, &bytes, 150);
        }
    }
}

#[test]
fn large_values_across_ranges() {
    let mut random = Random(8);
    let pairs: Vec<_> = [2_300_000, 5, 100_000, 4_300_000, 20]
        .iter()
        .map(|size| pair("k", &random.bytes(*size)))
        .collect();
    for mut layout in framings() {
        layout.run = 2;
        check_cuts(&Reading::of(&layout), &layout.file(&pairs), 12);
    }
}

#[test]
fn files_that_cannot_be_opened_are_reported_once() {
    let layout = Layout::new(6, Compression::Block, Codec::Deflate);
    let mut bytes = layout.file(&[pair("a", b"b")]);
    bytes[3] = 9;
    check_cuts(&Reading::of(&layout), &bytes, 300);
    assert_eq!(Reading::of(&layout).read(&bytes).len(), 1);
}
