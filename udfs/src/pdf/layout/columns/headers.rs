//! Cells of several lines in rows of cells, as forms and tables have them above their values.
//!
//! Lines of such cells are near each other and read on within a cell: a line starts with a small letter,
//! the first one does not. Values follow in the same columns, farther below.

use super::super::characters::{Kind, kind};
use super::super::pieces::{Piece, Pieces, WIDE_GAP};
use super::super::rows::{Row, Rows};
use super::super::source::Source;
use super::{Interval, MOST_COLUMNS, column_of, merge};

/// Labels have no more lines.
const MOST_LINES: usize = 4;
/// The distance of baselines in a label is less, in ems.
const LEADING: f32 = 1.35;
/// Values are farther below than the lines of labels, by this factor, but no farther than this in ems.
const BELOW: f32 = 1.2;
const FARTHEST: f32 = 4.0;

/// The number of rows at the start of `run` that are near each other, and their columns if they are cells to be read
/// one by one. `below` is the row after the run.
pub(super) fn find(
    source: &Source<'_>,
    pieces: &Pieces,
    rows: &Rows,
    run: &[Row],
    below: Option<&Row>,
) -> (usize, Vec<Interval>) {
    let (count, leading) = near_rows(run);
    let lines = run.get(..count).unwrap_or(run);
    let below = run.get(count).or(below);
    if !(2..=MOST_LINES).contains(&count) {
        return (count, Vec::new());
    }
    let columns = columns(pieces, rows, lines);
    let is_header = (2..=MOST_COLUMNS).contains(&columns.len())
        && below.is_some_and(|below| has_values(pieces, rows, lines, &columns, below, leading))
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
    let mut columns: Vec<Interval> = lines
        .iter()
        .flat_map(|row| rows.pieces(row, pieces).take(4 * MOST_COLUMNS))
        .map(|piece| (piece.from, piece.to))
        .collect();
    merge(&mut columns, WIDE_GAP * size);
    columns
}

/// Whether the row below is apart, and has text in some of the columns.
fn has_values(
    pieces: &Pieces,
    rows: &Rows,
    lines: &[Row],
    columns: &[Interval],
    below: &Row,
    leading: f32,
) -> bool {
    let Some(last) = lines.last() else {
        return false;
    };
    let step = below.base - last.base;
    let size = below.size.max(last.size);
    let mut found: Vec<_> = rows
        .pieces(below, pieces)
        .take(4 * MOST_COLUMNS)
        .map(|piece| column_of(piece.from + WIDE_GAP * size, columns))
        .collect();
    found.dedup();
    below.sector == last.sector
        && step > BELOW * leading
        && step <= FARTHEST * size
        && found.len() >= 2
}

/// What the lines of one cell start with.
#[derive(Default)]
struct Label {
    lines: u32,
    starts_small: bool,
    small: u32,
    letters: u32,
    characters: u32,
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
    let following: u32 = labels
        .iter()
        .map(|label| label.lines.saturating_sub(1))
        .sum();
    let small: u32 = labels.iter().map(|label| label.small).sum();
    long >= 2
        && 2 * small >= following
        && labels
            .iter()
            .all(|label| !label.starts_small && 2 * label.letters > label.characters)
}

impl Label {
    fn add(&mut self, source: &Source<'_>, pieces: &Pieces, piece: &Piece, is_line: bool) {
        let texts = pieces
            .glyphs(piece)
            .iter()
            .filter_map(|place| source.glyph(*place))
            .map(|glyph| source.text(glyph))
            .filter(|text| kind(text) == Kind::Visible);
        let mut is_start = is_line;
        for text in texts {
            if std::mem::take(&mut is_start) {
                let is_small = text.starts_with(|c: char| c.is_lowercase() || c == '(');
                if self.lines == 0 {
                    self.starts_small = is_small && text != "(";
                } else {
                    self.small += u32::from(is_small);
                }
                self.lines += 1;
            }
            self.characters += 1;
            self.letters += u32::from(text.chars().all(char::is_alphabetic));
        }
    }
}
