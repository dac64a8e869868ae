//! The head of a response: status line and headers, parsed as leniently as browsers do. Each record
//! has its own parser, so a bad record does not affect others.

use std::borrow::Cow;

use memchr::memchr;

use super::lines::{Line, is_blank, is_name_byte, line_at};
use super::repairs::Repairs;
use corpus_bytes::step_counter::count_steps;

/// Maximum length of a head. Longer heads are cut.
pub const MAX_HEAD_BYTES: usize = 1 << 20;
/// Maximum length of a first line that is not a valid status line but is treated as one.
const MAX_ODD_FIRST_LINE_BYTES: usize = 8 << 10;
const MAX_INTERIM_RESPONSES: usize = 16;
const MAX_LEADING_BLANK_BYTES: usize = 64;
/// Initial capacity of the list of headers; enough for most heads.
const INITIAL_HEADERS: usize = 16;

/// Without a status line, lines are a head only if they contain one of these headers.
const TYPICAL_NAMES: [&str; 14] = [
    "content-type",
    "content-length",
    "content-encoding",
    "transfer-encoding",
    "connection",
    "server",
    "date",
    "location",
    "set-cookie",
    "last-modified",
    "etag",
    "cache-control",
    "expires",
    "vary",
];

/// A name and a value, borrowed from the record if possible.
pub type Header<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The head of a response.
#[derive(Debug, Default, Clone, PartialEq)]
#[non_exhaustive]
pub struct Head<'a> {
    /// The first word of the status line, such as `HTTP/1.1` or `ICY`.
    pub version: Option<Cow<'a, str>>,
    /// The status code.
    pub status: Option<u16>,
    /// The rest of the status line, or all of it if it has no status code.
    pub reason: Option<Cow<'a, str>>,
    /// All headers in order, with repetitions.
    pub headers: Vec<Header<'a>>,
    /// The number of bytes before the body.
    pub length: usize,
    /// The number of lines that are not headers.
    pub bad_lines: u32,
    /// The deviations from the standard.
    pub repairs: Repairs,
    /// Whether the head did not end within [`MAX_HEAD_BYTES`].
    pub is_too_long: bool,
}

/// The first value of a header. Names are compared case-insensitively.
pub fn header<'h, N, V>(headers: &'h [(N, V)], name: &str) -> Option<&'h str>
where
    N: AsRef<str>,
    V: AsRef<str>,
{
    header_values(headers, name).next()
}

/// All values of a header, in order.
pub fn header_values<'h, N, V>(headers: &'h [(N, V)], name: &str) -> impl Iterator<Item = &'h str>
where
    N: AsRef<str>,
    V: AsRef<str>,
{
    headers
        .iter()
        .filter(move |header| header.0.as_ref().eq_ignore_ascii_case(name))
        .map(|header| header.1.as_ref())
}

/// Parses the head at the start of a response. Interim responses before it are skipped.
///
/// ```
/// use corpus_http::{header, parse_head};
///
/// let bytes = b"HTTP/1.1 302 Found\r\nLocation: /new\r\n\r\nmoved";
/// let head = parse_head(bytes);
/// assert_eq!(head.status, Some(302));
/// assert_eq!(header(&head.headers, "location"), Some("/new"));
/// assert_eq!(&bytes[head.length..], b"moved");
/// ```
pub fn parse_head(bytes: &[u8]) -> Head<'_> {
    let mut head = parse_one(bytes);
    for _ in 0..MAX_INTERIM_RESPONSES {
        let rest = bytes.get(head.length..).unwrap_or_default();
        if !is_interim(&head) || !begins_status_line(rest) {
            break;
        }
        let offset = head.length;
        head = parse_one(rest);
        head.length += offset;
        head.repairs.add(Repairs::INTERIM_RESPONSE);
    }
    head
}

fn is_interim(head: &Head) -> bool {
    let is_tunnel = |reason: &str| reason.eq_ignore_ascii_case("connection established");
    match head.status {
        Some(status) => {
            (100..200).contains(&status) || head.reason.as_deref().is_some_and(is_tunnel)
        }
        None => false,
    }
}

fn begins_status_line(bytes: &[u8]) -> bool {
    let begins = |word: &[u8]| {
        bytes
            .get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    begins(b"HTTP/") || begins(b"ICY ")
}

/// Whether this is a request line, such as `GET / HTTP/1.1`.
fn is_request_line(line: &[u8]) -> bool {
    const SHORTEST: &[u8] = b"GET / HTTP/1.1";
    if line.len() < SHORTEST.len() || !line[0].is_ascii_uppercase() {
        return false;
    }
    let (_, version) = line.split_at(line.len() - b" HTTP/1.1".len());
    version.starts_with(b" HTTP/")
}

fn parse_one(bytes: &[u8]) -> Head<'_> {
    let mut parser = Parser::new(bytes);
    if parser.parse() {
        parser.head
    } else {
        let mut repairs = Repairs::default();
        repairs.add(Repairs::NO_HEAD);
        Head {
            repairs,
            ..Head::default()
        }
    }
}

