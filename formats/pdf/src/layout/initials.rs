//! Drop capitals: large initials at the start of a paragraph, beside its first lines.
//!
//! The baseline of a drop capital is that of the last line beside it, and it may be drawn before
//! the paragraph or after it. Here it becomes the start of the first line.

use super::pieces::{Piece, Pieces};
use super::source::Source;

/// The maximum number of glyphs in an initial: a letter with a quotation mark before it, or a short
/// word.
const MAX_GLYPHS: usize = 3;
/// The minimum size of an initial beside two lines, relative to the text.
const MIN_SIZE_RATIO: f32 = 1.8;
/// The number of pieces drawn before and after an initial in which its lines are searched for.
const MAX_COMPARED_PIECES: usize = 40;
/// The distances between an initial and the lines beside it, in ems of the text.
const GAP_EMS: std::ops::RangeInclusive<f32> = -0.5..=1.5;
/// The height of capitals, in ems.
const CAPITAL_EMS: f32 = 0.7;
/// The maximum distance of an initial's top and bottom from those of its lines, in ems of the text.
const MAX_OFF_EMS: f32 = 0.7;

/// Joins each drop capital to the first line beside it.
pub(super) fn join(source: &Source<'_>, pieces: &mut Pieces) {
    let minimum = MIN_SIZE_RATIO * mean_size(&pieces.pieces);
    let found: Vec<(usize, usize)> = (pieces.pieces.iter().enumerate())
        .filter(|(_, piece)| piece.size >= minimum && is_initial(source, pieces, piece))
        .filter_map(|(place, piece)| Some((place, first_line(&pieces.pieces, place, piece)?)))
        .collect();
    if found.is_empty() {
        return;
    }
    for (initial, line) in &found {
        pieces.prepend(*initial, *line);
    }
    pieces.remove(found.iter().map(|(initial, _)| *initial));
}

/// The mean size of the page's glyphs.
fn mean_size(pieces: &[Piece]) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for piece in pieces {
        let glyphs = (piece.end - piece.first) as f32;
        sum += glyphs * piece.size;
        count += glyphs;
    }
    sum / f32::max(count, 1.0)
}

fn is_initial(source: &Source<'_>, pieces: &Pieces, piece: &Piece) -> bool {
    let glyphs = pieces.glyphs(piece);
    glyphs.len() <= MAX_GLYPHS
        && glyphs
            .iter()
            .filter_map(|place| source.glyph(*place))
            .any(|glyph| source.text(glyph).contains(char::is_alphabetic))
}

/// The uppermost of the lines beside an initial, if there are at least two of them and they are as
/// high as the initial.
fn first_line(pieces: &[Piece], place: usize, initial: &Piece) -> Option<usize> {
    let start = place.saturating_sub(MAX_COMPARED_PIECES);
    let end = (place + MAX_COMPARED_PIECES).min(pieces.len());
    let mut first: Option<(usize, &Piece)> = None;
    let mut lowest = f32::NEG_INFINITY;
    for (other, line) in (start..).zip(pieces.get(start..end)?) {
        if other == place || !is_beside(initial, line) {
            continue;
        }
        lowest = lowest.max(line.base);
        if first.is_none_or(|(_, first)| line.base < first.base) {
            first = Some((other, line));
        }
    }
    let (other, line) = first?;
    let limit = MAX_OFF_EMS * line.size;
    let top = |piece: &Piece| piece.base - CAPITAL_EMS * piece.size;
    (lowest > line.base + 0.5 * line.size
        && (top(initial) - top(line)).abs() <= limit
        && (initial.base - lowest).abs() <= limit)
        .then_some(other)
}

/// Whether a line starts at the right side of an initial.
fn is_beside(initial: &Piece, line: &Piece) -> bool {
    line.sector == initial.sector
        && initial.size >= MIN_SIZE_RATIO * line.size
        && GAP_EMS.contains(&((line.from - initial.to) / line.size))
        && line.base > initial.base - initial.size
        && line.base <= initial.base + MAX_OFF_EMS * line.size
}
