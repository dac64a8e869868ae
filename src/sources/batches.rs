//! From a [`RecordReader`] to Arrow batches: filter, projection, bounds, and what becomes of
//! records that cannot be read.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, LargeBinaryBuilder, LargeStringBuilder,
    ListBuilder, RecordBatch, RecordBatchOptions, StringBuilder, StructBuilder,
    TimestampMicrosecondBuilder,
};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::cast::as_boolean_array;
use datafusion::common::{Result, exec_err};
use parking_lot::Mutex;

use super::filter::RecordFilter;
use super::format::{pair_fields, schema};
use crate::settings::OnError;
use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, Known};
use corpus_bytes::local::ByteCounter;
use corpus_bytes::record::{ColumnSet, RecordError, RecordReader, Value};

/// A batch is closed when its values reach this size, however few rows it has. About what the cache of
/// a processor holds: what is put into the batch is read from it again at once.
const MAX_BATCH_BYTES: usize = 2 << 20;

/// Rows per batch when no column is read, only counted.
const COUNT_BATCH_ROWS: usize = 8192;

/// What a scan has read so far; shared by all its partitions.
#[derive(Debug, Default)]
pub struct ScanCounters {
    pub bytes: ByteCounter,
    pub files: AtomicU64,
    pub records: AtomicU64,
    /// Records and files with errors, by reason.
    pub errors: Mutex<BTreeMap<&'static str, u64>>,
}

impl ScanCounters {
    fn count_error(&self, error: &RecordError) {
        *self.errors.lock().entry(error.reason).or_default() += 1;
    }
}

/// The columns of one scan: what is read, filtered and returned.
pub struct Selection {
    pub columns: &'static [Column],
    /// Indexes of the returned columns.
    pub projection: Vec<usize>,
    pub filter: Option<RecordFilter>,
}

impl Selection {
    /// All columns whose values are asked for. Errors are asked for where they decide which rows
    /// there are: otherwise `count(*)` would count rows that a query of the payload skips.
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
            .any(|index| self.columns[*index].known == Known::Payload)
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
    builders: Vec<ColumnBuilder>,
    filter_builders: Vec<ColumnBuilder>,
    done: bool,
}

