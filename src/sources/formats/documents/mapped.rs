//! Records of other crates, with the columns of documents.

use corpus_bytes::record::{ColumnSet, RecordError, RecordReader, Value};
use corpus_packages::columns as packages;
use corpus_sequence_file::columns as sequence;
use corpus_warc::columns as warc;

use super::columns::{CONTENT, DATE, ERROR, MEDIA_TYPE, OFFSET, SOURCE_FILE, URL};

/// The types of WARC records that hold documents. The others are requests and metadata of the
/// crawler.
const DOCUMENT_TYPES: [&str; 3] = ["response", "resource", "conversion"];

/// The columns of the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Archive,
    SequenceFile,
    File,
}

impl Layout {
    /// Maps a column of documents to the column of the records.
    fn column(self, column: usize) -> Option<usize> {
        Some(match (self, column) {
            (Self::Archive, SOURCE_FILE) => warc::SOURCE_FILE,
            (Self::Archive, OFFSET) => warc::OFFSET,
            (Self::Archive, URL) => warc::TARGET_URI,
            (Self::Archive, MEDIA_TYPE) => warc::CONTENT_TYPE,
            (Self::Archive, DATE) => warc::DATE,
            (Self::Archive, CONTENT) => warc::BODY,
            (Self::Archive, ERROR) => warc::ERROR,
            (Self::SequenceFile, SOURCE_FILE) => sequence::SOURCE_FILE,
            (Self::SequenceFile, OFFSET) => sequence::OFFSET,
            (Self::SequenceFile, URL) => sequence::KEY,
            (Self::SequenceFile, CONTENT) => sequence::VALUE,
            (Self::SequenceFile, ERROR) => sequence::ERROR,
            (Self::File, SOURCE_FILE) => packages::SOURCE_FILE,
            (Self::File, DATE) => packages::MODIFIED,
            (Self::File, CONTENT) => packages::CONTENT,
            (Self::File, ERROR) => packages::ERROR,
            _ => return None,
        })
    }

    /// Maps columns of documents to the columns of the records to read.
    pub fn columns(self, wanted: ColumnSet) -> ColumnSet {
        let columns = (SOURCE_FILE..=ERROR).filter(|column| wanted.contains(*column));
        let columns = columns.filter_map(|column| self.column(column));
        let for_selection = (self == Self::Archive).then_some(warc::WARC_TYPE);
        columns.chain(for_selection).collect()
    }
}

/// Reads records as documents.
pub struct Mapped {
    layout: Layout,
    reader: Box<dyn RecordReader>,
    /// The key of the current record as text, if it is a number.
    key: Option<String>,
}

impl Mapped {
    pub fn new(layout: Layout, reader: Box<dyn RecordReader>) -> Self {
        Self {
            layout,
            reader,
            key: None,
        }
    }

    fn is_document(&self) -> bool {
        match self.layout {
            Layout::Archive => match self.reader.value(warc::WARC_TYPE) {
                Value::Text(warc_type) => DOCUMENT_TYPES.contains(&warc_type),
                // Damage may hide the type.
                _ => true,
            },
            Layout::SequenceFile | Layout::File => true,
        }
    }
}

impl RecordReader for Mapped {
    fn advance(&mut self) -> bool {
        while self.reader.advance() {
            if self.is_document() {
                if self.layout == Layout::SequenceFile {
                    self.key = match self.reader.value(sequence::KEY) {
                        Value::Integer(key) => Some(key.to_string()),
                        Value::Double(key) => Some(key.to_string()),
                        Value::Bytes(key) => str::from_utf8(key).ok().map(str::to_owned),
                        _ => None,
                    };
                }
                return true;
            }
        }
        false
    }

    fn load(&mut self, payload: bool) {
        self.reader.load(payload);
    }

    fn value(&self, column: usize) -> Value<'_> {
        if let (URL, Some(key)) = (column, &self.key) {
            return Value::Text(key);
        }
        let value = self
            .layout
            .column(column)
            .map(|column| self.reader.value(column));
        match (column, value) {
            (_, None) => Value::Null,
            (URL, Some(value)) if !matches!(value, Value::Text(_)) => Value::Null,
            (_, Some(value)) => value,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        self.reader.error()
    }

    fn offset(&self) -> u64 {
        self.reader.offset()
    }
}
