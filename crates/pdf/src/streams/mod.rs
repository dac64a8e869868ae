//! Decodes streams within the budget, and detects damage.
//!
//! ```text
//! filters        the filters of a stream, with their parameters
//! mod            undoes one filter after the other, each within the budget
//! unpack         LZW, runs and the ASCII filters
//! whole          inflates sound data in one call
//! damaged_flate  continues Flate after damage
//! ```

mod damaged_flate;
mod filters;
mod unpack;
mod whole;

use std::borrow::Cow;
use std::io::{Read, Write};

use brotli_decompressor::Decompressor;
use corpus_bytes::inflate::{self, End};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hayro_syntax::object::{Dict, FromBytes, Stream};

use self::filters::{Filter, filters};
use crate::budget::{Budget, Stop};
pub use filters::{filter_names, has_brotli};

/// The maximum number of filters. No real stream has more; a hostile one repeats filters to waste
/// time.
const MAX_FILTERS: usize = 8;

/// The buffer size of the decompressor of Brotli.
const BROTLI_BUFFER_BYTES: usize = 4 << 10;

/// The content of a stream.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// Everything that could be decoded.
    pub data: Cow<'a, [u8]>,
    /// The size of the stream in the file.
    pub encoded_bytes: usize,
    pub damage: Option<Damage>,
}

/// Damage to a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damage {
    /// The share of the stream that could be decoded, from 0 to 1.
    pub share: f64,
    pub cause: &'static str,
}

impl Damage {
    pub fn new(share: f64, cause: &'static str) -> Self {
        Self { share, cause }
    }

    /// The damage of a stream that could not be decoded at all.
    pub fn total(cause: &'static str) -> Self {
        Self::new(0.0, cause)
    }
}

/// Decodes a stream as far as possible.
///
/// Filters are undone here, within the budget, if their output may be much larger than their input
/// or if hayro drops their damaged data. hayro undoes predictors.
pub fn decode<'a>(stream: &Stream<'a>, budget: &mut Budget) -> Result<Decoded<'a>, Stop> {
    let mut data = stream.raw_data();
    let encoded_bytes = data.len();
    let lost = |cause| {
        Ok(Decoded {
            data: Cow::Borrowed(&[]),
            encoded_bytes,
            damage: Some(Damage::total(cause)),
        })
    };
    if encoded_bytes == 0 && is_declared_empty(stream) {
        return Ok(Decoded {
            data,
            encoded_bytes,
            damage: None,
        });
    }
    let filters = match filters(stream.dict(), MAX_FILTERS) {
        Ok(filters) => filters,
        Err(cause) => return lost(cause),
    };
    let mut damage: Option<Damage> = None;
    if filters.is_empty() {
        budget.count_decoded(data.len())?;
        damage = is_cut(stream, encoded_bytes)
            .then(|| Damage::new(1.0, "a stream that is shorter than declared"));
    }
    for (filter, parameters) in &filters {
        let undone = match filter {
            Filter::Crypt => continue,
            Filter::Image => return lost("an image instead of content"),
            filter => undo(*filter, parameters, &data, budget)?,
        };
        let Some((decoded, new_damage)) = undone else {
            return lost("a predictor that cannot be undone");
        };
        if let Some(new) = new_damage {
            let before = damage.get_or_insert(Damage::new(1.0, new.cause));
            before.share *= new.share;
        }
        data = Cow::Owned(decoded);
    }
    if let Some(damage) = &mut damage {
        damage.share *= share_in_file(stream, encoded_bytes);
    }
    Ok(Decoded {
        data,
        encoded_bytes,
        damage,
    })
}

fn declared_bytes(stream: &Stream<'_>) -> Option<usize> {
    let declared = stream.dict().get::<i64>(b"Length")?;
    usize::try_from(declared).ok()
}

/// The share of a stream's declared length that is in the file.
fn share_in_file(stream: &Stream<'_>, encoded_bytes: usize) -> f64 {
    match declared_bytes(stream) {
        Some(length) if length > encoded_bytes => encoded_bytes as f64 / length as f64,
        _ => 1.0,
    }
}

/// The block size of AES. Encrypted data is longer by one to two blocks.
const BLOCK_BYTES: usize = 16;

