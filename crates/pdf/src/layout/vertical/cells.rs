//! Cells: groups of touching glyphs. A narrow cell may be a character of a column, or a number in a
//! column.

use super::super::characters::{Extent, GlyphKind, extent, is_cjk, kind};
use super::super::geometry::{Point, across, along, direction, length, minus};
use super::super::sectors::{Directions, SECTORS, sector, upright_sector};
use super::super::source::PageGlyphs;
use super::ASCENT_EMS;

/// The maximum width of a cell in a column, in ems.
const MAX_CELL_WIDTH_EMS: f32 = 1.4;
/// The maximum gap within a cell, in ems.
const MAX_GAP_EMS: f32 = 0.2;
/// The maximum gap within a cell between glyphs of one operator, in ems.
const MAX_GAP_IN_STRING_EMS: f32 = 4.0;

/// Glyphs in close sequence on one baseline.
pub(super) struct Cell {
    /// A range of the glyph indexes that `collect` returns.
    pub(super) glyphs: std::ops::Range<usize>,
    pub(super) sector: u8,
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) base: f32,
    pub(super) size: f32,
    pub(super) is_cjk: bool,
    pub(super) extent: Extent,
    /// The distance to the nearest cell on the same baseline, in ems.
    pub(super) side: f32,
    pub(super) is_beside_words: bool,
    pub(super) is_turned: bool,
    /// Whether it is already drawn in the direction of the column, as dashes and brackets often
    /// are.
    pub(super) is_sideways: bool,
}

impl Cell {
    pub(super) fn is_narrow(&self) -> bool {
        self.to - self.from <= MAX_CELL_WIDTH_EMS * self.size
    }

    pub(super) fn middle(&self) -> f32 {
        0.5 * (self.from + self.to)
    }
}

/// A cell under construction, whose positions are still points.
struct CellDraft {
    glyphs: std::ops::Range<usize>,
    start: Point,
    end: Point,
    direction: Point,
    size: f32,
    run: u32,
    sector: u8,
    is_cjk: bool,
    extent: Extent,
}

/// Returns the glyph indexes and the cells that they form, in drawing order.
pub(super) fn collect(source: &PageGlyphs<'_>) -> (Vec<u32>, Vec<Cell>, Directions) {
    let mut indexes = Vec::with_capacity(source.glyphs.len());
    let mut drafts: Vec<CellDraft> = Vec::new();
    for (index, glyph) in (0u32..).zip(source.glyphs.iter()) {
        let text = source.text(glyph);
        let is_vertical = source.style(glyph).is_some_and(|style| style.vertical);
        if is_vertical || kind(text) != GlyphKind::Visible {
            continue;
        }
        let Some(direction) = direction(glyph) else {
            // A mark without width belongs to the previous character.
            if let Some(draft) = drafts.last_mut() {
                indexes.push(index);
                draft.glyphs.end = indexes.len();
            }
            continue;
        };
        let new = CellDraft {
            glyphs: indexes.len()..indexes.len() + 1,
            start: glyph.start,
            end: glyph.end,
            direction,
            size: glyph.size,
            run: glyph.run,
            sector: sector(direction, source.is_mirrored(glyph)),
            is_cjk: text.chars().all(is_upright),
            extent: extent(text),
        };
        indexes.push(index);
        match drafts.last_mut().filter(|draft| goes_on(draft, &new)) {
            Some(draft) => {
                draft.glyphs.end = new.glyphs.end;
                (draft.end, draft.run) = (new.end, new.run);
                draft.is_cjk |= new.is_cjk;
                draft.extent = Extent::Whole;
            }
            None => drafts.push(new),
        }
    }
    let weighted = |draft: &CellDraft| (draft.sector, draft.direction, 1);
    let directions = Directions::mean(drafts.iter().map(weighted));
    let mut characters = [0_u32; SECTORS];
    for draft in drafts.iter().filter(|draft| draft.is_character()) {
        if let Some(count) = characters.get_mut(usize::from(draft.sector)) {
            *count += 1;
        }
    }
    let count = |sector: u8| characters.get(usize::from(sector)).copied().unwrap_or(0);
    let cells = drafts.into_iter().map(|draft| {
        let upright = upright_sector(draft.sector);
        if draft.is_character() && count(upright) > count(draft.sector) {
            draft.sideways(upright, directions.get(upright))
        } else {
            let direction = directions.get(draft.sector);
            draft.upright(direction)
        }
    });
    (indexes, cells.collect(), directions)
}

impl CellDraft {
    /// Whether it is a single CJK character.
    fn is_character(&self) -> bool {
        self.is_cjk && length(minus(self.end, self.start)) <= MAX_CELL_WIDTH_EMS * self.size
    }

    fn upright(self, direction: Point) -> Cell {
        let (from, to) = (along(self.start, direction), along(self.end, direction));
        let base = across(self.start, direction);
        self.cell((from.min(to), to.max(from)), base)
    }

    fn sideways(self, sector: u8, direction: Point) -> Cell {
        let from = along(self.start, direction) - (1.0 - ASCENT_EMS) * self.size;
        let to = from + self.size;
        let base = across(self.start, direction) + ASCENT_EMS * self.size;
        Cell {
            sector,
            is_sideways: true,
            ..self.cell((from, to), base)
        }
    }

    fn cell(self, (from, to): (f32, f32), base: f32) -> Cell {
        Cell {
            glyphs: self.glyphs,
            sector: self.sector,
            from,
            to,
            base,
            size: self.size,
            is_cjk: self.is_cjk,
            extent: self.extent,
            side: f32::INFINITY,
            is_beside_words: false,
            is_turned: false,
            is_sideways: false,
        }
    }
}

/// Whether `next` follows `draft` on the same baseline.
fn goes_on(draft: &CellDraft, next: &CellDraft) -> bool {
    let step = minus(next.start, draft.end);
    let (smaller, larger) = (draft.size.min(next.size), draft.size.max(next.size));
    let forward = along(step, draft.direction) / larger;
    let is_one_string = next.run.wrapping_sub(draft.run) <= 1;
    let widest = if is_one_string {
        MAX_GAP_IN_STRING_EMS
    } else {
        MAX_GAP_EMS
    };
    draft.sector == next.sector
        && (is_one_string || larger <= 1.25 * smaller)
        && across(step, draft.direction).abs() <= 0.3 * smaller
        && (-0.3..=widest).contains(&forward)
}

/// Whether a character is upright in a column.
fn is_upright(character: char) -> bool {
    is_cjk(character) || ('\u{ac00}'..='\u{d7a3}').contains(&character)
}
