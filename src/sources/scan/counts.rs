//! The counts of scans.

use std::collections::BTreeMap;
use std::ops::AddAssign;

/// The values of the counters at one moment.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Counts {
    pub files: u64,
    pub records: u64,
    pub bytes: u64,
    /// Records and files with errors, by reason.
    pub errors: BTreeMap<&'static str, u64>,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.records += other.records;
        self.bytes += other.bytes;
        for (reason, count) in other.errors {
            *self.errors.entry(reason).or_default() += count;
        }
    }
}
