//! Exact similarity, and hashes of similar texts.

use std::sync::Arc;

use corpus_dedup::{jaccard, simhash as hashes};
use datafusion::arrow::array::{AsArray, Float64Array, Int64Array};
use datafusion::arrow::datatypes::{DataType, Int64Type};

use super::{SECTION, TEXT, check_shingles, shingles};
use crate::function::{Function, document};

pub fn text_jaccard() -> Function {
    let documentation = document(
        SECTION,
        "text_jaccard(text, other [, shingle])",
        "Returns the Jaccard similarity of the shingles of two texts, 0 to 1. NULL if neither has \
         any.",
        "> SELECT text_jaccard('abcd', 'bcde', '2 characters');\n0.5",
        &[
            ("text", "The text, taken as it is."),
            ("other", "Another text."),
            ("shingle", "As for `minhash`, `'5 characters'` by default."),
        ],
    );
    let (types, returns) = (vec![TEXT, TEXT, TEXT], DataType::Float64);
    Function::new("text_jaccard", types, returns, documentation, |args, _| {
        let shingles = shingles(&args[2], "5 characters")?;
        let pairs = args[0]
            .as_string::<i64>()
            .iter()
            .zip(args[1].as_string::<i64>());
        let similarities: Float64Array = pairs
            .map(|(first, second)| jaccard::exact_jaccard(first?, second?, shingles))
            .collect();
        Ok(Arc::new(similarities))
    })
    .optional(1)
    .constant(2, check_shingles)
    .costly()
}

pub fn simhash() -> Function {
    let documentation = document(
        SECTION,
        "simhash(text [, shingle])",
        "Returns the SimHash of a text, of 64 bits, as a signed number. Similar texts differ in \
         few bits, unrelated ones in about 32. NULL for a text shorter than a shingle.",
        "> SELECT simhash('日本語の文書');\n-7982342221824572668",
        &[
            ("text", "The text, taken as it is."),
            ("shingle", "As for `minhash`, `'3 characters'` by default."),
        ],
    );
    let (types, returns) = (vec![TEXT, TEXT], DataType::Int64);
    Function::new("simhash", types, returns, documentation, |args, _| {
        let shingles = shingles(&args[1], "3 characters")?;
        let texts = args[0].as_string::<i64>().iter();
        let hashes: Int64Array = texts
            .map(|text| Some(hashes::simhash(text?, shingles)?.cast_signed()))
            .collect();
        Ok(Arc::new(hashes))
    })
    .optional(1)
    .constant(1, check_shingles)
    .costly()
}

pub fn hamming_distance() -> Function {
    let documentation = document(
        SECTION,
        "hamming_distance(hash, other)",
        "Returns the number of bits, 0 to 64, in which two hashes differ.",
        "> SELECT hamming_distance(12, 10);\n2",
        &[
            ("hash", "A hash, such as the result of `simhash`."),
            ("other", "Another hash."),
        ],
    );
    let types = vec![DataType::Int64, DataType::Int64];
    let returns = DataType::Int64;
    Function::new(
        "hamming_distance",
        types,
        returns,
        documentation,
        |args, _| {
            let pairs = args[0].as_primitive::<Int64Type>().iter();
            let distances: Int64Array = pairs
                .zip(args[1].as_primitive::<Int64Type>())
                .map(|(first, second)| {
                    let (first, second) = (first?.cast_unsigned(), second?.cast_unsigned());
                    Some(i64::from(hashes::hamming_distance(first, second)))
                })
                .collect();
            Ok(Arc::new(distances))
        },
    )
}
