//! The command line, for the console script of the package.

use std::ffi::OsString;
use std::path::PathBuf;

use corpus_sql::cli;
use pyo3::prelude::*;

use crate::engine::check_process;

/// Runs the command line with these arguments, the first of which is the program's name, and
/// returns its exit code.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    check_process()?;
    Ok(py.detach(|| cli::run_to_code(cli::args::Args::from_arguments(arguments))))
}

/// Sets the program that parses PDFs in separate processes. Only the first call has an effect.
#[pyfunction]
pub fn use_pdf_worker(path: PathBuf) {
    #[cfg(feature = "pdf")]
    corpus_sql::corpus_pdf::isolation::use_worker_binary(path);
    #[cfg(not(feature = "pdf"))]
    drop(path);
}
