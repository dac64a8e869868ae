//! SQL over raw document corpora: the engine behind the command line `corpus-sql`.
//!
//! [`session::session`] returns a [`SessionContext`] of DataFusion that knows all sources, sinks,
//! functions and settings. Everything else is DataFusion's own API:
//!
//! ```no_run
//! use corpus_sql::session::{SessionOptions, session};
//!
//! # async fn run() -> datafusion::error::Result<()> {
//! let context = session(&SessionOptions::default())?;
//! let frame = context
//!     .sql("SELECT target_uri FROM read_warc('crawl/') WHERE warc_type = 'response'")
//!     .await?;
//! frame.show().await
//! # }
//! ```
//!
//! [`sql::dialect::sql`] plans SQL as the command line does: with lambda functions, macros, and
//! aliases that the same SELECT uses again.
//!
//! Queries need a Tokio runtime with several threads. [`SessionOptions`] sets threads, memory and
//! the folder that operators spill to.
//!
//! # Custom functions and formats
//!
//! A function is registered with DataFusion's [`SessionContext::register_udf`]. A format implements
//! [`RecordFormat`](sources::format::RecordFormat) and is registered with
//! [`sources::table::register::register`]; `STORED AS X` and `read_x('…')` then read it. The folder
//! `examples/` has a program for each: `session`, `own_function` and `own_format`.
//!
//! # PDFs
//!
//! PDFs are parsed in worker processes, so that a hostile file costs one row. A worker is your own
//! program, started again. The first statement of `main`, before the runtime starts, must therefore
//! be:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! # #[cfg(feature = "pdf")]
//! fn main() -> ExitCode {
//!     if let Some(code) = corpus_sql::corpus_pdf::isolation::at_start_of_main() {
//!         return code;
//!     }
//!     // Your program.
//!     ExitCode::SUCCESS
//! }
//! # #[cfg(not(feature = "pdf"))]
//! # fn main() {}
//! ```
//!
//! If you do not control `main`, as in a plugin or a test, call
//! [`use_worker_binary`](corpus_pdf::isolation::use_worker_binary) with the path of `corpus-sql`
//! instead. Without either, PDF functions fail. For files that you trust, `SET corpus.pdf_isolation
//! = 'thread'` parses PDFs in threads of the session.
//!
//! [`SessionContext`]: datafusion::prelude::SessionContext
//! [`SessionContext::register_udf`]: datafusion::prelude::SessionContext::register_udf
//! [`SessionOptions`]: session::SessionOptions
//!
//! # Modules
//!
//! ```text
//! session               assembles a session
//! sql                   from text to a logical plan
//! planner               from a logical plan to a running one
//! sources               tables of raw records
//! object_stores         local files, buckets and web servers
//! sinks                 files that appear only when they are complete
//! file_sink             what sinks of files share
//! statements            runs scripts, for the command line and Python
//! results               writes results
//! cli                   the command line
//! completion            completion of SQL
//! ui                    the page of `corpus-sql ui`
//! cluster               queries on many machines
//! jobs                  the SQL files of `queries/`
//! functions             the table function `corpus_functions`
//! connected_components  the table function `connected_components`
//! spreadsheet           rows as Excel files
//! nested_as_json        lists and structs as JSON
//! options               options of formats and table functions
//! limits                limits derived from `--memory-limit`
//! open_files            the limit of open files
//! allocator             the memory that the allocator keeps
//! errors                formats errors
//! similar_names         finds similar names
//! foreign_types         types of DuckDB, BigQuery and others
//! operator              methods that operators share
//! boxed_methods         async methods whose arguments are plans
//! tree_walk             walks through plans and expressions
//! buffer                the output of writers that take ownership of it
//! shell                 quotes arguments for a shell
//! ```

pub mod allocator;
mod boxed_methods;
mod buffer;
pub mod cli;
#[cfg(feature = "cluster")]
pub mod cluster;
mod completion;
mod connected_components;
pub mod errors;
mod file_sink;
mod foreign_types;
pub mod functions;
pub mod jobs;
mod limits;
mod nested_as_json;
pub mod object_stores;
pub mod open_files;
mod operator;
pub mod options;
pub mod planner;
pub mod results;
pub mod session;
mod shell;
mod similar_names;
pub mod sinks;
pub mod sources;
mod spreadsheet;
pub mod sql;
pub mod statements;
mod tree_walk;
#[cfg(feature = "ui")]
pub mod ui;

pub use corpus_udfs::settings;
// The crates whose types are part of this crate's interface.
#[cfg(feature = "pdf")]
pub use corpus_pdf;
pub use {corpus_bytes, datafusion};
