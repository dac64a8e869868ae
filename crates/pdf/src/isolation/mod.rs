//! Protects the query from hostile PDFs.
//!
//! The engine has budgets, and its panics are caught. A stack overflow, exhausted memory or a loop
//! in a library still ends a whole process. Therefore documents are parsed in worker processes by
//! default. The program starts them from its own binary and reuses them.
//!
//! Only Unix has a safe interface to limit processes. On other systems, documents are parsed in the
//! calling thread.
//!
//! | module      | purpose                                         | runs in |
//! |-------------|-------------------------------------------------|---------|
//! | `processes` | names the binary of the workers                 | program |
//! | `pool`      | keeps idle workers                              | program |
//! | `child`     | starts a worker, queries it, explains its death | program |
//! | `timeout`   | a socket whose reads and writes time out        | program |
//! | `oom`       | detects kills by the kernel for lack of memory  | program |
//! | `wire`      | messages                                        | both    |
//! | `guard`     | turns panics into failures                      | both    |
//! | `worker`    | the main loop of a worker                       | worker  |
//! | `limits`    | the kernel's limits for memory and CPU time     | worker  |

#[cfg(unix)]
mod child;
mod guard;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod oom;
#[cfg(unix)]
mod pool;
#[cfg(unix)]
mod processes;
#[cfg(not(unix))]
#[path = "no_processes.rs"]
mod processes;
#[cfg(unix)]
#[cfg(test)]
mod tests;
#[cfg(unix)]
mod timeout;
#[cfg(unix)]
mod wire;
#[cfg(unix)]
mod worker;

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::str::FromStr;

pub use processes::{at_start_of_main, use_worker_binary};

use super::engine;
use super::model::{DocumentPart, Failure, Outcome, Request};

/// Reads a document: takes its bytes and emits parts as they are completed.
type Engine =
    fn(Vec<u8>, &Request, &mut dyn FnMut(DocumentPart) -> ControlFlow<()>) -> Result<(), Failure>;

/// Where documents are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// In worker processes: at worst, a document ends one of them.
    #[cfg_attr(unix, default)]
    Process,
    /// In the calling thread. Panics are caught, but a stack overflow or exhausted memory ends the
    /// program.
    #[cfg_attr(not(unix), default)]
    Thread,
}

impl FromStr for Isolation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "process" if cfg!(unix) => Ok(Self::Process),
            "process" => Err("this system cannot limit worker processes; use 'thread'".to_owned()),
            "thread" => Ok(Self::Thread),
            _ => Err("expected 'process' or 'thread'".to_owned()),
        }
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Process => "process",
            Self::Thread => "thread",
        })
    }
}

/// A worker process could not be started. The cause is the installation, not a document.
#[derive(Debug)]
pub struct StartError(String);

impl StartError {
    fn new(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start a PDF worker process: {}", self.0)
    }
}

impl std::error::Error for StartError {}

/// Reads a document; the calling thread waits.
///
/// A worker could be corrupted by a document and send anything. Check the indexes and ranges in its
/// pages before use.
pub fn read(data: &[u8], request: &Request, isolation: Isolation) -> Result<Outcome, StartError> {
    match isolation {
        Isolation::Thread => Ok(read_in_thread(data, request)),
        Isolation::Process => processes::read(data, request),
    }
}

/// Reads a document in the calling thread. Panics are caught, but a stack overflow or exhausted
/// memory ends the program.
pub fn read_in_thread(data: &[u8], request: &Request) -> Outcome {
    read_here(engine::read, data, request)
}

fn read_here(engine: Engine, data: &[u8], request: &Request) -> Outcome {
    let mut outcome = Outcome::default();
    let result = guard::run(engine, data.to_vec(), request, &mut |part| {
        outcome.add(part);
        ControlFlow::Continue(())
    });
    outcome.failure = result.err();
    outcome
}
