//! Text that is drawn twice at nearly the same place, to look bold or to throw a shadow.

use super::characters::{Kind, kind};
use super::geometry::{along, minus};
use super::pieces::{Piece, Pieces};
use super::source::Source;
use crate::pdf::glyphs::Glyph;

/// How far a copy may be from what it repeats, in ems.
const NEAR: f32 = 0.15;

/// Whether each character of a piece is drawn at the same place by another piece of the same baseline.
pub(super) fn is_copy(source: &Source<'_>, pieces: &Pieces, piece: &Piece, of: &Piece) -> bool {
    if (piece.size - of.size).abs() > 0.2 * of.size {
        return false;
    }
    let direction = pieces.direction(of.sector);
    let mut others = visible(source, pieces.glyphs(of)).peekable();
    for glyph in visible(source, pieces.glyphs(piece)) {
        let near = (NEAR * glyph.size)
            .min(0.4 * along(minus(glyph.end, glyph.start), direction).abs())
            .max(0.02 * glyph.size);
        // Both go the same way, so what is left behind is not needed again.
        let found = loop {
            let Some(other) = others.peek() else {
                return false;
            };
            let off = along(minus(other.start, glyph.start), direction);
            if off > near {
                return false;
            }
            if off >= -near && source.text(other) == source.text(glyph) {
                break others.next().is_some();
            }
            others.next();
        };
        if !found {
            return false;
        }
    }
    true
}

fn visible<'a>(source: &'a Source<'_>, places: &'a [u32]) -> impl Iterator<Item = &'a Glyph> {
    places
        .iter()
        .filter_map(|place| source.glyph(*place))
        .filter(|glyph| kind(source.text(glyph)) == Kind::Visible)
}
