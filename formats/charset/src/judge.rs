//! The decision by likelihood, for pages that are neither ASCII nor plainly UTF-8.

use encoding_rs::{Encoding, GB18030, GBK, UTF_8, WINDOWS_1252};

use super::detect::{Declarations, Detected, Source};
use super::label::Charset;
use super::repeats::{Counts, Evidence, Repeats};
use super::sample::Sample;
use super::single_byte::Judgement;
use super::{multi_byte, single_byte, top_level_domain};

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

/// Judges a page that has bytes beyond ASCII; `is_utf_8` if they are valid UTF-8.
pub fn judge(
    bytes: &[u8],
    declarations: Declarations,
    tld: Option<&str>,
    is_utf_8: bool,
) -> Detected {
    let sample = Sample::of(bytes);
    let page = Page {
        bytes,
        counts: single_byte::counts_of(&sample),
        sample,
        declarations,
        declared: [declarations.http, declarations.meta]
            .into_iter()
            .filter_map(|charset| charset?.encoding().map(judged_as))
            .collect(),
        tld,
        is_utf_8,
    };
    let judgements = page.judgements();
    let Some((best, others)) = judgements.split_first() else {
        return declarations.for_ascii();
    };
    let margin = margin(&page.sample, best, others);
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

/// What the decision depends on.
struct Page<'a> {
    bytes: &'a [u8],
    sample: Sample<'a>,
    counts: Vec<(usize, f32)>,
    declarations: Declarations,
    /// The encodings of the declarations.
    declared: Vec<&'static Encoding>,
    tld: Option<&'a str>,
    is_utf_8: bool,
}

impl Page<'_> {
    /// All charsets, the likeliest first.
    fn judgements(&self) -> Vec<Judgement> {
        let evidence = Evidence::of(&self.sample, &self.counts);
        let repeats = evidence
            .as_ref()
            .and_then(|evidence| Repeats::of(&self.sample, &self.counts, evidence));
        let mut judgements = self.ranked(&self.sample, &self.counts, repeats.as_ref());
        let is_declared = |encoding| self.declared.contains(&encoding);
        let is_utf_8 = |encoding| self.is_utf_8 && encoding == UTF_8;
        let best = judgements.first();
        if best.is_none_or(|best| is_declared(best.encoding)) {
            return judgements;
        }
        let is_kept = |encoding: &&'static Encoding| {
            let is_beyond_doubt = |evidence| is_beyond_doubt(encoding, evidence);
            (is_declared(*encoding) || is_utf_8(*encoding))
                && (evidence.as_ref().is_some_and(is_beyond_doubt)
                    || self.is_likely_without_repetitions(encoding))
                && (is_utf_8(*encoding) || decodes_without_fault(self.bytes, encoding))
        };
        let mut encodings = judgements.iter().map(|judgement| judgement.encoding);
        if let Some(kept) = encodings.find(is_kept) {
            prefer(&mut judgements, kept);
        }
        judgements
    }

    /// Whether no other charset is likelier when all pieces of the sample are different.
    fn is_likely_without_repetitions(&self, encoding: &'static Encoding) -> bool {
        let sample = self.sample.without_repetitions();
        // With few repetitions, the result would be nearly the same.
        if sample.non_ascii * 2 > self.sample.non_ascii {
            return false;
        }
        let judgements = self.ranked(&sample, &single_byte::counts_of(&sample), None);
        let of_it = judgements
            .iter()
            .find(|judgement| judgement.encoding == encoding);
        let least = judgements
            .first()
            .map_or(0.0, |judgement| judgement.surprise);
        of_it.is_some_and(|judgement| judgement.surprise <= least)
    }

    fn ranked(
        &self,
        sample: &Sample<'_>,
        counts: &Counts,
        repeats: Option<&Repeats<'_>>,
    ) -> Vec<Judgement> {
        let mut judgements = multi_byte::judge(sample, repeats.is_some());
        let surprises = judgements.iter().map(|judgement| judgement.surprise);
        let bound = surprises.fold(f32::INFINITY, f32::min);
        let single = single_byte::judge(sample, counts, repeats, bound, &self.declared);
        judgements.extend(single);
        let non_ascii = if self.is_utf_8 { 0 } else { sample.non_ascii };
        for judgement in &mut judgements {
            let encoding = judgement.encoding;
            judgement.surprise -= self.declarations.bonus(encoding, non_ascii);
            if self.is_utf_8 && encoding == UTF_8 {
                judgement.surprise -= FOR_VALID_UTF_8;
            }
            if self
                .tld
                .is_some_and(|tld| top_level_domain::has_charset(tld, encoding))
            {
                judgement.surprise -= FOR_DOMAIN;
            }
        }
        sort(&mut judgements);
        judgements
    }
}

/// Moves a charset to the front.
fn prefer(judgements: &mut [Judgement], encoding: &'static Encoding) {
    let least = judgements
        .first()
        .map_or(0.0, |judgement| judgement.surprise);
    let preferred = judgements
        .iter_mut()
        .find(|judgement| judgement.encoding == encoding);
    if let Some(judgement) = preferred {
        judgement.surprise = least - GUESS;
    }
    sort(judgements);
}

/// Stable: of those that are equal, the commoner one comes first.
fn sort(judgements: &mut [Judgement]) {
    judgements.sort_by(|a, b| a.surprise.total_cmp(&b.surprise));
}

/// Whether nothing on the page could disprove a charset that it decodes in.
fn is_beyond_doubt(encoding: &'static Encoding, evidence: &Evidence) -> bool {
    if encoding == UTF_8 {
        return true;
    }
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

/// Of charsets that read alike, the one that is judged.
fn judged_as(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == GBK { GB18030 } else { encoding }
}

impl Declarations {
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

    /// GBK and gb18030 are judged as one: it is called as the page calls it.
    fn spelling(&self, encoding: &'static Encoding) -> Charset {
        let same = |charset: &Charset| charset.encoding().is_some_and(|e| judged_as(e) == encoding);
        let declared = [self.http, self.meta].into_iter().flatten().find(same);
        declared.unwrap_or(Charset::standard(encoding))
    }
}
