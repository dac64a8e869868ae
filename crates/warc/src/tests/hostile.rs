//! Hostile files, and files that cannot be read.

use std::io::{self, Read};
use std::sync::Arc;

use crate::testing::*;
use crate::{open, reasons};
use corpus_bytes::file::FileBytes;

/// A file that is not in memory: some bytes, followed by a repeated pattern.
struct Endless {
    start: Vec<u8>,
    pattern: &'static [u8],
    size: u64,
    fails_at: Option<u64>,
}

struct EndlessStream {
    file: Arc<Endless>,
    position: u64,
}

impl Read for EndlessStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let file = &self.file;
        if file.fails_at.is_some_and(|at| self.position >= at) {
            return Err(io::Error::other("the line is dead"));
        }
        let left = file.fails_at.unwrap_or(file.size).min(file.size) - self.position;
        let count = (out.len() as u64).min(left).min(65_536) as usize;
        for (index, byte) in out[..count].iter_mut().enumerate() {
            let at = self.position as usize + index;
            *byte = match file.start.get(at) {
                Some(byte) => *byte,
                None => file.pattern[at % file.pattern.len()],
            };
        }
        self.position += count as u64;
        Ok(count)
    }
}

struct Handle(Arc<Endless>);

impl FileBytes for Handle {
    fn size(&self) -> u64 {
        self.0.size
    }

    fn stream(&self, position: u64) -> io::Result<Box<dyn Read + Send>> {
        let file = self.0.clone();
        Ok(Box::new(EndlessStream { file, position }))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut stream = self.stream(offset.min(self.0.size))?;
        let mut count = 0;
        while count < buffer.len() {
            match stream.read(&mut buffer[count..])? {
                0 => break,
                more => count += more,
            }
        }
        Ok(count)
    }
}

fn read_endless(file: Endless) -> Vec<Row> {
    let size = file.size;
    let request = request_file(Arc::new(Handle(Arc::new(file))), 0..size, 1 << 20);
    let mut reader = open(request).unwrap();
    let mut rows = Vec::new();
    while reader.advance() {
        reader.load(true);
        rows.push(current(reader.as_ref()));
        assert!(rows.len() < 1000);
    }
    rows
}

fn endless(start: &[u8], pattern: &'static [u8], size: u64) -> Endless {
    Endless {
        start: start.to_vec(),
        pattern,
        size,
        fails_at: None,
    }
}

#[test]
fn large_files_without_structure() {
    let size = 120 << 20;
    let rows = read_endless(endless(b"", b"x", size));
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].reason, Some(reasons::NOT_A_WARC));
    let rows = read_endless(endless(b"noise", b"\x1f\x8b\x08\0", size / 8));
    assert_eq!(rows.len(), 1);
    let rows = read_endless(endless(b"WARC/1.0\r\nX: ", b"x", size));
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].reason, Some(reasons::OVERSIZED_HEADER));
    let rows = read_endless(endless(&record(1, b"a"), b"\n", size));
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].error, None);
    let rows = read_endless(endless(&record_stating(1, "x", b"a"), b"\n\0", size));
    assert_eq!(rows.len(), 1);
    assert!(rows[0].cut);
    let rows = read_endless(endless(
        &gzip(&record(1, b"a")),
        b"\x1f\x8b\x08\0",
        size / 8,
    ));
    assert_eq!(rows.len(), 2);
}

#[test]
fn record_larger_than_memory_should_be() {
    let size = 3 << 30;
    let start = record_stating(1, &(2_u64 << 30).to_string(), b"");
    let rows = read_endless(endless(&start[..start.len() - 4], b"x\n", size / 12));
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].reason, Some(reasons::TRUNCATED));
}

#[test]
fn dead_lines_end_the_file_once() {
    let plain = [abc().concat(), record(4, &[b'x'; 3000])].concat();
    let members: Vec<u8> = abc().iter().flat_map(|record| gzip(record)).collect();
    for start in [plain, members] {
        for fails_at in [start.len() - 1, start.len() / 2, start.len() - 300] {
            let mut file = endless(&start, b" ", start.len() as u64);
            file.fails_at = Some(fails_at as u64);
            let request = request_file(Arc::new(Handle(Arc::new(file))), 0..u64::MAX, 1 << 20);
            // Small files are read completely for detection, and then opening fails.
            let Ok(mut reader) = open(request) else {
                continue;
            };
            let mut reasons = Vec::new();
            while reader.advance() {
                reader.load(true);
                reasons.extend(reader.error().map(|error| error.reason));
            }
            assert_eq!(reasons, ["read error"], "{fails_at}");
        }
    }
}

#[test]
fn members_within_members() {
    let mut nested = gzip(&record(1, b"a"));
    for _ in 0..20_000 {
        nested.extend_from_slice(
            b"\x1f\x8b\x08\0\0\0\0\0\0\x03\0\xff\xff\xff\xffWARC/1.0\r\nA: b\r\n\r\n",
        );
    }
    nested.extend(gzip(&record(2, b"a")));
    let rows = read(&nested);
    assert_eq!(
        rows.last().and_then(|row| row.id.as_deref()),
        Some("urn:uuid:00000002")
    );
}

#[test]
fn member_that_inflates_a_thousandfold() {
    let [a, _, c] = abc();
    let bomb = record_stating(2, "60000000", &vec![0; 60_000_000]);
    let bytes: Arc<[u8]> = [gzip(&a), gzip(&bomb), gzip(&c)].concat().into();
    let rows = read_with(&bytes, 0..u64::MAX, 1000, |_| true);
    assert_eq!(rows.len(), 3);
    let reasons: Vec<_> = rows.iter().map(|row| row.reason).collect();
    assert_eq!(reasons, [None, Some("content cut"), None]);
    assert!(rows[1].cut);
    let head = [&b"WARC/1.0\r\nX: "[..], &vec![b'x'; 60_000_000]].concat();
    let rows = read(&[gzip(&a), gzip(&head), gzip(&c)].concat());
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1].reason, Some(reasons::OVERSIZED_HEADER));
}

#[test]
fn a_great_many_small_things() {
    let heads = b"WARC/1.0\r\n\r\n".repeat(3000);
    assert_eq!(read(&heads).len(), 3000);
    let members = gzip(b"WARC/1.0\r\n\r\n").repeat(3000);
    assert_eq!(read(&members).len(), 3000);
    let text = record(1, &[b'x'; 5000]);
    let units: Vec<u8> = text.chunks(1).flat_map(gzip).collect();
    assert_eq!(read(&units).len(), 1);
}
