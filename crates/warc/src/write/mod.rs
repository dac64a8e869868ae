//! Writes WARC 1.1 records.
//!
//! A record that is unchanged since it was read is written with the same bytes. (The `warc` crate
//! writes a map of headers, which loses their order and repeats.)
//!
//! ```
//! use corpus_warc::write::{Cell, FIELDS, RecordFields};
//!
//! let mut record = RecordFields::default();
//! record.body = Some(b"hello");
//! for (field, cell) in FIELDS.iter().zip(&mut record.cells) {
//!     *cell = match field.column {
//!         "warc_type" => Cell::Text("resource"),
//!         "target_uri" => Cell::Text("http://example.org/"),
//!         _ => Cell::Absent,
//!     };
//! }
//! let mut out = Vec::new();
//! record.write(&mut out)?;
//! let mut records = corpus_warc::WarcReader::from_bytes(out)?;
//! assert_eq!(records.next().map(|record| record.body), Some(b"hello".to_vec()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use crate::digest::{self, http_payload};
use chrono::Utc;

mod fields;

use self::fields::{
    BLOCK_DIGEST, CONTENT_TYPE, DATE, ID, Line, PAYLOAD_DIGEST, PROFILE, TARGET_URI, TRUNCATED,
    TYPE, find, format_date, has, new_id,
};
pub use self::fields::{BadDate, Cell, FIELDS, Field};

const LENGTH: &str = "Content-Length";
const SEGMENT: &str = "WARC-Segment-Number";

/// The profiles of revisit records: how the crawler knows that the content has not changed.
const SAME_DIGEST: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
const NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

/// The values that make a record. `headers` with a WARC-Type are kept unchanged, except for fields
/// that differ from their columns. Of other headers, only the `WARC-` fields are kept.
#[derive(Debug, Default)]
pub struct RecordFields<'a> {
    /// The values of [`FIELDS`].
    pub cells: [Cell<'a>; FIELDS.len()],
    pub headers: Vec<(&'a str, &'a str)>,
    /// `None` if the query has no body.
    pub body: Option<&'a [u8]>,
    /// Whether the reader cut the body.
    pub body_truncated: bool,
    /// Whether the body is unchanged since it was read.
    pub body_kept: bool,
}

/// The reason why a row cannot be written as a record.
#[derive(Debug, PartialEq, Eq)]
pub enum NoRecord {
    NoType,
    Date(BadDate),
}

impl fmt::Display for NoRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoType => f.write_str("a record needs a WARC-Type"),
            Self::Date(date) => date.fmt(f),
        }
    }
}

impl Error for NoRecord {}

impl From<BadDate> for NoRecord {
    fn from(date: BadDate) -> Self {
        Self::Date(date)
    }
}

impl RecordFields<'_> {
    /// The URI or the identifier, for messages.
    pub fn name(&self) -> &str {
        let cells = FIELDS.iter().zip(self.cells);
        let mut names = cells.filter_map(|(field, cell)| match cell {
            Cell::Text(text) if matches!(field.column, "target_uri" | "record_id") => Some(text),
            _ => None,
        });
        names.next_back().unwrap_or("without target_uri")
    }

    /// Appends the record to `out`.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), NoRecord> {
        let body = self.body.unwrap_or_default();
        let has_type =
            |(name, value): &(&str, &str)| name.eq_ignore_ascii_case(TYPE) && !value.is_empty();
        let is_read = self.headers.iter().any(has_type);
        let mut lines: Vec<Line> = Vec::with_capacity(self.headers.len() + FIELDS.len());
        let kept = self
            .headers
            .iter()
            .filter(|(name, _)| is_read || is_warc_field(name));
        lines.extend(kept.map(|(name, value)| (*name, Cow::from(*value))));
        let is_unchanged = is_read
            && self.body_kept
            && !self.body_truncated
            && self
                .body
                .is_some_and(|body| declared_length(&lines) == Some(body.len()));

        let mut changed = [false; FIELDS.len()];
        for ((field, cell), changed) in FIELDS.iter().zip(self.cells).zip(&mut changed) {
            *changed = field.apply(cell, &mut lines)?;
            if !has(&lines, field.header) {
                match field.header {
                    TYPE => return Err(NoRecord::NoType),
                    ID => lines.push((ID, Cow::from(new_id()))),
                    DATE => {
                        let now = format_date(Utc::now().timestamp_micros())?;
                        lines.push((DATE, Cow::from(now)));
                    }
                    _ => {}
                }
            }
        }
        let is_changed = |field: &str| {
            let mut fields = FIELDS.iter().zip(changed);
            fields.any(|(known, changed)| known.header == field && changed)
        };
        if is_type(&lines, "revisit") && !has(&lines, PROFILE) && is_changed(TYPE) {
            let profile = if has(&lines, PAYLOAD_DIGEST) {
                SAME_DIGEST
            } else {
                NOT_MODIFIED
            };
            lines.push((PROFILE, Cow::from(profile)));
        }
        if self.body_truncated && !has(&lines, TRUNCATED) {
            lines.push((TRUNCATED, Cow::from("length")));
        }
        set_length(&mut lines, body.len());
        if !is_unchanged || is_changed(BLOCK_DIGEST) {
            correct_digest(&mut lines, BLOCK_DIGEST, body, is_changed(BLOCK_DIGEST));
        }
        // The payload of a revisit or segment is in other records.
        let is_elsewhere = is_type(&lines, "revisit") || has(&lines, SEGMENT);
        if !is_elsewhere && (!is_unchanged || is_changed(PAYLOAD_DIGEST)) {
            let payload = if is_http(&lines) {
                http_payload(body)
            } else {
                Some(body)
            };
            match payload {
                Some(payload) => {
                    let is_supplied = is_changed(PAYLOAD_DIGEST);
                    correct_digest(&mut lines, PAYLOAD_DIGEST, payload, is_supplied);
                }
                // This is not an HTTP message, and readers disagree about its payload.
                None => lines.retain(|(name, _)| !name.eq_ignore_ascii_case(PAYLOAD_DIGEST)),
            }
        }
        write(&lines, body, out);
        Ok(())
    }
}

