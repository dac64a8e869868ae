//! Events of single files while a scan runs, for its watchers.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One event.
#[derive(Debug)]
pub enum ScanEvent<'a> {
    FileBegun {
        file: &'a str,
        /// The byte range, if the file is read in ranges.
        range: Option<Range<u64>>,
    },
    FileEnded {
        file: &'a str,
        records: u64,
        errors: u64,
    },
    /// A record, or a file, that could not be read.
    Error {
        file: &'a str,
        offset: u64,
        reason: &'static str,
        message: String,
    },
}

/// Receives the events of all threads.
#[derive(Clone)]
pub struct Watcher(pub Arc<dyn Fn(&ScanEvent<'_>) + Send + Sync>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}
