//! Keeps connections to other executors for the next task.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use ballista_core::client::BallistaClient;
use ballista_core::client_pool::{BallistaClientPool, PooledClient};
use ballista_core::error::Result;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::utils::GrpcClientConfig;
use parking_lot::Mutex;

/// The time for which an unused connection is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

type Idle = HashMap<(String, u16), Vec<(BallistaClient, Instant)>>;

/// The unused connections, by host and port.
#[derive(Default)]
pub struct Connections {
    idle: Arc<Mutex<Idle>>,
}

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connections")
    }
}

#[async_trait]
impl BallistaClientPool for Connections {
    async fn acquire(
        &self,
        host: &str,
        port: u16,
        config: &GrpcClientConfig,
        customize_endpoint: Option<Arc<BallistaConfigGrpcEndpoint>>,
    ) -> Result<PooledClient> {
        self.evict_idle().await;
        let key = (host.to_owned(), port);
        let idle = self.idle.lock().get_mut(&key).and_then(Vec::pop);
        let client = match idle {
            Some((client, _)) => client,
            None => {
                let client = BallistaClient::try_new(
                    host,
                    port,
                    config.max_message_size,
                    false,
                    customize_endpoint,
                    config.io_retries_times,
                    config.io_retry_wait_time_ms,
                    0,
                    0,
                );
                client.await?
            }
        };
        let idle = Arc::clone(&self.idle);
        let put_back = move |client| {
            let mut idle = idle.lock();
            idle.entry(key).or_default().push((client, Instant::now()));
        };
        Ok(PooledClient::new(client, Box::new(put_back)))
    }

    async fn evict_idle(&self) {
        self.idle.lock().retain(|_, clients| {
            clients.retain(|(_, since)| since.elapsed() < IDLE_TIMEOUT);
            !clients.is_empty()
        });
    }
}
