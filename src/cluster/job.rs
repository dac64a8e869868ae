//! Runs a plan on the cluster: submits it, waits until it is done, and fetches its rows.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::JobId;
use ballista_core::client::BallistaClient;
use ballista_core::error::BallistaError;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::operator_metric::Metric;
use ballista_core::serde::protobuf::{
    CancelJobParams, CleanJobDataParams, ExecuteQueryParams, GetJobMetricsParams,
    GetJobStatusParams, KeyValuePair, PartitionLocation, execute_query_result, job_status,
};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{Result, exec_datafusion_err, internal_datafusion_err};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion::prelude::SessionConfig;
use futures::{StreamExt, TryStreamExt};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::access::connection_failure;
use super::codec::job_bytes;
use super::failure::{locate, readable};
use super::losses::{Failure, LOST_ROWS, Loss, Recovery};
use super::stores::STORES_SETTING;
use super::{Access, Cluster, MAX_MESSAGE_BYTES, Scheduler, clients};
use crate::object_stores::LazyObjectStores;
use crate::operator::{no_expressions, one_input};
use crate::sources::scan::RecordSource;
use crate::sources::scan::batches::ScanCounters;
use crate::sources::scan::counters::Counts;
use crate::sources::scan::exported::add_metric;

/// The maximum number of batches buffered ahead of the query.
const MAX_BUFFERED_BATCHES: usize = 2;

/// A partition up to this size is fetched completely before its first row is passed on.
const MAX_HELD_BYTES: usize = 32 << 20;

/// The polling intervals for the state of a job, at first and later.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(20);
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The interval at which a client looks for lost executors.
const EXECUTORS_INTERVAL: Duration = Duration::from_secs(5);

/// The number of consecutive polls at which the scheduler may not know the job, because it has not
/// registered it yet or has restarted.
const MAX_UNKNOWN_STATES: u32 = 20;

/// Parts of errors of tasks that were reading rows of an executor when it ended.
const BROKEN_CONNECTION: [&str; 3] = [
    LOST_ROWS,
    "h2 protocol error",
    "error reading a body from connection",
];

const FETCH_ATTEMPTS: u8 = 3;
const FETCH_WAIT_MS: u64 = 1000;

/// A plan that runs on the cluster.
#[derive(Debug)]
pub struct ClusterExec {
    cluster: Cluster,
    /// The plan, for EXPLAIN and for the counters of its scans.
    plan: Arc<dyn ExecutionPlan>,
    bytes: Arc<[u8]>,
    /// The batch size by which the plan was made.
    batch_size: usize,
    properties: Arc<PlanProperties>,
}

impl ClusterExec {
    /// Fails if the plan cannot run elsewhere.
    pub fn try_new(
        cluster: Cluster,
        plan: Arc<dyn ExecutionPlan>,
        batch_size: usize,
    ) -> Result<Self> {
        let bytes = job_bytes(&plan)?;
        let properties = PlanProperties::new(
            EquivalenceProperties::new(plan.schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Ok(Self {
            cluster,
            plan,
            bytes: bytes.into(),
            batch_size,
            properties: Arc::new(properties),
        })
    }
}

impl DisplayAs for ClusterExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "ClusterExec: {}", self.cluster)
    }
}

impl ExecutionPlan for ClusterExec {
    one_input!(ClusterExec, plan, |exec, plan| {
        Self::try_new(exec.cluster.clone(), plan, exec.batch_size)
    });

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    no_expressions!();

    fn execute(
        &self,
        _partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let cluster = self.cluster.clone();
        let config = context.session_config().clone();
        let config = config.with_batch_size(self.batch_size);
        let job = Job::new(cluster, self.bytes.to_vec(), &config);
        Ok(Arc::new(job).rows(self.schema(), counters_of(&self.plan)))
    }
}

