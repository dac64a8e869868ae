//! Access to single records by a CDXJ or CDX index.
//!
//! By default the files of an index are read through, whatever their order and whatever kind of keys
//! they have. Order cannot be proved by less. The option `index_order` declares that they are sorted,
//! and bisection then reads a few blocks of each.

mod entry;
mod filters;
mod lines;
mod wanted;

#[cfg(test)]
mod tests;

use corpus_udfs::url::surt;
use datafusion::logical_expr::Expr;

use self::entry::{Entry, Layout};
use self::lines::{Line, MAX_LINE_BYTES};
use self::wanted::{Wanted, has_appended};
use crate::sources::indexed::{Findings, IndexFile, RecordIndex};

/// Files up to this size are read through even if they are declared to be sorted.
const MAX_SMALL_BYTES: u64 = 1 << 20;
/// Larger remote files are only read through if the user says so.
const MAX_REMOTE_BYTES: u64 = 256 << 20;
/// A file that starts with this many unusable lines is not an index.
const MAX_UNUSABLE_START: usize = 100;
/// Maximum number of keys that one bisection compares with their URLs.
const MAX_CHECKED_KEYS: usize = 1000;

/// The option that declares the order of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IndexOrder {
    /// Not declared: all lines are read, except from large remote files, which are an error.
    #[default]
    Unknown,
    /// All lines are read.
    Any,
    /// The lines are sorted by the bytes of their keys, which are `url_surt` of the URLs.
    Sorted,
}

impl IndexOrder {
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "any" => Some(Self::Any),
            "sorted" => Some(Self::Sorted),
            _ => None,
        }
    }
}

/// Lines of CDXJ (`key timestamp {"url": …, "offset": …, "length": …, "filename": …}`) or CDX.
#[derive(Debug)]
pub struct CdxIndex {
    pub location: String,
    pub order: IndexOrder,
}

impl RecordIndex for CdxIndex {
    fn location(&self) -> &str {
        &self.location
    }

    fn uses(&self, filter: &Expr) -> bool {
        filters::wanted(filter).is_some()
    }

    fn find(
        &self,
        file: &IndexFile,
        filters: &[Expr],
        findings: &mut Findings,
    ) -> Result<(), String> {
        // All filters hold, so any one of them will do: the one with the fewest keys.
        let wanted = filters
            .iter()
            .filter_map(filters::wanted)
            .min_by_key(Wanted::len);
        let mut search = Search {
            layout: None,
            wanted: wanted.as_ref(),
            findings,
            has_usable_line: false,
        };
        let compression = lines::compression(&file.bytes)?;
        match &wanted {
            Some(wanted) if compression.is_none() && self.bisects(file)? => {
                search.by_bisection(file, wanted)
            }
            _ => {
                lines::visit_all(&file.bytes, compression, |line| search.visit(line))?;
                search.check_is_index()
            }
        }
    }
}

impl CdxIndex {
    /// Whether to look keys up instead of reading all lines.
    fn bisects(&self, file: &IndexFile) -> Result<bool, String> {
        let size = file.bytes.size();
        if size <= MAX_SMALL_BYTES {
            return Ok(false);
        }
        if self.order == IndexOrder::Unknown && !file.is_local && size > MAX_REMOTE_BYTES {
            return Err(format!(
                "it has {} MiB, and is not declared to be sorted: add the option 'index_order' with \
                 'sorted' if 'LC_ALL=C sort' made it, or with 'any' to transfer all of it",
                size >> 20
            ));
        }
        Ok(self.order == IndexOrder::Sorted)
    }
}

/// The search in one file.
struct Search<'a> {
    /// The columns of CDX, if the file has a header line.
    layout: Option<Layout>,
    wanted: Option<&'a Wanted>,
    findings: &'a mut Findings,
    has_usable_line: bool,
}

impl Search<'_> {
    fn visit(&mut self, line: Line) -> Result<(), String> {
        if self.passes_over(line) {
            return Ok(());
        }
        let entry = Entry::new(line.bytes, self.layout.as_ref());
        let place = if line.is_cut {
            Err(format!("a line of more than {} MiB", MAX_LINE_BYTES >> 20))
        } else if self.has_usable_line && self.wanted.is_some_and(|it| !it.includes(&entry)) {
            return Ok(());
        } else {
            entry.place()
        };
        match place {
            Ok((archive, place)) => {
                self.has_usable_line = true;
                if self.wanted.is_none_or(|wanted| wanted.includes(&entry)) {
                    self.findings.add_place(&archive, place);
                }
            }
            Err(message) => {
                self.findings.add_fault(line.offset, message);
                if self.findings.faults().len() >= MAX_UNUSABLE_START {
                    return self.check_is_index();
                }
            }
        }
        Ok(())
    }

    /// The error for a file that has lines, but none that is usable.
    fn check_is_index(&self) -> Result<(), String> {
        match self.findings.faults().first() {
            Some((offset, fault)) if !self.has_usable_line => {
                Err(format!("{} at byte {offset}", fault.detail))
            }
            _ => Ok(()),
        }
    }

    /// Whether a line is no entry. Header lines are remembered.
    fn passes_over(&mut self, line: Line) -> bool {
        let layout = Layout::parse(line.bytes);
        let is_header = layout.is_some();
        if is_header {
            self.layout = layout;
        }
        is_header || is_no_entry(line.bytes)
    }

    fn by_bisection(&mut self, file: &IndexFile, wanted: &Wanted) -> Result<(), String> {
        // Header lines come first, because they start with a blank or another low byte.
        lines::visit_start(&file.bytes, |line| {
            if self.passes_over(line) {
                return Ok(true);
            }
            match Entry::new(line.bytes, self.layout.as_ref()).place() {
                Ok(_) => self.has_usable_line = true,
                Err(message) => self.findings.add_fault(line.offset, message),
            }
            let unusable = self.findings.faults().len();
            Ok(!self.has_usable_line && unusable < MAX_UNUSABLE_START)
        })?;
        self.check_is_index()?;
        let mut keys = CheckedKeys {
            layout: self.layout.clone(),
            ..CheckedKeys::default()
        };
        let ranges = wanted.ranges();
        let mut key_of = |line: &[u8]| keys.key_of(line);
        lines::visit_ranges(&file.bytes, &ranges, &mut key_of, |line| self.visit(line))?;
        keys.finish()
    }
}

/// Empty lines, comments and the headers of CDXJ.
fn is_no_entry(line: &[u8]) -> bool {
    line.trim_ascii().is_empty() || line.starts_with(b"!") || line.starts_with(b"#")
}

/// Reads the keys of lines for bisection, and checks that they are made by `url_surt`.
#[derive(Default)]
struct CheckedKeys {
    layout: Option<Layout>,
    checked: usize,
    /// The number of unexpected keys, and the last of them with what is expected.
    unexpected: usize,
    example: Option<(String, String)>,
}

impl CheckedKeys {
    fn key_of(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        if is_no_entry(line) || Layout::parse(line).is_some() {
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

    /// A few keys may differ, for strange URLs; if most do, another tool's rules made them.
    fn finish(self) -> Result<(), String> {
        match self.example {
            Some((key, expected)) if self.unexpected * 2 > self.checked => Err(format!(
                "its keys are not those of url_surt: expected '{expected}', got '{key}': leave out \
                 the option 'index_order' to find records by their URLs"
            )),
            _ => Ok(()),
        }
    }
}
