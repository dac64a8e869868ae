//! An executor: runs tasks, and keeps their rows for other tasks and for clients.
//!
//! Ballista's own process binds its ports without a hook for credentials, and ends when it loses
//! the scheduler. This one runs Ballista's tasks, but binds the ports itself, and waits for a
//! scheduler that restarts.
//!
//! - `tasks`: the calls of the scheduler, and the tasks that run
//! - `reports`: sends heartbeats and the results of tasks to the scheduler
//! - `connections`: connections to other executors

mod connections;
mod reports;
mod tasks;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::extension::SessionConfigExt;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::serde::protobuf::executor_grpc_server::ExecutorGrpcServer;
use ballista_core::{ConfigProducer, RuntimeProducer};
use ballista_executor::execution_engine::DefaultExecutionEngine;
use ballista_executor::executor::Executor;
use ballista_executor::executor_process::{ExecutorProcessConfig, structure_executor_metadata};
use ballista_executor::flight_service::BallistaFlightService;
use ballista_executor::metrics::LoggingMetricsCollector;
use ballista_executor::runtime_cache::{DefaultSessionRuntimeCache, MemoryPoolPolicy};
use ballista_executor::terminate;
use corpus_staging::{PathError, Staging, remove_abandoned};
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionContext;
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tonic::service::Routes;
use tonic::transport::Endpoint;

use self::connections::Connections;
use self::reports::Reports;
use self::tasks::Tasks;
use super::server::{bind, serve};
use super::settings::server_config;
use super::stores::StoreSettings;
use super::{Cluster, MAX_MESSAGE_BYTES, url_host};
use crate::object_stores::LazyObjectStores;

/// The name of folders with shuffled rows, in the temporary folder. They are staging folders: the
/// next executor removes those of killed processes.
const SHUFFLE_FOLDER: &str = "corpus-sql-shuffle";

/// The number of sessions whose object stores and file metadata are kept.
const MAX_CACHED_SESSIONS: usize = 16;

/// The HTTP/2 windows for rows of other executors.
const CONNECTION_WINDOW_BYTES: u32 = 64 << 20;
const STREAM_WINDOW_BYTES: u32 = 16 << 20;

/// The options of an executor.
#[derive(Debug, Clone)]
pub struct ExecutorOptions {
    /// The scheduler. Its access is also that of this process.
    pub scheduler: Cluster,
    pub address: IpAddr,
    /// The port from which other processes fetch rows, and the port for calls of the scheduler.
    pub ports: (u16, u16),
    /// The name or address by which other machines reach this one.
    pub host: Option<String>,
    /// The number of tasks that run in parallel.
    pub slots: usize,
    /// The memory limit of all tasks together.
    pub memory_limit: usize,
    /// The folder for shuffled data.
    pub temp_dir: Option<PathBuf>,
}

