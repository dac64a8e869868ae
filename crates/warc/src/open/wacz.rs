//! WACZ: zip packages with WARC files in the folder `archive/`.

use std::collections::VecDeque;
use std::io::{self, Read, Seek};
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use libdeflater::Crc;
use zip::{CompressionMethod, ZipArchive};

use super::inner_files::{FileRange, Inflated};
use super::{Nesting, open_nested};
use crate::{columns, reasons};
use corpus_bytes::blank::{EMPTY_FILE, empty_file};
use corpus_bytes::file::FileBytes;
use corpus_bytes::file::seekable;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};

const FOLDER: &str = "archive/";

/// The length of the longest usual deflate stream without content.
const EMPTY_DEFLATE_BYTES: u64 = 5;

/// The records of all members, one member after the other.
pub struct Package {
    request: ReadRequest,
    members: VecDeque<Member>,
    current: Current,
}

enum Current {
    None,
    Member(Box<dyn RecordReader>),
    /// An error of the package or one of its members.
    Error(ErrorRow),
}

struct Member {
    name: String,
    start: u64,
    length: u64,
    /// Whether a compressed member is too short for any content.
    inflates_to_nothing: bool,
    /// The checksum of the content.
    crc: u32,
    content: Result<Compression, String>,
}

/// Verifies the checksum of a deflated member at its end.
struct ChecksumReader<R> {
    input: R,
    crc: Crc,
    expected: u32,
}

impl<R: Read> Read for ChecksumReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.crc.update(&buffer[..count]);
        if count == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            let detail = format!(
                "the content of the member has the crc {:08x}, not {:08x}; all its records may be \
                 wrong",
                self.crc.sum(),
                self.expected
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, detail));
        }
        Ok(count)
    }
}

#[derive(Clone, Copy)]
enum Compression {
    Stored,
    Deflated,
}

struct ErrorRow {
    name: Arc<str>,
    offset: u64,
    error: RecordError,
    message: String,
    shown: bool,
}

impl Package {
    pub fn open(request: ReadRequest) -> io::Result<Self> {
        let (members, error) = match ZipArchive::new(seekable(&request.file)) {
            Ok(mut archive) => {
                let members = list(&mut archive);
                let none = members.is_empty();
                let error = none.then(|| {
                    RecordError::new(reasons::NOT_A_WARC, "a zip file without a folder archive/")
                });
                (members, error)
            }
            Err(error) => {
                let detail = format!(
                    "the directory at the end of the zip cannot be read; if the file is truncated, \
                     download or copy it again: {error}"
                );
                let error = RecordError::new(reasons::BAD_PACKAGE, detail);
                (VecDeque::new(), Some(error))
            }
        };
        let current = match error.filter(|_| request.range.start == 0) {
            Some(error) => Current::Error(ErrorRow::new(request.name.clone(), 0, error)),
            None => Current::None,
        };
        Ok(Self {
            request,
            members,
            current,
        })
    }

    /// Opens the part of a member that is in the range. Stored members are split like files; a
    /// deflated one belongs to the range in which it starts.
    fn open_member(&self, member: &Member) -> Current {
        let name: Arc<str> = format!("{}!{}", self.request.name, member.name).into();
        let range = &self.request.range;
        let first = range.start.saturating_sub(member.start);
        let last = range.end.saturating_sub(member.start).min(member.length);
        let owns_start = range.contains(&member.start);
        if owns_start && let Some(error) = self.empty_member(member) {
            return Current::Error(ErrorRow::new(name, member.start, error));
        }
        let fail = |message: String| {
            let error = RecordError::new(reasons::BAD_PACKAGE, message);
            Current::Error(ErrorRow::new(name.clone(), member.start, error))
        };
        let (file, range, nesting): (Arc<dyn FileBytes>, _, _) = match &member.content {
            Err(message) if owns_start => return fail(message.clone()),
            Ok(Compression::Stored) if first < last => {
                (Arc::new(self.part(member)), first..last, Nesting::Member)
            }
            Ok(Compression::Deflated) if owns_start => {
                let part = self.part(member);
                let expected = member.crc;
                let open = move || -> io::Result<Box<dyn Read + Send>> {
                    Ok(Box::new(ChecksumReader {
                        input: DeflateDecoder::new(part.stream(0)?),
                        crc: Crc::new(),
                        expected,
                    }))
                };
                (Arc::new(Inflated { open }), 0..u64::MAX, Nesting::Inflated)
            }
            _ => return Current::None,
        };
        let request = ReadRequest {
            file,
            name: name.clone(),
            range,
            ..self.request.clone()
        };
        match open_nested(request, nesting) {
            Ok(reader) => Current::Member(reader),
            Err(error) if owns_start => fail(error.to_string()),
            Err(_) => Current::None,
        }
    }

