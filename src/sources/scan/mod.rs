//! The scan of a table of records: one [`FileSource`] for every format.
//!
//! Readers evaluate filters on head columns, so payloads of other records are never copied. A batch
//! ends at 2 MiB, or with 256 rows once 8 MiB of input are read. `prefetch` requests remote
//! records, and the starts of remote files, early; a reader whose request has not started sends it
//! itself, so no order of readers can block.
//!
//! ```text
//! scanned   the files that a plan reads
//! ranges    byte ranges of files
//! prefetch  fetches parts of remote files early
//! filter    filters that readers evaluate
//! batches   records as Arrow batches
//! in_order  writes rows in their order on several threads
//! counters  counters of a running plan
//! exported  counters as metrics
//! events    events of single files
//! ```

pub mod batches;
pub mod counters;
pub mod events;
pub mod exported;
pub mod filter;
pub mod in_order;
pub mod prefetch;
pub mod ranges;
pub mod scanned;

use std::fmt;
use std::path::Path as FilePath;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileGroup, FileGroupPartitioner, FileOpenFuture, FileOpener, FileScanConfig, FileSource,
};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::{LexOrdering, PhysicalExpr, conjunction_opt};
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{DisplayFormatType, apply_expression_roots};
use futures::{FutureExt, StreamExt, stream};
use object_store::ObjectStore;
use parking_lot::Mutex;
use tokio::runtime::Handle;

use self::batches::{RecordBatches, ScanCounters, Selection, UnreadableFile};
use self::events::{ScanEvent, Watcher};
use self::exported::ExportedCounters;
use self::filter::{RecordFilter, is_dynamic};
use self::prefetch::{Prefetcher, Scope};
use super::data_files::text_tables::csv::source::CsvRecords;
use super::data_files::text_tables::json::source::JsonRecords;
use super::format::RecordFormat;
use super::indexed::paths::UnknownSize;
use super::indexed::{ErrorRows, IndexedReader, KnownErrors, RecordPlaces};
use super::location::{display_name, is_web};
use super::remote::{RemoteFile, open_local};
use crate::object_stores::version::{Version, Versions};
use crate::options::FormatOption;
use crate::planner::batch_size::BatchSizes;
use crate::settings::{CorpusSettings, OnError};
use corpus_bytes::blank::empty_file;
use corpus_bytes::columns::{Availability, ColumnType};
use corpus_bytes::file::FileBytes;
use corpus_bytes::local::FileCounter;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};
use corpus_columns::record::schema;

/// The number of batches of a remote file buffered ahead of the query.
const MAX_BUFFERED_BATCHES: usize = 2;

/// The option of all sources that overrides `corpus.on_error`.
pub const ON_ERROR: FormatOption = FormatOption::one_of(
    "on_error",
    &["row", "skip", "fail"],
    None,
    "what happens to records that cannot be read, instead of `corpus.on_error`",
);

/// Reads one table of records, as far as the query needs its columns and rows.
#[derive(Debug, Clone)]
pub struct RecordSource {
    format: Arc<dyn RecordFormat>,
    table_schema: TableSchema,
    projection: SplitProjection,
    /// Predicates that the reader evaluates, over the table's columns.
    filters: Vec<Arc<dyn PhysicalExpr>>,
    batch_rows: usize,
    settings: CorpusSettings,
    counters: Arc<ScanCounters>,
    /// The errors of the files that this source reads, in addition to those of the whole scan.
    errors: Option<Arc<AtomicU64>>,
    metrics: ExecutionPlanMetricsSet,
    /// The counters in the metrics, if another process needs them.
    exported: Option<Arc<ExportedCounters>>,
    /// The requests of the running partitions.
    prefetcher: Arc<Mutex<Weak<Prefetcher>>>,
    /// The versions of the files that several partitions read.
    versions: Arc<Versions>,
}

impl RecordSource {
    pub fn new(
        format: Arc<dyn RecordFormat>,
        table_schema: TableSchema,
        settings: CorpusSettings,
    ) -> Self {
        Self {
            format,
            projection: SplitProjection::unprojected(&table_schema),
            table_schema,
            filters: Vec::new(),
            batch_rows: 0,
            settings,
            counters: Arc::default(),
            errors: None,
            metrics: ExecutionPlanMetricsSet::new(),
            exported: None,
            prefetcher: Arc::default(),
            versions: Arc::default(),
        }
    }

    pub fn format(&self) -> &Arc<dyn RecordFormat> {
        &self.format
    }

    /// Returns how to treat records that cannot be read.
    pub fn on_error(&self) -> OnError {
        self.settings.on_error
    }

    /// The predicates that the reader evaluates, over the columns of the table.
    pub fn filters(&self) -> &[Arc<dyn PhysicalExpr>] {
        &self.filters
    }

