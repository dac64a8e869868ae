//! Recognizes the first line of a record: a WARC version line or an ARC URL-record line.

use memchr::memmem;

use super::arc;
use corpus_bytes::step_counter::count_steps;

/// Maximum number of bytes examined to recognize a record. The limit makes the result independent
/// of the amount of text in a buffer.
pub const PROBE_BYTES: usize = arc::MAX_LINE_BYTES;
/// Number of bytes that contain a WARC version line and the start of the next line.
pub const WARC_PROBE_BYTES: usize = 48;
/// Maximum number of bytes of a line that are searched for the colon of a field.
const MAX_FIELD_NAME_BYTES: usize = 1 << 10;
const MAX_VERSION_BYTES: usize = 16;
pub const MAX_VERSION_LINE_BYTES: usize = MAX_VERSION_BYTES + 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveFormat {
    Warc,
    Arc,
}

/// Returns the kind of the record that starts at the start of `text`.
pub fn at(text: &[u8]) -> Option<ArchiveFormat> {
    let text = &text[..text.len().min(PROBE_BYTES)];
    if version_line(text).is_some() {
        Some(ArchiveFormat::Warc)
    } else if arc::line_at(text).is_some() {
        Some(ArchiveFormat::Arc)
    } else {
        None
    }
}

pub fn is_at(text: &[u8], kind: Option<ArchiveFormat>) -> bool {
    match kind {
        Some(ArchiveFormat::Warc) => version_line(text).is_some(),
        Some(ArchiveFormat::Arc) => at(text) == kind,
        None => at(text).is_some(),
    }
}

/// Returns the length of the WARC version line at the start of `text`.
pub fn version_line(text: &[u8]) -> Option<usize> {
    let (name, version) = text.split_first_chunk::<5>()?;
    if !name.eq_ignore_ascii_case(b"WARC/") {
        return None;
    }
    let end = memchr::memchr(b'\n', &version[..version.len().min(MAX_VERSION_BYTES)])?;
    let number = version[..end].trim_ascii();
    let digits = number.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    (digits && number.first()?.is_ascii_digit() && number.contains(&b'.')).then_some(5 + end + 1)
}

/// Finds the next record in `text`, whose first byte starts a line if `line_start`.
///
/// A version line within a line counts if a WARC field follows it: a crawler that dies while
/// writing leaves half a record, and the next record starts immediately after it.
pub fn find(text: &[u8], line_start: bool, kind: Option<ArchiveFormat>) -> Option<usize> {
    let warc = match kind {
        Some(ArchiveFormat::Arc) => None,
        _ => {
            let upper = find_warc(text, b"WARC/", line_start);
            let before = &text[..upper.unwrap_or(text.len())];
            find_warc(before, b"warc/", line_start).or(upper)
        }
    };
    let arc = match kind {
        Some(ArchiveFormat::Warc) => None,
        _ => find_arc(&text[..warc.unwrap_or(text.len())], line_start),
    };
    let found = arc.or(warc);
    count_steps(found.unwrap_or(text.len()));
    found
}

fn find_warc(text: &[u8], name: &[u8], line_start: bool) -> Option<usize> {
    memmem::find_iter(text, name).find(|at| {
        let Some(length) = version_line(&text[*at..]) else {
            return false;
        };
        let starts_line = match at.checked_sub(1) {
            Some(before) => text[before] == b'\n',
            None => line_start,
        };
        let next = &text[at + length..];
        is_warc_field(next) || starts_line && may_be_field(next)
    })
}

/// Whether this may be a header line. Texts about WARC also contain version lines.
fn may_be_field(line: &[u8]) -> bool {
    let line = &line[..line.len().min(MAX_FIELD_NAME_BYTES)];
    match memchr::memchr2(b':', b'\n', line) {
        Some(at) => line[at] == b':' || line[..at].trim_ascii().is_empty(),
        None => true,
    }
}

/// Whether a line starts with the name of a standard field.
pub fn is_warc_field(line: &[u8]) -> bool {
    let starts = |name: &[u8]| {
        line.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    starts(b"WARC-") || starts(b"Content-")
}

fn find_arc(text: &[u8], line_start: bool) -> Option<usize> {
    let starts = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    line_start
        .then_some(0)
        .into_iter()
        .chain(starts)
        .find(|at| arc::line_at(&text[*at..]).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_lines() {
        for line in ["WARC/1.0\r\n", "warc/0.17\n", "WARC/1.1 \r\n"] {
            assert_eq!(at(line.as_bytes()), Some(ArchiveFormat::Warc), "{line}");
        }
        for line in [
            "WARC/1.0",
            "WARC/x\r\n",
            "WARC/\n",
            "WARC-1.0\n",
            "HTTP/1.1\n",
            "WARC/1.0 and more\n",
        ] {
            assert_eq!(at(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn finds_the_next_head() {
        let find = |text: &str| find(text.as_bytes(), false, Some(ArchiveFormat::Warc));
        assert_eq!(find("x\nWARC/1.0\r\n"), Some(2));
        assert_eq!(find("x\nWARC/1.0\r\nis a format\r\n"), None);
        assert_eq!(find("x\nWARC/1.0\r\n\r\n"), Some(2));
        assert_eq!(find("x WARC/1.0\r\n"), None);
        assert_eq!(find("x WARC/1.0\r\nwarc-type: response"), Some(2));
    }
}
