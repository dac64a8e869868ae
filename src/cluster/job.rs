//! Runs a plan on the cluster: submits it, waits until it is done, and fetches its rows.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::JobId;
use ballista_core::client::BallistaClient;
use ballista_core::error::BallistaError;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::operator_metric::Metric;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    CancelJobParams, CleanJobDataParams, ExecuteQueryParams, GetJobMetricsParams,
    GetJobStatusParams, KeyValuePair, PartitionLocation, execute_query_result, job_status,
};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{Result, exec_datafusion_err, exec_err, internal_err};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion::prelude::SessionConfig;
use futures::StreamExt;
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};
use uuid::Uuid;

use super::codec::job_bytes;
use super::failure::readable;
use super::stores::STORES_SETTING;
use super::{Cluster, MAX_MESSAGE_BYTES};
use crate::object_stores::LazyObjectStores;
use crate::operator::{no_expressions, one_input};
use crate::sources::scan::RecordSource;
use crate::sources::scan::batches::ScanCounters;
use crate::sources::scan::counters::Counts;
use crate::sources::scan::exported::add_metric;

/// The maximum number of batches buffered ahead of the query.
const MAX_BUFFERED_BATCHES: usize = 2;

/// The polling intervals for the state of a job, at first and later.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(20);
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The number of consecutive polls at which the scheduler may not know the job, because it has not
/// registered it yet or has restarted.
const MAX_UNKNOWN_STATES: u32 = 20;

/// The interval of keep-alive messages on a connection to the scheduler, and their timeout.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
const FETCH_ATTEMPTS: u8 = 3;
const FETCH_WAIT_MS: u64 = 1000;

/// A plan that runs on the cluster.
#[derive(Debug)]
pub struct ClusterExec {
    cluster: Cluster,
    /// The plan, for EXPLAIN and for the counters of its scans.
    plan: Arc<dyn ExecutionPlan>,
    bytes: Arc<[u8]>,
    properties: Arc<PlanProperties>,
}

