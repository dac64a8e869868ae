//! Step 3: pieces that form one line of text.
//!
//! Pieces share a row in two cases: they were drawn in sequence on one baseline, however far apart
//! (the cells of a table), or only a space fits between them (a bold word drawn later). So two
//! columns drawn one after the other stay separate. Cells drawn one below another stay separate
//! even from close neighbors, as in timetables drawn column by column.

use std::ops::Range;

use super::overprint::{is_copy, repeated_glyphs};
use super::pieces::{Piece, Pieces};
use super::source::PageGlyphs;
use crate::disjoint_sets::Sets;

/// A line of text: pieces from left to right.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// A range of `Rows::indexes`.
    pub(super) pieces: Range<usize>,
    pub(super) sector: u8,
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) base: f32,
    pub(super) size: f32,
    pub(super) artifact: bool,
}

#[derive(Default)]
pub(super) struct Rows {
    /// Indexes into `Pieces::pieces`.
    pub(super) indexes: Vec<u32>,
    pub(super) rows: Vec<Row>,
}

impl Rows {
    pub(super) fn pieces<'a>(
        &'a self,
        row: &Row,
        pieces: &'a Pieces,
    ) -> impl Iterator<Item = &'a Piece> {
        self.indexes_of(row)
            .iter()
            .filter_map(|index| pieces.pieces.get(*index as usize))
    }

    /// The indexes of the pieces of a row.
    pub(super) fn indexes_of(&self, row: &Row) -> &[u32] {
        self.indexes.get(row.pieces.clone()).unwrap_or_default()
    }

    /// Adds a row of these pieces, which are already in order.
    pub(super) fn push(&mut self, indexes: &[u32], pieces: &Pieces) {
        let start = self.indexes.len();
        self.indexes.extend_from_slice(indexes);
        let range = start..self.indexes.len();
        let mut longest = 0.0;
        let mut row: Option<Row> = None;
        for piece in indexes
            .iter()
            .filter_map(|index| pieces.pieces.get(*index as usize))
        {
            let row = row.get_or_insert_with(|| Row {
                pieces: range.clone(),
                sector: piece.sector,
                from: piece.from,
                to: piece.to,
                base: piece.base,
                size: piece.size,
                artifact: true,
            });
            row.from = row.from.min(piece.from);
            row.to = row.to.max(piece.to);
            row.artifact &= piece.artifact;
            if piece.to - piece.from > longest {
                longest = piece.to - piece.from;
                (row.base, row.size) = (piece.base, piece.size);
            }
        }
        self.rows.extend(row);
    }
}

/// The maximum distance between pieces on the same baseline, in ems.
pub(super) const SAME_BASELINE_EMS: f32 = 0.2;
/// The maximum gap between words of one line that were drawn separately, in ems.
const MAX_WORD_GAP_EMS: f32 = 0.5;
/// Minimum number of columns of cells. Two columns may be labels and values.
const MIN_CELLS: usize = 3;
/// The minimum gap between cells in adjacent columns, in ems. Letters are closer.
const MIN_CELL_GAP_EMS: f32 = 0.15;
/// Minimum number of cells in a column, and the allowed steps along and across it, in ems.
const MIN_STACKED_PIECES: usize = 2;
const STEP_IN_STACK_EMS: std::ops::RangeInclusive<f32> = 0.5..=4.0;
const MAX_SHIFT_IN_STACK_EMS: f32 = 0.1;
/// Maximum number of overlapping pieces compared to find a copy.
const MAX_COMPARED_PIECES: usize = 4;

