//! SQL over raw document corpora: the engine behind the command line.

pub mod allocator;
pub mod cli;
pub mod errors;
pub mod expressions;
pub mod functions;
pub mod object_stores;
pub mod planning;
pub mod search;
pub mod session;
pub mod sinks;
pub mod sources;
pub mod staging;
mod suggestions;

pub use corpus_udfs::settings;
