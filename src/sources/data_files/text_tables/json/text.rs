//! Prepares the text of a file for the parser.

use bytes::Bytes;
use datafusion::common::Result;
use futures::stream::BoxStream;

use super::array::ArrayLines;
use super::escapes::Escapes;
use super::stage::through;

/// Returns the text with one record per line and without escapes beyond ASCII. `at_start`: whether
/// it begins at the start of the file.
pub fn lines_of(
    chunks: BoxStream<'static, Result<Bytes>>,
    at_start: bool,
    is_array: bool,
) -> BoxStream<'static, Result<Bytes>> {
    let chunks = through(chunks, Escapes::new(at_start));
    if is_array {
        through(chunks, ArrayLines::default())
    } else {
        chunks
    }
}
