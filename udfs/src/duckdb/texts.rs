//! Similarity, hashes and percent-encoding of texts.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, Int64Array, LargeStringArray, LargeStringBuilder,
};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha1::{Digest, Sha1};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{SECTION, TEXT};
use crate::function::{Parameter, functions};
use crate::settings::CorpusSettings;

/// The characters that are percent-encoded: all but letters, digits and four others.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The maximum product of the lengths of two texts in bytes. Each pair of bytes takes eight bytes
/// of memory.
const MAX_COMPARED_PAIRS: usize = 10_000_000;

const TEXT_ARGUMENT: Parameter = Parameter::text("text", "The text.");

const OTHER: Parameter = Parameter::text("other", "The text to compare with.");

const DATA: Parameter = Parameter::bytes("data", "A text, or bytes.");

functions! {
    SECTION;

    /// Returns the number of changes between two texts: letters that are added, left out, replaced
    /// or swapped. `levenshtein` counts a swap as two.
    ///
    /// > SELECT damerau_levenshtein('duck', 'udck');
    /// 1
    damerau_levenshtein(TEXT_ARGUMENT, OTHER) -> DataType::Int64;

    /// Fails with a message.
    ///
    /// > SELECT CASE WHEN 1 > 2 THEN error('impossible') ELSE 'possible' END;
    /// possible
    error(TEXT_ARGUMENT) -> TEXT;

    /// Returns the number of places at which two texts of the same length differ.
    ///
    /// > SELECT hamming('duck', 'luck');
    /// 1
    hamming(TEXT_ARGUMENT, OTHER) -> DataType::Int64;

    /// Returns the Jaro similarity of two texts, from 0 to 1.
    ///
    /// > SELECT round(jaro_similarity('duck', 'duke'), 2);
    /// 0.83
    jaro_similarity(TEXT_ARGUMENT, OTHER) -> DataType::Float64;

    /// Returns the Jaro-Winkler similarity of two texts, from 0 to 1: a common start counts more.
    ///
    /// > SELECT round(jaro_winkler_similarity('duck', 'duke'), 2);
    /// 0.87
    jaro_winkler_similarity(TEXT_ARGUMENT, OTHER) -> DataType::Float64;

    /// Returns the Jaccard similarity of the sets of characters of two texts, as in DuckDB.
    /// `text_jaccard` compares the words.
    ///
    /// > SELECT jaccard('duck', 'luck');
    /// 0.6
    jaccard(TEXT_ARGUMENT, OTHER) -> DataType::Float64;

    /// Composes letters and their accents (Unicode NFC). `text_normalize` also replaces
    /// compatibility forms.
    ///
    /// > SELECT length(nfc_normalize('e' || chr(769)));
    /// 1
    nfc_normalize(TEXT_ARGUMENT) -> TEXT;

    /// Returns the SHA-1 hash of a text or of bytes in hexadecimal digits.
    ///
    /// > SELECT sha1('a');
    /// 86f7e437faa5a7fce15d1ddcb9eaeaea377667b8
    sha1(DATA) -> TEXT;

    /// Removes accents and other marks from letters.
    ///
    /// > SELECT strip_accents('Häuser à Paris');
    /// Hauser a Paris
    strip_accents(TEXT_ARGUMENT) -> TEXT;

    /// Decodes a percent-encoded text. A plus sign stays one. A result that is not UTF-8 is an
    /// error.
    ///
    /// > SELECT url_decode('a%20b%2F%C3%BC');
    /// a b/ü
    url_decode(TEXT_ARGUMENT) -> TEXT;

    /// Percent-encodes all characters of a text but letters, digits and `-_.~`.
    ///
    /// > SELECT url_encode('a b/ü');
    /// a%20b%2F%C3%BC
    url_encode(TEXT_ARGUMENT) -> TEXT;
}

