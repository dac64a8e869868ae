//! Repeated lines and paragraphs.

use crate::hashing::TextSet;
use crate::lines::separated;

/// Counts of parts of a text that repeat an earlier one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// The number of parts.
    pub parts: u64,
    /// The number of parts that occurred before.
    pub repeated: u64,
    /// The characters of these.
    pub repeated_characters: u64,
}

impl Duplicates {
    /// Counts the repetitions among the given parts.
    pub fn of<'a>(parts: impl Iterator<Item = &'a str>) -> Self {
        let mut seen = TextSet::default();
        let mut duplicates = Self::default();
        for part in parts {
            duplicates.parts += 1;
            if !seen.insert(part) {
                duplicates.repeated += 1;
                duplicates.repeated_characters += part.chars().count() as u64;
            }
        }
        duplicates
    }

    /// The share of the parts that are repetitions, 0 for none.
    pub fn share(&self) -> f64 {
        match self.parts {
            0 => 0.0,
            parts => self.repeated as f64 / parts as f64,
        }
    }
}

/// Repetitions among the lines of a text, between runs of newlines.
pub fn line_duplicates(text: &str) -> Duplicates {
    Duplicates::of(separated(text, 1))
}

/// Repetitions among the paragraphs of a text, between runs of two newlines and more.
///
/// ```
/// let duplicates = corpus_text::repetition::paragraph_duplicates("one\n\ntwo\n\n\none");
/// assert_eq!((duplicates.parts, duplicates.repeated), (3, 1));
/// assert_eq!(duplicates.repeated_characters, 3);
/// ```
pub fn paragraph_duplicates(text: &str) -> Duplicates {
    Duplicates::of(separated(text.trim(), 2))
}
