//! Splits a message into its parts, in one pass over its lines.

use std::borrow::Cow;

use corpus_bytes::step_counter::count_steps;
use corpus_charset::decode_text;

use super::fields::{fields, name_length};
use super::params::Params;
use super::transfer::is_identity;
use super::words::decode_field;

/// Maximum depth of multiparts. Deeper multiparts become attachments.
pub const MAX_DEPTH: usize = 50;
/// Maximum number of parts. Further ones are ignored.
pub const MAX_PARTS: usize = 10_000;

/// A leaf part: its header and its body.
#[derive(Debug, Default)]
pub struct BodyPart<'a> {
    pub content_type: Params,
    pub disposition: Params,
    pub encoding: String,
    pub description: Option<String>,
    /// The number of the multipart with alternatives that contains it.
    pub alternative: Option<usize>,
    /// The subject of the message that starts with this part.
    pub subject: Option<String>,
    /// The body.
    pub body: &'a [u8],
    /// Whether this is an attached message whose parts follow.
    pub is_divided: bool,
}

/// An attached message that has not ended.
struct OpenMessage {
    /// The number of its part.
    part: usize,
    /// Its start.
    start: usize,
    /// The number of multiparts around it.
    depth: usize,
}

/// An open multipart.
struct Multipart {
    boundary: Vec<u8>,
    alternative: Option<usize>,
    is_digest: bool,
}

/// The section that lines belong to.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    /// The header of a part; `of_message` if it is the header of a message.
    Header {
        of_message: bool,
    },
    Body,
    /// The preamble or epilogue of a multipart.
    Outside,
}

/// Splits messages.
pub struct Splitter<'a> {
    bytes: &'a [u8],
    open: Vec<Multipart>,
    open_messages: Vec<OpenMessage>,
    section: Section,
    /// The start of the section.
    start: usize,
    part: BodyPart<'a>,
    /// The header of the whole message.
    pub header: Cow<'a, str>,
    has_header: bool,
    alternatives: usize,
    pub parts: Vec<BodyPart<'a>>,
    /// The fault of the structure, if any.
    pub errors: Vec<String>,
}

impl<'a> Splitter<'a> {
    pub fn split(bytes: &'a [u8]) -> Self {
        let mut splitter = Self {
            bytes,
            open: Vec::new(),
            open_messages: Vec::new(),
            section: Section::Header { of_message: true },
            start: 0,
            part: BodyPart::default(),
            header: Cow::Borrowed(""),
            has_header: false,
            alternatives: 0,
            parts: Vec::new(),
            errors: Vec::new(),
        };
        splitter.run();
        splitter
    }

    fn run(&mut self) {
        let mut at = 0;
        while at < self.bytes.len() {
            if self.parts.len() >= MAX_PARTS {
                self.error(format!("more than {MAX_PARTS} parts"));
                self.end_messages(0, self.bytes.len());
                return;
            }
            if self.open.is_empty() && !matches!(self.section, Section::Header { .. }) {
                // Without a boundary, no further part can begin.
                at = self.bytes.len();
                break;
            }
            let rest = self.bytes.get(at..).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            count_steps(length);
            let line = rest.get(..length).unwrap_or_default();
            if !self.boundary(line, at, at + length) {
                self.line(line, at, at + length);
            }
            at += length;
        }
        let is_open = !self.open.is_empty();
        self.end_part(at);
        self.end_messages(0, at);
        if is_open {
            self.error("the end of a multipart is missing".to_owned());
        }
    }

