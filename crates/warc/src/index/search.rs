//! Searches an index file for the locations of records.

use std::sync::Arc;

use corpus_bytes::compression::Compression;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record_locations::{Findings, NamedRecord};

use super::entry::{Entry, Layout};
use super::error::IndexError;
use super::lines::{self, Line, MAX_LINE_BYTES};
use super::url_filter::{UrlFilter, has_appended};
use crate::surt;

/// Maximum size of a sorted file that is read sequentially.
pub(super) const MAX_SMALL_BYTES: u64 = 1 << 20;
/// The number of unusable lines at the start of a file after which it is not an index.
const MAX_UNUSABLE_FIRST_LINES: usize = 100;
/// Maximum number of keys that one bisection compares with their URLs.
const MAX_CHECKED_KEYS: usize = 1000;

/// A file of CDXJ or CDX lines.
pub struct CdxFile<'a> {
    file: &'a Arc<dyn FileBytes>,
    compression: Option<Compression>,
}

impl<'a> CdxFile<'a> {
    /// Detects how a file is compressed. A package is an error.
    pub fn open(file: &'a Arc<dyn FileBytes>) -> Result<Self, IndexError> {
        let compression = lines::compression(file)?;
        Ok(Self { file, compression })
    }

    /// Compressed files can only be read from their start.
    pub fn is_compressed(&self) -> bool {
        self.compression.is_some()
    }

    /// Reads all lines, in any order, and adds the locations of wanted records to `findings`; of
    /// all records if `wanted` is `None`.
    pub fn find(
        &self,
        wanted: Option<&UrlFilter>,
        findings: &mut Findings,
    ) -> Result<(), IndexError> {
        let mut search = Search::new(wanted, findings);
        lines::visit_all(self.file, self.compression, |line| search.visit(line))?;
        search.check_is_index()
    }

    /// Like [`find`](Self::find), for lines sorted by the bytes of their keys, which must be made
    /// by [`surt`]. Bisection then reads only a few blocks of a large file. If it detects that the
    /// order or the keys differ, it returns an error.
    pub fn find_sorted(
        &self,
        wanted: &UrlFilter,
        findings: &mut Findings,
    ) -> Result<(), IndexError> {
        if self.is_compressed() || self.file.size() <= MAX_SMALL_BYTES {
            self.find(Some(wanted), findings)
        } else {
            Search::new(Some(wanted), findings).by_bisection(self.file, wanted)
        }
    }
}

/// The search in one file.
struct Search<'a> {
    /// The columns of CDX, if the file has a header line.
    layout: Option<Layout>,
    wanted: Option<&'a UrlFilter>,
    findings: &'a mut Findings,
    has_usable_line: bool,
}

impl<'a> Search<'a> {
    fn new(wanted: Option<&'a UrlFilter>, findings: &'a mut Findings) -> Self {
        Self {
            layout: None,
            wanted,
            findings,
            has_usable_line: false,
        }
    }

    fn visit(&mut self, line: Line) -> Result<(), IndexError> {
        if self.passes_over(line) {
            return Ok(());
        }
        let entry = Entry::new(line.bytes, self.layout.as_ref());
        let location = if line.is_cut {
            Err(format!("a line of more than {} MiB", MAX_LINE_BYTES >> 20))
        } else if self.has_usable_line && self.wanted.is_some_and(|it| !it.includes(&entry)) {
            return Ok(());
        } else {
            entry.location()
        };
        match location {
            Ok((archive, location)) => {
                self.has_usable_line = true;
                if self.wanted.is_none_or(|wanted| wanted.includes(&entry)) {
                    let expected = entry.expected();
                    self.findings
                        .add(&archive, NamedRecord { location, expected });
                }
            }
            Err(message) => {
                self.findings.add_fault(line.offset, message);
                if self.findings.faults().len() >= MAX_UNUSABLE_FIRST_LINES {
                    return self.check_is_index();
                }
            }
        }
        Ok(())
    }

    /// Returns an error if the file has lines, but no usable one.
    fn check_is_index(&self) -> Result<(), IndexError> {
        match self.findings.faults().first() {
            Some((offset, fault)) if !self.has_usable_line => Err(IndexError::NotAnIndex {
                fault: fault.detail.clone(),
                offset: *offset,
            }),
            _ => Ok(()),
        }
    }

    /// Whether a line is not an entry. Header lines set the layout.
    fn passes_over(&mut self, line: Line) -> bool {
        let layout = Layout::parse(line.bytes);
        let is_header = layout.is_some();
        if is_header {
            self.layout = layout;
        }
        is_header || is_not_entry(line.bytes)
    }

    fn by_bisection(
        &mut self,
        file: &Arc<dyn FileBytes>,
        wanted: &UrlFilter,
    ) -> Result<(), IndexError> {
        // Header lines come first, because they start with a blank or another low byte.
        lines::visit_start(file, |line| {
            if self.passes_over(line) {
                return Ok(true);
            }
            match Entry::new(line.bytes, self.layout.as_ref()).location() {
                Ok(_) => self.has_usable_line = true,
                Err(message) => self.findings.add_fault(line.offset, message),
            }
            let unusable = self.findings.faults().len();
            Ok(!self.has_usable_line && unusable < MAX_UNUSABLE_FIRST_LINES)
        })?;
        self.check_is_index()?;
        let mut keys = CheckedKeys {
            layout: self.layout.clone(),
            ..CheckedKeys::default()
        };
        let ranges = wanted.ranges();
        let mut key_of = |line: &[u8]| keys.key_of(line);
        lines::visit_ranges(file, &ranges, &mut key_of, |line| self.visit(line))?;
        keys.finish()
    }
}

/// Empty lines, comments and the headers of CDXJ.
fn is_not_entry(line: &[u8]) -> bool {
    line.trim_ascii().is_empty() || line.starts_with(b"!") || line.starts_with(b"#")
}

/// Reads the keys of lines for bisection, and checks that they are made by `url_surt`.
#[derive(Default)]
struct CheckedKeys {
    layout: Option<Layout>,
    checked: usize,
    /// The number of unexpected keys, and the last of them with the expected key.
    unexpected: usize,
    example: Option<(String, String)>,
}

impl CheckedKeys {
    fn key_of(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        if is_not_entry(line) || Layout::parse(line).is_some() {
            return None;
        }
        let entry = Entry::new(line, self.layout.as_ref());
        let key = entry.key().into_owned();
        if self.checked < MAX_CHECKED_KEYS
            && let Some(url) = entry.url().filter(|url| !url.is_empty())
        {
            let expected = surt(&url);
            self.checked += 1;
            if key != expected.as_bytes() && !has_appended(&key) {
                self.unexpected += 1;
                let key = String::from_utf8_lossy(&key).into_owned();
                self.example = Some((key, expected));
            }
        }
        Some(key)
    }

    /// Returns an error if most keys are unexpected: another tool made them. A few may differ
    /// because of unusual URLs.
    fn finish(self) -> Result<(), IndexError> {
        match self.example {
            Some((found, expected)) if self.unexpected * 2 > self.checked => {
                Err(IndexError::OtherKeys { expected, found })
            }
            _ => Ok(()),
        }
    }
}
