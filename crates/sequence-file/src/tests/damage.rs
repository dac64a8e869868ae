//! Damage costs only the records that it hits.

use super::ranges::{check_cuts, check_some_cuts, file_with_marks_in_values};
use crate::testing::*;
use crate::writable::Datum;
use crate::{Codec, Compression, reasons, vint};

fn pairs(count: usize) -> Vec<(String, Vec<u8>)> {
    let mut random = Random(count as u64 + 1);
    (0..count)
        .map(|n| (format!("key {n}"), random.bytes(20 + 7 * (n % 5))))
        .collect()
}

fn file(layout: &Layout, pairs: &[(String, Vec<u8>)]) -> Vec<u8> {
    let serialized: Vec<_> = pairs.iter().map(|(k, v)| pair(k, v)).collect();
    layout.file(&serialized)
}

/// Returns how many rows at the start equal the pairs at the start.
fn sound_prefix(rows: &[Row], pairs: &[(String, Vec<u8>)]) -> usize {
    rows.iter()
        .zip(pairs)
        .take_while(|(row, (key, value))| row.is_sound(key, value))
        .count()
}

fn sound(rows: &[Row], pairs: &[(String, Vec<u8>)]) -> usize {
    pairs
        .iter()
        .filter(|(key, value)| rows.iter().any(|row| row.is_sound(key, value)))
        .count()
}

#[test]
fn truncated_anywhere() {
    let pairs = pairs(7);
    for layout in framings() {
        let bytes = file(&layout, &pairs);
        let reading = Reading::of(&layout);
        let offsets = reading.read(&bytes).into_iter().map(|row| row.offset);
        let offsets: Vec<_> = offsets.map(|offset| offset as usize).collect();
        let blocks = layout.compression == Compression::Block;
        // Valid truncation points: before each record, and before and after each mark.
        let mut boundaries = offsets.clone();
        if !blocks {
            boundaries.extend([offsets[3] - 20, offsets[6] - 20]);
        }
        for size in 0..bytes.len() {
            let rows = reading.read(&bytes[..size]);
            let complete = (1..=6).filter(|next| {
                let starts_run = next % 3 == 0 && !blocks;
                offsets[*next] - if starts_run { 20 } else { 0 } <= size
            });
            let prefix = sound_prefix(&rows, &pairs);
            if blocks {
                assert!(prefix >= complete.filter(|next| next % 3 == 0).max().unwrap_or(0))
            } else {
                assert_eq!(prefix, complete.count(), "{size}")
            }
            let is_clean = rows.iter().all(|row| row.error.is_none());
            assert_eq!(is_clean, boundaries.contains(&size), "{size} {rows:?}");
        }
    }
}

#[test]
fn every_byte_flipped() {
    let pairs = pairs(8);
    for mut layout in framings() {
        layout.run = 2;
        let bytes = file(&layout, &pairs);
        let reading = Reading::of(&layout);
        let first = reading.read(&bytes)[0].offset as usize;
        for at in first..bytes.len() {
            for mask in [0x01, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= mask;
                let rows = reading.read(&damaged);
                // One run, and the next one if its mark was hit.
                assert!(sound(&rows, &pairs) >= 4, "{at} {mask} {rows:?}");
                let hit = sound(&rows, &pairs) < pairs.len();
                // Only compressed data has checksums.
                let silent =
                    layout.compression != Compression::Block || layout.codec == Codec::Passthrough;
                let reported = rows.iter().any(|row| row.error.is_some());
                assert!(reported || silent || !hit, "{at} {mask} {rows:?}");
            }
        }
    }
}

#[test]
fn a_broken_length_hides_no_other_run() {
    let pairs = pairs(12);
    for layout in framings() {
        let bytes = file(&layout, &pairs);
        let reading = Reading::of(&layout);
        let offset = reading.read(&bytes)[3].offset as usize;
        let blocks = layout.compression == Compression::Block;
        // The length of the record, or the count and the first length of the block.
        let place = offset + if blocks { 20 } else { 0 };
        for length in [
            [0x7f, 255, 255, 255],
            [0x80, 0, 0, 0],
            [0, 0, 1, 0],
            [0, 0, 0, 1],
            [255, 255, 255, 254],
        ] {
            let mut damaged = bytes.clone();
            damaged[place..place + 4].copy_from_slice(&length);
            let rows = reading.read(&damaged);
            assert_eq!(sound_prefix(&rows, &pairs), 3, "{length:?} {rows:?}");
            assert!((offset..offset + 100).contains(&(rows[3].offset as usize)));
            assert!(rows[3].error.is_some());
            assert_eq!(sound(&rows, &pairs), 9, "{length:?}");
            check_cuts(&reading, &damaged, 300);
        }
    }
}

