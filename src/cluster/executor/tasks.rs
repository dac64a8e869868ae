//! Runs the tasks that the scheduler sends.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use ballista_core::error::BallistaError;
use ballista_core::serde::BallistaCodec;
use ballista_core::serde::protobuf::executor_grpc_server::ExecutorGrpc;
use ballista_core::serde::protobuf::failed_task::FailedReason;
use ballista_core::serde::protobuf::{
    CancelTasksParams, CancelTasksResult, ExecutionError, ExecutorRegistration, FailedTask,
    LaunchMultiTaskParams, LaunchMultiTaskResult, LaunchTaskParams, LaunchTaskResult,
    RemoveJobDataParams, RemoveJobDataResult, StopExecutorParams, StopExecutorResult,
    SuccessfulTask, TaskStatus, task_status,
};
use ballista_core::serde::scheduler::from_proto::get_task_definition_vec;
use ballista_core::serde::scheduler::{TaskDefinition, TaskKey};
use ballista_executor::execution_engine::{ExecutionEngine, QueryStageExecutor};
use ballista_executor::executor::Executor;
use datafusion::execution::TaskContext;
use datafusion_proto::logical_plan::DefaultLogicalExtensionCodec;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use futures::future::{AbortHandle, AbortRegistration, Abortable, Aborted};
use log::{info, warn};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::sleep;
use tonic::{Request, Response, Status};

use crate::cluster::codec::CorpusCodec;
use crate::cluster::losses::LOST_ROWS;

/// The interval at which an executor that ends looks for running tasks.
const DRAIN_INTERVAL: Duration = Duration::from_millis(100);

/// The tasks of an executor. Clones share them.
#[derive(Clone)]
pub struct Tasks(Arc<Shared>);

struct Shared {
    executor: Arc<Executor>,
    engine: Arc<dyn ExecutionEngine>,
    codec: BallistaCodec<LogicalPlanNode, PhysicalPlanNode>,
    threads: Handle,
    running: Mutex<HashMap<TaskKey, AbortHandle>>,
    finished: UnboundedSender<TaskStatus>,
}

impl Tasks {
    /// Tasks run on `threads`; their results go to `finished`.
    pub fn new(
        executor: Arc<Executor>,
        engine: Arc<dyn ExecutionEngine>,
        threads: Handle,
        finished: UnboundedSender<TaskStatus>,
    ) -> Self {
        Self(Arc::new(Shared {
            executor,
            engine,
            codec: BallistaCodec::new(
                Arc::new(DefaultLogicalExtensionCodec {}),
                Arc::new(CorpusCodec::default()),
            ),
            threads,
            running: Mutex::default(),
            finished,
        }))
    }

    pub fn registration(&self) -> &ExecutorRegistration {
        &self.0.executor.metadata
    }

    /// Completes when no task runs.
    pub async fn drained(&self) {
        while !self.0.running.lock().is_empty() {
            sleep(DRAIN_INTERVAL).await;
        }
    }

    /// Aborts all tasks and removes all shuffled rows, because no scheduler wants them any more.
    pub async fn forget_all(&self) {
        let running = std::mem::take(&mut *self.0.running.lock());
        for (key, abort) in running {
            self.abort(key, &abort).await;
        }
        let jobs = fs::read_dir(&self.0.executor.work_dir)
            .into_iter()
            .flatten();
        for job in jobs.flatten() {
            if let Err(error) = fs::remove_dir_all(job.path()) {
                warn!("cannot remove '{}': {error}", job.path().display());
            }
        }
    }

    async fn abort(&self, key: TaskKey, abort: &AbortHandle) {
        let (job, stage, task) = (key.job_id, key.stage_id, key.task_id);
        // Ballista does not know a task before it executes.
        if !matches!(
            self.0.executor.cancel_task(job, stage, task).await,
            Ok(true)
        ) {
            abort.abort();
        }
    }

    fn start(&self, task: TaskDefinition) {
        let key = TaskKey {
            job_id: task.job_id.clone(),
            stage_id: task.stage_id,
            task_id: task.task_id,
        };
        let (abort, registration) = AbortHandle::new_pair();
        self.0.running.lock().insert(key.clone(), abort);
        let tasks = self.clone();
        self.0.threads.spawn(async move {
            let status = tasks.run(&key, task, registration).await;
            // A forgotten task has no result.
            if tasks.0.running.lock().remove(&key).is_some() {
                // The process ends if nobody receives it.
                let _ = tasks.0.finished.send(status);
            }
        });
    }

