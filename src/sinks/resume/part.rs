//! Writes one part: runs the query for each of its inputs in turn, and copies the rows of inputs
//! that are done.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::compute::{filter_record_batch, is_not_null, is_null};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::config::TableParquetOptions;
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::error::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::parquet::arrow::AsyncArrowWriter;
use datafusion::parquet::arrow::ParquetRecordBatchStreamBuilder;
use datafusion::parquet::arrow::arrow_reader::ArrowReaderOptions;
use datafusion::parquet::arrow::arrow_writer::ArrowWriterOptions;
use datafusion::parquet::arrow::async_reader::ParquetRecordBatchStream;
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::properties::WriterPropertiesBuilder;
use futures::StreamExt;

use super::decide::{Step, Task};
use super::folder::{NO_MANIFEST, OpenFolder, Unplaced};
use super::manifest::{Done, Job, Manifest};
use super::object::{StoredFile, Upload};
use super::row_wise::{RowWisePlan, ScannedInput};
use crate::sinks::destination::reason;
use crate::sinks::error_rows::error_rows;

/// The batch size for copying rows of an old part.
const COPY_BATCH_ROWS: usize = 256;

/// The part without rows in a folder for rows with errors.
const NO_ERRORS: &str = "no-errors.parquet";

/// The state that all parts of a run share.
#[derive(Debug)]
pub struct Run {
    pub plans: Vec<RowWisePlan>,
    pub schema: SchemaRef,
    pub options: TableParquetOptions,
    pub context: Arc<TaskContext>,
    pub folder: OpenFolder,
    /// The target of rows with an error, and the column with the error.
    pub errors: Option<(OpenFolder, usize)>,
}

/// The numbers of rows written to a part.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Rows of processed inputs, without those copied from the old part.
    pub rows: u64,
    /// Rows with an error, in whichever part.
    pub error_rows: u64,
}

impl Run {
    /// Writes a part, and the part of the same name for rows with errors.
    pub async fn write(&self, task: Task) -> Result<Written> {
        let mut good = Output::new(self, &self.folder, &task).await?;
        let mut bad = match &self.errors {
            Some((folder, _)) => Some(Output::new(self, folder, &task).await?),
            None => None,
        };
        let mut written = Written::default();
        for step in &task.steps {
            match step {
                Step::Run(scanned) => {
                    let added = self.process(scanned, &mut good, bad.as_mut()).await?;
                    written.rows += added.rows;
                    written.error_rows += added.error_rows;
                }
                Step::Keep(done) => {
                    good.keep(done).await?;
                    if let Some(bad) = &mut bad {
                        bad.keep(done).await?;
                    }
                }
                Step::Leave(done) => {
                    good.leave(done).await?;
                    if let Some(bad) = &mut bad {
                        bad.leave(done).await?;
                    }
                }
            }
        }
        // The main part comes last, because it marks the inputs as done.
        if let Some(bad) = bad {
            bad.finish(&task, false).await?;
        }
        good.finish(&task, true).await?;
        Ok(written)
    }

    /// Writes a part without rows to an empty folder for rows with errors, which could not be read
    /// as a table otherwise.
    pub async fn write_no_errors(&self, job: Job) -> Result<()> {
        let Some((folder, _)) = &self.errors else {
            return Ok(());
        };
        if !folder.folder().files().await?.is_empty() {
            return Ok(());
        }
        let task = Task {
            name: NO_ERRORS.to_owned(),
            job,
            steps: Vec::new(),
            replaces: None,
        };
        let part = Output::new(self, folder, &task).await?;
        part.finish(&task, true).await
    }

    /// Removes the part without rows if there are others.
    pub async fn remove_no_errors(&self) -> Result<()> {
        let Some((folder, _)) = &self.errors else {
            return Ok(());
        };
        let files = folder.folder().files().await?;
        if files.iter().any(|(name, _)| name != NO_ERRORS) {
            folder.remove(NO_ERRORS).await?;
        }
        Ok(())
    }

    async fn process(
        &self,
        scanned: &ScannedInput,
        good: &mut Output<'_>,
        mut bad: Option<&mut Output<'_>>,
    ) -> Result<Written> {
        let Some(plan) = self.plans.get(scanned.input.scan) else {
            return exec_err!("no scan {}", scanned.input.scan);
        };
        let errors = Arc::new(AtomicU64::new(0));
        let config = self.context.session_config().options();
        let plan = plan.of(scanned, &errors, config)?;
        let mut batches = plan.execute(0, Arc::clone(&self.context))?;
        let mut written = Written::default();
        // Rows with an error that stay among the others.
        let mut kept_errors = 0;
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            match (&mut bad, &self.errors) {
                (Some(bad), Some((_, column))) => {
                    let error = batch.column(*column);
                    if error.null_count() == error.len() {
                        good.write(&batch).await?;
                    } else {
                        let with_error = filter_record_batch(&batch, &is_not_null(error)?)?;
                        bad.write(&with_error).await?;
                        good.write(&filter_record_batch(&batch, &is_null(error)?)?)
                            .await?;
                        written.error_rows += with_error.num_rows() as u64;
                    }
                }
                _ => {
                    good.write(&batch).await?;
                    kept_errors += error_rows(&batch) as u64;
                }
            }
            written.rows += batch.num_rows() as u64;
        }
        written.rows -= written.error_rows;
        // Most rows with an error come from a record that was already counted.
        let bad_rows = written.error_rows + kept_errors;
        let errors = errors.load(Ordering::Relaxed).max(bad_rows);
        let done = |rows| Done {
            input: scanned.input.clone(),
            rows,
            errors,
        };
        good.done.push(done(written.rows));
        if let Some(bad) = bad {
            bad.done.push(done(written.error_rows));
        }
        written.error_rows = bad_rows;
        Ok(written)
    }
}

