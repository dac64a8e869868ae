//! Access to single records by a CDXJ or CDX index.
//!
//! By default all lines of an index are read, whatever their order and keys, because only that
//! could prove an order. The option `index_order` declares that they are sorted, and bisection then
//! reads a few blocks of each file.

use corpus_bytes::record_locations::Findings;
use corpus_warc::index::{CdxFile, IndexError, UrlFilter};
use datafusion::logical_expr::Expr;

use super::filters;
use crate::sources::format::index::{IndexFile, RecordIndex};

/// Larger remote files are read completely only if the user sets the option `index_order`.
const MAX_REMOTE_BYTES: u64 = 256 << 20;

/// The option that declares the order of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IndexOrder {
    /// Not declared: all lines are read, except from large remote files, which are an error.
    #[default]
    Unknown,
    /// All lines are read.
    Any,
    /// The lines are sorted by the bytes of their keys, which are `url_surt` of the URLs.
    Sorted,
}

/// Lines of CDXJ (`key timestamp {"url": …, "offset": …, "length": …, "filename": …}`) or CDX.
#[derive(Debug)]
pub struct CdxIndex {
    pub location: String,
    pub order: IndexOrder,
}

impl RecordIndex for CdxIndex {
    fn location(&self) -> &str {
        &self.location
    }

    fn uses(&self, filter: &Expr) -> bool {
        filters::wanted(filter).is_some()
    }

    fn find(
        &self,
        file: &IndexFile,
        filters: &[Expr],
        findings: &mut Findings,
    ) -> Result<(), String> {
        // All filters must hold, so the one with the fewest keys is enough.
        let wanted = filters
            .iter()
            .filter_map(filters::wanted)
            .min_by_key(UrlFilter::range_count);
        let index = CdxFile::open(&file.bytes).map_err(|error| error.to_string())?;
        let found = match &wanted {
            Some(wanted) if !index.is_compressed() && self.bisects(file)? => {
                index.find_sorted(wanted, findings)
            }
            _ => index.find(wanted.as_ref(), findings),
        };
        found.map_err(|error| with_hint(&error))
    }
}

impl CdxIndex {
    /// Whether to bisect instead of reading all lines.
    fn bisects(&self, file: &IndexFile) -> Result<bool, String> {
        let size = file.bytes.size();
        if self.order == IndexOrder::Unknown && !file.is_local && size > MAX_REMOTE_BYTES {
            return Err(format!(
                "it has {} MiB, and is not declared to be sorted: add the option 'index_order' with \
                 'sorted' if 'LC_ALL=C sort' made it, or with 'any' to transfer all of it",
                size >> 20
            ));
        }
        Ok(self.order == IndexOrder::Sorted)
    }
}

/// The message of an error, with advice about a wrong declaration.
fn with_hint(error: &IndexError) -> String {
    match error {
        IndexError::NotSorted { .. } => format!("{error}, or leave out the option 'index_order'"),
        IndexError::OtherKeys { .. } => {
            format!("{error}: leave out the option 'index_order' to find records by their URLs")
        }
        error => error.to_string(),
    }
}
