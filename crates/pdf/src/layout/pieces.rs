//! Step 2: glyphs drawn in sequence on one baseline, without wide gaps.
//!
//! How a file divides its text into strings is arbitrary, so pieces depend only on the positions of
//! glyphs. Most pages have about as many pieces as lines, and all further steps work on pieces.

use corpus_blocks::characters::is_right_to_left;

use super::characters::{Extent, GlyphKind, extent};
use super::geometry::{Point, across, along, direction, length, minus};
use super::sectors::{Directions, sector};
use super::source::PageGlyphs;
use crate::glyphs::Glyph;

/// The gap that separates pieces, in ems. Cells and columns are farther apart; most words are
/// closer.
pub(super) const WIDE_GAP_EMS: f32 = 1.0;

/// A letter larger than the text before it by this factor may be a drop capital of the next column.
/// Gaps before it are measured in ems of the text.
const MIN_INITIAL_RATIO: f32 = 1.8;
/// Minimum number of glyphs before such an initial; fewer may be a bullet.
const MIN_GLYPHS_BEFORE_INITIAL: usize = 3;

/// The maximum overlap of the squares of two CJK characters set solid, in ems.
const MAX_OVERLAP_EMS: f32 = 1.1;

/// Glyphs drawn in sequence on one baseline.
pub(super) struct Piece {
    /// A range of `Pieces::order`.
    pub(super) first: u32,
    pub(super) end: u32,
    /// The extent along the direction of its sector.
    pub(super) from: f32,
    pub(super) to: f32,
    /// The position of the baseline of most of its glyphs, across the direction of its sector.
    pub(super) base: f32,
    /// The size of most of its glyphs.
    pub(super) size: f32,
    pub(super) sector: u8,
    /// Whether it follows the previously drawn piece on the same baseline, after a wide gap.
    pub(super) continues: bool,
    /// Whether all of it is marked as an artifact.
    pub(super) artifact: bool,
}

pub(super) struct Pieces {
    /// Indexes into the page's glyphs, without spaces between pieces and characters drawn twice.
    pub(super) order: Vec<u32>,
    /// In drawing order.
    pub(super) pieces: Vec<Piece>,
    pub(super) directions: Directions,
}

impl Pieces {
    pub(super) fn glyphs(&self, piece: &Piece) -> &[u32] {
        self.order
            .get(piece.first as usize..piece.end as usize)
            .unwrap_or_default()
    }

    pub(super) fn direction(&self, sector: u8) -> Point {
        self.directions.get(sector)
    }

    /// Removes the first glyphs of a piece.
    pub(super) fn shorten(&mut self, source: &PageGlyphs<'_>, index: u32, glyphs: u32) {
        let Some(piece) = self.pieces.get_mut(index as usize) else {
            return;
        };
        // Several pieces may repeat the same glyphs.
        let Some(rest) = self
            .order
            .get((piece.first + glyphs) as usize..piece.end as usize)
        else {
            return;
        };
        let glyph = |index: Option<&u32>| source.glyph(*index?);
        if let (Some(first), Some(last)) = (glyph(rest.first()), glyph(rest.last())) {
            piece.first += glyphs;
            let direction = self.directions.get(piece.sector);
            let (from, to) = (along(first.start, direction), along(last.end, direction));
            (piece.from, piece.to) = (from.min(to), to.max(from));
        }
    }
}

impl Pieces {
    /// Puts the glyphs of one piece before the glyphs of another, whose extent is unchanged.
    pub(super) fn prepend(&mut self, initial: usize, line: usize) {
        let glyphs = self.pieces.get(initial).map(|piece| self.glyphs(piece));
        let glyphs = glyphs.unwrap_or_default().to_vec();
        self.prepend_glyphs(&glyphs, line);
    }

    /// Moves the first glyphs of a piece to the start of another one.
    pub(super) fn move_start(
        &mut self,
        source: &PageGlyphs<'_>,
        index: usize,
        glyphs: usize,
        line: usize,
    ) {
        let start = self.pieces.get(index).map(|piece| self.glyphs(piece));
        let start = start.and_then(|start| start.get(..glyphs));
        let start = start.unwrap_or_default().to_vec();
        self.shorten(source, index as u32, glyphs as u32);
        self.prepend_glyphs(&start, line);
    }

