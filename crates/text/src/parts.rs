//! Parts of a text with their positions, and its paragraphs.

use std::ops::Range;

use crate::lines::universal;

/// A part of a text with its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// The number of the part, from 1.
    pub position: usize,
    /// The number of characters (Unicode scalar values) before the part.
    pub offset: usize,
    /// The part itself.
    pub text: &'a str,
}

/// Adds the positions of parts. The parts must be slices of the text, in order.
///
/// ```
/// use corpus_text::{parts::located, sentences::sentences};
///
/// let text = "はい。 Why?";
/// let places: Vec<_> = located(text, sentences(text)).map(|part| part.offset).collect();
/// assert_eq!(places, [0, 4]);
/// ```
pub fn located<'a>(
    text: &'a str,
    parts: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = Part<'a>> {
    let mut counted_bytes = 0;
    let mut offset = 0;
    (1..).zip(parts).map(move |(position, part)| {
        let start = range_of(text, part).start;
        // Counting from the previous part keeps this linear.
        offset += text[counted_bytes..start].chars().count();
        corpus_bytes::step_counter::count_steps(start - counted_bytes);
        counted_bytes = start;
        Part {
            position,
            offset,
            text: part,
        }
    })
}

/// The bytes of a text that a slice of it covers.
pub(crate) fn range_of(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// The paragraphs of a text: runs of lines that are not blank, separated by lines that are empty or
/// contain only white space. Lines are those of [`universal`]. A paragraph starts with its first
/// line, indentation included, and has no line end after its last one.
///
/// ```
/// let text = "\n  one\ntwo \r\n \u{3000}\r\n\r\nthree\n";
/// let paragraphs: Vec<_> = corpus_text::parts::paragraphs(text).collect();
/// assert_eq!(paragraphs, ["  one\ntwo ", "three"]);
/// ```
pub fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = universal(text);
    std::iter::from_fn(move || {
        let is_blank = |line: &str| line.trim_start().is_empty();
        let first = lines.by_ref().find(|line| !is_blank(line))?;
        let last = lines
            .by_ref()
            .take_while(|line| !is_blank(line))
            .last()
            .unwrap_or(first);
        Some(&text[range_of(text, first).start..range_of(text, last).end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentences::sentences;
    use crate::words::words;

    const TEXTS: [&str; 8] = [
        "",
        "\n",
        " \u{3000}\r\n\r\n",
        "一つ目。二つ目！\n\n「三。四。」\u{85}five. Six?\u{2028}\u{2029}seven",
        "  indented\n\tmore\n \n\nlast  ",
        "It's 日本語 \u{1f600}\u{1f600}e\u{301}.\r\rx\0y\u{feff}\n z",
        "a\x0b\x0cb\x1c\x1d\x1ec",
        "\u{a0}「」\u{a0}",
    ];

    /// Checks that slicing by characters, as in Python and SQL, returns each part.
    #[track_caller]
    fn check<'a>(text: &'a str, parts: impl Iterator<Item = &'a str>) {
        let characters: Vec<char> = text.chars().collect();
        let mut end = 0;
        for (number, part) in located(text, parts).enumerate() {
            assert_eq!(part.position, number + 1);
            assert!(part.offset >= end, "{text:?}: {part:?} overlaps");
            end = part.offset + part.text.chars().count();
            let sliced: String = characters[part.offset..end].iter().collect();
            assert_eq!(sliced, part.text, "{text:?}");
        }
    }

    #[test]
    fn offsets_count_characters() {
        for text in TEXTS {
            check(text, paragraphs(text));
            check(text, universal(text));
            check(text, sentences(text));
            check(text, words(text));
        }
    }

    #[test]
    fn paragraphs_are_separated_by_blank_lines() {
        let found = |text| paragraphs(text).collect::<Vec<_>>();
        assert_eq!(found("a\nb\n\nc"), ["a\nb", "c"]);
        assert_eq!(found("a\r\n\r\nb\r\r\rc"), ["a", "b", "c"]);
        assert_eq!(found("a\n\u{3000}\t\nb\n\n\n"), ["a", "b"]);
        assert_eq!(found("a\u{2028}\u{2028}b"), ["a", "b"]);
        assert!(found(" \n\n").is_empty());
        assert!(found("").is_empty());
    }

    #[test]
    fn paragraphs_cover_all_lines_that_are_not_blank() {
        for text in TEXTS {
            let of_paragraphs: Vec<_> = paragraphs(text).flat_map(universal).collect();
            let lines = universal(text).filter(|line| !line.trim().is_empty());
            assert_eq!(of_paragraphs, lines.collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn time_is_linear() {
        for pattern in ["\n", "a\n", "a\n\n", " \n", "é\u{2028}", "\r\n"] {
            corpus_bytes::step_counter::assert_linear(
                pattern,
                |parts| pattern.repeat(parts).into_bytes(),
                |text| {
                    let text = std::str::from_utf8(text).unwrap_or_default();
                    assert!(located(text, universal(text)).count() > 0);
                    assert!(located(text, paragraphs(text)).count() < text.len());
                },
            );
        }
    }
}