/// Returns the counters of one scan of a plan, which receive the counts of all scans of a job.
fn counters_of(plan: &Arc<dyn ExecutionPlan>) -> Option<Arc<ScanCounters>> {
    let scan = plan.downcast_ref::<DataSourceExec>();
    let scan = scan.and_then(|scan| scan.downcast_to_file_source::<RecordSource>());
    match scan {
        Some((_, source)) => Some(Arc::clone(source.counters())),
        None => plan.children().into_iter().find_map(counters_of),
    }
}

/// A plan and its settings.
pub struct Job {
    cluster: Cluster,
    plan: Vec<u8>,
    settings: Vec<KeyValuePair>,
    /// Whether rows may cross from one executor to another.
    has_shuffles: bool,
}

impl Job {
    pub fn new(cluster: Cluster, plan: Vec<u8>, config: &SessionConfig) -> Self {
        let entries = config.options().entries().into_iter();
        let settings = entries.map(|entry| KeyValuePair {
            key: entry.key,
            value: entry.value,
        });
        let stores = config.get_extension::<LazyObjectStores>();
        let stores = stores.map(|stores| KeyValuePair {
            key: STORES_SETTING.to_owned(),
            value: Some(stores.options_as_text()),
        });
        Self {
            cluster,
            plan,
            settings: settings.chain(stores).collect(),
            has_shuffles: true,
        }
    }

    /// Runs a plan without shuffles once. If executors are lost, returns an error
    /// that [`Loss::of`] recognizes.
    pub fn rows_once(mut self, schema: SchemaRef) -> SendableRecordBatchStream {
        self.has_shuffles = false;
        let job = Arc::new(self);
        let mut stream =
            RecordBatchReceiverStream::builder(Arc::clone(&schema), MAX_BUFFERED_BATCHES);
        let mut output = Output::new(schema, stream.tx());
        stream.spawn(async move {
            let ended = job.attempt(&mut output, None).await;
            ended.map_err(Failure::into_recognizable)
        });
        stream.build()
    }

    /// Runs the plan, and again after losses. Adds the counts of its scans to `counters`.
    pub fn rows(
        self: Arc<Self>,
        schema: SchemaRef,
        counters: Option<Arc<ScanCounters>>,
    ) -> SendableRecordBatchStream {
        let mut stream =
            RecordBatchReceiverStream::builder(Arc::clone(&schema), MAX_BUFFERED_BATCHES);
        let sender = stream.tx();
        let output = Output::new(schema, sender);
        stream.spawn(async move { self.run(output, counters).await });
        stream.build()
    }

    /// Runs the plan again after a loss, if the rows of the lost partition were not passed on.
    async fn run(
        self: Arc<Self>,
        mut output: Output,
        counters: Option<Arc<ScanCounters>>,
    ) -> Result<()> {
        let mut recovery = Recovery::new(self.cluster.clone());
        loop {
            let done = output.partitions;
            match self.attempt(&mut output, counters.as_ref()).await {
                Err(Failure::Loss(loss)) if !output.is_partial => {
                    if output.partitions > done {
                        recovery.progress();
                    }
                    recovery.wait(loss).await?;
                }
                ended => return ended.map_err(Failure::into_error),
            }
        }
    }

