//! Looks for words around a number that indicate its meaning.

use std::ops::Range;

/// The maximum distance between a number and a word that indicates its meaning.
const MAX_DISTANCE_BYTES: usize = 64;

/// Whether one of the words, given in lower case, directly precedes an offset. Spaces and
/// punctuation in between are ignored.
pub fn is_after(text: &str, at: usize, words: &[&str]) -> bool {
    let before = text[floor(text, at.saturating_sub(MAX_DISTANCE_BYTES))..at].to_lowercase();
    let before =
        before.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '§' | '℡' | '☎'));
    words.iter().any(|word| {
        let Some(rest) = before.strip_suffix(word) else {
            return false;
        };
        // A word of the Latin script must not be the end of a longer one.
        let is_latin = |c: char| c.is_alphanumeric() && c < '\u{250}';
        !word.starts_with(is_latin) || !rest.ends_with(is_latin)
    })
}

/// Whether one of the words, given in lower case, is close to a range of the text.
pub fn is_near(text: &str, range: &Range<usize>, words: &[&str]) -> bool {
    let start = floor(text, range.start.saturating_sub(MAX_DISTANCE_BYTES));
    let end = floor(text, text.len().min(range.end + MAX_DISTANCE_BYTES));
    let around = text[start..end].to_lowercase();
    words.iter().any(|word| around.contains(word))
}

/// The last character boundary at or before an offset.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
