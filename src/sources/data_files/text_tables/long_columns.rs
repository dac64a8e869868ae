//! Detects which columns of text files have long values. The files have no statistics, so values
//! are measured during the search for columns.

use std::collections::HashMap;

use datafusion::arrow::datatypes::Schema;
use parking_lot::Mutex;

use crate::planner::batch_size::MAX_NARROW_BYTES;

/// The maximum number of distinct keys that are measured. Objects may be maps with any keys.
const MAX_KEYS: usize = 4096;

/// After this many records, only one in [`SAMPLING_INTERVAL`] is measured.
const MAX_FULLY_MEASURED_RECORDS: u64 = 1000;

const SAMPLING_INTERVAL: u64 = 16;

/// The columns of the files searched so far, and whether each has long values.
#[derive(Debug, Default)]
pub struct LongColumns(Mutex<HashMap<String, bool>>);

impl LongColumns {
    /// Adds the columns of further files.
    pub fn extend(&self, columns: impl IntoIterator<Item = (String, bool)>) {
        let mut all = self.0.lock();
        for (name, is_long) in columns {
            *all.entry(name).or_default() |= is_long;
        }
    }

    /// Adds the columns of files that another format has read.
    pub fn add(&self, other: &Self) {
        let columns = other.0.lock().clone();
        self.extend(columns);
    }

    /// Returns which columns may have long values: those measured as long, and unknown ones. `None`
    /// if no file was searched, because the columns are declared.
    pub fn payloads(&self, schema: &Schema) -> Option<Vec<bool>> {
        let all = self.0.lock();
        let fields = schema.fields().iter();
        (!all.is_empty()).then(|| {
            fields
                .map(|field| all.get(field.name()).copied().unwrap_or(true))
                .collect()
        })
    }
}

/// The sizes of the values of JSON records, by their key.
#[derive(Debug, Default)]
pub struct KeySizes {
    bytes: Vec<(Box<[u8]>, u64)>,
    places: HashMap<Box<[u8]>, usize>,
    records: u64,
    measured: u64,
    is_measured: bool,
    /// The index of the key expected next, because most records have the same keys in the same
    /// order.
    next: usize,
}

impl KeySizes {
    pub fn start_record(&mut self) {
        self.is_measured = self.records < MAX_FULLY_MEASURED_RECORDS
            || self.records.is_multiple_of(SAMPLING_INTERVAL);
        self.records += 1;
        self.measured += u64::from(self.is_measured);
        self.next = 0;
    }

    /// Adds the length of a value of the current record, as written in JSON.
    pub fn add(&mut self, key: &[u8], length: usize) {
        if !self.is_measured {
            return;
        }
        let is_next = |(next, _): &(Box<[u8]>, u64)| **next == *key;
        let place = if self.bytes.get(self.next).is_some_and(is_next) {
            self.next
        } else if let Some(place) = self.places.get(key) {
            *place
        } else if self.bytes.len() < MAX_KEYS {
            self.places.insert(key.into(), self.bytes.len());
            self.bytes.push((key.into(), 0));
            self.bytes.len() - 1
        } else {
            return;
        };
        self.bytes[place].1 += u64::try_from(length).unwrap_or(u64::MAX);
        self.next = place + 1;
    }

    /// Returns whether the values of a key are long on average.
    pub fn is_long(&self, key: &str) -> bool {
        let max = self.measured.saturating_mul(MAX_NARROW_BYTES as u64);
        let place = self.places.get(key.as_bytes());
        place.is_none_or(|place| self.bytes[*place].1 > max)
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::{DataType, Field};

    use super::*;

    #[test]
    fn keys_are_long_on_average_over_the_records() {
        let mut sizes = KeySizes::default();
        for record in 0..10 * MAX_FULLY_MEASURED_RECORDS {
            sizes.start_record();
            sizes.add(b"url", 30);
            sizes.add(b"text", 300);
            if record % 10 == 0 {
                sizes.add(b"note", 1000);
            }
        }
        assert!(!sizes.is_long("url"));
        assert!(sizes.is_long("text"));
        assert!(!sizes.is_long("note"));
        assert!(sizes.is_long("unknown"));
    }

    #[test]
    fn further_keys_are_unknown() {
        let mut sizes = KeySizes::default();
        sizes.start_record();
        for key in 0..=MAX_KEYS {
            sizes.add(key.to_string().as_bytes(), 1);
        }
        assert!(!sizes.is_long("0"));
        assert!(sizes.is_long(&MAX_KEYS.to_string()));
    }

    #[test]
    fn a_column_is_long_if_it_is_in_one_of_the_files() {
        let columns = LongColumns::default();
        let fields = ["url", "text", "renamed"].map(|name| Field::new(name, DataType::Utf8, true));
        let schema = Schema::new(fields.to_vec());
        assert_eq!(columns.payloads(&schema), None);
        columns.extend([("url".to_owned(), false), ("text".to_owned(), true)]);
        columns.extend([("url".to_owned(), false), ("text".to_owned(), false)]);
        assert_eq!(columns.payloads(&schema), Some(vec![false, true, true]));
    }
}