    fn error(&mut self, error: String) {
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// Handles a line that starts or ends a part.
    fn boundary(&mut self, line: &[u8], at: usize, next: usize) -> bool {
        let Some(text) = line.strip_prefix(b"--").filter(|_| !self.open.is_empty()) else {
            return false;
        };
        let text = text.trim_ascii_end();
        let is_of = |multipart: &Multipart| text.strip_prefix(multipart.boundary.as_slice());
        count_steps(self.open.len());
        let found = self
            .open
            .iter()
            .enumerate()
            .rev()
            .find_map(|(depth, multipart)| match is_of(multipart)? {
                b"" => Some((depth, false)),
                b"--" => Some((depth, true)),
                _ => None,
            });
        let Some((depth, is_end)) = found else {
            return false;
        };
        self.end_part(at);
        self.end_messages(depth + 1, at);
        if self.open.len() > depth + 1 {
            self.error("the end of a multipart is missing".to_owned());
        }
        self.open.truncate(depth + usize::from(!is_end));
        self.start = next;
        if is_end {
            self.section = Section::Outside;
            return true;
        }
        let of_message = false;
        self.section = Section::Header { of_message };
        let multipart = self.open.last();
        self.part.alternative = multipart.and_then(|multipart| multipart.alternative);
        // The parts of digests are messages, unless they declare another type.
        if multipart.is_some_and(|multipart| multipart.is_digest) {
            "message/rfc822".clone_into(&mut self.part.content_type.value);
        }
        true
    }

    fn line(&mut self, line: &'a [u8], at: usize, next: usize) {
        let Section::Header { .. } = self.section else {
            return;
        };
        let content = line.trim_ascii_end();
        let is_first = at == self.start;
        let is_field = match line.first() {
            Some(b' ' | b'\t') => !is_first && !content.is_empty(),
            _ => name_length(line).is_some() || (is_first && starts_mailbox(line)),
        };
        if content.is_empty() {
            self.end_header(at, next);
        } else if !is_field {
            // The blank line after the header is missing.
            self.end_header(at, at);
        }
    }

    /// Reads the header that ends at `end`. The body starts at `body`.
    fn end_header(&mut self, end: usize, body: usize) {
        let bytes = self.bytes;
        let header = bytes.get(self.start..end).unwrap_or_default();
        let header = decode_text(header, None, None);
        let of_message = self.section == Section::Header { of_message: true };
        self.start = body;
        self.section = Section::Body;
        for (name, value) in fields(&header) {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if is("content-type") {
                self.part.content_type = Params::parse(value);
            } else if is("content-disposition") {
                self.part.disposition = Params::parse(value);
            } else if is("content-transfer-encoding") {
                value.trim().clone_into(&mut self.part.encoding);
            } else if is("content-description") {
                self.part.description = Some(decode_field(value)).filter(|text| !text.is_empty());
            } else if of_message && is("subject") && self.has_header {
                self.part.subject = Some(decode_field(value));
            }
        }
        if !self.has_header {
            self.header = header;
            self.has_header = true;
        }
        let media_type = self.part.content_type.value.as_str();
        if let Some(kind) = media_type.strip_prefix("multipart/") {
            let boundary = self.part.content_type.get("boundary");
            let boundary = boundary.filter(|boundary| !boundary.is_empty());
            let Some(boundary) = boundary else {
                // Parts cannot be found without a boundary, so it is treated as text.
                self.error("a multipart has no boundary".to_owned());
                "text/plain".clone_into(&mut self.part.content_type.value);
                return;
            };
            if self.open.len() >= MAX_DEPTH {
                self.error(format!("multiparts are nested more than {MAX_DEPTH} times"));
                return;
            }
            let alternative = match kind {
                "alternative" => {
                    self.alternatives += 1;
                    Some(self.alternatives)
                }
                _ => self.part.alternative,
            };
            let is_digest = kind == "digest";
            self.open.push(Multipart {
                boundary: boundary.trim_end().as_bytes().to_vec(),
                alternative,
                is_digest,
            });
            // The subject of the message is before the text of its parts.
            if let Some(subject) = self.part.subject.take() {
                self.parts
                    .push(subject_part(subject, self.part.alternative));
            }
            self.part = BodyPart::default();
            self.section = Section::Outside;
        } else if media_type == "message/rfc822" && is_identity(&self.part.encoding) {
            let mut message = std::mem::take(&mut self.part);
            message.is_divided = true;
            self.part.alternative = message.alternative;
            self.open_messages.push(OpenMessage {
                part: self.parts.len(),
                start: body,
                depth: self.open.len(),
            });
            self.parts.push(message);
            self.section = Section::Header { of_message: true };
        }
    }

    /// Ends the current part before `end`.
    fn end_part(&mut self, end: usize) {
        if let Section::Header { .. } = self.section {
            self.end_header(end, end);
        }
        let mut part = std::mem::take(&mut self.part);
        if self.section != Section::Body {
            return;
        }
        part.body = self.body(self.start, end);
        self.section = Section::Outside;
        self.parts.push(part);
    }

    /// Ends the attached messages at or below this depth of multiparts.
    fn end_messages(&mut self, depth: usize, end: usize) {
        while let Some(message) = self.open_messages.pop_if(|message| message.depth >= depth) {
            let body = self.body(message.start, end);
            if let Some(part) = self.parts.get_mut(message.part) {
                part.body = body;
            }
        }
    }

    /// Returns a body without its last line break, which is part of the boundary.
    fn body(&self, start: usize, end: usize) -> &'a [u8] {
        let body = self.bytes.get(start..end).unwrap_or_default();
        if self.open.is_empty() {
            body
        } else {
            match body.strip_suffix(b"\n") {
                Some(lines) => lines.strip_suffix(b"\r").unwrap_or(lines),
                None => body,
            }
        }
    }
}

/// A part for the subject of a message whose text is in other parts.
fn subject_part(subject: String, alternative: Option<usize>) -> BodyPart<'static> {
    BodyPart {
        subject: Some(subject),
        alternative,
        ..BodyPart::default()
    }
}

/// Whether this is a mailbox's `From ` line before a header, quoted or not.
fn starts_mailbox(line: &[u8]) -> bool {
    line.starts_with(b"From ") || line.starts_with(b">From ")
}
