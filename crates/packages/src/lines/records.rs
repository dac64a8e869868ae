//! Lines as records: rows of a table.

use std::io;
use std::sync::Arc;

use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};
use corpus_bytes::record_columns;

use super::{Line, Lines};

record_columns! {
    /// The columns of a line.
    SOURCE_FILE = SOURCE_FILE_COLUMN,
    OFFSET = Column::early("offset", ColumnType::Integer).about(
        "The offset of the line in the decompressed text",
    ),
    TEXT = Column::payload("text", ColumnType::Text)
        .about("The line without its end; invalid UTF-8 becomes U+FFFD"),
    ERROR = ERROR_COLUMN,
}

const TOO_LONG: &str = "line too long";
const INVALID: &str = "invalid UTF-8";
const DAMAGED: &str = "damaged compression";

/// Reads lines as records.
pub struct LineRecords {
    lines: Lines,
    name: Arc<str>,
    offset: u64,
    /// Whether the text is requested, and whether it is checked.
    is_wanted: bool,
    is_checked: bool,
    text: String,
    has_text: bool,
    error: Option<RecordError>,
}

impl LineRecords {
    /// Opens the file of a request.
    pub fn open(request: ReadRequest) -> Result<Self, RecordError> {
        let lines = Lines::open(request.file, request.range, request.max_record_bytes);
        let is_wanted = request.columns.contains(TEXT);
        Ok(Self {
            lines: lines.map_err(|error| RecordError::io(&error))?,
            name: request.name,
            offset: 0,
            is_wanted,
            is_checked: is_wanted || request.columns.contains(ERROR),
            text: String::new(),
            has_text: false,
            error: None,
        })
    }
}

impl RecordReader for LineRecords {
    fn advance(&mut self) -> bool {
        let is_compressed = self.lines.compression().is_some();
        let Some(line) = self.lines.next_line() else {
            return false;
        };
        self.error = None;
        self.text.clear();
        self.has_text = true;
        let bytes = match line {
            Line::Complete { offset, bytes } => {
                self.offset = offset;
                bytes
            }
            Line::Cut {
                offset,
                bytes,
                length,
            } => {
                self.offset = offset;
                let detail = format!(
                    "it has {length} bytes, and the text is cut at {} (corpus.max_record_bytes)",
                    bytes.len()
                );
                self.error = Some(RecordError::new(TOO_LONG, detail));
                without_partial_character(bytes)
            }
            Line::Broken {
                offset,
                bytes,
                error,
            } => {
                self.offset = offset;
                self.error = Some(read_failure(&error, is_compressed));
                self.has_text = !bytes.is_empty();
                without_partial_character(bytes)
            }
        };
        if !self.is_checked {
            return true;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if self.is_wanted => self.text.push_str(text),
            Ok(_) => {}
            Err(error) => {
                let detail = format!("at byte {} of the line", error.valid_up_to());
                self.error
                    .get_or_insert_with(|| RecordError::new(INVALID, detail));
                if self.is_wanted {
                    self.text.push_str(&String::from_utf8_lossy(bytes));
                }
            }
        }
        true
    }

    /// Lines are read to find their ends, so nothing is left to do.
    fn load(&mut self, _payload: bool) {}

    fn value(&self, column: usize) -> Value<'_> {
        match column {
            SOURCE_FILE => Value::Text(&self.name),
            OFFSET => Value::Integer(i64::try_from(self.offset).unwrap_or(i64::MAX)),
            TEXT if self.has_text => Value::Text(&self.text),
            _ => Value::Null,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        self.error.as_ref()
    }

    fn offset(&self) -> u64 {
        self.offset
    }
}

fn read_failure(error: &io::Error, is_compressed: bool) -> RecordError {
    match error.kind() {
        _ if !is_compressed => RecordError::io(error),
        io::ErrorKind::UnexpectedEof => {
            RecordError::new(DAMAGED, "the compressed data ends too early")
        }
        _ => {
            let detail = format!("{error}; earlier lines may be wrong, too");
            RecordError::new(DAMAGED, detail)
        }
    }
}

/// Removes an incomplete character from the end of a truncated text.
fn without_partial_character(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        // `None`: the last character needs more bytes.
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}
