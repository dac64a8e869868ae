#![doc = include_str!("../README.md")]

mod body;
mod chunked;
mod coding;
mod decompress;
mod failure;
mod head;
mod lines;
mod repairs;
mod sniff;
#[cfg(test)]
mod testing;

use std::borrow::Cow;

use body::{Outcome, decode_body, inflate_undeclared};
use sniff::{Declared, sniff};

pub use corpus_charset::{charset_of, media_type_of};
pub use failure::Failure;
pub use head::{Head, Header, MAX_HEAD, header, header_values, parse_head};
pub use repairs::Repairs;

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// No body becomes longer than this, whatever it is inflated from.
    pub max_body_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body_bytes: 128 << 20,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Response<'a> {
    pub version: Option<Cow<'a, str>>,
    pub status: Option<u16>,
    pub reason: Option<Cow<'a, str>>,
    /// All headers in their order, repeated ones too.
    pub headers: Vec<Header<'a>>,
    /// In lower case, without parameters.
    pub media_type: Option<String>,
    /// The media type of the body's bytes, if `media_type` does not name it.
    pub found_type: Option<&'static str>,
    /// As the header spells it, without quotes.
    pub charset: Option<String>,
    /// Borrowed when nothing had to be decoded.
    pub body: Cow<'a, [u8]>,
    /// What had to be forgiven or undone, in the words of `Repairs`.
    pub repaired: Vec<&'static str>,
    /// The number of lines in the head that are no headers.
    pub bad_lines: u32,
    /// What was lost.
    pub error: Option<Failure>,
}

impl Response<'_> {
    /// What the body's bytes are: the declared type, unless they are something else.
    pub fn sniffed_type(&self) -> Option<&str> {
        self.found_type.or(self.media_type.as_deref())
    }
}

pub fn parse_response<'a>(bytes: &'a [u8], limits: &Limits) -> Response<'a> {
    let head = parse_head(bytes);
    let mut outcome = Outcome {
        repairs: head.repairs,
        failure: head.is_too_long.then(|| {
            let detail = format!("no end within {MAX_HEAD} bytes");
            Failure::new(Failure::HEAD_TOO_LONG, detail)
        }),
    };
    let raw = bytes.get(head.length..).unwrap_or_default();
    let media_type = header_values(&head.headers, "content-type").find_map(media_type_of);
    let declared = Declared {
        media_type: media_type.as_deref(),
        content_type: header_values(&head.headers, "content-type").last(),
    };
    let body = decode_body(&head.headers, raw, limits, &mut outcome);
    let body = inflate_undeclared(body, &declared, limits, &mut outcome);
    let found_type = sniff(&body, &declared);
    let charset = header_values(&head.headers, "content-type").find_map(charset_of);
    Response {
        version: head.version,
        status: head.status,
        reason: head.reason,
        headers: head.headers,
        media_type,
        found_type,
        charset,
        body,
        repaired: outcome.repairs.words(),
        bad_lines: head.bad_lines,
        error: outcome.failure,
    }
}

#[cfg(test)]
mod tests;
