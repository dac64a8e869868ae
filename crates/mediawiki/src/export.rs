//! Reads the pages of an export, revision by revision.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use corpus_bytes::blank::empty_file;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::RecordError;
use memchr::memmem;

use crate::end::lacks_pages;
use crate::is_export;
use crate::streams::Damage;
use crate::text::Text;
use crate::xml::{PAGE, PAGE_END, Page, Revision, is_tag, read_text};

const REVISION: &[u8] = b"<revision";
const REVISION_END: &[u8] = b"</revision";

/// Number of bytes at the start of a file examined to recognize an export.
const START_BYTES: usize = 4096;

/// Maximum size of the elements of a page before its revisions. Beyond it, they are truncated.
const MAX_HEAD_BYTES: usize = 1 << 20;

/// A revision of a page, or damage.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The start of the page: its offset in a plain file, the offset of its stream in a bzip2 file,
    /// otherwise its position in the decompressed text.
    pub offset: u64,
    /// Empty for damage outside pages.
    pub page: &'a Page,
    /// Empty for a page without revisions.
    pub revision: &'a Revision,
    /// The error of the page or the revision.
    pub error: Option<&'a RecordError>,
    /// The XML of the element with the text.
    raw: &'a str,
}

impl Entry<'_> {
    /// Returns the text, with references decoded; `None` if it was deleted.
    pub fn text(&self) -> Option<String> {
        read_text(self.raw)
    }
}

/// Iterates the revisions of the pages that start in a byte range of a file.
pub struct Export {
    text: Text,
    max_revision_bytes: usize,
    is_in_page: bool,
    /// Whether an entry of the page has been returned.
    has_entry: bool,
    /// The next stop, if it is known.
    next: Option<Stop>,
    /// The XML that was scanned last.
    unit: Vec<u8>,
    is_cut: bool,
    offset: u64,
    page: Page,
    revision: Revision,
    raw: String,
    error: Option<RecordError>,
}

/// A tag that separates pages and revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    Page,
    PageEnd,
    Revision,
    RevisionEnd,
}

enum Stop {
    At(Separator),
    /// The file does not start like an export.
    Other,
    /// The file ends between two pages.
    Cut(u64),
    Damage(u64, Damage),
    End,
}

impl Separator {
    const ALL: [(Self, &[u8]); 4] = [
        (Self::Page, PAGE),
        (Self::PageEnd, PAGE_END),
        (Self::Revision, REVISION),
        (Self::RevisionEnd, REVISION_END),
    ];

    /// The mark that a text starts with.
    fn at(text: &[u8]) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, tag)| is_tag(text, tag)).map(|(mark, _)| mark)
    }
}

impl Export {
    /// Opens a range of a file. Revisions of more than `max_revision_bytes` are truncated.
    pub fn open(
        file: Arc<dyn FileBytes>,
        range: Range<u64>,
        max_revision_bytes: usize,
    ) -> io::Result<Self> {
        let is_first = range.start == 0 && !range.is_empty();
        let mut text = Text::open(Arc::clone(&file), range)?;
        let is_other = is_first && {
            let is_damaged = !text.ensure(START_BYTES) && text.has_damage();
            !is_damaged && !is_export(text.unread()) && !starts_with_page(text.unread())
        };
        // A blank file is reported as empty, as by other sources.
        let is_other = is_other && empty_file(file.as_ref()).is_none();
        // The first range reports it, because others need not contain the end of a stream.
        let is_cut = is_first && is_export(text.unread()) && lacks_pages(file.as_ref())?;
        let next = if is_cut {
            Some(Stop::Cut(file.size()))
        } else {
            is_other.then_some(Stop::Other)
        };
        Ok(Self {
            text,
            max_revision_bytes,
            is_in_page: false,
            has_entry: false,
            next,
            unit: Vec::new(),
            is_cut: false,
            offset: 0,
            page: Page::default(),
            revision: Revision::default(),
            raw: String::new(),
            error: None,
        })
    }

