//! `COPY (SELECT url, document …) TO 'idx/' STORED AS SEARCH_INDEX`: every row is a document.
//!
//! Rows are distributed to one part per thread of the session. The index appears, or is extended,
//! when all parts are finished.

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
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, plan_err};
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType};
use futures::TryStreamExt;
use parking_lot::Mutex;
use tokio::sync::mpsc::{Receiver, channel};

use super::duplicate_ids::{DUPLICATES_METRIC, REPLACED_METRIC};
use super::format::SinkFormat;
use crate::limits::Limits;
use crate::options::{FormatOption, Options};
use crate::sources::search::{exec_error, plan_error};
use corpus_search::{
    ColumnType, DEFAULT_MEMORY_BYTES, DEFAULT_MERGED_BYTES, Duplicates, FinishedPart, IndexBuild,
    IndexOptions, IndexSettings, Language, MEMORY_BYTES, Mode, PartWriter, SearchError, Value,
    WordRules, locations,
};

/// The number of batches buffered ahead of the parts.
const MAX_BUFFERED_BATCHES: usize = 1;

const ID: FormatOption = FormatOption::text(
    "id",
    "columns that identify a document; `url`, `path`, … by default",
);
const TEXT: FormatOption = FormatOption::text(
    "text",
    "columns whose words are searched; `document`, `text`, `title`, … by default",
);
const EXACT: FormatOption = FormatOption::text(
    "exact",
    "text columns that are searched by their whole value, with `column:value`",
);
const STORE: FormatOption = FormatOption::text(
    "store",
    "columns that hits return: `all` (default), `none`, or their names",
);
const LANGUAGE: FormatOption = FormatOption::one_of(
    "language",
    &LANGUAGES,
    Some(NO_LANGUAGE),
    "the language whose endings are removed",
);
const STOP_WORDS: FormatOption = FormatOption::switch(
    "stop_words",
    ["keep", "remove"],
    false,
    "what happens to the most frequent words of the language",
);
const MODE: FormatOption = FormatOption::one_of(
    "mode",
    &["create", "append", "update", "replace"],
    Some("create"),
    "create an index, append to one, replace documents of the same ids, or the whole",
);
const DUPLICATES: FormatOption = FormatOption::one_of(
    "duplicates",
    &["refuse", "keep"],
    Some("refuse"),
    "what `append` does with rows whose ids are already in the index",
);
const MEMORY: FormatOption = FormatOption::bytes(
    "memory",
    MEMORY_BYTES,
    DEFAULT_MEMORY_BYTES,
    "the memory of each part, less if `--memory-limit` is small",
);
const COMBINE: FormatOption = FormatOption::text(
    "combine",
    "indexes whose documents are included: folders between commas, or a pattern",
);

const OPTIONS: &[FormatOption] = &[
    ID, TEXT, EXACT, STORE, LANGUAGE, STOP_WORDS, MODE, DUPLICATES, MEMORY, COMBINE,
];

const NO_LANGUAGE: &str = "none";

/// The values of the option `language`.
const LANGUAGES: [&str; Language::NAMES.len() + 1] = {
    let mut names = [NO_LANGUAGE; Language::NAMES.len() + 1];
    let mut at = 0;
    while at < Language::NAMES.len() {
        names[at + 1] = Language::NAMES[at];
        at += 1;
    }
    names
};

/// The options of a build, from those of a statement.
fn index_options(options: &Options) -> Result<IndexOptions, SearchError> {
    let store = match options.get(&STORE).map(str::trim) {
        None | Some("all") => None,
        Some("none") => Some(Vec::new()),
        Some(_) => options.names(&STORE),
    };
    let combine = options.get(&COMBINE).map(locations::resolve).transpose()?;
    let index_options = IndexOptions {
        id: options.names(&ID),
        text: options.names(&TEXT),
        exact: options.names(&EXACT).unwrap_or_default(),
        store,
        words: WordRules {
            language: options.get(&LANGUAGE).and_then(Language::named),
            stop_words: options.is_true(&STOP_WORDS),
        },
        mode: match options.get(&MODE) {
            Some("append") => Mode::Append,
            Some("update") => Mode::Update,
            Some("replace") => Mode::Replace,
            _ => Mode::Create,
        },
        duplicates: match options.get(&DUPLICATES) {
            Some("keep") => Duplicates::Keep,
            _ => Duplicates::Refuse,
        },
        memory: options.number(&MEMORY),
        merged_bytes: DEFAULT_MERGED_BYTES,
        combine: combine.unwrap_or_default(),
    };
    index_options.check()?;
    Ok(index_options)
}

#[derive(Debug)]
pub struct SearchIndexSink;

impl SinkFormat for SearchIndexSink {
    fn name(&self) -> &'static str {
        "SEARCH_INDEX"
    }

    fn extension(&self) -> &'static str {
        "search_index"
    }

    fn description(&self) -> &'static str {
        "A folder with a full-text index of the rows, for `search()`. It appears when it is \
         complete."
    }

    fn options(&self) -> &'static [FormatOption] {
        OPTIONS
    }

    /// The builder itself makes the index appear as a whole, and keeps existing files of the
    /// folder.
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
        let options = index_options(options).map_err(plan_error)?;
        // The settings of an existing index are read when the copy runs.
        let extends = matches!(options.mode, Mode::Append | Mode::Update);
        if !extends && options.combine.is_empty() {
            IndexSettings::choose(&columns, &options).map_err(plan_error)?;
        }
        Ok(Arc::new(SearchIndexWriter {
            metrics: ExecutionPlanMetricsSet::new(),
            target: locations::local(&config.original_url).map_err(plan_error)?,
            columns,
            options,
            config,
        }))
    }
}

