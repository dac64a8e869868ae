//! Counts the characters of the text that are in links.

use std::ops::Range;

use corpus_markup::Name;

/// Counts the characters that are written while a link is open.
#[derive(Debug, Default)]
pub struct LinkText {
    open: usize,
    counted: usize,
    /// The last text in a link. It is counted later, because its trailing white space may be
    /// trimmed.
    last: Range<usize>,
    /// Whether the link of the last text is still open, so that further text extends it.
    continues: bool,
}

impl LinkText {
    pub fn open(&mut self, name: Name) {
        if name == Name::A {
            self.open += 1;
        }
    }

    pub fn close(&mut self, name: Name) {
        if name == Name::A {
            self.open = self.open.saturating_sub(1);
            self.continues = false;
        }
    }

    /// Text was written from this position to the end of `text`.
    #[inline]
    pub fn written(&mut self, from: usize, text: &str) {
        if self.open == 0 {
            return;
        }
        if !self.continues {
            self.count(text);
            self.last.start = from.min(text.len());
            self.continues = true;
        }
        self.last.end = text.len();
    }

    /// White space was trimmed from the end, which left `length` bytes.
    pub fn trimmed(&mut self, length: usize) {
        self.last.end = self.last.end.min(length);
        self.last.start = self.last.start.min(length);
    }

    /// Updates positions after uncounted text was moved. `moved` maps an old position to the new
    /// one.
    pub fn move_text(&mut self, moved: impl Fn(usize) -> usize) {
        self.last = moved(self.last.start)..moved(self.last.end);
    }

    /// The text from this position on was replaced.
    pub fn rewritten(&mut self, from: usize, text: &str) {
        if self.last.is_empty() || self.last.end <= from {
            return;
        }
        self.last = self.last.start.min(from)..text.len();
    }

    /// The number of characters in links so far.
    pub fn count(&mut self, text: &str) -> usize {
        let last = text.get(self.last.clone()).unwrap_or_default();
        self.counted += last.chars().count();
        self.last = text.len()..text.len();
        self.continues = false;
        self.counted
    }
}
