//! The scheduler: takes plans, divides them into stages, and gives tasks to executors.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::{SchedulerConfig, TaskDistributionPolicy};
use ballista_scheduler::scheduler_process::create_scheduler;
use ballista_scheduler::scheduler_server::SchedulerServer;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::SessionContext;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tonic::service::Routes;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Endpoint;
use uuid::Uuid;

use super::access::Access;
use super::clients::Clients;
use super::codec::CorpusCodec;
use super::server::{bind, serve};
use super::settings::server_config;
use super::status::{PATH, Status};
use super::version::VERSION;
use super::{MAX_MESSAGE_BYTES, url_host};

/// The interval at which the scheduler checks for lost executors.
const CHECK_INTERVAL_SECONDS: u64 = 5;

/// The time for which the rows of a job wait for a client to fetch them.
const RESULT_RETENTION_SECONDS: u64 = 600;

/// The time for an answer of an executor.
const CALL_TIMEOUT: Duration = Duration::from_secs(20);

/// The options of a scheduler.
#[derive(Debug, Clone)]
pub struct SchedulerOptions {
    pub address: SocketAddr,
    /// The name or address by which executors reach the scheduler, if it is not `address`.
    pub host: Option<String>,
    /// The time without a sign of life after which an executor or a client is considered lost.
    pub executor_timeout: Duration,
    pub access: Access,
}

type Server = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

/// Runs a scheduler until the process is stopped. `session` provides the functions of all queries.
/// Calls `started` with the address.
pub async fn run(
    options: SchedulerOptions,
    session: SessionContext,
    started: impl FnOnce(SocketAddr),
) -> Result<()> {
    let listener = bind(options.address).await?;
    let address = listener.local_addr()?;
    let failed = |error: ballista_core::error::BallistaError| {
        exec_datafusion_err!("cannot start the scheduler: {error}")
    };
    let config = Arc::new(config(&options, address, session));
    let cluster = BallistaCluster::new_from_config(&config).await;
    let scheduler: Server = create_scheduler(cluster.map_err(failed)?, config)
        .await
        .map_err(failed)?;
    let service = SchedulerGrpcServer::new(scheduler.clone())
        .max_encoding_message_size(MAX_MESSAGE_BYTES as usize)
        .max_decoding_message_size(MAX_MESSAGE_BYTES as usize);
    let clients = Clients::default();
    let note = clients.clone();
    let service = InterceptedService::new(service, move |request| note.note(request));
    tokio::spawn(clients.watch(scheduler.clone(), options.executor_timeout));
    let instance = Uuid::new_v4().to_string();
    let status = move || status(scheduler.clone(), instance.clone());
    let status = Router::new().route(PATH, get(status));
    let routes = Routes::new(service).into_axum_router().merge(status);
    started(address);
    serve(listener, &options.access, Routes::from(routes)).await
}

async fn status(scheduler: Server, instance: String) -> String {
    let executors = scheduler.state.executor_manager.get_executors_state().await;
    let executors = executors.unwrap_or_default();
    let slots = executors
        .iter()
        .map(|(executor, ..)| executor.specification.vcores);
    let names = executors.iter().map(|(executor, ..)| executor.id.clone());
    let status = Status {
        names: names.collect(),
        version: VERSION.clone(),
        instance,
        executors: executors.len(),
        slots: slots.map(|slots| slots as usize).sum(),
    };
    // Texts and numbers can always be encoded.
    serde_json::to_string(&status).unwrap_or_default()
}

/// Limits the time of calls to executors.
fn with_timeout(endpoint: Endpoint) -> Endpoint {
    endpoint.timeout(CALL_TIMEOUT)
}

fn config(
    options: &SchedulerOptions,
    address: SocketAddr,
    session: SessionContext,
) -> SchedulerConfig {
    let timeout = options.executor_timeout.as_secs();
    SchedulerConfig {
        bind_host: url_host(address.ip()),
        external_host: options
            .host
            .clone()
            .unwrap_or_else(|| url_host(address.ip())),
        bind_port: address.port(),
        // Only a scheduler that calls executors can cancel their tasks.
        scheduling_policy: TaskSchedulingPolicy::PushStaged,
        task_distribution: TaskDistributionPolicy::RoundRobin,
        finished_job_data_clean_up_interval_seconds: RESULT_RETENTION_SECONDS,
        finished_job_state_clean_up_interval_seconds: RESULT_RETENTION_SECONDS,
        grpc_server_max_decoding_message_size: MAX_MESSAGE_BYTES,
        grpc_server_max_encoding_message_size: MAX_MESSAGE_BYTES,
        grpc_client_max_message_size: MAX_MESSAGE_BYTES,
        executor_timeout_seconds: timeout,
        expire_dead_executor_interval_seconds: CHECK_INTERVAL_SECONDS,
        no_executors_grace_period_seconds: timeout,
        override_create_grpc_client_endpoint: Some(options.access.hook(with_timeout)),
        override_config_producer: Some(Arc::new(server_config)),
        override_session_builder: Some(Arc::new(move |config| {
            Ok(SessionStateBuilder::new_from_existing(session.state())
                .with_config(config)
                .build())
        })),
        override_physical_codec: Some(Arc::new(CorpusCodec::default())),
        ..SchedulerConfig::default()
    }
}
