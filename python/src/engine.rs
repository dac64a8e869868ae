//! The threads of a session.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use corpus_sql::allocator;
use corpus_sql::session::{SessionOptions, session};
use datafusion::prelude::SessionContext;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::cluster::use_cluster;
use crate::errors::{Error, exception};
use crate::progress::Display;
use crate::waiting::run;

/// The process that started the first threads or workers. Its forks do not have these.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Fails in a fork of a process that has already used the package, because a fork shares locks and
/// workers with its parent and has no threads.
pub fn check_process() -> PyResult<()> {
    let current = std::process::id();
    if *PROCESS.get_or_init(|| current) == current {
        return Ok(());
    }
    Err(Error::new_err(
        "corpus_sql cannot be used in a fork of a process that has used it, because a fork has no \
         copy of its threads: start the process with multiprocessing.get_context(\"spawn\") or \
         \"forkserver\", or use corpus_sql in the forks only",
    ))
}

/// A session and the threads that its queries run on.
pub struct Engine {
    /// `None` only during the drop.
    runtime: Option<Runtime>,
    handle: Handle,
    pub context: SessionContext,
    /// The place where the progress of queries is shown.
    pub display: Display,
}

impl Engine {
    pub fn new(
        py: Python<'_>,
        mut options: SessionOptions,
        cluster: Option<&str>,
        display: Display,
    ) -> PyResult<Arc<Self>> {
        check_process()?;
        allocator::keep_freed_memory(options.memory_limit);
        let mut builder = Builder::new_multi_thread();
        if let Some(threads) = options.threads {
            builder.worker_threads(threads);
        }
        builder.thread_name("corpus-sql");
        let runtime = builder.enable_all().build();
        let runtime =
            runtime.map_err(|error| Error::new_err(format!("cannot start threads: {error}")))?;
        let handle = runtime.handle().clone();
        if let Some(cluster) = cluster {
            use_cluster(py, &handle, &mut options, cluster)?;
        }
        let context = {
            let _entered = runtime.enter();
            session(&options).map_err(|error| exception(&error))?
        };
        Ok(Arc::new(Self {
            runtime: Some(runtime),
            handle,
            context,
            display,
        }))
    }

    /// Returns the threads, unless this process is a fork without them.
    pub fn handle(&self) -> PyResult<&Handle> {
        check_process()?;
        Ok(&self.handle)
    }

    /// Runs a future to its end without blocking other Python threads. Ctrl-C aborts it.
    pub fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        future: impl Future<Output = datafusion::error::Result<T>> + Send + 'static,
    ) -> PyResult<T> {
        run(py, self.handle()?, future)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else {
            return;
        };
        if check_process().is_ok() {
            runtime.shutdown_background();
        } else {
            // The threads are not in this process, so there is nothing to shut down.
            std::mem::forget(runtime);
        }
    }
}
