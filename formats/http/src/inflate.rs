//! Decompression of one stream that is in memory, up to a limit.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use libdeflater::{Crc, Decompressor};
use memchr::{memchr, memmem};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

use super::coding::End;

const TRAILER: usize = 8;
/// The largest text that is inflated in one call.
const MAX_WHOLE: usize = 8 << 20;
/// Deflate makes of a byte no more than this.
const MAX_RATIO: usize = 1032;
const FIRST_ROOM: usize = 32 << 10;
const MOST_ROOM: usize = 4 << 20;
/// Windows up to 32 MiB; the web's limit is 8 (RFC 9659).
const ZSTD_WINDOW_LOG: u32 = 25;

pub struct Output {
    pub bytes: Vec<u8>,
    pub end: End,
    /// Something stands behind the stream.
    pub has_rest: bool,
}

impl Output {
    fn failed(detail: &'static str) -> Self {
        Self {
            bytes: Vec::new(),
            end: End::Invalid(detail),
            has_rest: false,
        }
    }
}

/// Makes room behind what is there: twice as much each time, but within reason and limit. One
/// byte beyond the limit tells a text that just fits from one that is longer.
fn make_room(bytes: &mut Vec<u8>, limit: usize) -> bool {
    let left = limit.saturating_add(1).saturating_sub(bytes.len());
    let room = bytes.len().clamp(FIRST_ROOM, MOST_ROOM).min(left);
    if bytes.capacity() - bytes.len() < room {
        bytes.reserve(room);
    }
    left > 0
}

/// Cuts at the limit.
fn within(mut bytes: Vec<u8>, end: End, has_rest: bool, limit: usize) -> Output {
    let is_cut = bytes.len() > limit;
    bytes.truncate(limit);
    Output {
        bytes,
        end: if is_cut { End::Limit } else { end },
        has_rest: has_rest && !is_cut,
    }
}

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

/// libdeflate does it in one call, faster than any streaming inflater, if the member's end and
/// size are known. Its last bytes state the size; if they occur nowhere else in the data, and
/// the size and checksum come out right, then the member cannot have ended earlier.
fn gzip_whole(data: &[u8], limit: usize) -> Option<Vec<u8>> {
    let size_field = data.last_chunk::<4>()?;
    let size = usize::try_from(u32::from_le_bytes(*size_field)).ok()?;
    // The stated size is believed only as far as the data could possibly bear it out.
    let most = limit
        .min(MAX_WHOLE)
        .min(data.len().saturating_mul(MAX_RATIO));
    if size > most || memmem::find(&data[..data.len() - 1], size_field).is_some() {
        return None;
    }
    let mut bytes = vec![0; size];
    let inflated = Decompressor::new().gzip_decompress(data, &mut bytes);
    (inflated == Ok(size)).then_some(bytes)
}

/// Any number of members, with whatever is wrong with them.
fn gzip_members(data: &[u8], limit: usize) -> Output {
    let mut bytes = Vec::new();
    let mut rest = data;
    loop {
        let Some(header) = gzip_header_length(rest) else {
            return within(bytes, End::Truncated, false, limit);
        };
        let start = bytes.len();
        let (end, behind) = inflate(&rest[header..], &mut bytes, limit, false);
        if end != End::Complete {
            return within(bytes, end, false, limit);
        }
        let Some((trailer, behind)) = behind.split_at_checked(TRAILER) else {
            return within(bytes, End::Truncated, false, limit);
        };
        if !is_trailer_of(trailer, &bytes[start..]) {
            return within(bytes, End::Checksum, !behind.is_empty(), limit);
        }
        if !matches!(behind, [0x1f, 0x8b, 8, flags, ..] if flags & 0xe0 == 0) {
            let is_padding = behind.iter().all(|b| *b == 0);
            return within(bytes, End::Complete, !is_padding, limit);
        }
        rest = behind;
    }
}

fn is_trailer_of(trailer: &[u8], text: &[u8]) -> bool {
    let mut crc = Crc::new();
    crc.update(text);
    // The size is stated modulo 2^32.
    let size = (text.len() as u64 & u64::from(u32::MAX)) as u32;
    trailer[..4] == crc.sum().to_le_bytes() && trailer[4..] == size.to_le_bytes()
}

