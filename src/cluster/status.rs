//! The status of a scheduler, served over HTTP on the port of its other services.

use std::time::Duration;

use axum::body::to_bytes;
use axum::http::{Request, StatusCode};
use futures::future::poll_fn;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use tonic::body::Body;
use tonic::client::GrpcService;

use super::Cluster;
use super::access::connection_failure;

/// The path of the page.
pub const PATH: &str = "/corpus-sql";

/// The maximum size of the answer.
const MAX_ANSWER_BYTES: usize = 64 << 10;

const TIMEOUT: Duration = Duration::from_secs(20);

/// The state of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    pub version: String,
    /// Distinguishes a scheduler from one that was started in its place.
    #[serde(default)]
    pub instance: String,
    pub executors: usize,
    /// The number of tasks that all executors run at a time.
    pub slots: usize,
}

impl Status {
    /// Asks a scheduler. The error is a reason.
    pub async fn of(cluster: &Cluster) -> Result<Self, String> {
        match timeout(TIMEOUT, ask(cluster)).await {
            Ok(status) => status,
            Err(_) => Err("it does not answer".to_owned()),
        }
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
    let other = || "another program answers there".to_owned();
    if response.status() != StatusCode::OK {
        return Err(other());
    }
    let body = axum::body::Body::new(response.into_body());
    let body = to_bytes(body, MAX_ANSWER_BYTES)
        .await
        .map_err(|_| other())?;
    serde_json::from_slice(&body).map_err(|_| other())
}
