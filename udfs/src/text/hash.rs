//! Hashes of texts.

use std::sync::Arc;

use corpus_columns::{Cell, ColumnBuilder, Hash128, Hash128Column};
use corpus_dedup::hash::{hash64, hash128};
use datafusion::arrow::array::{ArrayRef, Int64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::{TEXT_ARGUMENT, texts};
use crate::function::functions;
use crate::settings::CorpusSettings;

const SECTION: &str = "Text Functions";

functions! {
    SECTION;

    /// Returns a hash of 64 bits (XXH3 of the UTF-8 bytes) as a signed number. Among a billion
    /// texts, two have the same hash with a probability of 3 %.
    ///
    /// > SELECT text_hash('文書');
    /// 7388748676075912343
    text_hash(TEXT_ARGUMENT) -> DataType::Int64;

    /// Returns a hash of 128 bits (XXH3 of the UTF-8 bytes). Texts with the same hash are the same
    /// in practice; `text_hash` takes less memory.
    ///
    /// > SELECT encode(text_hash128('文書'), 'hex');
    /// 27cad10331d72fa5369bdde5b42e9f12
    text_hash128(TEXT_ARGUMENT) -> Hash128Column::data_type();
}

fn text_hash(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let hash = |text: &str| hash64(text).cast_signed();
    let hashes: Int64Array = texts(&args[0]).map(|text| text.map(hash)).collect();
    Ok(Arc::new(hashes))
}

fn text_hash128(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut hashes = Hash128Column::default();
    for text in texts(&args[0]) {
        text.map(|text| Hash128(hash128(text)))
            .append_to(&mut hashes);
    }
    Ok(hashes.finish()?)
}
