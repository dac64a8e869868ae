//! Exact similarity, and hashes of similar texts.

use std::sync::Arc;

use corpus_dedup::{jaccard, simhash as hashes};
use datafusion::arrow::array::{ArrayRef, AsArray, Float64Array, Int64Array};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::Result;

use super::{SECTION, check_shingles, shingles};
use crate::function::{Parameter, functions};
use crate::settings::CorpusSettings;

const TEXT_ARGUMENT: Parameter = Parameter::text("text", "The text, taken as it is.");

const OTHER: Parameter = Parameter::text("other", "Another text.");

const SHINGLE: Parameter =
    Parameter::text("shingle", "As for `minhash`, `'5 characters'` by default.")
        .optional()
        .constant(check_shingles);

const SHINGLE_ARGUMENT: Parameter =
    Parameter::text("shingle", "As for `minhash`, `'3 characters'` by default.")
        .optional()
        .constant(check_shingles);

const HASH: Parameter = Parameter::integer("hash", "A hash, such as the result of `simhash`.");

const OTHER_ARGUMENT: Parameter = Parameter::integer("other", "Another hash.");

functions! {
    SECTION;

    /// Returns the number of bits, 0 to 64, in which two hashes differ.
    ///
    /// > SELECT hamming_distance(12, 10);
    /// 2
    hamming_distance(HASH, OTHER_ARGUMENT) -> DataType::Int64;

    /// Returns the SimHash of a text, of 64 bits, as a signed number. Similar texts differ in few
    /// bits, unrelated ones in about 32. NULL for a text shorter than a shingle.
    ///
    /// > SELECT simhash('日本語の文書');
    /// -7982342221824572668
    simhash(TEXT_ARGUMENT, SHINGLE_ARGUMENT) -> DataType::Int64, costly;

    /// Returns the Jaccard similarity of the shingles of two texts, 0 to 1. NULL if neither has
    /// any.
    ///
    /// > SELECT text_jaccard('abcd', 'bcde', '2 characters');
    /// 0.5
    text_jaccard(TEXT_ARGUMENT, OTHER, SHINGLE) -> DataType::Float64, costly;
}

fn text_jaccard(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let shingles = shingles(&args[2], "5 characters")?;
    let pairs = args[0]
        .as_string::<i64>()
        .iter()
        .zip(args[1].as_string::<i64>());
    let similarities: Float64Array = pairs
        .map(|(first, second)| jaccard::exact_jaccard(first?, second?, shingles))
        .collect();
    Ok(Arc::new(similarities))
}

fn simhash(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let shingles = shingles(&args[1], "3 characters")?;
    let texts = args[0].as_string::<i64>().iter();
    let hashes: Int64Array = texts
        .map(|text| Some(hashes::simhash(text?, shingles)?.cast_signed()))
        .collect();
    Ok(Arc::new(hashes))
}

fn hamming_distance(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let pairs = args[0].as_primitive::<Int64Type>().iter();
    let distances: Int64Array = pairs
        .zip(args[1].as_primitive::<Int64Type>())
        .map(|(first, second)| {
            let (first, second) = (first?.cast_unsigned(), second?.cast_unsigned());
            Some(i64::from(hashes::hamming_distance(first, second)))
        })
        .collect();
    Ok(Arc::new(distances))
}
