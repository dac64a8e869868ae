//! Punctuation drawn apart from its line: some programs draw the brackets, commas and full stops of
//! CJK text after the characters around them, in another font. They become a part of the piece
//! whose gap they fill.

use super::characters::{Extent, GlyphKind, extent, kind};
use super::geometry::along;
use super::pieces::{Piece, Pieces};
use super::source::PageGlyphs;

/// Maximum number of glyphs of a piece of punctuation: adjacent signs are one piece.
const MAX_GLYPHS: usize = 8;
/// Maximum distance between the baselines of punctuation and piece, in ems.
const MAX_OFF_EMS: f32 = 0.6;
/// The distance below which another glyph has the same place, in ems.
const SAME_PLACE_EMS: f32 = 0.3;
/// Maximum relative difference of their sizes.
const MAX_SIZE_DIFFERENCE: f32 = 0.25;
/// The maximum number of pieces with about the same baseline that are compared.
const MAX_COMPARED_PIECES: usize = 16;

/// A sign, and where it belongs.
struct Filling {
    /// The index of the piece with the gap, and the place among its glyphs.
    host: usize,
    index: usize,
    /// The index of the piece of punctuation, its glyph and the glyph's position.
    piece: usize,
    glyph: u32,
    from: f32,
}

/// Moves punctuation into the gaps that it fills.
pub(super) fn fill(source: &PageGlyphs<'_>, pieces: &mut Pieces) {
    let is_punctuation = |piece: &Piece| {
        let glyphs = pieces.glyphs(piece);
        let mut glyphs = glyphs.iter().filter_map(|index| source.glyph(*index));
        piece.end - piece.first <= MAX_GLYPHS as u32
            && glyphs.all(|glyph| extent(source.text(glyph)) != Extent::Whole)
    };
    let all = pieces.pieces.iter().enumerate();
    let (alone, mut hosts): (Vec<_>, Vec<_>) = all.partition(|(_, piece)| is_punctuation(piece));
    if alone.is_empty() {
        return;
    }
    hosts.sort_by(|(_, a), (_, b)| a.sector.cmp(&b.sector).then(a.base.total_cmp(&b.base)));
    let mut fillings: Vec<Filling> = Vec::new();
    for (index, piece) in alone {
        let reach = MAX_OFF_EMS * piece.size;
        let lowest = (piece.sector, piece.base - reach);
        let first = hosts.partition_point(|(_, host)| (host.sector, host.base) < lowest);
        let near = hosts.get(first..).unwrap_or_default().iter();
        let near = near
            .take_while(|(_, host)| host.sector == piece.sector && host.base <= piece.base + reach)
            .take(MAX_COMPARED_PIECES)
            .filter(|(_, host)| (host.size - piece.size).abs() <= MAX_SIZE_DIFFERENCE * host.size);
        for (host_place, host) in near {
            let sign = |glyph: &u32| {
                let from = start(source, pieces, piece, *glyph);
                Some(Filling {
                    host: *host_place,
                    index: gap_of(source, pieces, host, from)?,
                    piece: index,
                    glyph: *glyph,
                    from,
                })
            };
            let signs = pieces.glyphs(piece).iter().map(sign);
            if let Some(signs) = signs.collect::<Option<Vec<Filling>>>() {
                fillings.extend(signs);
                break;
            }
        }
    }
    fillings.sort_by(|a, b| {
        let by_place = a.host.cmp(&b.host).then(a.index.cmp(&b.index));
        by_place.then(a.from.total_cmp(&b.from))
    });
    for fillings in fillings.chunk_by(|a, b| a.host == b.host) {
        insert(pieces, fillings);
    }
    let mut filled: Vec<usize> = fillings.iter().map(|filling| filling.piece).collect();
    filled.sort_unstable();
    filled.dedup();
    pieces.remove(filled.into_iter());
}

/// The position of a glyph of a piece along its direction.
fn start(source: &PageGlyphs<'_>, pieces: &Pieces, piece: &Piece, glyph: u32) -> f32 {
    let direction = pieces.direction(piece.sector);
    let glyph = source.glyph(glyph);
    glyph.map_or(0.0, |glyph| along(glyph.start, direction))
}

/// The number of glyphs of a piece before a position in one of its gaps.
fn gap_of(source: &PageGlyphs<'_>, pieces: &Pieces, host: &Piece, from: f32) -> Option<usize> {
    if !(host.from < from && from < host.to) {
        return None;
    }
    let glyphs = pieces.glyphs(host);
    let near = SAME_PLACE_EMS * host.size;
    let start = |glyph: &u32| start(source, pieces, host, *glyph);
    let index = glyphs.partition_point(|glyph| start(glyph) <= from - near);
    let is_visible = |glyph: &&u32| {
        let glyph = source.glyph(**glyph);
        glyph.is_some_and(|glyph| kind(source.text(glyph)) == GlyphKind::Visible)
    };
    let next = glyphs.get(index..)?.iter().find(is_visible)?;
    (start(next) > from + near).then_some(index)
}

/// Inserts signs into one piece.
fn insert(pieces: &mut Pieces, fillings: &[Filling]) {
    let Some(host) = fillings.first().map(|filling| filling.host) else {
        return;
    };
    let piece = pieces.pieces.get(host);
    let own = piece.map_or(&[][..], |piece| pieces.glyphs(piece));
    let mut filled = Vec::with_capacity(own.len() + fillings.len());
    let mut at = 0;
    for filling in fillings {
        filled.extend_from_slice(own.get(at..filling.index).unwrap_or_default());
        filled.push(filling.glyph);
        at = at.max(filling.index);
    }
    filled.extend_from_slice(own.get(at..).unwrap_or_default());
    pieces.replace(host, filled);
}
