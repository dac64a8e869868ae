//! The documents in files of any kind. The content of a file decides its kind, never its name:
//!
//! | file | documents |
//! | --- | --- |
//! | WARC, ARC, WACZ, compressed or not | the responses, resources and conversions |
//! | SequenceFile | the values |
//! | zip and tar packages, compressed or not | the members |
//! | EPUB, DOCX, ODT and other formats that are zip packages themselves | the file |
//! | MBOX, compressed or not | the messages |
//! | compressed files | the content |
//! | other files | the file |
//!
//! The readers of the crates do the work. Packages and archives inside packages are not opened:
//! they are documents themselves.
//!
//! ```text
//! reader   opens a file with the reader of its kind
//! detect   detects the kind of a file
//! mapped   records of other readers with the columns of documents
//! mailbox  the messages of a mailbox, one at a time
//! columns  the columns
//! ```

mod columns;
mod detect;
mod mailbox;
mod mapped;
mod reader;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use datafusion::common::Result;

use self::columns::COLUMNS;
use super::sequence_file::SequenceFileFormat;
use super::warc::WarcFormat;
use crate::options::Options;
use crate::sources::format::RecordFormat;
use corpus_bytes::columns::Column;
use corpus_bytes::compression::has_extension;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};

/// A table of the documents in files of any kind.
#[derive(Debug)]
pub struct DocumentsFormat;

impl RecordFormat for DocumentsFormat {
    fn name(&self) -> &'static str {
        "DOCUMENTS"
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    /// Every file may be a document.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn splittable(&self) -> bool {
        true
    }

    /// Archives and SequenceFiles are recognized by their names here. A file with another name is
    /// read in one range, whatever it is.
    fn max_ranges(&self, name: &str) -> u64 {
        let formats: [&dyn RecordFormat; 2] =
            [&WarcFormat::default(), &SequenceFileFormat::default()];
        let mut formats = formats.into_iter();
        let format = formats.find(|format| has_extension(name, format.extensions()));
        format.map_or(1, |format| format.max_ranges(name))
    }

    fn records_are_files(&self) -> bool {
        true
    }

    fn with_options(&self, _options: &Options) -> Result<Arc<dyn RecordFormat>> {
        Ok(Arc::new(Self))
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        reader::open(request)
    }
}
