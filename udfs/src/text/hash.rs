//! Hashes of texts.

use std::sync::Arc;

use datafusion::arrow::array::Int64Array;
use datafusion::arrow::datatypes::DataType;
use xxhash_rust::xxh3::xxh3_64;

use super::{TEXT, TEXT_ARGUMENT, texts};
use crate::function::{Function, document};

pub fn text_hash() -> Function {
    let documentation = document(
        "Text Functions",
        "text_hash(text)",
        "Returns a hash of 64 bits (XXH3 of the UTF-8 bytes), as a signed number. It is the same on all \
         machines and in all versions. Among a billion different texts, two have the same hash with a \
         probability of 3 %.",
        "> SELECT text_hash('文書');\n7388748676075912343",
        &[TEXT_ARGUMENT],
    );
    Function::new(
        "text_hash",
        vec![TEXT],
        DataType::Int64,
        documentation,
        |args, _| {
            let hash = |text: &str| xxh3_64(text.as_bytes()).cast_signed();
            let hashes: Int64Array = texts(&args[0]).map(|text| text.map(hash)).collect();
            Ok(Arc::new(hashes))
        },
    )
}
