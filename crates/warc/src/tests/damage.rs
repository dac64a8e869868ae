//! Damage costs only the records that it hits.

use std::sync::Arc;

use crate::reasons;
use crate::testing::*;

fn ids(rows: &[Row], sound: bool) -> Vec<String> {
    rows.iter()
        .filter(|row| !sound || row.error.is_none())
        .filter_map(|row| row.id.clone())
        .map(|id| {
            id.trim_start_matches("urn:uuid:0")
                .trim_start_matches('0')
                .to_owned()
        })
        .collect()
}

fn members() -> [Vec<u8>; 3] {
    abc().map(|record| gzip(&record))
}

#[test]
fn truncated_anywhere() {
    let [a, b, c] = members();
    let bytes = [a.clone(), b.clone(), c.clone()].concat();
    for size in 0..bytes.len() {
        let rows = read(&bytes[..size]);
        let whole = usize::from(size >= a.len()) + usize::from(size >= a.len() + b.len());
        let clean = [0, a.len(), a.len() + b.len()].contains(&size);
        assert_eq!(
            rows.iter().filter(|row| row.error.is_none()).count(),
            whole,
            "{size}"
        );
        assert_eq!(rows.len(), whole + usize::from(!clean), "{size}");
        if !clean && size > 20 {
            assert_eq!(rows[whole].reason, Some(reasons::TRUNCATED), "{size}");
        }
        // Only the trailer is missing: the record is complete.
        if size + 8 >= bytes.len() {
            assert_eq!(rows[2].text().as_bytes(), page('C'), "{size}");
        }
    }
}

#[test]
fn zeros_between_two_headers_make_one_record_with_an_error() {
    let [a, b, c] = abc();
    let mut bytes = [a.clone(), b, c].concat();
    let from = a.len() - 20;
    bytes[from..a.len() + 20].fill(0);
    let rows = read(&bytes);
    assert_eq!(ids(&rows, true), ["3"]);
    assert!(rows[0].error.is_some());
    let header_end = a.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
    let mut bytes = [a.clone(), a].concat();
    let second = bytes.len() / 2;
    bytes[header_end - 10..second + 12].fill(0);
    let rows = read(&bytes);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].reason, Some(reasons::DAMAGED_HEADER));
    assert_eq!(rows[0].text().as_bytes(), page('A'));
}

#[test]
fn every_byte_flipped() {
    for members in [
        members(),
        abc().map(|r| zstd(&r)),
        abc().map(|r| lz4(&r)),
        abc().map(|r| gzip_level(&r, 0)),
    ] {
        let bytes = members.concat();
        let first = members[0].len();
        let second = first + members[1].len();
        for at in 0..bytes.len() {
            for mask in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= mask;
                let rows = read(&damaged);
                let hit = usize::from(at >= first) + usize::from(at >= second);
                let sound = ids(&rows, true);
                for (number, id) in ["1", "2", "3"].iter().enumerate() {
                    assert!(
                        number == hit || sound.iter().any(|s| s == id),
                        "{at} {mask} {sound:?}"
                    );
                }
                // An uncompressed deflate block without the gzip magic looks like a plain file with
                // junk in it.
                let looks_plain = at < 4 && members[0].windows(5).any(|text| text == b"WARC/");
                assert!(rows.len() <= 4 || looks_plain, "{at} {mask} {rows:?}");
            }
        }
    }
}

#[test]
fn corrupt_member_in_the_middle() {
    let [a, mut b, c] = members();
    let offset = a.len() as u64;
    for byte in &mut b[60..90] {
        *byte = 0x55;
    }
    let rows = read(&[a, b, c].concat());
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1].offset, offset);
    assert!([reasons::DAMAGED, reasons::CRC_MISMATCH].contains(&rows[1].reason.unwrap()));
    assert_eq!(ids(&rows, true), ["1", "3"]);
}

#[test]
fn bad_checksum() {
    let [a, mut b, c] = members();
    let at = b.len() - 6;
    b[at] ^= 1;
    let rows = read(&[a, b, c].concat());
    assert_eq!(rows.len(), 3);
    assert_eq!(ids(&rows, false), ["1", "2", "3"]);
    assert_eq!(rows[1].reason, Some(reasons::CRC_MISMATCH));
    assert_eq!(rows[1].text().as_bytes(), page('B'));
}

#[test]
fn garbage_between_and_behind() {
    let [a, b, c] = members();
    let rows = read(&[b"garbage!", &a[..], &b, &c].concat());
    assert_eq!(ids(&rows, true), ["1", "2", "3"]);
    assert_eq!((rows[0].offset, rows[0].reason), (0, Some(reasons::JUNK)));
    let rows = read(&[&a[..], b"garbage!", &b, &c, b"trailing garbage"].concat());
    assert_eq!(ids(&rows, true), ["1", "2", "3"]);
    assert_eq!(rows.len(), 5);
    assert_eq!((rows[1].offset, rows[1].length), (a.len() as u64, Some(8)));
    assert_eq!(rows[1].reason, Some(reasons::JUNK));
    assert_eq!(rows[4].reason, Some(reasons::TRAILING_GARBAGE));
}

