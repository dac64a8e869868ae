//! The header fields of a record that are columns, and the precedence between header and column.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use chrono::{DateTime, SecondsFormat};
use corpus_bytes::columns::ColumnType;
use corpus_bytes::record::Value;
use uuid::Uuid;

use crate::header::header_value;

/// One header line.
pub type Line<'a> = (&'a str, Cow<'a, str>);

/// A header field that is a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    pub header: &'static str,
    pub column: &'static str,
    pub kind: ColumnType,
    /// Whether the value is written between `<` and `>`.
    is_bracketed: bool,
}

const fn field(header: &'static str, column: &'static str) -> Field {
    Field {
        header,
        column,
        kind: ColumnType::Text,
        is_bracketed: false,
    }
}

const fn identifier(header: &'static str, column: &'static str) -> Field {
    Field {
        is_bracketed: true,
        ..field(header, column)
    }
}

const fn date(header: &'static str, column: &'static str) -> Field {
    Field {
        kind: ColumnType::Timestamp,
        ..field(header, column)
    }
}

pub const TYPE: &str = "WARC-Type";
pub const ID: &str = "WARC-Record-ID";
pub const DATE: &str = "WARC-Date";
pub const TARGET_URI: &str = "WARC-Target-URI";
pub const TRUNCATED: &str = "WARC-Truncated";
pub const PAYLOAD_DIGEST: &str = "WARC-Payload-Digest";
pub const BLOCK_DIGEST: &str = "WARC-Block-Digest";
pub const PROFILE: &str = "WARC-Profile";
pub const CONTENT_TYPE: &str = "Content-Type";

/// All fields, in the order in which they are written.
pub const FIELDS: [Field; 13] = [
    field(TYPE, "warc_type"),
    identifier(ID, "record_id"),
    date(DATE, "date"),
    field(TARGET_URI, "target_uri"),
    field("WARC-IP-Address", "ip_address"),
    field(PAYLOAD_DIGEST, "payload_digest"),
    field(BLOCK_DIGEST, "block_digest"),
    identifier("WARC-Refers-To", "refers_to"),
    field("WARC-Refers-To-Target-URI", "refers_to_target_uri"),
    date("WARC-Refers-To-Date", "refers_to_date"),
    field(PROFILE, "profile"),
    field(TRUNCATED, "truncated"),
    field(CONTENT_TYPE, "content_type"),
];

/// The value of a column in one row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Cell<'a> {
    /// The query has no such column.
    #[default]
    Absent,
    Null,
    Text(&'a str),
    /// Microseconds since the epoch.
    Date(i64),
}

/// A date that WARC cannot express.
#[derive(Debug, PartialEq, Eq)]
pub struct BadDate(pub i64);

impl fmt::Display for BadDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(micros) = self;
        write!(
            f,
            "{micros} microseconds from 1970 are not within the years 0 to 9999 of WARC"
        )
    }
}

impl Error for BadDate {}

impl Field {
    /// Applies a column to the lines: a column that agrees with its line leaves it unchanged, a
    /// different value replaces it, and NULL removes it. Returns whether the lines changed.
    pub fn apply<'a>(&self, cell: Cell<'a>, lines: &mut Vec<Line<'a>>) -> Result<bool, BadDate> {
        // Like in the reader, the first line with a value counts.
        let at = lines
            .iter()
            .position(|(name, value)| self.is(name) && !value.is_empty());
        let current = match at {
            Some(at) => header_value(self.header, self.kind, &lines[at].1),
            None => Value::Null,
        };
        let value = match (cell, current) {
            (Cell::Absent, _) | (Cell::Null, Value::Null) => return Ok(false),
            (Cell::Text(text), Value::Text(current)) if text == current => return Ok(false),
            (Cell::Date(date), Value::Timestamp(current)) if date == current => return Ok(false),
            (Cell::Null, _) => {
                lines.retain(|(name, _)| !self.is(name));
                return Ok(true);
            }
            (Cell::Date(date), _) => Cow::from(format_date(date)?),
            (Cell::Text(text), _) if self.is_bracketed && !text.starts_with('<') => {
                Cow::from(format!("<{text}>"))
            }
            (Cell::Text(text), _) => Cow::from(text),
        };
        let name = at.map_or(self.header, |at| lines[at].0);
        let at = at.unwrap_or(lines.len());
        let mut position = 0;
        lines.retain(|(name, _)| {
            position += 1;
            position <= at + 1 || !self.is(name)
        });
        match lines.get_mut(at) {
            Some(line) if self.is(line.0) => line.1 = value,
            _ => lines.push((name, value)),
        }
        Ok(true)
    }

    fn is(&self, name: &str) -> bool {
        self.header.eq_ignore_ascii_case(name)
    }
}

/// Returns the line with a name, in any case.
pub fn find<'l, 'a>(lines: &'l mut [Line<'a>], name: &str) -> Option<&'l mut Line<'a>> {
    lines
        .iter_mut()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
}

pub fn has(lines: &[Line], name: &str) -> bool {
    lines
        .iter()
        .any(|(known, _)| known.eq_ignore_ascii_case(name))
}

pub fn new_id() -> String {
    format!("<{}>", Uuid::new_v4().urn())
}

/// Formats a date. Years have four digits in WARC.
pub fn format_date(micros: i64) -> Result<String, BadDate> {
    let date = DateTime::from_timestamp_micros(micros).ok_or(BadDate(micros))?;
    let precision = match date.timestamp_subsec_micros() {
        0 => SecondsFormat::Secs,
        _ => SecondsFormat::Micros,
    };
    let text = date.to_rfc3339_opts(precision, true);
    match text.as_bytes() {
        [year, _, _, _, b'-', ..] if year.is_ascii_digit() => Ok(text),
        _ => Err(BadDate(micros)),
    }
}
