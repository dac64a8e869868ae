//! Decodes streams within the budget.

mod brotli;

use std::borrow::Cow;

use flate2::{Decompress, FlushDecompress, Status};
use hayro_syntax::Filter;
use hayro_syntax::object::{Array, Dict, Object, Stream};

use crate::budget::{Budget, Stop};
pub use brotli::has_brotli;

/// The content of a stream; `None` if it cannot be decoded at all.
///
/// Nearly all streams are deflated. Those are inflated here, within a limit, and the data before
/// any damage is kept. All others are decoded by hayro, which has no limit.
pub fn decode<'a>(stream: &Stream<'a>, budget: &mut Budget) -> Result<Option<Cow<'a, [u8]>>, Stop> {
    if has_brotli(stream.dict()) {
        return brotli::decode(stream, budget).map(|data| data.map(Cow::Owned));
    }
    let filters = stream.filters();
    let plain = filters.iter().all(|f| *f == Filter::FlateDecode) && !has_predictor(stream.dict());
    if !plain && !predictors_are_sane(stream.dict()) {
        return Ok(None);
    }
    if !plain || stream.dict().contains_key(b"F") {
        let data = stream.decoded_data().ok();
        budget.decoded(data.as_ref().map_or(0, |d| d.len()))?;
        return Ok(data);
    }
    let mut data = stream.raw_data();
    if filters.is_empty() {
        budget.decoded(data.len())?;
    }
    for _ in filters.iter() {
        let Some(inflated) = inflate(&data, budget.decoded_bytes_left()) else {
            return Ok(None);
        };
        budget.decoded(inflated.len())?;
        data = Cow::Owned(inflated);
    }
    Ok(Some(data))
}

fn has_predictor(dict: &Dict<'_>) -> bool {
    parameters(dict).any(|parameters| predicts(&parameters))
}

/// Whether hayro can handle the predictors safely. It stores the bits per pixel in a byte, and
/// allocates a row of any width that the file declares.
fn predictors_are_sane(dict: &Dict<'_>) -> bool {
    const MAX_COLUMNS: i64 = 1 << 20;
    parameters(dict).filter(predicts).all(|parameters| {
        let number = |key: &[u8], default| parameters.get::<i64>(key).unwrap_or(default);
        let bits = number(b"Colors", 1).checked_mul(number(b"BitsPerComponent", 8));
        matches!(bits, Some(1..=255)) && (1..=MAX_COLUMNS).contains(&number(b"Columns", 1))
    })
}

fn predicts(parameters: &Dict<'_>) -> bool {
    parameters
        .get::<i32>(b"Predictor")
        .is_some_and(|predictor| predictor > 1)
}

/// The parameters of all filters.
fn parameters<'a>(dict: &Dict<'a>) -> impl Iterator<Item = Dict<'a>> {
    [b"DecodeParms".as_slice(), b"DP"]
        .into_iter()
        .flat_map(|key| {
            let several = dict.get::<Array<'a>>(key).into_iter().flat_map(|all| {
                all.iter::<Object<'a>>()
                    .filter_map(Object::into_dict)
                    .collect::<Vec<_>>()
            });
            dict.get::<Dict<'a>>(key).into_iter().chain(several)
        })
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
fn inflate(data: &[u8], limit: u64) -> Option<Vec<u8>> {
    // Some writers omit or damage the zlib header.
    inflate_as(data, true, limit)
        .or_else(|| inflate_as(data, false, limit))
        .or_else(|| inflate_as(data.get(2..)?, false, limit))
}

fn inflate_as(data: &[u8], zlib_header: bool, limit: u64) -> Option<Vec<u8>> {
    let limit = usize::try_from(limit.saturating_add(1)).unwrap_or(usize::MAX);
    let mut decoder = Decompress::new(zlib_header);
    let mut out = Vec::with_capacity(
        data.len()
            .saturating_mul(4)
            .clamp(1 << 10, 1 << 20)
            .min(limit),
    );
    loop {
        let consumed = decoder.total_in();
        let rest = data.get(consumed as usize..).unwrap_or_default();
        let before = out.len();
        let status = decoder.decompress_vec(rest, &mut out, FlushDecompress::None);
        let stuck =
            decoder.total_in() == consumed && out.len() == before && out.len() < out.capacity();
        if !matches!(status, Ok(Status::Ok | Status::BufError)) || stuck || out.len() >= limit {
            out.truncate(limit);
            return (!out.is_empty() || data.is_empty() || matches!(status, Ok(Status::StreamEnd)))
                .then_some(out);
        }
        if out.len() == out.capacity() {
            out.reserve(out.len().min(limit - out.len()).max(1 << 10));
        }
    }
}
