//! The native half of the Python package `corpus_sql`: sessions, results as Arrow streams, the
//! scalar functions on Python values, and the command line. The pure half, in `python/corpus_sql/`,
//! adds what is simpler in Python.
//!
//! - A query is a task that sends batches through a channel of one, and is aborted when the
//!   receiver is dropped. Forks have no threads: sessions refuse to work there.
//! - The interpreter's lock is free while a thread waits, which looks for signals every 50 ms. A
//!   foreign thread never takes the lock. A library that releases the lock and then reads a stream
//!   must not be called from Rust: `df`, `pl` and `arrow` are Python.
//!
//! ```text
//! session     sessions
//! engine      their threads
//! waiting     waits for these
//! cluster     clusters
//! statements  runs statements
//! scripts     runs scripts
//! parameters  parameters of statements
//! relation    queries
//! stream      running queries
//! arrays      Arrow arrays and batches
//! values      conversion of values
//! html        tables in notebooks
//! progress    progress bars
//! functions   scalar functions
//! command     the command line
//! errors      exceptions
//! ```

mod arrays;
mod cluster;
mod command;
mod engine;
mod errors;
mod functions;
mod html;
mod parameters;
mod progress;
mod relation;
mod scripts;
mod session;
mod statements;
mod stream;
mod values;
mod waiting;

use pyo3::prelude::*;

#[pymodule]
#[pyo3(name = "_native")]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", py.get_type::<errors::Error>())?;
    module.add("SqlError", py.get_type::<errors::SqlError>())?;
    module.add("DataError", py.get_type::<errors::DataError>())?;
    module.add("IoError", py.get_type::<errors::IoError>())?;
    module.add_class::<session::Session>()?;
    module.add_class::<relation::Relation>()?;
    module.add_class::<relation::Stream>()?;
    module.add_class::<stream::Batches>()?;
    module.add_class::<arrays::Array>()?;
    module.add_class::<arrays::Batch>()?;
    module.add_class::<functions::Function>()?;
    module.add_function(wrap_pyfunction!(functions::functions, module)?)?;
    module.add_function(wrap_pyfunction!(command::main, module)?)?;
    module.add_function(wrap_pyfunction!(scripts::job, module)?)?;
    module.add_function(wrap_pyfunction!(command::use_pdf_worker, module)?)?;
    Ok(())
}
