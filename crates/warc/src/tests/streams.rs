//! Tests the number of streams, because each is a request if the file is remote.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::open;
use crate::testing::*;
use corpus_bytes::file::FileBytes;
use corpus_bytes::memory::Memory;

/// A file that counts its streams.
struct Counted {
    bytes: Memory,
    streams: AtomicUsize,
}

impl FileBytes for Counted {
    fn size(&self) -> u64 {
        self.bytes.size()
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        self.streams.fetch_add(1, Ordering::Relaxed);
        self.bytes.stream(offset)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read_at(offset, buffer)
    }
}

/// Reads the second half of an archive. Returns the number of its records and of streams.
fn read(archive: Vec<u8>, payload: bool) -> (usize, usize) {
    let size = archive.len() as u64;
    let file = Arc::new(Counted {
        bytes: Memory(archive.into()),
        streams: AtomicUsize::new(0),
    });
    let request = request_file(Arc::clone(&file) as _, size / 2..size, LIMIT);
    let mut reader = open(request).unwrap();
    let mut records = 0;
    while reader.advance() {
        reader.load(payload);
        assert_eq!(current(reader.as_ref()).error, None);
        records += 1;
    }
    (records, file.streams.load(Ordering::Relaxed))
}

#[test]
fn the_number_of_streams_does_not_grow_with_that_of_records() {
    let body = vec![b'x'; 100_000];
    for payload in [false, true] {
        for compressed in [false, true] {
            let archive = |records| {
                let records = (0..records).map(|number| record(number, &body));
                records
                    .flat_map(|record| if compressed { gzip(&record) } else { record })
                    .collect()
            };
            let (few, streams) = read(archive(20), payload);
            let (many, more_streams) = read(archive(80), payload);
            assert!(many > few + 20, "{few} {many}");
            assert!(streams > 0);
            assert_eq!(streams, more_streams, "{payload} {compressed}");
        }
    }
}
