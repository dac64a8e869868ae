//! Step 4: the order of rows.
//!
//! Most programs draw a page in reading order, and know its columns and boxes better than any guess
//! from positions. So the drawing order is kept, unless it repeatedly goes back up the page over
//! text drawn before. Then rows are ordered by position, from top to bottom and from left to right.

use super::pieces::Pieces;
use super::rows::{Row, Rows, by_baseline};
use super::sectors::is_mirrored;

/// The number of upward moves that any page may have: headers, footers and notes are often drawn
/// out of order.
const MIN_UPWARD_MOVES: usize = 3;
/// The share of the text that upward moves must reach: numbers along the axis of a chart go up,
/// too.
const MIN_UPWARD_SHARE: f32 = 0.2;

/// The number of earlier rows in which the row above is searched for. Columns drawn line by line
/// alternate.
const MAX_ROWS_BACK: usize = 4;

/// Whether the rows are in a readable order.
pub(super) fn is_readable(rows: &[Row]) -> bool {
    let content: Vec<&Row> = rows.iter().filter(|row| !row.artifact).collect();
    let (mut moves, mut width, mut width_up) = (0, 0.0, 0.0);
    for (place, row) in content.iter().enumerate() {
        let before = content
            .get(place.saturating_sub(MAX_ROWS_BACK)..place)
            .unwrap_or_default();
        let last = before
            .iter()
            .rev()
            .find(|other| other.sector == row.sector && is_in_column(row, other));
        let is_up = last.is_some_and(|other| is_over(row, other));
        width += row.to - row.from;
        if is_up {
            moves += 1;
            width_up += row.to - row.from;
        }
    }
    moves < MIN_UPWARD_MOVES || width_up <= MIN_UPWARD_SHARE * width
}

/// Whether one row is above or below the other, not beside it. Going up to the next column is
/// normal.
fn is_in_column(row: &Row, other: &Row) -> bool {
    let shared = row.to.min(other.to) - row.from.max(other.from);
    let narrower = (row.to - row.from).min(other.to - other.from);
    shared > 0.5 * narrower
}

fn is_over(row: &Row, other: &Row) -> bool {
    row.base < other.base - 0.5 * row.size.max(other.size)
}

/// Orders rows by position. Everything on one baseline becomes one row. Text directions follow each
/// other, the most frequent one first, but after headings above its columns.
pub(super) fn by_place(pieces: &Pieces, rows: &Rows) -> Rows {
    let mut counts: Vec<(u8, usize)> = Vec::new();
    for row in &rows.rows {
        match counts.iter_mut().find(|count| count.0 == row.sector) {
            Some(count) => count.1 += 1,
            None => counts.push((row.sector, 1)),
        }
    }
    counts.sort_by_key(|count| std::cmp::Reverse(count.1));
    let mut places = rows.places.clone();
    let mut sorted = Rows::default();
    for baseline in by_baseline(pieces, &mut places) {
        sorted.push(baseline, pieces);
    }
    let main = counts.first().map_or(0, |count| count.0);
    let top = sorted
        .rows
        .iter()
        .filter(|row| row.sector == main)
        .map(|row| row.from)
        .fold(f32::INFINITY, f32::min);
    let rank = |row: &Row| {
        let is_heading = row.base <= top && goes_down(pieces, main, row.sector);
        let rank = counts.iter().position(|count| count.0 == row.sector);
        (!is_heading, rank)
    };
    sorted.rows.sort_by_key(rank);
    sorted
}

/// Whether text of `sector` runs down the page and that of `other` is horizontal.
fn goes_down(pieces: &Pieces, sector: u8, other: u8) -> bool {
    is_mirrored(sector) == is_mirrored(other)
        && pieces.direction(sector).1 > 0.99
        && pieces.direction(other).0 > 0.99
}
