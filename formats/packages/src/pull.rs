//! One file as one row, or a package as one row per member.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use parking_lot::Mutex;

use super::ahead::ReadAhead;
use super::tar::{self, TarPackage};
use super::zip::{self, ZipPackage};
use crate::columns::{CONTENT, ERROR, MODIFIED, SIZE, SOURCE_FILE};
use corpus_bytes::compression::{Compression, MAGIC_LENGTH, has_ending};
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};

/// What a package says of one of its members.
pub struct MemberHead {
    pub name: String,
    /// As stored in the package; compressed, if the member is a compressed file itself.
    pub size: u64,
    /// Microseconds since the epoch.
    pub modified: Option<i64>,
}

/// A package whose members are read one after the other.
pub trait Package: Send {
    /// Moves to the next member that is a file. An error is a damaged place in the package;
    /// members may follow after it.
    fn next_member(&mut self) -> Option<Result<MemberHead, RecordError>>;

    /// The bytes of the current member.
    fn member(&mut self) -> Result<Box<dyn Read + Send + '_>, RecordError>;

    /// Why the current member may be wrong although it can be read.
    fn suspicion(&self) -> Option<RecordError> {
        None
    }
}

pub fn open(
    request: ReadRequest,
    unpack: bool,
    member_endings: &'static [&'static str],
) -> Result<Box<dyn RecordReader>, RecordError> {
    let start = if unpack {
        Start::look_at(&request.file)?
    } else {
        Start::Plain
    };
    let single = |compression, inflated| SingleReader {
        row: Row::default(),
        compression,
        inflated,
        started: false,
        content_done: false,
        request: request.clone(),
    };
    Ok(match start {
        Start::Package(package) => Box::new(PackageReader {
            row: Row::default(),
            request,
            package,
            member_endings,
            content_done: false,
        }),
        Start::Plain => Box::new(single(None, None)),
        Start::Compressed(compression, inflated) => Box::new(single(Some(compression), inflated)),
    })
}

type Input = Box<dyn Read + Send>;

/// What a file turns out to be.
enum Start {
    Plain,
    /// A single file, and its content from the beginning if it could be inflated so far.
    Compressed(Compression, Option<Input>),
    Package(Box<dyn Package>),
}

impl Start {
    /// A package is told by its magic bytes, after inflating if it is compressed.
    fn look_at(file: &Arc<dyn FileBytes>) -> Result<Self, RecordError> {
        let mut head = [0; tar::BLOCK];
        let length = file
            .read_at(0, &mut head)
            .map_err(|error| RecordError::io(&error))?;
        let head = &head[..length];
        if zip::is_zip(head) {
            return Ok(Self::Package(Box::new(ZipPackage::open(file)?)));
        }
        if tar::is_tar(head) {
            let input = file.stream(0).map_err(|error| RecordError::io(&error))?;
            return Ok(Self::Package(Box::new(TarPackage::new(input))));
        }
        match Compression::detect(head) {
            Some(compression) => Self::look_inside(file, compression),
            None => Ok(Self::Plain),
        }
    }

    /// A compressed file may hold a tar. If it cannot be inflated, it is read again as a single
    /// file, which then reports what is wrong with it; but a disk or network that fails must
    /// not make another kind of file of it.
    fn look_inside(
        file: &Arc<dyn FileBytes>,
        compression: Compression,
    ) -> Result<Self, RecordError> {
        let failure = Arc::new(Mutex::new(None));
        let input = file.stream(0).map_err(|error| RecordError::io(&error))?;
        let input = Watched {
            input,
            failure: Arc::clone(&failure),
        };
        let inflated = compression.decoder(input).and_then(|mut input| {
            let block = read_up_to(&mut input, tar::BLOCK)?;
            let is_tar = tar::is_tar(&block);
            Ok((is_tar, Box::new(Cursor::new(block).chain(input)) as Input))
        });
        if let Some(error) = failure.lock().take() {
            return Err(error);
        }
        Ok(match inflated {
            Ok((true, input)) => {
                let input = ReadAhead::new(input, compression.name(), failure);
                let checks = input.checks();
                Self::Package(Box::new(TarPackage::new(input).checked_by(checks)))
            }
            Ok((false, input)) => Self::Compressed(compression, Some(input)),
            Err(_) => Self::Compressed(compression, None),
        })
    }
}

