//! Reads the records at given places: exactly one row for each.

use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use crate::sources::format::RecordFormat;
use corpus_bytes::columns::Column;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{READ_ERROR, ReadRequest, RecordError, RecordReader, Value};
use corpus_bytes::record_locations::{NO_RECORD, NamedRecord, RecordLocation};

/// Larger records are streamed instead of being fetched by one request.
pub const MAX_FETCH_BYTES: u64 = 8 << 20;
/// The maximum number of bytes after a record that may be padding.
const MAX_PADDING_BYTES: u64 = 64 << 10;

const WRONG_LENGTH: &str = "wrong length in the index";
const OTHER_RECORD: &str = "not the record in the index";

/// Reads the records at given places of one file.
pub struct IndexedReader {
    format: Arc<dyn RecordFormat>,
    request: ReadRequest,
    records: Arc<[NamedRecord]>,
    next: usize,
    current: Option<Current>,
    /// The error of the current record, if its length is wrong or it is not the record that the
    /// index names.
    error: Option<RecordError>,
}

struct Current {
    reader: Box<dyn RecordReader>,
    location: RecordLocation,
    /// Whether the reader is limited to the length that the index declares.
    is_bounded: bool,
}

impl IndexedReader {
    pub fn new(
        format: Arc<dyn RecordFormat>,
        request: ReadRequest,
        records: Arc<[NamedRecord]>,
    ) -> Self {
        Self {
            format,
            request,
            records,
            next: 0,
            current: None,
            error: None,
        }
    }

    /// Opens the record at a location. If it is damaged within the length in the index, that length
    /// may be too short: the record is then read from the file without it.
    fn open(&self, location: RecordLocation) -> Current {
        let bounded = location
            .length
            .map(|length| self.first_row(location, Some(length)));
        let first_row = match bounded {
            Some(Ok(reader)) if reader.error().is_none() => {
                return Current {
                    reader,
                    location,
                    is_bounded: true,
                };
            }
            // The read has already been retried.
            Some(Err(error)) if error.reason == READ_ERROR => Err(error),
            _ => self.first_row(location, None),
        };
        Current {
            reader: first_row.unwrap_or_else(|error| {
                let errors = std::iter::once((location.offset, error));
                let name = Arc::clone(&self.request.name);
                Box::new(started(ErrorRows::new(name, &*self.format, errors)))
            }),
            location,
            is_bounded: false,
        }
    }

    /// Returns a reader, advanced to the first row at a location.
    fn first_row(
        &self,
        location: RecordLocation,
        length: Option<u64>,
    ) -> Result<Box<dyn RecordReader>, RecordError> {
        let file: Arc<dyn FileBytes> = match length {
            Some(length) => Arc::new(FetchedRecord {
                file: Arc::clone(&self.request.file),
                start: location.offset,
                end: location.offset.saturating_add(length),
                bytes: OnceLock::new(),
            }),
            None => Arc::clone(&self.request.file),
        };
        let mut reader = self.format.open_record(ReadRequest {
            file,
            range: location.offset..location.offset.saturating_add(1),
            ..self.request.clone()
        })?;
        if !reader.advance() {
            return Err(RecordError::new(NO_RECORD, "no record could be read there"));
        }
        Ok(reader)
    }

    /// Returns an error if the length in the index differs from that of the record.
    fn check_length(&self, current: &Current) -> Option<RecordError> {
        let declared = current.location.length?;
        let column = column(&*self.format, "length")?;
        let Value::Integer(actual) = current.reader.value(column) else {
            return None;
        };
        let actual = u64::try_from(actual).ok()?;
        if declared == actual
            || declared > actual && self.is_padding(current.location, actual, declared)
        {
            return None;
        }
        let detail = format!("the index says {declared} bytes, the record has {actual}");
        Some(RecordError::new(WRONG_LENGTH, detail))
    }

    /// Returns an error if the current record is not the one that the index names.
    fn check_identity(&self, current: &Current) -> Option<RecordError> {
        let expected = &self.records.get(self.next.checked_sub(1)?)?.expected;
        let detail = self.format.mismatch(&*current.reader, expected)?;
        Some(RecordError::new(OTHER_RECORD, detail))
    }

    /// Whether only padding follows the record, up to the length in the index. Many tools count the
    /// blank lines after a record, or everything up to the next one.
    fn is_padding(&self, location: RecordLocation, actual: u64, declared: u64) -> bool {
        let count = declared - actual;
        if count > MAX_PADDING_BYTES {
            return false;
        }
        let mut bytes = vec![0; count as usize];
        let start = location.offset.saturating_add(actual);
        let is_blank = |byte: &u8| matches!(byte, 0 | b'\r' | b'\n' | b' ' | b'\t');
        match self.request.file.read_at(start, &mut bytes) {
            Ok(read) => read == bytes.len() && bytes.iter().all(is_blank),
            Err(_) => false,
        }
    }
}

impl RecordReader for IndexedReader {
    fn advance(&mut self) -> bool {
        self.error = None;
        let location = self.records.get(self.next).map(|record| record.location);
        self.next += 1;
        self.current = location.map(|location| self.open(location));
        self.current.is_some()
    }

