//! The columns of a record format, as plain data: names, types, and when a value is known.

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    Text,
    Bytes,
    Integer,
    Double,
    Boolean,
    Timestamp,
    Pairs,
}

/// When a column's value is known, which decides how much work a filter on it saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// From the record's head: filters are evaluated in the reader, before the payload is read.
    Early,
    /// After the record has been skipped, without keeping its payload.
    Late,
    /// It is the payload.
    Payload,
}

/// One column of a format.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub name: &'static str,
    pub kind: ColumnType,
    pub availability: Availability,
    /// One line, without a full stop.
    pub description: &'static str,
}

impl Column {
    const fn new(name: &'static str, kind: ColumnType, availability: Availability) -> Self {
        Self {
            name,
            kind,
            availability,
            description: "",
        }
    }

    /// The column with its description.
    pub const fn about(self, description: &'static str) -> Self {
        Self {
            description,
            ..self
        }
    }

    pub const fn early(name: &'static str, kind: ColumnType) -> Self {
        Self::new(name, kind, Availability::Early)
    }

    pub const fn payload(name: &'static str, kind: ColumnType) -> Self {
        Self::new(name, kind, Availability::Payload)
    }

    pub const fn late(name: &'static str, kind: ColumnType) -> Self {
        Self::new(name, kind, Availability::Late)
    }
}

/// The last column of every format, filled in by the engine.
pub const ERROR_COLUMN: Column =
    Column::late("error", ColumnType::Text).about("What went wrong with the record, or NULL");

/// The first column of every format.
pub const SOURCE_FILE_COLUMN: Column =
    Column::early("source_file", ColumnType::Text).about("The path or URL of the file");

/// Defines the columns of a format, `COLUMNS`, and a constant for the index of each. The comment
/// before them documents `COLUMNS`.
#[macro_export]
macro_rules! record_columns {
    ($(#[$attribute:meta])* $($index:ident = $column:expr),+ $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum ColumnIndex {
            $($index),+
        }

        $(
            #[allow(dead_code)]
            const $index: usize = ColumnIndex::$index as usize;
        )+

        $(#[$attribute])*
        pub const COLUMNS: &[$crate::columns::Column] = &[$($column),+];
    };
}
