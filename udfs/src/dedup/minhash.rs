//! Signatures of texts, their bands, and the similarity that they estimate.

use std::sync::Arc;

use corpus_dedup::MinHasher;
use corpus_dedup::bands::Bands;
use corpus_dedup::jaccard::estimated_jaccard;
use corpus_dedup::minhash::{DEFAULT_BINS, MAX_BINS};
use datafusion::arrow::array::builder::{Int64Builder, ListBuilder};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int32Array, ListArray};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Int32Type, Int64Type};
use datafusion::common::{Result, exec_datafusion_err, exec_err};

use super::{SECTION, check_shingles, shingles};
use crate::function::{Parameter, functions};
use crate::settings::CorpusSettings;

/// The default shingles of signatures.
const DEFAULT_SHINGLES: &str = "5 characters";

/// The type of signatures. Values have 31 bits: a quarter of the size of a text of 2 KB, plain
/// integers in Parquet, and readable by any program that reads lists.
fn signature_type() -> DataType {
    DataType::List(signature_field())
}

fn signature_field() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Int32, true))
}

const SIGNATURE_ARGUMENT: Parameter =
    Parameter::new("signature", signature_type, "The result of `minhash`.");

/// Checks a constant number of values, bands or rows.
fn check_count(text: &str) -> Result<(), String> {
    match text.parse() {
        Ok(1..=MAX_BINS) => Ok(()),
        _ => Err(format!(
            "expected a number from 1 to {MAX_BINS}, got '{text}'"
        )),
    }
}

/// Returns a constant number, which has been checked. `None` if it is NULL, or there are no rows.
fn count(argument: &ArrayRef) -> Option<usize> {
    let value = argument.as_primitive::<Int64Type>().iter().next()?;
    value.and_then(|value| usize::try_from(value).ok())
}

/// The values of each signature; `None` for NULL.
fn signatures(argument: &ArrayRef) -> impl Iterator<Item = Option<ArrayRef>> {
    argument.as_list::<i32>().iter()
}

const TEXT_ARGUMENT: Parameter = Parameter::text("text", "The text, taken as it is.");

const SHINGLE: Parameter = Parameter::text(
    "shingle",
    "`'N characters'` or `'N words'`, `'5 characters'` by default.",
)
.optional()
.constant(check_shingles);

const BINS: Parameter = Parameter::integer(
    "bins",
    "The number of values, 128 by default; the standard error is at most 0.5 / √bins.",
)
.optional()
.constant(check_count);

const BANDS: Parameter = Parameter::integer("bands", "The number of bands.").constant(check_count);

const ROWS: Parameter =
    Parameter::integer("rows", "The number of values in each band.").constant(check_count);

const OTHER: Parameter = Parameter::new(
    "other",
    signature_type,
    "Another signature, with the same shingles and bins.",
);

functions! {
    SECTION;

    /// Returns the MinHash signature of a text: the share of equal values estimates the Jaccard
    /// similarity of the shingles of two texts. NULL for a text shorter than a shingle.
    ///
    /// > SELECT minhash('日本語の文書', '5 characters', 4);
    /// [2097872630, 689519737, 114344941, 578048996]
    minhash(TEXT_ARGUMENT, SHINGLE, BINS) -> signature_type(), costly;

    /// Returns a key for each band of a signature. Texts of the similarity s share a key with a
    /// probability of 1 − (1 − sʳ)ᵇ for b bands of r rows.
    ///
    /// > SELECT minhash_bands([1, 2, 3, 4], 2, 2);
    /// [-589862692792448751, 2682380671980185733]
    minhash_bands(SIGNATURE_ARGUMENT, BANDS, ROWS)
        -> DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)));

    /// Estimates the Jaccard similarity of two texts, 0 to 1, from their signatures.
    ///
    /// > SELECT minhash_jaccard([1, 2, 3, 4], [1, 2, 0, 4]);
    /// 0.75
    minhash_jaccard(SIGNATURE_ARGUMENT, OTHER) -> DataType::Float64;
}

fn minhash(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let bins = count(&args[2]).unwrap_or(DEFAULT_BINS);
    let hasher = MinHasher::new(shingles(&args[1], DEFAULT_SHINGLES)?, bins);
    let mut hasher = hasher.map_err(|error| exec_datafusion_err!("minhash: {error}"))?;
    let texts = args[0].as_string::<i64>();
    let mut values = Vec::with_capacity(texts.len() * bins);
    let mut lengths = Vec::with_capacity(texts.len());
    for text in texts {
        let signature = text.and_then(|text| hasher.signature(text));
        let signature = signature.unwrap_or_default();
        values.extend(signature.iter().map(|value| value.cast_signed()));
        lengths.push(signature.len());
    }
    // A signature has values, so an empty list is not one.
    let nulls = lengths.iter().map(|&length| length > 0).collect();
    let lists = ListArray::try_new(
        signature_field(),
        OffsetBuffer::from_lengths(lengths),
        Arc::new(Int32Array::from(values)),
        Some(nulls),
    )?;
    Ok(Arc::new(lists))
}

fn minhash_bands(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(Int64Builder::new());
    let Some((bands, rows)) = count(&args[1]).zip(count(&args[2])) else {
        (0..args[0].len()).for_each(|_| lists.append_null());
        return Ok(Arc::new(lists.finish()));
    };
    let bands = Bands::new(bands, rows);
    let bands = bands.map_err(|error| exec_datafusion_err!("minhash_bands: {error}"))?;
    let mut values = Vec::new();
    for signature in signatures(&args[0]) {
        let Some(signature) = signature else {
            lists.append_null();
            continue;
        };
        let signature = signature.as_primitive::<Int32Type>().values();
        values.clear();
        values.extend(signature.iter().map(|value| value.cast_unsigned()));
        let Some(keys) = bands.keys(&values) else {
            return exec_err!(
                "minhash_bands: the bands need {} values, but a signature has {}",
                bands.values(),
                values.len()
            );
        };
        for key in keys {
            lists.values().append_value(key.cast_signed());
        }
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}

fn minhash_jaccard(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let pairs = signatures(&args[0]).zip(signatures(&args[1]));
    let estimates: Result<Float64Array> = pairs
        .map(|(first, second)| {
            let Some((first, second)) = first.zip(second) else {
                return Ok(None);
            };
            let first = first.as_primitive::<Int32Type>().values();
            let second = second.as_primitive::<Int32Type>().values();
            if first.len() != second.len() {
                return exec_err!(
                    "minhash_jaccard: one signature has {} values, the other {}",
                    first.len(),
                    second.len()
                );
            }
            Ok(estimated_jaccard(first, second))
        })
        .collect();
    Ok(Arc::new(estimates?))
}
