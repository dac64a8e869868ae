//! Inflates gzip, zlib and raw deflate data.
//!
//! - [`gzip`] and [`deflate`] inflate data in memory up to a limit, and report how it ended.
//! - [`WholeInflater`] inflates data of a known end in one call.
//! - [`ZlibReader`] inflates a stream.

mod whole;
mod zlib_reader;

use flate2::{Decompress, FlushDecompress, Status};
use libdeflater::Crc;

use crate::gzip as member;

pub use self::whole::{WholeInflater, renew};
pub use self::zlib_reader::ZlibReader;

/// Maximum size of a text that is inflated in one call.
pub const MAX_WHOLE_BYTES: usize = 8 << 20;
/// Maximum number of bytes to which deflate expands one byte.
const MAX_RATIO: usize = 1032;
/// Initial size of the output buffer.
pub const MIN_ROOM_BYTES: usize = 32 << 10;
const MAX_ROOM_BYTES: usize = 4 << 20;

/// The end of decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The stream is complete, and matches its checksum.
    Complete,
    /// The data ends inside the stream.
    Truncated,
    /// The output reached the limit.
    Limit,
    /// The data is damaged.
    Invalid(&'static str),
    /// The output does not match the checksum.
    Checksum,
}

/// Decompressed data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Everything that could be decompressed, up to the limit.
    pub bytes: Vec<u8>,
    pub end: End,
    /// Whether other data follows the stream.
    pub has_rest: bool,
}

impl Output {
    /// Cuts the output at the limit.
    pub fn within(mut bytes: Vec<u8>, end: End, has_rest: bool, limit: usize) -> Self {
        let is_cut = bytes.len() > limit;
        bytes.truncate(limit);
        Self {
            bytes,
            end: if is_cut { End::Limit } else { end },
            has_rest: has_rest && !is_cut,
        }
    }
}

/// Makes room after the bytes: twice as much each time, up to a maximum and the limit. One byte
/// beyond the limit distinguishes output that just fits from longer output. Returns `false` if
/// there is no room left.
pub fn make_room(bytes: &mut Vec<u8>, limit: usize) -> bool {
    let left = limit.saturating_add(1).saturating_sub(bytes.len());
    let room = bytes.len().clamp(MIN_ROOM_BYTES, MAX_ROOM_BYTES).min(left);
    if bytes.capacity() - bytes.len() < room {
        bytes.reserve(room);
    }
    left > 0
}

/// Inflates any number of gzip members, up to `limit` bytes.
pub fn gzip(data: &[u8], limit: usize) -> Output {
    match gzip_whole(data, limit) {
        Some(bytes) => Output {
            bytes,
            end: End::Complete,
            has_rest: false,
        },
        None => gzip_members(data, limit),
    }
}

/// Inflates a single sound member in one call, faster than a streaming inflater.
fn gzip_whole(data: &[u8], limit: usize) -> Option<Vec<u8>> {
    // The declared size is limited by the maximum expansion of the data.
    let max_bytes = limit
        .min(MAX_WHOLE_BYTES)
        .min(data.len().saturating_mul(MAX_RATIO));
    let mut bytes = Vec::new();
    let room = &mut bytes;
    WholeInflater::new().gzip_member(data, max_bytes, move |size| {
        *room = vec![0; size];
        room
    })?;
    Some(bytes)
}

/// Inflates members one after the other, and reports their errors.
fn gzip_members(data: &[u8], limit: usize) -> Output {
    let mut bytes = Vec::new();
    let mut rest = data;
    loop {
        let Some(header) = member::header_length(rest) else {
            return Output::within(bytes, End::Truncated, false, limit);
        };
        let start = bytes.len();
        let (end, after) = inflate(&rest[header..], &mut bytes, limit, false);
        if end != End::Complete {
            return Output::within(bytes, end, false, limit);
        }
        let Some((trailer, after)) = after.split_at_checked(member::TRAILER_BYTES) else {
            return Output::within(bytes, End::Truncated, false, limit);
        };
        if !is_trailer_of(trailer, &bytes[start..]) {
            return Output::within(bytes, End::Checksum, !after.is_empty(), limit);
        }
        if !member::is_magic(after) {
            let is_padding = after.iter().all(|b| *b == 0);
            return Output::within(bytes, End::Complete, !is_padding, limit);
        }
        rest = after;
    }
}

