//! Protects the query from hostile PDFs.
//!
//! The engine has budgets, and its panics are caught. What remains (a stack overflow, exhausted
//! memory, a loop in a library) ends a whole process. Therefore documents are parsed in worker
//! processes by default. The program starts them from its own binary and reuses them.
//!
//! | module    | purpose                                             | runs in |
//! |-----------|-----------------------------------------------------|---------|
//! | `pool`    | keeps idle workers                                  | program |
//! | `child`   | starts a worker, queries it, explains its death     | program |
//! | `timeout` | a socket whose reads and writes time out            | program |
//! | `oom`     | detects kills by the kernel for lack of memory      | program |
//! | `wire`    | messages                                            | both    |
//! | `guard`   | turns panics into failures                          | both    |
//! | `worker`  | the main loop of a worker                           | worker  |
//! | `limits`  | the kernel's limits for memory and CPU time         | worker  |

mod child;
mod guard;
mod limits;
mod oom;
mod pool;
#[cfg(test)]
mod tests;
mod timeout;
mod wire;
mod worker;

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::str::FromStr;
use std::sync::OnceLock;

use pool::Pool;

use super::engine;
use super::model::{Failure, Info, Page, Part, Request};

/// Reads a document: takes its bytes and emits parts as they are completed.
type Engine = fn(Vec<u8>, &Request, &mut dyn FnMut(Part) -> ControlFlow<()>) -> Result<(), Failure>;

/// The first argument of a worker process. No script can have this name.
const WORKER_ARGUMENT: &str = "--pdf-worker";

/// This path stays valid when the binary is replaced or deleted while it runs.
const RUNNING_BINARY: &str = "/proc/self/exe";

/// Where documents are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// In worker processes: at worst, a document ends one of them.
    #[default]
    Process,
    /// In the calling thread. Panics are caught, but a stack overflow or exhausted memory ends the
    /// program.
    Thread,
}

impl FromStr for Isolation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "process" => Ok(Self::Process),
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

/// The parts of a document: all of them, or those read before `failure`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    pub info: Option<Info>,
    pub pages: Vec<Page>,
    pub failure: Option<Failure>,
}

impl Outcome {
    /// The outcome of a document that could not be read at all.
    pub fn failed(failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..Self::default()
        }
    }

    fn add(&mut self, part: Part) {
        match part {
            Part::Opened(info) => self.info = Some(info),
            Part::Page(page) => self.pages.push(page),
        }
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

/// The workers, once the program has named a binary.
static POOL: OnceLock<Pool> = OnceLock::new();

/// Reads a document; the calling thread waits.
///
/// A worker could be corrupted by a document and send anything. Check the indexes and ranges in its
/// pages before use.
pub fn read(data: &[u8], request: &Request, isolation: Isolation) -> Result<Outcome, StartError> {
    match isolation {
        Isolation::Thread => Ok(read_in_thread(data, request)),
        Isolation::Process => match POOL.get() {
            Some(pool) => pool.read(data, request),
            None => Err(StartError::new(
                "the program must call corpus_pdf::isolation::at_start_of_main first",
            )),
        },
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

/// Turns the process into a worker if it was started as one. Call it first in `main`.
///
/// In a worker process, it does all the work and returns the exit code. In any other process, it
/// returns `None`, and workers are started from that process's binary from now on.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     if let Some(exit) = corpus_pdf::isolation::at_start_of_main() {
///         return exit;
///     }
///     // The program.
///     ExitCode::SUCCESS
/// }
/// ```
pub fn at_start_of_main() -> Option<ExitCode> {
    let mut arguments = env::args_os();
    let name = arguments.next();
    if arguments
        .next()
        .is_some_and(|first| first == WORKER_ARGUMENT)
    {
        return Some(worker::main(engine::read));
    }
    let binary = if Path::new(RUNNING_BINARY).exists() {
        Some(PathBuf::from(RUNNING_BINARY))
    } else {
        // If this fails, too, `read` returns a `StartError`.
        env::current_exe().ok()
    };
    if let Some(binary) = binary {
        let name = name.unwrap_or_else(|| binary.clone().into_os_string());
        start_workers_from(binary, name);
    }
    None
}

/// Names the binary to start workers from, for programs that cannot be workers themselves. Only the
/// first call has an effect.
pub fn use_worker_binary(binary: PathBuf) {
    let name = binary.clone().into_os_string();
    start_workers_from(binary, name);
}

fn start_workers_from(binary: PathBuf, name: OsString) {
    let _ = POOL.set(Pool::new(move || {
        let mut command = Command::new(&binary);
        command.arg0(&name).arg(WORKER_ARGUMENT);
        command
    }));
}
