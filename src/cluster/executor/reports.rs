//! Sends heartbeats and the results of tasks to the scheduler.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::serde::protobuf::{
    ExecutorStatus, ExecutorStoppedParams, HeartBeatParams, RegisterExecutorParams, TaskStatus,
    UpdateTaskStatusParams, executor_status,
};
use datafusion::common::{Result, exec_err};
use log::{info, warn};
use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep, timeout};

use super::tasks::Tasks;
use crate::cluster::{Cluster, Scheduler};

/// The interval of heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);

/// The time for an answer of the scheduler.
const CALL_TIMEOUT: Duration = Duration::from_secs(20);

/// The time for which results are kept for a scheduler that does not answer. After that, it has
/// given the tasks to other executors.
const RESULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The interval of attempts to send results.
const RESULT_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum number of results per message.
const MAX_RESULTS: usize = 256;

/// A connection to the scheduler. Clones share it.
#[derive(Clone)]
pub struct Reports {
    cluster: Cluster,
    scheduler: Scheduler,
    /// Identifies the scheduler that knows the running tasks.
    instance: Arc<Mutex<String>>,
    tasks: Tasks,
}

impl Reports {
    pub async fn connect(cluster: Cluster, instance: String, tasks: Tasks) -> Result<Self> {
        let scheduler = cluster.connect().await;
        let scheduler = scheduler.map_err(|reason| cluster.no_scheduler(&reason))?;
        Ok(Self {
            cluster,
            scheduler,
            instance: Arc::new(Mutex::new(instance)),
            tasks,
        })
    }

    pub async fn register(&mut self) -> Result<()> {
        let params = RegisterExecutorParams {
            metadata: Some(self.tasks.registration().clone()),
        };
        if let Err(status) = self.scheduler.register_executor(params).await {
            return exec_err!(
                "the scheduler at {} refused this executor: {}",
                self.cluster,
                status.message()
            );
        }
        info!("registered with the scheduler at {}", self.cluster);
        Ok(())
    }

    /// Sends heartbeats. One also registers the executor with a scheduler that does not know it.
    pub async fn send_heartbeats(mut self) {
        let mut is_lost = false;
        loop {
            let active = executor_status::Status::Active(String::default());
            match self.heartbeat(active).await {
                Ok(()) if is_lost => {
                    is_lost = false;
                    warn!("the scheduler at {} is back", self.cluster);
                    self.check_instance().await;
                }
                Ok(()) => {}
                Err(reason) if !is_lost => {
                    is_lost = true;
                    warn!(
                        "lost the scheduler at {}: {reason}; trying every {} seconds",
                        self.cluster,
                        HEARTBEAT_INTERVAL.as_secs()
                    );
                }
                Err(_) => {}
            }
            sleep(HEARTBEAT_INTERVAL).await;
        }
    }

    /// Forgets the tasks of a scheduler that another one has replaced.
    async fn check_instance(&self) {
        let Ok(status) = self.cluster.status().await else {
            return;
        };
        let is_other = {
            let mut instance = self.instance.lock();
            let before = std::mem::replace(&mut *instance, status.instance);
            before != *instance
        };
        if is_other {
            self.tasks.forget_all().await;
        }
    }

    async fn heartbeat(&mut self, status: executor_status::Status) -> Result<(), String> {
        let registration = self.tasks.registration().clone();
        let params = HeartBeatParams {
            executor_id: registration.id.clone(),
            metrics: Vec::new(),
            status: Some(ExecutorStatus {
                status: Some(status),
            }),
            metadata: Some(registration),
        };
        let call = self.scheduler.heart_beat_from_executor(params);
        match timeout(CALL_TIMEOUT, call).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(status)) => Err(status.message().to_owned()),
            Err(_) => Err("it does not answer".to_owned()),
        }
    }

    /// Sends the results of tasks.
    pub async fn send_results(mut self, mut results: UnboundedReceiver<TaskStatus>) {
        let mut group = Vec::new();
        while results.recv_many(&mut group, MAX_RESULTS).await > 0 {
            let deadline = Instant::now() + RESULT_TIMEOUT;
            let params = UpdateTaskStatusParams {
                executor_id: self.tasks.registration().id.clone(),
                task_status: std::mem::take(&mut group),
            };
            loop {
                let call = self.scheduler.update_task_status(params.clone());
                match timeout(CALL_TIMEOUT, call).await {
                    Ok(Ok(_)) => break,
                    Ok(Err(_)) | Err(_) if Instant::now() < deadline => {
                        sleep(RESULT_INTERVAL).await;
                    }
                    Ok(Err(_)) | Err(_) => {
                        warn!("the results of {} tasks are lost", params.task_status.len());
                        break;
                    }
                }
            }
        }
    }

    /// Asks the scheduler to send no more tasks to this executor.
    pub async fn leave(&mut self) {
        let reason = "it was stopped".to_owned();
        let terminating = executor_status::Status::Terminating(String::default());
        // The scheduler may be gone.
        let _ = self.heartbeat(terminating).await;
        let params = ExecutorStoppedParams {
            executor_id: self.tasks.registration().id.clone(),
            reason,
        };
        let _ = timeout(CALL_TIMEOUT, self.scheduler.executor_stopped(params)).await;
    }
}
