//! Decompresses Brotli and Zstandard data in memory, up to a limit.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use corpus_bytes::compression::{MAX_HTTP_ZSTD_WINDOW_LOG, is_zstd_magic};
use corpus_bytes::inflate::{End, MIN_ROOM_BYTES, Output, make_room};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

fn failure(detail: &'static str) -> Output {
    Output {
        bytes: Vec::new(),
        end: End::Invalid(detail),
        has_rest: false,
    }
}

pub fn brotli(data: &[u8], limit: usize) -> Output {
    let mut state = BrotliState::new(
        StandardAlloc::default(),
        StandardAlloc::default(),
        StandardAlloc::default(),
    );
    let mut bytes = Vec::new();
    let mut chunk = vec![0; MIN_ROOM_BYTES * 2];
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
        return Output::within(bytes, end, available_in > 0, limit);
    }
}

pub fn zstd(data: &[u8], limit: usize) -> Output {
    let Ok(mut decoder) = Decoder::new() else {
        return failure("not enough memory for zstd");
    };
    if decoder
        .set_parameter(DParameter::WindowLogMax(MAX_HTTP_ZSTD_WINDOW_LOG))
        .is_err()
    {
        return failure("unsupported zstd window size");
    }
    let mut bytes = Vec::new();
    let mut input = InBuffer::around(data);
    loop {
        if !make_room(&mut bytes, limit) {
            return Output::within(bytes, End::Limit, false, limit);
        }
        let (start, consumed) = (bytes.len(), input.pos());
        let result = {
            let mut output = OutBuffer::around_pos(&mut bytes, start);
            decoder.run(&mut input, &mut output)
        };
        let rest = &data[input.pos()..];
        let is_stuck = bytes.len() == start && input.pos() == consumed;
        match result {
            Err(_) => {
                return Output::within(bytes, End::Invalid("damaged zstd data"), false, limit);
            }
            Ok(0) if !is_zstd_magic(rest) => {
                return Output::within(bytes, End::Complete, !rest.is_empty(), limit);
            }
            Ok(0) => {}
            Ok(_) if is_stuck => return Output::within(bytes, End::Truncated, false, limit),
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::zstd as compress;

    #[test]
    fn the_limit_is_exact() {
        let data = compress(&[b'a'; 100_000]);
        let fits = zstd(&data, 100_000);
        assert_eq!((fits.bytes.len(), fits.end), (100_000, End::Complete));
        let cut = zstd(&data, 99_999);
        assert_eq!((cut.bytes.len(), cut.end), (99_999, End::Limit));
        assert_eq!(zstd(&data, 0).end, End::Limit);
    }
}
