#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! kind     what a file is: plain, compressed or a package
//! package  what tar and zip have in common
//! read_ahead  decompresses the start of a package, to know damage early
//! row      how content is read: inflated, cut, checked
//! pull     rows, column by column, for an engine
//! reader   records as owned values
//! lines    text files line by line
//! ```

pub mod columns;
mod kind;
pub mod lines;
mod package;
mod pull;
mod read_ahead;
mod reader;
mod row;
mod tar;
#[cfg(test)]
mod testing;
mod zip;

pub use self::pull::open;
pub use self::reader::{Options, Reader, Record};
