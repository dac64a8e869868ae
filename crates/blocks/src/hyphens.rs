//! Words hyphenated at line ends.
//!
//! Only a dictionary could decide whether a hyphen belongs to the word ("well-known") or to the
//! line ("exam-ple"). Here, the text around it is the dictionary: the spelling used elsewhere
//! decides. If the word occurs nowhere else, it keeps the hyphen only if a part has a hyphen or a
//! digit, or if both parts are long words of the text.

use std::collections::HashSet;

/// The minimum number of letters of each word of a compound, and of bytes of the whole.
const MIN_WORD_LETTERS: usize = 5;
const MIN_COMPOUND_BYTES: usize = 12;

/// The words of a text in lower case, without the punctuation around them.
#[derive(Debug, Default)]
pub struct KnownWords(HashSet<String>);

impl KnownWords {
    /// Adds the words of a line.
    pub fn add(&mut self, line: &str) {
        let words = line.split(' ').map(bare).filter(|word| !word.is_empty());
        self.0.extend(words.map(str::to_lowercase));
    }

    /// Whether the hyphen between two parts of a word belongs to the word.
    pub fn keep_hyphen(&self, stem: &str, tail: &str) -> bool {
        let (stem, tail) = (bare(stem), bare(tail));
        if self.has(&[stem, "-", tail]) || self.has(&[stem, "\u{2010}", tail]) {
            return true;
        }
        !self.has(&[stem, tail])
            && (stem.contains(|c: char| is_hyphen(c) || c.is_numeric())
                || tail.contains(is_hyphen)
                || self.are_words(stem, tail))
    }

    fn has(&self, parts: &[&str]) -> bool {
        !self.0.is_empty() && self.0.contains(&parts.concat().to_lowercase())
    }

    /// Whether both parts are words elsewhere in the text and too long to be syllables.
    fn are_words(&self, stem: &str, tail: &str) -> bool {
        let is_word = |part: &str| part.chars().count() >= MIN_WORD_LETTERS && self.has(&[part]);
        stem.len() + tail.len() >= MIN_COMPOUND_BYTES && is_word(stem) && is_word(tail)
    }
}

/// Whether a character is a hyphen that may belong to a word.
pub const fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}' | '\u{2011}')
}

/// A word without surrounding punctuation.
fn bare(word: &str) -> &str {
    word.trim_matches(|character: char| !character.is_alphanumeric())
}
