#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! rows  -> build -> words -> segments, in staging -> the folder of an index
//! query -> query::{parser, compile, expand} -> order -> find, with snippet
//! ```
//!
//! ```text
//! options     options of a build
//! locations   folders and patterns of folders
//! open        opens an index: directory for a local one, remote for others
//! checksums   detect damage; failures keep the errors of reading
//! ids         finds documents that an index already has
//! merges      chooses the segments to merge
//! statistics  compares scores across indexes
//! value       the values of a row
//! error       the errors, with advice
//! ```
//!
//! `settings` is the file with the columns of an index and the rules for its words. The crate knows
//! neither Arrow nor DataFusion.

mod build;
mod checksums;
mod directory;
mod error;
mod failures;
mod find;
mod ids;
pub mod locations;
mod merges;
mod open;
mod options;
mod order;
mod query;
mod remote;
mod settings;
mod snippet;
mod staging;
mod statistics;
mod value;
mod words;

#[cfg(test)]
mod tests;

pub use build::{Built, FinishedPart, IndexBuild, PartWriter};
pub use checksums::{SUMS_FILE, Verify};
pub use error::{Result, SearchError};
pub use find::{DEFAULT_SNIPPET_LENGTH, Hits, Row, Search, SearchOptions};
pub use open::IndexSource;
pub use options::{
    DEFAULT_MEMORY_BYTES, DEFAULT_MERGED_BYTES, Duplicates, IndexOptions, MEMORY_BYTES, Mode,
};
pub use query::Operator;
pub use remote::{IndexFiles, RemoteIndex};
pub use settings::{Column, IndexSettings, SCORE, SETTINGS_FILE, SNIPPET, Searched};
pub use snippet::SnippetFormat;
pub use value::{ColumnType, StoredValue, Value};
pub use words::{Language, WordRules};