    async fn run(
        &self,
        key: &TaskKey,
        task: TaskDefinition,
        registration: AbortRegistration,
    ) -> TaskStatus {
        let name = format!("{}/{}/{}", key.job_id, key.stage_id, key.task_id);
        info!("started task {name}");
        let launch_time = task.launch_time;
        let stage_attempt_num = task.stage_attempt_num as u32;
        let start_exec_time = milliseconds();
        let executed = Abortable::new(self.execute(key, &name, task), registration);
        let (stage, written) = match executed.await {
            Ok(executed) => executed,
            Err(Aborted) => (None, Err(BallistaError::Cancelled)),
        };
        info!("finished task {name}");
        let metrics = stage.iter().flat_map(|stage| stage.collect_plan_metrics());
        // Metrics are not essential.
        let metrics = metrics.filter_map(|metrics| metrics.try_into().ok());
        let metrics = metrics.collect();
        let status = match written {
            Ok(successful) => task_status::Status::Successful(successful),
            Err(error) => task_status::Status::Failed(failed(error)),
        };
        TaskStatus {
            task_id: key.task_id as u32,
            job_id: key.job_id.clone().into(),
            stage_id: key.stage_id as u32,
            stage_attempt_num,
            launch_time,
            start_exec_time,
            end_exec_time: milliseconds(),
            metrics,
            status: Some(status),
        }
    }

    async fn execute(
        &self,
        key: &TaskKey,
        name: &str,
        task: TaskDefinition,
    ) -> (
        Option<Arc<dyn QueryStageExecutor>>,
        Result<SuccessfulTask, BallistaError>,
    ) {
        let executor = &self.0.executor;
        let config = task.session_config;
        let stage = self.0.engine.create_query_stage_exec(
            task.job_id,
            task.stage_id,
            task.task_id,
            task.global_output_partition_ids,
            task.plan,
            &executor.work_dir,
            &config,
        );
        let stage = match stage {
            Ok(stage) => stage,
            Err(error) => return (None, Err(error.into())),
        };
        let slots = task.vcores_consumed;
        let runtime = executor.produce_runtime_for_session(&task.session_id, &config, slots);
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return (None, Err(error.into())),
        };
        let functions = &task.function_registry;
        let context = TaskContext::new(
            Some(name.to_owned()),
            task.session_id,
            config,
            functions.scalar_functions.clone(),
            functions.higher_order_functions.clone(),
            functions.aggregate_functions.clone(),
            functions.window_functions.clone(),
            runtime,
        );
        let executed =
            executor.execute_query_stage(key.clone(), Arc::clone(&stage), context.into());
        let partitions = match executed.await {
            Ok(partitions) => partitions,
            Err(error) => return (Some(stage), Err(error)),
        };
        // Later stages need the state of windows; the other reports improve plans.
        let window_state = match stage.collect_window_state_reports() {
            Ok(reports) => reports,
            Err(error) => return (Some(stage), Err(error.into())),
        };
        let successful = SuccessfulTask {
            executor_id: executor.metadata.id.clone(),
            partitions,
            runtime_stats: stage.collect_runtime_stats_reports(),
            task_column_stats: stage.collect_column_stats(),
            window_state,
        };
        (Some(stage), Ok(successful))
    }
}

/// Describes a failure. If rows of another executor are lost, the client runs the whole job again:
/// Ballista 55 repeats the earlier stages, and may then hang or read rows of both attempts.
fn failed(error: BallistaError) -> FailedTask {
    let failed = FailedTask::from(error);
    match failed.failed_reason {
        Some(FailedReason::FetchPartitionError(_)) => FailedTask {
            error: format!("{LOST_ROWS}: {}", failed.error),
            retryable: false,
            count_to_failures: false,
            failed_reason: Some(FailedReason::ExecutionError(ExecutionError {})),
        },
        _ => failed,
    }
}

fn milliseconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_millis() as u64)
}

