//! The quality rules of Gopher (Rae et al. 2021, appendix A.1), by which MassiveText was filtered.

use memchr::memmem;

use super::{broken_names, share};
use crate::lines::universal;
use crate::words::{Word, measured_words};

/// Returns the bit of a stop word, 0 for other words. An English text has at least two stop words.
#[inline]
fn stop_word(word: &str) -> u8 {
    let number = match word.as_bytes() {
        b"the" => 0,
        b"be" => 1,
        b"to" => 2,
        b"of" => 3,
        b"and" => 4,
        b"that" => 5,
        b"have" => 6,
        b"with" => 7,
        _ => return 0,
    };
    1 << number
}

/// The measures of the rules.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Gopher {
    /// Words that are not punctuation.
    pub words: u64,
    /// Their mean length in characters; 0 without words.
    pub mean_word_length: f64,
    /// `#` per word, punctuation included in the words.
    pub hash_ratio: f64,
    /// `...` and `…` per word.
    pub ellipsis_ratio: f64,
    /// The share of lines that start with `•` or `-`.
    pub bullet_lines: f64,
    /// The share of lines that end with an ellipsis.
    pub ellipsis_lines: f64,
    /// The share of words with a letter.
    pub alphabetic_words: f64,
    /// The number of eight English stop words that the text has.
    pub stop_words: u64,
}

/// Measures a text, which [`words`](crate::words::words) splits.
pub fn gopher(text: &str) -> Gopher {
    let mut counts = WordCounts::default();
    measured_words(text).for_each(|word| counts.add(&word));
    counts.finish(text)
}

/// Counts of words.
#[derive(Default)]
pub(super) struct WordCounts {
    all: u64,
    /// Words that are not punctuation, and their characters.
    words: u64,
    characters: u64,
    alphabetic: u64,
    /// A bit for each stop word that the text has.
    stop_words: u8,
}

impl WordCounts {
    #[inline]
    pub fn add(&mut self, word: &Word<'_>) {
        self.all += 1;
        if !word.is_punctuation() {
            self.words += 1;
            self.characters += word.characters as u64;
        }
        self.alphabetic += u64::from(word.has_letter());
        self.stop_words |= stop_word(word.text());
    }

    /// Adds the measures of the whole text.
    pub fn finish(self, text: &str) -> Gopher {
        let bytes = text.as_bytes();
        let hashes = memchr::memchr_iter(b'#', bytes).count() as u64;
        let ellipses =
            memmem::find_iter(bytes, "...").count() + memmem::find_iter(bytes, "…").count();
        let (mut lines, mut bullets, mut ellipsis_ends) = (0, 0, 0);
        for line in universal(text) {
            lines += 1;
            bullets += u64::from(line.trim_start().starts_with(['•', '-']));
            let end = line.trim_end();
            ellipsis_ends += u64::from(end.ends_with("...") || end.ends_with('…'));
        }
        Gopher {
            words: self.words,
            mean_word_length: share(self.characters, self.words),
            hash_ratio: share(hashes, self.all),
            ellipsis_ratio: share(ellipses as u64, self.all),
            bullet_lines: share(bullets, lines),
            ellipsis_lines: share(ellipsis_ends, lines),
            alphabetic_words: share(self.alphabetic, self.all),
            stop_words: u64::from(self.stop_words.count_ones()),
        }
    }
}

/// The thresholds; by default those of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GopherRules {
    pub min_words: u64,
    pub max_words: u64,
    pub min_mean_word_length: f64,
    pub max_mean_word_length: f64,
    /// The limit for hashes and for ellipses.
    pub max_symbol_ratio: f64,
    pub max_bullet_lines: f64,
    pub max_ellipsis_lines: f64,
    pub min_alphabetic_words: f64,
    pub min_stop_words: u64,
}

impl Default for GopherRules {
    fn default() -> Self {
        Self {
            min_words: 50,
            max_words: 100_000,
            min_mean_word_length: 3.0,
            max_mean_word_length: 10.0,
            max_symbol_ratio: 0.1,
            max_bullet_lines: 0.9,
            max_ellipsis_lines: 0.3,
            min_alphabetic_words: 0.8,
            min_stop_words: 2,
        }
    }
}

impl GopherRules {
    /// The rules that a text breaks, in the order in which datatrove checks them.
    pub fn broken(&self, text: &Gopher) -> impl Iterator<Item = &'static str> + use<> {
        broken_names([
            (text.words < self.min_words, "gopher_short_doc"),
            (text.words > self.max_words, "gopher_long_doc"),
            (
                text.mean_word_length < self.min_mean_word_length,
                "gopher_below_avg_threshold",
            ),
            (
                text.mean_word_length > self.max_mean_word_length,
                "gopher_above_avg_threshold",
            ),
            (
                text.hash_ratio > self.max_symbol_ratio,
                "gopher_too_many_hashes",
            ),
            (
                text.ellipsis_ratio > self.max_symbol_ratio,
                "gopher_too_many_ellipsis",
            ),
            (
                text.bullet_lines > self.max_bullet_lines,
                "gopher_too_many_bullets",
            ),
            (
                text.ellipsis_lines > self.max_ellipsis_lines,
                "gopher_too_many_end_ellipsis",
            ),
            (
                text.alphabetic_words < self.min_alphabetic_words,
                "gopher_below_alpha_threshold",
            ),
            (
                text.stop_words < self.min_stop_words,
                "gopher_enough_stop_words",
            ),
        ])
    }
}
