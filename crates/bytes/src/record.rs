//! The interface of a framing: plain Rust over bytes, without Arrow, DataFusion or its own I/O.
//!
//! The engine turns this into a table. It asks a [`RecordReader`] for one record after the other,
//! and for each record only for the columns that the query needs:
//!
//! ```text
//! while reader.advance() {            // the head of the next record
//!     filter on head columns          // value(column) of the columns in the pushed-down filter
//!     reader.load(payload_wanted)     // read, skip or check the payload; settles error()
//!     value(column) of every projected column
//! }
//! ```

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::file::FileBytes;

/// One value of one column of the current record, borrowed from the reader.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Null,
    Text(&'a str),
    Bytes(&'a [u8]),
    Integer(i64),
    Double(f64),
    Boolean(bool),
    /// Microseconds since the epoch, UTC.
    Timestamp(i64),
    /// Name and value pairs in their order, repeats kept.
    Pairs(&'a [(String, String)]),
}

/// A request to read one file, or a byte range of it.
#[derive(Clone)]
pub struct ReadRequest {
    pub file: Arc<dyn FileBytes>,
    /// The name that the column `source_file` shows.
    pub name: Arc<str>,
    /// The reader owns the records that start in this range (and reads past its end to
    /// complete the last of them).
    pub range: Range<u64>,
    /// Maximum size of a payload. Larger payloads are truncated.
    pub max_record_bytes: usize,
    /// The time of the last change of the file, in microseconds since the epoch, if it is known.
    pub modified: Option<i64>,
    /// The columns that the query reads, filters included. Work for other columns may be skipped.
    pub columns: ColumnSet,
}

/// A set of columns of a framing's schema, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ColumnSet(u64);

impl ColumnSet {
    pub const ALL: Self = Self(u64::MAX);

    pub fn contains(self, column: usize) -> bool {
        column < 64 && self.0 & (1 << column) != 0
    }
}

impl FromIterator<usize> for ColumnSet {
    fn from_iter<I: IntoIterator<Item = usize>>(columns: I) -> Self {
        Self(
            columns
                .into_iter()
                .fold(0, |set, column| set | (1 << column)),
        )
    }
}

/// The reason of errors of the storage or the network.
pub const READ_ERROR: &str = "read error";

/// The error of one record, or of the bytes between two records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordError {
    /// A short, constant reason, by which the summary of a run counts errors.
    pub reason: &'static str,
    /// The details, for a person who examines the file.
    pub detail: String,
}

impl RecordError {
    pub fn new(reason: &'static str, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: detail.into(),
        }
    }

    pub fn io(error: &io::Error) -> Self {
        Self::new(READ_ERROR, error.to_string())
    }

    /// The error of a payload that is cut at this limit.
    pub fn content_cut(limit: usize) -> Self {
        let detail = format!("longer than corpus.max_record_bytes, {limit} bytes");
        Self::new("content cut", detail)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.detail.is_empty() {
            f.write_str(self.reason)
        } else {
            write!(f, "{}: {}", self.reason, self.detail)
        }
    }
}

impl std::error::Error for RecordError {}

/// Iterates the records of one [`ReadRequest`].
///
/// Damage never ends the iteration: it becomes a separate record, or a property of the damaged
/// record, whose [`error`](Self::error) describes it.
pub trait RecordReader: Send {
    /// Moves to the next record and reads its head. `false` at the end of the range.
    fn advance(&mut self) -> bool;

    /// Completes the current record: reads its payload if `payload` is true, otherwise only the
    /// bytes needed to validate the record. Not called for records that the filter drops; `advance`
    /// then has to skip them.
    fn load(&mut self, payload: bool);

    /// The value of a column, by its index in the framing's schema.
    /// Head columns are valid after `advance`, the others after `load`.
    fn value(&self, column: usize) -> Value<'_>;

    /// The error of the current record. It is final after `load`; before that, it only covers
    /// damage that is already known.
    fn error(&self) -> Option<&RecordError>;

    /// The offset of the current record, for messages.
    fn offset(&self) -> u64;
}

/// The reader of a range in which no record starts.
#[derive(Debug)]
pub struct NoRecords;

impl RecordReader for NoRecords {
    fn advance(&mut self) -> bool {
        false
    }

    fn load(&mut self, _payload: bool) {}

    fn value(&self, _column: usize) -> Value<'_> {
        Value::Null
    }

    fn error(&self) -> Option<&RecordError> {
        None
    }

    fn offset(&self) -> u64 {
        0
    }
}
