//! WARC and ARC files: plain, gzip, zstd, lz4, and WACZ packages of them. Records are read by
//! `corpus_warc`; an index (`index`, `filters`) or a query names the records to read.

mod filters;
mod index;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use corpus_bytes::columns::Column;
use corpus_bytes::compression::strip_compression_extension;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};
use corpus_bytes::record_locations::Expected;
use corpus_warc::columns::{COLUMNS, PAYLOAD_DIGEST, TARGET_URI};
use datafusion::common::{Result, plan_err};

use self::index::{CdxIndex, IndexOrder};
use crate::options::{FormatOption, Options};
use crate::sources::format::RecordFormat;
use crate::sources::format::index::RecordIndex;
use crate::sources::indexed::records::RECORDS;

/// The option that names an index.
const INDEX: FormatOption = FormatOption::text(
    "index",
    "CDXJ or CDX files (a file, folder, glob or URL) that name the records to read, relative to \
     the location; a filter on target_uri or url_surt(target_uri) selects among these",
);

/// The option that declares the order of its lines.
const INDEX_ORDER: FormatOption = FormatOption::one_of(
    "index_order",
    &["sorted", "any"],
    None,
    "`sorted` declares that an index is sorted (`LC_ALL=C sort`) by the keys of url_surt, so it is \
     bisected; `any` reads all lines, also of remote files above 256 MiB, an error by default",
);

/// The option that names records by a query.
const RECORDS_OPTION: FormatOption = FormatOption::text(
    RECORDS,
    "a query, or a Parquet file or table, of the records to read: warc_filename, \
     warc_record_offset, warc_record_length (or filename, offset, length); url and content_digest \
     are compared with the record found",
);

/// The maximum number of ranges of an uncompressed file.
const MAX_PLAIN_RANGES: u64 = 16;

/// Web archives: every record is a row.
#[derive(Debug, Clone, Default)]
pub struct WarcFormat {
    /// The index that names the records to read, if any.
    index: Option<Arc<CdxIndex>>,
    /// The query that names them, if any.
    records: Option<Arc<str>>,
}

impl RecordFormat for WarcFormat {
    fn name(&self) -> &'static str {
        "WARC"
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[
            "warc",
            "arc",
            "wet",
            "wat",
            "wacz",
            "warc.open",
            "warc.gz.open",
            "arc.gz.open",
        ]
    }

    /// Every range of an uncompressed file walks from the start of the file.
    fn max_ranges(&self, name: &str) -> u64 {
        if strip_compression_extension(name) == name {
            MAX_PLAIN_RANGES
        } else {
            u64::MAX
        }
    }

    fn splittable(&self) -> bool {
        true
    }

    fn options(&self) -> &'static [FormatOption] {
        &[INDEX, INDEX_ORDER, RECORDS_OPTION]
    }

    fn with_options(&self, options: &Options) -> Result<Arc<dyn RecordFormat>> {
        let order = match options.get(&INDEX_ORDER) {
            Some("sorted") => IndexOrder::Sorted,
            Some(_) => IndexOrder::Any,
            None => IndexOrder::Unknown,
        };
        let index = match options.get(&INDEX) {
            Some(location) => Some(Arc::new(CdxIndex {
                location: location.to_owned(),
                order,
            })),
            None if order == IndexOrder::Unknown => None,
            None => {
                return plan_err!(
                    "option '{}' needs the option '{}'",
                    INDEX_ORDER.name,
                    INDEX.name
                );
            }
        };
        let records = options.get(&RECORDS_OPTION).map(Arc::from);
        Ok(Arc::new(Self { index, records }))
    }

    fn configuration(&self) -> Vec<(&'static str, String)> {
        let index = self.index.as_ref();
        let location = index.map(|index| (INDEX.name, index.location.clone()));
        let order = index.and_then(|index| match index.order {
            IndexOrder::Sorted => Some("sorted"),
            IndexOrder::Any => Some("any"),
            IndexOrder::Unknown => None,
        });
        let order = order.map(|order| (INDEX_ORDER.name, order.to_owned()));
        let records = self.records.as_deref();
        let records = records.map(|records| (RECORDS_OPTION.name, records.to_owned()));
        location.into_iter().chain(order).chain(records).collect()
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        corpus_warc::open(request)
    }

    fn index(&self) -> Option<Arc<dyn RecordIndex>> {
        let index = self.index.clone()?;
        Some(index)
    }

    fn records(&self) -> Option<&str> {
        self.records.as_deref()
    }

    fn mismatch(&self, record: &dyn RecordReader, expected: &Expected) -> Option<String> {
        let text = |column| match record.value(column) {
            Value::Text(text) => Some(text),
            _ => None,
        };
        corpus_warc::index::mismatch(expected, text(TARGET_URI), text(PAYLOAD_DIGEST))
    }

    fn open_record(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        corpus_warc::open_record(request)
    }
}