/// Runs an executor until the process is stopped. `session` provides the functions of all queries
/// and the folder for spilled data.
pub async fn run(options: ExecutorOptions, session: SessionContext) -> Result<()> {
    let cluster = options.scheduler.clone();
    let status = cluster.status().await?;
    let rows = bind(SocketAddr::new(options.address, options.ports.0)).await?;
    let calls = bind(SocketAddr::new(options.address, options.ports.1)).await?;
    let folder = options.temp_dir.clone().unwrap_or_else(std::env::temp_dir);
    let shuffle = staging(folder.join(SHUFFLE_FOLDER))
        .map_err(|error| exec_datafusion_err!("cannot keep shuffled rows: {error}"))?;
    let work_dir = shuffle.files().to_string_lossy().into_owned();
    let threads = Builder::new_multi_thread()
        .worker_threads(options.slots)
        .thread_name("task")
        .enable_all()
        .build()?;

    let engine = Arc::new(DefaultExecutionEngine::with_client_pool(Arc::new(
        Connections::default(),
    )));
    let executor = Arc::new(executor(&options, &session, &work_dir, engine.clone()));
    let (finished, results) = mpsc::unbounded_channel();
    let tasks = Tasks::new(executor, engine, threads.handle().clone(), finished);
    let flight = FlightServiceServer::new(BallistaFlightService::new(work_dir))
        .max_decoding_message_size(MAX_MESSAGE_BYTES as usize)
        .max_encoding_message_size(MAX_MESSAGE_BYTES as usize);
    let called = ExecutorGrpcServer::new(tasks.clone())
        .max_decoding_message_size(MAX_MESSAGE_BYTES as usize)
        .max_encoding_message_size(MAX_MESSAGE_BYTES as usize);
    let access = cluster.access.clone();
    let serving = async {
        tokio::try_join!(
            serve(rows, &access, Routes::new(flight)),
            serve(calls, &access, Routes::new(called)),
        )
    };
    let mut reports = Reports::connect(cluster, status.instance, tasks.clone()).await?;
    let working = async {
        reports.register().await?;
        tokio::select! {
            () = reports.clone().send_heartbeats() => {}
            () = reports.clone().send_results(results) => {}
            () = interrupted() => {
                reports.leave().await;
                tokio::select! {
                    () = tasks.drained() => {}
                    () = interrupted() => {}
                }
            }
        }
        Ok(())
    };
    let ended = tokio::select! {
        served = serving => served.map(|_| ()),
        ended = working => ended,
    };
    threads.shutdown_background();
    ended
}

/// Completes when the user or the system asks the process to end.
async fn interrupted() {
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate::sig_term() => {}
    }
}

fn executor(
    options: &ExecutorOptions,
    session: &SessionContext,
    work_dir: &str,
    engine: Arc<DefaultExecutionEngine>,
) -> Executor {
    let runtime = session.runtime_env();
    let base: RuntimeProducer = Arc::new(move |config| {
        let stores = config.options().extensions.get::<StoreSettings>();
        let stores = stores.map_or("", |stores| stores.text.as_str());
        let stores = LazyObjectStores::with_options(stores)?;
        RuntimeEnvBuilder::from_runtime_env(&runtime)
            .with_object_store_registry(Arc::new(stores))
            .build_arc()
    });
    // A task gets the memory of its slots.
    let slot_bytes = options.memory_limit / options.slots.max(1);
    let pools: MemoryPoolPolicy = Arc::new(move |base, _, slots| {
        let bytes = slot_bytes.saturating_mul(slots.max(1) as usize);
        RuntimeEnvBuilder::from_runtime_env(&base)
            .with_memory_pool(Arc::new(FairSpillPool::new(bytes)))
            .build_arc()
    });
    let sessions = DefaultSessionRuntimeCache::new(Arc::clone(&base), pools, MAX_CACHED_SESSIONS);
    let hook = options.scheduler.access.hook(with_large_windows);
    let config: ConfigProducer = Arc::new(move || {
        server_config().with_ballista_override_create_grpc_client_endpoint(Arc::clone(&hook))
    });
    let metadata = Arc::new(ExecutorProcessConfig {
        external_host: options.host.clone().or_else(|| {
            // For an unspecified address, the scheduler uses the one from which the executor
            // connects.
            (!options.address.is_unspecified()).then(|| url_host(options.address))
        }),
        port: options.ports.0,
        grpc_port: options.ports.1,
        ..ExecutorProcessConfig::default()
    });
    Executor::new(
        structure_executor_metadata(&metadata, options.slots as u32),
        work_dir,
        base,
        config,
        Arc::new(BallistaFunctionRegistry::from(&session.state())),
        Arc::new(LoggingMetricsCollector::default()),
        options.slots,
        engine,
    )
    .with_session_runtime_cache(Some(Arc::new(sessions)))
}

/// Rows of other executors are large.
fn with_large_windows(endpoint: Endpoint) -> Endpoint {
    endpoint
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
}

fn staging(target: PathBuf) -> Result<Staging, PathError> {
    remove_abandoned(&target)?;
    Staging::beside(&target)
}
