//! A pool of worker processes.

use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::child::Worker;
use super::oom::OomKills;
use super::{Outcome, StartError};
use crate::model::{FailureKind, Request};

/// Keeps idle workers. A caller takes one, or starts one, and returns it. So there are at most as
/// many workers as there were concurrent callers.
pub struct Pool {
    /// Creates the command that starts a worker.
    command: Box<dyn Fn() -> Command + Send + Sync>,
    idle: Mutex<Vec<Worker>>,
    /// Held while a worker is started. Where a socket cannot be created and marked close-on-exec in
    /// one step, a worker started at the same time would inherit it, and it would never be closed.
    starting: Mutex<()>,
    oom_kills: OnceLock<OomKills>,
}

/// The error message if the kernel's OOM killer chose the worker.
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

    /// Has a worker read a document. A document that kills its worker is not retried; if another
    /// process killed the worker, the document is retried once.
    pub fn read(&self, data: &[u8], request: &Request) -> Result<Outcome, StartError> {
        let worker = match self.take_idle() {
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
        let is_out_of_memory = is_killed(&outcome) && self.oom_kills().claim();
        if let Some(failure) = outcome.failure.as_mut().filter(|_| is_out_of_memory) {
            failure.kind = FailureKind::Memory;
            failure.message = KILLED_BY_KERNEL.to_owned();
        }
        outcome
    }

    /// The kernel's counter, which starts with the first worker.
    fn oom_kills(&self) -> &OomKills {
        self.oom_kills.get_or_init(OomKills::new)
    }

    /// Takes the most recently used live worker, because its memory is warm.
    fn take_idle(&self) -> Option<Worker> {
        loop {
            // Dropping a dead worker takes time; the lock is not held then.
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

/// Locks a mutex. The data in this module stays valid after a panic, so poisoning is ignored.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
