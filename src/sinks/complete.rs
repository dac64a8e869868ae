//! `COPY` that leaves nothing behind when it fails.
//!
//! DataFusion's writers take the end of their input for success, even if it ended with an
//! error, and would leave a file that looks complete. Here their input is watched, they write
//! to a [`HeldStore`], and it lets no file appear before the input has ended well:
//!
//! ```text
//! CompleteCopyExec        tells the query's own error; drops the store of this copy
//!   DataSinkExec          writes to the held store
//!     WatchedInputExec    tells the held store how the input ended
//! ```

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
    replace_children_if_necessary,
};
use futures::{Stream, StreamExt};
use parking_lot::Mutex;
use tokio::sync::watch;
use url::{Position, Url};

use super::held_store::{FirstFailure, HeldStore, Outcome};

/// The destination of one copy: where its writers believe to write.
pub struct HeldTarget {
    /// What stands in for the URL of the statement.
    pub url: String,
    store: ObjectStoreUrl,
    input_end: Arc<InputEnd>,
    failure: Arc<FirstFailure>,
}

/// How the input of the writers ended.
#[derive(Debug)]
struct InputEnd {
    outcome: watch::Sender<Outcome>,
    error: Mutex<Option<DataFusionError>>,
}

impl InputEnd {
    /// The first outcome stays.
    fn set(&self, outcome: Outcome) {
        self.outcome.send_if_modified(|known| {
            let first = *known == Outcome::Running;
            if first {
                *known = outcome;
            }
            first
        });
    }
}

impl HeldTarget {
    /// Registers a store of its own for this copy.
    pub fn register(url: &str, runtime: &RuntimeEnv) -> Result<Self> {
        static COPIES: AtomicU64 = AtomicU64::new(0);
        let target = ListingTableUrl::parse(url)?;
        let inner = runtime.object_store(target.object_store())?;
        let (sender, receiver) = watch::channel(Outcome::Running);
        let number = COPIES.fetch_add(1, Ordering::Relaxed);
        let target: &Url = target.get_url();
        let store = format!("copy{number}://{}", target.authority());
        let failure = Arc::new(FirstFailure::default());
        runtime.register_object_store(
            ObjectStoreUrl::parse(&store)?.as_ref(),
            Arc::new(HeldStore {
                inner,
                outcome: receiver,
                failure: Arc::clone(&failure),
            }),
        );
        Ok(Self {
            url: format!("{store}{}", &target[Position::BeforePath..]),
            store: ObjectStoreUrl::parse(&store)?,
            input_end: Arc::new(InputEnd {
                outcome: sender,
                error: Mutex::default(),
            }),
            failure,
        })
    }

    /// Wraps the plan of the writers, whose only child is their input.
    pub fn wrap(self, writers: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        let [input] = writers.children()[..] else {
            return internal_err!("a copy has one input");
        };
        let watched = WatchedInputExec {
            input: Arc::clone(input),
            end: Arc::clone(&self.input_end),
        };
        let writers = replace_children_if_necessary(writers, vec![Arc::new(watched)])?;
        Ok(Arc::new(CompleteCopyExec {
            writers,
            store: self.store,
            end: self.input_end,
            failure: self.failure,
        }))
    }
}

/// The top of a copy's plan.
#[derive(Debug)]
struct CompleteCopyExec {
    writers: Arc<dyn ExecutionPlan>,
    store: ObjectStoreUrl,
    end: Arc<InputEnd>,
    failure: Arc<FirstFailure>,
}

impl DisplayAs for CompleteCopyExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "CompleteCopyExec")
    }
}

impl ExecutionPlan for CompleteCopyExec {
    fn name(&self) -> &str {
        "CompleteCopyExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.writers.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.writers]
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self {
            writers: children.swap_remove(0),
            store: self.store.clone(),
            end: Arc::clone(&self.end),
            failure: Arc::clone(&self.failure),
        }))
    }

    fn apply_expressions(
        &self,
        _f: &mut dyn for<'a> FnMut(&'a Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let mut written = self.writers.execute(partition, Arc::clone(&context))?;
        let end = Arc::clone(&self.end);
        let store = self.store.clone();
        let failure = Arc::clone(&self.failure);
        let result = async move {
            let result = written.next().await;
            // The store has served its copy; that it is gone already is no error.
            let registry = &context.runtime_env().object_store_registry;
            let _ = registry.deregister_store(store.as_ref());
            match (result, end.error.lock().take()) {
                // Not the writers' complaint that they were not allowed to finish.
                (_, Some(error)) => Err(error),
                (Some(Err(error)), None) => Err(match failure.take() {
                    Some(reason) => DataFusionError::Execution(format!("cannot write: {reason}")),
                    None => error,
                }),
                (Some(Ok(result)), None) => Ok(result),
                (None, None) => internal_err!("a copy did not count its rows"),
            }
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            futures::stream::once(result),
        )))
    }
}

/// The input of the writers, passed on unchanged.
#[derive(Debug)]
struct WatchedInputExec {
    input: Arc<dyn ExecutionPlan>,
    end: Arc<InputEnd>,
}

impl DisplayAs for WatchedInputExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "WatchedInputExec")
    }
}

impl ExecutionPlan for WatchedInputExec {
    fn name(&self) -> &str {
        "WatchedInputExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self {
            input: children.swap_remove(0),
            end: Arc::clone(&self.end),
        }))
    }

    fn apply_expressions(
        &self,
        _f: &mut dyn for<'a> FnMut(&'a Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        if self.input.output_partitioning().partition_count() != 1 {
            return internal_err!("a copy reads one partition");
        }
        Ok(Box::pin(WatchedStream {
            input: self.input.execute(partition, context)?,
            end: Arc::clone(&self.end),
        }))
    }
}

struct WatchedStream {
    input: SendableRecordBatchStream,
    end: Arc<InputEnd>,
}

impl Stream for WatchedStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.input.poll_next_unpin(context);
        match polled {
            Poll::Ready(None) => self.end.set(Outcome::Succeeded),
            Poll::Ready(Some(Err(error))) => {
                let told = DataFusionError::Execution(error.strip_backtrace());
                *self.end.error.lock() = Some(error);
                self.end.set(Outcome::Failed);
                return Poll::Ready(Some(Err(told)));
            }
            _ => {}
        }
        polled
    }
}

impl RecordBatchStream for WatchedStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}

impl Drop for WatchedStream {
    /// Writers that give up early, as on a full disk, must not wait for an end.
    fn drop(&mut self) {
        self.end.set(Outcome::Failed);
    }
}
