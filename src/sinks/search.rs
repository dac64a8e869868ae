//! `COPY (SELECT url, document …) TO 'idx/' STORED AS SEARCH_INDEX`: every row is a document.
//!
//! The rows go to as many parts as the session has threads. The index appears, or is extended,
//! when all of them are finished.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use datafusion::arrow::datatypes::{
    DataType, FieldRef, Float64Type, Int64Type, Schema, SchemaRef, TimeUnit,
    TimestampMicrosecondType,
};
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{
    DataFusionError, Result, exec_datafusion_err, plan_datafusion_err, plan_err,
};
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType};
use futures::TryStreamExt;
use parking_lot::Mutex;
use tokio::sync::mpsc::{Receiver, channel};

use super::format::SinkFormat;
use crate::options::{FormatOption, Options};
use corpus_search::{
    ColumnType, FinishedPart, IndexBuild, IndexOptions, IndexSettings, Mode, Part, SearchError,
    Value, locations,
};

/// The number of batches buffered ahead of the parts.
const BATCHES_AHEAD: usize = 1;

#[derive(Debug)]
pub struct SearchIndexSink;

impl SinkFormat for SearchIndexSink {
    fn name(&self) -> &'static str {
        "SEARCH_INDEX"
    }

    fn ending(&self) -> &'static str {
        "search_index"
    }

    fn description(&self) -> &'static str {
        "A folder with a full-text index of the rows, for `search()`. It appears when it is \
         complete."
    }

    fn options(&self) -> &'static [FormatOption] {
        const {
            &[
                FormatOption::text(
                    "id",
                    "columns that say which document it is; `url`, `path`, … by default",
                ),
                FormatOption::text(
                    "text",
                    "columns whose words are searched; `document`, `text`, `title`, … by default",
                ),
                FormatOption::text(
                    "exact",
                    "columns of text that are searched as a whole value, by `column:value`",
                ),
                FormatOption::text(
                    "store",
                    "columns that hits return: `all` (default), `none`, or their names",
                ),
                FormatOption::text(
                    "language",
                    "whose endings are cut off, so that `contracts` finds `contract`; `none` by default",
                ),
                FormatOption::text(
                    "stop_words",
                    "`remove` leaves out the language's most frequent words; `keep` by default",
                ),
                FormatOption::text(
                    "mode",
                    "`create` (default), `append` to an index, or `replace` it",
                ),
                FormatOption::text(
                    "memory",
                    "of each part, before it writes to disk; `64 MB` by default",
                ),
                FormatOption::text(
                    "combine",
                    "indexes whose documents are taken in: folders between commas, or a pattern",
                ),
            ]
        }
    }

    /// The index appears as a whole by itself, and keeps what has been in the folder.
    fn is_held_back(&self) -> bool {
        false
    }

    fn sink(
        &self,
        schema: &SchemaRef,
        options: &Options,
        config: FileSinkConfig,
    ) -> Result<Arc<dyn DataSink>> {
        if !config.table_partition_cols.is_empty() {
            return plan_err!(
                "STORED AS SEARCH_INDEX cannot be combined with PARTITIONED BY: an index is one folder"
            );
        }
        let columns = columns(schema)?;
        let options = IndexOptions::parse(options.given()).map_err(planning)?;
        // The settings of an existing index are read when the copy runs.
        if options.mode != Mode::Append && options.combine.is_empty() {
            IndexSettings::choose(&columns, &options).map_err(planning)?;
        }
        Ok(Arc::new(SearchIndexWriter {
            target: locations::local(&config.original_url).map_err(planning)?,
            columns,
            options,
            config,
        }))
    }
}

fn planning(error: SearchError) -> DataFusionError {
    plan_datafusion_err!("{error}")
}

fn execution(error: SearchError) -> DataFusionError {
    exec_datafusion_err!("{error}")
}

/// The columns of the query, with the types that an index has for them.
fn columns(schema: &Schema) -> Result<Vec<(String, ColumnType)>> {
    let column = |field: &FieldRef| {
        let name = field.name();
        match column_type(field.data_type()) {
            Some(kind) => Ok((name.clone(), kind)),
            None => plan_err!(
                "a search index cannot keep the column '{name}' of type {}: cast it to text, or \
                 leave it out",
                field.data_type()
            ),
        }
    };
    schema.fields().iter().map(column).collect()
}

fn column_type(kind: &DataType) -> Option<ColumnType> {
    use DataType as T;
    match kind {
        T::Null | T::Utf8 | T::LargeUtf8 | T::Utf8View => Some(ColumnType::Text),
        T::Dictionary(_, values) => column_type(values),
        T::Boolean => Some(ColumnType::Boolean),
        T::Timestamp(..) | T::Date32 | T::Date64 => Some(ColumnType::Timestamp),
        T::Float16 | T::Float32 | T::Float64 => Some(ColumnType::Double),
        T::Decimal32(..) | T::Decimal64(..) | T::Decimal128(..) | T::Decimal256(..) => {
            Some(ColumnType::Double)
        }
        kind if kind.is_integer() => Some(ColumnType::Integer),
        _ => None,
    }
}

#[derive(Debug)]
struct SearchIndexWriter {
    target: PathBuf,
    columns: Vec<(String, ColumnType)>,
    options: IndexOptions,
    config: FileSinkConfig,
}