    /// Returns the same source for an executor: with the filters of the client's source, and with
    /// its counters as metrics, which return to the client.
    pub fn for_client(self, filters: Vec<Arc<dyn PhysicalExpr>>) -> Self {
        Self {
            filters,
            exported: Some(Arc::default()),
            ..self
        }
    }

    pub fn counters(&self) -> &Arc<ScanCounters> {
        &self.counters
    }

    /// Returns the same source, which also adds its errors to `errors`.
    pub fn with_error_count(&self, errors: Arc<AtomicU64>) -> Self {
        Self {
            errors: Some(errors),
            prefetcher: Arc::default(),
            ..self.clone()
        }
    }

    /// Whether an index names the places that are read.
    pub fn is_indexed(&self) -> bool {
        self.format.is_indexed()
    }

    pub fn files_are_records(&self) -> bool {
        self.format.records_are_files()
    }

    /// Describes the format with its options.
    pub fn description(&self) -> String {
        format!("{:?}", self.format)
    }

    /// The number of ranges of about `size` bytes into which a file may be cut.
    pub fn parts(&self, file: &PartitionedFile, size: u64) -> u64 {
        if !self.supports_repartitioning() {
            return 1;
        }
        let parts = file.effective_size().div_ceil(size.max(1));
        let name = file.object_meta.location.filename().unwrap_or_default();
        parts.min(self.format.max_ranges(name))
    }

    /// Returns which columns may have long values.
    fn payload_columns(&self) -> Vec<bool> {
        let columns = self.format.columns().iter();
        columns
            .map(|column| {
                column.availability == Availability::Payload || column.kind == ColumnType::Pairs
            })
            .collect()
    }

    /// Returns the requests that the partitions of a scan share. An executor of a cluster runs one
    /// partition, and sends its requests only.
    fn prefetch(
        &self,
        store: &Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Option<Arc<Prefetcher>> {
        if config.object_store_url.as_str().starts_with("file:") {
            return None;
        }
        let columns = self.format.columns();
        let is_payload = |index: &usize| columns[*index].availability == Availability::Payload;
        let scope = Scope {
            reads_all: self.filters.is_empty()
                && self.projection.file_indices.iter().any(is_payload),
            limit: config.limit,
            is_web: is_web(&config.object_store_url),
        };
        if self.exported.is_some() {
            return Prefetcher::new(store, config.file_groups.get(partition)?.iter(), scope);
        }
        let mut shared = self.prefetcher.lock();
        if let Some(prefetcher) = shared.upgrade() {
            return Some(prefetcher);
        }
        let files = config.file_groups.iter().flat_map(FileGroup::iter);
        let prefetcher = Prefetcher::new(store, files, scope)?;
        *shared = Arc::downgrade(&prefetcher);
        Some(prefetcher)
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        conjunction_opt(self.filters.iter().cloned())
    }
}

/// Returns the rule that chooses batch sizes. It knows the payloads of our sources.
pub fn batch_sizes() -> BatchSizes {
    BatchSizes::new(payloads, |source| {
        let records = source.downcast_ref::<RecordSource>();
        records.is_some_and(RecordSource::files_are_records)
    })
}

fn payloads(source: &dyn FileSource) -> Option<Vec<bool>> {
    if let Some(records) = source.downcast_ref::<RecordSource>() {
        return Some(records.payload_columns());
    }
    if let Some(json) = source.downcast_ref::<JsonRecords>() {
        return json.payloads().map(<[bool]>::to_vec);
    }
    source.downcast_ref::<CsvRecords>()?.payloads.clone()
}

impl FileSource for RecordSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let opener = RecordOpener {
            prefetcher: self.prefetch(&store, config, partition),
            store_url: config.object_store_url.clone(),
            store,
            projection: self.projection.file_indices.clone(),
            filter: self
                .filter()
                .map(|filter| RecordFilter::try_new(filter, self.format.columns()))
                .transpose()?,
            source: self.clone(),
        };
        ProjectionOpener::try_new(
            self.projection.clone(),
            Arc::new(opener),
            self.table_schema.file_schema(),
        )
    }

    fn table_schema(&self) -> &TableSchema {
        &self.table_schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        let mut source = self.clone();
        source.batch_rows = batch_size;
        Arc::new(source)
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let merged = self.projection.source.try_merge(projection)?;
        let mut source = self.clone();
        source.projection = SplitProjection::new(self.table_schema.file_schema(), &merged);
        Ok(Some(Arc::new(source)))
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _config: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let mut source = self.clone();
        let mut results = Vec::with_capacity(filters.len());
        for filter in filters {
            let accepted = RecordFilter::accepts(&filter, self.format.as_ref());
            results.push(if accepted && !is_dynamic(&filter) {
                PushedDown::Yes
            } else {
                PushedDown::No
            });
            if accepted {
                source.filters.push(filter);
            }
        }
        let propagation = FilterPushdownPropagation::with_parent_pushdown_result(results);
        Ok(if source.filters.len() > self.filters.len() {
            propagation.with_updated_node(Arc::new(source) as Arc<dyn FileSource>)
        } else {
            propagation
        })
    }

    fn supports_repartitioning(&self) -> bool {
        // The places that an index names in a file stay together.
        self.format.splittable() && !self.format.is_indexed()
    }

    fn repartitioned(
        &self,
        target_partitions: usize,
        repartition_file_min_size: usize,
        output_ordering: Option<LexOrdering>,
        config: &FileScanConfig,
    ) -> Result<Option<FileScanConfig>> {
        if !self.supports_repartitioning() {
            return Ok(None);
        }
        let partitioner = FileGroupPartitioner::new()
            .with_target_partitions(target_partitions)
            .with_repartition_file_min_size(repartition_file_min_size)
            .with_preserve_order_within_groups(output_ordering.is_some());
        let groups = ranges::repartitioned(&partitioner, &config.file_groups);
        Ok(groups.map(|groups| {
            let mut config = config.clone();
            config.file_groups = groups;
            config
        }))
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        if let Some(exported) = &self.exported {
            exported.update(&self.counters, &self.metrics);
        }
        &self.metrics
    }

    fn file_type(&self) -> &str {
        self.format.name()
    }

    fn fmt_extra(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        match self.filter() {
            Some(filter) => write!(f, ", filter={filter}"),
            None => Ok(()),
        }
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let projected = self.projection.source.iter().map(|column| &column.expr);
        apply_expression_roots(projected.chain(&self.filters), f)
    }
}

