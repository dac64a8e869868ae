//! Brackets, commas and full stops whose positions do not show their column.
//!
//! Fonts without vertical forms draw a comma or a full stop at the lower left of its square, so
//! programs move it to the upper right. Brackets of proportional fonts are only half as wide as
//! their column. And where punctuation is set solid, a closing bracket and the opening one after it
//! have the same position, except for rounding.

use super::super::characters::Extent;
use super::cells::Cell;

/// Maximum width of narrow brackets, and minimum width of other characters, in ems.
const MAX_NARROW_EMS: f32 = 0.8;
/// The maximum distance by which a narrow bracket extends beyond its column, in ems.
const MAX_SHIFT_EMS: f32 = 0.15;
/// The distance between the bases of a mark and its neighbor in the column, in ems.
const STEP_EMS: std::ops::RangeInclusive<f32> = 0.3..=1.6;
/// How far marks are moved to the right, and how far a moved mark is below the previous character,
/// in ems. After a bracket set solid, it is slightly above.
const MOVED_EMS: std::ops::RangeInclusive<f32> = 0.35..=0.85;
const MOVED_STEP_EMS: std::ops::RangeInclusive<f32> = -0.3..=0.9;
/// The maximum distance between bases of marks at the same position, in ems.
const SAME_POSITION_EMS: f32 = 0.25;

/// Moves marks to the horizontal position of their column, which is the position of the character
/// drawn before or after them.
pub(super) fn move_into_columns(cells: &mut [Cell]) {
    for index in 0..cells.len() {
        let cell = |before: usize| cells.get(index.checked_sub(before)?);
        let moved = cell(0).zip(cell(1)).and_then(|(mark, before)| {
            widen(mark, before).or_else(|| moved_back(mark, before, cell(2)?))
        });
        adopt(cells, index, moved);
    }
    for index in (0..cells.len()).rev() {
        let moved = (cells.get(index).zip(cells.get(index + 1)))
            .and_then(|(mark, after)| widen(mark, after));
        adopt(cells, index, moved);
    }
}

fn adopt(cells: &mut [Cell], index: usize, moved: Option<(f32, f32, f32)>) {
    if let (Some(mark), Some((from, to, base))) = (cells.get_mut(index), moved) {
        (mark.from, mark.to, mark.base) = (from, to, base);
    }
}

/// The extent of the column, and the base, of a narrow mark above or below `other`.
fn widen(mark: &Cell, other: &Cell) -> Option<(f32, f32, f32)> {
    let shift = MAX_SHIFT_EMS * mark.size;
    let is_narrow = mark.to - mark.from <= MAX_NARROW_EMS * mark.size;
    let is_within = mark.from >= other.from - shift && mark.to <= other.to + shift;
    let step = (mark.base - other.base).abs() / mark.size;
    (is_mark_beside(mark, other) && is_narrow && is_within && STEP_EMS.contains(&step))
        .then_some((other.from, other.to, mark.base))
}

/// The position of a mark before it was moved to the upper right, if the two characters drawn
/// before it are in one column.
fn moved_back(mark: &Cell, before: &Cell, above: &Cell) -> Option<(f32, f32, f32)> {
    let off = mark.middle() - before.middle();
    let step = (mark.base - before.base) / mark.size;
    let is_column = above.sector == before.sector
        && (above.middle() - before.middle()).abs() <= MAX_SHIFT_EMS * mark.size
        && STEP_EMS.contains(&((before.base - above.base) / mark.size));
    (mark.extent == Extent::FirstHalf
        && is_mark_beside(mark, before)
        && is_column
        && MOVED_EMS.contains(&(off / mark.size))
        && MOVED_STEP_EMS.contains(&step))
    .then_some((mark.from - off, mark.to - off, mark.base + off))
}

/// Whether a cell is a mark whose position may depend on a character.
fn is_mark_beside(mark: &Cell, other: &Cell) -> bool {
    let is_wide = other.to - other.from > MAX_NARROW_EMS * other.size;
    mark.extent != Extent::Whole
        && !mark.is_sideways
        && other.is_cjk
        && is_wide
        && other.is_narrow()
        && mark.sector == other.sector
        && (mark.size - other.size).abs() <= 0.1 * mark.size
}

/// Puts marks of a column at the same position into order: closing brackets before opening ones.
pub(super) fn arrange(cells: &[Cell], column: &mut [u32]) {
    for at in 1..column.len() {
        let (Some(above), Some(below)) = (column.get(at - 1), column.get(at)) else {
            continue;
        };
        let pair = (cells.get(*above as usize)).zip(cells.get(*below as usize));
        if pair.is_some_and(|(above, below)| {
            below.base - above.base <= SAME_POSITION_EMS * below.size && above.extent > below.extent
        }) {
            column.swap(at - 1, at);
        }
    }
}
