#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! record            the interface of a framing
//! columns           the columns of a format
//! record_locations  locations of records, as an index lists them
//! file              read access to files, wherever they are
//! local             files of the local disk
//! memory            files in memory
//! buffered_file     a file with a buffer, in which readers look ahead and go back
//! compression       detects and decompresses compressed streams
//! inflate           gzip, zlib and raw deflate data
//! gzip              headers and trailers of gzip members
//! blank             files without content
//! until_error       a reader that stops at its first error
//! windows_1252      the charset windows-1252
//! random            random numbers for tests
//! step_counter      counts steps, for tests of linear time
//! test_data         compressed data for tests
//! ```

#[cfg(feature = "codecs")]
pub mod blank;
pub mod buffered_file;
pub mod columns;
pub mod compression;
pub mod file;
#[cfg(feature = "inflate")]
pub mod gzip;
#[cfg(feature = "inflate")]
pub mod inflate;
pub mod local;
pub mod memory;
pub mod random;
pub mod record;
pub mod record_locations;
pub mod step_counter;
#[cfg(feature = "inflate")]
pub mod test_data;
pub mod until_error;
pub mod windows_1252;
