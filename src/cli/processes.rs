//! The processes of a cluster: `corpus-sql scheduler` and `corpus-sql executor`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use datafusion::common::Result;
use log::warn;
use tokio::runtime::Builder;

use super::access::AccessArgs;
use super::{FAILED, WRONG_USAGE};
use crate::cluster::executor::{self, ExecutorOptions};
use crate::cluster::scheduler::{self, SchedulerOptions};
use crate::cluster::{Access, Cluster, DEFAULT_PORT, init_log};
use crate::errors::message;
use crate::session::sizes::{parse_memory, parse_size, parse_threads};
use crate::session::{SessionOptions, default_memory_limit, session};

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A process of a cluster.
#[derive(Debug, Subcommand)]
pub enum Process {
    /// Run the scheduler of a cluster
    Scheduler(Box<SchedulerArgs>),
    /// Run an executor of a cluster
    Executor(Box<ExecutorArgs>),
}

#[derive(Debug, Parser)]
pub struct SchedulerArgs {
    /// Address and port for clients and executors
    #[arg(long, value_name = "IP:PORT", default_value_t = SocketAddr::new(LOOPBACK, DEFAULT_PORT))]
    listen: SocketAddr,

    /// Name or address by which executors reach this machine [default: the address of --listen]
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// Time without a sign of life after which an executor is lost, and its tasks run elsewhere
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(10..=86_400))]
    executor_timeout: u64,

    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Parser)]
pub struct ExecutorArgs {
    /// Address of the scheduler
    #[arg(long, value_name = "HOST:PORT")]
    scheduler: Cluster,

    /// Address and port for other executors and clients; the next port is for the scheduler
    #[arg(long, value_name = "IP:PORT", default_value_t = SocketAddr::new(LOOPBACK, DEFAULT_PORT + 1))]
    listen: SocketAddr,

    /// Name by which other machines reach this one [default: the address that the scheduler sees]
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// Number of tasks that run at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    slots: Option<usize>,

    /// Memory of all tasks before they spill to disk, such as 8GB [default: 70 % of RAM]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory_limit: Option<usize>,

    /// Folder for shuffled and spilled data [default: the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,

    /// Maximum size of spilled data [default: 100GB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    temp_limit: Option<u64>,

    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Parser)]
struct CommonArgs {
    #[command(flatten)]
    access: AccessArgs,

    /// Listen without a token and certificates on an address that other machines reach, for
    /// networks that only you can use: whoever reaches the port can read and write files as this
    /// user
    #[arg(long)]
    trust_network: bool,

    /// Log what happens to jobs and tasks, not only problems
    #[arg(long)]
    verbose: bool,
}

impl CommonArgs {
    /// Reads the token and the certificates. Without any, only this machine may reach `address`.
    fn access(&self, address: SocketAddr) -> Result<Access, String> {
        let access = self.access.read()?;
        let is_open = access.token.is_none() && access.tls.is_none();
        if is_open && !self.trust_network && !address.ip().is_loopback() {
            return Err(format!(
                "other machines reach {address}, and nothing protects it: add --token-file, \
                 --tls-cert, --tls-key and --tls-ca, or --trust-network if only your machines are \
                 in that network"
            ));
        }
        if access.tls.is_none() && access.token.is_some() && !address.ip().is_loopback() {
            warn!(
                "the token crosses the network unencrypted: add --tls-cert, --tls-key and --tls-ca \
                 unless nobody else can listen"
            );
        }
        Ok(access)
    }
}

impl Process {
    /// Runs until the process is stopped. Returns the exit code.
    pub fn run(self) -> u8 {
        let (common, listen) = match &self {
            Self::Scheduler(args) => (&args.common, args.listen),
            Self::Executor(args) => (&args.common, args.listen),
        };
        init_log(common.verbose);
        let checked = match &self {
            Self::Scheduler(args) => args.check(),
            Self::Executor(args) => args.check(),
        };
        let access = common.access(listen);
        let access = match access.and_then(|access| checked.map(|()| access)) {
            Ok(access) => access,
            Err(error) => {
                say!("error: {error}");
                return WRONG_USAGE;
            }
        };
        let runtime = match Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                say!("error: cannot start threads: {error}");
                return FAILED;
            }
        };
        let ended = runtime.block_on(async {
            match self {
                Self::Scheduler(args) => args.run(access).await,
                Self::Executor(args) => args.run(access).await,
            }
        });
        runtime.shutdown_background();
        match ended {
            Ok(()) => 0,
            Err(error) => {
                say!("error: {}", message(&error));
                FAILED
            }
        }
    }
}

impl SchedulerArgs {
    fn check(&self) -> Result<(), String> {
        if self.listen.ip().is_unspecified() && self.host.is_none() {
            Err(format!(
                "executors cannot call {}: add --host with the name or address of this machine",
                self.listen
            ))
        } else {
            Ok(())
        }
    }

    async fn run(self, access: Access) -> Result<()> {
        let options = SchedulerOptions {
            address: self.listen,
            host: self.host,
            executor_timeout: Duration::from_secs(self.executor_timeout),
            access,
        };
        let session = session(&SessionOptions::default())?;
        scheduler::run(options, session, |address| {
            say!("scheduler at {address}");
        })
        .await
    }
}

impl ExecutorArgs {
    fn check(&self) -> Result<(), String> {
        if self.listen.ip().is_loopback() && !self.scheduler.is_loopback() {
            return Err(format!(
                "the scheduler at {} cannot reach {}: listen on an address of its network",
                self.scheduler, self.listen
            ));
        }
        if self.listen.port() == u16::MAX {
            return Err("the scheduler takes the next port: choose one below 65535".to_owned());
        }
        Ok(())
    }

    async fn run(self, access: Access) -> Result<()> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let memory_limit = self.memory_limit.unwrap_or_else(default_memory_limit);
        let session = session(&SessionOptions {
            memory_limit: Some(memory_limit),
            temp_dir: self.temp_dir.clone(),
            temp_limit: self.temp_limit,
            ..SessionOptions::default()
        })?;
        let options = ExecutorOptions {
            scheduler: self.scheduler.with_access(access),
            address: self.listen.ip(),
            ports: (self.listen.port(), self.listen.port() + 1),
            host: self.host,
            slots: self.slots.unwrap_or_else(cores),
            memory_limit,
            temp_dir: self.temp_dir,
        };
        executor::run(options, session).await
    }
}
