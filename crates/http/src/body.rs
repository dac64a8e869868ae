//! Bodies: chunks are joined and content codings decoded, if the body really has them.

use std::borrow::Cow;

use super::Limits;
use super::chunked::dechunk;
use super::coding::{self, Coding, CodingName, Decoded, decode};
use super::failure::Failure;
use super::head::{Header, header, header_values};
use super::repairs::Repairs;
use super::sniff::{Declared, sniff, starts_binary};
use corpus_bytes::inflate::End;

const MAX_CODINGS: usize = 8;
const MAX_UNDECLARED_CODINGS: usize = 3;

/// The repairs and losses of a body.
#[derive(Debug, Default)]
pub struct Outcome {
    pub repairs: Repairs,
    /// The first failure, which usually causes the others.
    pub failure: Option<Failure>,
    /// A declared coding that is not decoded.
    pub unsupported: Option<String>,
}

impl Outcome {
    fn fail(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
    }
}

pub fn decode_body<'a>(
    headers: &[Header],
    raw: &'a [u8],
    limits: &Limits,
    outcome: &mut Outcome,
) -> Cow<'a, [u8]> {
    let mut body = Cow::Borrowed(raw);
    let mut codings = Vec::new();
    declared_codings(headers, "content-encoding", &mut codings, outcome);
    if has_header(headers, "transfer-encoding") {
        // Transfer codings were applied last, and chunking after all others.
        declared_codings(headers, "transfer-encoding", &mut codings, outcome);
        if is_chunked(headers) && !raw.is_empty() {
            body = join_chunks(raw, outcome);
        }
    } else {
        compare_length(headers, raw, outcome);
    }
    if codings.len() > MAX_CODINGS {
        let detail = format!("{} codings", codings.len());
        outcome.fail(Failure::new(Failure::TOO_MANY_CODINGS, detail));
        codings.clear();
    }
    if let Some(name) = outcome.unsupported.take() {
        if starts_binary(&body) {
            let detail = format!("'{name}'; the body was kept undecoded");
            outcome.fail(Failure::new(Failure::CODING_UNSUPPORTED, detail));
            codings.clear();
        } else {
            outcome.repairs.add(Repairs::NOT_ENCODED);
        }
    }
    while let Some(coding) = codings.pop() {
        if body.is_empty() {
            break;
        }
        body = undo(coding, body, limits.max_body_bytes, outcome);
    }
    cut(body, limits.max_body_bytes, outcome)
}

/// Inflates a page that is still compressed because a header is missing or the server compressed it
/// twice. Other files are left alone: there, compression may be part of the format.
pub fn inflate_undeclared<'a>(
    body: Cow<'a, [u8]>,
    declared: &Declared,
    limits: &Limits,
    outcome: &mut Outcome,
) -> Cow<'a, [u8]> {
    if !declared.is_html() {
        return body;
    }
    let mut inner = Outcome::default();
    let mut page = None;
    for _ in 0..MAX_UNDECLARED_CODINGS {
        let bytes: &[u8] = page.as_deref().unwrap_or(&body);
        let Some(coding) = coding::sniff(bytes) else {
            break;
        };
        match undo(
            coding,
            Cow::Borrowed(bytes),
            limits.max_body_bytes,
            &mut inner,
        ) {
            Cow::Owned(bytes) => page = Some(bytes),
            // Damaged from the first byte.
            Cow::Borrowed(_) => break,
        }
    }
    match page {
        Some(page) if sniff(&page, declared).is_none() => {
            outcome.repairs.add(inner.repairs);
            outcome.repairs.add(Repairs::UNDECLARED_CODING);
            if let Some(failure) = inner.failure {
                outcome.fail(failure);
            }
            Cow::Owned(page)
        }
        _ => body,
    }
}

fn has_header(headers: &[Header], name: &str) -> bool {
    header(headers, name).is_some()
}

fn declared_codings(
    headers: &[Header],
    name: &str,
    codings: &mut Vec<Coding>,
    outcome: &mut Outcome,
) {
    for name in header_values(headers, name).flat_map(|value| value.split(',')) {
        match CodingName::parse(name) {
            CodingName::Coding(coding) => codings.push(coding),
            CodingName::Nothing => {}
            CodingName::Unsupported => outcome.unsupported = Some(name.trim().to_owned()),
            CodingName::Unknown => outcome.repairs.add(Repairs::UNKNOWN_CODING),
        }
    }
}

fn is_chunked(headers: &[Header]) -> bool {
    header_values(headers, "transfer-encoding")
        .flat_map(|value| value.split([',', ';']))
        .any(|name| name.trim().eq_ignore_ascii_case("chunked"))
}

fn join_chunks<'a>(raw: &'a [u8], outcome: &mut Outcome) -> Cow<'a, [u8]> {
    let Some(chunks) = dechunk(raw) else {
        outcome.repairs.add(Repairs::NOT_CHUNKED);
        return Cow::Borrowed(raw);
    };
    outcome.repairs.add(chunks.repairs);
    if let Some(failure) = chunks.failure {
        outcome.fail(failure);
    }
    chunks.body
}

/// `Content-Length` has no effect, but a mismatch is reported.
fn compare_length(headers: &[Header], raw: &[u8], outcome: &mut Outcome) {
    let Some(declared) = header(headers, "content-length").and_then(|value| value.parse().ok())
    else {
        return;
    };
    let found = raw.len() as u64;
    match found.cmp(&declared) {
        std::cmp::Ordering::Less => outcome.repairs.add(Repairs::BODY_SHORTER_THAN_STATED),
        std::cmp::Ordering::Greater => outcome.repairs.add(Repairs::BODY_LONGER_THAN_STATED),
        std::cmp::Ordering::Equal => {}
    }
}

fn undo<'a>(
    coding: Coding,
    body: Cow<'a, [u8]>,
    limit: usize,
    outcome: &mut Outcome,
) -> Cow<'a, [u8]> {
    match decode(coding, &body, limit) {
        Decoded::Body {
            bytes,
            end,
            repairs,
        } => {
            outcome.repairs.add(repairs);
            if let Some(failure) = failure_of(end, bytes.len()) {
                outcome.fail(failure);
            }
            Cow::Owned(bytes)
        }
        Decoded::Not(complaint) => {
            outcome.repairs.add(Repairs::NOT_ENCODED);
            if let Some(complaint) = complaint {
                let detail = format!("{complaint}; the body was kept undecoded");
                outcome.fail(Failure::new(Failure::CODING_INVALID, detail));
            }
            body
        }
    }
}

fn failure_of(end: End, length: usize) -> Option<Failure> {
    let (reason, detail) = match end {
        End::Complete => return None,
        End::Truncated => (
            Failure::CODING_TRUNCATED,
            format!("the compressed body is cut; {length} bytes decoded"),
        ),
        End::Limit => (
            Failure::BODY_TOO_LONG,
            format!("the body exceeds the limit of {length} bytes and was cut"),
        ),
        End::Invalid(complaint) => (
            Failure::CODING_INVALID,
            format!("{complaint} after {length} bytes"),
        ),
        End::Checksum => (
            Failure::CHECKSUM_MISMATCH,
            format!("checksum mismatch after {length} decoded bytes"),
        ),
    };
    Some(Failure::new(reason, detail))
}

fn cut<'a>(body: Cow<'a, [u8]>, limit: usize, outcome: &mut Outcome) -> Cow<'a, [u8]> {
    if body.len() <= limit {
        return body;
    }
    if let Some(failure) = failure_of(End::Limit, limit) {
        outcome.fail(failure);
    }
    match body {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..limit]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(limit);
            Cow::Owned(bytes)
        }
    }
}
