//! Measures how varied the evidence of a sample is.
//!
//! A symbol that appears forty times on an English page is hardly more evidence than one that
//! appears once: the author chose it once and repeats it. Text in another language repeats its
//! letters too, but in different words and next to different letters.

use super::sample::{Sample, representative};

/// Maximum number of distinct non-ASCII bytes on a page that only repeats a few symbols.
const MAX_REPEATED_BYTES: usize = 8;

/// The surprise of each repetition, in addition to choosing one of the page's characters.
const REPETITION_SURPRISE: f32 = 0.1;

/// Number of distinct bytes inside words from which a sample is text.
const MIN_BYTES_WITHIN_WORDS: usize = 3;

/// Number of distinct bytes attached to words from which a sample is text.
const MIN_ATTACHED_BYTES: usize = 5;

/// Two bytes are enough for text if each appears between this many distinct pairs of neighbors.
const MIN_SURROUNDINGS: usize = 3;

/// Number of distinct Latin words containing a foreign letter that disprove a charset.
const MIN_MIXED_WORDS: usize = 5;

/// The number of occurrences of each byte, indexed by the byte minus 0x80. Absent bytes are left
/// out.
pub type Counts = [(usize, f32)];

/// The non-ASCII bytes next to letters or to other non-ASCII bytes.
pub struct Evidence {
    /// Distinct bytes between letters, each with both neighbors in lower case.
    within_words: Vec<[u8; 3]>,
    /// The number of entries of `within_words` per byte, indexed by the byte minus 0x80.
    words: [usize; 128],
    /// Distinct bytes in words with at least two other letters.
    attached: Vec<u8>,
    /// The byte that makes up more than half of the sample.
    dominant: Option<u8>,
}

impl Evidence {
    /// `None` for the many pages that clearly are text in some language.
    pub fn of(sample: &Sample<'_>, counts: &Counts) -> Option<Self> {
        if counts.len() > MAX_REPEATED_BYTES && has_many_within_words(sample) {
            return None;
        }
        let mut within_words = Vec::new();
        let mut attached = Vec::new();
        for window in windows(sample) {
            let [_, before, byte, after, _] = window.map(|byte| byte.to_ascii_lowercase());
            if is_within_word([before, byte, after]) {
                within_words.push([byte, before, after]);
            }
            if is_attached(window) {
                attached.push(byte);
            }
        }
        sort_and_dedup(&mut within_words);
        sort_and_dedup(&mut attached);
        let mut words = [0; 128];
        for [byte, ..] in &within_words {
            if let Some(number) = words.get_mut(usize::from(byte ^ 0x80)) {
                *number += 1;
            }
        }
        let total: f32 = counts.iter().map(|(_, count)| count).sum();
        let dominant = counts.iter().find(|(_, count)| *count * 2.0 > total);
        Some(Self {
            within_words,
            words,
            attached,
            dominant: dominant.map(|(index, _)| 0x80 | *index as u8),
        })
    }

    /// Whether enough different characters appear in different words for a text.
    pub fn is_varied(&self) -> bool {
        self.has_clusters()
            || self.bytes_in_words(1) >= MIN_BYTES_WITHIN_WORDS
            || self.attached.len() >= MIN_ATTACHED_BYTES
    }

    /// The number of distinct bytes that have at least `least` pairs of neighbors.
    fn bytes_in_words(&self, least: usize) -> usize {
        self.words.iter().filter(|words| **words >= least).count()
    }

    /// Whether different bytes appear between other non-ASCII bytes, as in long words of another
    /// alphabet.
    fn has_clusters(&self) -> bool {
        let is_cluster = |[_, before, after]: &&[u8; 3]| !before.is_ascii() && !after.is_ascii();
        distinct(self.within_words.iter().filter(is_cluster)) > 1
    }

    /// Whether the page mainly repeats one symbol, and at most one byte inside words is odd: a
    /// symbol or a letter of another alphabet.
    pub fn is_dominated_by_symbol(
        &self,
        is_symbol: impl Fn(u8) -> bool,
        is_foreign: impl Fn(u8) -> bool,
    ) -> bool {
        let is_odd = |[byte, ..]: &&[u8; 3]| is_symbol(*byte) || is_foreign(*byte);
        self.dominant.is_some_and(&is_symbol)
            && distinct(self.within_words.iter().filter(is_odd)) < 2
    }

    /// Whether Latin words contain several letters of another alphabet. A single letter counts as a
    /// symbol, no matter how many words contain it.
    pub fn mixes_alphabets(&self, is_foreign: impl Fn(u8) -> bool) -> bool {
        let within = || self.mixed_words(&is_foreign);
        let attached = self.attached.iter().filter(|byte| is_foreign(**byte));
        within().count() >= MIN_MIXED_WORDS && distinct(within()) > 1
            || attached.count() >= MIN_BYTES_WITHIN_WORDS
    }

    /// The letters of another alphabet between two Latin letters.
    fn mixed_words(&self, is_foreign: impl Fn(u8) -> bool) -> impl Iterator<Item = &[u8; 3]> {
        let is_mixed = move |[byte, before, after]: &&[u8; 3]| {
            before.is_ascii() && after.is_ascii() && is_foreign(*byte)
        };
        self.within_words.iter().filter(is_mixed)
    }
}

