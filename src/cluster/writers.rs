//! The client's side of [`parts`](super::parts): sends the tasks of a run to the cluster, and
//! watches parts appear.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::{Result, exec_err};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::DataFusionError;
use datafusion::physical_plan::ExecutionPlan;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use tokio::time::{MissedTickBehavior, interval};

use super::Cluster;
use super::codec::job_bytes;
use super::job::Job;
use super::parts::{Common, PartRow, Place, TASKS, WritePartsExec, batch, rows, task_bytes};
use crate::sinks::resume::decide::Task;
use crate::sinks::resume::exec::{FinishedPart, PartWriters, Parts};
use crate::sinks::resume::folder::{Folder, OpenFolder};
use crate::sinks::resume::part::{Run, Written};
use crate::sources::scan::batches::ScanCounters;

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
        let common = Common {
            plans: parts.plans.clone(),
            schema: Arc::clone(&parts.schema),
            format_options: HashMap::new(),
            folder: Place::default(),
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
        let cluster = self.cluster.clone();
        let format_options = self.format_options.clone();
        let parts = async move {
            if tasks.is_empty() {
                return Ok(futures::stream::empty().boxed());
            }
            let status = cluster.ready().await?;
            let common = Common {
                plans: run.plans.clone(),
                schema: Arc::clone(&run.schema),
                format_options,
                folder: place(&run.folder),
                errors: run
                    .errors
                    .as_ref()
                    .map(|(folder, column)| (place(folder), *column)),
            };
            let groups = divided(&tasks, status.slots * PARTITIONS_PER_SLOT);
            let groups = groups.iter().map(|group| {
                let bytes = group.iter().map(|task| task_bytes(task));
                batch(&TASKS, &bytes.collect::<Result<Vec<_>>>()?)
            });
            let table = tasks_table(&groups.collect::<Result<Vec<_>>>()?)?;
            let plan: Arc<dyn ExecutionPlan> = Arc::new(WritePartsExec::new(common, table));
            let schema = plan.schema();
            let bytes = job_bytes(&plan)?;
            let job = Job::new(cluster, bytes, run.context.session_config());
            let mut progress = Appearing::new(&run, &tasks);
            let watched = run.folder.folder().clone();
            let mut batches = Arc::new(job).rows(schema, None);
            let first = {
                let mut ticks = interval(LISTING_INTERVAL);
                ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
                loop {
                    tokio::select! {
                        batch = batches.try_next() => break batch?,
                        _ = ticks.tick() => progress.list(&watched).await,
                    }
                }
            };
            let finished = futures::stream::iter(first.map(Ok)).chain(batches);
            Ok::<_, DataFusionError>(finished_parts(finished, tasks, progress))
        };
        futures::stream::once(parts).try_flatten().boxed()
    }
}

fn place(folder: &OpenFolder) -> Place {
    let staged = folder.staged_files();
    Place {
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
fn divided(tasks: &[Task], groups: usize) -> Vec<Vec<&Task>> {
    let mut order: Vec<&Task> = tasks.iter().collect();
    order.sort_by_key(|task| std::cmp::Reverse(task.bytes()));
    let count = groups.clamp(1, tasks.len().max(1));
    let mut groups: Vec<Vec<&Task>> = vec![Vec::new(); count];
    for (number, task) in order.into_iter().enumerate() {
        groups[number % count].push(task);
    }
    groups
}

/// Converts the rows of a job to finished parts. A part without a row is an error.
fn finished_parts(
    batches: impl futures::Stream<Item = Result<RecordBatch>> + Send + 'static,
    tasks: Vec<Task>,
    progress: Appearing,
) -> BoxStream<'static, Result<FinishedPart>> {
    let mut open: HashMap<String, usize> = HashMap::new();
    open.extend(tasks.iter().map(|task| (task.name.clone(), task.inputs())));
    let state = (batches.boxed(), open, progress);
    let parts = futures::stream::try_unfold(state, |(mut batches, mut open, mut progress)| async {
        let Some(batch) = batches.try_next().await? else {
            return match open.len() {
                0 => Ok(None),
                missing => exec_err!("{missing} parts were not reported by the cluster"),
            };
        };
        let mut parts = Vec::new();
        for row in rows(&batch)? {
            let row = PartRow::of(row)?;
            progress.finished(&row);
            let Some(inputs) = open.remove(&row.file) else {
                return exec_err!("the part '{}' was written twice", row.file);
            };
            parts.push(Ok(FinishedPart {
                inputs,
                written: Written {
                    rows: row.rows,
                    error_rows: row.error_rows,
                },
                file: row.file,
            }));
        }
        let parts = futures::stream::iter(parts);
        Ok(Some((parts, (batches, open, progress))))
    });
    parts.try_flatten().boxed()
}

/// Estimates progress from the parts that appear, until their rows report exact numbers.
struct Appearing {
    counters: Option<Arc<ScanCounters>>,
    /// The sizes of the inputs of parts that have not appeared.
    waiting: HashMap<String, u64>,
    /// The sizes already counted for parts that have appeared.
    assumed: HashMap<String, u64>,
}

impl Appearing {
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

    fn finished(&mut self, row: &PartRow) {
        let Some(counters) = &self.counters else {
            return;
        };
        self.waiting.remove(&row.file);
        let assumed = self.assumed.remove(&row.file).unwrap_or_default();
        counters.bytes.fetch_sub(assumed, Ordering::Relaxed);
        counters.add(&row.counts());
    }
}
