//! The byte offsets of the tokenizer's locations.

use datafusion::sql::sqlparser::tokenizer::Location;

/// A text with the offsets of its lines.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let after_newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after_newlines).collect(),
        }
    }

    /// Returns the byte offset of a location, whose column counts characters.
    pub fn offset(&self, location: Location) -> usize {
        let index = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or_default();
        let start = self.starts.get(index(location.line)).copied();
        let start = start.unwrap_or(self.text.len());
        let rest = self.text.get(start..).unwrap_or_default();
        let column = rest.char_indices().nth(index(location.column));
        start + column.map_or(rest.len(), |(at, _)| at)
    }
}
