//! How much of the text is in links.

use std::ops::Range;

use corpus_markup::Name;

/// Counts the characters that are written while a link is open.
#[derive(Debug, Default)]
pub struct LinkText {
    open: usize,
    counted: usize,
    /// The last text in a link: counted late, since white space may be cut off its end.
    last: Range<usize>,
    /// The link of the last text is still open, so that what follows goes on with it.
    goes_on: bool,
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
            self.goes_on = false;
        }
    }

    /// Text was written from there to the end of `text`.
    #[inline]
    pub fn written(&mut self, from: usize, text: &str) {
        if self.open == 0 {
            return;
        }
        if !self.goes_on {
            self.count(text);
            self.last.start = from.min(text.len());
            self.goes_on = true;
        }
        self.last.end = text.len();
    }

    /// White space was cut off the end, and so many bytes are left.
    pub fn trimmed(&mut self, length: usize) {
        self.last.end = self.last.end.min(length);
        self.last.start = self.last.start.min(length);
    }

    /// All that follows the last count moved one byte on.
    pub fn moved(&mut self) {
        self.last = self.last.start + 1..self.last.end + 1;
    }

    /// The number of characters in links so far.
    pub fn count(&mut self, text: &str) -> usize {
        let last = text.get(self.last.clone()).unwrap_or_default();
        self.counted += last.chars().count();
        self.last = text.len()..text.len();
        self.goes_on = false;
        self.counted
    }
}
