//! Arbitrary bytes as a plain file, a compressed file, a tar or a zip: reading terminates, and
//! limits hold.

#![no_main]

use std::sync::Arc;

use corpus_bytes::memory::Memory;
use corpus_packages::{Options, Reader};
use libfuzzer_sys::fuzz_target;

const LIMIT: usize = 1 << 20;
const MAX_RECORDS: usize = 10_000;
const BLOCK: usize = 512;
/// The byte range of the checksum in a tar header.
const CHECKSUM: std::ops::Range<usize> = 148..156;

/// Sets the right checksum in every block that may be a header, because the fuzzer cannot guess it.
fn with_checksums(data: &[u8]) -> Vec<u8> {
    let mut tar = data.to_vec();
    for block in tar.chunks_exact_mut(BLOCK) {
        block[CHECKSUM].fill(b' ');
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        block[CHECKSUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    tar
}

fuzz_target!(|data: &[u8]| {
    let Some((kind, rest)) = data.split_first() else {
        return;
    };
    let bytes = match kind % 2 {
        0 => rest.to_vec(),
        _ => with_checksums(rest),
    };
    let mut options = Options::default();
    options.max_content_bytes = LIMIT;
    let Ok(records) = Reader::from_file(Arc::new(Memory(bytes.into())), "fuzzed", &options) else {
        return;
    };
    // A few compressed bytes may hold millions of empty members.
    for record in records.take(MAX_RECORDS) {
        assert!(record.name.starts_with("fuzzed"));
        assert!(record.error.is_some() || record.content.is_some());
        assert!(record.content.is_none_or(|content| content.len() <= LIMIT));
    }
});
