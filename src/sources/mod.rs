//! Sources: tables of raw records.
//!
//! The generic half is shared by all formats: `location` finds files, `table` and `scan` plan
//! and open them, `batches` turns records into Arrow. A format adds one folder or file with a
//! [`format::RecordFormat`] and a [`RecordReader`](corpus_bytes::record::RecordReader), and one
//! line in [`formats`].

pub mod arguments;
pub mod batches;
pub mod counters;
pub mod events;
pub mod files;
pub mod filter;
pub mod format;
pub mod in_order;
pub mod index;
pub mod indexed;
pub mod json_lines;
pub mod lines;
pub mod location;
pub mod mediawiki;
pub mod recognize;
pub mod register;
pub mod remote;
pub mod scan;
#[cfg(feature = "search")]
pub mod search;
pub mod sequence_file;
pub mod table;
mod transfer;
pub mod warc;

use std::sync::Arc;

use files::FilesFormat;
use format::RecordFormat;
use lines::LinesFormat;
use mediawiki::MediaWikiFormat;
use sequence_file::SequenceFileFormat;
use warc::WarcFormat;

/// Every format that is a source.
pub fn formats() -> Vec<Arc<dyn RecordFormat>> {
    vec![
        Arc::new(WarcFormat::default()),
        Arc::new(SequenceFileFormat::default()),
        Arc::new(FilesFormat::files()),
        Arc::new(FilesFormat::hocr()),
        Arc::new(FilesFormat::pdf()),
        Arc::new(LinesFormat),
        Arc::new(MediaWikiFormat),
    ]
}
