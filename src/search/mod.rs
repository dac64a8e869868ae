//! Full-text search: an index over the rows of any query, and a table of what is found in it.
//!
//! ```text
//! rows -> sink -> build -> words -> segments, in staging -> the folder of an index
//! query -> parser -> compile (with expand) -> order -> find, with snippets -> table
//! ```
//!
//! `sink` and `table` are what SQL knows of it; all the rest knows neither Arrow nor DataFusion.

pub mod build;
mod directory;
pub mod error;
pub mod find;
pub mod locations;
mod open;
pub mod options;
mod order;
mod query;
pub mod settings;
pub mod sink;
mod snippet;
mod staging;
mod statistics;
pub mod table;
pub mod value;
pub mod words;

#[cfg(test)]
mod tests;