/// The length of a member's header, `None` when it is not all there.
fn gzip_header_length(bytes: &[u8]) -> Option<usize> {
    const FHCRC: u8 = 2;
    const FEXTRA: u8 = 4;
    const FNAME: u8 = 8;
    const FCOMMENT: u8 = 16;
    let flags = *bytes.get(3)?;
    let mut length = 10;
    if flags & FEXTRA != 0 {
        let extra = [*bytes.get(length)?, *bytes.get(length + 1)?];
        length += 2 + usize::from(u16::from_le_bytes(extra));
    }
    for text in [FNAME, FCOMMENT] {
        if flags & text != 0 {
            length += memchr(0, bytes.get(length..)?)? + 1;
        }
    }
    if flags & FHCRC != 0 {
        length += 2;
    }
    (length <= bytes.len()).then_some(length)
}

pub fn deflate(data: &[u8], limit: usize, has_zlib_frame: bool) -> Output {
    let mut bytes = Vec::new();
    let (end, behind) = inflate(data, &mut bytes, limit, has_zlib_frame);
    within(bytes, end, !behind.is_empty(), limit)
}

/// Appends to `bytes`; returns what is behind the stream.
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
                let behind = data.get(consumed(&stream)..).unwrap_or_default();
                return (End::Complete, behind);
            }
            Ok(_) if is_stuck && rest.is_empty() => return (End::Truncated, &[]),
            Ok(_) if is_stuck => return (End::Invalid("inflate makes no progress"), &[]),
            Ok(_) => {}
            Err(_) => return (End::Invalid("damaged deflate data"), &[]),
        }
    }
}

pub fn brotli(data: &[u8], limit: usize) -> Output {
    let mut state = BrotliState::new(
        StandardAlloc::default(),
        StandardAlloc::default(),
        StandardAlloc::default(),
    );
    let mut bytes = Vec::new();
    let mut chunk = vec![0; FIRST_ROOM * 2];
    let (mut available_in, mut input_at, mut total_out) = (data.len(), 0, 0);
    loop {
        let (mut available_out, mut output_at) = (chunk.len(), 0);
        let result = BrotliDecompressStream(
            &mut available_in,
            &mut input_at,
            data,
            &mut available_out,
            &mut output_at,
            &mut chunk,
            &mut total_out,
            &mut state,
        );
        bytes.extend_from_slice(&chunk[..output_at]);
        let end = match result {
            _ if bytes.len() > limit => End::Limit,
            BrotliResult::NeedsMoreOutput if output_at > 0 => continue,
            BrotliResult::NeedsMoreOutput => End::Invalid("brotli makes no progress"),
            BrotliResult::ResultSuccess => End::Complete,
            BrotliResult::NeedsMoreInput => End::Truncated,
            BrotliResult::ResultFailure => End::Invalid("damaged brotli data"),
        };
        return within(bytes, end, available_in > 0, limit);
    }
}

pub fn zstd(data: &[u8], limit: usize) -> Output {
    let Ok(mut decoder) = Decoder::new() else {
        return Output::failed("no memory for zstd");
    };
    if decoder
        .set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))
        .is_err()
    {
        return Output::failed("no such zstd window");
    }
    let mut bytes = Vec::new();
    let mut input = InBuffer::around(data);
    loop {
        if !make_room(&mut bytes, limit) {
            return within(bytes, End::Limit, false, limit);
        }
        let (start, consumed) = (bytes.len(), input.pos());
        let result = {
            let mut output = OutBuffer::around_pos(&mut bytes, start);
            decoder.run(&mut input, &mut output)
        };
        let rest = &data[input.pos()..];
        let is_stuck = bytes.len() == start && input.pos() == consumed;
        match result {
            Err(_) => return within(bytes, End::Invalid("damaged zstd data"), false, limit),
            Ok(0) if !begins_zstd_frame(rest) => {
                return within(bytes, End::Complete, !rest.is_empty(), limit);
            }
            Ok(0) => {}
            Ok(_) if is_stuck => return within(bytes, End::Truncated, false, limit),
            Ok(_) => {}
        }
    }
}

fn begins_zstd_frame(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{gzip as compress, raw_deflate, zlib, zstd as zstd_compress};

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
        for data in [
            compress(&text),
            zlib(&text),
            raw_deflate(&text),
            zstd_compress(&text),
        ] {
            let undo = |limit| match data[0] {
                0x1f => gzip(&data, limit),
                0x28 => zstd(&data, limit),
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
    fn stated_sizes_are_not_believed() {
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
