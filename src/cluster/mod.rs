//! Runs the same SQL on many machines, with [Ballista](https://datafusion.apache.org/ballista/).
//!
//! ```text
//! client     placement  the part of a plan that runs on the cluster
//!            job        submits a plan, waits for it, fetches its rows, cancels it
//!            losses     continues after the loss of a scheduler, or of rows
//!            failure    makes the error of a job readable
//!            writers    a COPY written by all executors
//! messages   codec      encodes our operators; plans; file_extensions
//!            parts      the operator that writes parts, and its tasks
//!            settings   settings that the sessions of all processes share
//!            stores     the options of object stores in executors
//!            status     the status of a scheduler; version
//! processes  scheduler, executor, log
//!            server     their ports
//!            clients    the jobs of clients that are gone
//!            access     tokens and certificates, and connections with them
//! ```
//!
//! The client plans as it does without a cluster, so that table functions, views and options work.
//! It submits physical plans; the scheduler divides these into stages at shuffles, and executors
//! run the tasks of a stage.

mod access;
mod clients;
mod codec;
pub mod executor;
mod failure;
mod file_extensions;
mod job;
mod log;
mod losses;
mod parts;
mod placement;
mod plans;
pub mod scheduler;
mod server;
mod settings;
mod status;
mod stores;
mod version;
mod writers;

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::error::DataFusionError;

use tonic::transport::Channel;

pub use access::{Access, AccessFiles};
pub use log::init as init_log;
pub use placement::ClusterPlanner;
pub use settings::client_config;
pub use status::Status;

/// The port of schedulers.
pub const DEFAULT_PORT: u16 = 50050;

/// A part of the system's error if no process listens on a port.
const CONNECTION_REFUSED: &str = "refused (os error";

/// The default time to wait for a scheduler that is lost during a statement.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(600);

/// The maximum size of a message: a plan with its files, or rows.
const MAX_MESSAGE_BYTES: u32 = 512 << 20;

type Scheduler = SchedulerGrpcClient<Channel>;

/// The scheduler of a cluster.
#[derive(Debug, Clone)]
pub struct Cluster {
    host: String,
    port: u16,
    access: Access,
    /// The time to wait for a scheduler that is lost during a statement.
    wait: Duration,
}

impl FromStr for Cluster {
    type Err = String;

    /// Parses `df://HOST:PORT`. The scheme and the port may be left out.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected df://HOST:PORT, got '{text}'");
        let address = text.strip_prefix("df://").unwrap_or(text);
        let address = address.strip_suffix('/').unwrap_or(address);
        // The colons of an IPv6 address are in brackets.
        let (host, port) = match address.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| wrong())?)
            }
            _ => (address, DEFAULT_PORT),
        };
        let is_bare = host.contains(':') && !host.starts_with('[');
        if host.is_empty() || host.contains('/') || is_bare {
            return Err(wrong());
        }
        let host = host.to_owned();
        Ok(Self {
            host,
            port,
            access: Access::default(),
            wait: DEFAULT_WAIT,
        })
    }
}

/// An address as part of a URL.
fn url_host(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Cluster {
    /// Whether the scheduler is on this machine, where other machines cannot reach it.
    pub fn is_loopback(&self) -> bool {
        let host = self.host.trim_matches(['[', ']']);
        host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }

    /// Sets the token and the certificates of this process.
    pub fn with_access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// Sets the time to wait for a scheduler that is lost during a statement.
    pub fn with_wait(self, wait: Duration) -> Self {
        Self { wait, ..self }
    }

    /// Connects to the scheduler. The error is a reason.
    async fn connect(&self) -> Result<Scheduler, String> {
        let channel = self.access.connect(&self.to_string()).await?;
        Ok(SchedulerGrpcClient::new(channel)
            .max_encoding_message_size(MAX_MESSAGE_BYTES as usize)
            .max_decoding_message_size(MAX_MESSAGE_BYTES as usize))
    }

    /// Asks the scheduler for its status. Another version is an error.
    pub async fn status(&self) -> Result<Status> {
        let status = Status::of(self)
            .await
            .map_err(|reason| self.no_scheduler(&reason))?;
        if status.version != *version::VERSION {
            let other = format!("the scheduler at {self}");
            return exec_err!("{}", version::mismatch(&other, &status.version));
        }
        Ok(status)
    }

    fn no_scheduler(&self, reason: &str) -> DataFusionError {
        let advice = if reason.contains(CONNECTION_REFUSED) {
            "; start one with 'corpus-sql scheduler'"
        } else {
            ""
        };
        exec_datafusion_err!("no scheduler at {self}: {reason}{advice}")
    }

    /// Returns the status of the cluster, or an error if it has no executors.
    async fn ready(&self) -> Result<Status> {
        let status = self.status().await?;
        if status.executors == 0 {
            return exec_err!(
                "the scheduler at {self} has no executors: start one with 'corpus-sql executor \
                 --scheduler {self}'"
            );
        }
        Ok(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let parsed = |text: &str| text.parse::<Cluster>().map(|cluster| cluster.to_string());
        assert_eq!(parsed("df://a.b:1"), Ok("a.b:1".to_owned()));
        assert_eq!(parsed("df://a/"), Ok("a:50050".to_owned()));
        assert_eq!(parsed("[::1]:2"), Ok("[::1]:2".to_owned()));
        assert_eq!(parsed("[::1]"), Ok("[::1]:50050".to_owned()));
        for wrong in ["", "df://", "a:b", "http://a:1", "a:70000", "::1", "a/b"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
