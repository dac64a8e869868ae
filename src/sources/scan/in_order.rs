//! Writes rows in the order of the query on several threads.
//!
//! DataFusion merges the partitions of a scan in the order of arrival. Formats that keep the order
//! get a scan of many small partitions instead, each a consecutive part of the files. A few of them
//! run in parallel, and their rows are emitted one partition after another.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::common::runtime::SpawnedTask;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Distribution, EquivalenceProperties, Partitioning};
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::limit::GlobalLimitExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use futures::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::ranges::divide;
use crate::operator::{no_expressions, one_input};
use crate::planner::RECOMPUTE;
use crate::sources::scan::RecordSource;

/// The bytes of files per partition. Their rows should fit into [`MAX_BUFFERED_KIB`], so that
/// partitions rarely wait.
const MIN_PARTITION_BYTES: u64 = 1 << 20;
const MAX_PARTITION_BYTES: u64 = 8 << 20;

/// The number of partitions per thread, as long as they are smaller than [`MAX_PARTITION_BYTES`].
const PARTITIONS_PER_THREAD: u64 = 8;

/// The maximum number of partitions: the metrics of each use memory.
const MAX_PARTITIONS: u64 = 4096;

/// The size of the rows that a partition may buffer while it waits for its turn.
const MAX_BUFFERED_KIB: u32 = 32 << 10;

/// Makes a plan emit the rows of its scans in order, as far as its operators preserve it.
pub fn in_order(plan: Arc<dyn ExecutionPlan>, threads: usize) -> Result<Arc<dyn ExecutionPlan>> {
    if let Some(merge) = plan.downcast_ref::<CoalescePartitionsExec>() {
        let input = spread(Arc::clone(merge.input()), threads)?;
        let ordered: Arc<dyn ExecutionPlan> = match input.output_partitioning().partition_count() {
            1 => input,
            _ => Arc::new(InOrderExec::new(input)),
        };
        return Ok(match merge.fetch() {
            Some(rows) => Arc::new(GlobalLimitExec::new(ordered, 0, Some(rows))),
            None => ordered,
        });
    }
    match (
        plan.children().as_slice(),
        plan.maintains_input_order().first(),
    ) {
        ([input], Some(true)) => {
            let input = in_order(Arc::clone(input), threads)?;
            plan.replace_children(vec![input], RECOMPUTE)
        }
        _ => Ok(plan),
    }
}

/// Divides the scans below a plan into many small partitions.
fn spread(plan: Arc<dyn ExecutionPlan>, threads: usize) -> Result<Arc<dyn ExecutionPlan>> {
    if let Some(repartition) = plan.downcast_ref::<RepartitionExec>()
        && matches!(repartition.partitioning(), Partitioning::RoundRobinBatch(_))
    {
        return spread(Arc::clone(repartition.input()), threads);
    }
    if let Some(scan) = plan.downcast_ref::<DataSourceExec>() {
        return Ok(match scan.data_source().downcast_ref::<FileScanConfig>() {
            Some(config) => DataSourceExec::from_data_source(split(config, threads)),
            None => plan,
        });
    }
    let keeps_order = plan.maintains_input_order();
    let requirements = plan.input_distribution_requirements();
    let mut is_changed = false;
    let mut inputs = Vec::with_capacity(keeps_order.len());
    for (index, input) in plan.children().into_iter().enumerate() {
        let is_free = matches!(
            requirements.child_distribution(index),
            Some(Distribution::UnspecifiedDistribution)
        );
        let input = Arc::clone(input);
        inputs.push(match keeps_order.get(index) {
            Some(true) if is_free => {
                is_changed = true;
                spread(input, threads)?
            }
            _ => input,
        });
    }
    if is_changed {
        plan.replace_children(inputs, RECOMPUTE)
    } else {
        Ok(plan)
    }
}