/// Opens the files of a scan.
struct RecordOpener {
    store_url: ObjectStoreUrl,
    store: Arc<dyn ObjectStore>,
    prefetcher: Option<Arc<Prefetcher>>,
    projection: Vec<usize>,
    filter: Option<RecordFilter>,
    source: RecordSource,
}

impl FileOpener for RecordOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let task = OpenTask {
            name: match file.extension::<KnownErrors>() {
                Some(known) => Arc::clone(&known.name),
                None => display_name(&self.store_url, &file.object_meta.location).into(),
            },
            selection: Selection {
                columns: self.source.format.columns(),
                projection: self.projection.clone(),
                filter: self.filter.clone(),
            },
            source: self.source.clone(),
            file,
        };
        if let Some(rows) = task.known_errors() {
            self.source.counters.files.fetch_add(1, Ordering::Relaxed);
            let batches = stream::iter(task.batches_of(rows)?).boxed();
            return Ok(async move { Ok(batches) }.boxed());
        }
        if self.store_url.as_str().starts_with("file:") {
            // Local files are read on the thread that runs the query, which saves a second thread.
            return Ok(async move {
                let path = task.name.to_string();
                let counter = Arc::clone(&task.source.counters.bytes);
                let bytes = open_local(FilePath::new(&path), counter)
                    .map(|file| Arc::new(file) as Arc<dyn FileBytes>)
                    .map_err(|error| RecordError::new("cannot open file", error.to_string()));
                Ok(stream::iter(task.batches(bytes)?).boxed())
            }
            .boxed());
        }
        let bytes = RemoteFile {
            store: Arc::clone(&self.store),
            location: task.file.object_meta.location.clone(),
            version: task.version(),
            runtime: Handle::current(),
            counter: Arc::new(FileCounter::new(Arc::clone(&task.source.counters.bytes))),
            rejection: Arc::clone(&task.source.counters.rejection),
            whole: Mutex::default(),
        };
        let bytes = match &self.prefetcher {
            Some(prefetcher) => prefetcher.open(bytes),
            None => Arc::new(bytes),
        };
        let file_schema = schema(task.selection.columns);
        let file_schema = Arc::new(file_schema.project(&self.projection)?);
        // Waiting for the network must not block a thread that computes.
        let mut builder = RecordBatchReceiverStream::builder(file_schema, MAX_BUFFERED_BATCHES);
        let sender = builder.tx();
        builder.spawn_blocking(move || {
            for batch in task.batches(Ok(bytes))? {
                // The receiver is gone when the query has enough rows or was cancelled.
                if sender.blocking_send(batch).is_err() {
                    break;
                }
            }
            Ok(())
        });
        Ok(async move { Ok(builder.build().boxed()) }.boxed())
    }
}

/// Everything needed to read one file, on any thread.
struct OpenTask {
    file: PartitionedFile,
    name: Arc<str>,
    selection: Selection,
    source: RecordSource,
}

