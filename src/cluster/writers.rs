//! The client's side of [`parts`](super::parts): sends the tasks of a run to the cluster, and
//! watches parts appear.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use log::warn;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::{MissedTickBehavior, interval};

use super::Cluster;
use super::codec::job_bytes;
use super::job::Job;
use super::losses::{Loss, Recovery};
use super::parts::{
    PartRow, SharedState, TASKS, TargetFolder, WritePartsExec, batch, rows, task_bytes,
};
use crate::sinks::resume::decide::Task;
use crate::sinks::resume::exec::{FinishedPart, PartWriters, Parts};
use crate::sinks::resume::folder::{Folder, OpenFolder};
use crate::sinks::resume::part::{Run, Written};
use crate::sources::scan::batches::ScanCounters;
use crate::sources::scan::counters::Counts;

/// The number of partitions per slot. Tasks are divided before the job starts. If partitions are
/// small, other slots can take over work from one with slow inputs.
const PARTITIONS_PER_SLOT: usize = 16;

/// The interval at which the folder is listed to find new parts.
const LISTING_INTERVAL: Duration = Duration::from_secs(5);

/// Writes parts on the executors of a cluster.
#[derive(Debug)]
pub struct ClusterWriters {
    cluster: Cluster,
    format_options: HashMap<String, String>,
}

impl ClusterWriters {
    /// Fails if the plan of the parts cannot run elsewhere.
    pub fn try_new(cluster: Cluster, parts: &Parts) -> Result<Self> {
        let common = SharedState {
            plans: parts.plans.clone(),
            schema: Arc::clone(&parts.schema),
            format_options: HashMap::new(),
            folder: TargetFolder::default(),
            errors: None,
        };
        let plan = WritePartsExec::new(common, tasks_table(&[])?);
        job_bytes(&(Arc::new(plan) as Arc<dyn ExecutionPlan>))?;
        Ok(Self {
            cluster,
            format_options: parts.format_options.clone(),
        })
    }
}

impl PartWriters for ClusterWriters {
    fn write(&self, run: Arc<Run>, tasks: Vec<Task>) -> BoxStream<'static, Result<FinishedPart>> {
        let (sender, receiver) = mpsc::channel(1);
        let mut writing = ClusterWrite {
            cluster: self.cluster.clone(),
            format_options: self.format_options.clone(),
            progress: OutputProgress::new(&run, &tasks),
            open: tasks
                .into_iter()
                .map(|task| (task.name.clone(), task))
                .collect(),
            run,
            finished: sender,
        };
        let writing = SpawnedTask::spawn(async move { writing.all().await });
        let parts = futures::stream::try_unfold((receiver, Some(writing)), |state| async {
            let (mut receiver, mut writing) = state;
            if let Some(part) = receiver.recv().await {
                return Ok(Some((part, (receiver, writing))));
            }
            if let Some(writing) = writing.take() {
                let ended = writing.join_unwind().await;
                ended
                    .map_err(|error| exec_datafusion_err!("the copy was cancelled: {error}"))??;
            }
            Ok(None)
        });
        parts.boxed()
    }
}

/// A run whose parts the cluster writes.
struct ClusterWrite {
    cluster: Cluster,
    format_options: HashMap<String, String>,
    run: Arc<Run>,
    /// The parts that have not been reported, by name.
    open: BTreeMap<String, Task>,
    progress: OutputProgress,
    finished: Sender<FinishedPart>,
}

impl ClusterWrite {
    /// Writes all parts. After a loss, the parts in the folder are the state of the run.
    async fn all(&mut self) -> Result<()> {
        let mut recovery = Recovery::new(self.cluster.clone());
        while !self.open.is_empty() {
            let before = self.open.len();
            let loss = match self.attempt().await {
                Err(error) => Loss::of(error)?,
                Ok(()) if self.open.is_empty() || self.finished.is_closed() => break,
                Ok(()) => return exec_err!("{before} parts were not reported by the cluster"),
            };
            let found = self.find_written().await?;
            if found > 0 {
                warn!(
                    "the counts leave out the records and errors of {found} parts, which were \
                     found complete after a loss"
                );
            }
            if self.open.len() < before {
                recovery.progress();
            }
            if !self.open.is_empty() {
                recovery.wait(loss).await?;
            }
        }
        Ok(())
    }

