//! Reads the records of one file that is not a package.

use std::ops::Range;
use std::sync::Arc;

use super::body::{Body, BodyReader, RecordScan};
use super::columns;
use super::header::Header;
use super::header_end::{HeaderEnd, measure_header};
use super::reasons;
use super::record_start::{self, ArchiveFormat};
use super::segments::{Segment, Segments};
use super::separator::{Digests, Separator};
use super::units::Gap;
use corpus_bytes::compression::Compression;
use corpus_bytes::record::{READ_ERROR, RecordError, RecordReader, Value};

/// Maximum number of bytes of junk that a message shows.
const MAX_SHOWN_BYTES: usize = 40;
/// The place of the word `ustar` in the header of a member of a tar package.
const TAR_MAGIC: Range<usize> = 257..262;
/// Maximum size of a body buffer that is kept for the next record.
const MAX_KEPT_BUFFER_BYTES: usize = 4 << 20;

pub struct Reader {
    text: Segments,
    name: Arc<str>,
    /// The range whose records are returned. Uncompressed files are always read from their start
    /// (see `lib.rs`).
    range: Range<u64>,
    max_record_bytes: usize,
    /// The kind of the last record.
    kind: Option<ArchiveFormat>,
    state: TextPosition,
    row: Row,
    header: Header,
    body: Body,
}

/// The position in the text.
#[derive(Clone, Copy, PartialEq)]
enum TextPosition {
    BetweenSegments,
    InSegment {
        /// Whether text outside of records belongs to damage that has been reported.
        resumed: bool,
    },
    /// After the header of the current record.
    BeforeBody,
    End,
}

/// The current row, apart from its header and body.
#[derive(Default)]
struct Row {
    /// `None`: the row is an error between records.
    kind: Option<ArchiveFormat>,
    offset: u64,
    length: Option<u64>,
    header_length: u64,
    starts_unit: bool,
    /// The separator to expect after the body.
    separator: Separator,
    /// Whether the header block has no end, so that the next record must be searched for.
    lost: bool,
    body_wanted: bool,
    error: Option<RecordError>,
    message: String,
}

impl Row {
    /// Whether reading stopped here, so that rows of the range are missing even if this one
    /// starts before it.
    fn is_unreadable(&self) -> bool {
        let error = self.error.as_ref();
        error.is_some_and(|error| error.reason == READ_ERROR)
    }
}

impl Reader {
    pub fn new(text: Segments, name: Arc<str>, range: Range<u64>, max_record_bytes: usize) -> Self {
        let mut reader = Self {
            text,
            name,
            range,
            max_record_bytes,
            kind: None,
            state: TextPosition::BetweenSegments,
            row: Row::default(),
            header: Header::default(),
            body: Body::default(),
        };
        if reader.range.start > 0
            && let Some(plain) = reader.text.plain()
        {
            plain.set_hopping(true);
        }
        reader
    }

    /// Moves to the next row, regardless of the range that owns it.
    fn next_row(&mut self) -> bool {
        loop {
            match self.state {
                TextPosition::End => return false,
                TextPosition::BeforeBody => self.finish(0),
                TextPosition::BetweenSegments => match self.text.next_segment() {
                    None => self.state = TextPosition::End,
                    Some(Segment::Text { resumed }) => {
                        self.state = TextPosition::InSegment { resumed }
                    }
                    Some(Segment::Gap(gap)) => {
                        self.set_gap(gap);
                        return true;
                    }
                },
                TextPosition::InSegment { resumed } => {
                    if self.next_in_segment(resumed) {
                        return true;
                    }
                }
            }
        }
    }

    /// Searches for the next record. Returns whether there is a row.
    fn next_in_segment(&mut self, resumed: bool) -> bool {
        self.text.release();
        self.skip_blank();
        if self.text.bytes().is_empty() {
            self.state = TextPosition::BetweenSegments;
            return self.report_damage();
        }
        let mut kind = record_start::at(self.text.bytes());
        if kind.is_none() {
            self.text.ensure(record_start::PROBE_BYTES);
            kind = record_start::at(self.text.bytes());
        }
        match kind {
            Some(kind) => {
                self.read_header(kind);
                true
            }
            None => {
                let offset = self.text.offset();
                self.text.ensure(TAR_MAGIC.end);
                let bytes = self.text.bytes();
                let shown = match Compression::detect(bytes) {
                    Some(compression) => format!(
                        "{}: decompress the file, or compress it with gzip, zstd or lz4",
                        compression.name()
                    ),
                    None if bytes.get(TAR_MAGIC) == Some(b"ustar") => {
                        "the header of a tar package: unpack it, and read its WARC files".to_owned()
                    }
                    None => show(bytes),
                };
                let (length, found) = self.skip_to_record();
                if resumed || self.text.is_damaged() && !found {
                    return false;
                }
                self.set_junk(offset, length, found, &shown);
                true
            }
        }
    }

