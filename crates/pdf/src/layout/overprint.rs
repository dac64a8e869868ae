//! Detects text drawn twice at nearly the same position, for fake bold or a shadow.

use super::characters::{GlyphKind, kind};
use super::geometry::{Point, along, minus};
use super::pieces::{Piece, Pieces};
use super::source::PageGlyphs;
use crate::glyphs::Glyph;

/// The maximum distance between a glyph and its copy, in ems.
const MAX_COPY_DISTANCE_EMS: f32 = 0.15;

/// Whether each character of `piece` is drawn at the same position in another piece on the same
/// baseline.
pub(super) fn is_copy(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    piece: &Piece,
    original: &Piece,
) -> bool {
    if !is_of_size(piece, original) {
        return false;
    }
    let direction = pieces.direction(original.sector);
    let mut glyphs = visible(source, pieces.glyphs(piece)).peekable();
    let Some((_, first)) = glyphs.peek() else {
        return true;
    };
    let mut others = others(source, pieces.glyphs(original), direction, first);
    // Both iterators advance in the same direction, so skipped glyphs are not needed again.
    glyphs.all(|(_, glyph)| {
        others
            .by_ref()
            .map(|other| place(source, direction, glyph, other))
            .find(|index| *index != Overlap::Before)
            == Some(Overlap::Same)
    })
}

/// The number of glyphs at the start of `piece` that repeat the end of a piece that starts before
/// it. Shadows are drawn string by string, and the last copy continues into the following text.
pub(super) fn repeated_glyphs(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    piece: &Piece,
    original: &Piece,
) -> Option<u32> {
    if !is_of_size(piece, original) {
        return None;
    }
    let direction = pieces.direction(original.sector);
    let mut glyphs = visible(source, pieces.glyphs(piece));
    let (_, mut glyph) = glyphs.next()?;
    let mut next = None;
    for other in others(source, pieces.glyphs(original), direction, glyph) {
        if place(source, direction, glyph, other) != Overlap::Same {
            return None;
        }
        let (count, following) = glyphs.next()?;
        (next, glyph) = (Some(count), following);
    }
    next
}

fn is_of_size(piece: &Piece, original: &Piece) -> bool {
    (piece.size - original.size).abs() <= 0.2 * original.size
}

#[derive(PartialEq)]
enum Overlap {
    /// Farther back, or a different character.
    Before,
    Same,
    After,
}

/// The maximum distance between this glyph and a copy of it.
fn near(direction: Point, glyph: &Glyph) -> f32 {
    (MAX_COPY_DISTANCE_EMS * glyph.size)
        .min(0.4 * along(minus(glyph.end, glyph.start), direction).abs())
        .max(0.02 * glyph.size)
}

/// The position of a glyph relative to another one.
fn place(source: &PageGlyphs<'_>, direction: Point, from: &Glyph, glyph: &Glyph) -> Overlap {
    let near = near(direction, from);
    let off = along(minus(glyph.start, from.start), direction);
    if off > near {
        Overlap::After
    } else if off >= -near && source.text(glyph) == source.text(from) {
        Overlap::Same
    } else {
        Overlap::Before
    }
}

/// The visible glyphs, each with its index in the piece.
fn visible<'a>(
    source: &'a PageGlyphs<'_>,
    indexes: &'a [u32],
) -> impl Iterator<Item = (u32, &'a Glyph)> {
    (0..)
        .zip(indexes)
        .filter_map(|(count, index)| Some((count, source.glyph(*index)?)))
        .filter(|(_, glyph)| kind(source.text(glyph)) == GlyphKind::Visible)
}

/// The glyphs of another piece from the position of `glyph` on. Skips earlier glyphs quickly,
/// because many short pieces may be drawn over a long one.
fn others<'a>(
    source: &'a PageGlyphs<'_>,
    indexes: &'a [u32],
    direction: Point,
    glyph: &Glyph,
) -> impl Iterator<Item = &'a Glyph> {
    let near = near(direction, glyph);
    let off = |index: &u32| {
        let other = source.glyph(*index);
        other.map_or(0.0, |other| {
            along(minus(other.start, glyph.start), direction)
        })
    };
    let (first, last) = (indexes.first().map(off), indexes.last().map(off));
    let skipped = if first <= last {
        indexes.partition_point(|index| off(index) < -near)
    } else {
        indexes.partition_point(|index| off(index) > near)
    };
    let rest = indexes.get(skipped..).unwrap_or_default();
    visible(source, rest).map(|(_, glyph)| glyph)
}
