//! The status of a scheduler, served over HTTP on the port of its other services.

use std::time::Duration;

use axum::body::to_bytes;
use axum::http::{Request, StatusCode};
use futures::future::poll_fn;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::body::Body;
use tonic::client::GrpcService;

use super::Cluster;
use super::access::{Mismatch, NEEDS_TLS, OTHER_PROGRAM, connection_failure};

/// The path of the page.
pub const PATH: &str = "/corpus-sql";

/// The maximum size of the answer.
const MAX_ANSWER_BYTES: usize = 64 << 10;

const TIMEOUT: Duration = Duration::from_secs(20);

const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// The start of a connection of HTTP/2, with empty settings and an empty request. A process with
/// TLS logs only callers that send a request.
const HTTP2_START: &[u8] =
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\0\x01\x05\0\0\0\x01";

/// The state of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    pub version: String,
    /// Distinguishes a scheduler from one that was started in its place.
    #[serde(default)]
    pub instance: String,
    pub executors: usize,
    /// The names of the executors, which are new for each process.
    #[serde(default)]
    pub names: Vec<String>,
    /// The number of tasks that all executors run at a time.
    pub slots: usize,
}

impl Status {
    /// Asks a scheduler. The error is a reason.
    pub async fn of(cluster: &Cluster) -> Result<Self, String> {
        match timeout(TIMEOUT, ask(cluster)).await {
            Ok(Ok(status)) => Ok(status),
            Ok(Err(reason)) => match timeout(PROBE_TIMEOUT, probe(cluster)).await {
                Ok(Some(other)) => Err(other.to_owned()),
                Ok(None) | Err(_) => Err(reason),
            },
            Err(_) => Err("it does not answer".to_owned()),
        }
    }
}

/// Returns the reason why a process does not understand one without TLS. The HTTP/2 library loses
/// the answer if the connection ends before its request starts.
async fn probe(cluster: &Cluster) -> Option<&'static str> {
    if cluster.access.tls.is_some() {
        return None;
    }
    let host = cluster.host.trim_matches(['[', ']']);
    let mut stream = TcpStream::connect((host, cluster.port)).await.ok()?;
    stream.write_all(HTTP2_START).await.ok()?;
    let mut answer = [0; 26];
    stream.read_exact(&mut answer).await.ok()?;
    if answer == *Mismatch::PlainToTls.answer() {
        Some(NEEDS_TLS)
    } else if answer.starts_with(b"HTTP/") {
        Some(OTHER_PROGRAM)
    } else {
        None
    }
}

async fn ask(cluster: &Cluster) -> Result<Status, String> {
    let mut channel = cluster.access.connect(&cluster.to_string()).await?;
    let failed = |error: tonic::transport::Error| connection_failure(&error);
    let ready = poll_fn(|context| GrpcService::<Body>::poll_ready(&mut channel, context));
    ready.await.map_err(failed)?;
    let request = Request::get(PATH).body(Body::empty());
    let request = request.map_err(|error| error.to_string())?;
    let response = channel.call(request).await.map_err(failed)?;
    if let Some(refusal) = tonic::Status::from_header_map(response.headers()) {
        return Err(refusal.message().to_owned());
    }
    let other = || OTHER_PROGRAM.to_owned();
    if response.status() != StatusCode::OK {
        return Err(other());
    }
    let body = axum::body::Body::new(response.into_body());
    let body = to_bytes(body, MAX_ANSWER_BYTES)
        .await
        .map_err(|_| other())?;
    serde_json::from_slice(&body).map_err(|_| other())
}
