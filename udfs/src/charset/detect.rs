//! The decision.

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030, GBK, ISO_2022_JP, UTF_8, WINDOWS_1252};

use super::declaration::declared_inside;
use super::decode::decode;
use super::label::Charset;
use super::sample::{Sample, next_non_ascii};
use super::single_byte::Judgement;
use super::{multi_byte, single_byte, top_level_domain, wide};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detected {
    pub charset: Charset,
    pub source: Source,
    /// From 0 to 1: how much better the page reads than in the charset that comes second.
    pub confidence: f32,
}

/// What told the charset. A declaration is named where it agrees with the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Bom,
    Http,
    Meta,
    Detected,
    /// Nothing did: it is a common charset that fits.
    Fallback,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Self::Bom => "bom",
            Self::Http => "http",
            Self::Meta => "meta",
            Self::Detected => "detected",
            Self::Fallback => "fallback",
        }
    }
}

/// How much likelier a charset is for being declared, as a logarithm.
const FOR_HTTP: f32 = 13.0;
const FOR_META: f32 = 12.0;
/// windows-1252, alias ISO-8859-1, is what servers say when they do not know.
const FOR_DEFAULT: f32 = 10.0;
/// And more for every non-ASCII byte: so much damage must not outweigh a declaration.
const PER_BYTE: f32 = 0.05;
const FOR_DOMAIN: f32 = 3.0;

/// With less between the first two charsets, the first is no more than a guess.
const GUESS: f32 = 2.0;
/// Characters are not independent of each other, so the difference says less than it seems to.
const OVERCONFIDENCE: f32 = 5.0;

/// So few sequences of UTF-8 may be chance: other charsets have characters of the same bytes.
const FEW_SEQUENCES: usize = 3;

/// The charset of a page. `declared` is the label of the HTTP header, `tld` the top-level domain;
/// what the page says of itself is looked up.
pub fn detect(bytes: &[u8], declared: Option<&str>, tld: Option<&str>) -> Detected {
    examine(bytes, declared, tld).0
}

/// [`detect`] and [`decode`] in one, which validates UTF-8 only once.
pub fn decode_page<'a>(
    bytes: &'a [u8],
    declared: Option<&str>,
    tld: Option<&str>,
) -> (Cow<'a, str>, Detected) {
    let (detected, text) = examine(bytes, declared, tld);
    let text = text.unwrap_or_else(|| decode(bytes, detected.charset));
    (text, detected)
}

/// The decision, and the text where it was made on the way.
fn examine<'a>(
    bytes: &'a [u8],
    declared: Option<&str>,
    tld: Option<&str>,
) -> (Detected, Option<Cow<'a, str>>) {
    if let Some(charset) = wide::by_mark(bytes) {
        let detected = Detected {
            charset,
            source: Source::Bom,
            confidence: 1.0,
        };
        return (detected, None);
    }
    let http = declared.and_then(Charset::for_label);
    if let Some(charset) = wide::without_mark(bytes, http) {
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
        return (judge(bytes, declarations, tld), None);
    };
    match sequences(bytes) {
        0 => (declarations.for_ascii(), Some(text)),
        1..=FEW_SEQUENCES => (judge(bytes, declarations, tld), None),
        _ => (declarations.certain(Charset::standard(UTF_8)), Some(text)),
    }
}

/// The number of sequences in valid UTF-8; counted no further than matters.
fn sequences(bytes: &[u8]) -> usize {
    let mut count = 0;
    let mut position = 0;
    while count <= FEW_SEQUENCES
        && let Some(first) = next_non_ascii(bytes, position)
    {
        let tail = bytes.get(first + 1..).unwrap_or_default();
        let is_continuation = |byte: &&u8| matches!(byte, 0x80..=0xbf);
        position = first + 1 + tail.iter().take(3).take_while(is_continuation).count();
        count += 1;
    }
    count
}

/// Whether it is ISO-2022-JP: it has a sequence that begins Japanese characters, and next to no
/// bytes beyond ASCII.
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

