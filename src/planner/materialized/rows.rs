//! The rows of a query that runs once: the first ones in memory, the others on disk.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{DataFusionError, Result, internal_err};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryReservation};
use datafusion::execution::{SendableRecordBatchStream, SpillFile, TaskContext};
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, SpillMetrics};
use datafusion::physical_plan::spill::{SpillManager, get_record_batch_memory_size};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use futures::future::{BoxFuture, Shared};
use futures::{FutureExt, StreamExt, TryStreamExt, stream};
use parking_lot::Mutex;

/// The partitions of a query together hold at most the memory divided by this.
const MEMORY_DIVISOR: usize = 8;

/// The rows of a query. The first reader runs it.
pub struct SharedRows {
    name: String,
    query: Mutex<Arc<dyn ExecutionPlan>>,
    metrics: ExecutionPlanMetricsSet,
    /// The partitions of the query, which run as long as the plan exists.
    partitions: Mutex<Option<Vec<Partition>>>,
}

/// The rows of a partition, once they are complete.
type Partition = Shared<BoxFuture<'static, Result<Arc<Rows>, Arc<DataFusionError>>>>;

impl SharedRows {
    pub fn new(name: &str, query: Arc<dyn ExecutionPlan>) -> Self {
        Self {
            name: name.to_owned(),
            query: Mutex::new(query),
            metrics: ExecutionPlanMetricsSet::new(),
            partitions: Mutex::default(),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    /// Sets the plan that the first reader runs.
    pub fn set_query(&self, query: Arc<dyn ExecutionPlan>) {
        *self.query.lock() = query;
    }

    /// Returns the rows of a partition.
    pub fn read(
        self: &Arc<Self>,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> SendableRecordBatchStream {
        let schema = self.query.lock().schema();
        let shared = Arc::clone(self);
        let rows = async move {
            let rows = shared.partition(partition, &context)?.await;
            rows.map_err(DataFusionError::Shared)?.stream()
        };
        let batches = stream::once(rows).try_flatten();
        Box::pin(RecordBatchStreamAdapter::new(schema, batches))
    }

    /// Returns a partition. All run at the same time, because an operator of the query may need
    /// that all its partitions are read.
    fn partition(&self, index: usize, context: &Arc<TaskContext>) -> Result<Partition> {
        let mut partitions = self.partitions.lock();
        if partitions.is_none() {
            *partitions = Some(self.run(context)?);
        }
        match partitions.as_ref().and_then(|all| all.get(index)) {
            Some(partition) => Ok(partition.clone()),
            None => internal_err!("WITH {} has no partition {index}", self.name),
        }
    }

    fn run(&self, context: &Arc<TaskContext>) -> Result<Vec<Partition>> {
        let query = Arc::clone(&self.query.lock());
        let count = query.output_partitioning().partition_count();
        let max_bytes = match context.memory_pool().memory_limit() {
            MemoryLimit::Finite(bytes) => bytes / MEMORY_DIVISOR / count.max(1),
            MemoryLimit::Infinite | MemoryLimit::Unknown => usize::MAX,
        };
        let partitions = (0..count).map(|partition| {
            let batches = query.execute(partition, Arc::clone(context))?;
            let spill_metrics = SpillMetrics::new(&self.metrics, partition);
            let spill = SpillManager::new(context.runtime_env(), spill_metrics, query.schema());
            let consumer = MemoryConsumer::new(format!("WITH {}", self.name));
            let rows = Rows {
                held: Vec::new(),
                file: None,
                spill,
                memory: consumer.register(context.memory_pool()),
            };
            let metrics = BaselineMetrics::new(&self.metrics, partition);
            let task = SpawnedTask::spawn(rows.collect(batches, max_bytes, metrics));
            let complete = async {
                let rows = task
                    .join_unwind()
                    .await
                    .map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)));
                rows.flatten().map(Arc::new).map_err(Arc::new)
            };
            Ok(complete.boxed().shared())
        });
        partitions.collect()
    }
}

