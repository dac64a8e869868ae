//! Prepares the text of a file for the parser.

use bytes::Bytes;
use datafusion::common::Result;
use futures::stream::BoxStream;

use super::escapes::Escapes;
use super::non_numbers::NonNumbers;
use super::stage::through;
use super::value_lines::ValueLines;

/// Returns the text with one record per line, without escapes beyond ASCII, and without NaN.
/// `at_start`: whether it begins at the start of the file.
pub fn lines_of(
    chunks: BoxStream<'static, Result<Bytes>>,
    at_start: bool,
    spans_lines: bool,
) -> BoxStream<'static, Result<Bytes>> {
    let chunks = through(chunks, Escapes::new(at_start));
    let chunks = through(chunks, NonNumbers::default());
    if spans_lines {
        through(chunks, ValueLines::default())
    } else {
        chunks
    }
}
