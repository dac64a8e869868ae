//! Streams compressed with Brotli, a filter of PDF 2.0 that hayro does not support.

use std::borrow::Cow;
use std::io::{Read, Write};

use brotli_decompressor::Decompressor;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hayro_syntax::object::{Array, Dict, FromBytes, Name, Object, Stream};

use crate::budget::{Budget, Stop};

const NAME: &[u8] = b"BrotliDecode";

/// The buffer size of the decompressor.
const BUFFER_BYTES: usize = 4 << 10;

/// The maximum number of filters. No real stream has more; a hostile one repeats filters to waste
/// time.
const MAX_FILTERS: usize = 8;

/// Whether one of a stream's filters is Brotli.
pub fn has_brotli(dict: &Dict<'_>) -> bool {
    match dict.get::<Object<'_>>(b"Filter") {
        Some(Object::Name(name)) => &*name == NAME,
        Some(Object::Array(filters)) => filters.iter::<Name<'_>>().any(|name| &*name == NAME),
        _ => false,
    }
}

/// The content of a stream that has Brotli among its filters.
pub fn decode(stream: &Stream<'_>, budget: &mut Budget) -> Result<Option<Vec<u8>>, Stop> {
    let filters = filters(stream.dict());
    if filters.len() > MAX_FILTERS {
        return Ok(None);
    }
    let mut data = stream.raw_data().into_owned();
    for (name, parameters) in &filters {
        let decoded = match &**name {
            b"Crypt" => continue,
            NAME => decompress(&data, parameters, budget)?,
            name => with_hayro(&data, name, parameters, budget)?,
        };
        let Some(decoded) = decoded else {
            return Ok(None);
        };
        data = decoded;
    }
    Ok(Some(data))
}

/// The filters with their parameters, in the order of decoding.
fn filters<'a>(dict: &Dict<'a>) -> Vec<(Name<'a>, Dict<'a>)> {
    match dict.get::<Object<'a>>(b"Filter") {
        Some(Object::Name(name)) => {
            let parameters = dict.get::<Dict<'a>>(b"DecodeParms");
            vec![(name, parameters.unwrap_or_default())]
        }
        Some(Object::Array(names)) => {
            let parameters = dict.get::<Array<'a>>(b"DecodeParms").unwrap_or_default();
            let parameters = parameters
                .iter::<Object<'a>>()
                .map(|parameters| parameters.into_dict().unwrap_or_default())
                .chain(std::iter::repeat_with(Dict::empty));
            names.iter::<Name<'a>>().zip(parameters).collect()
        }
        _ => Vec::new(),
    }
}

/// Decompresses up to the first damage. `None` if nothing can be decompressed.
fn decompress(
    data: &[u8],
    parameters: &Dict<'_>,
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>, Stop> {
    let mut out = Vec::new();
    let limit = budget.decoded_bytes_left().saturating_add(1);
    let result = Decompressor::new(data, BUFFER_BYTES)
        .take(limit)
        .read_to_end(&mut out);
    budget.decoded(out.len())?;
    if result.is_err() && out.is_empty() {
        return Ok(None);
    }
    if !super::predicts(parameters) {
        return Ok(Some(out));
    }
    // The predictors are the same as those of Flate, so hayro can undo them.
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::none());
    let stored = encoder.write_all(&out).and_then(|()| encoder.finish());
    match stored {
        Ok(stored) => with_hayro(&stored, b"FlateDecode", parameters, budget),
        Err(_) => Ok(None),
    }
}

/// Decodes another filter, by giving hayro a stream with no other.
fn with_hayro(
    data: &[u8],
    filter: &[u8],
    parameters: &Dict<'_>,
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>, Stop> {
    const NUMBERS: [&str; 5] = [
        "Predictor",
        "Colors",
        "BitsPerComponent",
        "Columns",
        "EarlyChange",
    ];
    let mut written = b"<< /Filter /".to_vec();
    written.extend_from_slice(filter);
    written.extend_from_slice(b" /DecodeParms <<");
    for key in NUMBERS {
        if let Some(number) = parameters.get::<i64>(key) {
            written.extend(format!(" /{key} {number}").bytes());
        }
    }
    written.extend(format!(" >> /Length {} >>\nstream\n", data.len()).bytes());
    written.extend_from_slice(data);
    written.extend_from_slice(b"\nendstream");
    match Stream::from_bytes(&written) {
        Some(stream) => Ok(super::decode(&stream, budget)?.map(Cow::into_owned)),
        None => Ok(None),
    }
}