    /// Runs the plan once, and passes on the partitions that are missing in the output.
    async fn attempt(
        self: &Arc<Self>,
        output: &mut Output,
        counters: Option<&Arc<ScanCounters>>,
    ) -> Result<(), Failure> {
        let executors = if self.has_shuffles {
            self.cluster.ready().await?.names
        } else {
            Vec::new()
        };
        let scheduler = self.cluster.connect().await;
        let mut scheduler = scheduler.map_err(|reason| self.unreachable(&reason))?;
        let id = self.submit(&mut scheduler).await?;
        let mut running = RunningJob {
            scheduler: scheduler.clone(),
            id: id.clone(),
            handle: Handle::current(),
            is_done: false,
        };
        let partitions = self.wait(&mut scheduler, &id, &executors).await;
        let is_ended = |failure: &Failure| !matches!(failure, Failure::Loss(_));
        let partitions = partitions.inspect_err(|failure| running.is_done = is_ended(failure))?;
        if let Some(counters) = counters.filter(|_| output.partitions == 0) {
            counters.add(&counts(&mut scheduler, &id).await);
        }
        let mut clients = HashMap::new();
        for partition in partitions.into_iter().skip(output.partitions) {
            let batches = fetch(partition, &self.cluster.access, &mut clients).await?;
            if !output.pass_on(batches).await? {
                // The query needs no more rows.
                return Ok(());
            }
        }
        running.is_done = true;
        // Otherwise, the rows stay on the executors for some minutes. Failures have no other
        // effect.
        let _ = scheduler
            .clean_job_data(CleanJobDataParams {
                job_id: id,
                remove_stage_ids: Vec::new(),
            })
            .await;
        Ok(())
    }

    fn unreachable(&self, reason: &str) -> Loss {
        Loss(format!(
            "cannot reach the scheduler at {}: {reason}",
            self.cluster
        ))
    }

    /// Submits the plan, even if the query is cancelled meanwhile. Otherwise, the job could keep
    /// running without a client.
    async fn submit(self: &Arc<Self>, scheduler: &mut Scheduler) -> Result<String, Failure> {
        if self.plan.len() >= MAX_MESSAGE_BYTES as usize {
            let error = exec_datafusion_err!(
                "the plan has {} MiB, and a cluster takes up to {}: read fewer files in one \
                 statement",
                self.plan.len() >> 20,
                MAX_MESSAGE_BYTES >> 20
            );
            return Err(error.into());
        }
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let (job, mut scheduler) = (Arc::clone(self), scheduler.clone());
        tokio::spawn(async move {
            let submitted = job.submit_now(&mut scheduler).await;
            if let Err(Ok(job_id)) = sender.send(submitted) {
                let _ = scheduler.cancel_job(CancelJobParams { job_id }).await;
            }
        });
        match receiver.await {
            Ok(submitted) => submitted,
            Err(_) => Err(exec_datafusion_err!("the job was not submitted").into()),
        }
    }

    async fn submit_now(&self, scheduler: &mut Scheduler) -> Result<String, Failure> {
        let mut request = tonic::Request::new(ExecuteQueryParams {
            query: Some(Query::PhysicalPlan(self.plan.clone())),
            settings: self.settings.clone(),
            // Executors keep the object stores of a session, and settings may have changed.
            session_id: Uuid::new_v4().to_string(),
            operation_id: Uuid::new_v4().to_string(),
        });
        ballista_core::version::insert_version_header(request.metadata_mut());
        let answer = scheduler.execute_query(request).await;
        let answer = answer.map_err(|status| self.refused(&status))?;
        match answer.into_inner().result {
            Some(execute_query_result::Result::Success(job)) => Ok(job.job_id),
            Some(execute_query_result::Result::Failure(failure)) => {
                Err(exec_datafusion_err!("the scheduler refused the job: {failure:?}").into())
            }
            None => Err(exec_datafusion_err!("the scheduler did not answer").into()),
        }
    }

    fn refused(&self, status: &tonic::Status) -> Failure {
        if status.source().is_some() {
            return self.unreachable(&connection_failure(status)).into();
        }
        let reason = status.message();
        exec_datafusion_err!("the scheduler refused the job: {reason}").into()
    }

    /// Fails if one of the executors is lost: Ballista 55 then repeats the earlier stages, and may
    /// read rows of both attempts.
    async fn check_executors(&self, executors: &[String]) -> Result<(), Failure> {
        if executors.is_empty() {
            return Ok(());
        }
        let status = self.cluster.status().await;
        let status = status.map_err(|error| Loss(crate::errors::message(&error)))?;
        if executors.iter().all(|name| status.names.contains(name)) {
            Ok(())
        } else {
            Err(Loss(format!(
                "the scheduler at {} lost an executor",
                self.cluster
            ))
            .into())
        }
    }

