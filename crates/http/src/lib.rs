#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! head        status line and headers
//! lines       lines of a head
//! body        joins chunks and decodes codings
//! chunked     chunked bodies
//! coding      content codings
//! decompress  Brotli and Zstandard
//! sniff       the media type of a body
//! repairs     tolerated deviations
//! failure     losses
//! ```

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
pub use head::{Head, Header, MAX_HEAD_BYTES, header, header_values, parse_head};
pub use repairs::Repairs;

/// Limits of [`parse_response`].
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum length of a body, even after decompression.
    pub max_body_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body_bytes: 128 << 20,
        }
    }
}

/// A parsed response.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Response<'a> {
    /// The first word of the status line, such as `HTTP/1.1`.
    pub version: Option<Cow<'a, str>>,
    /// The status code.
    pub status: Option<u16>,
    /// The rest of the status line.
    pub reason: Option<Cow<'a, str>>,
    /// All headers in order, with repetitions.
    pub headers: Vec<Header<'a>>,
    /// The declared media type, in lower case and without parameters.
    pub media_type: Option<String>,
    /// The media type of the body's bytes, if it differs from `media_type`.
    pub found_type: Option<&'static str>,
    /// The declared charset as spelled in the header, without quotes.
    pub charset: Option<String>,
    /// The decoded body. Borrowed if nothing had to be decoded.
    pub body: Cow<'a, [u8]>,
    /// The repairs and decodings: some of [`Repairs::WORDS`].
    pub repaired: Vec<&'static str>,
    /// The number of lines in the head that are not headers.
    pub bad_lines: u32,
    /// The loss, if any.
    pub error: Option<Failure>,
}

impl Response<'_> {
    /// The type of the body's bytes: the declared one, unless the bytes are something else.
    pub fn sniffed_type(&self) -> Option<&str> {
        self.found_type.or(self.media_type.as_deref())
    }
}

/// Returns the type of bytes: the declared one, unless the bytes are clearly something else. `None`
/// if there are no bytes and no declared type. Types are in lower case and without parameters.
///
/// ```
/// use corpus_http::sniffed_type;
///
/// assert_eq!(sniffed_type(b"%PDF-1.7", Some("text/html")), Some("application/pdf"));
/// assert_eq!(sniffed_type(b"body {}", Some("text/css")), Some("text/css"));
/// assert_eq!(sniffed_type(b"some text", None), Some("text/plain"));
/// ```
pub fn sniffed_type<'a>(bytes: &[u8], media_type: Option<&'a str>) -> Option<&'a str> {
    let declared = Declared {
        media_type,
        content_type: None,
    };
    sniff(bytes, &declared).or(media_type)
}

/// The last declared type, as in browsers, and its charset.
fn content_type(headers: &[Header]) -> (Option<String>, Option<String>) {
    let (mut media_type, mut charset) = (None, None);
    for value in header_values(headers, "content-type") {
        if let Some(last) = media_type_of(value) {
            if media_type.as_ref().is_some_and(|known| *known != last) {
                charset = None;
            }
            media_type = Some(last);
        }
        charset = charset_of(value).or(charset);
    }
    (media_type, charset)
}

/// Parses a response and decodes its body. Never fails: `error` reports what was lost.
pub fn parse_response<'a>(bytes: &'a [u8], limits: &Limits) -> Response<'a> {
    let head = parse_head(bytes);
    let mut outcome = Outcome {
        repairs: head.repairs,
        failure: head.is_too_long.then(|| {
            let detail = format!("no end within {MAX_HEAD_BYTES} bytes");
            Failure::new(Failure::HEAD_TOO_LONG, detail)
        }),
        ..Outcome::default()
    };
    let raw = bytes.get(head.length..).unwrap_or_default();
    let (media_type, charset) = content_type(&head.headers);
    let declared = Declared {
        media_type: media_type.as_deref(),
        content_type: header_values(&head.headers, "content-type").last(),
    };
    let body = decode_body(&head.headers, raw, limits, &mut outcome);
    let body = inflate_undeclared(body, &declared, limits, &mut outcome);
    // Without the end of the head, the start of the body is unknown.
    let found_type = if head.is_too_long {
        None
    } else {
        sniff(&body, &declared)
    };
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
