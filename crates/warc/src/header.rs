//! The header of a record: its text, and the ranges of the columns in it.

use std::cell::OnceCell;
use std::ops::Range;

use super::arc;
use super::columns;
use super::date;
use corpus_bytes::columns::ColumnType;
use corpus_bytes::record::Value;
use corpus_bytes::step_counter::count_steps;

/// The WARC fields that are columns. The first of repeated fields is used.
const FIELDS: [(&str, usize); 11] = [
    ("WARC-Type", columns::WARC_TYPE),
    ("WARC-Record-ID", columns::RECORD_ID),
    ("WARC-Date", columns::DATE),
    ("WARC-Target-URI", columns::TARGET_URI),
    ("Content-Type", columns::CONTENT_TYPE),
    ("WARC-IP-Address", columns::IP_ADDRESS),
    ("WARC-Payload-Digest", columns::PAYLOAD_DIGEST),
    ("WARC-Block-Digest", columns::BLOCK_DIGEST),
    ("WARC-Refers-To", columns::REFERS_TO),
    ("WARC-Truncated", columns::TRUNCATED),
    ("Content-Length", columns::CONTENT_LENGTH),
];

/// The types of records. Some programs write them in upper case.
const TYPES: [&str; 8] = [
    "warcinfo",
    "response",
    "resource",
    "request",
    "metadata",
    "revisit",
    "conversion",
    "continuation",
];

/// The field of a record that `continuation` records go on with.
const SEGMENT_NUMBER: &str = "WARC-Segment-Number";

/// The value of the column `truncated` for such a record.
const SEGMENT: &str = "segment";

#[derive(Default)]
pub struct Header {
    /// The header block, or the URL-record line of ARC.
    text: String,
    /// The value of each column, as a part of `text`.
    values: [Range<usize>; columns::COLUMNS.len()],
    /// The type and content type of ARC records, derived from their URL; the type in lower case.
    implied: [Option<&'static str>; 2],
    is_segment: bool,
    is_arc: bool,
    content_length: Option<u64>,
    pairs: OnceCell<Vec<(String, String)>>,
}

impl Header {
    /// Parses a WARC header block, from its version line to the blank line.
    pub fn read_warc(&mut self, block: &[u8]) {
        self.start(block);
        if has_folded_lines(&self.text) {
            self.text = unfold(&self.text);
        }
        for (name, value) in lines(&self.text) {
            count_steps(FIELDS.len());
            let name = &self.text[name];
            let column = FIELDS
                .iter()
                .find(|(field, _)| field.eq_ignore_ascii_case(name))
                .map(|(_, column)| *column);
            self.is_segment |= name.eq_ignore_ascii_case(SEGMENT_NUMBER);
            if let Some(column) = column
                && self.values[column].is_empty()
            {
                self.values[column] = if is_uri(column) {
                    without_brackets(&self.text, value)
                } else {
                    value
                };
            }
        }
        let kind = self.raw(columns::WARC_TYPE);
        if kind.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let mut known = TYPES.iter().copied();
            self.implied[0] = known.find(|known| known.eq_ignore_ascii_case(kind));
        }
        self.content_length = parse_length(self.raw(columns::CONTENT_LENGTH));
    }

