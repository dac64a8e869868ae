//! The columns of the table of files and members.

use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};

/// The columns, in their order.
pub const COLUMNS: &[Column] = &[
    SOURCE_FILE_COLUMN,
    Column::early("size", ColumnType::Integer)
        .about("The size of the content in bytes, decompressed"),
    Column::early("modified", ColumnType::Timestamp)
        .about("When the file or member was last changed"),
    Column::payload("content", ColumnType::Bytes).about("The content, decompressed"),
    ERROR_COLUMN,
];

/// The index of the file's name, or `package!member`.
pub const SOURCE_FILE: usize = 0;
/// The index of the size of the content in bytes.
pub const SIZE: usize = 1;
/// The index of the time of the last change.
pub const MODIFIED: usize = 2;
/// The index of the content.
pub const CONTENT: usize = 3;
/// The index of the error.
pub const ERROR: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_match_names() {
        for (index, name) in [
            (SOURCE_FILE, "source_file"),
            (SIZE, "size"),
            (MODIFIED, "modified"),
            (CONTENT, "content"),
            (ERROR, "error"),
        ] {
            assert_eq!(COLUMNS[index].name, name);
        }
    }
}
