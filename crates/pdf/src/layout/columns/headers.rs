//! Headers: rows of multi-line cells above the values of forms and tables.
//!
//! Lines of such cells are close together, and continue within a cell: most start with a lower-case
//! letter, or the line before ends with a hyphen or a short word. Values follow in the same
//! columns, farther below.

use super::super::characters::{GlyphKind, kind};
use super::super::geometry::gap;
use super::super::pieces::{Piece, Pieces, WIDE_GAP_EMS};
use super::super::rows::{Row, Rows};
use super::super::source::PageGlyphs;
use super::{Interval, MAX_COLUMNS, column_of, extend, merge};
use crate::glyphs::Glyph;

/// The maximum number of lines in a label.
const MAX_LINES: usize = 4;
/// The maximum distance between baselines in a label, in ems.
const MAX_LEADING_EMS: f32 = 1.35;
/// The minimum distance between cells, in ems.
const MIN_GUTTER_EMS: f32 = 0.5;
/// Minimum ratio of the distance between label and values to the line distance in the label.
const VALUE_STEP_FACTOR: f32 = 1.2;
/// The maximum distance between a label and its values, in ems.
const MAX_VALUE_STEP_EMS: f32 = 4.0;
/// Maximum number of rows down to the first values: the title of a group may be in between.
const MAX_ROWS_TO_VALUES: usize = 2;
/// Minimum gap between words, in ems.
const WORD_GAP_EMS: f32 = 0.15;
/// The maximum length of words such as "of", which never end a label.
const MAX_SHORT_WORD_LETTERS: u32 = 3;

/// Returns the number of rows at the start of `run` that are close together, and their columns if
/// they are header cells to be read one by one. `after` are the rows after the run.
pub(super) fn find(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    run: &[Row],
    after: &[Row],
) -> (usize, Vec<Interval>) {
    let (count, leading) = near_rows(run);
    let lines = run.get(..count).unwrap_or(run);
    if !(2..=MAX_LINES).contains(&count) {
        return (count, Vec::new());
    }
    let columns = columns(pieces, rows, lines);
    let below = run.get(count..).unwrap_or_default().iter().chain(after);
    let is_header = (2..=MAX_COLUMNS).contains(&columns.len())
        && has_values(pieces, rows, lines, &columns, below, leading)
        && are_labels(source, pieces, rows, lines, &columns);
    (count, if is_header { columns } else { Vec::new() })
}

/// The number of rows that follow each other at the same distance, and the largest distance.
fn near_rows(run: &[Row]) -> (usize, f32) {
    let (mut count, mut leading, mut minimum) = (1, 0.0_f32, f32::INFINITY);
    for pair in run.windows(2) {
        let [above, row] = pair else { break };
        let step = row.base - above.base;
        let (smaller, larger) = (above.size.min(row.size), above.size.max(row.size));
        if larger > VALUE_STEP_FACTOR * smaller
            || step > MAX_LEADING_EMS * larger
            || step > VALUE_STEP_FACTOR * minimum
        {
            break;
        }
        count += 1;
        leading = leading.max(step);
        minimum = minimum.min(step.max(0.5 * larger));
    }
    (count, leading)
}

fn columns(pieces: &Pieces, rows: &Rows, lines: &[Row]) -> Vec<Interval> {
    let size = lines.iter().map(|row| row.size).fold(0.0, f32::max);
    let mut columns = Vec::new();
    for row in lines {
        extend(&mut columns, pieces, rows, row, MIN_GUTTER_EMS * size);
    }
    merge(&mut columns, MIN_GUTTER_EMS * size);
    columns
}

/// Whether the rows below are set apart, and one of the first has text in several columns.
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
            .take(4 * MAX_COLUMNS)
            .map(|piece| column_of(piece.from + WIDE_GAP_EMS * row.size, columns))
            .collect();
        found.dedup();
        found.len() >= 2
    };
    let mut before = last;
    for (index, row) in below.take(MAX_ROWS_TO_VALUES).enumerate() {
        let step = row.base - before.base;
        let minimum = if index == 0 {
            VALUE_STEP_FACTOR * leading
        } else {
            0.0
        };
        let maximum = MAX_VALUE_STEP_EMS * row.size.max(before.size);
        if row.sector != last.sector || step <= minimum || step > maximum {
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
    /// The number of lines that continue the line before.
    following: u32,
    letters: u32,
    characters: u32,
    /// Whether the last line continues.
    is_open: bool,
    /// The number of lower-case letters at the end of the last line, if its last word consists of
    /// nothing else.
    small: Option<u32>,
}

fn are_labels(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    lines: &[Row],
    columns: &[Interval],
) -> bool {
    let mut labels: Vec<Label> = columns.iter().map(|_| Label::default()).collect();
    for row in lines {
        let mut last = None;
        for piece in rows.pieces(row, pieces) {
            let Some(index) = column_of(piece.from, columns) else {
                continue;
            };
            if let Some(label) = labels.get_mut(index) {
                label.add(source, pieces, piece, last != Some(index));
            }
            last = Some(index);
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
    fn add(&mut self, source: &PageGlyphs<'_>, pieces: &Pieces, piece: &Piece, is_line: bool) {
        let direction = pieces.direction(piece.sector);
        let mut is_start = is_line;
        let mut last: Option<&Glyph> = None;
        self.small = self.small.filter(|_| !is_line);
        for glyph in pieces
            .glyphs(piece)
            .iter()
            .filter_map(|index| source.glyph(*index))
        {
            let text = source.text(glyph);
            let is_apart =
                last.is_none_or(|last| gap(last, glyph, direction) > WORD_GAP_EMS * glyph.size);
            if is_apart || kind(text) == GlyphKind::Space {
                self.small = Some(0);
            }
            if kind(text) != GlyphKind::Visible {
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
                || self
                    .small
                    .is_some_and(|count| count <= MAX_SHORT_WORD_LETTERS);
            self.characters += 1;
            self.letters += u32::from(text.chars().all(char::is_alphabetic));
            last = Some(glyph);
        }
    }
}
