//! The decision.

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030, GBK, ISO_2022_JP, UTF_8, WINDOWS_1252};

use super::declaration::declared_inside;
use super::decode::decode;
use super::label::Charset;
use super::repeats::{Evidence, Repeats};
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

impl Detected {
    /// Of text, which is decoded already.
    pub const TEXT: Self = Self {
        charset: Charset::standard(UTF_8),
        source: Source::Text,
        confidence: 1.0,
    };
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
    /// None was needed: the document was given as text.
    Text,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Self::Bom => "bom",
            Self::Http => "http",
            Self::Meta => "meta",
            Self::Detected => "detected",
            Self::Fallback => "fallback",
            Self::Text => "text",
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
/// Characters of other charsets are rarely valid UTF-8.
const FOR_VALID_UTF_8: f32 = 10.0;

/// With less between the first two charsets, the first is no more than a guess.
const GUESS: f32 = 2.0;
/// Characters are not independent of each other, so the difference says less than it seems to.
const OVERCONFIDENCE: f32 = 5.0;

/// Maximum number of distinct UTF-8 sequences that may be coincidence.
const MAX_CHANCE_SEQUENCES: usize = 3;

/// Number of UTF-8 sequences that are no coincidence if two of them are distinct.
const MIN_SEQUENCES_OF_TWO: usize = 8;

/// Number of sequences among which distinct ones are looked for.
const MAX_SEQUENCES: usize = 256;

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
        return (judge(bytes, declarations, tld, false), None);
    };
    let utf_8 = Charset::standard(UTF_8);
    let detected = match Sequences::of(bytes) {
        Sequences::None => declarations.for_ascii(),
        Sequences::Few if declarations.names_other(utf_8) => judge(bytes, declarations, tld, true),
        Sequences::Few | Sequences::Many => declarations.certain(utf_8),
    };
    let keeps_text = detected.charset == utf_8 || text.is_ascii();
    (detected, keeps_text.then_some(text))
}

/// The sequences of several bytes in valid UTF-8.
enum Sequences {
    None,
    /// May be coincidence: other charsets have characters of the same bytes.
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

    /// Whether a charset other than this one is declared.
    fn names_other(&self, charset: Charset) -> bool {
        [self.http, self.meta]
            .into_iter()
            .flatten()
            .any(|declared| declared != charset)
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

/// Judges a page that has bytes beyond ASCII; `is_utf_8` if they are valid UTF-8.
fn judge(bytes: &[u8], declarations: Declarations, tld: Option<&str>, is_utf_8: bool) -> Detected {
    let sample = Sample::of(bytes);
    let declared: Vec<_> = [declarations.http, declarations.meta]
        .into_iter()
        .filter_map(|charset| charset?.encoding().map(judged_as))
        .collect();
    let counts = single_byte::counts_of(&sample);
    let evidence = Evidence::of(&sample, &counts);
    let repeats = evidence
        .as_ref()
        .and_then(|evidence| Repeats::of(&sample, &counts, evidence));
    let mut judgements = multi_byte::judge(&sample, repeats.is_some());
    let bound = judgements
        .iter()
        .map(|j| j.surprise)
        .fold(f32::INFINITY, f32::min);
    judgements.extend(single_byte::judge(
        &sample,
        &counts,
        repeats.as_ref(),
        bound,
        &declared,
    ));
    for judgement in &mut judgements {
        judgement.surprise -= declarations.bonus(
            judgement.encoding,
            if is_utf_8 { 0 } else { sample.non_ascii },
        );
        if is_utf_8 && judgement.encoding == UTF_8 {
            judgement.surprise -= FOR_VALID_UTF_8;
        }
        if tld.is_some_and(|tld| top_level_domain::has_charset(tld, judgement.encoding)) {
            judgement.surprise -= FOR_DOMAIN;
        }
    }
    if let Some(evidence) = &evidence {
        prefer_faultless(&mut judgements, bytes, &declared, is_utf_8, evidence);
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

/// Puts a declared charset first that decodes the page without a fault, or UTF-8 if it is valid:
/// without varied evidence nothing else is likelier.
fn prefer_faultless(
    judgements: &mut [Judgement],
    bytes: &[u8],
    declared: &[&'static Encoding],
    is_utf_8: bool,
    evidence: &Evidence,
) {
    let least = judgements
        .iter()
        .map(|judgement| judgement.surprise)
        .fold(f32::INFINITY, f32::min);
    let is_faultless = |encoding| {
        if encoding == UTF_8 {
            return is_utf_8;
        }
        declared.contains(&encoding)
            && is_beyond_doubt(encoding, evidence)
            && decodes_without_fault(bytes, encoding)
    };
    let faultless = judgements
        .iter_mut()
        .filter(|judgement| is_faultless(judgement.encoding))
        .min_by(|a, b| a.surprise.total_cmp(&b.surprise));
    if let Some(judgement) = faultless {
        judgement.surprise = judgement.surprise.min(least - GUESS);
    }
}

/// Whether nothing on the page could disprove a charset that it decodes in.
fn is_beyond_doubt(encoding: &'static Encoding, evidence: &Evidence) -> bool {
    let is_foreign = |byte| single_byte::is_foreign_letter(encoding, byte);
    let is_symbol = |byte| single_byte::is_symbol(encoding, byte);
    !evidence.mixes_alphabets(is_foreign)
        && (!evidence.is_varied() || evidence.is_dominated_by_symbol(is_symbol, is_foreign))
}

/// Whether all bytes are characters in the charset, and none of them controls of C1.
fn decodes_without_fault(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    let is_control = |pair: &[u8]| matches!(pair, [0xc2, 0x80..=0x9f]);
    text.is_some_and(|text| !text.as_bytes().windows(2).any(is_control))
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
