//! SQL functions of texts: normal forms, parts, measures, rules, personal data.

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

/// The type of every text argument.
const TEXT: DataType = DataType::LargeUtf8;

/// The argument that all these functions have.
const TEXT_ARGUMENT: (&str, &str) = ("text", "The text.");

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    vec![
        hash::text_hash().into(),
        hash::text_hash128().into(),
        lines::text_join_short().into(),
        lines::text_repeats().into(),
        lists::text_find_words().into(),
        lists::text_remove_boilerplate().into(),
        measures::text_characters().into(),
        measures::text_compression_ratio().into(),
        normalize::text_clean().into(),
        normalize::text_collapse_space().into(),
        normalize::text_normalize().into(),
        normalize::text_remove_citations().into(),
        normalize::text_repair_mojibake().into(),
        normalize::text_unify_width().into(),
        parts::text_lines().into(),
        parts::text_paragraphs().into(),
        parts::text_sentences().into(),
        parts::text_word_spans().into(),
        parts::text_words().into(),
        pii::text_mask_pii().into(),
        characters::quality_characters().into(),
        characters::quality_japanese().into(),
        quality::quality_c4().into(),
        quality::quality_fineweb().into(),
        quality::quality_gopher().into(),
        quality::quality_gopher_repetition().into(),
        quality::quality_rules().into(),
    ]
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
