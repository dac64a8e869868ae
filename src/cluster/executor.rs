//! An executor: runs tasks, and keeps their rows for other tasks and for clients.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use corpus_staging::{PathError, Staging, remove_abandoned};
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionContext;

use super::codec::CorpusCodec;
use super::settings::server_config;
use super::stores::StoreSettings;
use super::{Cluster, MAX_MESSAGE_BYTES, log, url_host};
use crate::object_stores::LazyObjectStores;

/// The name of folders with shuffled rows, in the temporary folder. They are staging folders: the
/// next executor removes those of killed processes.
const SHUFFLE_FOLDER: &str = "corpus-sql-shuffle";

/// The interval of an executor's heartbeats.
const HEARTBEAT_SECONDS: u64 = 3;

/// The options of an executor.
#[derive(Debug, Clone)]
pub struct ExecutorOptions {
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
    pub is_verbose: bool,
}

/// Runs an executor until the process is stopped. `session` provides the functions of all queries
/// and the folder for spilled data.
pub async fn run(options: ExecutorOptions, session: SessionContext) -> Result<()> {
    log::init(options.is_verbose);
    options.scheduler.status().await?;
    let folder = options.temp_dir.unwrap_or_else(std::env::temp_dir);
    let shuffle = staging(folder.join(SHUFFLE_FOLDER))
        .map_err(|error| exec_datafusion_err!("cannot keep shuffled rows: {error}"))?;
    let runtime = session.runtime_env();
    let config = ExecutorProcessConfig {
        bind_host: url_host(options.address),
        external_host: options.host.or_else(|| {
            // For an unspecified address, the scheduler uses the one from which the executor
            // connects.
            (!options.address.is_unspecified()).then(|| url_host(options.address))
        }),
        port: options.ports.0,
        grpc_port: options.ports.1,
        scheduler_host: options.scheduler.host.clone(),
        scheduler_port: options.scheduler.port,
        vcores: options.slots,
        task_scheduling_policy: TaskSchedulingPolicy::PushStaged,
        work_dir: Some(shuffle.files().to_string_lossy().into_owned()),
        grpc_max_decoding_message_size: MAX_MESSAGE_BYTES,
        grpc_max_encoding_message_size: MAX_MESSAGE_BYTES,
        executor_heartbeat_interval_seconds: HEARTBEAT_SECONDS,
        memory_pool_size: Some(options.memory_limit as u64),
        override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(
            &session.state(),
        ))),
        override_runtime_producer: Some(Arc::new(move |config| {
            let stores = config.options().extensions.get::<StoreSettings>();
            let stores = stores.map_or("", |stores| stores.text.as_str());
            let stores = LazyObjectStores::with_options(stores)?;
            RuntimeEnvBuilder::from_runtime_env(&runtime)
                .with_object_store_registry(Arc::new(stores))
                .build_arc()
        })),
        override_config_producer: Some(Arc::new(server_config)),
        override_physical_codec: Some(Arc::new(CorpusCodec::default())),
        ..ExecutorProcessConfig::default()
    };
    let ended = start_executor_process(Arc::new(config)).await;
    ended.map_err(|error| exec_datafusion_err!("the executor has stopped: {error}"))
}

fn staging(target: PathBuf) -> Result<Staging, PathError> {
    remove_abandoned(&target)?;
    Staging::beside(&target)
}
