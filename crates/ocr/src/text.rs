//! The text of the wanted elements.
//!
//! Text belongs to the innermost element: a block that contains blocks has only the text outside of
//! them. So the output is never longer than the input, however deep the nesting.

use std::mem;

use corpus_bytes::step_counter::count_steps;

use super::word_division::{is_second_part, without_hyphen};

/// The gap between two pieces of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Gap {
    #[default]
    None,
    Word,
    Line,
    Paragraph,
}

impl Gap {
    fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Word => " ",
            Self::Line => "\n",
            Self::Paragraph => "\n\n",
        }
    }
}

/// The texts of all open elements, one after the other.
#[derive(Default)]
pub(super) struct TextBuffer {
    text: String,
    /// The start of the innermost element's text.
    begin: usize,
    gap: Gap,
    /// Whether words that are divided at the ends of lines are joined.
    joins: bool,
    /// Whether words divided at the ends of paragraphs are not joined.
    keeps_paragraphs: bool,
    /// The gap between the parts of the last word. It is written after the joined word.
    owed: Gap,
    joined: Vec<Joined>,
}

/// A hyphen that was removed.
struct Joined {
    at: usize,
    hyphen: String,
}

/// A state to return to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Checkpoint {
    begin: usize,
    length: usize,
    gap: Gap,
    owed: Gap,
    joined: u32,
}

impl TextBuffer {
    /// Creates an empty buffer.
    pub fn new(joins: bool) -> Self {
        Self {
            joins,
            ..Self::default()
        }
    }

    /// Sets whether words that are divided at the end of a paragraph are left unchanged.
    pub fn keep_paragraphs(&mut self, keep: bool) {
        self.keeps_paragraphs = keep;
    }

    /// Separates the next text from the last one. The widest of several gaps counts.
    #[inline]
    pub fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Joins the next text to the last one.
    pub fn close_gap(&mut self) {
        self.gap = Gap::None;
    }

    /// Adds text and collapses its white space.
    pub fn push(&mut self, text: &str) {
        count_steps(text.len());
        if text.starts_with(|c: char| c.is_ascii_whitespace()) {
            self.gap(Gap::Word);
        }
        for word in text.split_ascii_whitespace() {
            if self.text.len() > self.begin && self.gap > Gap::None {
                let gap = self.gap.max(mem::take(&mut self.owed));
                if !self.join(gap, word) {
                    self.text.push_str(gap.text());
                }
            }
            self.text.push_str(word);
            self.gap = Gap::Word;
        }
        if !text.ends_with(|c: char| c.is_ascii_whitespace()) && !text.is_empty() {
            self.gap = Gap::None;
        }
    }

    /// Removes the hyphen before a word that is the second part of a divided one.
    fn join(&mut self, gap: Gap, word: &str) -> bool {
        let is_at_end = match gap {
            Gap::None | Gap::Word => false,
            Gap::Line => true,
            Gap::Paragraph => !self.keeps_paragraphs,
        };
        if !self.joins || !is_at_end || !is_second_part(word) {
            return false;
        }
        let Some(first) = without_hyphen(self.current()) else {
            return false;
        };
        let at = self.begin + first.len();
        let hyphen = self.text.split_off(at);
        self.joined.push(Joined { at, hyphen });
        self.owed = gap;
        true
    }

    /// Whether a word is divided at the end of a paragraph of the text.
    pub fn divides_paragraphs(&self) -> bool {
        let mut paragraphs = self.current().split("\n\n");
        self.joins && paragraphs.any(|paragraph| without_hyphen(paragraph).is_some())
    }

    pub fn mark(&self) -> Checkpoint {
        Checkpoint {
            begin: self.begin,
            length: self.text.len(),
            gap: self.gap,
            owed: self.owed,
            joined: self.joined.len() as u32,
        }
    }

    /// Drops the text after a mark.
    pub fn back_to(&mut self, mark: Checkpoint) {
        if self.joined.len() > mark.joined as usize {
            self.undo_joins(mark);
        }
        self.text.truncate(mark.length);
        self.begin = mark.begin;
        self.gap = mark.gap;
        self.owed = mark.owed;
    }