/// Returns the columns of the query with their types in the index.
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
    metrics: ExecutionPlanMetricsSet,
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
        Some(self.metrics.clone_inner())
    }

    fn schema(&self) -> &SchemaRef {
        self.config.output_schema()
    }

    async fn write_all(
        &self,
        mut data: SendableRecordBatchStream,
        context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let build = self.begin(context).await?;
        let (sender, receiver) = channel(MAX_BUFFERED_BATCHES);
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
                // A part has failed; its error is returned below.
                break;
            }
        }
        drop(sender);
        let mut finished = Vec::new();
        for part in parts {
            finished.push(join(part).await??);
        }
        let finish = SpawnedTask::spawn_blocking(move || build.finish(finished));
        let built = join(finish).await?.map_err(exec_error)?;
        for (name, documents) in [
            (REPLACED_METRIC, built.replaced),
            (DUPLICATES_METRIC, built.duplicates),
        ] {
            let counter = MetricBuilder::new(&self.metrics).global_counter(name);
            counter.add(usize::try_from(documents).unwrap_or(usize::MAX));
        }
        Ok(built.documents)
    }
}

impl SearchIndexWriter {
    /// Begins the index on a thread that may block, because indexes may have to be combined first.
    async fn begin(&self, context: &TaskContext) -> Result<IndexBuild> {
        let (target, columns) = (self.target.clone(), self.columns.clone());
        let mut options = self.options.clone();
        if let Some(limits) = context.session_config().get_extension::<Limits>() {
            options.merged_bytes = limits.index_merged_bytes;
            if options.memory == DEFAULT_MEMORY_BYTES {
                options.memory = limits.index_part_bytes;
            }
        }
        let begin =
            SpawnedTask::spawn_blocking(move || IndexBuild::begin(&target, &columns, &options));
        join(begin).await?.map_err(exec_error)
    }
}

async fn join<T: 'static>(task: SpawnedTask<T>) -> Result<T> {
    task.join_unwind()
        .await
        .map_err(|error| exec_datafusion_err!("building the search index was cancelled: {error}"))
}

/// Stops the parts when the copy fails or is interrupted. It has no effect after the copy has
/// ended.
#[derive(Default)]
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Adds batches to a part until there are no more of them.
fn fill(
    mut part: PartWriter,
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
    part.finish().map_err(exec_error)
}

fn add(part: &mut PartWriter, batch: &RecordBatch, columns: &[(String, ColumnType)]) -> Result<()> {
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
        part.add(&row).map_err(exec_error)?;
    }
    Ok(())
}

/// The values of a column, converted to the type in the index.
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
        // A number that is too large is an error, not NULL.
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn parse(given: &[(&str, &str)]) -> Result<IndexOptions, String> {
        let given = given.iter();
        let given: HashMap<String, String> = given
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let options = Options::check("SEARCH_INDEX", OPTIONS, &given);
        let options = options.map_err(|error| error.strip_backtrace())?;
        index_options(&options).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_those_of_the_index() {
        let options = parse(&[
            ("id", "n, a"),
            ("exact", "b,"),
            ("store", "none"),
            ("language", "German"),
            ("stop_words", "remove"),
            ("mode", "APPEND"),
            ("memory", "128 MiB"),
        ])
        .unwrap();
        assert_eq!(options.id.unwrap(), ["n", "a"]);
        assert_eq!(options.text, None);
        assert_eq!(options.exact, ["b"]);
        assert_eq!(options.store.unwrap(), Vec::<String>::new());
        assert_eq!(options.words.language.unwrap().name(), "german");
        assert!(options.words.stop_words);
        assert_eq!(options.mode, Mode::Append);
        assert_eq!(options.memory, 128 << 20);
        assert_eq!(options.duplicates, Duplicates::Refuse);
        let options = parse(&[("mode", "update"), ("duplicates", "keep")]).unwrap();
        assert_eq!(options.mode, Mode::Update);
        assert_eq!(options.duplicates, Duplicates::Keep);
        let options = parse(&[("store", "all"), ("language", "none")]).unwrap();
        assert_eq!((options.store, options.words.language), (None, None));
        let options = parse(&[("store", "b, c")]).unwrap();
        assert_eq!(options.store.unwrap(), ["b", "c"]);
        assert_eq!(options.memory, IndexOptions::default().memory);
    }

    #[test]
    fn wrong_options_are_errors() {
        for (wrong, part) in [
            (("language", "klingon"), "'english', 'finnish'"),
            (("stop_words", "remove"), "needs the option language"),
            (
                ("mode", "overwrite"),
                "'create', 'append', 'update' or 'replace'",
            ),
            (("memory", "1 MB"), "15MiB to 4GiB"),
            (("columns", "x"), "it has 'id', 'text'"),
        ] {
            let error = parse(&[wrong]).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