/// Whether a text from a message names a file in a folder, and not another place.
fn is_name(text: &str) -> bool {
    let mut components = Path::new(text).components();
    let first = components.next();
    matches!(first, Some(Component::Normal(name)) if name == text) && components.next().is_none()
}

#[async_trait]
impl ExecutorGrpc for Tasks {
    async fn launch_task(
        &self,
        _request: Request<LaunchTaskParams>,
    ) -> Result<Response<LaunchTaskResult>, Status> {
        Err(Status::unimplemented("tasks come in groups"))
    }

    async fn launch_multi_task(
        &self,
        request: Request<LaunchMultiTaskParams>,
    ) -> Result<Response<LaunchMultiTaskResult>, Status> {
        let executor = &self.0.executor;
        let functions = &executor.function_registry;
        let mut failed_jobs = Vec::new();
        for group in request.into_inner().multi_tasks {
            let job = group.job_id.clone();
            let tasks = get_task_definition_vec(
                group,
                executor.runtime_producer.clone(),
                executor.produce_config(),
                functions.scalar_functions.clone(),
                functions.aggregate_functions.clone(),
                functions.window_functions.clone(),
                functions.higher_order_functions.clone(),
                self.0.codec.clone(),
            );
            match tasks {
                Ok(tasks) => tasks.into_iter().for_each(|task| self.start(task)),
                Err(error) => {
                    warn!("cannot read the tasks of job {job}: {error}");
                    failed_jobs.push(job);
                }
            }
        }
        Ok(Response::new(LaunchMultiTaskResult { failed_jobs }))
    }

    /// The scheduler sends this when it has given the tasks of a lost executor to others. The
    /// executor registers again by its next heartbeat.
    async fn stop_executor(
        &self,
        request: Request<StopExecutorParams>,
    ) -> Result<Response<StopExecutorResult>, Status> {
        let request = request.into_inner();
        if request.executor_id == self.0.executor.metadata.id {
            warn!(
                "the scheduler has given this executor up: {}",
                request.reason
            );
            self.forget_all().await;
        }
        Ok(Response::new(StopExecutorResult {}))
    }

    async fn cancel_tasks(
        &self,
        request: Request<CancelTasksParams>,
    ) -> Result<Response<CancelTasksResult>, Status> {
        for task in request.into_inner().task_infos {
            let key = TaskKey {
                job_id: task.job_id.into(),
                stage_id: task.stage_id as usize,
                task_id: task.task_id as usize,
            };
            let running = self.0.running.lock().get(&key).cloned();
            if let Some(abort) = running {
                self.abort(key, &abort).await;
            }
        }
        Ok(Response::new(CancelTasksResult { cancelled: true }))
    }

    async fn remove_job_data(
        &self,
        request: Request<RemoveJobDataParams>,
    ) -> Result<Response<RemoveJobDataResult>, Status> {
        let request = request.into_inner();
        if !is_name(&request.job_id) {
            return Err(Status::invalid_argument("not the name of a job"));
        }
        let job = Path::new(&self.0.executor.work_dir).join(&request.job_id);
        let removed = match request.remove_stage_ids.as_slice() {
            [] => vec![job],
            stages => stages
                .iter()
                .map(|stage| job.join(stage.to_string()))
                .collect(),
        };
        for folder in removed {
            match tokio::fs::remove_dir_all(&folder).await {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => {
                    let reason = format!("cannot remove '{}': {error}", folder.display());
                    return Err(Status::internal(reason));
                }
            }
        }
        Ok(Response::new(RemoveJobDataResult {}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_rows_fail_the_job() {
        let reason = "tcp connect error".to_owned();
        let lost = failed(BallistaError::FetchFailed("e".to_owned(), 1, 2, reason));
        assert!(!lost.retryable);
        assert_eq!(lost.error, "lost rows on an executor: tcp connect error");
        assert!(matches!(
            lost.failed_reason,
            Some(FailedReason::ExecutionError(_))
        ));
        assert!(failed(BallistaError::Cancelled).retryable);
    }

    #[test]
    fn names_of_jobs_stay_in_their_folder() {
        assert!(is_name("7kWmsZ4"));
        for other in ["", ".", "..", "../a", "a/..", "/a", "a/b", "./a", "a/"] {
            assert!(!is_name(other), "{other}");
        }
    }
}