    /// Skips blank lines, zeros, and byte order marks that editors insert.
    fn skip_blank(&mut self) {
        loop {
            let bytes = self.text.bytes();
            let blank = bytes
                .iter()
                .take_while(|b| matches!(b, 0 | b'\r' | b'\n' | b' ' | b'\t'))
                .count();
            let mark = if bytes[blank..].starts_with(b"\xef\xbb\xbf") {
                3
            } else {
                0
            };
            let done = blank + mark < bytes.len() && mark == 0;
            self.text.consume(blank + mark);
            if done {
                return;
            }
            if self.text.bytes().is_empty() {
                self.text.release();
                if !self.text.fill() {
                    return;
                }
            }
        }
    }

    fn skip_to_record(&mut self) -> (u64, bool) {
        let mut scan = RecordScan::new(self.kind, true);
        let mut length = 0;
        loop {
            self.text.release();
            let step = scan.next(&mut self.text);
            self.text.consume(step.length);
            length += step.length as u64;
            if !step.goes_on {
                return (length, step.found);
            }
        }
    }

    fn set_row(&mut self, offset: u64, length: Option<u64>, error: Option<RecordError>) {
        self.row = Row {
            offset,
            length,
            error,
            ..Row::default()
        };
        self.body.held = None;
        self.body.length = 0;
        self.body.copied.clear();
        self.body.copied.shrink_to(MAX_KEPT_BUFFER_BYTES);
    }

    fn set_gap(&mut self, gap: Gap) {
        self.set_row(gap.offset, Some(gap.length), Some(gap.error));
    }

    fn set_junk(&mut self, offset: u64, length: u64, found: bool, shown: &str) {
        let reason = match (found, self.kind) {
            (true, _) => reasons::JUNK,
            (false, Some(_)) => reasons::TRAILING_GARBAGE,
            (false, None) => reasons::NOT_A_WARC,
        };
        let detail = format!("{length} bytes that start with {shown}");
        self.set_row(offset, None, Some(RecordError::new(reason, detail)));
    }

    /// Emits a row for damage that no row has reported, or that was detected too late for some
    /// rows.
    fn report_damage(&mut self) -> bool {
        let Some(damage) = self.text.take_damage() else {
            return false;
        };
        let offset = match self.text.plain() {
            Some(plain) => plain.position(),
            None => damage.offset,
        };
        self.set_row(offset, None, Some(damage.error));
        true
    }

    fn read_header(&mut self, kind: ArchiveFormat) {
        let offset = self.text.offset();
        let starts_unit = self.text.starts_unit();
        self.set_row(offset, None, None);
        self.kind = Some(kind);
        self.row.kind = Some(kind);
        self.row.starts_unit = starts_unit;
        self.state = TextPosition::BeforeBody;
        let end = measure_header(&mut self.text, kind);
        let size = match end {
            HeaderEnd::At(size) | HeaderEnd::Cut(size) | HeaderEnd::Oversized(size) => size,
        };
        let block = &self.text.bytes()[..size];
        match kind {
            ArchiveFormat::Warc => self.header.read_warc(block),
            ArchiveFormat::Arc => self.header.read_arc(block),
        }
        self.row.separator = Separator::after(kind, block);
        self.text.consume(size);
        self.row.header_length = size as u64;
        match end {
            HeaderEnd::At(_) => {}
            HeaderEnd::Cut(_) => {
                let cut = RecordError::new(reasons::TRUNCATED, "the header block has no end");
                let damage = self.text.damage_of_record(Some(&cut));
                self.row.error = Some(damage.unwrap_or(cut));
                self.state = TextPosition::InSegment { resumed: true };
            }
            HeaderEnd::Oversized(_) => {
                let detail = format!("no blank line within {size} bytes");
                self.row.error = Some(RecordError::new(reasons::OVERSIZED_HEADER, detail));
                self.row.lost = true;
            }
        }
    }