    /// Returns the error of a member without content, which has no records.
    fn empty_member(&self, member: &Member) -> Option<RecordError> {
        match member.content {
            Ok(Compression::Stored) => empty_file(&self.part(member)),
            Ok(Compression::Deflated) if member.inflates_to_nothing => {
                Some(RecordError::new(EMPTY_FILE, ""))
            }
            _ => None,
        }
    }

    fn part(&self, member: &Member) -> FileRange {
        FileRange {
            file: self.request.file.clone(),
            start: member.start,
            length: member.length,
        }
    }
}

fn list<R: Read + Seek>(archive: &mut ZipArchive<R>) -> VecDeque<Member> {
    let mut members = VecDeque::new();
    for index in 0..archive.len() {
        let Ok(entry) = archive.by_index_raw(index) else {
            continue;
        };
        let name = match entry.name() {
            Ok(name) if name.starts_with(FOLDER) && !entry.is_dir() => name.into_owned(),
            _ => continue,
        };
        let content = match (entry.encrypted(), entry.compression()) {
            (true, _) => Err("the member is encrypted".to_owned()),
            (false, CompressionMethod::Stored) => Ok(Compression::Stored),
            (false, CompressionMethod::Deflated) => Ok(Compression::Deflated),
            (false, other) => Err(format!(
                "the member is compressed by {other}: unpack the package, and read its WARC files"
            )),
        };
        members.push_back(Member {
            name,
            start: entry.data_start().unwrap_or_default(),
            length: entry.compressed_size(),
            inflates_to_nothing: entry.size() == 0
                && entry.compressed_size() <= EMPTY_DEFLATE_BYTES,
            crc: entry.crc32(),
            content,
        });
    }
    members
}

impl RecordReader for Package {
    fn advance(&mut self) -> bool {
        loop {
            let has_row = match &mut self.current {
                Current::Member(reader) => reader.advance(),
                Current::Error(row) => !std::mem::replace(&mut row.shown, true),
                Current::None => false,
            };
            if has_row {
                return true;
            }
            let Some(member) = self.members.pop_front() else {
                self.current = Current::None;
                return false;
            };
            self.current = self.open_member(&member);
        }
    }

    fn load(&mut self, payload: bool) {
        if let Current::Member(reader) = &mut self.current {
            reader.load(payload);
        }
    }

    fn value(&self, column: usize) -> Value<'_> {
        match &self.current {
            Current::Member(reader) => reader.value(column),
            Current::Error(row) => row.value(column),
            Current::None => Value::Null,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        match &self.current {
            Current::Member(reader) => reader.error(),
            Current::Error(row) => Some(&row.error),
            Current::None => None,
        }
    }

    fn offset(&self) -> u64 {
        match &self.current {
            Current::Member(reader) => reader.offset(),
            Current::Error(row) => row.offset,
            Current::None => 0,
        }
    }
}

impl ErrorRow {
    fn new(name: Arc<str>, offset: u64, error: RecordError) -> Self {
        Self {
            name,
            offset,
            message: error.to_string(),
            error,
            shown: false,
        }
    }

    fn value(&self, column: usize) -> Value<'_> {
        match column {
            columns::SOURCE_FILE => Value::Text(&self.name),
            columns::OFFSET => i64::try_from(self.offset).map_or(Value::Null, Value::Integer),
            columns::BODY_TRUNCATED => Value::Boolean(false),
            columns::ERROR => Value::Text(&self.message),
            _ => Value::Null,
        }
    }
}
