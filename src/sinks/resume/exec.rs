//! The operator that writes a folder part by part.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use datafusion::arrow::array::{ArrayRef, RecordBatch, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::config::TableParquetOptions;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, exec_datafusion_err, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use parking_lot::Mutex;

use super::decide::{Counts, Decision, ScanInputs, Task, decide};
use super::folder::Folder;
use super::manifest::Job;
use super::part::{Run, Written};
use super::row_wise::RowWisePlan;
use crate::operator::no_expressions;

/// A copy that appears part by part.
#[derive(Debug)]
pub struct PartsExec {
    pub parts: Parts,
    properties: Arc<PlanProperties>,
}

/// The plans of the operator and the target of their parts.
#[derive(Debug, Clone)]
pub struct Parts {
    pub plans: Vec<RowWisePlan>,
    pub schema: SchemaRef,
    pub job: Job,
    pub options: TableParquetOptions,
    /// The options of the statement, from which `options` are made.
    #[cfg_attr(
        not(feature = "cluster"),
        expect(dead_code, reason = "for other processes")
    )]
    pub format_options: HashMap<String, String>,
    pub folder: Folder,
    /// The target of rows with an error, and the column with the error.
    pub errors: Option<(Folder, usize)>,
    /// Whether inputs that had errors are retried.
    pub retry_errors: bool,
    pub report: Arc<Report>,
    pub writers: Arc<dyn PartWriters>,
}

/// Counts of a run, for its summary.
#[derive(Debug, Default)]
pub struct Report {
    pub counts: Mutex<Counts>,
    /// The size of the inputs that earlier runs have processed.
    pub done_bytes: Arc<AtomicU64>,
    pub parts: AtomicU64,
    /// The parts to write, once they are known.
    pub plan: Mutex<Option<PartsPlan>>,
    pub error_rows: AtomicU64,
    watcher: OnceLock<PartWatcher>,
    /// Whether the whole output was already complete.
    pub is_unchanged: bool,
}

/// The parts that a run has to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartsPlan {
    /// The folder as the user wrote it.
    pub folder: String,
    /// The number of parts that were complete before.
    pub complete: u64,
    /// The number of parts to write.
    pub missing: u64,
}

/// A part that has appeared.
#[derive(Debug)]
pub struct PartEvent<'a> {
    pub folder: &'a str,
    pub file: &'a str,
    pub inputs: usize,
    pub rows: u64,
    pub error_rows: u64,
}

/// Receives an event for each part.
#[derive(Clone)]
pub struct PartWatcher(pub Arc<dyn Fn(&PartEvent<'_>) + Send + Sync>);

impl fmt::Debug for PartWatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PartWatcher")
    }
}

impl Report {
    /// Sends an event for each part to a watcher.
    pub fn watch(&self, watcher: PartWatcher) {
        // A plan that runs again keeps its watcher.
        let _ = self.watcher.set(watcher);
    }

    /// Returns the folder, the number of its finished parts, and the total number of parts. `None`
    /// if the output is not written in parts, or if their number is not known yet.
    pub fn progress(&self) -> Option<(String, u64, u64)> {
        let plan = self.plan.lock().clone()?;
        let done = plan.complete + self.parts.load(Ordering::Relaxed);
        Some((plan.folder, done, plan.complete + plan.missing))
    }

    /// The report of an output that was complete, with this number of rows with an error.
    pub fn unchanged(done_errors: u64) -> Self {
        Self {
            is_unchanged: true,
            counts: Mutex::new(Counts {
                done_errors,
                ..Counts::default()
            }),
            ..Self::default()
        }
    }
}

impl PartsExec {
    pub fn new(parts: Parts) -> Self {
        Self {
            parts,
            properties: count_properties(),
        }
    }
}

/// The properties of an operator that returns the number of rows written.
fn count_properties() -> Arc<PlanProperties> {
    Arc::new(PlanProperties::new(
        EquivalenceProperties::new(Arc::new(count_schema())),
        Partitioning::UnknownPartitioning(1),
        EmissionType::Final,
        Boundedness::Bounded,
    ))
}

pub fn count_schema() -> Schema {
    Schema::new(vec![Field::new("count", DataType::UInt64, false)])
}

/// The result of a copy.
pub fn count_batch(schema: SchemaRef, rows: u64) -> Result<RecordBatch> {
    let count: ArrayRef = Arc::new(UInt64Array::from(vec![rows]));
    Ok(RecordBatch::try_new(schema, vec![count])?)
}

impl DisplayAs for PartsExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "PartsExec: {}", self.parts.folder.name)?;
        match &self.parts.errors {
            Some((errors, _)) => write!(f, ", errors={}", errors.name),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for PartsExec {
    fn name(&self) -> &str {
        "PartsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.parts.plans.iter().map(RowWisePlan::plan).collect()
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plans = self.children();
        if plans.len() != children.len() {
            return internal_err!("PartsExec has {} inputs", plans.len());
        }
        if plans
            .iter()
            .zip(&children)
            .all(|(old, new)| Arc::ptr_eq(old, new))
        {
            return Ok(self);
        }
        let Some(plans) = children
            .iter()
            .map(RowWisePlan::all)
            .collect::<Option<Vec<_>>>()
        else {
            return internal_err!("an input of PartsExec does not work row by row");
        };
        let plans = plans.into_iter().flatten().collect();
        Ok(Arc::new(Self::new(Parts {
            plans,
            ..self.parts.clone()
        })))
    }

    no_expressions!();

    fn execute(
        &self,
        _partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let (parts, schema) = (self.parts.clone(), self.schema());
        let result_schema = Arc::clone(&schema);
        let result = async move { count_batch(result_schema, parts.write(context).await?) };
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            schema,
            futures::stream::once(result),
        )))
    }
}

