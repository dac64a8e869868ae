//! The columns of the table of files and members.

use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};

pub const COLUMNS: &[Column] = &[
    SOURCE_FILE_COLUMN,
    Column::early("size", ColumnType::Integer),
    Column::early("modified", ColumnType::Timestamp),
    Column::payload("content", ColumnType::Bytes),
    ERROR_COLUMN,
];

// Indexes into `COLUMNS`.
pub const SOURCE_FILE: usize = 0;
pub const SIZE: usize = 1;
pub const MODIFIED: usize = 2;
pub const CONTENT: usize = 3;
pub const ERROR: usize = 4;