    /// Reads the body to its end, and copies it up to the limit.
    fn finish(&mut self, limit: usize) {
        self.state = TextPosition::InSegment { resumed: false };
        if self.row.lost {
            self.skip_to_record();
            self.text.check_ahead();
            if let Some(error) = self.text.damage_of_record(None) {
                self.row.error = Some(error);
            }
            return;
        }
        let Some(kind) = self.row.kind else {
            return;
        };
        let compressed = self.text.plain().is_none();
        let mut body = BodyReader {
            text: &mut self.text,
            kind,
            body: &mut self.body,
            limit,
            starts_unit: compressed && self.row.starts_unit,
            separator: self.row.separator,
            digests: digests_of(&self.header),
        };
        self.row.error = body.read(self.header.content_length(), self.header.declares_length());
        if self.header.has_nul() {
            let detail = "it contains NUL bytes, and may be that of two records";
            let error = || RecordError::new(reasons::DAMAGED_HEADER, detail);
            self.row.error.get_or_insert_with(error);
        }
        // Read the body even if it is not wanted, so that all queries see the same errors.
        let max_bytes = self.max_record_bytes;
        if max_bytes > 0 && self.body.length > max_bytes as u64 {
            let error = || RecordError::content_cut(max_bytes);
            self.row.error.get_or_insert_with(error);
        }
        if !compressed {
            self.row.length = Some(self.row.header_length + self.body.length);
        } else if self.row.starts_unit {
            let end = self.text.end_offset();
            self.row.length = end.map(|end| end.saturating_sub(self.row.offset));
        }
    }

    fn body(&self) -> &[u8] {
        let body = match self.body.held {
            Some((start, length)) => self.text.part(start, length),
            None => &self.body.copied,
        };
        &body[..body.len().min(self.max_record_bytes)]
    }
}

impl RecordReader for Reader {
    fn advance(&mut self) -> bool {
        loop {
            if !self.next_row() {
                return false;
            }
            if self.text.plain().is_none() {
                return true;
            }
            if self.row.offset >= self.range.end {
                self.state = TextPosition::End;
                return false;
            }
            let is_before = self.row.offset < self.range.start;
            if is_before && self.state == TextPosition::BeforeBody {
                self.finish(0);
            }
            if !is_before || self.row.is_unreadable() {
                if let Some(plain) = self.text.plain() {
                    plain.set_hopping(false);
                }
                return true;
            }
        }
    }

    fn load(&mut self, payload: bool) {
        if self.state == TextPosition::BeforeBody {
            self.finish(if payload { self.max_record_bytes } else { 0 });
        }
        self.row.body_wanted = payload && self.row.kind.is_some();
        self.row.message = self
            .row
            .error
            .as_ref()
            .map_or_else(String::new, RecordError::to_string);
    }

    fn value(&self, column: usize) -> Value<'_> {
        let integer = |value: u64| i64::try_from(value).map_or(Value::Null, Value::Integer);
        match column {
            columns::SOURCE_FILE => Value::Text(&self.name),
            columns::OFFSET => integer(self.row.offset),
            columns::LENGTH => self.row.length.map_or(Value::Null, integer),
            columns::BODY if self.row.body_wanted => Value::Bytes(self.body()),
            columns::BODY => Value::Null,
            columns::BODY_TRUNCATED => {
                Value::Boolean(self.body.length > self.max_record_bytes as u64)
            }
            columns::ERROR if self.row.error.is_none() => Value::Null,
            columns::ERROR => Value::Text(&self.row.message),
            _ if self.row.kind.is_none() => Value::Null,
            _ => self.header.value(column),
        }
    }

    fn error(&self) -> Option<&RecordError> {
        self.row.error.as_ref()
    }

    fn offset(&self) -> u64 {
        self.row.offset
    }
}

/// The digests of the body of a record.
fn digests_of(header: &Header) -> Digests<'_> {
    // The digest of a revisit is for a payload in another record.
    let is_revisit = header
        .raw(columns::WARC_TYPE)
        .eq_ignore_ascii_case("revisit");
    Digests {
        block: header.raw(columns::BLOCK_DIGEST),
        payload: if is_revisit {
            ""
        } else {
            header.raw(columns::PAYLOAD_DIGEST)
        },
    }
}

/// Returns the first bytes, escaped and quoted, for a message.
pub fn show(bytes: &[u8]) -> String {
    format!(
        "\"{}\"",
        bytes[..bytes.len().min(MAX_SHOWN_BYTES)].escape_ascii()
    )
}
