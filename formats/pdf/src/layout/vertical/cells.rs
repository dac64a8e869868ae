//! Cells: glyphs that touch each other. A narrow one may be a character of a column, or a number in it.

use super::super::characters::{Kind, is_cjk, kind};
use super::super::geometry::{Point, across, along, direction, length, minus};
use super::super::sectors::{Directions, SECTORS, of_upright, sector};
use super::super::source::Source;
use super::TOP;

/// The widest cell that fits into a column, in ems.
const WIDEST: f32 = 1.4;
/// The largest gap within a cell, in ems.
const TOUCHING: f32 = 0.2;
/// The largest gap within a cell between glyphs of one operator, in ems.
const IN_STRING: f32 = 4.0;

/// Glyphs that follow each other closely on one baseline.
pub(super) struct Cell {
    /// Range of the places that `collect` returns.
    pub(super) glyphs: std::ops::Range<usize>,
    pub(super) sector: u8,
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) base: f32,
    pub(super) size: f32,
    pub(super) is_cjk: bool,
    /// The distance to the nearest cell on the same baseline, in ems.
    pub(super) side: f32,
    pub(super) is_beside_words: bool,
    pub(super) is_turned: bool,
    /// It is drawn in the direction of the column already, as dashes and brackets often are.
    pub(super) is_lying: bool,
}

impl Cell {
    pub(super) fn is_narrow(&self) -> bool {
        self.to - self.from <= WIDEST * self.size
    }

    pub(super) fn middle(&self) -> f32 {
        0.5 * (self.from + self.to)
    }
}

/// A cell while it grows, its places still as points.
struct Draft {
    glyphs: std::ops::Range<usize>,
    start: Point,
    end: Point,
    direction: Point,
    size: f32,
    run: u32,
    sector: u8,
    is_cjk: bool,
}

/// The places of glyphs, and the cells that they make, in the order of drawing.
pub(super) fn collect(source: &Source<'_>) -> (Vec<u32>, Vec<Cell>, Directions) {
    let mut places = Vec::with_capacity(source.glyphs.len());
    let mut drafts: Vec<Draft> = Vec::new();
    for (place, glyph) in (0u32..).zip(source.glyphs.iter()) {
        let text = source.text(glyph);
        let is_vertical = source.style(glyph).is_some_and(|style| style.vertical);
        if is_vertical || kind(text) != Kind::Visible {
            continue;
        }
        let Some(direction) = direction(glyph) else {
            // Marks without a width belong to the character before them.
            if let Some(draft) = drafts.last_mut() {
                places.push(place);
                draft.glyphs.end = places.len();
            }
            continue;
        };
        let new = Draft {
            glyphs: places.len()..places.len() + 1,
            start: glyph.start,
            end: glyph.end,
            direction,
            size: glyph.size,
            run: glyph.run,
            sector: sector(direction, source.is_mirrored(glyph)),
            is_cjk: text.chars().all(is_upright),
        };
        places.push(place);
        match drafts.last_mut().filter(|draft| goes_on(draft, &new)) {
            Some(draft) => {
                draft.glyphs.end = new.glyphs.end;
                (draft.end, draft.run) = (new.end, new.run);
                draft.is_cjk |= new.is_cjk;
            }
            None => drafts.push(new),
        }
    }
    let weighted = |draft: &Draft| (draft.sector, draft.direction, 1);
    let directions = Directions::mean(drafts.iter().map(weighted));
    let mut characters = [0_u32; SECTORS];
    for draft in drafts.iter().filter(|draft| draft.is_character()) {
        if let Some(count) = characters.get_mut(usize::from(draft.sector)) {
            *count += 1;
        }
    }
    let count = |sector: u8| characters.get(usize::from(sector)).copied().unwrap_or(0);
    let cells = drafts.into_iter().map(|draft| {
        let upright = of_upright(draft.sector);
        if draft.is_character() && count(upright) > count(draft.sector) {
            draft.lying(upright, directions.of(upright))
        } else {
            let direction = directions.of(draft.sector);
            draft.upright(direction)
        }
    });
    let cells = cells.collect();
    (places, cells, directions)
}

impl Draft {
    /// One character of CJK.
    fn is_character(&self) -> bool {
        self.is_cjk && length(minus(self.end, self.start)) <= WIDEST * self.size
    }

    fn upright(self, direction: Point) -> Cell {
        let (from, to) = (along(self.start, direction), along(self.end, direction));
        let base = across(self.start, direction);
        self.cell((from.min(to), to.max(from)), base)
    }

    fn lying(self, sector: u8, direction: Point) -> Cell {
        let from = along(self.start, direction) - (1.0 - TOP) * self.size;
        let to = from + self.size;
        let base = across(self.start, direction) + TOP * self.size;
        Cell {
            sector,
            is_lying: true,
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
            side: f32::INFINITY,
            is_beside_words: false,
            is_turned: false,
            is_lying: false,
        }
    }
}

/// Next to it on the same baseline.
fn goes_on(draft: &Draft, next: &Draft) -> bool {
    let step = minus(next.start, draft.end);
    let (less, more) = (draft.size.min(next.size), draft.size.max(next.size));
    let forward = along(step, draft.direction) / more;
    let is_one_string = next.run.wrapping_sub(draft.run) <= 1;
    let widest = if is_one_string { IN_STRING } else { TOUCHING };
    draft.sector == next.sector
        && (is_one_string || more <= 1.25 * less)
        && across(step, draft.direction).abs() <= 0.3 * less
        && (-0.3..=widest).contains(&forward)
}

/// Characters that stand upright in a column.
fn is_upright(character: char) -> bool {
    is_cjk(character) || ('\u{ac00}'..='\u{d7a3}').contains(&character)
}
