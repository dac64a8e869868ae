//! Keeps what a hostile PDF can do away from the query that reads it.
//!
//! The engine has budgets, and its panics are caught. What is left (a stack overflow, memory that
//! is used up, a loop in a library) ends a whole process. So by default documents are read in
//! processes of their own: workers, which the program starts from its own binary and keeps.
//!
//! | module     | what it does                                             | where     |
//! |------------|----------------------------------------------------------|-----------|
//! | `pool`     | keeps workers                                            | program   |
//! | `child`    | starts a worker, asks it, and tells what it died of      | program   |
//! | `timeout`  | a socket that is not waited for without end              | program   |
//! | `wire`     | messages                                                 | both      |
//! | `guard`    | makes a panic a failure                                  | both      |
//! | `worker`   | reads documents as long as there are any                 | worker    |
//! | `oom`      | tells lack of memory from kills by users                 | program   |
//! | `limits`   | memory and CPU time that the kernel lets a worker have   | worker    |

mod child;
mod guard;
mod limits;
mod oom;
mod timeout;
mod pool;
#[cfg(test)]
mod tests;
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

/// What reads a document: bytes in, parts out as they are made.
type Engine = fn(Vec<u8>, &Request, &mut dyn FnMut(Part) -> ControlFlow<()>) -> Result<(), Failure>;

/// The first argument of a worker. A script can have any other name.
const WORKER_ARGUMENT: &str = "--pdf-worker";

/// Survives that the binary is replaced or deleted while it runs.
const RUNNING_BINARY: &str = "/proc/self/exe";

/// Where documents are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// In worker processes: the worst that a document can do is to end one of them.
    #[default]
    Process,
    /// In the thread that asks. Panics are caught, but a stack overflow or a lack of memory ends
    /// the program.
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

/// What was read of a document: all of it, or what came before `failure`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    pub info: Option<Info>,
    pub pages: Vec<Page>,
    pub failure: Option<Failure>,
}

impl Outcome {
    /// The outcome of a document of which nothing could be read.
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

/// There is no worker process: a fault of the installation, and of no document.
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
        write!(f, "cannot start a process that reads PDFs: {}", self.0)
    }
}

impl std::error::Error for StartError {}

/// What workers are started from.
static POOL: OnceLock<Pool> = OnceLock::new();

/// Reads a document; the calling thread waits.
///
/// A worker may be out of its mind: the numbers in what it sends are to be checked before they are
/// used as places in a list.
pub fn read(data: &[u8], request: &Request, isolation: Isolation) -> Result<Outcome, StartError> {
    match isolation {
        Isolation::Thread => Ok(read_in_thread(data, request)),
        Isolation::Process => match POOL.get() {
            Some(pool) => pool.read(data, request),
            None => Err(StartError::new(
                "the program that uses this library has named none",
            )),
        },
    }
}

/// Reads a document in the calling thread. Panics are caught, but a stack overflow or a lack of memory ends the
/// program.
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

/// To be called by a program's `main` before anything else.
///
/// In a worker process this does all the work, and returns what the process ends with. Else
/// workers are started from the binary of this process from now on.
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
        // Without one, reading says that there is none.
        env::current_exe().ok()
    };
    if let Some(binary) = binary {
        let name = name.unwrap_or_else(|| binary.clone().into_os_string());
        start_workers_from(binary, name);
    }
    None
}

/// For programs that cannot be workers themselves: `binary` is one that can. The first call counts.
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