/// A file that is being written.
struct Output<'a> {
    folder: &'a OpenFolder,
    writer: AsyncArrowWriter<Upload>,
    unplaced: Unplaced,
    memory: MemoryReservation,
    old: Option<OldRows>,
    done: Vec<Done>,
    rows: u64,
}

impl<'a> Output<'a> {
    async fn new(run: &Run, folder: &'a OpenFolder, task: &Task) -> Result<Self> {
        let old = match &task.replaces {
            Some(_) => OldRows::open(folder, task, &run.schema).await?,
            None => None,
        };
        let (upload, unplaced) = folder.file(&task.name)?;
        let mut options = run.options.clone();
        if !options.global.skip_arrow_metadata {
            options.arrow_schema(&run.schema);
        }
        let properties = WriterPropertiesBuilder::try_from(&options)?.build();
        let options = ArrowWriterOptions::new()
            .with_properties(properties)
            .with_skip_arrow_metadata(options.global.skip_arrow_metadata);
        let schema = Arc::clone(&run.schema);
        let writer = AsyncArrowWriter::try_new_with_options(upload, schema, options)?;
        Ok(Self {
            folder,
            writer,
            unplaced,
            memory: MemoryConsumer::new("ParquetPart").register(run.context.memory_pool()),
            old,
            done: Vec::with_capacity(task.steps.len()),
            rows: 0,
        })
    }

    async fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        self.rows += batch.num_rows() as u64;
        let written = self.writer.write(batch).await;
        written.map_err(|error| self.failed(&error))?;
        // If memory does not suffice for a larger row group, a smaller one is written.
        if self.memory.try_resize(self.writer.memory_size()).is_err() {
            let flushed = self.writer.flush().await;
            flushed.map_err(|error| self.failed(&error))?;
            self.memory.try_resize(self.writer.memory_size())?;
        }
        Ok(())
    }

    async fn keep(&mut self, done: &Done) -> Result<()> {
        let mut left = self.old.as_ref().map_or(0, |old| old.rows_of(done));
        let mut kept = done.clone();
        kept.rows = left;
        while left > 0 {
            let batch = match &mut self.old {
                Some(old) => old.next(left).await?,
                None => return Ok(()),
            };
            left -= batch.num_rows() as u64;
            self.write(&batch).await?;
        }
        self.done.push(kept);
        Ok(())
    }

    async fn leave(&mut self, done: &Done) -> Result<()> {
        if let Some(old) = &mut self.old {
            let mut left = old.rows_of(done);
            while left > 0 {
                left -= old.next(left).await?.num_rows() as u64;
            }
        }
        Ok(())
    }

    /// Makes the file appear. A file without rows appears only if `even_if_empty`.
    async fn finish(mut self, task: &Task, even_if_empty: bool) -> Result<()> {
        if self.rows == 0 && !even_if_empty {
            return self.folder.remove(&task.name).await;
        }
        let manifest = Manifest::new(task.job.clone(), std::mem::take(&mut self.done));
        let entry = manifest
            .entry()
            .map_err(|error| DataFusionError::External(Box::new(error)))?;
        self.writer.append_key_value_metadata(entry);
        let finished = self.writer.finish().await;
        finished.map_err(|error| self.failed(&error))?;
        self.folder.place(self.unplaced).await
    }

    fn failed(&self, error: &ParquetError) -> DataFusionError {
        let name = &self.folder.folder().name;
        exec_datafusion_err!("cannot write '{name}': {}", reason(error))
    }
}

/// The rows of a replaced part, in their order.
struct OldRows {
    batches: ParquetRecordBatchStream<StoredFile>,
    /// The unused rest of a batch.
    rest: Option<RecordBatch>,
    inputs: Vec<Done>,
    name: String,
}

impl OldRows {
    async fn open(folder: &OpenFolder, task: &Task, schema: &SchemaRef) -> Result<Option<Self>> {
        let Some(mut reader) = folder.reader(&task.name).await? else {
            return Ok(None);
        };
        let metadata = reader.metadata().await?;
        let manifest = match Manifest::read(metadata.file_metadata()) {
            Ok(Some(manifest)) => manifest,
            Ok(None) => return folder.folder().refuse(&task.name, NO_MANIFEST),
            Err(error) => return folder.folder().refuse(&task.name, &error),
        };
        let keeps = |step: &Step| matches!(step, Step::Keep(_));
        if !task.steps.iter().any(keeps) {
            return Ok(None);
        }
        // Without the schema, Parquet files do not yield Arrow's large types.
        let options = ArrowReaderOptions::new().with_schema(Arc::clone(schema));
        let batches = ParquetRecordBatchStreamBuilder::new_with_options(reader, options)
            .await?
            .with_batch_size(COPY_BATCH_ROWS)
            .build()?;
        Ok(Some(Self {
            batches,
            rest: None,
            inputs: manifest.inputs,
            name: task.name.clone(),
        }))
    }

    /// The number of rows of an input.
    fn rows_of(&self, done: &Done) -> u64 {
        let inputs = &mut self.inputs.iter();
        inputs
            .find(|old| old.input == done.input)
            .map_or(0, |old| old.rows)
    }

    /// Returns the next rows, at least one and at most `limit`.
    async fn next(&mut self, limit: u64) -> Result<RecordBatch> {
        let batch = match self.rest.take() {
            Some(batch) => batch,
            None => match self.batches.next().await {
                Some(batch) => batch?,
                None => {
                    return exec_err!("'{}' has fewer rows than its manifest declares", self.name);
                }
            },
        };
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        if batch.num_rows() <= limit {
            return Ok(batch);
        }
        self.rest = Some(batch.slice(limit, batch.num_rows() - limit));
        Ok(batch.slice(0, limit))
    }
}