/// Divides the files of a scan, in order, into partitions of a few MiB.
fn split(config: &FileScanConfig, threads: usize) -> FileScanConfig {
    let files: Vec<_> = config
        .file_groups
        .iter()
        .flat_map(FileGroup::iter)
        .collect();
    let total: u64 = files.iter().map(|file| file.effective_size()).sum();
    let size = (total / (threads as u64 * PARTITIONS_PER_THREAD).max(1))
        .clamp(MIN_PARTITION_BYTES, MAX_PARTITION_BYTES)
        .max(total / MAX_PARTITIONS);
    let source = config.file_source().downcast_ref::<RecordSource>();
    let mut groups = Vec::new();
    let mut group = Vec::new();
    let mut filled = 0;
    for file in files {
        let length = file.effective_size();
        if filled > 0 && filled + length > size {
            groups.push(FileGroup::new(std::mem::take(&mut group)));
            filled = 0;
        }
        let parts = source.map_or(1, |source| source.parts(file, size));
        if parts > 1 {
            groups.extend(divide(file, parts).map(|part| FileGroup::new(vec![part])));
        } else {
            group.push(file.clone());
            filled += length.max(1);
        }
    }
    if !group.is_empty() {
        groups.push(FileGroup::new(group));
    }
    FileScanConfigBuilder::from(config.clone())
        .with_file_groups(groups)
        .with_preserve_order(true)
        .build()
}

/// Emits the rows of its input one partition after another, while the next ones run.
#[derive(Debug)]
pub struct InOrderExec {
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl InOrderExec {
    fn new(input: Arc<dyn ExecutionPlan>) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(input.schema()),
            Partitioning::UnknownPartitioning(1),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        Self {
            input,
            properties: Arc::new(properties),
        }
    }
}

impl DisplayAs for InOrderExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "InOrderExec")
    }
}

impl ExecutionPlan for InOrderExec {
    one_input!(InOrderExec, input, |_, input| Ok(Self::new(input)));

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    no_expressions!();

    fn execute(
        &self,
        _partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let partitions = Partitions {
            count: self.input.output_partitioning().partition_count(),
            at_a_time: context.session_config().target_partitions(),
            input: Arc::clone(&self.input),
            context,
            next: 0,
            running: VecDeque::new(),
        };
        let batches = futures::stream::unfold(partitions, |mut partitions| async move {
            let batch = partitions.next_batch().await?;
            Some((batch, partitions))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            batches,
        )))
    }
}

/// The partitions of one execution.
struct Partitions {
    input: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
    count: usize,
    at_a_time: usize,
    /// The next partition to start.
    next: usize,
    running: VecDeque<Running>,
}

/// A running partition. Its permits are the KiB that it may still buffer.
struct Running {
    batches: UnboundedReceiver<(Result<RecordBatch>, OwnedSemaphorePermit)>,
    _task: SpawnedTask<()>,
}

impl Partitions {
    async fn next_batch(&mut self) -> Option<Result<RecordBatch>> {
        loop {
            while self.running.len() < self.at_a_time.max(1) && self.next < self.count {
                match self.start(self.next) {
                    Ok(running) => self.running.push_back(running),
                    Err(error) => return Some(Err(error)),
                }
                self.next += 1;
            }
            let first = self.running.front_mut()?;
            match first.batches.recv().await {
                Some((batch, _permit)) => return Some(batch),
                None => self.running.pop_front(),
            };
        }
    }

    fn start(&self, partition: usize) -> Result<Running> {
        let mut input = self.input.execute(partition, Arc::clone(&self.context))?;
        let (sender, batches) = unbounded_channel();
        let space = Arc::new(Semaphore::new(MAX_BUFFERED_KIB as usize));
        let task = SpawnedTask::spawn(async move {
            while let Some(batch) = input.next().await {
                let bytes = batch.as_ref().map_or(0, RecordBatch::get_array_memory_size);
                let size = u32::try_from(bytes / 1024).unwrap_or(u32::MAX);
                let permits = size.clamp(1, MAX_BUFFERED_KIB);
                let Ok(permit) = Arc::clone(&space).acquire_many_owned(permits).await else {
                    break;
                };
                if sender.send((batch, permit)).is_err() {
                    break;
                }
            }
        });
        Ok(Running {
            batches,
            _task: task,
        })
    }
}
