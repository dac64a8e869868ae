//! Helpers for the tests of result writers.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use super::ResultWriter;

/// Two rows with a NULL, wide characters, and a value with markup, a newline and an escape.
pub fn sample() -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([
        (
            "n",
            Arc::new(Int64Array::from(vec![Some(1), None])) as ArrayRef,
            true,
        ),
        (
            "text",
            Arc::new(StringArray::from(vec!["日本", "a|b\nc\u{1b}[2J"])) as ArrayRef,
            true,
        ),
    ])
    .unwrap()
}

/// The output of a writer for these batches.
pub fn written(mut writer: impl ResultWriter, batches: &[RecordBatch]) -> String {
    let mut out = Vec::new();
    writer.begin(&batches[0].schema(), &mut out).unwrap();
    for batch in batches {
        writer.batch(batch, &mut out).unwrap();
    }
    writer.end(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}
