//! Worker processes that wait for documents.

use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::child::Worker;
use super::oom::OomKills;
use super::{Outcome, StartError};
use crate::model::{FailureKind, Request};

/// There are as many workers as there were callers at a time, at most: a caller takes one, or
/// starts one, and puts it back.
pub struct Pool {
    /// What starts a worker.
    command: Box<dyn Fn() -> Command + Send + Sync>,
    idle: Mutex<Vec<Worker>>,
    /// Held while one is started. Where a socket cannot be made and kept from children in one
    /// step, one started at the same time would have it, too, and it would never be closed.
    starting: Mutex<()>,
    oom_kills: OnceLock<OomKills>,
}

/// The message for a worker that the kernel chose.
const KILLED_BY_KERNEL: &str = "the kernel killed the worker process because the machine or its \
                                control group ran out of memory; use fewer threads";

impl Pool {
    pub fn new(command: impl Fn() -> Command + Send + Sync + 'static) -> Self {
        Self {
            command: Box::new(command),
            idle: Mutex::default(),
            starting: Mutex::default(),
            oom_kills: OnceLock::new(),
        }
    }

    /// Has a worker read a document. A document that kills its worker is not read again; one whose
    /// worker somebody killed is read once more.
    pub fn read(&self, data: &[u8], request: &Request) -> Result<Outcome, StartError> {
        let worker = match self.living() {
            Some(worker) => worker,
            None => self.start()?,
        };
        let outcome = self.read_with(worker, data, request);
        if is_killed(&outcome)
            && let Ok(worker) = self.start()
        {
            return Ok(self.read_with(worker, data, request));
        }
        Ok(outcome)
    }

    fn read_with(&self, worker: Worker, data: &[u8], request: &Request) -> Outcome {
        let (mut outcome, worker) = worker.read(data, request);
        self.idle().extend(worker);
        let is_lack_of_memory = is_killed(&outcome) && self.oom_kills().claim();
        if let Some(failure) = outcome.failure.as_mut().filter(|_| is_lack_of_memory) {
            failure.kind = FailureKind::Memory;
            failure.message = KILLED_BY_KERNEL.to_owned();
        }
        outcome
    }

    /// Counts from the first worker on.
    fn oom_kills(&self) -> &OomKills {
        self.oom_kills.get_or_init(OomKills::new)
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
        self.oom_kills();
        let _starting = lock(&self.starting);
        Worker::start((self.command)())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        lock(&self.idle)
    }
}

fn is_killed(outcome: &Outcome) -> bool {
    let failure = outcome.failure.as_ref();
    failure.is_some_and(|failure| failure.kind == FailureKind::Killed)
}

/// What these mutexes hold is right even after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