/// Returns the rows in drawing order.
pub(super) fn in_drawing_order(source: &PageGlyphs<'_>, pieces: &mut Pieces) -> Rows {
    let count = pieces.pieces.len();
    let mut joined = Sets::new(count);
    let mut dropped = vec![false; count];
    let mut repeats = Vec::new();
    for (index, piece) in pieces.pieces.iter().enumerate() {
        if piece.continues && index > 0 {
            joined.join(index - 1, index);
        }
    }
    let stacked = find_stacked(source, pieces);
    let mut indexes: Vec<u32> = (0..count as u32).collect();
    for baseline in by_baseline(pieces, &mut indexes) {
        drop_copies(
            source,
            pieces,
            baseline,
            &mut dropped,
            &mut repeats,
            &mut joined,
        );
        join_neighbours(pieces, baseline, &dropped, &stacked, &mut joined);
    }
    for (index, glyphs) in repeats {
        pieces.shorten(source, index, glyphs);
    }
    let all = &pieces.pieces;
    indexes.retain(|index| !dropped.get(*index as usize).copied().unwrap_or(true));
    let from = |index: u32| all.get(index as usize).map_or(0.0, |piece| piece.from);
    let mut keys: Vec<(u32, u32)> = indexes
        .iter()
        .map(|index| (joined.first(*index as usize) as u32, *index))
        .collect();
    keys.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0)
            .then(from(a.1).total_cmp(&from(b.1)))
            .then(a.1.cmp(&b.1))
    });
    let mut rows = Rows::default();
    for row in keys.chunk_by(|a, b| a.0 == b.0) {
        indexes.clear();
        indexes.extend(row.iter().map(|key| key.1));
        rows.push(&indexes, pieces);
    }
    rows
}

/// Sorts piece indexes by direction, baseline and position on it, and splits them by baseline.
pub(super) fn by_baseline<'a>(
    pieces: &Pieces,
    indexes: &'a mut [u32],
) -> impl Iterator<Item = &'a [u32]> {
    let piece = |index: u32| pieces.pieces.get(index as usize);
    let key = |index: u32| piece(index).map_or((0, 0.0), |piece| (piece.sector, piece.base));
    indexes.sort_unstable_by(|a, b| {
        let (x, y) = (key(*a), key(*b));
        x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)).then(a.cmp(b))
    });
    let mut ends = Vec::new();
    // Small differences between neighbors must not add up to the distance of another line.
    let mut first: Option<&Piece> = None;
    let mut last: Option<&Piece> = None;
    for (at, now) in indexes.iter().filter_map(|index| piece(*index)).enumerate() {
        let is_same = |before: Option<&Piece>, limit: f32| {
            before.is_some_and(|before| {
                before.sector == now.sector
                    && now.base - before.base <= limit * before.size.min(now.size)
            })
        };
        if !is_same(last, SAME_BASELINE_EMS) || !is_same(first, 2.0 * SAME_BASELINE_EMS) {
            ends.push(at);
            first = Some(now);
        }
        last = Some(now);
    }
    ends.push(indexes.len());
    let mut rest = indexes;
    ends.into_iter().scan(0, move |start, end| {
        let (baseline, after) = std::mem::take(&mut rest).split_at_mut(end - *start);
        (*start, rest) = (end, after);
        let from = |index: u32| {
            pieces
                .pieces
                .get(index as usize)
                .map_or(0.0, |piece| piece.from)
        };
        baseline.sort_unstable_by(|a, b| from(*a).total_cmp(&from(*b)).then(a.cmp(b)));
        Some(&*baseline)
    })
}

