//! Decodes streams of text up to a limit.

use corpus_bytes::inflate;
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;

use crate::streams;

/// The first bytes of a decoded stream, up to `max_bytes`. Writers compress text only with a single
/// deflate or Brotli filter.
pub(super) fn decode(stream: &Stream<'_>, max_bytes: usize) -> Option<Vec<u8>> {
    if streams::has_brotli(stream.dict()) {
        let decoded = streams::decode_small(stream, max_bytes as u64)?.data;
        return (!decoded.is_empty()).then(|| decoded.into_owned());
    }
    let data = stream.raw_data();
    match stream.filters().as_slice() {
        [] => Some(data.get(..max_bytes).unwrap_or(&data).to_vec()),
        [Filter::FlateDecode] => {
            // The output before any damage is kept.
            let bytes = inflate::deflate(&data, max_bytes, true).bytes;
            (!bytes.is_empty()).then_some(bytes)
        }
        _ => None,
    }
}