    fn load(&mut self, payload: bool) {
        let Some(mut current) = self.current.take() else {
            return;
        };
        current.reader.load(payload);
        if current.is_bounded
            && current.reader.error().is_some()
            && let Ok(mut reader) = self.first_row(current.location, None)
        {
            reader.load(payload);
            current.reader = reader;
        }
        if current.reader.error().is_none() {
            let identity = self.check_identity(&current);
            self.error = identity.or_else(|| self.check_length(&current));
        }
        self.current = Some(current);
    }

    fn value(&self, column: usize) -> Value<'_> {
        self.current
            .as_ref()
            .map_or(Value::Null, |current| current.reader.value(column))
    }

    fn error(&self) -> Option<&RecordError> {
        let own = || self.current.as_ref().and_then(|it| it.reader.error());
        self.error.as_ref().or_else(own)
    }

    fn offset(&self) -> u64 {
        let current = self.current.as_ref();
        current.map_or(0, |current| current.location.offset)
    }
}

type Errors = Box<dyn Iterator<Item = (u64, RecordError)> + Send>;

/// Rows with only a name, an offset and an error.
pub struct ErrorRows {
    name: Arc<str>,
    offset_column: Option<usize>,
    errors: Errors,
    current: Option<(u64, RecordError)>,
}

impl ErrorRows {
    pub fn new(
        name: Arc<str>,
        format: &dyn RecordFormat,
        errors: impl Iterator<Item = (u64, RecordError)> + Send + 'static,
    ) -> Self {
        Self {
            name,
            offset_column: column(format, "offset"),
            errors: Box::new(errors),
            current: None,
        }
    }

    /// Makes one row for each place of an archive that cannot be read.
    pub fn of_places(
        name: Arc<str>,
        format: &dyn RecordFormat,
        records: &Arc<[NamedRecord]>,
        error: RecordError,
    ) -> Self {
        let records = Arc::clone(records);
        let errors = (0..records.len()).map(move |at| (records[at].location.offset, error.clone()));
        Self::new(name, format, errors)
    }
}

fn started(mut rows: ErrorRows) -> ErrorRows {
    rows.advance();
    rows
}

fn column(format: &dyn RecordFormat, name: &str) -> Option<usize> {
    let has_name = |column: &Column| column.name == name;
    format.columns().iter().position(has_name)
}

impl RecordReader for ErrorRows {
    fn advance(&mut self) -> bool {
        self.current = self.errors.next();
        self.current.is_some()
    }

    fn load(&mut self, _payload: bool) {}

    fn value(&self, column: usize) -> Value<'_> {
        match column {
            0 => Value::Text(&self.name),
            _ if Some(column) == self.offset_column => {
                i64::try_from(self.offset()).map_or(Value::Null, Value::Integer)
            }
            _ => Value::Null,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        self.current.as_ref().map(|(_, error)| error)
    }

    fn offset(&self) -> u64 {
        self.current.as_ref().map_or(0, |(offset, _)| *offset)
    }
}

/// A file that appears to end after a record. The record is fetched by one read.
struct FetchedRecord {
    file: Arc<dyn FileBytes>,
    start: u64,
    end: u64,
    bytes: OnceLock<Arc<[u8]>>,
}

impl FetchedRecord {
    /// Returns the bytes of the record from `offset` on, unless it is too large for memory.
    fn fetched(&self, offset: u64) -> io::Result<Option<io::Cursor<Arc<[u8]>>>> {
        if offset < self.start || self.end - self.start > MAX_FETCH_BYTES {
            return Ok(None);
        }
        if self.bytes.get().is_none() {
            let mut bytes = vec![0; (self.end - self.start) as usize];
            let count = self.file.read_at(self.start, &mut bytes)?;
            bytes.truncate(count);
            // If another thread was faster, it has stored the same bytes.
            let _ = self.bytes.set(bytes.into());
        }
        Ok(self.bytes.get().cloned().map(|bytes| {
            let mut cursor = io::Cursor::new(bytes);
            cursor.set_position(offset - self.start);
            cursor
        }))
    }
}

impl FileBytes for FetchedRecord {
    /// The end of the record, or of the file if that comes first. The size of a remote file costs a
    /// request, which is not needed once the record has been fetched.
    fn size(&self) -> u64 {
        match self.fetched(self.start) {
            Ok(Some(bytes)) => self.start + bytes.get_ref().len() as u64,
            _ => self.end.min(self.file.size()),
        }
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self.fetched(offset)? {
            Some(bytes) => Box::new(bytes),
            None => {
                let left = self.end.saturating_sub(offset);
                Box::new(self.file.stream(offset)?.take(left))
            }
        })
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self.fetched(offset)? {
            Some(mut bytes) => bytes.read(buffer),
            None => {
                let left = self.end.saturating_sub(offset).min(buffer.len() as u64);
                self.file.read_at(offset, &mut buffer[..left as usize])
            }
        }
    }
}