    /// Waits until the job is done, and returns the locations of its rows, in their order.
    async fn wait(
        &self,
        scheduler: &mut Scheduler,
        id: &str,
        executors: &[String],
    ) -> Result<Vec<PartitionLocation>, Failure> {
        let mut interval = MIN_POLL_INTERVAL;
        let mut unknown = 0;
        let mut checked = Instant::now();
        loop {
            if checked.elapsed() > EXECUTORS_INTERVAL {
                self.check_executors(executors).await?;
                checked = Instant::now();
            }
            let request = GetJobStatusParams {
                job_id: id.to_owned(),
            };
            let request = clients::polling(request, id);
            let status = scheduler.get_job_status(request).await;
            let status = status.map_err(|status| {
                let reason = connection_failure(&status);
                Loss(format!("lost the scheduler at {}: {reason}", self.cluster))
            })?;
            match status.into_inner().status.and_then(|job| job.status) {
                Some(job_status::Status::Failed(failed)) => {
                    let reason = readable(&failed.error);
                    if BROKEN_CONNECTION
                        .iter()
                        .any(|text| failed.error.contains(text))
                    {
                        return Err(Loss(format!("{LOST_ROWS}: {reason}")).into());
                    }
                    return Err(DataFusionError::Execution(locate(reason)).into());
                }
                Some(job_status::Status::Successful(job)) => {
                    self.check_executors(executors).await?;
                    return Ok(latest(job.partition_location));
                }
                Some(job_status::Status::Queued(_) | job_status::Status::Running(_)) => unknown = 0,
                None => unknown += 1,
            }
            if unknown > MAX_UNKNOWN_STATES {
                let lost = format!(
                    "the scheduler at {} has restarted and lost the job",
                    self.cluster
                );
                return Err(Loss(lost).into());
            }
            sleep(interval).await;
            interval = (interval * 2).min(MAX_POLL_INTERVAL);
        }
    }
}

/// Cancels its job if the query is dropped first.
struct RunningJob {
    scheduler: Scheduler,
    id: String,
    handle: Handle,
    is_done: bool,
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        if self.is_done {
            return;
        }
        let mut scheduler = self.scheduler.clone();
        let job_id = std::mem::take(&mut self.id);
        self.handle.spawn(async move {
            // The scheduler may be gone.
            let _ = scheduler.cancel_job(CancelJobParams { job_id }).await;
        });
    }
}

/// Returns the counts of the scans of a job; empty if the scheduler does not know them.
async fn counts(scheduler: &mut Scheduler, id: &str) -> Counts {
    let request = GetJobMetricsParams {
        job_id: id.to_owned(),
    };
    let mut counts = Counts::default();
    let Ok(answer) = scheduler.get_job_metrics(request).await else {
        return counts;
    };
    let stages = answer.into_inner().stages.into_iter();
    let operators = stages.flat_map(|stage| stage.operators);
    for metric in operators.flat_map(|operator| operator.metrics) {
        if let Some(Metric::Count(count)) = metric.metric {
            add_metric(&mut counts, &count.name, count.value);
        }
    }
    counts
}

/// Returns the location of each partition, in the order of partitions. Ballista 55 keeps the
/// locations of a lost executor next to those of the repeated tasks, which come later.
fn latest(locations: Vec<PartitionLocation>) -> Vec<PartitionLocation> {
    let by_partition = locations.into_iter().map(|location| {
        let id = location.partition_id.as_ref();
        (id.map(|id| id.partition_id), location)
    });
    let latest: BTreeMap<_, _> = by_partition.collect();
    latest.into_values().collect()
}

