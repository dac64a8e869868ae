//! Turns the records of a [`RecordReader`] into Arrow batches: evaluates the filter, projects
//! columns, limits the size of batches, and decides what happens to unreadable records.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use datafusion::arrow::array::{RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::common::{Result, exec_err};
use parking_lot::Mutex;

use super::events::{ScanEvent, Watcher};
use super::filter::RecordFilter;
use crate::object_stores::credentials::Rejection;
use crate::planner::batch_size::WIDE_BATCH_ROWS;
use crate::settings::OnError;
use corpus_bytes::blank::empty_file;
use corpus_bytes::columns::{Availability, Column, ERROR_COLUMN};
use corpus_bytes::file::FileBytes;
use corpus_bytes::local::ByteCounter;
use corpus_bytes::record::{ColumnSet, RecordError, RecordReader, Value};
use corpus_columns::record::{self, RecordColumn, schema};

/// Rows per batch when no column is read, only counted.
const COUNT_BATCH_ROWS: usize = 8192;

/// A batch of many small rows ends after about this many bytes of input. Rows then arrive steadily
/// even where payloads are skipped, and an interrupted query ends soon.
const MAX_BATCH_INPUT_BYTES: u64 = 8 << 20;

/// Counters of a scan, shared by all its partitions.
#[derive(Debug, Default)]
pub struct ScanCounters {
    pub bytes: ByteCounter,
    pub files: AtomicU64,
    pub records: AtomicU64,
    /// The records that the filter accepts.
    pub rows: AtomicU64,
    /// Records and files with errors, by reason.
    pub errors: Mutex<BTreeMap<&'static str, u64>>,
    /// The watcher of the scan, if any.
    pub watcher: OnceLock<Watcher>,
    /// The reason why no further file can be read, once there is one.
    pub rejection: Rejection,
}

impl ScanCounters {
    fn count_error(&self, error: &RecordError) {
        *self.errors.lock().entry(error.reason).or_default() += 1;
    }
}

/// The columns that a scan reads, filters and returns.
pub struct Selection {
    pub columns: &'static [Column],
    /// Indexes of the returned columns.
    pub projection: Vec<usize>,
    pub filter: Option<RecordFilter>,
}

impl Selection {
    /// The columns whose values are read. They include the error column if errors decide which rows
    /// exist: otherwise `count(*)` would count rows that a query for the payload skips.
    pub fn read_columns(&self, on_error: OnError) -> ColumnSet {
        let filtered = self.filter.iter().flat_map(|filter| &filter.columns);
        let error = match on_error {
            OnError::Row => None,
            OnError::Skip | OnError::Fail => error_index(self.columns),
        };
        let shown = self.projection.iter().chain(filtered).copied();
        shown.chain(error).collect()
    }

    fn wants_payload(&self) -> bool {
        self.projection
            .iter()
            .any(|index| self.columns[*index].availability == Availability::Payload)
    }
}

fn error_index(columns: &[Column]) -> Option<usize> {
    columns
        .iter()
        .position(|column| column.name == ERROR_COLUMN.name)
}

/// Iterates the batches of one file or range.
pub struct RecordBatches {
    reader: Box<dyn RecordReader>,
    file: Arc<str>,
    selection: Selection,
    wants_payload: bool,
    schema: SchemaRef,
    max_rows: usize,
    on_error: OnError,
    counters: Arc<ScanCounters>,
    /// The errors of this file and others.
    errors: Option<Arc<AtomicU64>>,
    /// The file, if these batches begin at its start.
    started: Option<Arc<dyn FileBytes>>,
    /// The file, which may change until its end has been read.
    watched: Option<Arc<dyn FileBytes>>,
    builders: Vec<RecordColumn>,
    filter_builders: Vec<RecordColumn>,
    done: bool,
    records: u64,
    own_errors: Cell<u64>,
}

impl RecordBatches {
    pub fn try_new(
        reader: Box<dyn RecordReader>,
        file: Arc<str>,
        selection: Selection,
        max_rows: usize,
        on_error: OnError,
        counters: Arc<ScanCounters>,
        errors: Option<Arc<AtomicU64>>,
    ) -> Result<Self> {
        let builder = |index: &usize| RecordColumn::new(selection.columns[*index].kind);
        let builders: Vec<_> = selection.projection.iter().map(builder).collect();
        let filter_builders = selection
            .filter
            .iter()
            .flat_map(|filter| &filter.columns)
            .map(builder)
            .collect();
        Ok(Self {
            schema: Arc::new(schema(selection.columns).project(&selection.projection)?),
            wants_payload: selection.wants_payload(),
            max_rows: if builders.is_empty() {
                COUNT_BATCH_ROWS
            } else {
                max_rows
            },
            reader,
            file,
            selection,
            on_error,
            counters,
            errors,
            started: None,
            watched: None,
            builders,
            filter_builders,
            done: false,
            records: 0,
            own_errors: Cell::new(0),
        })
    }

    /// Adds a row with an error if the file, whose start is read here, is empty. Without it, the
    /// file would not appear in the result.
    pub fn from_start_of(mut self, file: Option<Arc<dyn FileBytes>>) -> Self {
        self.started = file;
        self
    }