impl OpenTask {
    /// A file that cannot be opened is one row with its error.
    fn batches(self, bytes: Result<Arc<dyn FileBytes>, RecordError>) -> Result<RecordBatches> {
        let counters = &self.source.counters;
        let reads_the_start = self.reads_the_start();
        if reads_the_start {
            counters.files.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(Watcher(watch)) = counters.watcher.get() {
            let range = self.file.range.as_ref();
            watch(&ScanEvent::FileBegun {
                file: &self.name,
                range: range.map(|range| range.start.max(0) as u64..range.end.max(0) as u64),
            });
        }
        let opened = bytes.as_ref().ok().map(Arc::clone);
        let watched = opened.clone().filter(|_| self.reads_the_end());
        let may_be_empty = self.file.extension::<RecordPlaces>().is_none();
        let started = opened.filter(|_| reads_the_start && may_be_empty);
        let reader = bytes.and_then(|bytes| self.reader(bytes));
        let reader = reader.unwrap_or_else(|error| {
            // Most formats would report an empty file as a file of another format.
            let empty = started.as_deref().and_then(empty_file);
            self.unreadable(empty.unwrap_or(error))
        });
        let batches = self.batches_of(reader)?;
        Ok(batches.from_start_of(started).watching(watched))
    }

    /// Whether no other task reads an earlier range of the file.
    fn reads_the_start(&self) -> bool {
        let range = self.file.range.as_ref();
        range.is_none_or(|range| range.start == 0)
    }

    /// The version that all requests for the file must return.
    fn version(&self) -> Arc<Version> {
        // An index or a list does not know the sizes of the files that it names.
        if self.file.extension::<RecordPlaces>().is_some() || self.is_of_unknown_size() {
            return Arc::default();
        }
        match self.file.range {
            Some(_) => self.source.versions.of(&self.file.object_meta),
            None => Arc::new(Version::of_size(Some(self.file.object_meta.size))),
        }
    }

    fn is_of_unknown_size(&self) -> bool {
        self.file.extension::<UnknownSize>().is_some()
    }

    /// Whether no other task reads a later range of the file.
    fn reads_the_end(&self) -> bool {
        let size = self.file.object_meta.size;
        let range = self.file.range.as_ref();
        range.is_none_or(|range| range.end.max(0) as u64 >= size)
    }

    fn batches_of(self, reader: Box<dyn RecordReader>) -> Result<RecordBatches> {
        RecordBatches::try_new(
            reader,
            self.name,
            self.selection,
            self.source.batch_rows,
            self.source.settings.on_error,
            Arc::clone(&self.source.counters),
            self.source.errors,
        )
    }

    /// The error rows of a file that planning has already found to be unusable.
    fn known_errors(&self) -> Option<Box<dyn RecordReader>> {
        let known = self.file.extension::<KnownErrors>()?;
        let errors = Arc::clone(&known.errors);
        let errors = (0..errors.len()).map(move |at| errors[at].clone());
        let name = Arc::clone(&self.name);
        Some(Box::new(ErrorRows::new(
            name,
            self.source.format.as_ref(),
            errors,
        )))
    }

    fn unreadable(&self, error: RecordError) -> Box<dyn RecordReader> {
        let name = Arc::clone(&self.name);
        match self.file.extension::<RecordPlaces>() {
            Some(RecordPlaces(places)) => {
                let format = self.source.format.as_ref();
                Box::new(ErrorRows::of_places(name, format, places, error))
            }
            None => Box::new(UnreadableFile::new(name, error)),
        }
    }

    fn reader(&self, bytes: Arc<dyn FileBytes>) -> Result<Box<dyn RecordReader>, RecordError> {
        let places = self.file.extension::<RecordPlaces>();
        let is_known = !self.is_of_unknown_size();
        let (start, end) = match &self.file.range {
            Some(range) if is_known => (range.start.max(0) as u64, range.end.max(0) as u64),
            // The size of a remote file costs a request, and each place has its own range.
            _ if places.is_some() => (0, 0),
            _ => (0, bytes.size()),
        };
        let request = ReadRequest {
            file: bytes,
            name: Arc::clone(&self.name),
            range: start..end,
            max_record_bytes: self.source.settings.max_record_bytes.0,
            modified: is_known.then(|| self.file.object_meta.last_modified.timestamp_micros()),
            columns: self.selection.read_columns(self.source.settings.on_error),
        };
        let format = &self.source.format;
        match places {
            Some(RecordPlaces(places)) => Ok(Box::new(IndexedReader::new(
                Arc::clone(format),
                request,
                Arc::clone(places),
            ))),
            None => format.open(request),
        }
    }
}
