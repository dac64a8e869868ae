//! Words that are divided at the end of a line.
//!
//! ALTO declares both parts and the whole word. In other files a word is divided if its first part
//! ends with a hyphen after a letter, and the first word of the next line on the same page starts
//! with a lower-case letter. Compounds that were divided at their own hyphen lose it.

use std::mem;

use super::element::{Division, Part};
use super::row::{OwnedRow, Row};
use corpus_markup::references::{Place, decode};

/// Hyphens at the ends of lines: ASCII, the soft hyphen, the sign that some programs write instead
/// of it, Unicode, and the double hyphen of Fraktur.
const HYPHENS: [char; 5] = ['-', '\u{ad}', '\u{ac}', '\u{2010}', '\u{2e17}'];

/// Returns a text without the hyphen at its end; `None` if it does not end with a divided word.
pub(super) fn without_hyphen(text: &str) -> Option<&str> {
    let ends_with_hyphen = text.as_bytes().last().is_some_and(|byte| may_end(*byte));
    let rest = ends_with_hyphen.then(|| text.strip_suffix(HYPHENS))??;
    rest.ends_with(char::is_alphabetic).then_some(rest)
}

/// Whether a hyphen may end with this byte.
#[inline]
fn may_end(byte: u8) -> bool {
    matches!(byte, b'-' | 0xad | 0xac | 0x90 | 0x97)
}

/// Whether a text that ends with this byte may end with a hyphen, perhaps one that is written as a
/// reference such as `&shy;` or precedes white space.
#[inline]
fn needs_look(byte: u8) -> bool {
    may_end(byte) || byte == b';' || byte.is_ascii_whitespace()
}

/// Whether a text that ends with this byte seems to end with a letter.
#[inline]
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80
}

/// Whether a text may be the second part of a word.
pub(super) fn is_second_part(text: &str) -> bool {
    text.starts_with(char::is_lowercase)
}

/// Adds the whole word to the parts of divided words.
pub(super) struct WholeWords<'a, F> {
    emit: F,
    /// A word that may be the first part of a divided one.
    first: Option<OwnedRow<'a>>,
}

impl<'a, F: FnMut(Row<'_, 'a>)> WholeWords<'a, F> {
    pub fn new(emit: F) -> Self {
        Self { emit, first: None }
    }

    /// Emits a word, after the previous one.
    #[inline]
    pub fn add(&mut self, row: Row<'_, 'a>) {
        if self.first.is_none() && !may_be_first(&row) {
            (self.emit)(row);
        } else {
            self.add_after_first(row);
        }
    }

    #[cold]
    fn add_after_first(&mut self, row: Row<'_, 'a>) {
        let mut owned = None;
        if let Some(mut first) = self.first.take() {
            if let Some(whole) = whole_word(&first, &row) {
                let second = owned.insert(row.to_owned());
                second.division = Some(Division {
                    part: Part::Second,
                    whole: Some(whole.clone().into()),
                });
                first.division = Some(Division {
                    part: Part::First,
                    whole: Some(whole.into()),
                });
            } else if first.as_row().whole().is_none() {
                first.division = None;
            }
            (self.emit)(first.as_row());
        }
        if may_be_first(&row) {
            self.first = Some(owned.unwrap_or_else(|| row.to_owned()));
        } else if let Some(second) = owned {
            (self.emit)(second.as_row());
        } else {
            (self.emit)(row);
        }
    }

    /// Emits the last word.
    pub fn finish(mut self) {
        if let Some(mut last) = self.first.take() {
            if last.as_row().whole().is_none() {
                last.division = None;
            }
            (self.emit)(last.as_row());
        }
    }
}

/// Whether a word may be the first part of a divided word that is not declared.
#[inline]
fn may_be_first(row: &Row<'_, '_>) -> bool {
    if row.whole().is_some() {
        return false;
    }
    row.part() == Some(Part::First) || row.text.is_some_and(|text| without_hyphen(text).is_some())
}

