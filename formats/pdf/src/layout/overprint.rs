//! Text that is drawn twice at nearly the same place, to look bold or to throw a shadow.

use super::characters::{Kind, kind};
use super::geometry::{Point, along, minus};
use super::pieces::{Piece, Pieces};
use super::source::Source;
use crate::glyphs::Glyph;

/// How far a copy may be from what it repeats, in ems.
const NEAR: f32 = 0.15;

/// Whether each character of a piece is drawn at the same place by another piece of the same baseline.
pub(super) fn is_copy(source: &Source<'_>, pieces: &Pieces, piece: &Piece, of: &Piece) -> bool {
    if !is_of_size(piece, of) {
        return false;
    }
    let direction = pieces.direction(of.sector);
    let mut glyphs = visible(source, pieces.glyphs(piece)).peekable();
    let Some((_, first)) = glyphs.peek() else {
        return true;
    };
    let mut others = others(source, pieces.glyphs(of), direction, first);
    // Both go the same way, so what is left behind is not needed again.
    glyphs.all(|(_, glyph)| {
        others
            .by_ref()
            .map(|other| place(source, direction, glyph, other))
            .find(|place| *place != Place::Before)
            == Some(Place::Same)
    })
}

/// How many glyphs at the start of a piece only repeat the end of one that starts before it: shadows are drawn
/// string by string, and the last of the copies runs on into what follows.
pub(super) fn repeated(
    source: &Source<'_>,
    pieces: &Pieces,
    piece: &Piece,
    of: &Piece,
) -> Option<u32> {
    if !is_of_size(piece, of) {
        return None;
    }
    let direction = pieces.direction(of.sector);
    let mut glyphs = visible(source, pieces.glyphs(piece));
    let (_, mut glyph) = glyphs.next()?;
    let mut next = None;
    for other in others(source, pieces.glyphs(of), direction, glyph) {
        if place(source, direction, glyph, other) != Place::Same {
            return None;
        }
        let (count, following) = glyphs.next()?;
        (next, glyph) = (Some(count), following);
    }
    next
}

fn is_of_size(piece: &Piece, of: &Piece) -> bool {
    (piece.size - of.size).abs() <= 0.2 * of.size
}

#[derive(PartialEq)]
enum Place {
    /// Farther back, or another character.
    Before,
    Same,
    After,
}

/// How far a copy of this glyph may be from it.
fn near(direction: Point, glyph: &Glyph) -> f32 {
    (NEAR * glyph.size)
        .min(0.4 * along(minus(glyph.end, glyph.start), direction).abs())
        .max(0.02 * glyph.size)
}

/// Where a glyph is, seen from another one.
fn place(source: &Source<'_>, direction: Point, from: &Glyph, glyph: &Glyph) -> Place {
    let near = near(direction, from);
    let off = along(minus(glyph.start, from.start), direction);
    if off > near {
        Place::After
    } else if off >= -near && source.text(glyph) == source.text(from) {
        Place::Same
    } else {
        Place::Before
    }
}

/// The glyphs that are seen, each with its place in the piece.
fn visible<'a>(
    source: &'a Source<'_>,
    places: &'a [u32],
) -> impl Iterator<Item = (u32, &'a Glyph)> {
    (0..)
        .zip(places)
        .filter_map(|(count, place)| Some((count, source.glyph(*place)?)))
        .filter(|(_, glyph)| kind(source.text(glyph)) == Kind::Visible)
}

/// The glyphs of another piece from where this one is: many short pieces may be drawn over a long one.
fn others<'a>(
    source: &'a Source<'_>,
    places: &'a [u32],
    direction: Point,
    glyph: &Glyph,
) -> impl Iterator<Item = &'a Glyph> {
    let near = near(direction, glyph);
    let off = |place: &u32| {
        let other = source.glyph(*place);
        other.map_or(0.0, |other| {
            along(minus(other.start, glyph.start), direction)
        })
    };
    let (first, last) = (places.first().map(off), places.last().map(off));
    let skipped = if first <= last {
        places.partition_point(|place| off(place) < -near)
    } else {
        places.partition_point(|place| off(place) > near)
    };
    let rest = places.get(skipped..).unwrap_or_default();
    visible(source, rest).map(|(_, glyph)| glyph)
}
