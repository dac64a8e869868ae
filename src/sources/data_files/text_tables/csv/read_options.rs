//! Options of DuckDB's reader of CSV that DataFusion's format does not have.

use std::collections::{BTreeSet, HashMap};

use datafusion::arrow::datatypes::{DataType, TimeUnit};

/// The names of the options among those of DataFusion's format.
pub const SKIP: &str = "read.skip";
pub const DATE_FORMAT: &str = "read.date_format";
pub const TIMESTAMP_FORMAT: &str = "read.timestamp_format";
pub const DECIMAL_COMMA: &str = "read.decimal_comma";
pub const IGNORE_ERRORS: &str = "read.ignore_errors";
/// The number of first columns whose types are given.
pub const TYPED_COLUMNS: &str = "read.typed_columns";
/// The start of the names of options for each column whose type is given.
pub const TYPED_COLUMN: &str = "read.typed_column.";

/// How records are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The number of lines before the header.
    pub skipped_lines: usize,
    /// Whether the first line of some files names the delimiter.
    pub has_delimiter_line: bool,
    /// The formats of dates and timestamps, as in `strptime`.
    pub date_format: Option<String>,
    pub timestamp_format: Option<String>,
    /// Whether numbers have a comma before their decimals.
    pub decimal_comma: bool,
    /// Whether to leave out damaged records and those that do not fit the columns, with a warning.
    /// `None` if no option says so.
    pub ignores_errors: Option<bool>,
    /// The columns whose types are given: the first ones, and those with these names.
    pub typed_columns: usize,
    pub typed_names: BTreeSet<String>,
}

impl ReadOptions {
    /// Takes the options out of those of a format.
    pub fn take(options: &mut HashMap<String, String>) -> Self {
        let typed = options.keys().filter_map(|name| {
            let name = name.strip_prefix(TYPED_COLUMN)?;
            Some(name.to_owned())
        });
        let typed_names = typed.collect();
        options.retain(|name, _| !name.starts_with(TYPED_COLUMN));
        let mut take = |name| options.remove(name);
        Self {
            skipped_lines: take(SKIP).and_then(|it| it.parse().ok()).unwrap_or(0),
            has_delimiter_line: false,
            date_format: take(DATE_FORMAT),
            timestamp_format: take(TIMESTAMP_FORMAT),
            decimal_comma: take(DECIMAL_COMMA).is_some(),
            ignores_errors: take(IGNORE_ERRORS).map(|it| it == "true"),
            typed_columns: take(TYPED_COLUMNS)
                .and_then(|it| it.parse().ok())
                .unwrap_or(0),
            typed_names,
        }
    }

    /// Whether lines before the records are left out. They may be longer than a range.
    pub fn skips_lines(&self) -> bool {
        self.skipped_lines > 0 || self.has_delimiter_line
    }

    /// Whether the user has given the type of a column.
    pub fn is_typed(&self, place: usize, name: &str) -> bool {
        place < self.typed_columns || self.typed_names.contains(name)
    }

    /// Whether the user has given the types of some columns.
    pub fn has_types(&self) -> bool {
        self.typed_columns > 0 || !self.typed_names.is_empty()
    }

    /// The format of the values of a type.
    pub fn format_of(&self, data_type: &DataType) -> Option<&str> {
        match data_type {
            DataType::Date32 | DataType::Date64 => self.date_format.as_deref(),
            DataType::Timestamp(..) => self.timestamp_format.as_deref(),
            _ => None,
        }
    }

    /// The types whose values have a format that Arrow does not detect.
    pub fn formatted(&self) -> impl Iterator<Item = DataType> {
        let number = self.decimal_comma.then_some(DataType::Float64);
        let date = self.date_format.is_some().then_some(DataType::Date32);
        let timestamp = DataType::Timestamp(TimeUnit::Microsecond, None);
        let timestamp = self.timestamp_format.is_some().then_some(timestamp);
        date.into_iter().chain(timestamp).chain(number)
    }
}
