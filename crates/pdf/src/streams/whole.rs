//! Inflates valid streams in one call, which is faster than a streaming inflater.

use std::cell::RefCell;

use corpus_bytes::inflate::WholeInflater;

/// Maximum size of a stream inflated in one call. The content of longer streams may exceed the
/// buffer.
const MAX_STREAM_BYTES: usize = 128 << 10;
/// Maximum size of the buffer, which is reused.
const MAX_CONTENT_BYTES: usize = 1 << 20;

thread_local! {
    /// A reused inflater and buffer: setting them up takes longer than inflating most streams.
    static INFLATER: RefCell<(WholeInflater, Vec<u8>)> = RefCell::default();
}

/// Inflates a zlib stream that is complete, matches its checksum and has at most `limit` bytes.
/// `None` for all others, and for long streams.
pub fn inflate(data: &[u8], limit: usize) -> Option<Vec<u8>> {
    with_content(data, limit, <[u8]>::to_vec)
}

/// The size of the content that [`inflated`] would return.
pub fn inflate_bytes(data: &[u8], limit: usize) -> Option<usize> {
    with_content(data, limit, <[u8]>::len)
}

fn with_content<T>(data: &[u8], limit: usize, then: impl FnOnce(&[u8]) -> T) -> Option<T> {
    if data.len() > MAX_STREAM_BYTES {
        return None;
    }
    INFLATER.with_borrow_mut(|(inflater, room)| {
        let length = inflater.zlib(data, room, MAX_CONTENT_BYTES)?;
        room.get(..length)
            .filter(|content| content.len() <= limit)
            .map(then)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;
    use crate::testing::hostile::Random;

    #[test]
    fn sound_content_within_the_limit_is_inflated() {
        let mut random = Random::seeded(5);
        for size in [0, 1_000, 5_000, 100_000, 2_000_000] {
            let content: Vec<u8> = random.bytes(size).iter().map(|byte| byte & 15).collect();
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&content).unwrap();
            let data = encoder.finish().unwrap();
            let is_whole = data.len() <= MAX_STREAM_BYTES;
            assert_eq!(is_whole, size <= 100_000);
            assert!(inflate(&data, size) == is_whole.then_some(content));
            assert_eq!(inflate_bytes(&data, size), is_whole.then_some(size));
            if size > 0 {
                assert_eq!(inflate(&data, size - 1), None);
            }
            let mut damaged = data;
            if let Some(last) = damaged.last_mut() {
                *last ^= 1;
            }
            assert_eq!(inflate(&damaged, size), None);
        }
    }
}