/// Remembers an error of the file itself, which a decoder would blame on the data.
struct Watched {
    input: Input,
    failure: Arc<Mutex<Option<RecordError>>>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer).inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                *self.failure.lock() = Some(RecordError::io(error));
            }
        })
    }
}

/// The row that is being made.
#[derive(Default)]
struct Row {
    name: String,
    size: Option<i64>,
    modified: Option<i64>,
    content: Option<Vec<u8>>,
    error: Option<RecordError>,
}

impl Row {
    fn value(&self, column: usize) -> Value<'_> {
        match column {
            SOURCE_FILE => Value::Text(&self.name),
            SIZE => self.size.map_or(Value::Null, Value::Integer),
            MODIFIED => self.modified.map_or(Value::Null, Value::Timestamp),
            CONTENT => self.content.as_deref().map_or(Value::Null, Value::Bytes),
            _ => Value::Null,
        }
    }

    /// Reads the content of a member, inflating it if it is compressed once more.
    fn read_member(&mut self, mut input: impl Read + Send, limit: usize) -> io::Result<()> {
        let head = read_up_to(&mut input, MAGIC_LENGTH)?;
        let compression = Compression::detect(&head);
        let input = Cursor::new(head).chain(input);
        match compression {
            Some(found) => self.keep_content(found.decoder(input)?, compression, limit),
            None => self.keep_content(input, None, limit),
        }
        Ok(())
    }

    /// Keeps what `input` holds. What is longer than `limit` is cut; what can be read before an
    /// error is kept. `compression` is what `input` was inflated from.
    fn keep_content(
        &mut self,
        mut input: impl Read,
        compression: Option<Compression>,
        limit: usize,
    ) {
        let mut content = Vec::with_capacity(self.room(compression, limit));
        let read = input.by_ref().take(limit as u64).read_to_end(&mut content);
        // A last read also checks the checksum of content that has exactly the length of the limit.
        let at_limit = read.is_ok() && content.len() == limit;
        let more = match at_limit {
            true => input.read(&mut [0]),
            false => Ok(0),
        };
        let cut = matches!(more, Ok(1..));
        let read = read.and(more);
        if let (Some(compression), Err(error)) = (compression, &read) {
            let reason = match error.kind() {
                io::ErrorKind::UnexpectedEof => "truncated compressed file",
                _ => "damaged compressed file",
            };
            self.error = Some(RecordError::new(
                reason,
                format!(
                    "{} after {} bytes: {error}",
                    compression.name(),
                    content.len()
                ),
            ));
        } else if let Err(error) = read {
            self.fail(reason_of(&error), &error);
        }
        if compression.is_some() {
            // Where the content was cut its whole size is not known, and finding it out would
            // let a small file cost without bound.
            self.size = (!cut).then_some(content.len() as i64);
        }
        if cut {
            self.error = Some(content_cut(limit));
        } else if compression.is_none() && self.error.is_none() {
            self.check_length(content.len());
        }
        self.content = Some(content);
    }

    /// What to make room for at once, so that the content is read in large pieces. A size that is
    /// stated may be wrong.
    fn room(&self, compression: Option<Compression>, limit: usize) -> usize {
        const MOST: usize = 1 << 20;
        let stated = self.size.filter(|_| compression.is_none());
        let size = stated.and_then(|size| usize::try_from(size).ok());
        size.map_or(0, |size| size.min(limit).min(MOST))
    }

    /// A plain file that is shorter than it was listed changed meanwhile, or is cut.
    fn check_length(&mut self, length: usize) {
        if let Some(size) = self.size.filter(|size| *size > length as i64) {
            self.error = Some(RecordError::new(
                "truncated content",
                format!("{length} of {size} bytes"),
            ));
        }
    }

    fn fail(&mut self, reason: &'static str, error: &io::Error) {
        self.error = Some(RecordError::new(reason, error.to_string()));
    }
}

fn content_cut(limit: usize) -> RecordError {
    let detail = format!("longer than corpus.max_record_bytes, {limit} bytes");
    RecordError::new("content cut", detail)
}

/// A file that is one row.
struct SingleReader {
    row: Row,
    request: ReadRequest,
    compression: Option<Compression>,
    /// The content, if its beginning was already inflated.
    inflated: Option<Input>,
    started: bool,
    content_done: bool,
}

