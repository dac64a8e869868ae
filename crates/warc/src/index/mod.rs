//! Indexes of web archives: CDXJ (`key timestamp {"url": …, "offset": …, "length": …,
//! "filename": …}`) and CDX (columns).
//!
//! [`Entry`] parses single lines. [`CdxFile`] searches a file for the locations of records;
//! [`UrlFilter`] selects the URLs and keys. [`mismatch`] compares the record found with its line.
//!
//! ```text
//! lines       all lines, or those in ranges of keys
//! entry       one line
//! url_filter  the URLs and keys of a search
//! search      searches a file
//! mismatch    compares a record with its line
//! error       errors of files
//! ```

mod entry;
mod error;
mod lines;
mod mismatch;
mod search;
#[cfg(test)]
mod tests;
mod url_filter;

pub use entry::{Entry, Layout};
pub use error::IndexError;
pub use mismatch::mismatch;
pub use search::CdxFile;
pub use url_filter::UrlFilter;
