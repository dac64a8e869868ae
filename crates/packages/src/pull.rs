//! The engine's interface: one file as one row, or a package as one row per member.

use std::io::{self, Read};

use crate::columns::{ERROR, SIZE};
use crate::kind::{Input, Kind};
use crate::links::{Links, Targets};
use crate::package::{MemberHead, Package};
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
            links: Links::default(),
            targets: None,
            facts: (None, None),
            further: Vec::new(),
            shared: None,
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
    links: Links,
    /// The members that links lead to. Known in the second pass only.
    targets: Option<Targets>,
    /// The size of the current member, and the time of its last change.
    facts: (Option<i64>, Option<i64>),
    /// Further links to the current member.
    further: Vec<String>,
    /// The content of a member with several links, and a read error.
    shared: Option<(Vec<u8>, Option<io::Error>)>,
}

impl PackageReader {
    fn read_content(&mut self) {
        // A row for damage between members has no content.
        if std::mem::replace(&mut self.content_done, true) {
            return;
        }
        let limit = self.request.max_record_bytes;
        if self.shared.is_none() {
            match self.package.member() {
                Ok(input) if self.further.is_empty() => {
                    if let Err(error) = self.row.read_member(input, limit) {
                        self.row.fail_reading(&error);
                    }
                    return;
                }
                Ok(input) => {
                    let mut content = Vec::new();
                    let read = input.take(limit as u64 + 1).read_to_end(&mut content);
                    self.shared = Some((content, read.err()));
                }
                Err(error) => {
                    self.row.error = Some(error);
                    return;
                }
            }
        }
        if let Some((content, error)) = &self.shared {
            let read = self.row.read_member(content.as_slice(), limit);
            if let Some(error) = read.as_ref().err().or(error.as_ref()) {
                self.row.fail_reading(error);
            }
        }
    }

    /// Moves to a row with an error.
    fn fail(&mut self, name: String, error: RecordError) -> bool {
        self.has_entries = true;
        self.row.name = name;
        self.row.error = Some(error);
        self.content_done = true;
        true
    }

    /// Moves to the row of the current member, whose name is given.
    fn begin(&mut self, name: &str) -> bool {
        (self.row.size, self.row.modified) = self.facts;
        self.row.name = format!("{}!{name}", self.request.name);
        self.row.error = self.package.suspicion();
        self.content_done = false;
        // A member may itself be compressed. Its size is then known after inflating.
        if self.request.columns.contains(SIZE) {
            self.read_content();
        }
        true
    }

    /// Moves to the row of a member; `false` if it has none.
    fn begin_member(&mut self, member: MemberHead) -> bool {
        self.has_entries = true;
        self.facts = (i64::try_from(member.size).ok(), member.modified);
        if let Some(targets) = &mut self.targets {
            if member.link.is_some() {
                return false;
            }
            self.further = targets.links_to(&member.name);
            return self.further.pop().is_some_and(|name| self.begin(&name));
        }
        let is_package = has_extension(&member.name, PACKAGES);
        let is_wanted = self.member_extensions.is_empty()
            || has_extension(&member.name, self.member_extensions);
        if self.documents && is_apple_double(&member.name) || !is_wanted && !is_package {
            return false;
        }
        let error = match member.link {
            _ if !is_wanted => {
                RecordError::new(PACKAGE_IN_PACKAGE, "unpack the outer package first")
            }
            None => return self.begin(&member.name),
            Some(target) => match self.links.add(&member.name, target) {
                Ok(()) => return false,
                Err(error) => error,
            },
        };
        self.fail(format!("{}!{}", self.request.name, member.name), error)
    }

    /// Moves to the first row after the last member, if any.
    fn after_members(&mut self) -> bool {
        let package = self.request.name.to_string();
        if !self.has_entries {
            let detail = "a package without members";
            return self.fail(package, RecordError::new(EMPTY_FILE, detail));
        }
        if !self.links.is_empty() {
            self.targets = Some(std::mem::take(&mut self.links).into_targets());
            match Kind::detect(&self.request.file) {
                Ok(Kind::Package(package)) => {
                    self.package = package;
                    return self.advance();
                }
                Ok(_) => {}
                Err(error) => return self.fail(package, error),
            }
        }
        let unresolved = self.targets.as_mut().and_then(Targets::next_unresolved);
        unresolved.is_some_and(|(name, error)| self.fail(format!("{package}!{name}"), error))
    }
}

impl RecordReader for PackageReader {
    fn advance(&mut self) -> bool {
        self.row = Row::default();
        if let Some(name) = self.further.pop() {
            return self.begin(&name);
        }
        self.shared = None;
        loop {
            match self.package.next_member() {
                None => return self.after_members(),
                // The first pass has reported all damage.
                Some(Err(_)) if self.targets.is_some() => {}
                Some(Err(error)) => return self.fail(self.request.name.to_string(), error),
                Some(Ok(member)) => {
                    if self.begin_member(member) {
                        return true;
                    }
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
