//! Sinks: files that appear only when they are complete.

pub mod complete;
mod held_store;
pub mod warc;