impl RecordBatches {
    pub fn try_new(
        reader: Box<dyn RecordReader>,
        file: Arc<str>,
        selection: Selection,
        max_rows: usize,
        on_error: OnError,
        counters: Arc<ScanCounters>,
    ) -> Result<Self> {
        let builder = |index: &usize| ColumnBuilder::new(selection.columns[*index].kind);
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
            builders,
            filter_builders,
            done: false,
        })
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let mut rows = 0;
        let mut bytes = 0;
        let mut records = 0;
        while rows < self.max_rows && bytes < MAX_BATCH_BYTES {
            if !self.reader.advance() {
                self.done = true;
                break;
            }
            records += 1;
            if self.keep_record()? {
                if rows == 0 {
                    self.builders.iter_mut().for_each(ColumnBuilder::begin);
                }
                bytes += self.append_record();
                rows += 1;
            }
        }
        self.counters.records.fetch_add(records, Ordering::Relaxed);
        if rows == 0 {
            return Ok(None);
        }
        let arrays = self
            .builders
            .iter_mut()
            .map(ColumnBuilder::finish)
            .collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)?;
        Ok(Some(batch))
    }

    /// Whether the current record becomes a row. Its error, if any, is counted in any case.
    fn keep_record(&mut self) -> Result<bool> {
        if !self.matches_filter()? {
            if let Some(error) = self.reader.error() {
                self.counters.count_error(error);
            }
            return Ok(false);
        }
        self.reader.load(self.wants_payload);
        let Some(error) = self.reader.error() else {
            return Ok(true);
        };
        self.counters.count_error(error);
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

    fn matches_filter(&mut self) -> Result<bool> {
        let Some(filter) = &self.selection.filter else {
            return Ok(true);
        };
        let mut arrays = Vec::with_capacity(filter.columns.len());
        for (builder, column) in self.filter_builders.iter_mut().zip(&filter.columns) {
            builder.append(self.reader.value(*column));
            arrays.push(builder.finish());
        }
        let row = RecordBatch::try_new(Arc::clone(&filter.schema), arrays)?;
        let result = filter.predicate.evaluate(&row)?.into_array(1)?;
        let result = as_boolean_array(&result)?;
        Ok(result.iter().next().flatten().unwrap_or(false))
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

/// Stands for a file that could not be opened: one row with its name and the error.
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

/// Collects the values of one column.
enum ColumnBuilder {
    Text(LargeStringBuilder),
    /// With the room that the last batch took, of offsets and bytes.
    Bytes(LargeBinaryBuilder, [usize; 2]),
    Integer(Int64Builder),
    Double(Float64Builder),
    Boolean(BooleanBuilder),
    Timestamp(TimestampMicrosecondBuilder),
    Pairs(ListBuilder<StructBuilder>),
}

impl ColumnBuilder {
    fn new(kind: ColumnType) -> Self {
        match kind {
            ColumnType::Text => Self::Text(LargeStringBuilder::new()),
            ColumnType::Bytes => Self::Bytes(LargeBinaryBuilder::new(), [0; 2]),
            ColumnType::Integer => Self::Integer(Int64Builder::new()),
            ColumnType::Double => Self::Double(Float64Builder::new()),
            ColumnType::Boolean => Self::Boolean(BooleanBuilder::new()),
            ColumnType::Timestamp => {
                Self::Timestamp(TimestampMicrosecondBuilder::new().with_timezone("UTC"))
            }
            ColumnType::Pairs => Self::Pairs(ListBuilder::new(StructBuilder::from_fields(
                pair_fields(),
                0,
            ))),
        }
    }

    /// Appends a value, NULL if it is of another type, and returns its size.
    fn append(&mut self, value: Value<'_>) -> usize {
        match (self, value) {
            (Self::Text(builder), Value::Text(text)) => {
                builder.append_value(text);
                text.len()
            }
            (Self::Bytes(builder, _), Value::Bytes(bytes)) => {
                builder.append_value(bytes);
                bytes.len()
            }
            (Self::Integer(builder), Value::Integer(number)) => {
                builder.append_value(number);
                8
            }
            (Self::Double(builder), Value::Double(number)) => {
                builder.append_value(number);
                8
            }
            (Self::Boolean(builder), Value::Boolean(flag)) => {
                builder.append_value(flag);
                1
            }
            (Self::Timestamp(builder), Value::Timestamp(time)) => {
                builder.append_value(time);
                8
            }
            (Self::Pairs(builder), Value::Pairs(pairs)) => append_pairs(builder, pairs),
            (builder, value) => {
                debug_assert_eq!(value, Value::Null, "a value of a wrong type");
                builder.append_null();
                0
            }
        }
    }

    /// Before the first value of a batch: room for all saves moving them as they grow. The memory
    /// is that of the batch before, if that is gone by now, and still in the cache.
    fn begin(&mut self) {
        if let Self::Bytes(builder, [offsets, bytes]) = self {
            *builder = LargeBinaryBuilder::with_capacity(*offsets, *bytes);
        }
    }

    fn append_null(&mut self) {
        match self {
            Self::Text(builder) => builder.append_null(),
            Self::Bytes(builder, _) => builder.append_null(),
            Self::Integer(builder) => builder.append_null(),
            Self::Double(builder) => builder.append_null(),
            Self::Boolean(builder) => builder.append_null(),
            Self::Timestamp(builder) => builder.append_null(),
            Self::Pairs(builder) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Bytes(builder, room) => {
                // The next batch will be about as large. It may have a last value that is longer.
                let bytes = builder.values_slice().len().min(MAX_BATCH_BYTES);
                *room = [builder.offsets_slice().len(), bytes + bytes / 8];
                Arc::new(std::mem::take(builder).finish())
            }
            Self::Integer(builder) => Arc::new(builder.finish()),
            Self::Double(builder) => Arc::new(builder.finish()),
            Self::Boolean(builder) => Arc::new(builder.finish()),
            Self::Timestamp(builder) => Arc::new(builder.finish()),
            Self::Pairs(builder) => Arc::new(builder.finish()),
        }
    }
}

fn append_pairs(builder: &mut ListBuilder<StructBuilder>, pairs: &[(String, String)]) -> usize {
    let mut bytes = 0;
    let structs = builder.values();
    for (name, value) in pairs {
        for (index, text) in [name, value].into_iter().enumerate() {
            if let Some(texts) = structs.field_builder::<StringBuilder>(index) {
                texts.append_value(text);
            }
            bytes += text.len();
        }
        structs.append(true);
    }
    builder.append(true);
    bytes
}