impl fmt::Debug for SharedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedRows")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The rows of a partition.
struct Rows {
    held: Vec<RecordBatch>,
    /// The rows after those in memory.
    file: Option<Arc<dyn SpillFile>>,
    spill: SpillManager,
    memory: MemoryReservation,
}

impl Rows {
    async fn collect(
        mut self,
        mut batches: SendableRecordBatchStream,
        max_bytes: usize,
        metrics: BaselineMetrics,
    ) -> Result<Self> {
        let mut file = None;
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            metrics.record_output(batch.num_rows());
            let file = match &mut file {
                Some(file) => file,
                None if self.holds(&batch, max_bytes) => {
                    self.held.push(batch);
                    continue;
                }
                None => file.insert(self.spill.create_in_progress_file("WITH")?),
            };
            file.append_batch(&batch)?;
        }
        if let Some(mut file) = file {
            self.file = file.finish()?;
        }
        Ok(self)
    }

    /// Whether a batch fits into the memory of the partition, which then counts it.
    fn holds(&self, batch: &RecordBatch, max_bytes: usize) -> bool {
        let bytes = get_record_batch_memory_size(batch);
        self.memory.size() + bytes <= max_bytes && self.memory.try_grow(bytes).is_ok()
    }

    fn stream(self: Arc<Self>) -> Result<SendableRecordBatchStream> {
        let spilled = match &self.file {
            Some(file) => self
                .spill
                .read_spill_as_stream(Arc::clone(file), None)?
                .boxed(),
            None => stream::empty().boxed(),
        };
        let schema = Arc::clone(self.spill.schema());
        let held = (0..self.held.len()).map(move |index| Ok(self.held[index].clone()));
        let batches = stream::iter(held).chain(spilled);
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::execution::runtime_env::RuntimeEnvBuilder;
    use datafusion::physical_plan::common::collect;
    use datafusion::prelude::{SessionConfig, SessionContext};

    use super::*;

    #[tokio::test]
    async fn all_readers_get_the_same_rows_from_memory_and_from_disk() {
        let config = SessionConfig::new()
            .with_target_partitions(2)
            .with_batch_size(100);
        let sql = "SELECT random() AS r FROM generate_series(1, 1000)";
        for held_bytes in [0, 2000, 1 << 20] {
            let runtime = RuntimeEnvBuilder::new()
                .with_memory_limit(held_bytes * MEMORY_DIVISOR * 2, 1.0)
                .build_arc()
                .unwrap();
            let context = SessionContext::new_with_config_rt(config.clone(), runtime);
            let query = context.sql(sql).await.unwrap();
            let query = query.create_physical_plan().await.unwrap();
            let count = query.output_partitioning().partition_count();
            let shared = Arc::new(SharedRows::new("s", query));
            let mut values = 0;
            for partition in 0..count {
                let first = shared.read(partition, context.task_ctx());
                let second = shared.read(partition, context.task_ctx());
                let first = collect(first).await.unwrap();
                assert_eq!(first, collect(second).await.unwrap());
                values += first.iter().map(RecordBatch::num_rows).sum::<usize>();
            }
            assert_eq!((values, count), (1000, 2));
            let spilled = shared.metrics().clone_inner().spilled_rows().unwrap();
            assert_eq!(
                spilled > 0,
                held_bytes < 1 << 20,
                "{spilled} of {held_bytes}"
            );
            assert_eq!(spilled < 1000, held_bytes > 0, "{spilled} of {held_bytes}");
        }
    }

    #[tokio::test]
    async fn all_readers_get_the_error() {
        let context = SessionContext::new();
        let sql = "SELECT 1 / (value - 5) FROM generate_series(1, 10) t(value)";
        let query = context.sql(sql).await.unwrap();
        let query = query.create_physical_plan().await.unwrap();
        let shared = Arc::new(SharedRows::new("s", query));
        for _ in 0..2 {
            let error = collect(shared.read(0, context.task_ctx()))
                .await
                .unwrap_err();
            assert!(error.to_string().contains("Divide by zero"), "{error}");
        }
    }
}
