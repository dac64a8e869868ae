//! Describes a format: its SQL name, its columns, its options, and how a file is opened.

pub mod index;

use std::fmt::Debug;
use std::sync::Arc;

use datafusion::common::Result;

use self::index::RecordIndex;
use crate::options::{FormatOption, Options};
use corpus_bytes::columns::Column;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};
use corpus_bytes::record_locations::Expected;

/// A kind of file that is a table of records.
pub trait RecordFormat: Debug + Send + Sync + 'static {
    /// The name after `STORED AS`; the table function is `read_` and the name in lower case.
    fn name(&self) -> &'static str;

    /// The columns, `source_file` first and `error` last.
    fn columns(&self) -> &'static [Column];

    /// The extensions of this format's files, without compression (`pdf` covers `pdf.gz`). Other
    /// files in a folder are skipped; an empty list takes every file.
    fn extensions(&self) -> &'static [&'static str];

    /// The extensions for which `FROM 'file.extension'` selects this format.
    fn direct_extensions(&self) -> &'static [&'static str] {
        self.extensions()
    }

    /// Whether a file with this decompressed start is of this format; `None` if the start does not
    /// decide. Called when other formats have the same extensions.
    fn recognizes(&self, _start: &[u8]) -> Option<bool> {
        None
    }

    /// Whether byte ranges of one file can be read independently.
    fn splittable(&self) -> bool {
        false
    }

    /// The maximum number of ranges into which a file of this name can be divided at little extra
    /// cost.
    fn max_ranges(&self, _name: &str) -> u64 {
        u64::MAX
    }

    /// Whether records are whole files. Reading one is so expensive that even dynamic filters, such
    /// as those of joins, are evaluated for every record.
    fn records_are_files(&self) -> bool {
        false
    }

    fn options(&self) -> &'static [FormatOption] {
        &[]
    }

    /// Returns the same format with these options, which have been checked.
    fn with_options(&self, options: &Options) -> Result<Arc<dyn RecordFormat>>;

    /// The options from which [`with_options`](Self::with_options) recreates this format. They
    /// include what [`fitted_to`](Self::fitted_to) has detected.
    fn configuration(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Opens a file or range for reading. An error concerns the file as a whole.
    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError>;

    /// Returns the same format with columns fitted to this file, the first of a table; `None` keeps
    /// the columns. Called once, when a table is opened.
    fn fitted_to(&self, _first: &dyn FileBytes) -> Option<Arc<dyn RecordFormat>> {
        None
    }

    /// The index that the options name, if any.
    fn index(&self) -> Option<Arc<dyn RecordIndex>> {
        None
    }

    /// The query, file or table that names the records to read, if the options have one.
    fn records(&self) -> Option<&str> {
        None
    }

    /// Describes how a record differs from its index entry; `None` if they agree.
    fn mismatch(&self, _record: &dyn RecordReader, _expected: &Expected) -> Option<String> {
        None
    }

    /// Whether only the records that an index or a query names are read.
    fn is_indexed(&self) -> bool {
        self.index().is_some() || self.records().is_some()
    }

    /// Opens the single record that an index has located at the start of the request's range. The
    /// file may be bounded to the end of the record.
    fn open_record(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        self.open(request)
    }
}
