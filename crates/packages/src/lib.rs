#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! kind        detects the kind of a file: plain, compressed or a package
//! package     the interface of both kinds of packages
//! links       members that are links to others
//! read_ahead  decompresses the start of a package, to detect damage early
//! tar, zip    the two kinds of packages
//! zip_names   the charset of names in a zip
//! row         reads content: inflates, truncates and checks it
//! columns     the columns of rows
//! pull        rows, column by column, for an engine
//! reader      records as owned values
//! lines       text files line by line
//! ```

pub mod columns;
mod kind;
pub mod lines;
mod links;
mod package;
mod pull;
mod read_ahead;
mod reader;
mod row;
mod tar;
#[cfg(test)]
mod testing;
mod zip;
mod zip_names;

pub use self::pull::{PACKAGES, open};
pub use self::reader::{Options, Reader, Record};
