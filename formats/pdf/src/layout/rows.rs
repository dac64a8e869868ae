//! The third step: pieces that are one line of text.
//!
//! Pieces are in one row when they were drawn one after another on one baseline, however far apart (the cells
//! of a table), or when they are so near each other that nothing but a space can be between them (a word in
//! bold type that was drawn later). Two columns that were drawn one after the other therefore stay apart.

use std::ops::Range;

use super::overprint::{is_copy, repeated};
use super::pieces::{Piece, Pieces};
use super::source::Source;

/// One line of text: pieces from left to right.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Range of `Rows::places`.
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
    /// Places in `Pieces::pieces`.
    pub(super) places: Vec<u32>,
    pub(super) rows: Vec<Row>,
}

impl Rows {
    pub(super) fn pieces<'a>(
        &'a self,
        row: &Row,
        pieces: &'a Pieces,
    ) -> impl Iterator<Item = &'a Piece> {
        let places = self.places.get(row.pieces.clone()).unwrap_or_default();
        places
            .iter()
            .filter_map(|place| pieces.pieces.get(*place as usize))
    }

    /// Adds a row of these pieces, which are ordered already.
    pub(super) fn push(&mut self, places: &[u32], pieces: &Pieces) {
        let start = self.places.len();
        self.places.extend_from_slice(places);
        let range = start..self.places.len();
        let mut longest = 0.0;
        let mut row: Option<Row> = None;
        for piece in places
            .iter()
            .filter_map(|place| pieces.pieces.get(*place as usize))
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

/// How far apart baselines may be that are one, in ems.
const SAME_BASELINE: f32 = 0.2;
/// Only words of one line are as near as this, in ems.
const NEAR: f32 = 0.5;
/// How many overlapping pieces are looked at to find a copy.
const COPIES: usize = 4;

/// The rows in the order in which they are drawn.
pub(super) fn in_drawing_order(source: &Source<'_>, pieces: &mut Pieces) -> Rows {
    let count = pieces.pieces.len();
    let mut joined = Joined::new(count);
    let mut dropped = vec![false; count];
    let mut repeats = Vec::new();
    for (place, piece) in pieces.pieces.iter().enumerate() {
        if piece.continues && place > 0 {
            joined.join(place - 1, place);
        }
    }
    let mut places: Vec<u32> = (0..count as u32).collect();
    for baseline in by_baseline(pieces, &mut places) {
        drop_copies(
            source,
            pieces,
            baseline,
            &mut dropped,
            &mut repeats,
            &mut joined,
        );
        join_neighbours(pieces, baseline, &dropped, &mut joined);
    }
    for (place, glyphs) in repeats {
        pieces.shorten(source, place, glyphs);
    }
    let all = &pieces.pieces;
    places.retain(|place| !dropped.get(*place as usize).copied().unwrap_or(true));
    let from = |place: u32| all.get(place as usize).map_or(0.0, |piece| piece.from);
    let mut keys: Vec<(u32, u32)> = places
        .iter()
        .map(|place| (joined.first(*place as usize) as u32, *place))
        .collect();
    keys.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0)
            .then(from(a.1).total_cmp(&from(b.1)))
            .then(a.1.cmp(&b.1))
    });
    let mut rows = Rows::default();
    for row in keys.chunk_by(|a, b| a.0 == b.0) {
        places.clear();
        places.extend(row.iter().map(|key| key.1));
        rows.push(&places, pieces);
    }
    rows
}

