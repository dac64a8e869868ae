//! What a format says of itself: its SQL name, its columns, its options, and how a file is read.

use std::fmt::Debug;
use std::sync::Arc;

use datafusion::common::Result;

use super::index::RecordIndex;
use crate::options::{FormatOption, Options};
use corpus_bytes::columns::Column;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};

/// A kind of file that is a table of records.
pub trait RecordFormat: Debug + Send + Sync + 'static {
    /// The name after `STORED AS`; the table function is `read_` and the name in lower case.
    fn name(&self) -> &'static str;

    /// The columns, `source_file` first and `error` last.
    fn columns(&self) -> &'static [Column];

    /// Endings of the file names that are this format's, without compression (`pdf` covers
    /// `pdf.gz`). Where a location is a folder, other files in it are passed over; no endings
    /// means that every file is taken.
    fn endings(&self) -> &'static [&'static str];

    /// Endings by which `FROM 'file.ending'` finds this format.
    fn direct_endings(&self) -> &'static [&'static str] {
        self.endings()
    }

    /// Whether a file of this start, decompressed, is of this format; `None` if the start does not
    /// tell. Asked where other formats have the same endings.
    fn recognizes(&self, _start: &[u8]) -> Option<bool> {
        None
    }

    /// Whether byte ranges of one file can be read independently.
    fn splittable(&self) -> bool {
        false
    }

    /// The number of ranges of a file of this name that cost little more than the whole file.
    fn max_ranges(&self, _name: &str) -> u64 {
        u64::MAX
    }

    /// Whether records are whole files. To read one costs so much that filters are asked about
    /// every record even if they become known only while the query runs, as those of a join do.
    fn records_are_files(&self) -> bool {
        false
    }

    fn options(&self) -> &'static [FormatOption] {
        &[]
    }

    /// The same format with its options set, which have been checked.
    fn with_options(&self, options: &Options) -> Result<Arc<dyn RecordFormat>>;

    /// Starts to read one file or range. An error is one of the file as a whole.
    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError>;

    /// The same format with the columns that suit this file, the first of a table's; `None`
    /// leaves them as they are. Asked once, when a table is opened.
    fn fitted_to(&self, _first: &dyn FileBytes) -> Option<Arc<dyn RecordFormat>> {
        None
    }

    /// The index that the options name, if they name one.
    fn index(&self) -> Option<Arc<dyn RecordIndex>> {
        None
    }

    /// Reads the one record that an index says to start where the request's range does. The
    /// file may end with the record.
    fn open_record(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        self.open(request)
    }
}
