//! Finds words by their place, with limited work.

use std::cell::Cell;

use super::words::Word;
use crate::model::Rect;

/// The maximum number of words that are examined.
const MAX_EXAMINED_WORDS: u64 = 50_000_000;

/// Words sorted by height.
#[derive(Debug)]
pub(super) struct Index {
    /// The center of each word, and its number.
    centers: Vec<(f32, f32, u32)>,
    work: Cell<u64>,
}

impl Index {
    pub(super) fn new(words: &[Word<'_>]) -> Self {
        let center = |(number, word): (u32, &Word<'_>)| {
            let (x, y) = word.center();
            (x, y, number)
        };
        let mut centers: Vec<(f32, f32, u32)> = (0..).zip(words).map(center).collect();
        centers.sort_by(|a, b| a.1.total_cmp(&b.1));
        Self {
            centers,
            work: Cell::new(0),
        }
    }

    /// The words with their center in a box, in reading order.
    pub(super) fn within(&self, bbox: Rect, is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let first = self.centers.partition_point(|center| center.1 < bbox.y1);
        let end = self.centers.partition_point(|center| center.1 <= bbox.y2);
        let rows = self.centers.get(first..end).unwrap_or_default();
        self.work.set(self.work.get() + rows.len() as u64);
        if self.is_exhausted() {
            return Vec::new();
        }
        let mut found: Vec<u32> = rows
            .iter()
            .filter(|(x, _, number)| bbox.x1 <= *x && *x <= bbox.x2 && is_wanted(*number))
            .map(|(_, _, number)| *number)
            .collect();
        found.sort_unstable();
        found
    }

    /// Whether the work limit was exceeded, so that no more words are found.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work.get() > MAX_EXAMINED_WORDS
    }
}