/// Whether a stream is empty on purpose. Some programs declare a filter even then.
fn is_declared_empty(stream: &Stream<'_>) -> bool {
    let lengths = [0, BLOCK_BYTES, 2 * BLOCK_BYTES];
    declared_bytes(stream).is_some_and(|declared| lengths.contains(&declared))
}

/// Whether a stream without filters is truncated: only its declared length reveals that.
fn is_cut(stream: &Stream<'_>, encoded_bytes: usize) -> bool {
    /// Maximum amount of trailing white space, which writers count in different ways and hayro
    /// removes.
    const MAX_END_BYTES: usize = 8;
    let Some(declared) = declared_bytes(stream) else {
        return false;
    };
    let lost = declared.saturating_sub(encoded_bytes);
    let may_be_encrypted =
        declared % BLOCK_BYTES == 0 && (BLOCK_BYTES..=2 * BLOCK_BYTES).contains(&lost);
    lost > MAX_END_BYTES && !may_be_encrypted
}

/// The output of a filter, and its damage.
type Undone = (Vec<u8>, Option<Damage>);

/// Undoes one filter; `None` if its predictor cannot be undone. Image data is returned unchanged.
fn undo(
    filter: Filter,
    parameters: &Dict<'_>,
    data: &[u8],
    budget: &mut Budget,
) -> Result<Option<Undone>, Stop> {
    let left = budget.decoded_bytes_left();
    let limit = usize::try_from(left).unwrap_or(usize::MAX);
    let (mut decoded, damage) = match filter {
        Filter::Flate => inflate_stream(data, limit, &mut budget.search),
        Filter::Brotli => decompress(data, left),
        Filter::Lzw => {
            let early_change = parameters.get::<i64>(b"EarlyChange") != Some(0);
            unpack::lzw(data, early_change, limit)
        }
        Filter::RunLength => unpack::run_length(data, limit),
        // At most four bytes for one.
        Filter::AsciiHex => unpack::ascii_hex(data),
        Filter::Ascii85 => unpack::ascii_85(data),
        Filter::Unknown => as_unknown(data, limit),
        Filter::Crypt | Filter::Image => (data.to_vec(), None),
    };
    budget.count_decoded(decoded.len())?;
    let may_predict = matches!(filter, Filter::Flate | Filter::Brotli | Filter::Lzw);
    if may_predict && predicts(parameters) {
        match without_predictor(&decoded, parameters) {
            Some(undone) => decoded = undone,
            None => return Ok(None),
        }
    }
    Ok(Some((decoded, damage)))
}

/// The data of an image.
#[derive(Debug)]
pub struct ImageData {
    pub data: Vec<u8>,
    /// The names of the filters of `data`, in full.
    pub filters: Vec<String>,
}

/// Undoes the filters before an image format, and returns the data with the names of the remaining
/// filters. Without an image format, returns the data as in the file. `None` if it cannot be read.
pub fn image_data(stream: &Stream<'_>, budget: &mut Budget) -> Result<Option<ImageData>, Stop> {
    let (Ok(filters), Ok(names)) = (
        filters(stream.dict(), MAX_FILTERS),
        filter_names(stream.dict()),
    ) else {
        return Ok(None);
    };
    let of_image = filters
        .iter()
        .position(|(filter, _)| *filter == Filter::Image);
    let first = of_image.unwrap_or(0);
    let raw = stream.raw_data();
    if budget.decoded_bytes_left() < raw.len() as u64 {
        return Err(Stop::Limit("decoded bytes"));
    }
    budget.count_decoded(raw.len())?;
    let mut data = raw.into_owned();
    for (filter, parameters) in filters.iter().take(first) {
        match undo(*filter, parameters, &data, budget)? {
            Some((decoded, _)) => data = decoded,
            None => return Ok(None),
        }
    }
    Ok(Some(ImageData {
        data,
        filters: names.into_iter().skip(first).collect(),
    }))
}