impl DisplayAs for SearchIndexWriter {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearchIndexWriter(mode={:?})", self.options.mode)
    }
}

#[async_trait]
impl DataSink for SearchIndexWriter {
    fn metrics(&self) -> Option<MetricsSet> {
        None
    }

    fn schema(&self) -> &SchemaRef {
        self.config.output_schema()
    }

    async fn write_all(
        &self,
        mut data: SendableRecordBatchStream,
        context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let build = self.begin().await?;
        let (sender, receiver) = channel(BATCHES_AHEAD);
        let receiver = Arc::new(Mutex::new(receiver));
        let is_cancelled = CancelOnDrop::default();
        let parts: Vec<_> = (0..context.session_config().target_partitions())
            .map(|_| {
                let part = build.part();
                let receiver = Arc::clone(&receiver);
                let columns = self.columns.clone();
                let is_cancelled = Arc::clone(&is_cancelled.0);
                SpawnedTask::spawn_blocking(move || fill(part, &receiver, &columns, &is_cancelled))
            })
            .collect();
        while let Some(batch) = data.try_next().await? {
            if sender.send(batch).await.is_err() {
                // A part has failed, and reports its error below.
                break;
            }
        }
        drop(sender);
        let mut finished = Vec::new();
        for part in parts {
            finished.push(joined(part).await??);
        }
        let finish = SpawnedTask::spawn_blocking(move || build.finish(finished));
        let built = joined(finish).await?.map_err(execution)?;
        Ok(built.documents)
    }
}

impl SearchIndexWriter {
    /// Does not run on the threads that execute queries: indexes may have to be combined first.
    async fn begin(&self) -> Result<IndexBuild> {
        let (target, columns) = (self.target.clone(), self.columns.clone());
        let options = self.options.clone();
        let begin =
            SpawnedTask::spawn_blocking(move || IndexBuild::begin(&target, &columns, &options));
        joined(begin).await?.map_err(execution)
    }
}

async fn joined<T: 'static>(task: SpawnedTask<T>) -> Result<T> {
    task.join_unwind()
        .await
        .map_err(|error| exec_datafusion_err!("building the search index was cancelled: {error}"))
}

/// Tells the parts to stop when the copy fails or is interrupted. After the end of the copy it has
/// no effect.
#[derive(Default)]
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Adds batches to a part until there are no more of them.
fn fill(
    mut part: Part,
    receiver: &Mutex<Receiver<RecordBatch>>,
    columns: &[(String, ColumnType)],
    is_cancelled: &AtomicBool,
) -> Result<FinishedPart> {
    loop {
        // The part that waits for a batch holds the lock; the others wait for the lock.
        let next = receiver.lock().blocking_recv();
        let Some(batch) = next else {
            break;
        };
        if let Err(error) = add(&mut part, &batch, columns) {
            receiver.lock().close();
            return Err(error);
        }
    }
    if is_cancelled.load(Ordering::Relaxed) {
        return Err(exec_datafusion_err!("the copy was cancelled"));
    }
    part.finish().map_err(execution)
}

fn add(part: &mut Part, batch: &RecordBatch, columns: &[(String, ColumnType)]) -> Result<()> {
    let values = batch
        .columns()
        .iter()
        .zip(columns)
        .map(|(array, (name, kind))| Values::of(array, name, *kind))
        .collect::<Result<Vec<_>>>()?;
    let mut row = Vec::with_capacity(values.len());
    for at in 0..batch.num_rows() {
        row.clear();
        row.extend(values.iter().map(|values| values.value(at)));
        part.add(&row).map_err(execution)?;
    }
    Ok(())
}

/// The values of a column, in the type that the index has.
struct Values {
    array: ArrayRef,
    kind: ColumnType,
}

impl Values {
    fn of(array: &ArrayRef, name: &str, kind: ColumnType) -> Result<Self> {
        let zone = match array.data_type() {
            DataType::Timestamp(_, Some(_)) => Some("UTC".into()),
            _ => None,
        };
        let target = match kind {
            ColumnType::Text => DataType::LargeUtf8,
            ColumnType::Integer => DataType::Int64,
            ColumnType::Double => DataType::Float64,
            ColumnType::Boolean => DataType::Boolean,
            ColumnType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, zone),
        };
        // A number that is too large is an error, and not NULL.
        let options = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        let array = cast_with_options(array, &target, &options)
            .map_err(|error| DataFusionError::from(error).context(format!("the column {name}")))?;
        Ok(Self { array, kind })
    }

    fn value(&self, row: usize) -> Value<'_> {
        let array = &self.array;
        if array.is_null(row) {
            return Value::Null;
        }
        match self.kind {
            ColumnType::Text => Value::Text(array.as_string::<i64>().value(row)),
            ColumnType::Integer => Value::Integer(array.as_primitive::<Int64Type>().value(row)),
            ColumnType::Double => Value::Double(array.as_primitive::<Float64Type>().value(row)),
            ColumnType::Boolean => Value::Integer(i64::from(array.as_boolean().value(row))),
            ColumnType::Timestamp => {
                Value::Integer(array.as_primitive::<TimestampMicrosecondType>().value(row))
            }
        }
    }
}