    /// Runs a job for the open parts.
    async fn attempt(&mut self) -> Result<()> {
        let run = Arc::clone(&self.run);
        let status = self.cluster.ready().await?;
        let common = SharedState {
            plans: run.plans.clone(),
            schema: Arc::clone(&run.schema),
            format_options: self.format_options.clone(),
            folder: place(&run.folder),
            errors: run
                .errors
                .as_ref()
                .map(|(folder, column)| (place(folder), *column)),
        };
        let groups = divide(self.open.values(), status.slots * PARTITIONS_PER_SLOT);
        let groups = groups.iter().map(|group| {
            let bytes = group.iter().map(|task| task_bytes(task));
            batch(&TASKS, &bytes.collect::<Result<Vec<_>>>()?)
        });
        let table = tasks_table(&groups.collect::<Result<Vec<_>>>()?)?;
        let plan: Arc<dyn ExecutionPlan> = Arc::new(WritePartsExec::new(common, table));
        let schema = plan.schema();
        let bytes = job_bytes(&plan)?;
        let job = Job::new(self.cluster.clone(), bytes, run.context.session_config());
        let mut batches = job.rows_once(schema);
        let mut ticks = interval(LISTING_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let batch = tokio::select! {
                batch = batches.try_next() => batch?,
                _ = ticks.tick() => {
                    self.progress.list(run.folder.folder()).await;
                    continue;
                }
            };
            let Some(batch) = batch else {
                return Ok(());
            };
            for row in rows(&batch)? {
                let row = PartRow::of(row)?;
                self.progress.finished(&row.file, &row.counts());
                let Some(task) = self.open.remove(&row.file) else {
                    return exec_err!("the part '{}' was written twice", row.file);
                };
                let written = Written {
                    rows: row.rows,
                    error_rows: row.error_rows,
                };
                self.finish(task, written).await;
            }
        }
    }

    /// Finishes the open parts that executors have written, but not reported. Returns their number.
    async fn find_written(&mut self) -> Result<usize> {
        let before = self.open.len();
        for (name, task) in std::mem::take(&mut self.open) {
            let Some(written) = self.run.written(&task).await? else {
                self.open.insert(name, task);
                continue;
            };
            let counts = Counts {
                files: task.inputs() as u64,
                bytes: task.bytes(),
                ..Counts::default()
            };
            self.progress.finished(&name, &counts);
            self.finish(task, written).await;
        }
        Ok(before - self.open.len())
    }

    async fn finish(&self, task: Task, written: Written) {
        let part = FinishedPart {
            inputs: task.inputs(),
            file: task.name,
            written,
        };
        // The statement has ended if nobody receives it.
        let _ = self.finished.send(part).await;
    }
}

fn place(folder: &OpenFolder) -> TargetFolder {
    let staged = folder.staged_files();
    TargetFolder {
        name: folder.folder().name.clone(),
        url: folder.folder().url.to_string(),
        staged_files: staged.map(|path| path.to_string_lossy().into_owned()),
    }
}

fn tasks_table(partitions: &[RecordBatch]) -> Result<Arc<dyn ExecutionPlan>> {
    let partitions: Vec<_> = partitions.iter().map(|batch| vec![batch.clone()]).collect();
    let table = MemorySourceConfig::try_new(&partitions, Arc::clone(&TASKS), None)?;
    Ok(DataSourceExec::from_data_source(table))
}

/// Divides tasks into up to `groups` groups of about equal size. Large tasks come first in each.
fn divide<'a>(tasks: impl Iterator<Item = &'a Task>, groups: usize) -> Vec<Vec<&'a Task>> {
    let mut order: Vec<&Task> = tasks.collect();
    order.sort_by_key(|task| std::cmp::Reverse(task.bytes()));
    let count = groups.clamp(1, order.len().max(1));
    let mut groups: Vec<Vec<&Task>> = vec![Vec::new(); count];
    for (number, task) in order.into_iter().enumerate() {
        groups[number % count].push(task);
    }
    groups
}

/// Estimates progress from the parts that appear, until their rows report exact numbers.
struct OutputProgress {
    counters: Option<Arc<ScanCounters>>,
    /// The sizes of the inputs of parts that have not appeared.
    waiting: HashMap<String, u64>,
    /// The sizes already counted for parts that have appeared.
    assumed: HashMap<String, u64>,
}

impl OutputProgress {
    fn new(run: &Run, tasks: &[Task]) -> Self {
        let source = run.plans.iter().find_map(|plan| plan.source());
        let new = tasks.iter().filter(|task| task.replaces.is_none());
        Self {
            counters: source.map(|source| Arc::clone(source.counters())),
            waiting: new.map(|task| (task.name.clone(), task.bytes())).collect(),
            assumed: HashMap::new(),
        }
    }

    async fn list(&mut self, folder: &Folder) {
        // Ignore errors, because progress is not essential.
        let Ok(names) = folder.names().await else {
            return;
        };
        for name in names {
            let (Some(bytes), Some(counters)) = (self.waiting.remove(&name), &self.counters) else {
                continue;
            };
            counters.bytes.fetch_add(bytes, Ordering::Relaxed);
            self.assumed.insert(name, bytes);
        }
    }

    fn finished(&mut self, file: &str, counts: &Counts) {
        let Some(counters) = &self.counters else {
            return;
        };
        self.waiting.remove(file);
        let assumed = self.assumed.remove(file).unwrap_or_default();
        counters.bytes.fetch_sub(assumed, Ordering::Relaxed);
        counters.add(counts);
    }
}
