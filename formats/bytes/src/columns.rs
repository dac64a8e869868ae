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

/// When a column's value is known, and so what a filter on it saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// From the record's head: filters are evaluated in the reader, before the payload is read.
    Early,
    /// Once the record has been passed over, but without keeping its payload.
    Late,
    /// It is the payload.
    Payload,
}

/// One column of a format.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub name: &'static str,
    pub kind: ColumnType,
    pub known: Known,
}

impl Column {
    pub const fn early(name: &'static str, kind: ColumnType) -> Self {
        let known = Known::Early;
        Self { name, kind, known }
    }

    pub const fn payload(name: &'static str, kind: ColumnType) -> Self {
        let known = Known::Payload;
        Self { name, kind, known }
    }

    pub const fn late(name: &'static str, kind: ColumnType) -> Self {
        let known = Known::Late;
        Self { name, kind, known }
    }
}

/// Every format ends its columns with this one; the generic half fills it in.
pub const ERROR_COLUMN: Column = Column::late("error", ColumnType::Text);

/// Every format begins its columns with this one.
pub const SOURCE_FILE_COLUMN: Column = Column::early("source_file", ColumnType::Text);
