//! Revisions as records: rows of a table.

use std::sync::Arc;

use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};
use corpus_bytes::record_columns;

use crate::export::Export;

record_columns! {
    /// The columns of a revision.
    SOURCE_FILE = SOURCE_FILE_COLUMN,
    OFFSET = Column::early("offset", ColumnType::Integer).about(
        "The offset of the page in the decompressed text; in a .bz2 file, that of its stream",
    ),
    TITLE = Column::early("title", ColumnType::Text).about("The title, with its namespace"),
    NAMESPACE = Column::early("namespace", ColumnType::Integer)
        .about("The number of the namespace: 0 for articles"),
    ID = Column::early("id", ColumnType::Integer).about("The number of the page"),
    REDIRECT = Column::early("redirect", ColumnType::Text)
        .about("The title that the page redirects to"),
    REVISION = Column::early("revision", ColumnType::Integer).about("The number of the revision"),
    TIMESTAMP = Column::early("timestamp", ColumnType::Timestamp)
        .about("When the revision was made"),
    CONTRIBUTOR = Column::early("contributor", ColumnType::Text)
        .about("The user name, or an address"),
    COMMENT = Column::early("comment", ColumnType::Text).about("The comment on the revision"),
    MODEL = Column::early("model", ColumnType::Text).about("Such as 'wikitext'"),
    FORMAT = Column::early("format", ColumnType::Text)
        .about("Such as 'text/x-wiki'"),
    TEXT = Column::payload("text", ColumnType::Text)
        .about("The text as written; NULL if it was deleted"),
    ERROR = ERROR_COLUMN,
}

/// Reads revisions as records.
pub struct PageRecords {
    export: Export,
    name: Arc<str>,
    is_wanted: bool,
    text: Option<String>,
}

impl PageRecords {
    /// Opens the file of a request.
    pub fn open(request: ReadRequest) -> Result<Self, RecordError> {
        let export = Export::open(request.file, request.range, request.max_record_bytes);
        Ok(Self {
            export: export.map_err(|error| RecordError::io(&error))?,
            name: request.name,
            is_wanted: request.columns.contains(TEXT),
            text: None,
        })
    }
}

impl RecordReader for PageRecords {
    fn advance(&mut self) -> bool {
        self.text = None;
        self.export.advance()
    }

    fn load(&mut self, payload: bool) {
        if payload && self.is_wanted {
            self.text = self.export.entry().text();
        }
    }

    fn value(&self, column: usize) -> Value<'_> {
        let entry = self.export.entry();
        match column {
            SOURCE_FILE => Value::Text(&self.name),
            OFFSET => Value::Integer(i64::try_from(entry.offset).unwrap_or(i64::MAX)),
            TITLE => text(&entry.page.title),
            NAMESPACE => integer(entry.page.namespace),
            ID => integer(entry.page.id),
            REDIRECT => text(&entry.page.redirect),
            REVISION => integer(entry.revision.id),
            TIMESTAMP => entry
                .revision
                .timestamp
                .map_or(Value::Null, Value::Timestamp),
            CONTRIBUTOR => text(&entry.revision.contributor),
            COMMENT => text(&entry.revision.comment),
            MODEL => text(&entry.revision.model),
            FORMAT => text(&entry.revision.format),
            TEXT => text(&self.text),
            _ => Value::Null,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        self.export.entry().error
    }

    fn offset(&self) -> u64 {
        self.export.entry().offset
    }
}

fn text(text: &Option<String>) -> Value<'_> {
    text.as_deref().map_or(Value::Null, Value::Text)
}

fn integer(number: Option<i64>) -> Value<'static> {
    number.map_or(Value::Null, Value::Integer)
}
