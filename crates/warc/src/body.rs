//! Finds the ends of bodies.
//!
//! Content-Length is trusted if it leads to the end of the unit, to the next record, or to a blank
//! line before data that is not the rest of the body. A body may then contain whole archives.
//! Otherwise the record extends to the first line of the next one, before or after the declared
//! end. A unit that starts a record always ends the one before it (see `segments`). A trusted
//! length may still be wrong by some bytes of the separator (see `separator`).

use super::arc;
use super::reasons;
use super::record_start::{self, ArchiveFormat, PROBE_BYTES, WARC_PROBE_BYTES};
use super::segments::Segments;
use super::separator::{
    Digests, Fit, MAX_COMPARED_BYTES, MAX_SEPARATOR_BYTES, Separator, settle, wrong_length,
};
use corpus_bytes::record::RecordError;

/// Maximum length of a body that stays in the buffer until its length is confirmed, so that records
/// in it can still be found. Longer bodies are streamed up to the first record in them.
const MAX_HELD_BYTES: u64 = 1 << 20;
/// In a compressed file, the maximum number of bytes buffered between the start of a record inside
/// a body and the declared end of the body. Beyond it, the declared length is trusted.
const MAX_HELD_FROM_START_BYTES: u64 = 64 << 20;
const MAX_BLANK_BYTES: usize = 64 << 10;
/// Minimum number of consecutive zeros that count as padding or a lost sector rather than text.
const MIN_ZERO_BYTES: usize = 16;
/// Maximum number of bytes after a blank line that are searched for the end of the body.
const MAX_REST_OF_BODY_BYTES: usize = 256 << 10;
const SEPARATOR: &[u8] = b"\r\n\r\n";

/// The body of a record: a part of the buffer, or a copy made piece by piece.
#[derive(Default)]
pub struct Body {
    /// Start and length in the text buffer.
    pub held: Option<(usize, usize)>,
    pub copied: Vec<u8>,
    /// The length of the whole body.
    pub length: u64,
}

/// Reads a record after its header.
pub struct BodyReader<'a> {
    pub text: &'a mut Segments,
    pub kind: ArchiveFormat,
    pub body: &'a mut Body,
    /// Maximum number of bytes to copy; 0 if the body is not needed.
    pub limit: usize,
    /// The record starts a unit of a compressed file.
    pub starts_unit: bool,
    /// The separator to expect after the body.
    pub separator: Separator,
    pub digests: Digests<'a>,
}