    /// Returns the next revision, page without revisions, or damage.
    pub fn next_entry(&mut self) -> Option<Entry<'_>> {
        self.advance().then(|| self.entry())
    }

    /// The entry that [`advance`](Self::advance) moved to.
    pub(crate) fn entry(&self) -> Entry<'_> {
        Entry {
            offset: self.offset,
            page: &self.page,
            revision: &self.revision,
            error: self.error.as_ref(),
            raw: &self.raw,
        }
    }

    /// Moves to the next entry; `false` at the end of the range.
    pub(crate) fn advance(&mut self) -> bool {
        self.revision = Revision::default();
        self.raw.clear();
        self.error = None;
        loop {
            let stop = match self.next.take() {
                Some(stop) => stop,
                None => self.scan(0),
            };
            match (stop, self.is_in_page) {
                (Stop::At(Separator::Page), false) => {
                    if self.text.is_after_end() {
                        return false;
                    }
                    self.start_page();
                }
                (Stop::At(Separator::Page), true) => {
                    // The previous page has no end tag.
                    self.next = Some(Stop::At(Separator::Page));
                    self.error = Some(incomplete());
                    self.is_in_page = false;
                    return true;
                }
                (Stop::At(Separator::Revision), true) => {
                    self.read_revision();
                    return true;
                }
                (Stop::At(Separator::PageEnd), true) => {
                    self.text.consume(PAGE_END.len());
                    self.is_in_page = false;
                    if !self.has_entry {
                        self.error = self.page_error();
                        return true;
                    }
                }
                (Stop::At(_), _) => self.text.consume(1),
                (Stop::Other, _) => {
                    self.error = Some(RecordError::new("not a MediaWiki export", ""));
                    return true;
                }
                (Stop::Cut(size), _) => {
                    self.offset = size;
                    let detail = "the file ends before </mediawiki>: its last pages are missing";
                    self.error = Some(RecordError::new("incomplete export", detail));
                    return true;
                }
                (Stop::Damage(offset, damage), is_in_page) => {
                    if !is_in_page {
                        self.page = Page::default();
                        self.offset = offset;
                    }
                    self.error = Some(damage_error(&damage));
                    self.is_in_page = false;
                    return true;
                }
                (Stop::End, true) => {
                    self.error = Some(incomplete());
                    self.is_in_page = false;
                    return true;
                }
                (Stop::End, false) => return false,
            }
        }
    }

    /// Reads the elements up to the first revision.
    fn start_page(&mut self) {
        self.offset = self.text.offset();
        self.text.consume(PAGE.len());
        self.is_in_page = true;
        self.has_entry = false;
        self.next = Some(self.scan(MAX_HEAD_BYTES));
        self.page = Page::read(&String::from_utf8_lossy(&self.unit));
    }

    fn read_revision(&mut self) {
        self.has_entry = true;
        self.text.consume(REVISION.len());
        let stop = self.scan(self.max_revision_bytes);
        self.error = match stop {
            Stop::At(Separator::RevisionEnd) => {
                self.text.consume(REVISION_END.len());
                None
            }
            Stop::At(mark) => {
                self.next = Some(Stop::At(mark));
                Some(incomplete())
            }
            Stop::Damage(_, damage) => {
                self.is_in_page = false;
                Some(damage_error(&damage))
            }
            Stop::End | Stop::Other | Stop::Cut(_) => {
                self.is_in_page = false;
                Some(incomplete())
            }
        };
        let unit = String::from_utf8_lossy(&self.unit);
        let is_invalid = matches!(unit, Cow::Owned(_));
        let start = memmem::find(unit.as_bytes(), b"<text").unwrap_or(unit.len());
        let (before, rest) = unit.split_at_checked(start).unwrap_or((&unit, ""));
        // In old exports, other elements follow the text: find its end tag or, if it is empty, its
        // only tag.
        let end_tag = memmem::rfind(rest.as_bytes(), b"</text>");
        let end = end_tag.or_else(|| rest.find('>'));
        let after = end.and_then(|end| rest.get(end..)).unwrap_or_default();
        self.revision.read(before);
        self.revision.read(after);
        let is_open = end_tag.is_none() && end.is_some_and(|end| !rest[..end].ends_with('/'));
        self.raw.push_str(rest);
        if self.is_cut {
            let detail = format!(
                "the revision is cut at {} bytes (corpus.max_record_bytes)",
                self.max_revision_bytes
            );
            self.error
                .get_or_insert(RecordError::new("revision too long", detail));
        } else if is_invalid {
            self.error
                .get_or_insert(RecordError::new("invalid UTF-8", ""));
        } else if is_open {
            let detail = "the end tag of its text is missing";
            self.error
                .get_or_insert(RecordError::new("incomplete page", detail));
        }
        if self.error.is_none() {
            let revision = self.revision.error.as_ref();
            let bad = revision.map(|error| RecordError::new(BAD_VALUE, error));
            self.error = bad.or_else(|| self.page_error());
        }
    }

    fn page_error(&self) -> Option<RecordError> {
        let error = self.page.error.as_ref();
        error.map(|error| RecordError::new(BAD_VALUE, error))
    }

    /// Moves to the next mark and keeps up to `limit` bytes of the text before it.
    fn scan(&mut self, limit: usize) -> Stop {
        let Self {
            text, unit, is_cut, ..
        } = self;
        unit.clear();
        *is_cut = false;
        let mut keep = |bytes: &[u8]| {
            let kept = bytes.len().min(limit - unit.len());
            unit.extend_from_slice(&bytes[..kept]);
            *is_cut |= kept < bytes.len();
        };
        loop {
            let unread = text.unread();
            match memchr::memchr(b'<', unread) {
                Some(at) => {
                    keep(&unread[..at]);
                    text.consume(at);
                    text.ensure(REVISION_END.len() + 1);
                    if let Some(mark) = Separator::at(text.unread()) {
                        return Stop::At(mark);
                    }
                    keep(b"<");
                    text.consume(1);
                }
                None => {
                    keep(unread);
                    text.consume(unread.len());
                    if !text.fill() {
                        return match text.take_damage() {
                            Some((offset, damage)) => Stop::Damage(offset, damage),
                            None => Stop::End,
                        };
                    }
                }
            }
        }
    }
}

/// Whether a text is a part of an export, such as a single stream.
fn starts_with_page(text: &[u8]) -> bool {
    is_tag(text.trim_ascii_start(), PAGE)
}

const BAD_VALUE: &str = "bad value";

fn incomplete() -> RecordError {
    RecordError::new(
        "incomplete page",
        "the file ends, or another page starts in it",
    )
}

fn damage_error(damage: &Damage) -> RecordError {
    const REASON: &str = "damaged compression";
    match damage {
        Damage::Io(error) => RecordError::io(error),
        Damage::Truncated => RecordError::new(REASON, "the compressed data ends too early"),
        Damage::Stream(message) => RecordError::new(REASON, message),
    }
}