impl ClusterExec {
    /// Fails if the plan cannot run elsewhere.
    pub fn try_new(cluster: Cluster, plan: Arc<dyn ExecutionPlan>) -> Result<Self> {
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
        Self::try_new(exec.cluster.clone(), plan)
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
        let job = Job::new(cluster, self.bytes.to_vec(), context.session_config());
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
}

type Scheduler = SchedulerGrpcClient<Channel>;

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
        }
    }

    /// Runs the plan. Adds the counts of its scans to `counters`.
    pub fn rows(
        self: Arc<Self>,
        schema: SchemaRef,
        counters: Option<Arc<ScanCounters>>,
    ) -> SendableRecordBatchStream {
        let mut stream =
            RecordBatchReceiverStream::builder(Arc::clone(&schema), MAX_BUFFERED_BATCHES);
        let sender = stream.tx();
        stream.spawn(async move { self.run(schema, counters, sender).await });
        stream.build()
    }

    async fn run(
        self: Arc<Self>,
        schema: SchemaRef,
        counters: Option<Arc<ScanCounters>>,
        rows: Sender<Result<RecordBatch>>,
    ) -> Result<()> {
        self.cluster.ready().await?;
        let mut scheduler = self.connect().await?;
        let id = self.submit(&mut scheduler).await?;
        let mut running = RunningJob {
            scheduler: scheduler.clone(),
            id: id.clone(),
            handle: Handle::current(),
            is_done: false,
        };
        let partitions = self.wait(&mut scheduler, &id).await;
        if let Some(counters) = counters {
            counters.add(&counts(&mut scheduler, &id).await);
        }
        let mut clients = HashMap::new();
        for partition in partitions.inspect_err(|_| running.is_done = true)? {
            let mut batches = fetch(partition, &mut clients).await?;
            while let Some(batch) = batches.next().await {
                let columns = batch?.columns().to_vec();
                let batch = RecordBatch::try_new(Arc::clone(&schema), columns)?;
                if rows.send(Ok(batch)).await.is_err() {
                    // The query needs no more rows.
                    return Ok(());
                }
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

    async fn connect(&self) -> Result<Scheduler> {
        let failed = |error: tonic::transport::Error| self.unreachable(&BallistaError::from(error));
        let endpoint = Endpoint::new(self.cluster.url()).map_err(failed)?;
        let endpoint = endpoint
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(KEEP_ALIVE);
        let channel = endpoint.connect().await.map_err(failed)?;
        Ok(SchedulerGrpcClient::new(channel)
            .max_encoding_message_size(MAX_MESSAGE_BYTES as usize)
            .max_decoding_message_size(MAX_MESSAGE_BYTES as usize))
    }

    fn unreachable(&self, error: &dyn fmt::Display) -> DataFusionError {
        exec_datafusion_err!("cannot reach the scheduler at {}: {error}", self.cluster)
    }

    /// Submits the plan, even if the query is cancelled meanwhile. Otherwise, the job could keep
    /// running without a client.
    async fn submit(self: &Arc<Self>, scheduler: &mut Scheduler) -> Result<String> {
        if self.plan.len() >= MAX_MESSAGE_BYTES as usize {
            return exec_err!(
                "the plan has {} MiB, and a cluster takes up to {}: read fewer files in one \
                 statement",
                self.plan.len() >> 20,
                MAX_MESSAGE_BYTES >> 20
            );
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
            Err(_) => exec_err!("the job was not submitted"),
        }
    }

    async fn submit_now(&self, scheduler: &mut Scheduler) -> Result<String> {
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
                exec_err!("the scheduler refused the job: {failure:?}")
            }
            None => exec_err!("the scheduler did not answer"),
        }
    }

    fn refused(&self, status: &tonic::Status) -> DataFusionError {
        match status.message() {
            "" => self.unreachable(status),
            message => exec_datafusion_err!("the scheduler refused the job: {message}"),
        }
    }

    /// Waits until the job is done, and returns the locations of its rows, in their order.
    async fn wait(&self, scheduler: &mut Scheduler, id: &str) -> Result<Vec<PartitionLocation>> {
        let mut interval = MIN_POLL_INTERVAL;
        let mut unknown = 0;
        loop {
            let request = GetJobStatusParams {
                job_id: id.to_owned(),
            };
            let status = scheduler.get_job_status(request).await;
            let status = status.map_err(|status| {
                exec_datafusion_err!(
                    "lost the scheduler at {} and the job: {}",
                    self.cluster,
                    status.message()
                )
            })?;
            match status.into_inner().status.and_then(|job| job.status) {
                Some(job_status::Status::Failed(failed)) => {
                    return exec_err!("{}", readable(&failed.error));
                }
                Some(job_status::Status::Successful(job)) => {
                    return Ok(latest(job.partition_location));
                }
                Some(job_status::Status::Queued(_) | job_status::Status::Running(_)) => unknown = 0,
                None => unknown += 1,
            }
            if unknown > MAX_UNKNOWN_STATES {
                return exec_err!(
                    "the scheduler at {} has restarted and lost the job; run the statement again",
                    self.cluster
                );
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

/// Fetches one partition. Connections to executors are reused.
async fn fetch(
    location: PartitionLocation,
    clients: &mut HashMap<String, BallistaClient>,
) -> Result<SendableRecordBatchStream> {
    let layout = location.layout();
    let (Some(executor), Some(partition)) = (location.executor_meta, location.partition_id) else {
        return internal_err!("rows without a place");
    };
    let (host, port) = (executor.host.as_str(), executor.port as u16);
    let failed = |error: BallistaError| {
        exec_datafusion_err!(
            "cannot fetch rows from the executor at {host}:{port}: {error}; run the statement again"
        )
    };
    let client = match clients.get_mut(&executor.id) {
        Some(client) => client,
        None => {
            let client = BallistaClient::try_new(
                host,
                port,
                MAX_MESSAGE_BYTES as usize,
                false,
                None,
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
    batches.await.map_err(failed)
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
