//! Drop capitals: large initials at the start of a paragraph, beside its first lines.
//!
//! A drop capital shares its baseline with the last line beside it, and may be drawn before or
//! after the paragraph. Here it becomes the start of the first line.

use super::geometry::{across, along};
use super::pieces::{Piece, Pieces};
use super::source::PageGlyphs;

/// The maximum number of glyphs in an initial: a letter with a quotation mark before it, or a short
/// word.
const MAX_GLYPHS: usize = 3;
/// The minimum size of an initial beside two lines, relative to the text.
const MIN_SIZE_RATIO: f32 = 1.8;
/// Number of pieces searched for its lines, before and after an initial.
const MAX_COMPARED_PIECES: usize = 40;
/// The distances between an initial and the lines beside it, in ems of the text.
const GAP_EMS: std::ops::RangeInclusive<f32> = -0.5..=1.5;
/// The height of capitals, in ems.
const CAPITAL_EMS: f32 = 0.7;
/// Maximum distance between the top and bottom of an initial and of its lines, in ems of the text.
const MAX_OFF_EMS: f32 = 0.7;

/// Minimum distance from the baseline of the first line to the baseline of the drop capital or of
/// another line beside it, in ems of the text.
const MIN_DROP_EMS: f32 = 0.5;
/// The maximum distance between the starts of aligned lines, in ems.
const MAX_INDENT_EMS: f32 = 0.1;

/// Joins each drop capital to the first line beside it.
pub(super) fn join(source: &mut PageGlyphs<'_>, pieces: &mut Pieces) {
    let minimum = MIN_SIZE_RATIO * mean_size(&pieces.pieces);
    let mut removed = Vec::new();
    for index in 0..pieces.pieces.len() {
        let Some((piece, first)) = (pieces.pieces.get(index)).and_then(|piece| {
            let first = *pieces.glyphs(piece).first()?;
            Some((piece, source.glyph(first)?))
        }) else {
            continue;
        };
        if first.size < minimum || !is_letter(source, pieces, piece) {
            continue;
        }
        if piece.size < minimum {
            // The capital and a line were drawn in sequence and are already one piece.
            let letters = count_large(source, pieces, piece, minimum);
            if letters > MAX_GLYPHS {
                continue;
            }
            let above = initial_of_last_line(source, pieces, piece, letters)
                .and_then(|initial| first_line(&pieces.pieces, index, &initial, piece.base))
                .filter(|line| !starts_large(source, pieces, *line, minimum));
            let line = above.unwrap_or(index);
            if above.is_some() {
                pieces.move_start(source, index, letters, line);
            }
            set_apart(source, pieces, line, letters);
        } else if pieces.glyphs(piece).len() <= MAX_GLYPHS
            && let Some(line) = first_line(&pieces.pieces, index, piece, f32::NEG_INFINITY)
            && !starts_large(source, pieces, line, minimum)
        {
            let letters = pieces.glyphs(piece).len();
            pieces.prepend(index, line);
            set_apart(source, pieces, line, letters);
            removed.push(index);
        }
    }
    if !removed.is_empty() {
        pieces.remove(removed.into_iter());
    }
}

/// Returns the initial at the start of a piece as a separate piece, if the rest of the piece is the
/// last line beside it.
fn initial_of_last_line(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    piece: &Piece,
    letters: usize,
) -> Option<Piece> {
    let glyphs = pieces.glyphs(piece).get(..letters)?;
    let (first, last) = (
        source.glyph(*glyphs.first()?)?,
        source.glyph(*glyphs.last()?)?,
    );
    let direction = pieces.direction(piece.sector);
    let base = across(first.start, direction);
    ((base - piece.base).abs() < MIN_DROP_EMS * piece.size).then(|| Piece {
        end: piece.first + letters as u32,
        from: along(first.start, direction),
        to: along(last.end, direction),
        base,
        size: first.size,
        ..*piece
    })
}

fn is_letter(source: &PageGlyphs<'_>, pieces: &Pieces, piece: &Piece) -> bool {
    let glyphs = pieces.glyphs(piece).iter().take(MAX_GLYPHS);
    glyphs
        .filter_map(|index| source.glyph(*index))
        .any(|glyph| source.text(glyph).contains(char::is_alphabetic))
}

