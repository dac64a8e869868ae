//! The status of a scheduler, served over HTTP on the port of its other services.

use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::Cluster;

/// The path of the page.
pub const PATH: &str = "/corpus-sql";

/// The maximum size of the answer.
const MAX_ANSWER_BYTES: u64 = 64 << 10;

const TIMEOUT: Duration = Duration::from_secs(20);

/// The state of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    pub version: String,
    pub executors: usize,
    /// The number of tasks that all executors run at a time.
    pub slots: usize,
}

impl Status {
    pub async fn of(cluster: &Cluster) -> io::Result<Self> {
        match timeout(TIMEOUT, ask(cluster)).await {
            Ok(status) => status,
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// Sends the request without an HTTP client, because a build may not contain one.
async fn ask(cluster: &Cluster) -> io::Result<Status> {
    let host = cluster.host.trim_matches(['[', ']']);
    let mut stream = TcpStream::connect((host, cluster.port)).await?;
    let request = format!("GET {PATH} HTTP/1.1\r\nHost: {cluster}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream
        .take(MAX_ANSWER_BYTES)
        .read_to_end(&mut answer)
        .await?;
    let answer = String::from_utf8_lossy(&answer);
    let other = || io::Error::other("another program answers there");
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(other)?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(other());
    }
    serde_json::from_str(body).map_err(|_| other())
}