    fn prepend_glyphs(&mut self, glyphs: &[u32], line: usize) {
        let Some(after) = self.pieces.get(line) else {
            return;
        };
        let joined = [glyphs, self.glyphs(after)].concat();
        self.replace(line, joined);
    }

    /// Replaces the glyphs of a piece. Its extent is unchanged.
    pub(super) fn replace(&mut self, index: usize, glyphs: Vec<u32>) {
        let first = self.order.len() as u32;
        self.order.extend(glyphs);
        let end = self.order.len() as u32;
        if let Some(piece) = self.pieces.get_mut(index) {
            (piece.first, piece.end) = (first, end);
        }
    }

    /// Removes the pieces at these places, which are in order.
    pub(super) fn remove(&mut self, indexes: impl Iterator<Item = usize>) {
        let mut indexes = indexes.peekable();
        let mut index = 0;
        let mut is_after_removed = false;
        self.pieces.retain_mut(|piece| {
            let is_removed = indexes.next_if_eq(&index).is_some();
            index += 1;
            piece.continues &= !is_after_removed;
            is_after_removed = is_removed;
            !is_removed
        });
    }
}

/// A piece under construction, whose positions are still points.
struct PieceDraft {
    first: u32,
    end: u32,
    from: Point,
    to: Point,
    base: Vote,
    direction: Point,
    sector: u8,
    continues: bool,
    artifact: bool,
}

/// The baseline and size of most glyphs, by a majority vote in one pass. So superscripts and large
/// initials do not move a line.
#[derive(Clone, Copy)]
struct Vote {
    point: Point,
    size: f32,
    count: i32,
}

impl Vote {
    fn add(&mut self, point: Point, size: f32, direction: Point) {
        let off = across(minus(point, self.point), direction).abs();
        if off < 0.05 * self.size && (size - self.size).abs() < 0.05 * self.size {
            self.count += 1;
        } else if self.count <= 1 {
            *self = Self {
                point,
                size,
                count: 1,
            };
        } else {
            self.count -= 1;
        }
    }
}

/// The state of drawing after the latest glyph.
struct Pen<'a> {
    is_mirrored: bool,
    /// The end of the last glyph of any kind, and the extent of the last visible glyph.
    end: Point,
    visible_start: Point,
    visible_end: Point,
    visible: usize,
    /// The text of the last visible glyph.
    text: &'a [u8],
    direction: Point,
    size: f32,
}

/// The position of a glyph relative to the previous one.
#[derive(PartialEq)]
enum Step {
    /// In the same piece.
    Next,
    /// In the same line, but not in the same piece.
    Continues,
    /// Elsewhere.
    Away,
}