/// Whether a line already has an initial, so that each line is copied at most once.
fn starts_large(source: &PageGlyphs<'_>, pieces: &Pieces, line: usize, minimum: f32) -> bool {
    let piece = pieces.pieces.get(line);
    piece.is_some_and(|piece| count_large(source, pieces, piece, minimum) > 0)
}

/// The number of large glyphs at the start of a piece.
fn count_large(source: &PageGlyphs<'_>, pieces: &Pieces, piece: &Piece, minimum: f32) -> usize {
    let is_large = |index: &&u32| {
        let glyph = source.glyph(**index);
        glyph.is_some_and(|glyph| glyph.size >= minimum)
    };
    pieces.glyphs(piece).iter().take_while(is_large).count()
}

/// Makes a line with a drop capital start at the text after the capital, like the other lines
/// beside it. If a later line is aligned with that text, the gap after the capital is layout rather
/// than a space.
fn set_apart(source: &mut PageGlyphs<'_>, pieces: &mut Pieces, line: usize, letters: usize) {
    let Some((piece, glyphs)) = (pieces.pieces.get(line))
        .and_then(|piece| Some((piece, pieces.glyphs(piece).split_at_checked(letters)?)))
    else {
        return;
    };
    let (initial, rest) = glyphs;
    let glyph = |index: Option<&u32>| source.glyph(*index?);
    let (Some(large), Some(first)) = (glyph(initial.first()), glyph(rest.first())) else {
        return;
    };
    let direction = pieces.direction(piece.sector);
    let (from, run) = (along(first.start, direction), first.run);
    if across(large.start, direction) < piece.base + MIN_DROP_EMS * piece.size {
        return;
    }
    let start = line.saturating_sub(MAX_COMPARED_PIECES);
    let end = (line + MAX_COMPARED_PIECES).min(pieces.pieces.len());
    let others = pieces.pieces.get(start..end).unwrap_or_default();
    let is_aligned = others.iter().any(|other| {
        other.sector == piece.sector
            && (other.from - from).abs() <= MAX_INDENT_EMS * piece.size
            && other.base > piece.base + MIN_DROP_EMS * piece.size
            && other.base < piece.base + large.size
    });
    if is_aligned {
        let letters = initial.to_vec();
        for index in letters {
            if let Some(glyph) = source.glyphs.to_mut().get_mut(index as usize) {
                glyph.run = run;
            }
        }
    }
    if let Some(piece) = pieces.pieces.get_mut(line) {
        piece.from = from;
    }
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

/// The uppermost line beside an initial, if there are at least two lines and together they are as
/// high as the initial. One of them may be known to have the baseline `lowest`.
fn first_line(pieces: &[Piece], index: usize, initial: &Piece, mut lowest: f32) -> Option<usize> {
    let start = index.saturating_sub(MAX_COMPARED_PIECES);
    let end = (index + MAX_COMPARED_PIECES).min(pieces.len());
    let mut first: Option<(usize, &Piece)> = None;
    for (other, line) in (start..).zip(pieces.get(start..end)?) {
        if other == index || !is_beside(initial, line) {
            continue;
        }
        lowest = lowest.max(line.base);
        if first.is_none_or(|(_, first)| line.base < first.base) {
            first = Some((other, line));
        }
    }
    let (other, line) = first?;
    let limit = MAX_OFF_EMS * line.size;
    (lowest > line.base + 0.5 * line.size
        && (top(initial) - top(line)).abs() <= limit
        && (initial.base - lowest).abs() <= limit)
        .then_some(other)
}

/// The top of the capitals of a piece.
fn top(piece: &Piece) -> f32 {
    piece.base - CAPITAL_EMS * piece.size
}

/// Whether a line starts at the right side of an initial.
fn is_beside(initial: &Piece, line: &Piece) -> bool {
    line.sector == initial.sector
        && initial.size >= MIN_SIZE_RATIO * line.size
        && GAP_EMS.contains(&((line.from - initial.to) / line.size))
        && top(line) >= top(initial) - MAX_OFF_EMS * line.size
        && line.base <= initial.base + MAX_OFF_EMS * line.size
}
