//! The engine's interface: one file as one row, or a package as one row per member.

use crate::columns::{ERROR, SIZE};
use crate::kind::{Input, Kind};
use crate::package::Package;
use crate::row::Row;
use corpus_bytes::blank::{EMPTY_FILE, empty_file};
use corpus_bytes::compression::{Compression, has_extension};
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};

/// The extensions of packages.
pub const PACKAGES: &[&str] = &["tar", "tgz", "zip"];

/// The reason for a package inside of another one, whose members are not read.
const PACKAGE_IN_PACKAGE: &str = "package in a package";

/// Whether a member is the metadata of another one, which macOS adds.
fn is_apple_double(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    file.starts_with("._") || name.starts_with("__MACOSX/")
}

/// Starts to read a file, one row and column at a time.
///
/// Without `unpack`, the file is one row, unchanged. `member_extensions` selects the members of a
/// package by the extensions of their names; no extensions select all. Other packages in it have an
/// error. If files and members are `documents`, empty and blank ones have an error, and metadata of
/// macOS is left out. A returned error concerns the whole file.
pub fn open(
    request: ReadRequest,
    unpack: bool,
    member_extensions: &'static [&'static str],
    documents: bool,
) -> Result<Box<dyn RecordReader>, RecordError> {
    let rows = open_rows(request, unpack, member_extensions, documents)?;
    Ok(rows)
}

/// A [`RecordReader`] whose rows can be taken without copying them.
pub trait Rows: RecordReader {
    fn take_row(&mut self) -> Row;
}

pub fn open_rows(
    request: ReadRequest,
    unpack: bool,
    member_extensions: &'static [&'static str],
    documents: bool,
) -> Result<Box<dyn Rows>, RecordError> {
    let kind = if unpack {
        Kind::detect(&request.file)?
    } else {
        Kind::Plain
    };
    let single = |compression, inflated| SingleReader {
        row: Row::default(),
        compression,
        inflated,
        documents,
        started: false,
        content_done: false,
        request: request.clone(),
    };
    Ok(match kind {
        Kind::Package(package) => Box::new(PackageReader {
            row: Row::default(),
            request,
            package,
            member_extensions,
            documents,
            has_entries: false,
            content_done: false,
        }),
        Kind::Plain => Box::new(single(None, None)),
        Kind::Compressed(compression, inflated) => Box::new(single(Some(compression), inflated)),
    })
}

/// Reads a file as one row.
struct SingleReader {
    row: Row,
    request: ReadRequest,
    compression: Option<Compression>,
    /// The content, if its start has been inflated.
    inflated: Option<Input>,
    /// Whether an empty file is an error.
    documents: bool,
    started: bool,
    content_done: bool,
}

impl SingleReader {
    /// Maximum length of content that is not truncated.
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
            Err(error) => self.row.error = Some(RecordError::io(&error)),
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
        // The size of a compressed file is the size of its content.
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
            self.row.error = Some(RecordError::content_cut(self.request.max_record_bytes));
        }
        if self.documents {
            self.row.refuse_empty();
            if is_checked && !self.content_done && self.row.error.is_none() {
                self.row.error = empty_file(self.request.file.as_ref());
            }
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

impl Rows for SingleReader {
    fn take_row(&mut self) -> Row {
        std::mem::take(&mut self.row)
    }
}

/// Reads a package as one row per member.
struct PackageReader {
    row: Row,
    request: ReadRequest,
    package: Box<dyn Package>,
    member_extensions: &'static [&'static str],
    /// Whether an empty member is an error.
    documents: bool,
    /// Whether the package has members, or damage.
    has_entries: bool,
    content_done: bool,
}

impl PackageReader {
    fn read_content(&mut self) {
        // A row for damage between members has no content.
        if std::mem::replace(&mut self.content_done, true) {
            return;
        }
        match self.package.member() {
            Ok(input) => {
                let limit = self.request.max_record_bytes;
                if let Err(error) = self.row.read_member(input, limit) {
                    self.row.fail_reading(&error);
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
                None if self.has_entries => return false,
                None => {
                    self.has_entries = true;
                    self.row.name = package.to_string();
                    let detail = "a package without members";
                    self.row.error = Some(RecordError::new(EMPTY_FILE, detail));
                    self.content_done = true;
                    return true;
                }
                Some(Err(error)) => {
                    self.has_entries = true;
                    self.row.name = package.to_string();
                    self.row.error = Some(error);
                    self.content_done = true;
                    return true;
                }
                Some(Ok(member)) => {
                    self.has_entries = true;
                    let is_package = has_extension(&member.name, PACKAGES);
                    let is_wanted = self.member_extensions.is_empty()
                        || has_extension(&member.name, self.member_extensions);
                    if self.documents && is_apple_double(&member.name) || !is_wanted && !is_package
                    {
                        continue;
                    }
                    self.row.name = format!("{package}!{}", member.name);
                    if !is_wanted {
                        let detail = "unpack the outer package first";
                        self.row.error = Some(RecordError::new(PACKAGE_IN_PACKAGE, detail));
                        self.content_done = true;
                        return true;
                    }
                    self.row.error = self.package.suspicion();
                    self.row.size = i64::try_from(member.size).ok();
                    self.row.modified = member.modified;
                    self.content_done = false;
                    // A member may itself be compressed. Its size is then known after inflating.
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
        if self.documents {
            self.row.refuse_empty();
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

impl Rows for PackageReader {
    fn take_row(&mut self) -> Row {
        std::mem::take(&mut self.row)
    }
}