impl BodyReader<'_> {
    /// Reads a body and the separator after it.
    pub fn read(&mut self, declared: Option<u64>, declares_length: bool) -> Option<RecordError> {
        let possible = declared.filter(|length| *length <= self.text.max_remaining_bytes());
        let error = match possible {
            Some(length) if self.jump_over(length) => None,
            Some(length) if length <= MAX_HELD_BYTES => self.read_held(length as usize),
            Some(length) => self.read_streamed(length),
            None => self.read_open(declared, declares_length),
        };
        self.settle_end();
        self.text.check_ahead();
        self.text.damage_of_record(error.as_ref()).or(error)
    }

    /// In an uncompressed file, skips a body without reading it, if the text after it confirms its
    /// length.
    fn jump_over(&mut self, length: u64) -> bool {
        let body = self.text.position();
        let buffered = self.text.bytes().len() as u64;
        let jumps = self.limit == 0 && length > buffered;
        if !jumps
            || !self
                .text
                .plain()
                .is_some_and(|plain| plain.should_jump(length - buffered))
        {
            return false;
        }
        let tail = length.min(MAX_SEPARATOR_BYTES as u64) as usize;
        let peek = self.text.peek_at(body + length - tail as u64);
        let consistent = self.ends_at(tail) && self.fit(tail) == Fit::Right;
        if consistent {
            self.text.accept_peek();
            self.text.consume(tail);
            self.body.length = length;
        } else {
            self.text.undo_peek(peek);
        }
        consistent
    }

    fn read_held(&mut self, length: usize) -> Option<RecordError> {
        if self.text.ensure(length) {
            if self.ends_at(length) {
                let fit = self.fit(length);
                let (found, error) = settle(fit, self.text.bytes(), length, self.digests);
                self.hold(found);
                return error;
            }
        } else if self.text.is_damaged() {
            return self.end_short(length as u64);
        }
        // The first line of the last record may extend beyond the declared end.
        self.text.ensure(length + PROBE_BYTES);
        let bytes = self.text.bytes();
        let searched = &bytes[..bytes.len().min(length + PROBE_BYTES)];
        let next =
            record_start::find(searched, true, Some(self.kind)).filter(|next| *next < length);
        if let Some(next) = next {
            let body = without_separator(&bytes[..next], self.kind).len();
            self.hold(body);
            self.text.consume(next - body);
            return Some(bad_length(length as u64, body as u64));
        }
        if self.text.bytes().len() < length {
            return self.end_short(length as u64);
        }
        self.copy(length as u64);
        self.copy_to_next_record();
        Some(bad_length(length as u64, self.body.length))
    }

    /// The segment ends before the body does.
    fn end_short(&mut self, declared: u64) -> Option<RecordError> {
        let bytes = self.text.bytes();
        let (all, body) = (bytes.len(), without_separator(bytes, self.kind).len());
        self.hold(body);
        self.text.consume(all - body);
        Some(truncated_body(declared, body as u64))
    }

    fn read_streamed(&mut self, length: u64) -> Option<RecordError> {
        let (stop, tail) = self.copy_to_record(length);
        let left = length - self.body.length;
        match stop {
            CopyEnd::Record if self.ends_after(left) => {
                if self.copy(left) < left {
                    return Some(truncated_body(length, self.body.length));
                }
                return None;
            }
            CopyEnd::Record => self.strip(tail.separator(self.kind)),
            CopyEnd::End if left > 0 => return Some(truncated_body(length, self.body.length)),
            CopyEnd::End | CopyEnd::Limit if self.ends_at(0) => return self.settle_streamed(&tail),
            CopyEnd::End | CopyEnd::Limit => {
                self.copy_to_next_record();
            }
        }
        Some(bad_length(length, self.body.length))
    }

    /// Determines the end of a body that has left the buffer, without its digest. `tail` has its
    /// last bytes.
    fn settle_streamed(&mut self, tail: &Tail) -> Option<RecordError> {
        let declared = self.body.length;
        match self.fit_after(&tail.0) {
            Fit::Short(count) => self.strip(count),
            Fit::Long {
                surplus,
                is_odd: true,
            } => {
                self.copy(surplus as u64);
            }
            Fit::Right | Fit::Long { is_odd: false, .. } => return None,
        }
        let length = |length| usize::try_from(length).unwrap_or(usize::MAX);
        Some(wrong_length(
            length(declared),
            length(self.body.length),
            None,
        ))
    }

    /// Compares the text at the end of the record, `at` bytes from here, with the separator.
    fn fit(&mut self, at: usize) -> Fit {
        let rest = self.text.bytes().get(at..).unwrap_or_default();
        if self.separator.is_exactly_at(rest) {
            return Fit::Right;
        }
        self.text.ensure(at + MAX_COMPARED_BYTES);
        let bytes = self.text.bytes();
        let (body, rest) = bytes.split_at(at.min(bytes.len()));
        let (line_ends, is_last) = line_ends_of(rest);
        self.separator.fit(body, line_ends, is_last)
    }

    /// Compares the text here with the separator after a body that ends with `tail`.
    fn fit_after(&mut self, tail: &[u8]) -> Fit {
        if self.separator.is_exactly_at(self.text.bytes()) {
            return Fit::Right;
        }
        self.text.ensure(MAX_COMPARED_BYTES);
        let (line_ends, is_last) = line_ends_of(self.text.bytes());
        self.separator.fit(tail, line_ends, is_last)
    }

    /// Whether the body may end `left` bytes from here, although a record seems to start here.
    fn ends_after(&mut self, left: u64) -> bool {
        let position = self.text.position();
        if self.text.can_jump() {
            let peek = self.text.peek_at(position + left);
            let ends = self.ends_at(0);
            self.text.undo_peek(peek);
            return ends;
        }
        match usize::try_from(left)
            .ok()
            .filter(|_| left <= MAX_HELD_FROM_START_BYTES)
        {
            Some(left) => self.text.ensure(left) && self.ends_at(left),
            None => true,
        }
    }

    /// The length is missing or unusable: the body goes up to the next record.
    fn read_open(&mut self, declared: Option<u64>, declares_length: bool) -> Option<RecordError> {
        let found = self.copy_to_next_record();
        let length = self.body.length;
        match declared {
            Some(declared) if !found => Some(truncated_body(declared, length)),
            Some(declared) => Some(bad_length(declared, length)),
            // The record has a separate unit, whose end determines the length just as well.
            None if !found && self.starts_unit && !declares_length => None,
            None => Some(RecordError::new(
                reasons::BAD_LENGTH,
                format!("no usable length, {length} bytes up to the next record"),
            )),
        }
    }

    fn hold(&mut self, length: usize) {
        self.body.held = Some((self.text.buffer_start(), length));
        self.body.length = length as u64;
        self.text.consume(length);
    }

    /// Whether the record may end `at` bytes from here.
    fn ends_at(&mut self, at: usize) -> bool {
        let mut end = at;
        let mut line_ends = 0;
        let mut zeros = 0;
        loop {
            match self.text.bytes().get(end) {
                // Padding follows the separator; zeros before it belong to the body.
                Some(b'\n' | b'\r') if zeros > 0 && line_ends == 0 => break,
                Some(b'\n') => line_ends += 1,
                Some(b'\r') => {}
                Some(0) => zeros += 1,
                Some(_) => break,
                None => {
                    if !self.text.fill_unit() {
                        return true;
                    }
                    continue;
                }
            }
            end += 1;
            if end - at > MAX_BLANK_BYTES {
                return true;
            }
        }
        let probe = match self.kind {
            ArchiveFormat::Warc => WARC_PROBE_BYTES,
            ArchiveFormat::Arc => PROBE_BYTES,
        };
        self.text.ensure(end + probe);
        let bytes = self.text.bytes();
        if record_start::is_at(&bytes[end..], Some(self.kind)) {
            // The tail of an ARC line still looks like an ARC line.
            return self.kind == ArchiveFormat::Warc
                || line_ends > 0
                || bytes[..end].ends_with(b"\n");
        }
        // Damage after the separator does not invalidate the length.
        let separated = match self.kind {
            ArchiveFormat::Warc => line_ends >= 2,
            ArchiveFormat::Arc => line_ends >= 1,
        };
        separated && (zeros >= MIN_ZERO_BYTES || !self.body_continues(at, end))
    }

    /// Whether the text after a separator, where no record starts, is the rest of the body: another
    /// separator follows it, and it does not look like a damaged header.
    fn body_continues(&mut self, separator: usize, start: usize) -> bool {
        let rest = self.next_record_start(start);
        let bytes = self.text.bytes();
        let separator: &[u8] = match self.kind {
            ArchiveFormat::Arc => b"\n",
            ArchiveFormat::Warc if bytes[separator..start].contains(&b'\r') => SEPARATOR,
            ArchiveFormat::Warc => b"\n\n",
        };
        let rest = rest.and_then(|end| bytes.get(start..end));
        rest.is_some_and(|rest| {
            rest.ends_with(separator) && !looks_like_damaged_header(rest, self.kind)
        })
    }

    /// Returns the start of the next record after `start`, or the end of the segment; `None` if
    /// both are too far away. Tries a short search first, because most records are near.
    fn next_record_start(&mut self, start: usize) -> Option<usize> {
        for size in [2 * PROBE_BYTES, MAX_REST_OF_BODY_BYTES] {
            let more = self.text.ensure(start + size);
            let is_all = !more || size == MAX_REST_OF_BODY_BYTES;
            let bytes = self.text.bytes();
            let end = bytes.len().min(start + size);
            let searched = bytes.get(start..end).unwrap_or_default();
            match record_start::find(searched, false, Some(self.kind)) {
                // More text could show that no record starts there.
                Some(next) if is_all || next + PROBE_BYTES <= searched.len() => {
                    return Some(start + next);
                }
                None if !more && !self.text.is_damaged() => return Some(end),
                None if is_all => return None,
                _ => {}
            }
        }
        None
    }

    /// Moves up to `length` bytes of text to the copied body. Returns their number.
    fn copy(&mut self, length: u64) -> u64 {
        let mut left = length;
        while left > 0 {
            let wanted = self.limit.saturating_sub(self.body.copied.len());
            if wanted == 0 {
                left -= self.text.skip(left);
                break;
            }
            if self.text.bytes().is_empty() {
                self.text.release();
                if !self.text.fill() {
                    break;
                }
            }
            let bytes = self.text.bytes();
            let step = bytes
                .len()
                .min(wanted)
                .min(usize::try_from(left).unwrap_or(usize::MAX));
            self.body.copied.extend_from_slice(&bytes[..step]);
            self.text.consume(step);
            left -= step as u64;
        }
        self.body.length += length - left;
        length - left
    }

    /// Moves everything before the next record to the copied body. Returns whether there is a next
    /// record in this segment.
    fn copy_to_next_record(&mut self) -> bool {
        let (stop, tail) = self.copy_to_record(u64::MAX);
        self.strip(tail.separator(self.kind));
        stop == CopyEnd::Record
    }

    /// Moves text up to the next record, but at most `limit` bytes, to the copied body.
    fn copy_to_record(&mut self, limit: u64) -> (CopyEnd, Tail) {
        let mut scan = RecordScan::new(Some(self.kind), self.body.length == 0);
        let mut tail = Tail::default();
        let mut left = limit;
        loop {
            self.text.release();
            let step = scan.next(self.text);
            let length = step.length.min(usize::try_from(left).unwrap_or(usize::MAX));
            tail.push(&self.text.bytes()[..length]);
            self.copy(length as u64);
            left -= length as u64;
            if left == 0 {
                return (CopyEnd::Limit, tail);
            }
            if !step.goes_on {
                let stop = if step.found {
                    CopyEnd::Record
                } else {
                    CopyEnd::End
                };
                return (stop, tail);
            }
        }
    }

    /// Removes the separator, of `count` bytes, from the end of the body.
    fn strip(&mut self, count: usize) {
        if self.body.copied.len() as u64 == self.body.length {
            self.body
                .copied
                .truncate(self.body.copied.len().saturating_sub(count));
        }
        self.body.length = self.body.length.saturating_sub(count as u64);
        let kept = usize::try_from(self.body.length).unwrap_or(usize::MAX);
        self.body.copied.truncate(kept);
    }

    /// Consumes the line ends after the body. If the unit ends there, its checksum is verified now.
    fn settle_end(&mut self) {
        let mut consumed = 0;
        while consumed <= MAX_BLANK_BYTES {
            let bytes = self.text.bytes();
            let blank = bytes
                .iter()
                .take_while(|b| matches!(b, b'\r' | b'\n'))
                .count();
            let unit_goes_on = blank < bytes.len();
            self.text.consume(blank);
            consumed += blank;
            if unit_goes_on || !self.text.fill_unit() {
                return;
            }
        }
    }
}

