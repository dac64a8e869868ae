//! Worker processes that wait for documents.

use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::child::Worker;
use super::{Outcome, StartError};
use crate::pdf::model::Request;

/// There are as many workers as there were callers at a time, at most: a caller takes one, or
/// starts one, and puts it back.
pub struct Pool {
    /// What starts a worker.
    command: Box<dyn Fn() -> Command + Send + Sync>,
    idle: Mutex<Vec<Worker>>,
    /// Held while one is started. Where a socket cannot be made and kept from children in one
    /// step, one started at the same time would have it, too, and it would never be closed.
    starting: Mutex<()>,
}

impl Pool {
    pub fn new(command: impl Fn() -> Command + Send + Sync + 'static) -> Self {
        Self {
            command: Box::new(command),
            idle: Mutex::default(),
            starting: Mutex::default(),
        }
    }

    /// Has a worker read a document. One that dies of it costs this document alone, which is not
    /// tried again.
    pub fn read(&self, data: &[u8], request: &Request) -> Result<Outcome, StartError> {
        let worker = match self.living() {
            Some(worker) => worker,
            None => self.start()?,
        };
        let (outcome, worker) = worker.read(data, request);
        self.idle().extend(worker);
        Ok(outcome)
    }

    /// The one that worked last, since its memory is warm.
    fn living(&self) -> Option<Worker> {
        loop {
            // The lock is not held while a dead one is cleaned up.
            let mut worker = self.idle().pop()?;
            if worker.is_alive() {
                return Some(worker);
            }
        }
    }

    fn start(&self) -> Result<Worker, StartError> {
        let _starting = lock(&self.starting);
        Worker::start((self.command)())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        lock(&self.idle)
    }
}

/// What these mutexes hold is right even after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
