//! Finds the ends of header blocks.

use super::arc;
use super::record_start::{self, ArchiveFormat, PROBE_BYTES};
use super::segments::Segments;
use corpus_bytes::step_counter::count_steps;

/// Maximum size of a header block. Longer ones are errors.
const MAX_HEADER_BYTES: usize = 1 << 20;

pub enum HeaderEnd {
    /// The length of the header block.
    At(usize),
    /// The header is truncated after this many bytes, by the end of the segment or by the next
    /// record.
    Cut(usize),
    /// No end was found within this many bytes.
    Oversized(usize),
}

/// Measures the header block of a record of this kind at the start of the text.
pub fn measure_header(text: &mut Segments, kind: ArchiveFormat) -> HeaderEnd {
    if kind == ArchiveFormat::Arc {
        text.ensure(PROBE_BYTES);
        let size = arc::line_at(text.bytes()).map_or(0, |line| line.size);
        return HeaderEnd::At(size);
    }
    let mut line = record_start::version_line(text.bytes()).unwrap_or_default();
    // Searched bytes are not searched again when more of a line arrives.
    let mut searched = line;
    loop {
        let bytes = text.bytes();
        let found = memchr::memchr(b'\n', &bytes[searched..]);
        let end = found.map_or(bytes.len(), |at| searched + at + 1);
        count_steps(end - searched);
        searched = end;
        if end > MAX_HEADER_BYTES {
            return HeaderEnd::Oversized(MAX_HEADER_BYTES);
        }
        if found.is_none() {
            if !text.fill() {
                return HeaderEnd::Cut(end);
            }
        } else if is_blank_line(&bytes[line..end]) {
            return HeaderEnd::At(end);
        } else if let Some(at) = next_record_in_line(&bytes[line..end]) {
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

/// Returns where the next record starts in a line. After a truncated header block, it may follow on
/// a new line or within a line. `Name: WARC/1.0` is a field, unless the field cannot have that
/// value.
fn next_record_in_line(line: &[u8]) -> Option<usize> {
    let end = line
        .len()
        .saturating_sub(record_start::MAX_VERSION_LINE_BYTES);
    let at = end + memchr::memmem::find(&line[end..], b"WARC/")?;
    let before = line[..at].trim_ascii_end();
    let is_value = before.ends_with(b":") && !record_start::is_warc_field(before);
    (!is_value && record_start::version_line(&line[at..]).is_some()).then_some(at)
}
