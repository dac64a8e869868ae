//! Words that are divided at the end of a line.
//!
//! ALTO declares both parts and the whole word. In other files a word is divided if its first part
//! ends with a hyphen after a letter, and the first word of the next line on the same page starts
//! with a lower-case letter. Compounds divided at their own hyphen lose that hyphen.

use std::mem;

use super::element::{Division, WordPart};
use super::level::Level;
use super::row::{OwnedRow, Row};
use corpus_markup::references::{Context, decode};

/// Hyphens at line ends: ASCII, the soft hyphen, the sign `¬` that some programs write for it,
/// Unicode, and the double hyphen of Fraktur.
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

/// Conjunctions after a hyphen that replaces the end of a word: `Haus- und Hofbesitzer`.
const CONJUNCTIONS: [&str; 7] = ["and", "bzw.", "och", "oder", "og", "sowie", "und"];

/// Maximum number of parts of a word, because each part holds a copy of the whole word.
const MAX_PARTS: usize = 8;

/// Whether a text may be the second part of a word.
pub(super) fn is_second_part(text: &str) -> bool {
    text.starts_with(char::is_lowercase) && !CONJUNCTIONS.contains(&text)
}

/// Adds the whole word to the parts of divided words.
pub(super) struct WholeWords<'a, F> {
    emit: F,
    /// Parts of a word, the last of which may continue on the next line.
    parts: Vec<OwnedRow<'a>>,
}

impl<'a, F: FnMut(Row<'_, 'a>)> WholeWords<'a, F> {
    pub fn new(emit: F) -> Self {
        Self {
            emit,
            parts: Vec::new(),
        }
    }

    /// Emits a word, after the previous ones.
    #[inline]
    pub fn add(&mut self, row: Row<'_, 'a>) {
        if self.parts.is_empty() && !may_be_first(&row) {
            (self.emit)(row);
        } else {
            self.add_after_first(row);
        }
    }

    #[cold]
    fn add_after_first(&mut self, row: Row<'_, 'a>) {
        let is_next = self.parts.last().is_some_and(|last| continues(last, &row));
        if is_next && self.parts.len() < MAX_PARTS {
            self.parts.push(row.to_owned());
            if !may_be_first(&row) {
                self.emit_parts();
            }
            return;
        }
        self.emit_parts();
        if may_be_first(&row) {
            self.parts.push(row.to_owned());
        } else {
            (self.emit)(row);
        }
    }

    /// Emits the parts with their whole word. A single part is not a divided word.
    fn emit_parts(&mut self) {
        let mut parts = mem::take(&mut self.parts);
        match parts.as_mut_slice() {
            [] => {}
            [only] => {
                if only.as_row(Level::Word).whole().is_none() {
                    only.division = None;
                }
            }
            parts => {
                let whole = whole_word(parts);
                for (number, part) in parts.iter_mut().enumerate() {
                    part.division = Some(Division {
                        part: if number == 0 {
                            WordPart::First
                        } else {
                            WordPart::Second
                        },
                        whole: Some(whole.clone().into()),
                    });
                }
            }
        }
        for part in &parts {
            (self.emit)(part.as_row(Level::Word));
        }
    }

    /// Emits the last words.
    pub fn finish(mut self) {
        self.emit_parts();
    }
}

/// Whether a word may be the first part of a divided word that is not declared.
#[inline]
fn may_be_first(row: &Row<'_, '_>) -> bool {
    if row.whole().is_some() {
        return false;
    }
    row.part() == Some(WordPart::First)
        || row.text.is_some_and(|text| without_hyphen(text).is_some())
}

/// Whether two words are parts of one.
fn continues(first: &OwnedRow<'_>, second: &Row<'_, '_>) -> bool {
    let page = |page: Option<usize>| page.unwrap_or(0);
    let is_same_page =
        page(first.page.as_ref().map(|it| it.position)) == page(second.page.map(|it| it.position));
    let is_next_line = first.element.line.is_some() && first.element.line != second.element.line;
    let (Some(start), Some(end)) = (first.text.as_deref(), second.text) else {
        return false;
    };
    let is_declared = second.part() == Some(WordPart::Second);
    if !is_same_page || !is_next_line || !(is_declared || is_second_part(end)) {
        return false;
    }
    let start = without_hyphen(start).unwrap_or(start);
    is_declared || start.ends_with(char::is_alphabetic)
}

/// Joins the parts of a word.
fn whole_word(parts: &[OwnedRow<'_>]) -> String {
    let texts = parts.iter().filter_map(|part| part.text.as_deref());
    let last = parts.len().saturating_sub(1);
    let texts = texts.enumerate().map(|(number, text)| match number {
        number if number == last => text,
        _ => without_hyphen(text).unwrap_or(text),
    });
    texts.collect()
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
    /// Counts a divided word on the page with this number.
    pub fn count(&mut self, page: usize) {
        let index = page.saturating_sub(1);
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(index) {
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
            decode(text, Context::Text, |piece| decoded.push_str(piece));
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
        // Haus- und Hofbesitzer
        assert!(!is_second_part("und") && is_second_part("undine"));
    }
}
