//! Lets Python wait for the threads of a session.

use std::future::Future;
use std::time::Duration;

use pyo3::prelude::*;
use tokio::runtime::Handle;
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use crate::errors::{Error, exception};

/// The interval at which a waiting thread checks for Ctrl-C.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The time that an interrupted statement has to remove its unfinished files.
pub const CLEAN_UP_TIME: Duration = Duration::from_millis(800);

/// Runs a future to its end without blocking other Python threads. Ctrl-C aborts it.
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
            // Gives the writers time to remove unfinished files, unless they are stuck.
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