/// Returns the whole word if two words are its parts.
fn whole_word(first: &OwnedRow<'_>, second: &Row<'_, '_>) -> Option<String> {
    let page = |page: Option<usize>| page.unwrap_or(0);
    let is_same_page =
        page(first.page.as_ref().map(|it| it.position)) == page(second.page.map(|it| it.position));
    let is_next_line = first.element.line.is_some() && first.element.line != second.element.line;
    let (start, end) = (first.text.as_deref()?, second.text?);
    let is_declared = second.part() == Some(Part::Second);
    if !is_same_page || !is_next_line || !(is_declared || is_second_part(end)) {
        return None;
    }
    let start = without_hyphen(start).unwrap_or(start);
    let is_word = is_declared || start.ends_with(char::is_alphabetic);
    is_word.then(|| format!("{start}{end}"))
}

/// Counts the divided words of each page, without collecting text.
#[derive(Debug, Default)]
pub(super) struct DividedWords {
    counts: Vec<usize>,
    /// The page and the line of the last text, if it ends with a hyphen.
    divided: Option<(usize, usize)>,
    /// Whether the text of the current word so far seems to end with a letter.
    after_letter: bool,
}

impl DividedWords {
    /// Counts a word on the page with this number.
    pub fn count(&mut self, page: usize) {
        let place = page.saturating_sub(1);
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
        }
        self.divided = None;
    }

    /// Starts a word.
    #[inline]
    pub fn start_word(&mut self) {
        self.after_letter = false;
    }

    /// Reads a text as written. `page` and `line` are numbers.
    #[inline]
    pub fn text(&mut self, text: &str, page: usize, line: usize) {
        match text.as_bytes().last() {
            // The most frequent end of a word.
            Some(last) if self.divided.is_none() && last.is_ascii_alphabetic() => {
                self.after_letter = true;
            }
            Some(last) if self.divided.is_none() && !needs_look(*last) => {
                self.after_letter = is_letter(*last);
            }
            _ => self.other_text(text, page, line),
        }
    }

    /// Reads a text that may end with a hyphen, or that follows one.
    fn other_text(&mut self, text: &str, page: usize, line: usize) {
        let text = text.trim_ascii_end();
        let Some(last) = text.as_bytes().last() else {
            return;
        };
        if self.divided.is_some() || needs_look(*last) {
            let mut decoded = String::new();
            decode(text, Place::Text, |piece| decoded.push_str(piece));
            self.text_near_hyphen(&decoded, page, line);
        }
        self.after_letter = is_letter(*last);
    }

    /// Whether the last text ends with a hyphen.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.divided.is_some()
    }

    #[cold]
    fn text_near_hyphen(&mut self, text: &str, page: usize, line: usize) {
        if let Some((of_page, of_line)) = mem::take(&mut self.divided)
            && of_page == page
            && of_line != line
            && is_second_part(text.trim_ascii_start())
        {
            self.count(page);
        }
        // A hyphen may be in a separate element.
        let is_hyphen = || text.strip_suffix(HYPHENS) == Some("");
        if without_hyphen(text).is_some() {
            self.divided = (line > 0).then_some((page, line));
        } else if is_hyphen() {
            self.hyphen(page, line);
        }
    }

    /// Reads a hyphen after the last text.
    pub fn hyphen(&mut self, page: usize, line: usize) {
        if self.after_letter && line > 0 {
            self.divided = Some((page, line));
        }
    }

    /// The counts of the pages, up to the last one with a divided word.
    pub fn into_counts(self) -> Vec<usize> {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hyphen_divides_a_word_after_a_letter() {
        for text in [
            "Per-",
            "Per\u{ad}",
            "Per\u{ac}",
            "Per\u{2010}",
            "Per\u{2e17}",
        ] {
            assert_eq!(without_hyphen(text), Some("Per"), "{text}");
        }
        for text in ["", "-", "Per", "Per--", "12-", "(-", "Per-,"] {
            assert_eq!(without_hyphen(text), None, "{text}");
        }
        assert!(is_second_part("venche,") && is_second_part("éclair"));
        assert!(!is_second_part("Venche") && !is_second_part("12") && !is_second_part(""));
    }
}