    /// Adds a row with an error if the file changes while it is read.
    pub fn watching(mut self, file: Option<Arc<dyn FileBytes>>) -> Self {
        self.watched = file;
        self
    }

    /// Moves to the next record. An error of the whole file becomes the last record.
    fn advance(&mut self) -> bool {
        if self.reader.advance() {
            self.started = None;
            return true;
        }
        let Some(error) = self.error_at_end() else {
            return false;
        };
        self.reader = Box::new(UnreadableFile::new(Arc::clone(&self.file), error));
        self.reader.advance()
    }

    /// Returns an error that is detected after the last record.
    fn error_at_end(&mut self) -> Option<RecordError> {
        if let Some(change) = self.watched.take().and_then(|file| file.change()) {
            return Some(RecordError::new(
                "file changed",
                format!("{change}, while it was read: run the query again"),
            ));
        }
        empty_file(self.started.take()?.as_ref())
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let mut rows = 0;
        let mut bytes = 0;
        let mut records = 0;
        let input_end = self.counters.bytes.load(Ordering::Relaxed) + MAX_BATCH_INPUT_BYTES;
        while rows < self.max_rows && bytes < record::MAX_BATCH_BYTES {
            if rows >= WIDE_BATCH_ROWS && self.counters.bytes.load(Ordering::Relaxed) > input_end {
                break;
            }
            if !self.advance() {
                self.done = true;
                break;
            }
            records += 1;
            if self.keep_record()? {
                if rows == 0 {
                    self.builders.iter_mut().for_each(RecordColumn::begin);
                }
                bytes += self.append_record();
                rows += 1;
            }
        }
        self.counters.records.fetch_add(records, Ordering::Relaxed);
        self.counters.rows.fetch_add(rows as u64, Ordering::Relaxed);
        self.records += records;
        if rows == 0 {
            return Ok(None);
        }
        let columns = self.builders.iter_mut().map(RecordColumn::finish);
        let arrays = columns.collect::<Result<_, ArrowError>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)?;
        Ok(Some(batch))
    }

    /// Returns whether the current record becomes a row. Counts its error, if any, in both cases.
    fn keep_record(&mut self) -> Result<bool> {
        if !self.matches_filter()? {
            if let Some(error) = self.reader.error() {
                self.count_error(error)?;
            }
            return Ok(false);
        }
        self.reader.load(self.wants_payload);
        let Some(error) = self.reader.error() else {
            return Ok(true);
        };
        self.count_error(error)?;
        match self.on_error {
            OnError::Row => Ok(true),
            OnError::Skip => Ok(false),
            OnError::Fail => exec_err!(
                "{} at offset {}: {error} (corpus.on_error is 'fail')",
                self.file,
                self.reader.offset()
            ),
        }
    }

    /// Counts an error of a file. Fails if all other files would have the same error.
    fn count_error(&self, error: &RecordError) -> Result<()> {
        if let Some(rejection) = self.counters.rejection.get() {
            return exec_err!("cannot read '{}': {rejection}", self.file);
        }
        self.counters.count_error(error);
        if let Some(Watcher(watch)) = self.counters.watcher.get() {
            watch(&ScanEvent::Error {
                file: &self.file,
                offset: self.reader.offset(),
                reason: error.reason,
                message: error.to_string(),
            });
        }
        self.own_errors.set(self.own_errors.get() + 1);
        if let Some(errors) = &self.errors {
            errors.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    fn matches_filter(&mut self) -> Result<bool> {
        match &mut self.selection.filter {
            Some(filter) => filter.matches(self.reader.as_ref(), &mut self.filter_builders),
            None => Ok(true),
        }
    }

    /// Appends the row and returns its size.
    fn append_record(&mut self) -> usize {
        let error = self.reader.error().map(ToString::to_string);
        let mut bytes = 0;
        for (builder, index) in self.builders.iter_mut().zip(&self.selection.projection) {
            let value = if self.selection.columns[*index].name == ERROR_COLUMN.name {
                error.as_deref().map_or(Value::Null, Value::Text)
            } else {
                self.reader.value(*index)
            };
            bytes += builder.append(value);
        }
        bytes
    }
}

impl Drop for RecordBatches {
    fn drop(&mut self) {
        if let Some(Watcher(watch)) = self.counters.watcher.get() {
            watch(&ScanEvent::FileEnded {
                file: &self.file,
                records: self.records,
                errors: self.own_errors.get(),
            });
        }
    }
}

impl Iterator for RecordBatches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            match self.next_batch() {
                Ok(Some(batch)) => return Some(Ok(batch)),
                Ok(None) => {}
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// The reader of a file that could not be opened: one row with its name and the error.
pub struct UnreadableFile {
    name: Arc<str>,
    error: RecordError,
    started: bool,
}

impl UnreadableFile {
    pub fn new(name: Arc<str>, error: RecordError) -> Self {
        Self {
            name,
            error,
            started: false,
        }
    }
}

impl RecordReader for UnreadableFile {
    fn advance(&mut self) -> bool {
        !std::mem::replace(&mut self.started, true)
    }

    fn load(&mut self, _payload: bool) {}

    fn value(&self, column: usize) -> Value<'_> {
        match column {
            0 => Value::Text(&self.name),
            _ => Value::Null,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        Some(&self.error)
    }

    fn offset(&self) -> u64 {
        0
    }
}