    /// Restores the hyphen that was removed before the first text after a mark.
    #[cold]
    fn undo_joins(&mut self, mark: Checkpoint) {
        let kept = mark.joined as usize;
        let first = self.joined.get(kept);
        if let Some(first) = first.filter(|first| first.at < mark.length) {
            self.text.truncate(first.at);
            self.text.push_str(&first.hyphen);
        }
        self.joined.truncate(kept);
    }

    /// Starts the text of an element.
    pub fn begin(&mut self) -> Checkpoint {
        let mark = self.mark();
        self.begin = self.text.len();
        self.gap = Gap::None;
        self.owed = Gap::None;
        mark
    }

    /// The text of the innermost element so far.
    pub fn current(&self) -> &str {
        self.text.get(self.begin..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(pieces: &[&str]) -> String {
        let mut buffer = TextBuffer::default();
        for piece in pieces {
            buffer.push(piece);
        }
        buffer.current().to_owned()
    }

    #[test]
    fn white_space_is_collapsed() {
        assert_eq!(pushed(&[" a \n b\t"]), "a b");
        assert_eq!(pushed(&["a", "b"]), "ab");
        assert_eq!(pushed(&["a ", "b"]), "a b");
        assert_eq!(pushed(&["a", " b"]), "a b");
        assert_eq!(pushed(&["a", " ", "", "b", "  "]), "a b");
        assert_eq!(pushed(&["a\u{a0} b"]), "a\u{a0} b");
        assert_eq!(pushed(&[" ", "\n"]), "");
    }

    #[test]
    fn the_widest_gap_counts() {
        let mut buffer = TextBuffer::default();
        buffer.gap(Gap::Line);
        buffer.push("a ");
        buffer.gap(Gap::Paragraph);
        buffer.gap(Gap::Line);
        buffer.push(" b");
        buffer.gap(Gap::Line);
        buffer.push("c");
        assert_eq!(buffer.current(), "a\n\nb\nc");
    }

    #[test]
    fn divided_words_are_joined() {
        let joined = |pieces: &[(Gap, &str)]| {
            let mut buffer = TextBuffer::new(true);
            for (gap, piece) in pieces {
                buffer.gap(*gap);
                buffer.push(piece);
            }
            buffer.current().to_owned()
        };
        use Gap::{Line, None, Paragraph, Word};
        for (pieces, expected) in [
            (
                &[(None, "a Per-"), (Line, "venche un")][..],
                "a Pervenche\nun",
            ),
            (
                &[
                    (None, "Per"),
                    (None, "-"),
                    (Line, "ven"),
                    (None, "che"),
                    (Line, "un"),
                ],
                "Pervenche\nun",
            ),
            (
                &[(None, "Per-"), (Paragraph, "venche"), (Word, "un")],
                "Pervenche\n\nun",
            ),
            (
                &[(None, "Do-"), (Line, "nau-"), (Line, "schiff x")],
                "Donauschiff\nx",
            ),
            (&[(None, "Per-"), (Word, "venche")], "Per- venche"),
            (&[(None, "Per-"), (Line, "Venche")], "Per-\nVenche"),
            (&[(None, "1914-"), (Line, "venche")], "1914-\nvenche"),
        ] {
            assert_eq!(joined(pieces), expected);
        }
        let mut printed = TextBuffer::default();
        printed.push("Per-");
        printed.gap(Line);
        printed.push("venche");
        assert_eq!(printed.current(), "Per-\nvenche");
    }

    #[test]
    fn dropped_text_leaves_the_hyphen_before_it() {
        let mut buffer = TextBuffer::new(true);
        buffer.push("é Per\u{2010}");
        buffer.gap(Gap::Line);
        let mark = buffer.mark();
        for _ in 0..2 {
            buffer.push("venche un");
            assert_eq!(buffer.current(), "é Pervenche\nun");
            buffer.back_to(mark);
            assert_eq!(buffer.current(), "é Per\u{2010}");
        }
        buffer.push("Un");
        assert_eq!(buffer.current(), "é Per\u{2010}\nUn");
    }

    #[test]
    fn text_belongs_to_the_innermost_element() {
        let mut buffer = TextBuffer::default();
        buffer.push("outer");
        let mark = buffer.begin();
        buffer.push(" inner ");
        assert_eq!(buffer.current(), "inner");
        buffer.back_to(mark);
        buffer.gap(Gap::Line);
        buffer.push("more");
        assert_eq!(buffer.current(), "outer\nmore");
    }
}