#[test]
fn other_sync_bytes() {
    let pairs = pairs(9);
    for layout in framings() {
        let mut bytes = file(&layout, &pairs);
        let mark = mark();
        let marks: Vec<_> = (0..bytes.len())
            .filter(|at| bytes[*at..].starts_with(&mark))
            .collect();
        let [.., second, last] = marks[..] else {
            panic!("{marks:?}");
        };
        bytes[second + 9] ^= 1;
        let reading = Reading::of(&layout);
        let rows = reading.read(&bytes);
        assert_eq!(sound_prefix(&rows, &pairs), 3);
        assert_eq!(rows.len(), 3 + 1 + 3);
        let reason = Some(reasons::BAD_SYNC);
        assert_eq!((rows[3].offset, rows[3].reason), (second as u64, reason));
        assert!(rows[4].offset >= last as u64);
        assert_eq!(sound(&rows, &pairs), 6);
    }
}

#[test]
fn trailing_garbage_and_joined_files() {
    let pairs = pairs(4);
    for layout in framings() {
        let bytes = file(&layout, &pairs);
        let end = bytes.len() as u64;
        let reading = Reading::of(&layout);
        for garbage in [
            &b"x"[..],
            b"trailing garbage that is longer than a mark",
            &[0xff; 50],
            &[0xff; 4],
            &bytes,
        ] {
            let rows = reading.read(&[&bytes, garbage].concat());
            assert_eq!(sound_prefix(&rows, &pairs), 4, "{rows:?}");
            assert_eq!(rows[4].offset, end);
            assert!(rows[4].error.is_some());
        }
        let mut other = bytes.clone();
        while let Some(at) = other.windows(16).position(|w| w == SYNC) {
            other[at] ^= 1;
        }
        let rows = reading.read(&[bytes, other].concat());
        assert_eq!((rows.len(), rows[4].offset), (5, end));
        if layout.compression != Compression::Block {
            assert_eq!(rows[4].reason, Some(reasons::CONCATENATED));
        }
    }
}

/// A mark inside the last value does not end its record.
#[test]
fn marks_before_the_damage() {
    let mut random = Random(31);
    let noise = [random.bytes(50), random.bytes(50)];
    let value = [&noise[0][..], &mark(), &noise[1]].concat();
    let pairs = [("a".to_owned(), b"v".to_vec()), ("b".to_owned(), value)];
    for layout in framings() {
        let bytes = [&file(&layout, &pairs)[..], b"trailing garbage"].concat();
        let rows = Reading::of(&layout).read(&bytes);
        assert_eq!(sound_prefix(&rows, &pairs), 2, "{rows:?}");
        assert_eq!((rows.len(), rows[2].offset), (3, bytes.len() as u64 - 16));
    }
}

fn text(text: &str) -> Datum {
    Datum::Text(text.to_owned())
}

#[test]
fn damaged_values_of_a_block_keep_their_keys() {
    let layout = Layout::new(6, Compression::Block, Codec::Deflate);
    let mut random = Random(9);
    let pairs: Vec<_> = (0..6)
        .map(|n| (format!("key {n}"), random.bytes(100)))
        .collect();
    let bytes = file(&layout, &pairs);
    let reading = Reading::of(&layout);
    let second = reading.read(&bytes)[3].offset as usize;
    // The last bytes of the data, not the checksum.
    for from_end in [30, 150] {
        let mut damaged = bytes.clone();
        for byte in &mut damaged[second - from_end..][..3] {
            *byte ^= 0x5a;
        }
        let rows = reading.read(&damaged);
        assert_eq!(rows.len(), 6);
        assert!(rows[..3].iter().any(|row| row.error.is_some()));
        for (n, row) in rows.iter().enumerate() {
            assert_eq!(row.key, text(&format!("key {n}")));
            assert!(n < 3 || row.is_sound(&pairs[n].0, &pairs[n].1));
        }
    }
}

