//! Indexes of web archives: CDXJ (`key timestamp {"url": …, "offset": …, "length": …,
//! "filename": …}`) and CDX (columns).
//!
//! [`Entry`] parses single lines. [`CdxFile`] searches a file for the locations of records;
//! [`Wanted`] selects the URLs and keys. [`mismatch`] compares the record found with its line.

mod entry;
mod error;
mod expected;
mod lines;
mod search;
#[cfg(test)]
mod tests;
mod wanted;

pub use entry::{Entry, Layout};
pub use error::IndexError;
pub use expected::mismatch;
pub use search::CdxFile;
pub use wanted::Wanted;