#[test]
fn damage_in_members_that_are_pieces() {
    let bytes: Vec<Vec<u8>> = (1..=9)
        .map(|n| record(n, &page('P')))
        .collect::<Vec<_>>()
        .concat()
        .chunks(64)
        .map(gzip)
        .collect();
    let mut damaged = bytes.clone();
    let middle = damaged.len() / 2;
    let at = damaged[middle].len() / 2;
    damaged[middle][at] ^= 0xff;
    let rows = read(&damaged.concat());
    assert_eq!(ids(&rows, true).len(), 8, "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row.error.is_some()).count(), 1);
}

#[test]
fn member_ends_before_the_stated_length() {
    let [a, _, c] = members();
    let b = gzip(&record_stating(2, "999999", &page('B')));
    let rows = read(&[a, b, c].concat());
    assert_eq!(ids(&rows, true), ["1", "3"]);
    assert_eq!(rows[1].reason, Some(reasons::TRUNCATED));
    assert_eq!(rows[1].text().as_bytes(), page('B'));
}

#[test]
fn many_damaged_bytes_in_many_formats() {
    let mut random = Random(2024);
    let archives = [
        abc().concat(),
        members().concat(),
        gzip(&abc().concat()),
        abc().map(|r| zstd(&r)).concat(),
        abc().map(|r| lz4(&r)).concat(),
    ];
    for archive in archives {
        for _ in 0..300 {
            let mut damaged = archive.clone();
            for _ in 0..1 + random.below(12) {
                let at = random.below(damaged.len());
                damaged[at] = random.next_u64() as u8;
            }
            damaged.truncate(random.below(damaged.len() + 1).max(damaged.len() / 2));
            read(&damaged);
        }
    }
}

#[test]
fn all_pieces_of_noise_are_survived() {
    let mut random = Random(11);
    for size in [1, 2, 3, 4, 10, 1000, 300_000] {
        for start in [
            "",
            "WARC/1.0\r\n",
            "\x1f",
            "PK\x03\x04",
            "filedesc://x 0.0.0.0 20140216050221 text/plain 9\n",
        ] {
            let bytes = [start.as_bytes(), &random.bytes(size)].concat();
            assert!(read(&bytes).len() <= 3);
        }
        for magic in [
            &b"\x1f\x8b\x08\0"[..],
            b"\x28\xb5\x2f\xfd",
            b"\x04\x22\x4d\x18",
            b"\x5d\x2a\x4d\x18",
        ] {
            let bytes = [magic, &random.bytes(size)].concat();
            let rows = read(&bytes);
            assert_eq!(rows.len(), 1, "{rows:?}");
        }
    }
}

#[test]
fn nothing_and_no_warc() {
    for nothing in [
        &b""[..],
        b"\r\n\r\n\n",
        &[0; 5000],
        &gzip(b""),
        &[gzip(b""), gzip(b"\n")].concat(),
    ] {
        assert_eq!(read(nothing), []);
    }
    let html = b"<!DOCTYPE html><html><body>404 Not Found WARC/1.0 </body></html>";
    for page in [
        html.to_vec(),
        gzip(html),
        zstd(html),
        html.repeat(50_000),
        gzip(&html.repeat(50_000)),
    ] {
        let rows = read(&page);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].reason, Some(reasons::NOT_A_WARC));
        assert!(rows[0].error.as_ref().unwrap().contains("<!DOCTYPE html>"));
        let page: Arc<[u8]> = page.into();
        assert_eq!(read_cut(&page, &[1, 20]), rows);
    }
}

/// Found by fuzzing: whether the error was on the first or a later record depended on how much had
/// already been decompressed.
#[test]
fn all_records_of_a_damaged_member_have_the_damage() {
    let large = gzip(&record(9, &Random(3).bytes(5 << 18)));
    for compress in [gzip, zstd, lz4] {
        let mut member = compress(&abc().concat());
        let checksum = member.len() - if compress(b"")[0] == 0x1f { 8 } else { 4 };
        member[checksum] ^= 1;
        let befores = match compress(b"")[0] {
            0x1f => vec![Vec::new(), compress(&record(8, b"x")), large.clone()],
            _ => vec![Vec::new(), compress(&record(8, b"x"))],
        };
        for before in befores {
            let bytes = [&before[..], &member, &compress(&record(7, b"y"))].concat();
            let rows = read(&bytes);
            let damaged: Vec<bool> = rows.iter().map(|row| row.error.is_some()).collect();
            let first = rows.len() - 4;
            assert_eq!(damaged[first..], [true, true, true, false], "{rows:?}");
            assert!(damaged[..first].iter().all(|damaged| !damaged));
            assert_eq!(rows[first].text().as_bytes(), page('A'));
            let bytes: Arc<[u8]> = bytes.into();
            for cut in [before.len() / 2, before.len(), before.len() + 10] {
                assert_eq!(read_cut(&bytes, &[cut as u64]), rows, "cut at {cut}");
            }
        }
    }
}
