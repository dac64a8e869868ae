//! The rules that FineWeb adds to Gopher's and C4's (Penedo et al. 2024).

use super::{broken_names, share};
use crate::lines::newline_separated;
use crate::properties::ends_sentence;
use crate::repetition::Duplicates;
use crate::words::words;

/// Lines of up to this many characters are short.
const SHORT_LINE_CHARACTERS: usize = 30;

/// The measures of the rules.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct FineWeb {
    /// Lines that are not blank.
    pub lines: u64,
    /// The share of these that end with terminal punctuation.
    pub punctuated_lines: f64,
    /// The share of these with at most 30 characters.
    pub short_lines: f64,
    /// The share of the characters that are in lines that occurred before.
    pub duplicate_characters: f64,
    /// Newlines per word.
    pub newline_ratio: f64,
}

/// Measures a text, which [`words`] splits.
pub fn fineweb(text: &str) -> FineWeb {
    of_words(text, words(text).count() as u64)
}

/// Measures a text that has this many words.
pub(super) fn of_words(text: &str, words: u64) -> FineWeb {
    let (mut count, mut punctuated, mut short) = (0, 0, 0);
    let lines = newline_separated(text)
        .filter(|line| !line.trim_start().is_empty())
        .inspect(|line| {
            count += 1;
            punctuated += u64::from(line.ends_with(ends_sentence));
            short += u64::from(is_short(line));
        });
    let repeated_characters = Duplicates::of(lines).repeated_characters;
    let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
    let characters = text.chars().count() as u64 - newlines;
    FineWeb {
        lines: count,
        punctuated_lines: share(punctuated, count),
        short_lines: share(short, count),
        duplicate_characters: share(repeated_characters, characters),
        newline_ratio: share(newlines, words),
    }
}

fn is_short(line: &str) -> bool {
    line.len() <= SHORT_LINE_CHARACTERS
        || line.len() <= 4 * SHORT_LINE_CHARACTERS && line.chars().count() <= SHORT_LINE_CHARACTERS
}

/// The thresholds; by default those of FineWeb.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FineWebRules {
    pub min_punctuated_lines: f64,
    pub max_short_lines: f64,
    pub max_duplicate_characters: f64,
    pub max_newline_ratio: f64,
}

impl Default for FineWebRules {
    fn default() -> Self {
        Self {
            min_punctuated_lines: 0.12,
            max_short_lines: 0.67,
            max_duplicate_characters: 0.01,
            max_newline_ratio: 0.3,
        }
    }
}

impl FineWebRules {
    /// The rules that a text breaks, in the order in which datatrove checks them.
    pub fn broken(&self, text: &FineWeb) -> impl Iterator<Item = &'static str> + use<> {
        let has_lines = text.lines > 0;
        broken_names([
            (!has_lines, "empty"),
            (
                has_lines && text.punctuated_lines < self.min_punctuated_lines,
                "line_punct_ratio",
            ),
            (text.short_lines > self.max_short_lines, "short_line_ratio"),
            (
                text.duplicate_characters > self.max_duplicate_characters,
                "char_dup_ratio",
            ),
            (
                has_lines && text.newline_ratio > self.max_newline_ratio,
                "list_ratio",
            ),
        ])
    }
}