fn write(lines: &[Line], body: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"WARC/1.1\r\n");
    for (name, value) in lines {
        out.extend_from_slice(one_line(name).as_bytes());
        out.extend_from_slice(b": ");
        out.extend_from_slice(one_line(value).as_bytes());
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(body);
    out.extend_from_slice(b"\r\n\r\n");
}

/// Replaces line breaks in a field, which would start another field or the body.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\r', '\n']) {
        Cow::from(text.replace(['\r', '\n'], " "))
    } else {
        Cow::from(text)
    }
}

/// Whether the field belongs to WARC, and not to another header such as ARC's.
fn is_warc_field(name: &str) -> bool {
    let prefix = name.get(..5);
    prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case("WARC-"))
}

fn value<'l>(lines: &'l [Line], name: &str) -> Option<&'l str> {
    let mut named = lines
        .iter()
        .filter(|(known, _)| known.eq_ignore_ascii_case(name));
    named.next().map(|(_, value)| value.as_ref())
}

fn is_type(lines: &[Line], kind: &str) -> bool {
    value(lines, TYPE).is_some_and(|value| value.eq_ignore_ascii_case(kind))
}

/// Whether readers expect a message of HTTP in the body.
fn is_http(lines: &[Line]) -> bool {
    let begins = |name: &str, start: &str| {
        let beginning = value(lines, name).and_then(|value| value.get(..start.len()));
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
    };
    let has_message = is_type(lines, "response") || is_type(lines, "request");
    let is_web = begins(TARGET_URI, "http:") || begins(TARGET_URI, "https:");
    begins(CONTENT_TYPE, "application/http") || has_message && is_web
}

fn declared_length(lines: &[Line]) -> Option<usize> {
    value(lines, LENGTH)?.trim().parse().ok()
}

/// Sets the length in its first line, and removes repeated ones.
fn set_length<'a>(lines: &mut Vec<Line<'a>>, length: usize) {
    let is_length = |name: &str| name.eq_ignore_ascii_case(LENGTH);
    let mut is_first = true;
    lines.retain(|(name, _)| !is_length(name) || std::mem::take(&mut is_first));
    let length = Cow::from(length.to_string());
    match find(lines, LENGTH) {
        Some(line) => line.1 = length,
        None => lines.push((LENGTH, length)),
    }
}

/// Replaces a wrong digest by the correct one of its algorithm. Digests of unknown algorithms are
/// removed, because the content has changed, unless the query supplies them.
fn correct_digest(lines: &mut Vec<Line>, name: &str, data: &[u8], is_supplied: bool) {
    let Some(line) = find(lines, name) else {
        return;
    };
    if digest::verify(&line.1, data) == Some(true) {
        return;
    }
    match digest::recompute(&line.1, data) {
        Some(correct) => line.1 = Cow::from(correct),
        None if is_supplied => {}
        None => lines.retain(|(known, _)| !known.eq_ignore_ascii_case(name)),
    }
}

#[cfg(test)]
mod tests;
