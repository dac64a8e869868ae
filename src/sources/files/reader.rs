//! One file as one row, or a package as one row per member.

use std::io::{self, Cursor, Read};

use super::tar::{self, TarPackage};
use super::zip::{self, ZipPackage};
use super::{CONTENT, ERROR, MODIFIED, SIZE, SOURCE_FILE};
use crate::sources::compression::{Compression, MAGIC_LENGTH};
use crate::sources::location::has_ending;
use crate::sources::record::{ReadRequest, RecordError, RecordReader, Value};

/// What a package says of one of its members.
pub(super) struct MemberHead {
    pub name: String,
    /// As stored in the package; compressed, if the member is a compressed file itself.
    pub size: u64,
    /// Microseconds since the epoch.
    pub modified: Option<i64>,
}

/// A package whose members are read one after the other.
pub(super) trait Package: Send {
    /// Moves to the next member that is a file. An error is a damaged place in the package;
    /// members may follow after it.
    fn next_member(&mut self) -> Option<Result<MemberHead, RecordError>>;

    /// The bytes of the current member.
    fn member(&mut self) -> Result<Box<dyn Read + Send + '_>, RecordError>;
}

pub(super) fn open(
    request: ReadRequest,
    unpack: bool,
    member_endings: &'static [&'static str],
) -> Result<Box<dyn RecordReader>, RecordError> {
    let package = if unpack {
        open_package(&request)?
    } else {
        None
    };
    Ok(match package {
        Some(package) => Box::new(PackageReader {
            row: Row::default(),
            request,
            package,
            member_endings,
            content_done: false,
        }),
        None => Box::new(SingleReader {
            row: Row::default(),
            request,
            unpack,
            started: false,
            content_done: false,
        }),
    })
}

/// A package is told by its magic bytes, after inflating if it is compressed.
fn open_package(request: &ReadRequest) -> Result<Option<Box<dyn Package>>, RecordError> {
    let file = &request.file;
    let mut head = [0; tar::BLOCK];
    let length = file
        .read_at(0, &mut head)
        .map_err(|error| RecordError::io(&error))?;
    let head = &head[..length];
    if zip::is_zip(head) {
        return Ok(Some(Box::new(ZipPackage::open(file)?)));
    }
    if tar::is_tar(head) {
        let input = file.stream(0).map_err(|error| RecordError::io(&error))?;
        return Ok(Some(Box::new(TarPackage::new(input))));
    }
    let Some(compression) = Compression::detect(head) else {
        return Ok(None);
    };
    // A compressed file may hold a tar. If it does not, or cannot be inflated, it is read
    // again as a single file, which then reports what is wrong with it.
    let inflated = file
        .stream(0)
        .and_then(|input| compression.decoder(input))
        .and_then(|mut input| {
            let block = read_up_to(&mut input, tar::BLOCK)?;
            Ok((block, input))
        });
    Ok(match inflated {
        Ok((block, rest)) if tar::is_tar(&block) => {
            Some(Box::new(TarPackage::new(Cursor::new(block).chain(rest))))
        }
        _ => None,
    })
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

    /// Reads the content, inflating it if it is compressed and `inflate` says so. What is
    /// longer than `limit` is cut; what can be read before an error is kept.
    fn read_content(&mut self, input: impl Read + Send, limit: usize, inflate: bool) {
        match self.try_read_content(input, limit, inflate) {
            Ok(()) => {}
            Err(error) => self.fail("read error", &error),
        }
    }

    fn try_read_content(
        &mut self,
        mut input: impl Read + Send,
        limit: usize,
        inflate: bool,
    ) -> io::Result<()> {
        let head = read_up_to(&mut input, MAGIC_LENGTH)?;
        let compression = Compression::detect(&head).filter(|_| inflate);
        let input = Cursor::new(head).chain(input);
        let mut input: Box<dyn Read + Send + '_> = match compression {
            Some(compression) => compression.decoder(input)?,
            None => Box::new(input),
        };
        let mut content = Vec::new();
        let read = input.by_ref().take(limit as u64).read_to_end(&mut content);
        let mut more = [0; 1];
        let cut = read.is_ok() && content.len() == limit && matches!(input.read(&mut more), Ok(1));
        drop(input);
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
            self.error = Some(RecordError::new(
                "content cut",
                format!("longer than corpus.max_record_bytes, {limit} bytes"),
            ));
        } else if compression.is_none() && self.error.is_none() {
            self.check_length(content.len());
        }
        self.content = Some(content);
        Ok(())
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

/// A file that is one row.
struct SingleReader {
    row: Row,
    request: ReadRequest,
    unpack: bool,
    started: bool,
    content_done: bool,
}

impl SingleReader {
    fn read_content(&mut self) {
        if std::mem::replace(&mut self.content_done, true) {
            return;
        }
        match self.request.file.stream(0) {
            Ok(input) => {
                let limit = self.request.max_record_bytes;
                self.row.read_content(input, limit, self.unpack);
            }
            Err(error) => self.row.fail("read error", &error),
        }
    }

    fn is_compressed(&self) -> bool {
        let mut head = [0; MAGIC_LENGTH];
        self.unpack
            && self
                .request
                .file
                .read_at(0, &mut head)
                .is_ok_and(|length| Compression::detect(&head[..length]).is_some())
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
        if self.request.columns.contains(SIZE) && self.is_compressed() {
            self.read_content();
        }
        true
    }

    fn load(&mut self, payload: bool) {
        if payload || (self.request.columns.contains(ERROR) && self.is_compressed()) {
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
                self.row.read_content(input, limit, true);
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
pub(super) fn read_up_to(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length.min(64 << 10));
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