/// Blocks with a wrong count, and buffers that contradict each other.
#[test]
fn contradictions_in_a_block() {
    let layout = Layout::new(6, Compression::Block, Codec::Deflate);
    let lengths = |lengths: &[i64]| {
        let mut out = Vec::new();
        for length in lengths {
            vint::write(&mut out, *length);
        }
        layout.compressed(&out)
    };
    let keys = layout.compressed(b"\x01a\x01b");
    let values = layout.compressed(b"\0\0\0\x01x\0\0\0\x01y");
    let good = [
        lengths(&[2, 2]),
        keys.clone(),
        lengths(&[5, 5]),
        values.clone(),
    ];
    let rows_of = |count: i64, buffers: &[Vec<u8>]| {
        let mut bytes = Vec::new();
        layout.header().write(&mut bytes);
        bytes.extend(block_of(count, buffers));
        let after = pair("z", b"after");
        bytes.extend(layout.block(&[after]));
        let rows = Reading::of(&layout).read(&bytes);
        let (last, rows) = rows.split_last().unwrap();
        assert!(last.is_sound("z", b"after"));
        rows.to_vec()
    };
    let outline =
        |rows: &[Row]| -> Vec<_> { rows.iter().map(|r| (r.key.clone(), r.reason)).collect() };
    let bad_length = Some(reasons::BAD_LENGTH);
    let damaged = Some(reasons::DAMAGED);
    let (a, b) = (text("a"), text("b"));
    let sound = vec![(a.clone(), None), (b.clone(), None)];
    assert_eq!(outline(&rows_of(2, &good)), sound);
    let fewer = vec![(a.clone(), bad_length), (Datum::Null, bad_length)];
    assert_eq!(outline(&rows_of(1, &good)), fewer);
    let more = vec![(a.clone(), None), (b.clone(), None), (Datum::Null, damaged)];
    assert_eq!(outline(&rows_of(i32::MAX.into(), &good)), more);

    let mut buffers = good.clone();
    buffers[0] = lengths(&[2, 900]);
    let expected = vec![(a.clone(), None), (Datum::Null, damaged)];
    assert_eq!(outline(&rows_of(2, &buffers)), expected);
    buffers[0] = lengths(&[2, -2]);
    let expected = vec![(a.clone(), None), (Datum::Null, bad_length)];
    assert_eq!(outline(&rows_of(2, &buffers)), expected);

    for wrong in [&[5, 900][..], &[5, i64::MAX], &[5]] {
        let mut buffers = good.clone();
        buffers[2] = lengths(wrong);
        let expected = vec![(a.clone(), None), (b.clone(), damaged)];
        assert_eq!(outline(&rows_of(2, &buffers)), expected);
    }
    let mut buffers = good.clone();
    buffers[3] = b"no zlib".to_vec();
    let expected = vec![(a.clone(), damaged), (b.clone(), damaged)];
    assert_eq!(outline(&rows_of(2, &buffers)), expected);
    let mut buffers = good;
    buffers[1] = b"no zlib".to_vec();
    assert_eq!(outline(&rows_of(2, &buffers)), [(Datum::Null, damaged)]);
}

#[test]
fn values_that_do_not_fit_their_class() {
    let layout = Layout::new(6, Compression::None, Codec::Passthrough);
    let key = pair("k", b"").0;
    for value in [
        &b""[..],
        b"\0\0\0",
        b"\0\0\0\x05four",
        b"\0\0\0\x02four",
        b"\xff\xff\xff\xfffour",
        b"\x7f\xff\xff\xfffour",
    ] {
        let bytes = layout.file(&[(key.clone(), value.to_vec()), pair("z", b"after")]);
        let rows = Reading::of(&layout).read(&bytes);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].key, text("k"));
        assert_eq!(rows[0].reason, Some(reasons::BAD_WRITABLE));
        assert!(rows[1].is_sound("z", b"after"));
    }
    let bytes = layout.file(&[(b"\x03a\xffb".to_vec(), pair("", b"v").1)]);
    let rows = Reading::of(&layout).read(&bytes);
    assert_eq!(rows[0].key, text("a\u{fffd}b"));
    assert_eq!(rows[0].reason, Some(reasons::NOT_UTF8));
    assert_eq!(rows[0].value, Datum::Bytes(b"v".to_vec()));
}

/// Reads thousands of damaged files, each in several ways and in ranges.
#[test]
fn random_damage() {
    let seed = std::env::var("CORPUS_ROUNDS").map_or(0, |rounds| rounds.parse().unwrap());
    let mut random = Random(1234 + seed);
    let pairs = pairs(30);
    for layout in layouts().into_iter().filter(|layout| layout.version == 6) {
        let bytes = file(&layout, &pairs);
        let (with_marks, _) = file_with_marks_in_values(&layout);
        let reading = Reading::of(&layout);
        let size = reading.read(&bytes)[0].offset as usize;
        let rounds = std::env::var("CORPUS_ROUNDS").map_or(120, |n| n.parse().unwrap());
        let rounds = match layout.codec {
            // Its decoder is slow to set up.
            Codec::Bzip2 => rounds / 10,
            _ => rounds,
        };
        for round in 0..rounds {
            let bytes = if round % 4 == 0 { &with_marks } else { &bytes };
            let (damaged, first) = mutate(bytes, &mut random);
            let rows = reading.read(&damaged);
            if round % 4 != 0 && first > size {
                // Runs before the first damage are complete.
                let whole = reading.read(bytes);
                let before = whole.iter().filter(|row| row.offset + 1000 < first as u64);
                assert!(sound_prefix(&rows, &pairs) >= before.count());
            }
            check_some_cuts(&reading, &damaged, 2);
        }
    }
}

/// Returns a damaged copy, and the offset of the first difference.
fn mutate(bytes: &[u8], random: &mut Random) -> (Vec<u8>, usize) {
    let mut damaged = bytes.to_vec();
    let mut first = bytes.len();
    for _ in 0..1 + random.below(3) {
        let at = random.below(damaged.len());
        first = first.min(at);
        match random.below(6) {
            0 => damaged.truncate(at),
            1 => {
                let junk = random.bytes(20);
                damaged.splice(at..at, junk);
            }
            2 => {
                let end = (at + 30).min(damaged.len());
                damaged.drain(at..end);
            }
            3 => {
                damaged.splice(at..at, mark());
            }
            4 => damaged[at] = 0xff,
            _ => damaged[at] ^= 1 << random.below(8),
        }
        if damaged.is_empty() {
            break;
        }
    }
    (damaged, first)
}