/// Divides the glyphs of a page into pieces.
pub(super) fn collect(source: &PageGlyphs<'_>) -> Pieces {
    let mut order = Vec::with_capacity(source.glyphs.len());
    let mut drafts: Vec<PieceDraft> = Vec::new();
    let mut pen: Option<Pen<'_>> = None;
    for (index, glyph) in source.glyphs.iter().enumerate() {
        let kind = source.kind(glyph);
        let own = direction(glyph);
        let Some(last) = pen.as_mut() else {
            if kind == GlyphKind::Visible {
                let direction = own.unwrap_or((1.0, 0.0));
                drafts.push(draft(source, order.len(), glyph, direction, false));
                pen = Some(start(source, glyph, index, direction));
                add(&mut order, &mut drafts, source, index);
            }
            continue;
        };
        let own = own.unwrap_or(last.direction);
        if kind != GlyphKind::Visible {
            // Spaces and glyphs without text never start a piece, and do not move the pen
            // elsewhere.
            if step(last, glyph.start, glyph.size, own, last.end, false) == Step::Next {
                last.end = glyph.end;
                if kind == GlyphKind::Nothing {
                    last.visible_end = glyph.end;
                }
                order.push(index as u32);
            }
            continue;
        }
        if is_same_text(last.text, source.bytes(glyph))
            && is_overprint(last, glyph.start, glyph.end, glyph.size)
        {
            continue;
        }
        let is_elsewhere = last.is_mirrored != source.is_mirrored(glyph);
        let mut step = if is_elsewhere {
            Step::Away
        } else {
            let is_initial = is_initial(source, last, glyph)
                && drafts.last().is_some_and(|draft| {
                    order.len() >= draft.first as usize + MIN_GLYPHS_BEFORE_INITIAL
                });
            let end = last.visible_end;
            step(last, glyph.start, glyph.size, own, end, is_initial)
        };
        if step == Step::Away
            && !is_elsewhere
            && (drafts
                .last()
                .is_some_and(|draft| is_index(draft, last, glyph))
                || (source.has_right_to_left && is_leftwards(source, last, glyph)))
        {
            step = Step::Continues;
        }
        if step == Step::Away && !is_elsewhere && overlaps(source, last, glyph, own) {
            step = Step::Next;
        }
        if step != Step::Next {
            finish(&mut drafts, order.len());
            let continues = step == Step::Continues;
            drafts.push(draft(source, order.len(), glyph, own, continues));
        }
        *last = start(source, glyph, index, own);
        add(&mut order, &mut drafts, source, index);
    }
    finish(&mut drafts, order.len());
    measure(order, drafts)
}

fn draft(
    source: &PageGlyphs<'_>,
    first: usize,
    glyph: &Glyph,
    direction: Point,
    continues: bool,
) -> PieceDraft {
    PieceDraft {
        first: first as u32,
        end: first as u32,
        from: glyph.start,
        to: glyph.start,
        base: Vote {
            point: glyph.start,
            size: glyph.size,
            count: 0,
        },
        direction,
        sector: sector(direction, source.is_mirrored(glyph)),
        continues,
        artifact: true,
    }
}

fn start<'a>(source: &PageGlyphs<'a>, glyph: &Glyph, index: usize, direction: Point) -> Pen<'a> {
    Pen {
        is_mirrored: source.is_mirrored(glyph),
        end: glyph.end,
        visible_start: glyph.start,
        visible_end: glyph.end,
        visible: index,
        text: source.bytes(glyph),
        direction,
        size: glyph.size,
    }
}

#[inline]
fn add(order: &mut Vec<u32>, drafts: &mut [PieceDraft], source: &PageGlyphs<'_>, index: usize) {
    order.push(index as u32);
    if let (Some(draft), Some(glyph)) = (drafts.last_mut(), source.glyphs.get(index)) {
        draft.to = glyph.end;
        draft.base.add(glyph.start, glyph.size, draft.direction);
        if draft.artifact {
            draft.artifact = source.style(glyph).is_some_and(|style| style.artifact);
        }
    }
}

fn finish(drafts: &mut [PieceDraft], end: usize) {
    if let Some(draft) = drafts.last_mut() {
        draft.end = end as u32;
    }
}

fn is_same_text(a: &[u8], b: &[u8]) -> bool {
    match (a, b) {
        // Most texts have one byte; comparing it avoids a call.
        ([a], [b]) => a == b,
        _ => a == b,
    }
}

/// Whether the same character is drawn again at nearly the same position: fake bold or a shadow.
/// The tolerance depends on the character's width, since two narrow letters are close to each
/// other, too.
fn is_overprint(last: &Pen<'_>, start: Point, end: Point, size: f32) -> bool {
    let width = length(minus(end, start));
    let near = if width > 0.0 {
        (0.15 * size).min(0.4 * width)
    } else {
        0.02 * size
    };
    let off = minus(start, last.visible_start);
    off.0.abs() < near && off.1.abs() < near && (size - last.size).abs() < 0.2 * size
}

