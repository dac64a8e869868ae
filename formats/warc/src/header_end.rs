//! Where heads end.

use super::arc;
use super::record_start::{self, Kind, PROBE};
use super::segments::Segments;
use corpus_bytes::work::count_steps;

/// A longer header block is given up.
const MAX_HEADER: usize = 1 << 20;

pub enum HeaderEnd {
    /// The header block is this long.
    At(usize),
    /// The segment, or the next record, ends it after this many bytes.
    Cut(usize),
    /// It goes on and on, at least for this many bytes.
    Oversized(usize),
}

/// Measures the header block of a record of this kind at the start of the text.
pub fn measure_header(text: &mut Segments, kind: Kind) -> HeaderEnd {
    if kind == Kind::Arc {
        text.ensure(PROBE);
        let size = arc::line_at(text.bytes()).map_or(0, |line| line.size);
        return HeaderEnd::At(size);
    }
    let mut line = record_start::version_line(text.bytes()).unwrap_or_default();
    // A line that comes in many pieces is searched once.
    let mut searched = line;
    loop {
        let bytes = text.bytes();
        let found = memchr::memchr(b'\n', &bytes[searched..]);
        let end = found.map_or(bytes.len(), |at| searched + at + 1);
        count_steps(end - searched);
        searched = end;
        if end > MAX_HEADER {
            return HeaderEnd::Oversized(MAX_HEADER);
        }
        if found.is_none() {
            if !text.fill() {
                return HeaderEnd::Cut(end);
            }
        } else if is_blank_line(&bytes[line..end]) {
            return HeaderEnd::At(end);
        } else if let Some(at) = next_head_in_line(&bytes[line..end]) {
            return HeaderEnd::Cut(line + at);
        } else {
            line = end;
        }
    }
}

/// Some writers end lines with CR CR LF.
fn is_blank_line(line: &[u8]) -> bool {
    line.iter().all(|b| matches!(b, b'\r' | b'\n'))
}

/// A header block that was cut short goes over into the next record, in a new line or in the
/// middle of one. `Name: WARC/1.0` is a field, unless no such field can have that value.
fn next_head_in_line(line: &[u8]) -> Option<usize> {
    let end = line.len().saturating_sub(record_start::MAX_VERSION_LINE);
    let at = end + memchr::memmem::find(&line[end..], b"WARC/")?;
    let before = line[..at].trim_ascii_end();
    let is_value = before.ends_with(b":") && !record_start::is_warc_field(before);
    (!is_value && record_start::version_line(&line[at..]).is_some()).then_some(at)
}