/// The line ends at the start of some text, and whether nothing follows them.
fn line_ends_of(text: &[u8]) -> (&[u8], bool) {
    let text = text.get(..MAX_COMPARED_BYTES).unwrap_or(text);
    let count = text.iter().take_while(|b| matches!(b, b'\r' | b'\n'));
    let count = count.count();
    (text.get(..count).unwrap_or_default(), count == text.len())
}

fn looks_like_damaged_header(text: &[u8], kind: ArchiveFormat) -> bool {
    match kind {
        ArchiveFormat::Warc => {
            text.starts_with(b"WARC") || memchr::memmem::find(text, b"WARC-").is_some()
        }
        ArchiveFormat::Arc => arc::looks_like_damaged_line(text),
    }
}

/// The end of copying a body.
#[derive(Clone, Copy, PartialEq)]
enum CopyEnd {
    Record,
    Limit,
    /// The segment ended.
    End,
}

/// The last bytes of a body that is read in pieces.
#[derive(Default)]
struct Tail(Vec<u8>);

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        self.0
            .extend_from_slice(&bytes[bytes.len().saturating_sub(SEPARATOR.len())..]);
        let surplus = self.0.len().saturating_sub(SEPARATOR.len());
        self.0.drain(..surplus);
    }

    fn separator(&self, kind: ArchiveFormat) -> usize {
        self.0.len() - without_separator(&self.0, kind).len()
    }
}