fn is_trailer_of(trailer: &[u8], text: &[u8]) -> bool {
    let mut crc = Crc::new();
    crc.update(text);
    // The size is declared modulo 2^32.
    let size = (text.len() as u64 & u64::from(u32::MAX)) as u32;
    trailer[..4] == crc.sum().to_le_bytes() && trailer[4..] == size.to_le_bytes()
}

/// Inflates one deflate stream, with or without the frame of zlib, up to `limit` bytes.
pub fn deflate(data: &[u8], limit: usize, has_zlib_frame: bool) -> Output {
    let mut bytes = Vec::new();
    let (end, after) = inflate(data, &mut bytes, limit, has_zlib_frame);
    Output::within(bytes, end, !after.is_empty(), limit)
}

/// Appends to `bytes`; returns the data after the stream.
fn inflate<'a>(
    data: &'a [u8],
    bytes: &mut Vec<u8>,
    limit: usize,
    has_zlib_frame: bool,
) -> (End, &'a [u8]) {
    let mut stream = Decompress::new(has_zlib_frame);
    let consumed = |stream: &Decompress| usize::try_from(stream.total_in()).unwrap_or(data.len());
    loop {
        let rest = data.get(consumed(&stream)..).unwrap_or_default();
        if !make_room(bytes, limit) {
            return (End::Limit, rest);
        }
        let (before, length) = (stream.total_in(), bytes.len());
        let status = stream.decompress_vec(rest, bytes, FlushDecompress::None);
        let is_stuck = stream.total_in() == before && bytes.len() == length;
        match status {
            Ok(Status::StreamEnd) => {
                let after = data.get(consumed(&stream)..).unwrap_or_default();
                return (End::Complete, after);
            }
            Ok(_) if is_stuck && rest.is_empty() => return (End::Truncated, &[]),
            Ok(_) if is_stuck => return (End::Invalid("inflate makes no progress"), &[]),
            Ok(_) => {}
            Err(_) => return (End::Invalid("damaged deflate data"), &[]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::{gzip as compress, raw_deflate, zlib};

    #[test]
    fn members_and_rests() {
        let mut two = compress(b"one ");
        two.extend(compress(b"two"));
        let output = gzip(&two, 100);
        assert_eq!(
            (&output.bytes[..], output.end),
            (&b"one two"[..], End::Complete)
        );
        assert!(!output.has_rest);
        let mut padded = compress(b"one");
        padded.extend([0; 20]);
        assert!(!gzip(&padded, 100).has_rest);
        padded.extend(b"junk");
        let output = gzip(&padded, 100);
        assert_eq!(
            (&output.bytes[..], output.end),
            (&b"one"[..], End::Complete)
        );
        assert!(output.has_rest);
    }

    #[test]
    fn the_limit_is_exact() {
        let text = vec![b'a'; 100_000];
        for data in [compress(&text), zlib(&text), raw_deflate(&text)] {
            let undo = |limit| match data[0] {
                0x1f => gzip(&data, limit),
                0x78 => deflate(&data, limit, true),
                _ => deflate(&data, limit, false),
            };
            let fits = undo(100_000);
            assert_eq!((fits.bytes.len(), fits.end), (100_000, End::Complete));
            let cut = undo(99_999);
            assert_eq!((cut.bytes.len(), cut.end), (99_999, End::Limit));
            assert_eq!(undo(0).end, End::Limit);
        }
    }

    #[test]
    fn declared_sizes_are_not_believed() {
        let mut data = compress(b"hello");
        let length = data.len();
        data[length - 4..].copy_from_slice(&u32::MAX.to_le_bytes());
        let output = gzip(&data, usize::MAX);
        assert_eq!(
            (&output.bytes[..], output.end),
            (&b"hello"[..], End::Checksum)
        );
        assert!(output.bytes.capacity() < 1 << 20);
    }

    #[test]
    fn trailers_may_be_missing() {
        let data = compress(b"hello");
        let output = gzip(&data[..data.len() - 3], 100);
        assert_eq!(
            (&output.bytes[..], output.end),
            (&b"hello"[..], End::Truncated)
        );
    }
}
