//! Detection by likelihood, for pages that are neither ASCII nor clearly UTF-8.

use encoding_rs::{Encoding, GB18030, GBK, UTF_8, WINDOWS_1252};

use super::detection::{Declarations, Detected, Source};
use super::label::Charset;
use super::repeats::{Counts, Evidence, Repeats};
use super::sample::Sample;
use super::single_byte::ScoredEncoding;
use super::{multi_byte, single_byte, top_level_domain};

/// Bonuses for declared charsets, subtracted from the surprise (a negative log-likelihood).
const HTTP_BONUS: f32 = 13.0;
const META_BONUS: f32 = 12.0;
/// Smaller, because servers declare windows-1252 (alias ISO-8859-1) when they do not know.
const WINDOWS_1252_BONUS: f32 = 10.0;
/// Added for each non-ASCII byte, so that damage of this rate does not outweigh a declaration.
const BONUS_PER_BYTE: f32 = 0.05;
const TLD_BONUS: f32 = 3.0;
/// A charset that is this much more surprising than another cannot be the best one, unless it is
/// declared or the page is valid UTF-8: its only other bonus is that of the domain. The extra 1
/// covers rounding.
const MARGIN_OF_UNLIKELY: f32 = TLD_BONUS + 1.0;
/// Characters of other charsets are rarely valid UTF-8.
const VALID_UTF_8_BONUS: f32 = 10.0;

/// If the two best charsets score closer than this, the result is a guess.
const GUESS_MARGIN: f32 = 2.0;
/// Divides the margin before it becomes a confidence. Characters are not independent of each other,
/// so the raw margin is overconfident.
const OVERCONFIDENCE_FACTOR: f32 = 5.0;

/// The result that a caller requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedResult {
    /// The charset alone, so that a charset is abandoned as soon as it cannot be the best one.
    Charset,
    /// The charset, its source, and how much less likely the others are.
    Confidence,
}

/// Ranks the charsets of a page with non-ASCII bytes. `is_utf_8`: the bytes are valid UTF-8.
pub fn judge(
    bytes: &[u8],
    declarations: Declarations,
    tld: Option<&str>,
    is_utf_8: bool,
    wanted: RequestedResult,
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
        wanted,
    };
    let judgements = page.judgements();
    let Some((best, others)) = judgements.split_first() else {
        return declarations.for_ascii();
    };
    let margin = match wanted {
        RequestedResult::Charset => f32::INFINITY,
        RequestedResult::Confidence => margin(&page.sample, best, others),
    };
    let charset = declarations.as_declared(best.encoding);
    let source = match declarations.source_of(charset) {
        Source::Detected if margin < GUESS_MARGIN => Source::Fallback,
        source => source,
    };
    Detected {
        charset,
        source,
        confidence: 1.0 / (1.0 + (-margin / OVERCONFIDENCE_FACTOR).exp()),
    }
}

/// The inputs of the decision.
struct Page<'a> {
    bytes: &'a [u8],
    sample: Sample<'a>,
    counts: Vec<(usize, f32)>,
    declarations: Declarations,
    /// The declared encodings.
    declared: Vec<&'static Encoding>,
    tld: Option<&'a str>,
    is_utf_8: bool,
    wanted: RequestedResult,
}