fn sort_and_dedup<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

/// The number of distinct first bytes in a sorted list.
fn distinct<'a>(sorted: impl IntoIterator<Item = &'a [u8; 3]>) -> usize {
    let mut last = None;
    let is_new = |[byte, ..]: &&[u8; 3]| last.replace(*byte) != Some(*byte);
    sorted.into_iter().filter(is_new).count()
}

/// The non-ASCII bytes, except no-break spaces, with two neighbors on each side. Neighbors outside
/// the sample are zero.
fn windows<'a>(sample: &Sample<'a>) -> impl Iterator<Item = [u8; 5]> {
    sample.pieces.iter().flat_map(|piece| {
        let places = piece.iter().enumerate();
        let places = places.filter(|(_, byte)| !byte.is_ascii() && **byte != NO_BREAK_SPACE);
        places.map(|(place, _)| {
            let neighbor = |offset| piece.get(place.wrapping_add_signed(offset)).copied();
            [-2, -1, 0, 1, 2].map(|offset| neighbor(offset).unwrap_or_default())
        })
    })
}

const NO_BREAK_SPACE: u8 = 0xa0;

fn is_within_word([before, byte, after]: [u8; 3]) -> bool {
    let is_word = |neighbor: u8| {
        neighbor.is_ascii_alphabetic()
            || !neighbor.is_ascii() && neighbor != byte && neighbor != NO_BREAK_SPACE
    };
    is_word(before) && is_word(after)
}

/// Whether the byte is in a word of at least three letters, next to an ASCII letter. Units such as
/// μm and kΩ have two letters and are not words.
fn is_attached([first, before, _, after, last]: [u8; 5]) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic();
    let is_word = |near: u8, far: u8| is_letter(near) && (is_letter(far) || !far.is_ascii());
    is_letter(before) && is_letter(after) || is_word(before, first) || is_word(after, last)
}

/// Whether there are enough distinct bytes inside words; stops as soon as there are.
fn has_many_within_words(sample: &Sample<'_>) -> bool {
    let mut found = Vec::with_capacity(MIN_BYTES_WITHIN_WORDS);
    let triples = windows(sample).map(|[_, before, byte, after, _]| [before, byte, after]);
    for [_, byte, _] in triples.filter(|triple| is_within_word(*triple)) {
        if !found.contains(&byte) {
            found.push(byte);
            if found.len() >= MIN_BYTES_WITHIN_WORDS {
                return true;
            }
        }
    }
    false
}

/// A sample in which few bytes recur. Repetitions count little.
pub struct Repeats<'a> {
    evidence: &'a Evidence,
    /// The weight of each byte: at most its number of occurrences.
    pub weights: Vec<(usize, f32)>,
    /// The surprise of the remaining occurrences, which is the same in all single-byte charsets.
    pub surprise: f32,
    /// Distinct pairs of neighbors with at least one non-ASCII byte. ASCII characters are replaced
    /// by a representative of their kind.
    pub pairs: Vec<[u8; 2]>,
}

impl<'a> Repeats<'a> {
    /// `None` if nothing repeats, or if the sample is text.
    pub fn of(sample: &Sample<'_>, counts: &Counts, evidence: &'a Evidence) -> Option<Self> {
        let is_text = evidence.has_clusters()
            || evidence.dominant.is_none()
                && (evidence.is_varied() || evidence.bytes_in_words(MIN_SURROUNDINGS) > 1);
        if is_text
            || counts.len() > MAX_REPEATED_BYTES
            || counts.iter().all(|(_, count)| *count <= 1.0)
        {
            return None;
        }
        // A single byte counts no more than all others together.
        let weight = |index: usize, count: f32| {
            let words = evidence.words.get(index).copied().unwrap_or_default();
            let of_others = evidence.within_words.len() - words;
            count.min(1.0 + words.min(of_others) as f32)
        };
        let weights: Vec<_> = counts
            .iter()
            .map(|(index, count)| (*index, weight(*index, *count)))
            .collect();
        let numbers = counts.iter().zip(&weights);
        let numbers = numbers.map(|((_, count), (_, weight))| (*count, *weight));
        let windows = sample.pieces.iter().flat_map(|piece| piece.windows(2));
        let pairs = windows.filter_map(|window| <[u8; 2]>::try_from(window).ok());
        let mut pairs: Vec<_> = pairs
            .filter(|pair| !pair.is_ascii())
            .map(|pair| pair.map(representative))
            .collect();
        sort_and_dedup(&mut pairs);
        Some(Self {
            evidence,
            surprise: surprise_of_repetitions(numbers),
            weights,
            pairs,
        })
    }

    /// The number of distinct Latin words around a foreign letter.
    pub fn mixed_words(&self, is_foreign: impl Fn(u8) -> bool) -> usize {
        self.evidence.mixed_words(is_foreign).count()
    }
}

/// The surprise of the occurrences that have no weight. `things` yields the number of occurrences
/// of each character or byte, and its weight.
pub fn surprise_of_repetitions(things: impl Iterator<Item = (f32, f32)> + Clone) -> f32 {
    let all: f32 = things.clone().map(|(count, _)| count).sum();
    things
        .map(|(count, weight)| (count - weight) * (REPETITION_SURPRISE + (all / count).ln()))
        .sum()
}