/// The results of a function of two texts.
fn of_pairs<T, C>(args: &[ArrayRef], compare: impl Fn(&str, &str) -> Result<T>) -> Result<ArrayRef>
where
    C: FromIterator<Option<T>> + Array + 'static,
{
    let (texts, others) = (args[0].as_string::<i64>(), args[1].as_string::<i64>());
    let compared = texts.iter().zip(others).map(|pair| match pair {
        (Some(text), Some(other)) => compare(text, other).map(Some),
        _ => Ok(None),
    });
    Ok(Arc::new(compared.collect::<Result<C>>()?))
}

fn error(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map(&args[0], |text| exec_err!("{text}"))
}

fn jaccard(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    of_pairs::<_, Float64Array>(args, similarity)
}

fn damerau_levenshtein(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    of_pairs::<_, Int64Array>(args, |text, other| {
        if text.len().saturating_mul(other.len()) > MAX_COMPARED_PAIRS {
            return exec_err!(
                "damerau_levenshtein compares short texts: filter rows by length(text) < 1000, or use text_jaccard"
            );
        }
        Ok(as_i64(strsim::damerau_levenshtein(text, other)))
    })
}

fn hamming(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    of_pairs::<_, Int64Array>(args, |text, other| match strsim::hamming(text, other) {
        Ok(distance) => Ok(as_i64(distance)),
        Err(_) => exec_err!(
            "hamming: '{text}' and '{other}' have different lengths; levenshtein compares them, too"
        ),
    })
}

/// The similarity of two texts, which is 0 if one is empty.
fn similarity_or_zero(text: &str, other: &str, similarity: fn(&str, &str) -> f64) -> f64 {
    if text.is_empty() || other.is_empty() {
        0.0
    } else {
        similarity(text, other)
    }
}

fn jaro_similarity(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    of_pairs::<_, Float64Array>(args, |text, other| {
        Ok(similarity_or_zero(text, other, strsim::jaro))
    })
}

fn jaro_winkler_similarity(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    of_pairs::<_, Float64Array>(args, |text, other| {
        Ok(similarity_or_zero(text, other, strsim::jaro_winkler))
    })
}

fn as_i64(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn similarity(text: &str, other: &str) -> Result<f64> {
    if text.is_empty() || other.is_empty() {
        return exec_err!("jaccard: the texts must not be empty");
    }
    let (text, other): (HashSet<char>, HashSet<char>) =
        (text.chars().collect(), other.chars().collect());
    let common = text.intersection(&other).count();
    Ok(common as f64 / (text.len() + other.len() - common) as f64)
}

fn nfc_normalize(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map(&args[0], |text| Ok(text.nfc().collect()))
}

fn strip_accents(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map(&args[0], |text| {
        let letters = text.nfd().filter(|letter| !is_combining_mark(*letter));
        Ok(letters.nfc().collect())
    })
}

fn sha1(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let data = args[0].as_binary::<i64>().iter();
    let hash = |data: &[u8]| {
        let digest = Sha1::digest(data);
        digest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let hashes: LargeStringArray = data.map(|data| data.map(hash)).collect();
    Ok(Arc::new(hashes))
}

fn url_encode(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map(&args[0], |text| {
        Ok(utf8_percent_encode(text, ENCODED).to_string())
    })
}

fn url_decode(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map(&args[0], |text| {
        match percent_decode_str(text).decode_utf8() {
            Ok(decoded) => Ok(decoded.into_owned()),
            Err(_) => {
                exec_err!("url_decode: '{text}' is not UTF-8 when decoded; filter such rows out")
            }
        }
    })
}

/// Changes each text of a column.
pub fn map(argument: &ArrayRef, change: impl Fn(&str) -> Result<String>) -> Result<ArrayRef> {
    let texts = argument.as_string::<i64>();
    let mut changed = LargeStringBuilder::with_capacity(texts.len(), texts.values().len());
    for text in texts {
        changed.append_option(text.map(&change).transpose()?);
    }
    Ok(Arc::new(changed.finish()))
}
