//! Sinks: files that appear only when they are complete.

pub mod complete;
mod encoded;
pub mod files;
pub mod format;
mod held_store;
pub mod sequence_file;
pub mod warc;

use std::sync::Arc;

use self::files::FilesSink;
use self::format::SinkFormat;
use self::sequence_file::SequenceFileSink;
use self::warc::WarcSink;
use crate::search::sink::SearchIndexSink;

/// Every format of ours that `COPY` writes.
pub fn formats() -> Vec<Arc<dyn SinkFormat>> {
    vec![
        Arc::new(FilesSink),
        Arc::new(SearchIndexSink),
        Arc::new(SequenceFileSink),
        Arc::new(WarcSink),
    ]
}

/// Whether the files of a `COPY` in this format are held back until it succeeded, as all are but
/// those of formats that see to it in another way.
pub fn appears_at_once(format: &str) -> bool {
    let named = |sink: &Arc<dyn SinkFormat>| sink.name().eq_ignore_ascii_case(format);
    formats()
        .into_iter()
        .find(named)
        .is_none_or(|sink| sink.appears_at_once())
}
