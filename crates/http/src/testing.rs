//! Test data: compressed bytes, responses and reproducible random numbers.

pub use corpus_bytes::random::Random;
pub use corpus_bytes::test_data::{gzip, raw_deflate, zlib};

pub fn zstd(data: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(data, 3).unwrap()
}

/// `hello world\n` in an uncompressed block.
pub fn brotli_hello() -> &'static [u8] {
    b"\x8b\x05\x80hello world\n\x03"
}

pub fn response(headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 200 OK\r\n{headers}\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}
