//! Joins lines of text, and words that are hyphenated across lines. The document is the dictionary
//! that decides whether a hyphen belongs to the word.

use super::measure::MeasuredDocument;
use crate::characters::joins_lines;
use crate::hyphens::{KnownWords, is_hyphen};
use crate::text::{Mark, MarkKind, Text};

/// The maximum number of marks at the end of a line that are examined.
const MAX_MARKS: usize = 8;

/// The words of a document, if any line ends with a hyphen.
pub struct Words(KnownWords);

impl Words {
    pub fn new(document: &MeasuredDocument) -> Self {
        let mut known = KnownWords::default();
        if document.lines().any(|line| ends_divided(line.text())) {
            document.lines().for_each(|line| known.add(line.text()));
        }
        Self(known)
    }

    /// Appends the text of a line to the text of the lines before it.
    pub fn join(&self, text: &mut Text, next: Text) {
        let (Some(last), Some(first)) = (text.text.chars().next_back(), next.text.chars().next())
        else {
            return text.append("", next);
        };
        match self.hyphen(&text.text, &next.text) {
            Some(0) => text.append("", next),
            Some(hyphen) => {
                let end = text.text.len() - hyphen;
                text.text.truncate(end);
                for mark in &mut text.marks {
                    mark.range.end = mark.range.end.min(end);
                }
                text.marks
                    .retain(|mark| !mark.range.is_empty() || mark.kind.may_be_empty());
                text.append("", next);
            }
            None if joins_lines(last) || joins_lines(first) || is_address(text, &next) => {
                text.append("", next);
            }
            None => text.append(" ", next),
        }
    }

    /// The number of bytes to remove from the end of a line to join its last word with the first
    /// one of the next line; `None` if they are not one word.
    fn hyphen(&self, before: &str, after: &str) -> Option<usize> {
        let head = before.rsplit(' ').next()?;
        let hyphen = head.chars().next_back()?;
        let stem = head.strip_suffix(hyphen)?;
        let tail = after.split(' ').next()?;
        let next = tail.chars().next()?;
        if is_divider(hyphen) && !is_hyphen(hyphen) {
            return next.is_alphanumeric().then_some(hyphen.len_utf8());
        }
        if !is_hyphen(hyphen) || !stem.ends_with(char::is_alphanumeric) || !next.is_alphanumeric() {
            // A dash, or a separate hyphen.
            return (is_hyphen(hyphen) && stem.ends_with('-')).then_some(0);
        }
        if !next.is_lowercase() || !stem.ends_with(char::is_alphabetic) {
            return Some(0);
        }
        Some(if self.0.keep_hyphen(stem, tail) {
            0
        } else {
            hyphen.len_utf8()
        })
    }
}

/// Whether a line ends within an address or identifier that the next line continues.
fn is_address(text: &Text, next: &Text) -> bool {
    let last = text.text.rsplit(' ').next().unwrap_or_default();
    let is_open = last.ends_with(['/', '.', '_', '=', '&', '?', ':', '-', '%', '#']);
    let starts = next
        .text
        .starts_with(|c: char| !c.is_uppercase() && c != '(');
    let is_code =
        |mark: &Mark, place: usize| mark.kind == MarkKind::Code && mark.range.contains(&place);
    let end = text.text.len().saturating_sub(1);
    let continues_code = || {
        !last.ends_with(['=', '&', '?', '-', '#', '%'])
            && text
                .marks
                .iter()
                .rev()
                .take(MAX_MARKS)
                .any(|mark| is_code(mark, end))
            && next
                .marks
                .iter()
                .take(MAX_MARKS)
                .any(|mark| is_code(mark, 0))
    };
    is_open && starts && (last.contains("://") || last.starts_with("www.") || continues_code())
}

/// Whether a character is a hyphen, or a sign that only divides words at line ends.
fn is_divider(character: char) -> bool {
    is_hyphen(character) || matches!(character, '\u{ad}' | '\u{2e17}' | '¬')
}

/// Whether a text ends with a hyphen after a letter or digit.
pub fn ends_divided(text: &str) -> bool {
    let mut last = text.chars().rev();
    last.next().is_some_and(is_divider) && last.next().is_some_and(char::is_alphanumeric)
}

/// Merges marks that directly continue an equal mark.
pub fn merge_marks(text: &mut Text) {
    let marks = std::mem::take(&mut text.marks);
    for mark in marks {
        text.mark(mark.range, mark.kind);
    }
}
