//! The fourth step: the order of rows.
//!
//! Programs mostly draw a page in the order in which it is read, and know columns and boxes better than any
//! guess from places can. So the order of drawing is kept, unless it goes up the page, over what was drawn
//! already, time and again: then places count, from top to bottom, and from left to right.

use super::pieces::Pieces;
use super::rows::{Row, Rows, by_baseline};
use super::sectors::is_mirrored;

/// Ways upwards that a page may have in any case: headers, footers and notes are often drawn out of order.
const WAYS_UP: usize = 3;
/// Of so much of the text at least: numbers along the axis of a chart go up, too.
const SHARE: f32 = 0.2;

/// How many rows back the one above is looked for: columns that are drawn line by line take turns.
const BACK: usize = 4;

/// Whether the rows come in an order in which somebody could read them.
pub(super) fn is_readable(rows: &[Row]) -> bool {
    let content: Vec<&Row> = rows.iter().filter(|row| !row.artifact).collect();
    let (mut ways, mut width, mut width_up) = (0, 0.0, 0.0);
    for (place, row) in content.iter().enumerate() {
        let before = content
            .get(place.saturating_sub(BACK)..place)
            .unwrap_or_default();
        let last = before
            .iter()
            .rev()
            .find(|other| other.sector == row.sector && is_in_column(row, other));
        let is_up = last.is_some_and(|other| is_over(row, other));
        width += row.to - row.from;
        if is_up {
            ways += 1;
            width_up += row.to - row.from;
        }
    }
    ways < WAYS_UP || width_up <= SHARE * width
}

/// Above or below it, not beside it: going up to the next column is no disorder.
fn is_in_column(row: &Row, other: &Row) -> bool {
    let shared = row.to.min(other.to) - row.from.max(other.from);
    let narrower = (row.to - row.from).min(other.to - other.from);
    shared > 0.5 * narrower
}

fn is_over(row: &Row, other: &Row) -> bool {
    row.base < other.base - 0.5 * row.size.max(other.size)
}

/// All that is on one baseline is one row here, and the directions of text follow each other, that of most rows first,
/// but after headings above its columns.
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

/// Whether text of this sector goes down the page, and that of the other sector is level.
fn goes_down(pieces: &Pieces, sector: u8, other: u8) -> bool {
    is_mirrored(sector) == is_mirrored(other)
        && pieces.direction(sector).1 > 0.99
        && pieces.direction(other).0 > 0.99
}
