//! Stages that change the text of a file, chunk by chunk, before it is parsed.

use bytes::Bytes;
use datafusion::common::{Result, exec_datafusion_err};
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};

/// One step that transforms a text.
pub trait Stage: Send + 'static {
    /// Transforms a chunk. An error describes what is wrong with the file.
    fn push(&mut self, chunk: Bytes) -> Result<Bytes, String>;

    /// Returns the rest after the last chunk.
    fn finish(&mut self) -> Result<Bytes, String>;
}

/// Sends a text through a stage.
pub fn through(
    chunks: BoxStream<'static, Result<Bytes>>,
    stage: impl Stage,
) -> BoxStream<'static, Result<Bytes>> {
    let ends = chunks.map_ok(Some).chain(stream::iter([Ok(None)]));
    let changed = ends.scan(stage, |stage, chunk| {
        let changed = chunk.and_then(|chunk| {
            let changed = match chunk {
                Some(chunk) => stage.push(chunk),
                None => stage.finish(),
            };
            changed.map_err(|what| exec_datafusion_err!("the file {what}"))
        });
        futures::future::ready(Some(changed))
    });
    let is_left = |chunk: &Bytes| futures::future::ready(!chunk.is_empty());
    changed.try_filter(is_left).boxed()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Sends a text through a stage in chunks of several sizes, which must give the same result.
    pub fn in_all_chunks<S: Stage>(text: &[u8], stage: impl Fn() -> S) -> Result<Vec<u8>, String> {
        let in_chunks = |size: usize| {
            let mut stage = stage();
            let mut changed = Vec::new();
            for chunk in text.chunks(size) {
                changed.extend(stage.push(Bytes::copy_from_slice(chunk))?);
            }
            changed.extend(stage.finish()?);
            Ok(changed)
        };
        let whole = in_chunks(text.len().max(1));
        for size in 1..text.len() {
            assert_eq!(in_chunks(size), whole, "in chunks of {size}");
        }
        whole
    }
}