/// Whether a stream is damaged. Like [`decode`], but without keeping the content of a sound one.
pub fn is_damaged(stream: &Stream<'_>, budget: &mut Budget) -> bool {
    if let Ok(filters) = filters(stream.dict(), MAX_FILTERS)
        && let [(Filter::Flate, parameters)] = filters.as_slice()
        && !predicts(parameters)
    {
        let limit = usize::try_from(budget.decoded_bytes_left()).unwrap_or(usize::MAX);
        if let Some(bytes) = whole::inflate_bytes(&stream.raw_data(), limit) {
            let _ = budget.count_decoded(bytes);
            return false;
        }
    }
    decode(stream, budget).is_ok_and(|decoded| decoded.damage.is_some())
}

/// Decodes data whose filter is unknown, perhaps because its name is damaged. Like other readers,
/// tries Flate and otherwise takes the data as content if it is text.
fn as_unknown(data: &[u8], limit: usize) -> (Vec<u8>, Option<Damage>) {
    let inflated = inflate::deflate(data, limit.saturating_add(1), true);
    if inflated.end == End::Complete {
        return (inflated.bytes, None);
    }
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let content = if data.iter().all(is_text) { data } else { &[] };
    (content.to_vec(), Some(Damage::total("an unknown filter")))
}

fn predicts(parameters: &Dict<'_>) -> bool {
    parameters
        .get::<i32>(b"Predictor")
        .is_some_and(|predictor| predictor > 1)
}

/// Undoes a predictor, which never lengthens the data. hayro does this as part of Flate.
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

/// Undoes one filter, by passing hayro a stream with only this filter.
fn with_hayro(data: &[u8], filter: &str, parameters: &str) -> Option<Vec<u8>> {
    let length = data.len();
    let head = format!(
        "<< /Filter /{filter} /DecodeParms << {parameters} >> /Length {length} >>\nstream\n"
    );
    let written = [head.as_bytes(), data, b"\nendstream"].concat();
    let stream = Stream::from_bytes(&written)?;
    stream.decoded_data().ok().map(Cow::into_owned)
}

/// Decompresses Brotli up to the first damage, and up to one byte more than `limit`.
fn decompress(data: &[u8], limit: u64) -> (Vec<u8>, Option<Damage>) {
    let mut out = Vec::new();
    let mut decompressor =
        Decompressor::new(data, BROTLI_BUFFER_BYTES).take(limit.saturating_add(1));
    let result = decompressor.read_to_end(&mut out);
    let damage = result.err().map(|_| {
        // The position of the damage is not known.
        let share = if out.is_empty() { 0.0 } else { 0.5 };
        Damage::new(share, "damaged Brotli data")
    });
    (out, damage)
}

/// The content of a stream other than page content, such as a font; `None` if it is larger than
/// `limit`.
pub fn decode_small<'a>(stream: &Stream<'a>, limit: u64) -> Option<Decoded<'a>> {
    let mut budget = Budget::for_bytes(limit);
    decode(stream, &mut budget).ok()
}

/// Inflates slightly more than `limit`, so that the budget detects the excess. `search` is the
/// remaining work for the search for blocks after damage.
fn inflate_stream(data: &[u8], limit: usize, search: &mut u64) -> (Vec<u8>, Option<Damage>) {
    if let Some(bytes) = whole::inflate(data, limit) {
        return (bytes, None);
    }
    let limit = limit.saturating_add(1);
    // Some writers omit or damage the zlib header.
    let framings = [
        (data, true),
        (data, false),
        (data.get(2..).unwrap_or_default(), false),
    ];
    for (data, has_zlib_frame) in framings {
        let output = inflate::deflate(data, limit, has_zlib_frame);
        if matches!(output.end, End::Complete | End::Limit) {
            return (output.bytes, None);
        }
        if !output.bytes.is_empty() {
            break;
        }
    }
    if data.is_empty() {
        return (Vec::new(), Some(Damage::total("an empty Flate stream")));
    }
    let salvaged = damaged_flate::salvage(data, limit, search);
    let Some(cause) = salvaged.cause else {
        return (salvaged.bytes, None);
    };
    if let Some(corrected) = damaged_flate::with_flipped_bit(data, limit, search) {
        let damage = Damage::new(1.0, "a flipped bit, which was corrected");
        return (corrected, Some(damage));
    }
    let share = if salvaged.bytes.is_empty() {
        0.0
    } else {
        salvaged.share
    };
    (salvaged.bytes, Some(Damage::new(share, cause)))
}
