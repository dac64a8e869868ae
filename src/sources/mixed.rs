//! The documents in files of any kind, told apart by their content. Records are read by
//! `corpus_documents`.

use std::sync::Arc;

use datafusion::common::Result;

use super::format::RecordFormat;
use super::sequence_file::SequenceFileFormat;
use super::warc::WarcFormat;
use crate::options::Options;
use corpus_bytes::columns::Column;
use corpus_bytes::compression::has_ending;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};
use corpus_documents::COLUMNS;

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
    fn endings(&self) -> &'static [&'static str] {
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
        let format = formats.find(|format| has_ending(name, format.endings()));
        format.map_or(1, |format| format.max_ranges(name))
    }

    fn records_are_files(&self) -> bool {
        true
    }

    fn with_options(&self, _options: &Options) -> Result<Arc<dyn RecordFormat>> {
        Ok(Arc::new(Self))
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        corpus_documents::open(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_archives_are_read_in_ranges() {
        for (name, is_cut) in [
            ("a.warc.gz", true),
            ("a.warc", true),
            ("a.seq", true),
            ("a.zip", false),
            ("a.docx", false),
            ("a", false),
        ] {
            assert_eq!(DocumentsFormat.max_ranges(name) > 1, is_cut, "{name}");
        }
    }
}
