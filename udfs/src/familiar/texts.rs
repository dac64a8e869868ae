//! Similarity, hashes and percent-encoding of texts.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Builder, LargeStringArray, LargeStringBuilder,
};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha1::{Digest, Sha1};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{SECTION, TEXT};
use crate::function::{Function, document};

/// The characters that URLs contain as they are: letters, digits and four others.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

pub fn jaccard() -> Function {
    let documentation = document(
        SECTION,
        "jaccard(text, other)",
        "Returns the Jaccard similarity of the sets of characters of two texts, as in DuckDB. \
         `text_jaccard` compares the words.",
        "> SELECT jaccard('duck', 'luck');\n0.6",
        &[
            ("text", "The text."),
            ("other", "The text to compare with."),
        ],
    );
    Function::new(
        "jaccard",
        vec![TEXT, TEXT],
        DataType::Float64,
        documentation,
        |args, _| {
            let mut similarities = Float64Builder::with_capacity(args[0].len());
            let pairs = args[0]
                .as_string::<i64>()
                .iter()
                .zip(args[1].as_string::<i64>());
            for pair in pairs {
                similarities.append_option(match pair {
                    (Some(text), Some(other)) => Some(similarity(text, other)?),
                    _ => None,
                });
            }
            Ok(Arc::new(similarities.finish()))
        },
    )
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

pub fn strip_accents() -> Function {
    let documentation = document(
        SECTION,
        "strip_accents(text)",
        "Removes accents and other marks from letters.",
        "> SELECT strip_accents('Häuser à Paris');\nHauser a Paris",
        &[("text", "The text.")],
    );
    Function::new(
        "strip_accents",
        vec![TEXT],
        TEXT,
        documentation,
        |args, _| {
            let texts = args[0].as_string::<i64>().iter();
            let stripped = texts.map(|text| {
                let letters = text?.nfd().filter(|letter| !is_combining_mark(*letter));
                Some(letters.nfc().collect::<String>())
            });
            Ok(Arc::new(stripped.collect::<LargeStringArray>()))
        },
    )
}

pub fn nfc_normalize() -> Function {
    let documentation = document(
        SECTION,
        "nfc_normalize(text)",
        "Composes letters and their accents (Unicode NFC). `text_normalize` also replaces compatibility \
         forms.",
        "> SELECT nfc_normalize('e\u{301}') = 'é';\ntrue",
        &[("text", "The text.")],
    );
    Function::new(
        "nfc_normalize",
        vec![TEXT],
        TEXT,
        documentation,
        |args, _| {
            let texts = args[0].as_string::<i64>().iter();
            let composed = texts.map(|text| Some(text?.nfc().collect::<String>()));
            Ok(Arc::new(composed.collect::<LargeStringArray>()))
        },
    )
}

pub fn sha1() -> Function {
    let documentation = document(
        SECTION,
        "sha1(data)",
        "Returns the SHA-1 hash of a text or of bytes in hexadecimal digits.",
        "> SELECT sha1('a');\n86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
        &[("data", "A text, or bytes.")],
    );
    Function::new(
        "sha1",
        vec![DataType::LargeBinary],
        TEXT,
        documentation,
        |args, _| {
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
        },
    )
}

pub fn url_encode() -> Function {
    let documentation = document(
        SECTION,
        "url_encode(text)",
        "Percent-encodes all characters of a text but letters, digits and `-_.~`.",
        "> SELECT url_encode('a b/ü');\na%20b%2F%C3%BC",
        &[("text", "The text.")],
    );
    Function::new("url_encode", vec![TEXT], TEXT, documentation, |args, _| {
        map(&args[0], |text| {
            Ok(utf8_percent_encode(text, ENCODED).to_string())
        })
    })
}

pub fn url_decode() -> Function {
    let documentation = document(
        SECTION,
        "url_decode(text)",
        "Decodes a percent-encoded text. A plus sign stays one. It is an error if the result is not \
         UTF-8.",
        "> SELECT url_decode('a%20b%2F%C3%BC');\na b/ü",
        &[("text", "The text.")],
    );
    Function::new("url_decode", vec![TEXT], TEXT, documentation, |args, _| {
        map(&args[0], |text| {
            match percent_decode_str(text).decode_utf8() {
                Ok(decoded) => Ok(decoded.into_owned()),
                Err(_) => exec_err!(
                    "url_decode: '{text}' is not UTF-8 when decoded; filter such rows out"
                ),
            }
        })
    })
}

fn map(argument: &ArrayRef, change: impl Fn(&str) -> Result<String>) -> Result<ArrayRef> {
    let texts = argument.as_string::<i64>();
    let mut changed = LargeStringBuilder::with_capacity(texts.len(), texts.values().len());
    for text in texts {
        changed.append_option(text.map(&change).transpose()?);
    }
    Ok(Arc::new(changed.finish()))
}