/// Searches the text for the next record, in steps of bounded size.
pub struct RecordScan {
    kind: Option<ArchiveFormat>,
    line_start: bool,
}

pub struct ScanStep {
    /// The number of bytes before the next record, or before the text not yet searched.
    pub length: usize,
    pub found: bool,
    pub goes_on: bool,
}

impl RecordScan {
    pub fn new(kind: Option<ArchiveFormat>, line_start: bool) -> Self {
        Self { kind, line_start }
    }

    pub fn next(&mut self, text: &mut Segments) -> ScanStep {
        // Near the end of the buffer, the first line of a record may be incomplete.
        let more = text.ensure(2 * PROBE_BYTES + 1);
        let bytes = text.bytes();
        let certain = if more {
            bytes.len() - PROBE_BYTES
        } else {
            bytes.len()
        };
        let found =
            record_start::find(bytes, self.line_start, self.kind).filter(|at| *at < certain);
        let length = found.unwrap_or(certain);
        if length > 0 {
            self.line_start = bytes[length - 1] == b'\n';
        }
        ScanStep {
            length,
            found: found.is_some(),
            goes_on: more && found.is_none(),
        }
    }
}

fn without_separator(bytes: &[u8], kind: ArchiveFormat) -> &[u8] {
    let lines = match kind {
        ArchiveFormat::Warc => 2,
        ArchiveFormat::Arc => 1,
    };
    let mut rest = bytes;
    for _ in 0..lines {
        let Some(line) = rest.strip_suffix(b"\n") else {
            break;
        };
        rest = line.strip_suffix(b"\r").unwrap_or(line);
    }
    rest
}

fn truncated_body(declared: u64, found: u64) -> RecordError {
    RecordError::new(
        reasons::TRUNCATED,
        format!("{declared} bytes declared, {found} found"),
    )
}

fn bad_length(declared: u64, found: u64) -> RecordError {
    RecordError::new(
        reasons::BAD_LENGTH,
        format!("{declared} bytes declared, {found} up to the next record"),
    )
}
