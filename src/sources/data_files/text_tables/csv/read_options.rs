//! Options of DuckDB's reader of CSV that DataFusion's format does not have.

use std::collections::HashMap;

use datafusion::arrow::datatypes::{DataType, TimeUnit};

/// The names of the options among those of DataFusion's format.
pub const SKIP: &str = "read.skip";
pub const DATE_FORMAT: &str = "read.date_format";
pub const TIMESTAMP_FORMAT: &str = "read.timestamp_format";
pub const IGNORE_ERRORS: &str = "read.ignore_errors";

/// How records are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The number of lines before the header.
    pub skipped_lines: usize,
    /// The formats of dates and timestamps, as in `strptime`.
    pub date_format: Option<String>,
    pub timestamp_format: Option<String>,
    /// Whether records that do not fit the columns are left out, with a warning.
    pub ignores_errors: bool,
}

impl ReadOptions {
    /// Takes the options out of those of a format.
    pub fn take(options: &mut HashMap<String, String>) -> Self {
        let mut take = |name| options.remove(name);
        Self {
            skipped_lines: take(SKIP).and_then(|it| it.parse().ok()).unwrap_or(0),
            date_format: take(DATE_FORMAT),
            timestamp_format: take(TIMESTAMP_FORMAT),
            ignores_errors: take(IGNORE_ERRORS).is_some(),
        }
    }

    /// The format of the values of a type.
    pub fn format_of(&self, data_type: &DataType) -> Option<&str> {
        match data_type {
            DataType::Date32 | DataType::Date64 => self.date_format.as_deref(),
            DataType::Timestamp(..) => self.timestamp_format.as_deref(),
            _ => None,
        }
    }

    /// The types whose values have a format.
    pub fn formatted(&self) -> impl Iterator<Item = DataType> {
        let date = self.date_format.is_some().then_some(DataType::Date32);
        let timestamp = DataType::Timestamp(TimeUnit::Microsecond, None);
        let timestamp = self.timestamp_format.is_some().then_some(timestamp);
        date.into_iter().chain(timestamp)
    }
}