/// Whether a glyph may be a drop capital.
fn is_initial(source: &PageGlyphs<'_>, last: &Pen<'_>, glyph: &Glyph) -> bool {
    glyph.size >= MIN_INITIAL_RATIO * last.size && source.text(glyph).contains(char::is_alphabetic)
}

fn step(
    last: &Pen<'_>,
    start: Point,
    size: f32,
    direction: Point,
    end: Point,
    is_initial: bool,
) -> Step {
    let turn = along(direction, last.direction);
    if turn < 0.85 {
        return Step::Away;
    }
    let (smaller, larger) = if size < last.size {
        (size, last.size)
    } else {
        (last.size, size)
    };
    let em = if is_initial { smaller } else { larger };
    let forward = along(minus(start, end), last.direction) / em;
    let off = across(minus(start, end), last.direction).abs();
    let level = off <= 0.25 * smaller;
    if (-0.3..=WIDE_GAP_EMS).contains(&forward) {
        // Raised or lowered text nearby stays in its piece.
        if level || (forward <= 0.6 && off <= 0.6 * larger) {
            return Step::Next;
        }
    } else if forward > WIDE_GAP_EMS && level && turn > 0.995 {
        return Step::Continues;
    }
    Step::Away
}

/// Whether a glyph follows the last one, but their squares overlap: CJK punctuation set solid takes
/// half a square.
fn overlaps(source: &PageGlyphs<'_>, last: &Pen<'_>, glyph: &Glyph, direction: Point) -> bool {
    let step = minus(glyph.start, last.visible_end);
    let forward = along(step, last.direction) / glyph.size;
    let off = across(step, last.direction).abs();
    (-MAX_OVERLAP_EMS..0.0).contains(&forward)
        && off <= 0.6 * glyph.size
        && (glyph.size - last.size).abs() <= 0.1 * glyph.size
        && along(direction, last.direction) > 0.995
        && (extent(source.text(glyph)) == Extent::SecondHalf
            || (source.glyphs.get(last.visible))
                .is_some_and(|last| extent(source.text(last)) == Extent::FirstHalf))
}

/// Whether a glyph is a second script above or below the first: small text that goes back within
/// the line.
fn is_index(draft: &PieceDraft, last: &Pen<'_>, glyph: &Glyph) -> bool {
    let em = draft.base.size;
    let forward = along(minus(glyph.start, last.visible_end), last.direction) / em;
    let off = across(minus(glyph.start, draft.base.point), draft.direction).abs() / em;
    glyph.size < 0.9 * em && (-1.5..=0.5).contains(&forward) && off <= 0.6
}

/// Whether a glyph belongs to right-to-left text drawn in reading order: it ends where the last one
/// starts.
fn is_leftwards(source: &PageGlyphs<'_>, last: &Pen<'_>, glyph: &Glyph) -> bool {
    let back = minus(last.visible_start, glyph.end);
    let is_before = along(back, last.direction) > -0.3 * glyph.size;
    let is_level = across(back, last.direction).abs() <= 0.25 * glyph.size.min(last.size);
    let texts = [Some(glyph), source.glyphs.get(last.visible)];
    is_before
        && is_level
        && texts
            .into_iter()
            .flatten()
            .any(|glyph| source.text(glyph).contains(is_right_to_left))
}

/// Converts drafts to pieces, measured along the mean direction of their sector.
fn measure(order: Vec<u32>, drafts: Vec<PieceDraft>) -> Pieces {
    let weighted = |draft: &PieceDraft| (draft.sector, draft.direction, draft.end - draft.first);
    let directions = Directions::mean(drafts.iter().map(weighted));
    let pieces = drafts
        .into_iter()
        .map(|draft| {
            let direction = directions.get(draft.sector);
            let (from, to) = (along(draft.from, direction), along(draft.to, direction));
            Piece {
                first: draft.first,
                end: draft.end,
                from: from.min(to),
                to: to.max(from),
                base: across(draft.base.point, direction),
                size: draft.base.size,
                sector: draft.sector,
                continues: draft.continues,
                artifact: draft.artifact,
            }
        })
        .collect();
    Pieces {
        order,
        pieces,
        directions,
    }
}
