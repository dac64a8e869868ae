//! The index of a format: finds the records that may pass a filter.

use std::fmt::Debug;
use std::sync::Arc;

use corpus_bytes::file::FileBytes;
use corpus_bytes::record_locations::Findings;
use datafusion::logical_expr::Expr;

/// One file of an index.
pub struct IndexFile {
    pub bytes: Arc<dyn FileBytes>,
    pub is_local: bool,
}

/// An index that the options of a format name.
pub trait RecordIndex: Debug + Send + Sync {
    /// The location of its files.
    fn location(&self) -> &str;

    /// Whether a filter reduces the records that have to be read.
    fn uses(&self, filter: &Expr) -> bool;

    /// Finds every record in one file of the index that may pass the filters. An error ends the
    /// query; it says what is wrong with the file, and where.
    fn find(
        &self,
        file: &IndexFile,
        filters: &[Expr],
        findings: &mut Findings,
    ) -> Result<(), String>;
}
