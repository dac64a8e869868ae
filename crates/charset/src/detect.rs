//! Detection of the charset of a page.

use std::borrow::Cow;

use encoding_rs::{ISO_2022_JP, UTF_8};

use super::declaration::declared_inside;
use super::decode::decode;
use super::detection::{Declarations, Detected, Source};
use super::judge::{RequestedResult, judge};
use super::label::Charset;
use super::sample::next_non_ascii;
use super::utf_16_and_32;

/// Maximum number of distinct UTF-8 sequences that may be coincidence.
const MAX_CHANCE_SEQUENCES: usize = 3;

/// With two distinct sequences, the number in total that cannot be coincidence.
const MIN_SEQUENCES_OF_TWO: usize = 8;

/// Maximum number of sequences searched for distinct ones.
const MAX_SEQUENCES: usize = 256;

/// Detects the charset of a page. `declared` is the label from the HTTP header and `tld` the
/// top-level domain. Declarations inside the page are found here.
pub fn detect(bytes: &[u8], declared: Option<&str>, tld: Option<&str>) -> Detected {
    examine(bytes, declared, tld, RequestedResult::Confidence).0
}

/// [`detect`] and [`decode`] in one step, which validates UTF-8 only once.
pub fn decode_page<'a>(
    bytes: &'a [u8],
    declared: Option<&str>,
    tld: Option<&str>,
) -> (Cow<'a, str>, Detected) {
    let (detected, text) = examine(bytes, declared, tld, RequestedResult::Confidence);
    let text = text.unwrap_or_else(|| decode(bytes, detected.charset));
    (text, detected)
}

/// The text of [`decode_page`]. Without the confidence, detection takes half the time.
pub fn decode_text<'a>(bytes: &'a [u8], declared: Option<&str>, tld: Option<&str>) -> Cow<'a, str> {
    let (detected, text) = examine(bytes, declared, tld, RequestedResult::Charset);
    text.unwrap_or_else(|| decode(bytes, detected.charset))
}

/// Detects the charset, and returns the text if detection already decoded it.
fn examine<'a>(
    bytes: &'a [u8],
    declared: Option<&str>,
    tld: Option<&str>,
    wanted: RequestedResult,
) -> (Detected, Option<Cow<'a, str>>) {
    if let Some(charset) = utf_16_and_32::from_mark(bytes) {
        let detected = Detected {
            charset,
            source: Source::Bom,
            confidence: 1.0,
        };
        return (detected, None);
    }
    let http = declared.and_then(Charset::for_label);
    if let Some(charset) = utf_16_and_32::without_mark(bytes, http) {
        return (Declarations { http, meta: None }.certain(charset), None);
    }
    let declarations = Declarations {
        http: http.filter(Charset::keeps_ascii),
        meta: declared_inside(bytes),
    };
    if has_japanese_escapes(bytes) {
        return (declarations.certain(Charset::standard(ISO_2022_JP)), None);
    }
    let Some(text) = UTF_8.decode_without_bom_handling_and_without_replacement(bytes) else {
        return (judge(bytes, declarations, tld, false, wanted), None);
    };
    let utf_8 = Charset::standard(UTF_8);
    if !declarations.names_other(utf_8) {
        return (declarations.certain(utf_8), Some(text));
    }
    let detected = match Sequences::of(bytes) {
        Sequences::None => declarations.for_ascii(),
        Sequences::Few => judge(bytes, declarations, tld, true, wanted),
        Sequences::Many => declarations.certain(utf_8),
    };
    let keeps_text = detected.charset == utf_8 || text.is_ascii();
    (detected, keeps_text.then_some(text))
}

/// The multi-byte sequences of valid UTF-8.
enum Sequences {
    None,
    /// Possibly coincidence: other charsets have characters with the same bytes.
    Few,
    Many,
}

impl Sequences {
    fn of(bytes: &[u8]) -> Self {
        let mut found: Vec<&[u8]> = Vec::with_capacity(MAX_CHANCE_SEQUENCES);
        let mut position = 0;
        for count in 1..=MAX_SEQUENCES {
            let Some(first) = next_non_ascii(bytes, position) else {
                break;
            };
            let tail = bytes.get(first + 1..).unwrap_or_default();
            let is_continuation = |byte: &&u8| matches!(byte, 0x80..=0xbf);
            position = first + 1 + tail.iter().take(3).take_while(is_continuation).count();
            let sequence = bytes.get(first..position).unwrap_or_default();
            if !found.contains(&sequence) {
                if found.len() == MAX_CHANCE_SEQUENCES {
                    return Self::Many;
                }
                found.push(sequence);
            }
            if found.len() > 1 && count >= MIN_SEQUENCES_OF_TWO {
                return Self::Many;
            }
        }
        if found.is_empty() {
            Self::None
        } else {
            Self::Few
        }
    }
}

/// Whether this is ISO-2022-JP: an escape sequence starts Japanese characters, and hardly any byte
/// is non-ASCII.
fn has_japanese_escapes(bytes: &[u8]) -> bool {
    const SEQUENCES: [&[u8]; 3] = [b"\x1b$B", b"\x1b$@", b"\x1b(I"];
    let begins = |place| {
        bytes
            .get(place..place + 3)
            .is_some_and(|s| SEQUENCES.contains(&s))
    };
    memchr::memchr_iter(0x1b, bytes).any(begins)
        && bytes.iter().filter(|byte| !byte.is_ascii()).count() * 50 <= bytes.len()
}