/// Passes the rows of partitions on.
struct Output {
    schema: SchemaRef,
    rows: Sender<Result<RecordBatch>>,
    /// The number of partitions that were passed on.
    partitions: usize,
    /// Whether some rows of the next partition were passed on.
    is_partial: bool,
}

impl Output {
    fn new(schema: SchemaRef, rows: Sender<Result<RecordBatch>>) -> Self {
        Self {
            schema,
            rows,
            partitions: 0,
            is_partial: false,
        }
    }

    /// Passes a partition on. A small one is complete before its first row leaves, so that its loss
    /// does not matter. Returns whether more rows are needed.
    async fn pass_on(&mut self, batches: SendableRecordBatchStream) -> Result<bool, Failure> {
        let mut batches = batches.map(|batch| {
            let lost = |error| Loss(format!("{LOST_ROWS}: {error}"));
            batch.map_err(|error| Failure::from(lost(error)))
        });
        let mut held = Vec::new();
        let mut bytes = 0;
        while bytes <= MAX_HELD_BYTES {
            match batches.try_next().await? {
                Some(batch) => {
                    bytes += batch.get_array_memory_size();
                    held.push(batch);
                }
                None => break,
            }
        }
        let mut all = futures::stream::iter(held).map(Ok).chain(batches);
        while let Some(batch) = all.try_next().await? {
            let columns = batch.columns().to_vec();
            let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)
                .map_err(DataFusionError::from)?;
            self.is_partial = true;
            if self.rows.send(Ok(batch)).await.is_err() {
                return Ok(false);
            }
        }
        self.is_partial = false;
        self.partitions += 1;
        Ok(true)
    }
}

/// Fetches one partition. Connections to executors are reused.
async fn fetch(
    location: PartitionLocation,
    access: &Access,
    clients: &mut HashMap<String, BallistaClient>,
) -> Result<SendableRecordBatchStream, Failure> {
    let layout = location.layout();
    let (Some(executor), Some(partition)) = (location.executor_meta, location.partition_id) else {
        return Err(internal_datafusion_err!("rows without a place").into());
    };
    let (host, port) = (executor.host.as_str(), executor.port as u16);
    let failed = |error: BallistaError| {
        let reason = connection_failure(&error);
        Loss(format!(
            "cannot fetch rows from the executor at {host}:{port}: {reason}"
        ))
    };
    let client = match clients.get_mut(&executor.id) {
        Some(client) => client,
        None => {
            let endpoint = BallistaConfigGrpcEndpoint::new(access.hook(|endpoint| endpoint));
            let client = BallistaClient::try_new(
                host,
                port,
                MAX_MESSAGE_BYTES as usize,
                false,
                Some(Arc::new(endpoint)),
                FETCH_ATTEMPTS,
                FETCH_WAIT_MS,
                0,
                0,
            );
            let client = client.await.map_err(failed)?;
            clients.entry(executor.id.clone()).or_insert(client)
        }
    };
    let partition = ballista_core::serde::scheduler::PartitionId {
        job_id: JobId::from(partition.job_id),
        stage_id: partition.stage_id as usize,
        partition_id: partition.partition_id as usize,
    };
    let id = executor.id.as_str();
    let batches =
        client.fetch_partition_proxied(id, &partition, location.file_id, layout, host, port, true);
    Ok(batches.await.map_err(failed)?)
}

#[cfg(test)]
mod tests {
    use ballista_core::serde::protobuf::PartitionId;

    use super::*;

    #[test]
    fn a_repeated_task_takes_the_place_of_the_first() {
        let location = |partition_id, map_partition_id| PartitionLocation {
            partition_id: Some(PartitionId {
                partition_id,
                ..PartitionId::default()
            }),
            map_partition_id,
            ..PartitionLocation::default()
        };
        let all = vec![
            location(2, 0),
            location(0, 1),
            location(1, 2),
            location(2, 3),
        ];
        let expected = [location(0, 1), location(1, 2), location(2, 3)];
        assert_eq!(latest(all), expected);
    }
}
