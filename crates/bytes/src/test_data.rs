//! Compressed data for tests.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

/// Compresses data with gzip.
pub fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    finished(encoder.write_all(data).and_then(|()| encoder.finish()))
}

/// Compresses data with zlib.
pub fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    finished(encoder.write_all(data).and_then(|()| encoder.finish()))
}

/// Compresses data with deflate, without a header.
pub fn raw_deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    finished(encoder.write_all(data).and_then(|()| encoder.finish()))
}

/// Returns the result of writing into memory, which never fails.
fn finished(result: io::Result<Vec<u8>>) -> Vec<u8> {
    result.unwrap_or_default()
}
