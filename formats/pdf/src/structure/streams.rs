//! Decodes streams of text up to a limit.

use std::io::Read;

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;

use crate::streams;

/// The first bytes of a decoded stream, up to `max_bytes`. No text is written with filters other
/// than a single deflate or Brotli.
pub(super) fn decoded(stream: &Stream<'_>, max_bytes: usize) -> Option<Vec<u8>> {
    if streams::has_brotli(stream.dict()) {
        return streams::decode_small(stream, max_bytes as u64);
    }
    let data = stream.raw_data();
    match stream.filters().as_slice() {
        [] => Some(data.get(..max_bytes).unwrap_or(&data).to_vec()),
        [Filter::FlateDecode] => {
            let mut bytes = Vec::new();
            // The output before any damage is kept.
            let _ = ZlibDecoder::new(&*data)
                .take(max_bytes as u64)
                .read_to_end(&mut bytes);
            (!bytes.is_empty()).then_some(bytes)
        }
        _ => None,
    }
}
