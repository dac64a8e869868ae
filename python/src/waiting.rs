//! Lets Python wait for the threads of a session.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tokio::runtime::Handle;

use crate::errors::{Error, exception};

/// The interval at which a waiting thread checks for Ctrl-C.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The time that an interrupted statement has to remove its unfinished files.
pub const CLEAN_UP_TIMEOUT: Duration = Duration::from_millis(800);

/// Runs a future to its end without blocking other Python threads. Ctrl-C aborts it.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    handle: &Handle,
    future: impl Future<Output = datafusion::error::Result<T>> + Send + 'static,
) -> PyResult<T> {
    let mut task = handle.spawn(future);
    loop {
        match py.detach(|| within(handle, SIGNAL_INTERVAL, &mut task)) {
            Some(Ok(result)) => return result.map_err(|error| exception(&error)),
            Some(Err(error)) => return Err(Error::new_err(format!("internal error: {error}"))),
            None => {}
        }
        if let Err(interrupt) = py.check_signals() {
            task.abort();
            // Gives the writers time to remove unfinished files, unless they are stuck.
            let _ = py.detach(|| within(handle, CLEAN_UP_TIMEOUT, task));
            return Err(interrupt);
        }
    }
}

/// Polls a future on this thread until it is ready. Returns `None` after the limit.
///
/// The thread measures the time itself: the timers of a runtime do not fire while its workers run
/// operators that do not yield, and Ctrl-C would go unnoticed.
pub fn within<F: Future>(handle: &Handle, limit: Duration, future: F) -> Option<F::Output> {
    let _runtime = handle.enter();
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    let deadline = Instant::now() + limit;
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        let remaining = deadline.saturating_duration_since(Instant::now());
        if remaining.is_zero() {
            return None;
        }
        thread::park_timeout(remaining);
    }
}

/// Wakes a parked thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
