//! SQL functions of texts: normal forms, parts, measures, rules, personal data.
//!
//! ```text
//! normalize   normal forms
//! parts       lines, sentences, words
//! lines       lists of lines
//! lists       words and passages of lists
//! measures    counts of characters, compression
//! quality     quality rules
//! characters  quality rules by characters
//! pii         personal data
//! hash        hashes
//! ```

mod characters;
mod hash;
mod lines;
mod lists;
mod measures;
mod normalize;
mod parts;
mod pii;
mod quality;

use std::borrow::Cow;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::function::Parameter;

/// The type of every text argument.
const TEXT: DataType = DataType::LargeUtf8;

/// The argument that all these functions have.
const TEXT_ARGUMENT: Parameter = Parameter::text("text", "The text.");

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    [
        hash::functions(),
        lines::functions(),
        lists::functions(),
        measures::functions(),
        normalize::functions(),
        parts::functions(),
        pii::functions(),
        characters::functions(),
        quality::functions(),
    ]
    .concat()
}

/// The texts of an argument.
fn texts(argument: &ArrayRef) -> impl Iterator<Item = Option<&str>> {
    argument.as_string::<i64>().iter()
}

/// Changes each text.
fn map_texts<'a>(
    argument: &'a ArrayRef,
    change: impl Fn(&'a str) -> Cow<'a, str>,
) -> Result<ArrayRef> {
    let array = argument.as_string::<i64>();
    let mut changed = LargeStringBuilder::with_capacity(array.len(), array.values().len());
    for text in array {
        changed.append_option(text.map(&change));
    }
    Ok(Arc::new(changed.finish()))
}
