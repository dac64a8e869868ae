//! Floats at the right end of lines, such as prices, dates and points. Browsers draw all floats of
//! a page before its text, so each is joined to the line on its baseline.

use std::collections::HashMap;

use corpus_blocks::characters::is_right_to_left;

use super::order::{MAX_COMPARED_ROWS, MAX_LEADING_EMS, is_text, jumps_up};
use super::pieces::Pieces;
use super::rows::{Row, Rows, SAME_BASELINE_EMS};
use super::source::PageGlyphs;

/// The minimum number of floats: a single row may be the end of something else.
const MIN_FLOATS: usize = 2;
/// The maximum difference of their right edges, in ems.
const MAX_EDGE_DIFFERENCE_EMS: f32 = 0.5;

/// Joins floats that were drawn before the text to their lines.
pub(super) fn join(source: &PageGlyphs<'_>, pieces: &Pieces, rows: &mut Rows) {
    let Some(jumps) = jumps_up(rows) else {
        return;
    };
    // The floats of each line.
    let mut floats: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut is_float = vec![false; rows.rows.len()];
    for start in jumps {
        let found = floats_before(source, pieces, rows, start);
        if found.len() < MIN_FLOATS {
            continue;
        }
        for (float, line) in found {
            if let Some(is_float) = is_float.get_mut(float) {
                *is_float = true;
            }
            floats.entry(line).or_default().push(float);
        }
    }
    if floats.is_empty() {
        return;
    }
    let mut joined = Rows::default();
    for (index, row) in rows.rows.iter().enumerate() {
        if is_float.get(index) == Some(&true) {
            continue;
        }
        let own = rows.indexes_of(row);
        match floats.get_mut(&index) {
            Some(floats) => {
                let from = |float: &usize| rows.rows.get(*float).map_or(0.0, |row| row.from);
                floats.sort_by(|a, b| from(a).total_cmp(&from(b)));
                let floats = floats.iter().filter_map(|float| rows.rows.get(*float));
                let floats = floats.flat_map(|row| rows.indexes_of(row));
                let all: Vec<u32> = own.iter().chain(floats).copied().collect();
                joined.push(&all, pieces);
            }
            None => joined.push(own, pieces),
        }
    }
    *rows = joined;
}

/// The rows drawn directly before a jump up that are at the right end of later lines, with these
/// lines. They have one right edge and nothing beside them, and are no column of text: each is far
/// from the next one, or has few letters.
fn floats_before(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    start: usize,
) -> Vec<(usize, usize)> {
    let is_read_to_the_right = |row: &Row| {
        let glyphs = rows
            .pieces(row, pieces)
            .flat_map(|piece| pieces.glyphs(piece));
        let mut glyphs = glyphs.filter_map(|place| source.glyph(*place));
        !glyphs.any(|glyph| source.text(glyph).contains(is_right_to_left))
    };
    let mut sorted: Vec<(usize, &Row)> = rows.rows.iter().enumerate().collect();
    sorted.sort_by(|(_, a), (_, b)| a.base.total_cmp(&b.base));
    let line_of = |float: &Row| {
        let margin = SAME_BASELINE_EMS * float.size;
        let first = sorted.partition_point(|(_, row)| row.base < float.base - margin);
        let level = sorted.get(first..).unwrap_or_default().iter();
        let level = level
            .take(MAX_COMPARED_ROWS)
            .take_while(|(_, row)| row.base <= float.base + margin);
        let (later, earlier): (Vec<_>, Vec<_>) =
            level.partition(|(index, row)| *index >= start && row.sector == float.sector);
        let left = later
            .into_iter()
            .filter(|(_, row)| earlier.len() == 1 && row.to <= float.from);
        let nearest = left.max_by(|(_, a), (_, b)| a.to.total_cmp(&b.to));
        nearest.filter(|(_, row)| is_text(source, pieces, rows, row) && is_read_to_the_right(row))
    };
    let mut found = Vec::new();
    let mut below: Option<&Row> = None;
    for (index, row) in rows.rows.iter().enumerate().take(start).rev() {
        let is_apart = below
            .is_none_or(|below| below.base - row.base > MAX_LEADING_EMS * row.size.max(below.size));
        let is_aligned = below.is_none_or(|below| {
            (below.to - row.to).abs() < MAX_EDGE_DIFFERENCE_EMS * row.size.max(below.size)
        });
        if !is_aligned || !is_apart && is_text(source, pieces, rows, row) {
            break;
        }
        let Some((line, _)) = line_of(row) else {
            break;
        };
        found.push((index, line));
        below = Some(row);
    }
    found
}
