//! Decodes streams within the budget.
//!
//! ```text
//! filters  the filters of a stream, with their parameters
//! mod      undoes one filter after the other, each within the budget
//! unpack   LZW and runs, for which hayro has no limit
//! ```

mod filters;
mod unpack;

use std::borrow::Cow;
use std::io::{Read, Write};

use brotli_decompressor::Decompressor;
use corpus_bytes::inflate::{self, End};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hayro_syntax::object::{Dict, FromBytes, Stream};

use self::filters::{Filter, filters};
use crate::budget::{Budget, Stop};
pub use filters::has_brotli;

/// The maximum number of filters. No real stream has more; a hostile one repeats filters to waste
/// time.
const MAX_FILTERS: usize = 8;

/// The buffer size of the decompressor of Brotli.
const BROTLI_BUFFER_BYTES: usize = 4 << 10;

/// The content of a stream; `None` if it cannot be decoded at all. The data before any damage is
/// kept.
///
/// Filters whose output may be much larger than their input are undone here, each within the
/// budget. hayro, which has no limit, undoes the others.
pub fn decode<'a>(stream: &Stream<'a>, budget: &mut Budget) -> Result<Option<Cow<'a, [u8]>>, Stop> {
    let Some(filters) = filters(stream.dict(), MAX_FILTERS) else {
        return Ok(None);
    };
    let mut data = stream.raw_data();
    if filters.is_empty() {
        budget.decoded(data.len())?;
    }
    for (filter, parameters) in &filters {
        if *filter == Filter::Crypt {
            continue;
        }
        let left = budget.decoded_bytes_left();
        let limit = usize::try_from(left).unwrap_or(usize::MAX);
        let decoded = match filter {
            Filter::Flate => inflated(&data, left),
            Filter::Brotli => decompress(&data, left),
            Filter::Lzw => {
                let early_change = parameters.get::<i64>(b"EarlyChange") != Some(0);
                Some(unpack::lzw(&data, early_change, limit))
            }
            Filter::RunLength => Some(unpack::run_length(&data, limit)),
            // At most four bytes for one.
            Filter::AsciiHex => with_hayro(&data, "ASCIIHexDecode", ""),
            Filter::Ascii85 => with_hayro(&data, "ASCII85Decode", ""),
            Filter::Crypt | Filter::Image => None,
        };
        let Some(mut decoded) = decoded else {
            return Ok(None);
        };
        budget.decoded(decoded.len())?;
        let may_predict = matches!(filter, Filter::Flate | Filter::Brotli | Filter::Lzw);
        if may_predict && predicts(parameters) {
            let Some(undone) = without_predictor(&decoded, parameters) else {
                return Ok(None);
            };
            decoded = undone;
        }
        data = Cow::Owned(decoded);
    }
    Ok(Some(data))
}

fn predicts(parameters: &Dict<'_>) -> bool {
    parameters
        .get::<i32>(b"Predictor")
        .is_some_and(|predictor| predictor > 1)
}

/// Undoes a predictor, which makes no data longer. hayro does it as part of Flate.
fn without_predictor(data: &[u8], parameters: &Dict<'_>) -> Option<Vec<u8>> {
    // hayro stores the bits per pixel in a byte, and allocates a row of any width that the file
    // declares.
    const MAX_COLUMNS: i64 = 1 << 20;
    let number = |key: &[u8], default| parameters.get::<i64>(key).unwrap_or(default);
    let (colors, bits) = (number(b"Colors", 1), number(b"BitsPerComponent", 8));
    let (predictor, columns) = (number(b"Predictor", 1), number(b"Columns", 1));
    let is_sane = matches!(colors.checked_mul(bits), Some(1..=255)) && columns > 0;
    if !is_sane || columns > MAX_COLUMNS {
        return None;
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::none());
    let stored = encoder.write_all(data).and_then(|()| encoder.finish());
    let parameters = format!(
        "/Predictor {predictor} /Colors {colors} /BitsPerComponent {bits} /Columns {columns}"
    );
    with_hayro(&stored.ok()?, "FlateDecode", &parameters)
}

/// Undoes one filter, by giving hayro a stream with no other.
fn with_hayro(data: &[u8], filter: &str, parameters: &str) -> Option<Vec<u8>> {
    let length = data.len();
    let head = format!(
        "<< /Filter /{filter} /DecodeParms << {parameters} >> /Length {length} >>\nstream\n"
    );
    let written = [head.as_bytes(), data, b"\nendstream"].concat();
    let stream = Stream::from_bytes(&written)?;
    stream.decoded_data().ok().map(Cow::into_owned)
}

/// Decompresses Brotli up to the first damage, and up to one byte more than `limit`. `None` if
/// nothing can be decompressed.
fn decompress(data: &[u8], limit: u64) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let result = Decompressor::new(data, BROTLI_BUFFER_BYTES)
        .take(limit.saturating_add(1))
        .read_to_end(&mut out);
    (result.is_ok() || !out.is_empty()).then_some(out)
}

/// The content of a stream other than page content, such as a font; `None` if it is larger than
/// `limit`.
pub fn decode_small(stream: &Stream<'_>, limit: u64) -> Option<Vec<u8>> {
    let mut budget = Budget::for_bytes(limit);
    decode(stream, &mut budget)
        .ok()
        .flatten()
        .map(Cow::into_owned)
}

/// Inflates up to one byte more than `limit`, so that the budget detects the excess. `None` if
/// there is no output and the data does not even end properly.
fn inflated(data: &[u8], limit: u64) -> Option<Vec<u8>> {
    // Some writers omit or damage the zlib header.
    inflated_as(data, true, limit)
        .or_else(|| inflated_as(data, false, limit))
        .or_else(|| inflated_as(data.get(2..)?, false, limit))
}

fn inflated_as(data: &[u8], has_zlib_frame: bool, limit: u64) -> Option<Vec<u8>> {
    let limit = usize::try_from(limit.saturating_add(1)).unwrap_or(usize::MAX);
    let output = inflate::deflate(data, limit, has_zlib_frame);
    let is_usable = !output.bytes.is_empty() || data.is_empty() || output.end == End::Complete;
    is_usable.then_some(output.bytes)
}