/// Marks pieces that only repeat another piece at the same position, and finds pieces that start
/// with a repetition.
fn drop_copies(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    baseline: &[u32],
    dropped: &mut [bool],
    repeats: &mut Vec<(u32, u32)>,
    joined: &mut Sets,
) {
    // The latest pieces that are kept.
    let mut kept: Vec<(u32, &Piece)> = Vec::with_capacity(MAX_COMPARED_PIECES + 1);
    for index in baseline {
        let Some(piece) = pieces.pieces.get(*index as usize) else {
            continue;
        };
        let mut is_kept = true;
        kept.retain(|(other, before)| {
            if !is_kept || piece.from.max(before.from) >= piece.to.min(before.to) {
                return true;
            }
            // Of two identical pieces, keep the one drawn first.
            let (early, late) = if other < index {
                (*before, piece)
            } else {
                (piece, *before)
            };
            let copy = if is_copy(source, pieces, late, early) {
                late
            } else if is_copy(source, pieces, early, late) {
                early
            } else {
                if let Some(glyphs) = repeated_glyphs(source, pieces, piece, before) {
                    repeats.push((*index, glyphs));
                    joined.join(*other as usize, *index as usize);
                }
                return true;
            };
            // A neighbor of the copy is a neighbor of the original.
            joined.join(*other as usize, *index as usize);
            is_kept = std::ptr::eq(copy, *before);
            if let Some(dropped) = dropped.get_mut(if is_kept { *other } else { *index } as usize) {
                *dropped = true;
            }
            !is_kept
        });
        if is_kept {
            if kept.len() == MAX_COMPARED_PIECES {
                kept.remove(0);
            }
            kept.push((*index, piece));
        }
    }
}

/// Returns for each piece whether it is part of a column of cells: pieces drawn one below another
/// in sequence, and aligned or one within the extent of the other. Dot leaders before a cell are
/// not cells.
fn find_stacked(source: &PageGlyphs<'_>, pieces: &Pieces) -> Vec<bool> {
    let all = &pieces.pieces;
    let starts_with_word = |piece: &Piece| {
        let first = pieces.glyphs(piece).first();
        let glyph = first.and_then(|index| source.glyph(*index));
        glyph.is_some_and(|glyph| source.text(glyph).contains(char::is_alphanumeric))
    };
    let mut stacked = vec![false; all.len()];
    let mut start = 0;
    for end in 1..=all.len() {
        let pair = all.get(end - 1).zip(all.get(end));
        if pair.is_some_and(|(above, below)| is_below(above, below)) {
            continue;
        }
        let cells = stacked.get_mut(start..end).zip(all.get(start..end));
        if let Some((stacked, cells)) = cells.filter(|_| end - start >= MIN_STACKED_PIECES) {
            let words = cells.iter().filter(|cell| starts_with_word(cell)).count();
            stacked.fill(2 * words >= cells.len());
        }
        start = end;
    }
    stacked
}

/// Whether the second piece is the next cell of the first one's column.
fn is_below(above: &Piece, below: &Piece) -> bool {
    let size = above.size.max(below.size);
    let is_near = |distance: f32| distance.abs() <= MAX_SHIFT_IN_STACK_EMS * size;
    let (from, to) = (below.from - above.from, below.to - above.to);
    let is_within = from.min(-to) >= 0.0 || from.max(-to) <= 0.0;
    above.sector == below.sector
        && STEP_IN_STACK_EMS.contains(&((below.base - above.base) / size))
        && (is_within || is_near(from) || is_near(to))
}

fn join_neighbours(
    pieces: &Pieces,
    baseline: &[u32],
    dropped: &[bool],
    stacked: &[bool],
    joined: &mut Sets,
) {
    let is_stacked = |index: u32| stacked.get(index as usize).copied().unwrap_or(false);
    let cells = baseline.iter().filter(|index| is_stacked(**index)).count();
    let mut left: Option<(u32, &Piece)> = None;
    for index in baseline {
        let (Some(piece), Some(false)) = (
            pieces.pieces.get(*index as usize),
            dropped.get(*index as usize),
        ) else {
            continue;
        };
        if let Some((before, neighbour)) = left {
            let gap = (piece.from - neighbour.to) / piece.size.max(neighbour.size);
            let goes_on =
                piece.from > neighbour.from && piece.to > neighbour.to && *index == before + 1;
            let are_cells = cells >= MIN_CELLS
                && gap > MIN_CELL_GAP_EMS
                && is_stacked(before)
                && is_stacked(*index);
            if ((-0.3..=MAX_WORD_GAP_EMS).contains(&gap) && !are_cells)
                || (goes_on && (-1.5..0.0).contains(&gap))
            {
                joined.join(before as usize, *index as usize);
            }
        }
        left = Some((*index, piece));
    }
}