impl SingleReader {
    /// The longest content that is not cut.
    fn limit(&self) -> i64 {
        i64::try_from(self.request.max_record_bytes).unwrap_or(i64::MAX)
    }

    fn read_content(&mut self) {
        if std::mem::replace(&mut self.content_done, true) {
            return;
        }
        let input = match (self.inflated.take(), self.compression) {
            (Some(inflated), _) => Ok(inflated),
            (None, None) => self.request.file.stream(0),
            (None, Some(compression)) => self
                .request
                .file
                .stream(0)
                .and_then(|input| compression.decoder(input)),
        };
        match input {
            Ok(input) => {
                let limit = self.request.max_record_bytes;
                self.row.keep_content(input, self.compression, limit);
            }
            Err(error) => self.row.fail("read error", &error),
        }
    }
}

impl RecordReader for SingleReader {
    fn advance(&mut self) -> bool {
        if std::mem::replace(&mut self.started, true) {
            return false;
        }
        self.row = Row {
            name: self.request.name.to_string(),
            size: i64::try_from(self.request.file.size()).ok(),
            modified: self.request.modified,
            ..Row::default()
        };
        // The size of a compressed file is that of its content.
        if self.request.columns.contains(SIZE) && self.compression.is_some() {
            self.read_content();
        }
        true
    }

    fn load(&mut self, payload: bool) {
        let is_checked = self.request.columns.contains(ERROR);
        if payload || (is_checked && self.compression.is_some()) {
            self.read_content();
        } else if is_checked && self.row.size.is_some_and(|size| size > self.limit()) {
            self.row.error = Some(content_cut(self.request.max_record_bytes));
        }
    }

    fn value(&self, column: usize) -> Value<'_> {
        self.row.value(column)
    }

    fn error(&self) -> Option<&RecordError> {
        self.row.error.as_ref()
    }

    fn offset(&self) -> u64 {
        0
    }
}

/// A package: one row per member.
struct PackageReader {
    row: Row,
    request: ReadRequest,
    package: Box<dyn Package>,
    member_endings: &'static [&'static str],
    content_done: bool,
}

impl PackageReader {
    fn read_content(&mut self) {
        // A row that stands for damage between members has no content.
        if std::mem::replace(&mut self.content_done, true) {
            return;
        }
        match self.package.member() {
            Ok(input) => {
                let limit = self.request.max_record_bytes;
                if let Err(error) = self.row.read_member(input, limit) {
                    self.row.fail(reason_of(&error), &error);
                }
            }
            Err(error) => self.row.error = Some(error),
        }
    }
}

impl RecordReader for PackageReader {
    fn advance(&mut self) -> bool {
        let package = &self.request.name;
        loop {
            self.row = Row::default();
            match self.package.next_member() {
                None => return false,
                Some(Err(error)) => {
                    self.row.name = package.to_string();
                    self.row.error = Some(error);
                    self.content_done = true;
                    return true;
                }
                Some(Ok(member)) => {
                    let wanted = self.member_endings.is_empty()
                        || has_ending(&member.name, self.member_endings);
                    if !wanted {
                        continue;
                    }
                    self.row.name = format!("{package}!{}", member.name);
                    self.row.error = self.package.suspicion();
                    self.row.size = i64::try_from(member.size).ok();
                    self.row.modified = member.modified;
                    self.content_done = false;
                    // A member may be compressed once more, and then its size is not known.
                    if self.request.columns.contains(SIZE) {
                        self.read_content();
                    }
                    return true;
                }
            }
        }
    }

    fn load(&mut self, payload: bool) {
        if payload || self.request.columns.contains(ERROR) {
            self.read_content();
        }
    }

    fn value(&self, column: usize) -> Value<'_> {
        self.row.value(column)
    }

    fn error(&self) -> Option<&RecordError> {
        self.row.error.as_ref()
    }

    fn offset(&self) -> u64 {
        0
    }
}

/// Damage is told from a disk or network that fails.
fn reason_of(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => "damaged content",
        _ => "read error",
    }
}

/// Reads until `length` bytes are there or the input ends.
pub fn read_up_to(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length.min(64 << 10));
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
