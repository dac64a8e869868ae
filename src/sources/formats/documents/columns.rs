//! The columns of a document.

use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};

/// The index of the file's name, or `package!member`.
pub const SOURCE_FILE: usize = 0;
/// The index of the offset of a record in its archive.
pub const OFFSET: usize = 1;
/// The index of the address of the document, or the key of a SequenceFile.
pub const URL: usize = 2;
/// The index of the declared type.
pub const MEDIA_TYPE: usize = 3;
/// The index of the time when the document was fetched or changed.
pub const DATE: usize = 4;
/// The index of the content.
pub const CONTENT: usize = 5;
/// The index of the error.
pub const ERROR: usize = 6;

/// The columns, in their order.
pub const COLUMNS: &[Column] = &[
    SOURCE_FILE_COLUMN,
    Column::early("offset", ColumnType::Integer)
        .about("The offset of the record in an archive, SequenceFile or mailbox; otherwise NULL"),
    Column::early("url", ColumnType::Text)
        .about("The address in a web archive, or the key in a SequenceFile"),
    Column::early("media_type", ColumnType::Text).about(
        "The declared type; 'message/rfc822' in a mailbox, 'application/http…' if the content has \
         an HTTP head",
    ),
    Column::early("date", ColumnType::Timestamp)
        .about("When the document was fetched, or the file or member last changed"),
    Column::payload("content", ColumnType::Bytes).about("The document, decompressed"),
    ERROR_COLUMN,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_match_names() {
        for (index, name) in [
            (SOURCE_FILE, "source_file"),
            (OFFSET, "offset"),
            (URL, "url"),
            (MEDIA_TYPE, "media_type"),
            (DATE, "date"),
            (CONTENT, "content"),
            (ERROR, "error"),
        ] {
            assert_eq!(COLUMNS[index].name, name);
        }
    }
}
