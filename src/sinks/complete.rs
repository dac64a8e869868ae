//! Ensures that a failed `COPY` leaves no files.
//!
//! DataFusion's writers close their files even after an error of their input or of a write, and so
//! leave files that look complete. Here they write to a `StagedStore` or, on object stores, to a
//! `HeldStore`. The files appear once the writers have reported success.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::common::{Result, exec_datafusion_err, internal_err};
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::{ObjectStoreRegistry, ObjectStoreUrl};
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, collect,
};
use futures::StreamExt;
use object_store::ObjectStore;
use url::{Position, Url};

use super::destination::Destination;
use super::held_store::HeldStore;
use super::staged_store::StagedStore;
use super::target::Target;
use crate::operator::{no_expressions, one_input};

/// The destination that the writers of a copy use.
pub struct HeldTarget {
    /// Replaces the URL of the statement.
    pub url: String,
    copy: Copy,
}

/// One copy: its target as the user wrote it, and its files.
#[derive(Debug, Clone)]
struct Copy {
    name: String,
    files: Arc<dyn Destination>,
    _registration: Arc<Registration>,
}

impl Copy {
    /// Returns the store's error if it refused a file, because some writers do not report it.
    fn failed(&self, error: DataFusionError) -> DataFusionError {
        match self.files.take_failure() {
            Some(reason) => exec_datafusion_err!("cannot write '{}': {reason}", self.name),
            None => error,
        }
    }
}

/// Keeps a store registered while its copy may need it.
#[derive(Debug)]
struct Registration {
    registry: Arc<dyn ObjectStoreRegistry>,
    store: ObjectStoreUrl,
}

impl Drop for Registration {
    fn drop(&mut self) {
        // Fails only if the store is already gone.
        let _ = self.registry.deregister_store(self.store.as_ref());
    }
}

impl HeldTarget {
    /// Registers a separate store for this copy.
    pub fn register(target: Target, runtime: &RuntimeEnv) -> Result<Self> {
        static COPIES: AtomicU64 = AtomicU64::new(0);
        let store = runtime.object_store(target.url.object_store())?;
        let url: &Url = target.url.get_url();
        let number = COPIES.fetch_add(1, Ordering::Relaxed);
        let store_url = format!("copy{number}://{}", url.authority());
        let registered = ObjectStoreUrl::parse(&store_url)?;
        let copy_url = format!("{store_url}{}", &url[Position::BeforePath..]);
        let name = target.text.clone();
        let (store, files): (Arc<dyn ObjectStore>, Arc<dyn Destination>) = match url.scheme() {
            "file" => {
                let (store, files) = StagedStore::new(store, target);
                (Arc::new(store), files)
            }
            _ => {
                let (store, files) = HeldStore::new(store, target);
                (Arc::new(store), files)
            }
        };
        runtime.register_object_store(registered.as_ref(), store);
        Ok(Self {
            url: copy_url,
            copy: Copy {
                name,
                files,
                _registration: Arc::new(Registration {
                    registry: Arc::clone(&runtime.object_store_registry),
                    store: registered,
                }),
            },
        })
    }

    /// Wraps the plan of the writers. `file_without_rows` writes a file if they get no rows.
    pub fn wrap(
        self,
        writers: Arc<dyn ExecutionPlan>,
        file_without_rows: Option<Arc<dyn ExecutionPlan>>,
    ) -> Arc<dyn ExecutionPlan> {
        Arc::new(CompleteCopyExec {
            writers,
            file_without_rows,
            copy: self.copy,
        })
    }
}

/// Whether the writers have reported zero rows.
fn is_zero(count: &RecordBatch) -> bool {
    let count = count.column(0).as_primitive_opt::<UInt64Type>();
    count.is_some_and(|count| count.values().iter().all(|rows| *rows == 0))
}

/// Removes the written files, unless the copy is complete.
struct AbandonOnDrop(Arc<dyn Destination>);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// The topmost operator of a copy.
#[derive(Debug)]
pub struct CompleteCopyExec {
    writers: Arc<dyn ExecutionPlan>,
    file_without_rows: Option<Arc<dyn ExecutionPlan>>,
    copy: Copy,
}

impl DisplayAs for CompleteCopyExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "CompleteCopyExec")
    }
}

impl ExecutionPlan for CompleteCopyExec {
    one_input!(CompleteCopyExec, writers, |exec, writers| {
        Ok(Self {
            writers,
            file_without_rows: exec.file_without_rows.clone(),
            copy: exec.copy.clone(),
        })
    });

    fn properties(&self) -> &Arc<PlanProperties> {
        self.writers.properties()
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    no_expressions!();

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let writers = Arc::clone(&self.writers);
        let file_without_rows = self.file_without_rows.clone();
        let copy = self.copy.clone();
        let result = async move {
            let guard = AbandonOnDrop(Arc::clone(&copy.files));
            copy.files.begin().await?;
            // The stream is dropped before the guard, because nothing may be written while the
            // guard removes files.
            let mut written = writers.execute(partition, Arc::clone(&context))?;
            match written.next().await {
                Some(Ok(count)) => {
                    if let Some(plan) = file_without_rows.filter(|_| is_zero(&count)) {
                        let written = collect(plan, context).await;
                        written.map_err(|error| copy.failed(error))?;
                    }
                    copy.files
                        .complete()
                        .await
                        .map_err(|error| copy.failed(error))?;
                    Ok(count)
                }
                Some(Err(error)) => {
                    drop(written);
                    drop(guard);
                    Err(copy.failed(error))
                }
                None => internal_err!("a copy did not count its rows"),
            }
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            futures::stream::once(result),
        )))
    }
}