    /// Parses an ARC URL-record line.
    ///
    /// The document of an http(s) URL is an HTTP response with its headers. It gets the content
    /// type of a WARC response record, so that queries for WARC files find it. The type in the
    /// line, which describes the payload, is kept in `headers`. Other documents keep the type from
    /// the line.
    pub fn read_arc(&mut self, line: &[u8]) {
        // Decode first: ranges refer to the decoded text.
        self.start(line);
        self.is_arc = true;
        let text = std::mem::take(&mut self.text);
        if let Some(line) = arc::line_at(text.as_bytes()) {
            for (column, value) in [
                (columns::TARGET_URI, line.url),
                (columns::IP_ADDRESS, line.ip),
                (columns::DATE, line.date),
                (columns::CONTENT_TYPE, line.content_type),
                (columns::CONTENT_LENGTH, line.length),
            ] {
                self.values[column] = range_in(text.as_bytes(), value);
            }
            let is = |scheme: &[u8]| {
                line.url
                    .get(..scheme.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            };
            let http = is(b"http://") || is(b"https://");
            self.implied = [
                Some(if is(b"filedesc:") {
                    "warcinfo"
                } else {
                    "response"
                }),
                http.then_some("application/http; msgtype=response"),
            ];
        }
        self.text = text;
        self.content_length = parse_length(self.raw(columns::CONTENT_LENGTH));
    }

    fn start(&mut self, block: &[u8]) {
        self.text.clear();
        match std::str::from_utf8(block) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(block)),
        }
        self.values = Default::default();
        self.implied = [None; 2];
        self.is_segment = false;
        self.is_arc = false;
        self.content_length = None;
        self.pairs.take();
    }

    /// Whether the header contains NUL bytes, which no valid header has.
    pub fn has_nul(&self) -> bool {
        memchr::memchr(0, self.text.as_bytes()).is_some()
    }

    /// The declared length, if it is a number.
    pub fn content_length(&self) -> Option<u64> {
        self.content_length
    }

    pub fn declares_length(&self) -> bool {
        !self.raw(columns::CONTENT_LENGTH).is_empty()
    }

    pub fn raw(&self, column: usize) -> &str {
        self.values
            .get(column)
            .and_then(|range| self.text.get(range.clone()))
            .unwrap_or_default()
    }

    /// The value of a column that the header has.
    pub fn value(&self, column: usize) -> Value<'_> {
        let [warc_type, content_type] = self.implied;
        let text = match column {
            columns::WARC_TYPE => warc_type,
            columns::CONTENT_TYPE => content_type,
            _ => None,
        };
        let text = text.unwrap_or_else(|| self.raw(column));
        match column {
            columns::DATE => date::parse(text).map_or(Value::Null, Value::Timestamp),
            columns::CONTENT_LENGTH => self
                .content_length
                .and_then(|length| i64::try_from(length).ok())
                .map_or(Value::Null, Value::Integer),
            columns::HEADERS => Value::Pairs(self.pairs.get_or_init(|| self.read_pairs())),
            columns::TRUNCATED if text.is_empty() && self.is_segment => Value::Text(SEGMENT),
            _ if text.is_empty() => Value::Null,
            _ => Value::Text(text),
        }
    }

    fn read_pairs(&self) -> Vec<(String, String)> {
        if !self.is_arc {
            return lines(&self.text)
                .map(|(name, value)| (self.text[name].to_owned(), self.text[value].to_owned()))
                .collect();
        }
        let line = arc::line_at(self.text.as_bytes());
        let pairs = line.iter().flat_map(arc::Line::pairs);
        pairs
            .map(|(name, value)| (name.to_owned(), String::from_utf8_lossy(value).into_owned()))
            .collect()
    }
}

/// Returns the value that a header field has as a column of this type.
pub fn header_value<'a>(name: &str, kind: ColumnType, text: &'a str) -> Value<'a> {
    let mut fields = FIELDS.iter();
    let field = fields.find(|(field, _)| field.eq_ignore_ascii_case(name));
    let is_uri = field.is_some_and(|(_, column)| is_uri(*column));
    let text = if is_uri {
        &text[without_brackets(text, 0..text.len())]
    } else {
        text
    };
    match kind {
        ColumnType::Timestamp => date::parse(text).map_or(Value::Null, Value::Timestamp),
        _ if text.is_empty() => Value::Null,
        _ => Value::Text(text),
    }
}

fn is_uri(column: usize) -> bool {
    matches!(
        column,
        columns::TARGET_URI | columns::RECORD_ID | columns::REFERS_TO
    )
}

fn range_in(text: &[u8], part: &[u8]) -> Range<usize> {
    if part.is_empty() {
        return 0..0;
    }
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// Iterates over names and values of the lines with a colon, without the version line.
fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let mut start = line_end(text, 0);
    std::iter::from_fn(move || {
        while start < text.len() {
            let (line, end) = (start, line_end(text, start));
            start = end;
            if let Some(colon) = memchr::memchr(b':', &text.as_bytes()[line..end]) {
                return Some((
                    trim(text, line..line + colon),
                    trim(text, line + colon + 1..end),
                ));
            }
        }
        None
    })
}

fn line_end(text: &str, start: usize) -> usize {
    let rest = &text.as_bytes()[start..];
    let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
    count_steps(length);
    start + length
}

fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = &text.as_bytes()[range.clone()];
    let before = bytes.len() - bytes.trim_ascii_start().len();
    let length = bytes.trim_ascii().len();
    range.start + before..range.start + before + length
}

/// The grammar of WARC 1.0 had angle brackets around every URI, and wget writes them.
fn without_brackets(text: &str, range: Range<usize>) -> Range<usize> {
    match &text.as_bytes()[range.clone()] {
        [b'<', .., b'>'] => trim(text, range.start + 1..range.end - 1),
        _ => range,
    }
}