impl Parts {
    /// Writes the missing parts, and returns the number of rows.
    async fn write(self, context: Arc<TaskContext>) -> Result<u64> {
        let threads = context.session_config().target_partitions();
        let folder = self.folder.open().await?;
        let errors = match &self.errors {
            Some((errors, column)) => Some((errors.open().await?, *column)),
            None => None,
        };
        let existing = self.folder.parts().await?;
        let scans = self
            .plans
            .iter()
            .enumerate()
            .map(|(number, plan)| ScanInputs {
                inputs: plan.inputs(number),
                grouped: plan.files_are_records(),
            });
        let known: Vec<String> = existing.iter().map(|part| part.name.clone()).collect();
        let with_errors: Vec<(String, u64)> = existing
            .iter()
            .filter(|part| part.error_rows > 0)
            .map(|part| (part.name.clone(), part.error_rows))
            .collect();
        let Decision {
            tasks,
            removed,
            done_bytes,
            counts,
        } = decide(
            &self.job,
            existing,
            scans.collect(),
            self.retry_errors,
            threads,
        )
        .or_else(|reason| self.folder.refuse_all(&reason))?;
        *self.report.counts.lock() = counts;
        let changed: HashSet<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        let is_complete =
            |name: &&String| !removed.contains(name) && !changed.contains(name.as_str());
        *self.report.plan.lock() = Some(PartsPlan {
            folder: self.folder.name.clone(),
            complete: known.iter().filter(is_complete).count() as u64,
            missing: tasks.len() as u64,
        });
        self.report.done_bytes.store(done_bytes, Ordering::Relaxed);
        if let Some((errors, _)) = &errors {
            let kept = with_errors.iter().filter(|(name, _)| is_complete(&name));
            self.warn_of_kept_errors(kept.map(|(_, rows)| rows).sum(), errors.folder());
        }
        if let Some((errors, _)) = &errors {
            // A killed run may leave a part with error rows whose main part has not appeared.
            for part in errors.folder().parts().await? {
                if !known.contains(&part.name) {
                    errors.remove(&part.name).await?;
                }
            }
        }
        for name in removed {
            folder.remove(&name).await?;
            if let Some((errors, _)) = &errors {
                errors.remove(&name).await?;
            }
        }
        let run = Arc::new(Run {
            plans: self.plans,
            schema: self.schema,
            options: self.options,
            context,
            folder,
            errors,
        });
        run.write_no_errors(self.job).await?;
        let mut finished = self.writers.write(Arc::clone(&run), tasks);
        let mut rows = 0;
        while let Some(part) = finished.try_next().await? {
            let Written {
                rows: good,
                error_rows,
            } = part.written;
            if let Some(PartWatcher(watch)) = self.report.watcher.get() {
                watch(&PartEvent {
                    folder: &self.folder.name,
                    file: &part.file,
                    inputs: part.inputs,
                    rows: good,
                    error_rows,
                });
            }
            rows += good;
            self.report.parts.fetch_add(1, Ordering::Relaxed);
            self.report
                .error_rows
                .fetch_add(error_rows, Ordering::Relaxed);
        }
        run.remove_no_errors().await?;
        Ok(rows)
    }

    /// Warns of rows with an error among the others, which an earlier run without a folder for them
    /// has written.
    fn warn_of_kept_errors(&self, rows: u64, errors: &Folder) {
        if rows > 0 {
            log::warn!(
                "an earlier run has written rows with an error to '{}' ({rows} of them): they stay \
                 there; --retry-errors moves them to '{}'",
                self.folder.name,
                errors.name
            );
        }
    }
}

/// Writes the parts of a run.
pub trait PartWriters: fmt::Debug + Send + Sync {
    fn write(&self, run: Arc<Run>, tasks: Vec<Task>) -> BoxStream<'static, Result<FinishedPart>>;
}

/// A part that has been written.
#[derive(Debug)]
pub struct FinishedPart {
    pub file: String,
    /// The number of inputs that were processed.
    pub inputs: usize,
    pub written: Written,
}

/// Writes parts in this process, one per thread in parallel.
#[derive(Debug)]
pub struct LocalWriters;

impl PartWriters for LocalWriters {
    fn write(&self, run: Arc<Run>, tasks: Vec<Task>) -> BoxStream<'static, Result<FinishedPart>> {
        let threads = run.context.session_config().target_partitions();
        let written = futures::stream::iter(tasks).map(move |task| {
            let run = Arc::clone(&run);
            let (file, inputs) = (task.name.clone(), task.inputs());
            async move {
                let part = SpawnedTask::spawn(async move { run.write(task).await });
                let written = part
                    .join_unwind()
                    .await
                    .map_err(|error| exec_datafusion_err!("the copy was cancelled: {error}"))??;
                Ok(FinishedPart {
                    file,
                    inputs,
                    written,
                })
            }
        });
        written.buffer_unordered(threads.max(1)).boxed()
    }
}