impl Page<'_> {
    /// All charsets, the most likely first.
    fn judgements(&self) -> Vec<ScoredEncoding> {
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
                && (is_utf_8(*encoding) || decodes_cleanly(self.bytes, encoding))
        };
        let mut encodings = judgements.iter().map(|judgement| judgement.encoding);
        if let Some(kept) = encodings.find(is_kept) {
            prefer(&mut judgements, kept);
        }
        judgements
    }

    /// Whether this charset is the most likely one if repeated pieces of the sample count once.
    fn is_likely_without_repetitions(&self, encoding: &'static Encoding) -> bool {
        let sample = self.sample.without_repetitions();
        // With few repetitions, the ranking would hardly change.
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
    ) -> Vec<ScoredEncoding> {
        let margin = match self.wanted {
            RequestedResult::Charset if repeats.is_none() && !self.is_utf_8 => MARGIN_OF_UNLIKELY,
            _ => f32::INFINITY,
        };
        let mut judgements = multi_byte::judge(sample, repeats.is_some(), &self.declared, margin);
        let surprises = judgements.iter().map(|judgement| judgement.surprise);
        let bound = surprises.fold(f32::INFINITY, f32::min);
        let single = single_byte::judge(sample, counts, repeats, bound, &self.declared, margin);
        judgements.extend(single);
        let non_ascii = if self.is_utf_8 { 0 } else { sample.non_ascii };
        for judgement in &mut judgements {
            let encoding = judgement.encoding;
            judgement.surprise -= self.declarations.bonus(encoding, non_ascii);
            if self.is_utf_8 && encoding == UTF_8 {
                judgement.surprise -= VALID_UTF_8_BONUS;
            }
            if self
                .tld
                .is_some_and(|tld| top_level_domain::has_charset(tld, encoding))
            {
                judgement.surprise -= TLD_BONUS;
            }
        }
        sort(&mut judgements);
        judgements
    }
}

/// Moves a charset to the front.
fn prefer(judgements: &mut [ScoredEncoding], encoding: &'static Encoding) {
    let least = judgements
        .first()
        .map_or(0.0, |judgement| judgement.surprise);
    let preferred = judgements
        .iter_mut()
        .find(|judgement| judgement.encoding == encoding);
    if let Some(judgement) = preferred {
        judgement.surprise = least - GUESS_MARGIN;
    }
    sort(judgements);
}

/// The sort is stable: on a tie, the more common charset comes first.
fn sort(judgements: &mut [ScoredEncoding]) {
    judgements.sort_by(|a, b| a.surprise.total_cmp(&b.surprise));
}

/// Whether nothing on the page could disprove this charset.
fn is_beyond_doubt(encoding: &'static Encoding, evidence: &Evidence) -> bool {
    if encoding == UTF_8 {
        return true;
    }
    let is_foreign = |byte| single_byte::is_foreign_letter(encoding, byte);
    let is_symbol = |byte| single_byte::is_symbol(encoding, byte);
    !evidence.mixes_alphabets(is_foreign)
        && (!evidence.is_varied() || evidence.is_dominated_by_symbol(is_symbol, is_foreign))
}

/// Whether every byte decodes to a character, and none to a C1 control.
fn decodes_cleanly(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    let is_control = |pair: &[u8]| matches!(pair, [0xc2, 0x80..=0x9f]);
    text.is_some_and(|text| !text.as_bytes().windows(2).any(is_control))
}

/// The distance from the best charset to the next one that decodes the sample differently.
fn margin(sample: &Sample<'_>, best: &ScoredEncoding, others: &[ScoredEncoding]) -> f32 {
    let bytes = sample.pieces.concat();
    let read =
        |judgement: &ScoredEncoding| judgement.encoding.decode_without_bom_handling(&bytes).0;
    let text = read(best);
    let other = others.iter().find(|other| read(other) != text);
    other.map_or(f32::INFINITY, |other| other.surprise - best.surprise)
}

/// The encoding that represents a group of equivalent ones.
fn judged_as(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == GBK { GB18030 } else { encoding }
}

impl Declarations {
    /// Returns the bonus in likelihood of a declared charset.
    fn bonus(&self, encoding: &'static Encoding, non_ascii: usize) -> f32 {
        let declares = |charset: Option<Charset>| {
            charset
                .and_then(|charset| charset.encoding())
                .is_some_and(|e| judged_as(e) == encoding)
        };
        let bonus = if declares(self.http) {
            HTTP_BONUS
        } else if declares(self.meta) {
            META_BONUS
        } else {
            return 0.0;
        };
        if encoding == WINDOWS_1252 {
            return WINDOWS_1252_BONUS;
        }
        bonus + BONUS_PER_BYTE * non_ascii as f32
    }

    /// The charset to report. GBK and gb18030 are judged as one, so a declared one wins.
    fn as_declared(&self, encoding: &'static Encoding) -> Charset {
        let same = |charset: &Charset| charset.encoding().is_some_and(|e| judged_as(e) == encoding);
        let declared = [self.http, self.meta].into_iter().flatten().find(same);
        declared.unwrap_or(Charset::standard(encoding))
    }
}
