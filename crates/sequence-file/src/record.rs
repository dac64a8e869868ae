//! A record as an owned value.

use corpus_bytes::record::RecordError;

use crate::writable::Datum;

/// A key and its value, or a damaged place between records.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// The offset of the record; in a block-compressed file, of the sync mark before its block.
    pub offset: u64,
    pub key: Datum,
    pub value: Datum,
    /// Whether the value was cut at the limit.
    pub is_cut: bool,
    /// The error of the record, if any.
    pub error: Option<RecordError>,
}
