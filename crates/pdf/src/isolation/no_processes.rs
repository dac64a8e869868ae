//! A system that is not Unix: it has no worker processes.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Outcome, StartError};
use crate::model::Request;

pub(super) fn read(_data: &[u8], _request: &Request) -> Result<Outcome, StartError> {
    Err(StartError::new("this system cannot limit them"))
}

/// Returns `None`: no process is a worker on this system.
pub fn at_start_of_main() -> Option<ExitCode> {
    None
}

/// Has no effect on this system.
pub fn use_worker_binary(_binary: PathBuf) {}
