//! Sinks: files that appear only when they are complete.
//!
//! ```text
//! copy           plans a COPY
//! target         the target of a COPY, and its existing files
//! names          checks that a file's name agrees with its format
//! compression    the compression of text files
//! complete       runs a COPY; a failed one leaves no files
//! destination    holds the files until all are complete
//! staged_store   files held in a folder beside the target
//! held_store     files held in a bucket
//! open_upload    multipart uploads that leave nothing when cancelled
//! resume         continues an earlier run
//! run_lock       keeps two runs from writing one folder
//! format         the trait of a format
//! files          STORED AS FILES
//! search         search indexes
//! sequence_file  Hadoop's SequenceFiles
//! warc           WARC
//! xlsx           Excel
//! columns        conversions to the types of a format
//! encoded        encodes batches in parallel
//! error_rows     counts the rows with an error
//! duplicate_ids  counts documents that share ids
//! ```

mod columns;
pub mod complete;
pub mod compression;
pub mod copy;
mod destination;
pub mod duplicate_ids;
mod encoded;
pub mod error_rows;
pub mod files;
pub mod format;
mod held_store;
pub mod names;
mod open_upload;
pub mod resume;
pub mod run_lock;
#[cfg(feature = "search")]
pub mod search;
pub mod sequence_file;
mod staged_store;
pub mod target;
pub mod warc;
mod xlsx;

use std::sync::Arc;

use self::files::FilesSink;
use self::format::SinkFormat;
#[cfg(feature = "search")]
use self::search::SearchIndexSink;
use self::sequence_file::SequenceFileSink;
use self::warc::WarcSink;
use self::xlsx::XlsxSink;

/// Returns our formats that `COPY` writes.
pub fn formats() -> Vec<Arc<dyn SinkFormat>> {
    Vec::from([
        Arc::new(FilesSink) as Arc<dyn SinkFormat>,
        #[cfg(feature = "search")]
        Arc::new(SearchIndexSink),
        Arc::new(SequenceFileSink),
        Arc::new(WarcSink::default()),
        Arc::new(XlsxSink),
    ])
}

/// Returns our format with this name or extension.
pub fn format(name: &str) -> Option<Arc<dyn SinkFormat>> {
    let named = |sink: &Arc<dyn SinkFormat>| {
        sink.name().eq_ignore_ascii_case(name) || sink.extension().eq_ignore_ascii_case(name)
    };
    formats().into_iter().find(named)
}