fn has_folded_lines(text: &str) -> bool {
    memchr::memchr_iter(b'\n', text.as_bytes())
        .any(|at| matches!(text.as_bytes().get(at + 1), Some(b' ' | b'\t')))
}

/// Joins continuation lines with the line before them.
fn unfold(text: &str) -> String {
    let mut unfolded = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        count_steps(line.len());
        if line.starts_with([' ', '\t']) {
            let kept = unfolded.trim_ascii_end().len();
            count_steps(unfolded.len() - kept);
            unfolded.truncate(kept);
            unfolded.push(' ');
            unfolded.push_str(line.trim_ascii_start());
            if !line.ends_with('\n') || line.trim_ascii().is_empty() {
                unfolded.push('\n');
            }
        } else {
            unfolded.push_str(line);
        }
    }
    unfolded
}

fn parse_length(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if digits.bytes().all(|b| b.is_ascii_digit()) {
        digits.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(block: &str) -> Header {
        let mut header = Header::default();
        header.read_warc(block.as_bytes());
        header
    }

    #[test]
    fn lenient_lines() {
        let header = header(
            "WARC/1.0\r\nwarc-TYPE : response\r\nno colon\r\nWARC-Target-URI:<http://a/>\nContent-Length: +007\r\n\r\n",
        );
        assert_eq!(header.value(columns::WARC_TYPE), Value::Text("response"));
        assert_eq!(header.value(columns::TARGET_URI), Value::Text("http://a/"));
        assert_eq!(header.value(columns::CONTENT_LENGTH), Value::Integer(7));
        assert_eq!(header.value(columns::RECORD_ID), Value::Null);
        let Value::Pairs(pairs) = header.value(columns::HEADERS) else {
            panic!()
        };
        assert_eq!(pairs.len(), 3);
        assert_eq!(pairs[0], ("warc-TYPE".to_owned(), "response".to_owned()));
    }

    #[test]
    fn types_are_in_lower_case() {
        for (declared, expected) in [("RESPONSE", "response"), ("Revisit", "revisit"), ("X", "X")] {
            let header = header(&format!("WARC/1.0\r\nWARC-Type: {declared}\r\n\r\n"));
            assert_eq!(header.value(columns::WARC_TYPE), Value::Text(expected));
        }
    }

    #[test]
    fn folded_and_repeated() {
        let header = header(
            "WARC/1.0\r\nX: one\r\n  two\r\n\tthree\r\nWARC-Type: a\r\nWARC-Type: b\r\nEmpty:\r\n\r\n",
        );
        let Value::Pairs(pairs) = header.value(columns::HEADERS) else {
            panic!()
        };
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        assert_eq!(
            pairs,
            [
                ("X", "one two three"),
                ("WARC-Type", "a"),
                ("WARC-Type", "b"),
                ("Empty", "")
            ]
        );
        assert_eq!(header.value(columns::WARC_TYPE), Value::Text("a"));
    }

    #[test]
    fn records_that_others_continue_are_truncated() {
        let truncated = |fields: &str| {
            let header = header(&format!("WARC/1.0\r\n{fields}\r\n"));
            match header.value(columns::TRUNCATED) {
                Value::Text(text) => Some(text.to_owned()),
                _ => None,
            }
        };
        assert_eq!(
            truncated("WARC-Segment-Number: 1\r\n").as_deref(),
            Some("segment")
        );
        let both = "WARC-Truncated: time\r\nWARC-Segment-Number: 1\r\n";
        assert_eq!(truncated(both).as_deref(), Some("time"));
        assert_eq!(truncated("WARC-Type: response\r\n"), None);
    }

    #[test]
    fn lengths() {
        for (text, expected) in [
            ("0", Some(0)),
            ("-1", None),
            ("12abc", None),
            ("99999999999999999999", None),
            ("4611686018427387904", Some(1 << 62)),
        ] {
            assert_eq!(parse_length(text), expected, "{text}");
        }
        assert_eq!(
            header("WARC/1.0\nContent-Length: \n\n").content_length(),
            None
        );
    }

    #[test]
    fn bytes_that_are_no_utf8() {
        let mut header = Header::default();
        header.read_warc(b"WARC/1.0\r\nWARC-Target-URI: http://a/\xe9\r\n\r\n");
        assert_eq!(
            header.value(columns::TARGET_URI),
            Value::Text("http://a/\u{fffd}")
        );
        header.read_arc(b"http://a/\xe9 1.2.3.4 20140216050221 text/html 5\n");
        assert_eq!(
            header.value(columns::TARGET_URI),
            Value::Text("http://a/\u{fffd}")
        );
        assert_eq!(header.content_length(), Some(5));
    }
}
