//! Cancels the jobs of clients that are gone.
//!
//! A client asks for the status of its job until the job ends. The requests carry the job in a
//! header, because Ballista reads their body.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use log::warn;
use parking_lot::Mutex;
use tokio::time::sleep;
use tonic::metadata::MetadataValue;
use tonic::{Request, Status};

use ballista_scheduler::scheduler_server::SchedulerServer;

/// The header with the job.
const JOB: &str = "corpus-sql-job";

/// The interval at which jobs are checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Adds the job to a request of its client.
pub fn polling<T>(message: T, job: &str) -> Request<T> {
    let mut request = Request::new(message);
    // Names of jobs are letters and digits.
    if let Ok(job) = MetadataValue::try_from(job) {
        request.metadata_mut().insert(JOB, job);
    }
    request
}

/// The time of the last request about each running job.
#[derive(Debug, Clone, Default)]
pub struct Clients {
    asked: Arc<Mutex<HashMap<String, Instant>>>,
}

impl Clients {
    /// Notes the job of a request.
    pub fn note(&self, request: Request<()>) -> Result<Request<()>, Status> {
        let job = request.metadata().get(JOB);
        if let Some(job) = job.and_then(|job| job.to_str().ok()) {
            self.asked_at(job, Instant::now());
        }
        Ok(request)
    }

    fn asked_at(&self, job: &str, now: Instant) {
        // Only jobs that run are in the map.
        if let Some(asked) = self.asked.lock().get_mut(job) {
            *asked = now;
        }
    }

    /// Cancels jobs whose clients have not asked for some time.
    pub async fn watch(
        self,
        scheduler: SchedulerServer<LogicalPlanNode, PhysicalPlanNode>,
        timeout: Duration,
    ) {
        loop {
            sleep(CHECK_INTERVAL).await;
            let running = scheduler.state.task_manager.get_running_job_cache();
            let jobs = running.keys().map(|job| job.as_str());
            for job in self.lost(jobs, Instant::now(), timeout) {
                warn!("the client of job {job} is gone: the job is cancelled");
                if let Err(error) = scheduler.cancel_job(job.into()).await {
                    warn!("cannot cancel a job: {error}");
                }
            }
        }
    }

    /// Returns the running jobs whose clients are gone.
    fn lost<'a>(
        &self,
        running: impl Iterator<Item = &'a str>,
        now: Instant,
        timeout: Duration,
    ) -> Vec<String> {
        let mut asked = self.asked.lock();
        let mut before = std::mem::take(&mut *asked);
        let mut lost = Vec::new();
        for job in running {
            // A client starts to ask when its job is known.
            let time = before.remove(job).unwrap_or(now);
            if now.saturating_duration_since(time) > timeout {
                lost.push(job.to_owned());
            }
            asked.insert(job.to_owned(), time);
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_of_silent_clients_are_lost() {
        let clients = Clients::default();
        let timeout = Duration::from_secs(10);
        let start = Instant::now();
        let lost = |seconds| {
            let now = start + Duration::from_secs(seconds);
            clients.lost(["a", "b"].into_iter(), now, timeout)
        };
        assert_eq!(lost(0), [""; 0]);
        assert_eq!(lost(9), [""; 0]);
        assert_eq!(lost(11), ["a", "b"]);
        clients.asked_at("a", start + Duration::from_secs(5));
        clients.asked_at("unknown", start);
        assert_eq!(lost(11), ["b"]);
        assert_eq!(clients.asked.lock().len(), 2);
        clients.lost(std::iter::empty(), start, timeout);
        assert!(clients.asked.lock().is_empty());
    }
}
