//! The worker processes of this program.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use super::pool::Pool;
use super::{Outcome, StartError, worker};
use crate::engine;
use crate::model::Request;

/// The first argument of a worker process. No script can have this name.
const WORKER_ARGUMENT: &str = "--pdf-worker";

/// This path stays valid when the binary is replaced or deleted while it runs.
const RUNNING_BINARY: &str = "/proc/self/exe";

/// The workers, once the program has named a binary.
static POOL: OnceLock<Pool> = OnceLock::new();

/// Has a worker read a document.
pub(super) fn read(data: &[u8], request: &Request) -> Result<Outcome, StartError> {
    match POOL.get() {
        Some(pool) => pool.read(data, request),
        None => Err(StartError::new(
            "the program must call corpus_pdf::isolation::at_start_of_main first",
        )),
    }
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

/// Sets the binary to start workers from, for programs that cannot be workers themselves. Only the
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
