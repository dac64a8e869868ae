//! Streams that hold text: decoded no further than anybody wants to read.

use std::io::Read;

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;

use crate::content::streams;

/// The first bytes of a stream, at most so many. What is packed otherwise than by one deflate is
/// no text that anybody writes.
pub(super) fn decoded(stream: &Stream<'_>, most: usize) -> Option<Vec<u8>> {
    if streams::has_brotli(stream.dict()) {
        return streams::decode_small(stream, most as u64);
    }
    let data = stream.raw_data();
    match stream.filters().as_slice() {
        [] => Some(data.get(..most).unwrap_or(&data).to_vec()),
        [Filter::FlateDecode] => {
            let mut bytes = Vec::new();
            // What came out before damage is kept.
            let _ = ZlibDecoder::new(&*data)
                .take(most as u64)
                .read_to_end(&mut bytes);
            (!bytes.is_empty()).then_some(bytes)
        }
        _ => None,
    }
}
