//! `COPY` that leaves nothing behind when it fails.
//!
//! DataFusion's writers close their files also when their input ended with an error, or when
//! they could not write a row of it, and so leave files that look complete. Here they write to
//! a [`HeldStore`], and its files appear when the writers have reported success.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::{ObjectStoreRegistry, ObjectStoreUrl};
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::StreamExt;
use url::{Position, Url};

use super::held_store::{HeldFiles, HeldStore};

/// The destination of one copy: where its writers believe to write.
pub struct HeldTarget {
    /// What stands in for the URL of the statement.
    pub url: String,
    files: Arc<HeldFiles>,
    registration: Arc<Registration>,
}

/// Keeps a store registered as long as its copy may need it.
#[derive(Debug)]
struct Registration {
    registry: Arc<dyn ObjectStoreRegistry>,
    store: ObjectStoreUrl,
}

impl Drop for Registration {
    fn drop(&mut self) {
        // It can only be gone already.
        let _ = self.registry.deregister_store(self.store.as_ref());
    }
}

impl HeldTarget {
    /// Registers a store of its own for this copy.
    pub fn register(url: &str, runtime: &RuntimeEnv) -> Result<Self> {
        static COPIES: AtomicU64 = AtomicU64::new(0);
        let target = ListingTableUrl::parse(url)?;
        let (store, files) = HeldStore::new(runtime.object_store(target.object_store())?);
        let target: &Url = target.get_url();
        let number = COPIES.fetch_add(1, Ordering::Relaxed);
        let store_url = format!("copy{number}://{}", target.authority());
        let registered = ObjectStoreUrl::parse(&store_url)?;
        runtime.register_object_store(registered.as_ref(), Arc::new(store));
        Ok(Self {
            url: format!("{store_url}{}", &target[Position::BeforePath..]),
            files,
            registration: Arc::new(Registration {
                registry: Arc::clone(&runtime.object_store_registry),
                store: registered,
            }),
        })
    }

    /// Wraps the plan of the writers.
    pub fn wrap(self, writers: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        Arc::new(CompleteCopyExec {
            writers,
            files: self.files,
            registration: self.registration,
        })
    }
}

/// The top of a copy's plan.
#[derive(Debug)]
struct CompleteCopyExec {
    writers: Arc<dyn ExecutionPlan>,
    files: Arc<HeldFiles>,
    registration: Arc<Registration>,
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
            files: Arc::clone(&self.files),
            registration: Arc::clone(&self.registration),
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
        let mut written = self.writers.execute(partition, context)?;
        let files = Arc::clone(&self.files);
        let registration = Arc::clone(&self.registration);
        let result = async move {
            let result = written.next().await;
            drop(registration);
            match result {
                Some(Ok(count)) => {
                    files.let_go().await?;
                    Ok(count)
                }
                // Some writers hide why the store refused.
                Some(Err(error)) => Err(match files.take_failure() {
                    Some(reason) => DataFusionError::Execution(format!("cannot write: {reason}")),
                    None => error,
                }),
                None => internal_err!("a copy did not count its rows"),
            }
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            futures::stream::once(result),
        )))
    }
}