struct Parser<'a> {
    /// The bytes in which the head must end.
    bytes: &'a [u8],
    is_cut: bool,
    head: Head<'a>,
    at: usize,
    /// Whether there is a status line. Without one, the lines have to look like headers.
    is_announced: bool,
    /// The first of the bad lines after the last header.
    bad_run: Option<Line<'a>>,
    bad_run_lines: u32,
}

enum LineEffect {
    Next,
    End,
    NoHead,
}

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes: &bytes[..bytes.len().min(MAX_HEAD_BYTES)],
            is_cut: bytes.len() > MAX_HEAD_BYTES,
            head: Head {
                headers: Vec::with_capacity(INITIAL_HEADERS),
                ..Head::default()
            },
            at: 0,
            is_announced: false,
            bad_run: None,
            bad_run_lines: 0,
        }
    }

    /// Returns `false` if this is not a head.
    fn parse(&mut self) -> bool {
        self.skip_leading_blanks();
        if !self.read_first_line() {
            return false;
        }
        loop {
            let Some(line) = line_at(self.bytes, self.at, &mut self.head.repairs) else {
                self.end_without_blank_line();
                break;
            };
            self.at = line.next;
            match self.read_line(line) {
                LineEffect::Next => {}
                LineEffect::End => break,
                LineEffect::NoHead => return false,
            }
        }
        self.is_announced || self.has_typical_header()
    }

    fn skip_leading_blanks(&mut self) {
        let blanks = self
            .bytes
            .iter()
            .take(MAX_LEADING_BLANK_BYTES)
            .take_while(|b| matches!(b, b'\r' | b'\n'))
            .count();
        if blanks > 0 && begins_status_line(&self.bytes[blanks..]) {
            self.head.repairs.add(Repairs::LEADING_BLANK_LINES);
            self.at = blanks;
        }
    }

    /// Returns `false` if no head can start like this.
    fn read_first_line(&mut self) -> bool {
        let Some(line) = line_at(self.bytes, self.at, &mut self.head.repairs) else {
            return false;
        };
        self.is_announced = begins_status_line(line.text) || is_request_line(line.text);
        if self.is_announced {
            self.at = line.next;
            self.read_status_line(line.text);
            return true;
        }
        if line.text.is_empty()
            || line.text[0] == b'<'
            || line.text.len() > MAX_ODD_FIRST_LINE_BYTES
        {
            return false;
        }
        if colon_of(line.text).is_some() {
            self.head.repairs.add(Repairs::NO_STATUS_LINE);
        } else {
            self.at = line.next;
            self.read_status_line(line.text);
        }
        true
    }

    fn read_status_line(&mut self, line: &'a [u8]) {
        self.note_characters(line);
        let line = line.trim_ascii();
        let (version, rest) = match line.iter().position(|b| is_blank(*b)) {
            Some(at) => (&line[..at], line[at..].trim_ascii_start()),
            None => (line, &line[line.len()..]),
        };
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let status = text_of(&rest[..digits]).parse().ok();
        let reason = rest[digits..].trim_ascii_start();
        let is_plain = version
            .strip_prefix(b"HTTP/")
            .is_some_and(|number| number.iter().all(|b| b.is_ascii_digit() || *b == b'.'));
        if !is_plain || digits != 3 || !status.is_some_and(|status| (100..600).contains(&status)) {
            self.head.repairs.add(Repairs::ODD_STATUS_LINE);
        }
        if digits == 0 && !begins_status_line(version) {
            // For example a request line, which is kept whole for the user.
            self.head.reason = Some(text_of(line));
            return;
        }
        self.head.version = Some(text_of(version));
        self.head.status = status;
        self.head.reason = Some(reason)
            .filter(|reason| !reason.is_empty())
            .map(text_of);
    }

    fn read_line(&mut self, line: Line<'a>) -> LineEffect {
        match line.text.first() {
            None => self.end_at(line.next),
            Some(b'<') => {
                self.head.repairs.add(Repairs::ENDED_BY_MARKUP);
                self.end_at(line.start)
            }
            Some(b' ' | b'\t') => self.read_indented(line),
            Some(_) => self.read_header(line, line.text),
        }
    }

    fn end_at(&mut self, length: usize) -> LineEffect {
        self.count_bad_run();
        self.head.length = length;
        LineEffect::End
    }

    fn read_header(&mut self, line: Line<'a>, text: &'a [u8]) -> LineEffect {
        self.note_characters(text);
        let Some(colon) = colon_of(text) else {
            return self.read_bad_line(line);
        };
        self.count_bad_run();
        if is_blank(text[colon - 1]) {
            self.head.repairs.add(Repairs::SPACE_BEFORE_COLON);
        }
        let header = match std::str::from_utf8(text) {
            Ok(text) => (
                Cow::Borrowed(text[..colon].trim_ascii_end()),
                Cow::Borrowed(text[colon + 1..].trim_ascii()),
            ),
            Err(_) => (
                latin1(text[..colon].trim_ascii_end()).into(),
                latin1(text[colon + 1..].trim_ascii()).into(),
            ),
        };
        self.head.headers.push(header);
        LineEffect::Next
    }

    fn read_bad_line(&mut self, line: Line<'a>) -> LineEffect {
        if !self.is_announced {
            return LineEffect::NoHead;
        }
        self.bad_run.get_or_insert(line);
        self.bad_run_lines += 1;
        LineEffect::Next
    }

    /// A line that starts with a blank continues the previous value.
    fn read_indented(&mut self, line: Line<'a>) -> LineEffect {
        let text = line.text.trim_ascii();
        if text.is_empty() {
            return self.read_padded_blank_line(line);
        }
        if self.bad_run.is_some() {
            return self.read_bad_line(line);
        }
        let Some(last) = self.head.headers.last_mut() else {
            return self.read_header(line, text);
        };
        count_steps(text.len());
        let value = last.1.to_mut();
        if !value.is_empty() {
            value.push(' ');
        }
        value.push_str(&text_of(text));
        self.head.repairs.add(Repairs::FOLDED_HEADER);
        self.note_characters(text);
        LineEffect::Next
    }

    /// A line of blanks ends the head, unless headers follow.
    fn read_padded_blank_line(&mut self, line: Line<'a>) -> LineEffect {
        self.head.repairs.add(Repairs::PADDED_BLANK_LINE);
        let mut ignored = Repairs::default();
        let continues = line_at(self.bytes, line.next, &mut ignored)
            .is_some_and(|next| colon_of(next.text).is_some());
        if continues {
            LineEffect::Next
        } else {
            self.end_at(line.next)
        }
    }

    /// Handles the end of the input, or of the part that a head may fill.
    fn end_without_blank_line(&mut self) {
        self.head.repairs.add(Repairs::NO_BLANK_LINE);
        self.head.is_too_long = self.is_cut;
        // The body may follow without a blank line, but a single last word may be a cut header.
        let body = self.bad_run.filter(|line| {
            let is_last = line.next == self.bytes.len() && !self.is_cut;
            !(is_last && !line.is_ended && line.text.iter().all(|b| is_name_byte(*b)))
        });
        match body {
            Some(line) => {
                self.bad_run = None;
                self.head.length = line.start;
            }
            None => {
                self.count_bad_run();
                self.head.length = self.bytes.len();
            }
        }
    }

    fn count_bad_run(&mut self) {
        if self.bad_run.take().is_some() {
            self.head.repairs.add(Repairs::BAD_HEADER_LINE);
            self.head.bad_lines += self.bad_run_lines;
            self.bad_run_lines = 0;
        }
    }

    fn has_typical_header(&self) -> bool {
        let is_typical = |name: &str| {
            TYPICAL_NAMES
                .iter()
                .any(|typical| typical.eq_ignore_ascii_case(name))
        };
        self.head.headers.iter().any(|header| is_typical(&header.0))
    }

    fn note_characters(&mut self, text: &[u8]) {
        // Written without branches, so that the compiler vectorizes it.
        let (control, high) = text.iter().fold((false, false), |(control, high), byte| {
            (
                control | (*byte < 0x20 && *byte != b'\t' && *byte != b'\r') | (*byte == 0x7f),
                high | (*byte >= 0x80),
            )
        });
        if control {
            self.head.repairs.add(Repairs::CONTROL_CHARACTER);
        }
        if high && std::str::from_utf8(text).is_err() {
            self.head.repairs.add(Repairs::NOT_UTF8);
        }
    }
}

/// The position of the colon after a header's name, if the line starts with one.
fn colon_of(line: &[u8]) -> Option<usize> {
    count_steps(line.len());
    let colon = memchr(b':', line)?;
    let name = line[..colon].trim_ascii_end();
    (!name.is_empty() && name.iter().all(|b| is_name_byte(*b))).then_some(colon)
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(latin1(bytes)),
    }
}

/// Decodes ISO-8859-1, which keeps the bytes recoverable.
fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