#[derive(Debug, Clone, Copy)]
struct Declarations {
    http: Option<Charset>,
    meta: Option<Charset>,
}

impl Declarations {
    fn source_of(&self, charset: Charset) -> Source {
        if self.http == Some(charset) {
            Source::Http
        } else if self.meta == Some(charset) {
            Source::Meta
        } else {
            Source::Detected
        }
    }

    fn certain(&self, charset: Charset) -> Detected {
        Detected {
            charset,
            source: self.source_of(charset),
            confidence: 1.0,
        }
    }

    /// All charsets read ASCII alike, and the declared one is what the page's links are made in.
    fn for_ascii(&self) -> Detected {
        self.certain(self.http.or(self.meta).unwrap_or(Charset::standard(UTF_8)))
    }

    /// How much likelier a charset is for being declared.
    fn bonus(&self, encoding: &'static Encoding, non_ascii: usize) -> f32 {
        let declares = |charset: Option<Charset>| {
            charset
                .and_then(|charset| charset.encoding())
                .is_some_and(|e| judged_as(e) == encoding)
        };
        let bonus = if declares(self.http) {
            FOR_HTTP
        } else if declares(self.meta) {
            FOR_META
        } else {
            return 0.0;
        };
        if encoding == WINDOWS_1252 {
            return FOR_DEFAULT;
        }
        bonus + PER_BYTE * non_ascii as f32
    }
}

/// Of charsets that read alike, the one that is judged.
fn judged_as(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == GBK { GB18030 } else { encoding }
}

fn judge(bytes: &[u8], declarations: Declarations, tld: Option<&str>) -> Detected {
    let sample = Sample::of(bytes);
    let declared = [declarations.http, declarations.meta];
    let wanted: Vec<_> = declared
        .into_iter()
        .flatten()
        .filter_map(|c| c.encoding())
        .collect();
    let mut judgements = multi_byte::judge(&sample);
    let bound = judgements
        .iter()
        .map(|j| j.surprise)
        .fold(f32::INFINITY, f32::min);
    judgements.extend(single_byte::judge(&sample, bound, &wanted));
    for judgement in &mut judgements {
        judgement.surprise -= declarations.bonus(judgement.encoding, sample.non_ascii);
        if tld.is_some_and(|tld| top_level_domain::has_charset(tld, judgement.encoding)) {
            judgement.surprise -= FOR_DOMAIN;
        }
    }
    // Stable: of those that are equal, the commoner one stands first.
    judgements.sort_by(|a, b| a.surprise.total_cmp(&b.surprise));
    let Some((best, others)) = judgements.split_first() else {
        return declarations.for_ascii();
    };
    let margin = margin(&sample, best, others);
    let charset = declarations.spelling(best.encoding);
    let source = match declarations.source_of(charset) {
        Source::Detected if margin < GUESS => Source::Fallback,
        source => source,
    };
    Detected {
        charset,
        source,
        confidence: 1.0 / (1.0 + (-margin / OVERCONFIDENCE).exp()),
    }
}

/// How far behind the first charset is that reads the page differently.
fn margin(sample: &Sample<'_>, best: &Judgement, others: &[Judgement]) -> f32 {
    let bytes = sample.pieces.concat();
    let read = |judgement: &Judgement| judgement.encoding.decode_without_bom_handling(&bytes).0;
    let text = read(best);
    let other = others.iter().find(|other| read(other) != text);
    other.map_or(f32::INFINITY, |other| other.surprise - best.surprise)
}

impl Declarations {
    /// GBK and gb18030 are judged as one: it is called as the page calls it.
    fn spelling(&self, encoding: &'static Encoding) -> Charset {
        let same = |charset: &Charset| charset.encoding().is_some_and(|e| judged_as(e) == encoding);
        let declared = [self.http, self.meta].into_iter().flatten().find(same);
        declared.unwrap_or(Charset::standard(encoding))
    }
}
