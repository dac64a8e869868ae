//! Pages of MediaWiki XML exports, such as Wikipedia's dumps: every revision is a row.

use std::sync::Arc;

use datafusion::common::Result;

use crate::options::Options;
use crate::sources::format::RecordFormat;
use corpus_bytes::columns::Column;
use corpus_bytes::compression::strip_compression_extension;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};
use corpus_mediawiki::{COLUMNS, PageRecords, is_export};

#[derive(Debug)]
pub struct MediaWikiFormat;

impl RecordFormat for MediaWikiFormat {
    fn name(&self) -> &'static str {
        "MEDIAWIKI"
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xml"]
    }

    fn recognizes(&self, start: &[u8]) -> Option<bool> {
        Some(is_export(start))
    }

    fn splittable(&self) -> bool {
        true
    }

    /// Only uncompressed and bzip2 files can be divided.
    fn max_ranges(&self, name: &str) -> u64 {
        let name = name.to_ascii_lowercase();
        let is_whole = !name.ends_with(".bz2") && strip_compression_extension(&name) != name;
        if is_whole { 1 } else { u64::MAX }
    }

    fn with_options(&self, _options: &Options) -> Result<Arc<dyn RecordFormat>> {
        Ok(Arc::new(Self))
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        Ok(Box::new(PageRecords::open(request)?))
    }
}
