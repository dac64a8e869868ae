//! Lines of text files, plain or compressed: every line is a row.

use std::sync::Arc;

use datafusion::common::Result;

use crate::options::Options;
use crate::sources::format::RecordFormat;
use corpus_bytes::columns::Column;
use corpus_bytes::compression::strip_compression_extension;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};
use corpus_packages::lines::{COLUMNS, LineRecords};

#[derive(Debug)]
pub struct LinesFormat;

impl RecordFormat for LinesFormat {
    fn name(&self) -> &'static str {
        "LINES"
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    /// Every file may be text.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn splittable(&self) -> bool {
        true
    }

    fn max_ranges(&self, name: &str) -> u64 {
        if strip_compression_extension(name) == name {
            u64::MAX
        } else {
            1
        }
    }

    fn with_options(&self, _options: &Options) -> Result<Arc<dyn RecordFormat>> {
        Ok(Arc::new(Self))
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        Ok(Box::new(LineRecords::open(request)?))
    }
}
