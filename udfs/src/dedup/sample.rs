//! Reproducible samples, which are the same wherever they are drawn.

use std::sync::Arc;

use corpus_dedup::hash;
use datafusion::arrow::array::{ArrayRef, AsArray, Float64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::SECTION;
use crate::arguments::ID;
use crate::function::{Parameter, functions};
use crate::settings::CorpusSettings;

const ID_ARGUMENT: Parameter = Parameter::new(
    "id",
    || ID,
    "Text, or an integer, which counts as its digits.",
);

functions! {
    SECTION;

    /// Maps an id to a number from 0 to below 1: `WHERE sample_hash(url) < 0.1` keeps a tenth. In
    /// Python, it is `(xxhash.xxh3_64_intdigest(id) >> 11) / 2**53`. For an independent sample, add
    /// a text to the id.
    ///
    /// > SELECT sample_hash('doc-1'), sample_hash(1) = sample_hash('1');
    /// 0.7543582427159767, true
    sample_hash(ID_ARGUMENT) -> DataType::Float64;
}

fn sample_hash(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let ids = args[0].as_string::<i32>().iter();
    let hashes: Float64Array = ids.map(|id| id.map(hash::sample_hash)).collect();
    Ok(Arc::new(hashes))
}
