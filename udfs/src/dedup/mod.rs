//! SQL functions that find similar texts and draw samples.
//!
//! ```text
//! minhash     signatures and their bands
//! similarity  exact similarity, SimHash
//! windows     passages that texts share
//! sample      reproducible samples
//! ```

mod minhash;
mod sample;
mod similarity;
mod windows;

use corpus_dedup::Shingles;
use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::logical_expr::ScalarUDF;

use crate::function::{by_name, constant};

const SECTION: &str = "Deduplication Functions";

const TEXT: DataType = DataType::LargeUtf8;

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    by_name(&[
        minhash::functions(),
        sample::functions(),
        similarity::functions(),
        windows::functions(),
    ])
}

/// Checks a constant argument that describes shingles.
fn check_shingles(text: &str) -> Result<(), String> {
    let shingles: Result<Shingles, _> = text.parse();
    shingles.map(|_| ()).map_err(|error| error.to_string())
}

/// Returns the shingles that a constant argument describes, or the default.
fn shingles(argument: &ArrayRef, default: &str) -> Result<Shingles> {
    let text = constant(argument).unwrap_or(default);
    text.parse()
        .map_err(|error| exec_datafusion_err!("{error}"))
}
