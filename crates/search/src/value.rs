//! The values of a row, as an index stores them.

/// The types that an index stores. Every other type of SQL is cast to one of them, or rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    Text,
    Integer,
    Double,
    Boolean,
    /// Microseconds since 1970, UTC.
    Timestamp,
}

const NAMES: &[(ColumnType, &str)] = &[
    (ColumnType::Text, "text"),
    (ColumnType::Integer, "integer"),
    (ColumnType::Double, "double"),
    (ColumnType::Boolean, "boolean"),
    (ColumnType::Timestamp, "timestamp"),
];

impl ColumnType {
    /// The name in the settings of an index.
    pub fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("text", |(_, name)| name)
    }

    pub fn named(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(_, known)| *known == name);
        found.map(|(kind, _)| *kind)
    }
}

/// One value to be indexed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Null,
    Text(&'a str),
    /// An integer, a boolean as 0 or 1, or a timestamp.
    Integer(i64),
    Double(f64),
}

/// One value of a hit.
#[derive(Debug, Clone, PartialEq)]
pub enum StoredValue {
    Null,
    Text(String),
    /// An integer, a boolean as 0 or 1, or a timestamp.
    Integer(i64),
    Double(f64),
}
