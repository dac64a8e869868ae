//! The text of the wanted elements.
//!
//! Text belongs to the innermost of them: a block that contains blocks has the text outside these.
//! So the output is never longer than the input, however deep the nesting.

use corpus_bytes::work::count_steps;

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
}

/// A state to return to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    begin: usize,
    length: usize,
    gap: Gap,
}

impl TextBuffer {
    /// Separates the next text from the last one. Of several gaps, the widest counts.
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
            if self.text.len() > self.begin {
                self.text.push_str(self.gap.text());
            }
            self.text.push_str(word);
            self.gap = Gap::Word;
        }
        if !text.ends_with(|c: char| c.is_ascii_whitespace()) && !text.is_empty() {
            self.gap = Gap::None;
        }
    }

    pub fn mark(&self) -> Mark {
        Mark {
            begin: self.begin,
            length: self.text.len(),
            gap: self.gap,
        }
    }

    /// Drops the text after a mark.
    pub fn back_to(&mut self, mark: Mark) {
        self.text.truncate(mark.length);
        self.begin = mark.begin;
        self.gap = mark.gap;
    }

    /// Starts the text of an element.
    pub fn begin(&mut self) -> Mark {
        let mark = self.mark();
        self.begin = self.text.len();
        self.gap = Gap::None;
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