/// Sorts places of pieces by direction, baseline and place on it, and cuts them where the baseline changes.
pub(super) fn by_baseline<'a>(
    pieces: &Pieces,
    places: &'a mut [u32],
) -> impl Iterator<Item = &'a [u32]> {
    let piece = |place: u32| pieces.pieces.get(place as usize);
    let key = |place: u32| piece(place).map_or((0, 0.0), |piece| (piece.sector, piece.base));
    places.sort_unstable_by(|a, b| {
        let (x, y) = (key(*a), key(*b));
        x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)).then(a.cmp(b))
    });
    let mut ends = Vec::new();
    // Baselines that differ a little from one to the next must not add up to another line.
    let mut first: Option<&Piece> = None;
    let mut last: Option<&Piece> = None;
    for (at, now) in places.iter().filter_map(|place| piece(*place)).enumerate() {
        let is_same = |before: Option<&Piece>, limit: f32| {
            before.is_some_and(|before| {
                before.sector == now.sector
                    && now.base - before.base <= limit * before.size.min(now.size)
            })
        };
        if !is_same(last, SAME_BASELINE) || !is_same(first, 2.0 * SAME_BASELINE) {
            ends.push(at);
            first = Some(now);
        }
        last = Some(now);
    }
    ends.push(places.len());
    let mut rest = places;
    ends.into_iter().scan(0, move |start, end| {
        let (baseline, after) = std::mem::take(&mut rest).split_at_mut(end - *start);
        (*start, rest) = (end, after);
        let from = |place: u32| {
            pieces
                .pieces
                .get(place as usize)
                .map_or(0.0, |piece| piece.from)
        };
        baseline.sort_unstable_by(|a, b| from(*a).total_cmp(&from(*b)).then(a.cmp(b)));
        Some(&*baseline)
    })
}

/// Marks the pieces that only repeat what another one at the same place says, and finds those that start so.
fn drop_copies(
    source: &Source<'_>,
    pieces: &Pieces,
    baseline: &[u32],
    dropped: &mut [bool],
    repeats: &mut Vec<(u32, u32)>,
    joined: &mut Joined,
) {
    // The last ones that stay.
    let mut kept: Vec<(u32, &Piece)> = Vec::with_capacity(COPIES + 1);
    for place in baseline {
        let Some(piece) = pieces.pieces.get(*place as usize) else {
            continue;
        };
        let mut is_kept = true;
        kept.retain(|(other, before)| {
            if !is_kept || piece.from.max(before.from) >= piece.to.min(before.to) {
                return true;
            }
            // Of two that are the same, the one that was drawn first stays.
            let (early, late) = if other < place {
                (*before, piece)
            } else {
                (piece, *before)
            };
            let copy = if is_copy(source, pieces, late, early) {
                late
            } else if is_copy(source, pieces, early, late) {
                early
            } else {
                if let Some(glyphs) = repeated(source, pieces, piece, before) {
                    repeats.push((*place, glyphs));
                    joined.join(*other as usize, *place as usize);
                }
                return true;
            };
            // What was drawn next to the copy is next to the other.
            joined.join(*other as usize, *place as usize);
            is_kept = std::ptr::eq(copy, *before);
            if let Some(dropped) = dropped.get_mut(if is_kept { *other } else { *place } as usize) {
                *dropped = true;
            }
            !is_kept
        });
        if is_kept {
            if kept.len() == COPIES {
                kept.remove(0);
            }
            kept.push((*place, piece));
        }
    }
}

fn join_neighbours(pieces: &Pieces, baseline: &[u32], dropped: &[bool], joined: &mut Joined) {
    let mut left: Option<(u32, &Piece)> = None;
    for place in baseline {
        let (Some(piece), Some(false)) = (
            pieces.pieces.get(*place as usize),
            dropped.get(*place as usize),
        ) else {
            continue;
        };
        if let Some((before, neighbour)) = left {
            let gap = (piece.from - neighbour.to) / piece.size.max(neighbour.size);
            let goes_on =
                piece.from > neighbour.from && piece.to > neighbour.to && *place == before + 1;
            if (-0.3..=NEAR).contains(&gap) || (goes_on && (-1.5..0.0).contains(&gap)) {
                joined.join(before as usize, *place as usize);
            }
        }
        left = Some((*place, piece));
    }
}

/// Sets of pieces, each known by its first one.
struct Joined(Vec<u32>);

impl Joined {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn first(&mut self, mut place: usize) -> usize {
        while let Some(parent) = self.0.get(place).map(|parent| *parent as usize) {
            if parent == place {
                break;
            }
            // Shortens the way for the next time.
            if let (Some(grandparent), Some(entry)) =
                (self.0.get(parent).copied(), self.0.get_mut(place))
            {
                *entry = grandparent;
            }
            place = parent;
        }
        place
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        if let Some(entry) = self.0.get_mut(a.max(b)) {
            *entry = a.min(b) as u32;
        }
    }
}
