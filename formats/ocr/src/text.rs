//! The text of the elements that are told.
//!
//! Text belongs to the innermost of them, so that the output is no longer than the input however
//! deep they are nested: a block that contains blocks has the text that is in none of these.

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

/// The texts of all elements that are open, one behind the other.
#[derive(Default)]
pub(super) struct TextBuffer {
    text: String,
    /// Where the text of the innermost element begins.
    begin: usize,
    gap: Gap,
}

/// A place to go back to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    begin: usize,
    length: usize,
    gap: Gap,
}

impl TextBuffer {
    /// The next text is apart from the last one. Of several gaps the widest counts.
    #[inline]
    pub fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// The next text follows the last one directly.
    pub fn close_gap(&mut self) {
        self.gap = Gap::None;
    }

    /// Adds text whose white space is collapsed.
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

    /// Drops what came after a mark.
    pub fn back_to(&mut self, mark: Mark) {
        self.text.truncate(mark.length);
        self.begin = mark.begin;
        self.gap = mark.gap;
    }

    /// Begins the text of an element.
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
