//! Cells of several lines in rows of cells, as forms and tables have them above their values.
//!
//! Lines of such cells are near each other and read on within a cell: most start with a small letter, or the
//! line before ends with a hyphen or a short word. Values follow in the same columns, farther below.

use super::super::characters::{Kind, kind};
use super::super::geometry::gap;
use super::super::pieces::{Piece, Pieces, WIDE_GAP};
use super::super::rows::{Row, Rows};
use super::super::source::Source;
use super::{Interval, MOST_COLUMNS, column_of, extend, merge};
use crate::glyphs::Glyph;

/// Labels have no more lines.
const MOST_LINES: usize = 4;
/// The distance of baselines in a label is less, in ems.
const LEADING: f32 = 1.35;
/// Cells are farther apart, in ems.
const GUTTER: f32 = 0.5;
/// Values are farther below than the lines of labels, by this factor, but no farther than this in ems.
const BELOW: f32 = 1.2;
const FARTHEST: f32 = 4.0;
/// A title of a group may be above the values.
const VALUES_WITHIN: usize = 2;
/// A gap that parts words, in ems.
const WORD_GAP: f32 = 0.15;
const SHORT_WORD: u32 = 3;

/// The number of rows at the start of `run` that are near each other, and their columns if they are cells to be read
/// one by one. `after` are the rows after the run.
pub(super) fn find(
    source: &Source<'_>,
    pieces: &Pieces,
    rows: &Rows,
    run: &[Row],
    after: &[Row],
) -> (usize, Vec<Interval>) {
    let (count, leading) = near_rows(run);
    let lines = run.get(..count).unwrap_or(run);
    if !(2..=MOST_LINES).contains(&count) {
        return (count, Vec::new());
    }
    let columns = columns(pieces, rows, lines);
    let below = run.get(count..).unwrap_or_default().iter().chain(after);
    let is_header = (2..=MOST_COLUMNS).contains(&columns.len())
        && has_values(pieces, rows, lines, &columns, below, leading)
        && are_labels(source, pieces, rows, lines, &columns);
    (count, if is_header { columns } else { Vec::new() })
}

/// The number of rows that follow each other at one distance, and the largest distance.
fn near_rows(run: &[Row]) -> (usize, f32) {
    let (mut count, mut leading, mut least) = (1, 0.0_f32, f32::INFINITY);
    for pair in run.windows(2) {
        let [above, row] = pair else { break };
        let step = row.base - above.base;
        let (less, more) = (above.size.min(row.size), above.size.max(row.size));
        if more > BELOW * less || step > LEADING * more || step > BELOW * least {
            break;
        }
        count += 1;
        leading = leading.max(step);
        least = least.min(step.max(0.5 * more));
    }
    (count, leading)
}

fn columns(pieces: &Pieces, rows: &Rows, lines: &[Row]) -> Vec<Interval> {
    let size = lines.iter().map(|row| row.size).fold(0.0, f32::max);
    let mut columns = Vec::new();
    for row in lines {
        extend(&mut columns, pieces, rows, row, GUTTER * size);
    }
    merge(&mut columns, GUTTER * size);
    columns
}

/// Whether what is below is apart, and soon has text in some of the columns.
fn has_values<'a>(
    pieces: &Pieces,
    rows: &Rows,
    lines: &[Row],
    columns: &[Interval],
    below: impl Iterator<Item = &'a Row>,
    leading: f32,
) -> bool {
    let Some(last) = lines.last() else {
        return false;
    };
    let has_cells = |row: &Row| {
        let mut found: Vec<_> = rows
            .pieces(row, pieces)
            .take(4 * MOST_COLUMNS)
            .map(|piece| column_of(piece.from + WIDE_GAP * row.size, columns))
            .collect();
        found.dedup();
        found.len() >= 2
    };
    let mut before = last;
    for (place, row) in below.take(VALUES_WITHIN).enumerate() {
        let step = row.base - before.base;
        let least = if place == 0 { BELOW * leading } else { 0.0 };
        let farthest = FARTHEST * row.size.max(before.size);
        if row.sector != last.sector || step <= least || step > farthest {
            return false;
        }
        if has_cells(row) {
            return true;
        }
        before = row;
    }
    false
}

/// The lines of one cell.
#[derive(Default)]
struct Label {
    lines: u32,
    starts_small: bool,
    /// Lines that read on from the one before.
    following: u32,
    letters: u32,
    characters: u32,
    /// The last line reads on.
    is_open: bool,
    /// The small letters at the end of the last line, without anything else in their word.
    small: Option<u32>,
}

fn are_labels(
    source: &Source<'_>,
    pieces: &Pieces,
    rows: &Rows,
    lines: &[Row],
    columns: &[Interval],
) -> bool {
    let mut labels: Vec<Label> = columns.iter().map(|_| Label::default()).collect();
    for row in lines {
        let mut last = None;
        for piece in rows.pieces(row, pieces) {
            let Some(place) = column_of(piece.from, columns) else {
                continue;
            };
            if let Some(label) = labels.get_mut(place) {
                label.add(source, pieces, piece, last != Some(place));
            }
            last = Some(place);
        }
    }
    let long = labels.iter().filter(|label| label.lines >= 2).count();
    let breaks: u32 = labels
        .iter()
        .map(|label| label.lines.saturating_sub(1))
        .sum();
    let following: u32 = labels.iter().map(|label| label.following).sum();
    long >= 2
        && 2 * following >= breaks
        && labels
            .iter()
            .all(|label| !label.starts_small && 2 * label.letters >= label.characters)
}

impl Label {
    fn add(&mut self, source: &Source<'_>, pieces: &Pieces, piece: &Piece, is_line: bool) {
        let direction = pieces.direction(piece.sector);
        let mut is_start = is_line;
        let mut last: Option<&Glyph> = None;
        self.small = self.small.filter(|_| !is_line);
        for glyph in pieces
            .glyphs(piece)
            .iter()
            .filter_map(|place| source.glyph(*place))
        {
            let text = source.text(glyph);
            let is_apart =
                last.is_none_or(|last| gap(last, glyph, direction) > WORD_GAP * glyph.size);
            if is_apart || kind(text) == Kind::Space {
                self.small = Some(0);
            }
            if kind(text) != Kind::Visible {
                continue;
            }
            let is_small = text.starts_with(char::is_lowercase);
            if std::mem::take(&mut is_start) {
                if self.lines == 0 {
                    self.starts_small = is_small;
                } else {
                    self.following += u32::from(is_small || self.is_open || text == "(");
                }
                self.lines += 1;
            }
            self.small = self.small.filter(|_| is_small).map(|count| count + 1);
            // Words such as "of" never end a label.
            self.is_open = text.ends_with(['-', '/', ',', '&', '\u{2010}'])
                || self.small.is_some_and(|count| count <= SHORT_WORD);
            self.characters += 1;
            self.letters += u32::from(text.chars().all(char::is_alphabetic));
            last = Some(glyph);
        }
    }
}
