//! The repetition rules of Gopher (Rae et al. 2021, table A1).

use super::{BYTES_PER_WORD, share};
use crate::repetition::{
    DUPLICATE_SIZES, NgramCounter, NgramCounts, TOP_SIZES, line_duplicates, paragraph_duplicates,
};
use crate::words::measured_words;

/// The measures of the rules: shares of the characters of the text, unless noted otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct GopherRepetition {
    /// The share of paragraphs that occurred before.
    pub duplicate_paragraphs: f64,
    pub duplicate_paragraph_characters: f64,
    /// The share of lines that occurred before.
    pub duplicate_lines: f64,
    pub duplicate_line_characters: f64,
    /// The characters of all occurrences of the most frequent sequence of 2, 3 and 4 words.
    pub top_ngrams: [f64; 3],
    /// The characters in sequences of 5 to 10 words that occurred before.
    pub duplicate_ngrams: [f64; 6],
}

/// Measures a text, which [`words`](crate::words::words) splits.
pub fn gopher_repetition(text: &str) -> GopherRepetition {
    let mut ngrams = NgramCounter::new(text.len() / BYTES_PER_WORD);
    measured_words(text).for_each(|word| ngrams.add(word.term, word.characters));
    of_ngrams(text, &ngrams.finish())
}

/// Measures a text whose n-grams have been counted.
pub(super) fn of_ngrams(text: &str, ngrams: &NgramCounts) -> GopherRepetition {
    let characters = text.chars().count() as u64;
    let paragraphs = paragraph_duplicates(text);
    let lines = line_duplicates(text);
    GopherRepetition {
        duplicate_paragraphs: paragraphs.share(),
        duplicate_paragraph_characters: share(paragraphs.repeated_characters, characters),
        duplicate_lines: lines.share(),
        duplicate_line_characters: share(lines.repeated_characters, characters),
        top_ngrams: ngrams.top_characters.map(|part| share(part, characters)),
        duplicate_ngrams: ngrams
            .duplicate_characters
            .map(|part| share(part, characters)),
    }
}

/// The thresholds; by default those of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GopherRepetitionRules {
    pub max_duplicate_paragraphs: f64,
    pub max_duplicate_paragraph_characters: f64,
    pub max_duplicate_lines: f64,
    pub max_duplicate_line_characters: f64,
    pub max_top_ngrams: [f64; 3],
    pub max_duplicate_ngrams: [f64; 6],
}

impl Default for GopherRepetitionRules {
    fn default() -> Self {
        Self {
            max_duplicate_paragraphs: 0.3,
            max_duplicate_paragraph_characters: 0.2,
            max_duplicate_lines: 0.3,
            max_duplicate_line_characters: 0.2,
            max_top_ngrams: [0.2, 0.18, 0.16],
            max_duplicate_ngrams: [0.15, 0.14, 0.13, 0.12, 0.11, 0.1],
        }
    }
}

const TOP_NAMES: [&str; TOP_SIZES.len()] = ["top_2_gram", "top_3_gram", "top_4_gram"];
const DUPLICATE_NAMES: [&str; DUPLICATE_SIZES.len()] = [
    "duplicated_5_n_grams",
    "duplicated_6_n_grams",
    "duplicated_7_n_grams",
    "duplicated_8_n_grams",
    "duplicated_9_n_grams",
    "duplicated_10_n_grams",
];

impl GopherRepetitionRules {
    /// The rules that a text breaks, in the order in which datatrove checks them.
    pub fn broken(&self, text: &GopherRepetition) -> impl Iterator<Item = &'static str> + use<> {
        let parts = [
            (
                text.duplicate_paragraphs > self.max_duplicate_paragraphs,
                "dup_para_frac",
            ),
            (
                text.duplicate_paragraph_characters > self.max_duplicate_paragraph_characters,
                "dup_para_char_frac",
            ),
            (
                text.duplicate_lines > self.max_duplicate_lines,
                "dup_line_frac",
            ),
            (
                text.duplicate_line_characters > self.max_duplicate_line_characters,
                "dup_line_char_frac",
            ),
        ];
        let (text, rules) = (*text, *self);
        let top = (0..TOP_NAMES.len()).map(move |at| {
            (
                text.top_ngrams[at] > rules.max_top_ngrams[at],
                TOP_NAMES[at],
            )
        });
        let duplicate = (0..DUPLICATE_NAMES.len()).map(move |at| {
            let is_broken = text.duplicate_ngrams[at] > rules.max_duplicate_ngrams[at];
            (is_broken, DUPLICATE_NAMES[at])
        });
        parts
            .into_iter()
            .chain(top)
            .chain(duplicate)
            .filter_map(|(is_broken, name)| is_broken.then_some(name))
    }
}
