//! SQL over raw document corpora: the engine behind the command line.

pub mod allocator;
pub mod cli;
pub mod errors;
pub mod expressions;
pub mod functions;
pub mod object_stores;
pub mod planning;
mod query_planner;
pub mod session;
pub mod sinks;
pub mod sources;
mod suggestions;

pub use corpus_udfs::settings;
