//! Locations of records, as an index lists them.

use std::collections::BTreeMap;

use crate::record::RecordError;

/// Maximum number of unusable lines of one index file that are reported one by one.
const MAX_FAULTS: usize = 1000;

/// The reason of errors for unusable lines of an index.
const BAD_LINE: &str = "bad line in the index";
/// The reason of errors for places at which no record starts.
pub const NO_RECORD: &str = "no record where the index says";

/// The position of a record in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordLocation {
    pub offset: u64,
    /// `None` if the index does not have it.
    pub length: Option<u64>,
}

/// The properties that an index declares for the record at a place, to check the record found
/// there.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expected {
    pub url: Option<Box<str>>,
    pub digest: Option<Box<str>>,
}

/// A record that an index names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRecord {
    pub location: RecordLocation,
    pub expected: Expected,
}

impl From<RecordLocation> for NamedRecord {
    fn from(location: RecordLocation) -> Self {
        Self {
            location,
            expected: Expected::default(),
        }
    }
}

/// The result of a search in the files of an index.
#[derive(Debug, Default)]
pub struct Findings {
    /// Records by the name of their archive.
    pub by_archive: BTreeMap<String, Vec<NamedRecord>>,
    faults: Vec<(u64, RecordError)>,
}

impl Findings {
    pub fn add(&mut self, archive: &str, record: impl Into<NamedRecord>) {
        let record = record.into();
        match self.by_archive.get_mut(archive) {
            Some(places) => places.push(record),
            None => {
                self.by_archive.insert(archive.to_owned(), vec![record]);
            }
        }
    }

    /// Adds an error for the line at `offset`. Beyond the maximum, one final error reports that the
    /// others are not listed.
    pub fn add_fault(&mut self, offset: u64, message: String) {
        let message = match self.faults.len() {
            0..MAX_FAULTS => message,
            MAX_FAULTS => "more lines like the ones before; they are not listed".to_owned(),
            _ => return,
        };
        let error = RecordError::new(BAD_LINE, message);
        self.faults.push((offset, error));
    }

    /// The unusable lines, by their offsets in the file.
    pub fn faults(&self) -> &[(u64, RecordError)] {
        &self.faults
    }

    /// Removes the unusable lines, before the search continues in another file.
    pub fn take_faults(&mut self) -> Vec<(u64, RecordError)> {
        std::mem::take(&mut self.faults)
    }
}
