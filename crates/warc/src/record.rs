//! The records of an archive as owned values: an iterator for programs without an engine.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use corpus_bytes::file::FileBytes;
use corpus_bytes::local::LocalFile;
use corpus_bytes::memory::Memory;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordError, RecordReader, Value};

use crate::{columns, open};

const DEFAULT_MAX_BODY_BYTES: usize = 128 << 20;

/// A record of an archive, or damage between two records.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The file offset at which the record, or the compressed unit that contains it, starts.
    pub offset: u64,
    /// The number of bytes in the file. `None` if the record shares a compressed unit with others,
    /// or if its end is unknown because of damage.
    pub length: Option<u64>,
    /// `response`, `request`, …; `None` for damage between records.
    pub warc_type: Option<String>,
    pub record_id: Option<String>,
    /// Microseconds since the epoch.
    pub date: Option<i64>,
    pub target_uri: Option<String>,
    pub content_type: Option<String>,
    /// All header fields in their order, repeated ones too.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Whether the body is longer than [`Options::max_body_bytes`] and was truncated.
    pub body_truncated: bool,
    /// The error of the record, if any.
    pub error: Option<RecordError>,
}

impl Record {
    /// Copies the current record of a reader, after [`RecordReader::load`].
    pub fn current(reader: &dyn RecordReader) -> Self {
        Self {
            offset: reader.offset(),
            length: integer(reader, columns::LENGTH).and_then(|length| u64::try_from(length).ok()),
            warc_type: text(reader, columns::WARC_TYPE),
            record_id: text(reader, columns::RECORD_ID),
            date: integer(reader, columns::DATE),
            target_uri: text(reader, columns::TARGET_URI),
            content_type: text(reader, columns::CONTENT_TYPE),
            headers: match reader.value(columns::HEADERS) {
                Value::Pairs(pairs) => pairs.to_vec(),
                _ => Vec::new(),
            },
            body: match reader.value(columns::BODY) {
                Value::Bytes(body) => body.to_vec(),
                _ => Vec::new(),
            },
            body_truncated: reader.value(columns::BODY_TRUNCATED) == Value::Boolean(true),
            error: reader.error().cloned(),
        }
    }

    /// The value of the first header field with this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let header = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        header.map(|(_, value)| value.as_str())
    }
}

fn text(reader: &dyn RecordReader, column: usize) -> Option<String> {
    match reader.value(column) {
        Value::Text(text) => Some(text.to_owned()),
        _ => None,
    }
}

fn integer(reader: &dyn RecordReader, column: usize) -> Option<i64> {
    match reader.value(column) {
        Value::Integer(number) | Value::Timestamp(number) => Some(number),
        _ => None,
    }
}

/// Options of reading an archive.
///
/// ```
/// use corpus_warc::WarcReader;
///
/// let path = "../../data-samples/warc/crawl.warc.gz";
/// let size = std::fs::metadata(path)?.len();
/// let count = |range| -> Result<usize, std::io::Error> {
///     let reader = WarcReader::options().max_body_bytes(0).range(range).open(path)?;
///     Ok(reader.count())
/// };
/// // Any ranges together have each record once.
/// assert_eq!(count(0..size / 2)? + count(size / 2..size)?, count(0..size)?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    max_body_bytes: usize,
    range: Range<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_body_bytes: DEFAULT_MAX_BODY_BYTES,
            range: 0..u64::MAX,
        }
    }
}

impl Options {
    /// Truncates longer bodies. The default is 128 MiB. With 0, bodies are skipped.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// Reads only the records that start in a byte range. The default is the whole file.
    pub fn range(mut self, range: Range<u64>) -> Self {
        self.range = range;
        self
    }

    /// Opens a local file.
    pub fn open(self, path: impl AsRef<Path>) -> io::Result<WarcReader> {
        let file = LocalFile::open(path.as_ref(), Default::default())?;
        self.read(Arc::new(file)).map_err(io::Error::other)
    }

    /// Reads a file of any store.
    pub fn read(self, file: Arc<dyn FileBytes>) -> Result<WarcReader, RecordError> {
        let request = ReadRequest {
            range: self.range.start..self.range.end.min(file.size()),
            file,
            name: "".into(),
            max_record_bytes: self.max_body_bytes,
            modified: None,
            columns: ColumnSet::ALL,
        };
        Ok(WarcReader {
            reader: open(request)?,
            loads_body: self.max_body_bytes > 0,
        })
    }
}

/// Iterates over the records of a web archive. Damage does not end the iteration: see
/// [`Record::error`].
pub struct WarcReader {
    reader: Box<dyn RecordReader>,
    loads_body: bool,
}

impl WarcReader {
    /// Opens a local file with default options.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Options::default().open(path)
    }

    /// Reads a file of any store with default options.
    pub fn from_file(file: Arc<dyn FileBytes>) -> Result<Self, RecordError> {
        Options::default().read(file)
    }

    /// Reads an archive in memory with default options.
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<Self, RecordError> {
        Self::from_file(Arc::new(Memory(bytes.into())))
    }

    pub fn options() -> Options {
        Options::default()
    }
}

impl Iterator for WarcReader {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if !self.reader.advance() {
            return None;
        }
        self.reader.load(self.loads_body);
        Some(Record::current(self.reader.as_ref()))
    }
}

impl fmt::Debug for WarcReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WarcReader")
            .field("offset", &self.reader.offset())
            .finish_non_exhaustive()
    }
}
