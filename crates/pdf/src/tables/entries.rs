//! Entries: the parts of a line of text that belong to one or several columns.

use super::class::Class;
use super::words::{Atom, TextLine, Word};

/// Minimum ratio of a column gap to the other gaps of the atom.
const MIN_SPLIT_RATIO: f32 = 1.5;
/// Maximum part of an entry in an adjacent column, in ems and as a share.
const MAX_PROTRUSION_EMS: f32 = 0.7;
const MAX_PROTRUSION_SHARE: f32 = 0.3;

/// Words of a line within a range of columns.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) column: usize,
    /// The column after the last one.
    pub(super) column_end: usize,
    /// From left to right.
    pub(super) words: Vec<u32>,
    pub(super) x1: f32,
    pub(super) x2: f32,
    pub(super) class: Class,
}

impl Entry {
    pub(super) fn spans(&self) -> bool {
        self.column_end - self.column > 1
    }

    pub(super) fn center(&self) -> f32 {
        (self.x1 + self.x2) / 2.0
    }
}

/// The column that contains a position.
pub(super) fn column_at(bounds: &[f32], x: f32) -> usize {
    let columns = bounds.len().saturating_sub(1);
    bounds
        .partition_point(|bound| *bound <= x)
        .saturating_sub(1)
        .min(columns.saturating_sub(1))
}

/// Divides a line into entries, by the boundaries of columns.
pub(super) fn of_line(line: &TextLine, words: &[Word<'_>], bounds: &[f32]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for atom in &line.atoms {
        for part in parts(atom, words, bounds) {
            let Some(entry) = entry(part, words, bounds, line.size) else {
                continue;
            };
            match entries.last_mut() {
                // Two atoms in one column are one entry.
                Some(last) if entry.column < last.column_end => {
                    last.column_end = last.column_end.max(entry.column_end);
                    last.words.extend(entry.words);
                    last.x2 = last.x2.max(entry.x2);
                    last.class = class(&last.words, words);
                }
                _ => entries.push(entry),
            }
        }
    }
    entries
}

/// Divides an entry at the boundaries of columns.
pub(super) fn of_columns(
    entry: &Entry,
    words: &[Word<'_>],
    bounds: &[f32],
    size: f32,
) -> Vec<Entry> {
    let column = |index: &u32| {
        let word = words.get(*index as usize);
        word.map_or(0, |word| column_at(bounds, word.center().0))
    };
    let parts = entry.words.chunk_by(|a, b| column(a) == column(b));
    parts
        .filter_map(|part| self::entry(part, words, bounds, size))
        .filter(|part| !part.spans())
        .collect()
}

/// Splits an atom at boundaries, unless it runs across them like text.
fn parts<'a>(atom: &'a Atom, words: &[Word<'_>], bounds: &[f32]) -> Vec<&'a [u32]> {
    let word = |index: &u32| words.get(*index as usize);
    let column = |index: &u32| word(index).map_or(0, |word| column_at(bounds, word.center().0));
    let is_within = |indexes: &[u32]| match indexes {
        [first, .., last] => column(first) == column(last),
        _ => true,
    };
    if is_within(&atom.words) {
        return vec![&atom.words];
    }
    let gap = |a: &u32, b: &u32| match (word(a), word(b)) {
        (Some(a), Some(b)) => (b.bbox.x1 - a.bbox.x2).max(0.0),
        _ => 0.0,
    };
    // The usual gap between words in one column.
    let mut within: Vec<f32> = atom
        .words
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if column(a) == column(b) => Some(gap(a, b)),
            _ => None,
        })
        .collect();
    within.sort_by(f32::total_cmp);
    let usual = within.get(within.len() / 2).copied();
    let class = |index: &u32| word(index).map_or(Class::Text, |word| Class::of(word.text));
    atom.words
        .chunk_by(|a, b| {
            let is_leader = word(b).is_some_and(Word::is_leader);
            if column(a) == column(b) || is_leader {
                return true;
            }
            let are_values = class(a).is_value() && class(b).is_value();
            let is_wide = usual
                .is_some_and(|usual| gap(a, b) >= MIN_SPLIT_RATIO * usual.max(0.2 * atom.size));
            !(are_values || is_wide)
        })
        .collect()
}

fn entry(part: &[u32], words: &[Word<'_>], bounds: &[f32], size: f32) -> Option<Entry> {
    let boxes = part.iter().filter_map(|index| words.get(*index as usize));
    let x1 = boxes.clone().map(|word| word.bbox.x1).reduce(f32::min)?;
    let x2 = boxes.map(|word| word.bbox.x2).reduce(f32::max)?;
    let protrusion = (MAX_PROTRUSION_EMS * size).min(MAX_PROTRUSION_SHARE * (x2 - x1));
    let column = column_at(bounds, x1 + protrusion);
    let last = column_at(bounds, x2 - protrusion);
    Some(Entry {
        column,
        column_end: last.max(column) + 1,
        words: part.to_vec(),
        x1,
        x2,
        class: class(part, words),
    })
}

/// The common class of several words, or text if they differ.
pub(super) fn class(indexes: &[u32], words: &[Word<'_>]) -> Class {
    Class::of(&text(indexes, words))
}

/// The text of several words, without spaces.
pub(super) fn text(indexes: &[u32], words: &[Word<'_>]) -> String {
    let words = indexes
        .iter()
        .filter_map(|index| words.get(*index as usize));
    words.map(|word| word.text).collect()
}
