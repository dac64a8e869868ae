//! The threads of a session, and how Python waits for what they do.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use corpus_sql::allocator;
use corpus_sql::session::{SessionOptions, session};
use datafusion::prelude::SessionContext;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use crate::cluster::use_cluster;
use crate::errors::{Error, exception};
use crate::progress::Display;

/// How often a thread that waits looks for Ctrl-C.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// How long an interrupted statement may take to remove its unfinished files.
pub const CLEAN_UP_TIME: Duration = Duration::from_millis(800);

/// The process that started the first threads or workers. Those of a process are not in its forks.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Fails in a fork of a process that has used the package before: locks and workers are shared with
/// the parent there, and threads are missing.
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
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    handle: Handle,
    pub context: SessionContext,
    /// Where the progress of its queries is shown.
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

    /// The threads, unless this process is a fork without them.
    pub fn handle(&self) -> PyResult<&Handle> {
        check_process()?;
        Ok(&self.handle)
    }

    /// Runs a future to its end while other threads of Python run, too. Ctrl-C aborts it.
    pub fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        future: impl Future<Output = datafusion::error::Result<T>> + Send + 'static,
    ) -> PyResult<T> {
        run(py, self.handle()?, future)
    }
}

/// Runs a future to its end while other threads of Python run, too. Ctrl-C aborts it.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    handle: &Handle,
    future: impl Future<Output = datafusion::error::Result<T>> + Send + 'static,
) -> PyResult<T> {
    let mut task = handle.spawn(future);
    loop {
        match py.detach(|| within(handle, SIGNAL_INTERVAL, &mut task)) {
            Ok(Ok(result)) => return result.map_err(|error| exception(&error)),
            Ok(Err(error)) => return Err(Error::new_err(format!("internal error: {error}"))),
            Err(_) => {}
        }
        if let Err(interrupt) = py.check_signals() {
            task.abort();
            // Its writers remove unfinished files, unless they are stuck.
            let _ = py.detach(|| within(handle, CLEAN_UP_TIME, task));
            return Err(interrupt);
        }
    }
}

/// Waits for a future, up to a limit.
pub fn within<F: Future>(
    handle: &Handle,
    limit: Duration,
    future: F,
) -> Result<F::Output, Elapsed> {
    handle.block_on(async move { timeout(limit, future).await })
}

impl Drop for Engine {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else {
            return;
        };
        if check_process().is_ok() {
            runtime.shutdown_background();
        } else {
            // Its threads are not in this process, so nothing can be shut down.
            std::mem::forget(runtime);
        }
    }
}
