//! Step 1: columns of CJK characters that are set one below another in a horizontal font.
//!
//! Programs without a vertical font place each character of a column separately. Such characters
//! are turned here: they get the direction of their column, as if drawn with a vertical font. All
//! further steps then treat columns like lines.
//!
//! Tables of single characters and spaced-out lines look similar. In a column, however, characters
//! are closer to each other than to neighbors at the side, or many are drawn one below another in
//! sequence; and no words are beside them.

mod cells;
mod punctuation;

use std::ops::Range;

use super::geometry::Point;
use super::sectors::Directions;
use super::source::{PageGlyphs, Turned};
use cells::{Cell, collect};

/// The step from one character of a column to the next, in ems. Punctuation is half an em high.
const STEP_EMS: std::ops::RangeInclusive<f32> = 0.15..=1.4;
/// The maximum step between characters drawn in sequence, in ems.
const MAX_STEP_IN_ORDER_EMS: f32 = 2.1;
/// The maximum gap in a column set solid, and in a spaced one, in ems.
const MAX_SOLID_GAP_EMS: f32 = 0.1;
const MAX_SPACED_GAP_EMS: f32 = 0.4;
/// In columns with this many characters, the drawing order decides.
const MIN_LONG_COLUMN_CHARACTERS: f32 = 8.0;
/// The maximum step across a space in a column, in ems.
const MAX_STEP_AFTER_SPACE_EMS: f32 = 3.2;
/// The maximum distance between the centers of cells in one column, and between baselines in one
/// row, in ems.
const SAME_COLUMN_EMS: f32 = 0.2;
const SAME_ROW_EMS: f32 = 0.2;
/// The height of a cell above its baseline, in ems.
const ASCENT_EMS: f32 = 0.88;
/// The distance from the baseline of text lying on its side to the center of the column, in ems.
const BASELINE_TO_CENTRE_EMS: f32 = 0.25;
/// Minimum gap beside a character that is not part of a horizontal word, in ems.
const MIN_SIDE_GAP_EMS: f32 = 0.3;

/// Turns the characters of columns.
pub(super) fn turn(source: &mut PageGlyphs<'_>) {
    if !source.may_have_columns() {
        return;
    }
    let (indexes, mut cells, directions) = collect(source);
    punctuation::move_into_columns(&mut cells);
    let mut order: Vec<u32> = (0u32..)
        .zip(&cells)
        .filter(|(_, cell)| cell.is_narrow())
        .map(|(index, _)| index)
        .collect();
    let columns = clusters(&cells, &mut order, SAME_COLUMN_EMS, Cell::middle, |cell| {
        cell.base
    });
    for column in &columns {
        punctuation::arrange(&cells, order.get_mut(column.clone()).unwrap_or_default());
    }
    let ends: Vec<usize> = columns
        .iter()
        .flat_map(|column| runs(&cells, &order, column))
        .collect();
    let is_far_east = |run: &[u32]| {
        let count = run.iter().filter(|index| is_cjk(&cells, **index)).count();
        run.len() >= 2 && 2 * count >= run.len()
    };
    let mut start = 0;
    let candidates: Vec<_> = ends
        .iter()
        .map(|end| std::mem::replace(&mut start, *end)..*end)
        .filter(|run| is_far_east(order.get(run.clone()).unwrap_or_default()))
        .collect();
    if candidates.is_empty() {
        return;
    }
    find_sides(&mut cells);
    let shuffled = judge(&mut cells, &order, candidates);
    source.has_shuffled_columns = 2 * shuffled > indexes.len();
    adopt(&mut cells, &order, &columns);
    for column in columns {
        let column = order.get(column).unwrap_or_default();
        write(source, &indexes, &cells, &directions, column);
    }
}

/// Marks the cells of runs that are columns. Returns the number of cells drawn out of order.
fn judge(cells: &mut [Cell], order: &[u32], candidates: Vec<Range<usize>>) -> usize {
    let mut shuffled = 0;
    let mut widest = f32::NEG_INFINITY;
    let mut others = Vec::new();
    for run in candidates {
        let run = order.get(run).unwrap_or_default();
        let facts = Facts::of(cells, run);
        if !facts.is_column() {
            others.extend(run.first().map(|first| (*first, facts, run)));
            continue;
        }
        widest = widest.max(facts.gap);
        if !facts.is_in_order() {
            shuffled += run.len();
        }
        set_turned(cells, run);
    }
    // Short runs are ambiguous, unless they were drawn right after a column.
    others.sort_unstable_by_key(|(first, ..)| *first);
    for (first, facts, run) in others {
        let before = first
            .checked_sub(1)
            .and_then(|before| cells.get(before as usize));
        if before.is_some_and(|before| before.is_turned) && facts.goes_on(widest) {
            set_turned(cells, run);
        }
    }
    shuffled
}

fn is_cjk(cells: &[Cell], index: u32) -> bool {
    cells.get(index as usize).is_some_and(|cell| cell.is_cjk)
}

fn set_turned(cells: &mut [Cell], indexes: &[u32]) {
    for index in indexes {
        if let Some(cell) = cells.get_mut(*index as usize) {
            cell.is_turned = true;
        }
    }
}

/// Groups cells into rows or columns. Returns the range of each, with its cells in order.
fn clusters(
    cells: &[Cell],
    order: &mut [u32],
    tolerance: f32,
    across: impl Fn(&Cell) -> f32,
    along: impl Fn(&Cell) -> f32,
) -> Vec<Range<usize>> {
    let key = |index: u32, value: &dyn Fn(&Cell) -> f32| {
        cells
            .get(index as usize)
            .map_or((0, 0.0), |cell| (cell.sector, value(cell)))
    };
    let sort = |order: &mut [u32], value: &dyn Fn(&Cell) -> f32| {
        order.sort_unstable_by(|a, b| {
            let (x, y) = (key(*a, value), key(*b, value));
            x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)).then(a.cmp(b))
        });
    };
    sort(order, &across);
    let mut found = Vec::new();
    let mut start = 0;
    let (mut first, mut last): (Option<&Cell>, Option<&Cell>) = (None, None);
    for (at, cell) in order
        .iter()
        .map(|index| cells.get(*index as usize))
        .enumerate()
    {
        let is_near = |other: Option<&Cell>, limit: f32| {
            other.zip(cell).is_some_and(|(other, cell)| {
                let limit = limit * other.size.min(cell.size);
                other.sector == cell.sector && across(cell) - across(other) <= limit
            })
        };
        if !is_near(last, tolerance) || !is_near(first, 2.0 * tolerance) {
            if at > start {
                found.push(start..at);
            }
            start = at;
            first = cell;
        }
        last = cell;
    }
    if order.len() > start {
        found.push(start..order.len());
    }
    for range in &found {
        sort(order.get_mut(range.clone()).unwrap_or_default(), &along);
    }
    found
}

/// The ends of the runs in a column: sequences of characters without a gap.
fn runs<'a>(
    cells: &'a [Cell],
    order: &'a [u32],
    column: &Range<usize>,
) -> impl Iterator<Item = usize> + 'a {
    let start = column.start;
    let column = order.get(column.clone()).unwrap_or_default();
    (1..=column.len())
        .filter(move |at| {
            let pair = column.get(at - 1).zip(column.get(*at));
            !pair.is_some_and(|(a, b)| {
                let farthest = if *b == a + 1 {
                    MAX_STEP_IN_ORDER_EMS
                } else {
                    *STEP_EMS.end()
                };
                step(cells, *a, *b).is_some_and(|step| step <= farthest)
            })
        })
        .map(move |at| start + at)
}

/// The distance from cell `a` down to `b` in ems; `None` if their sizes differ.
fn step(cells: &[Cell], a: u32, b: u32) -> Option<f32> {
    let (a, b) = (cells.get(a as usize)?, cells.get(b as usize)?);
    let (smaller, larger) = (a.size.min(b.size), a.size.max(b.size));
    (larger <= 1.25 * smaller).then(|| (b.base - a.base) / larger)
}

/// Finds the neighbors on both sides of each cell.
fn find_sides(cells: &mut [Cell]) {
    let mut order: Vec<u32> = (0..cells.len() as u32).collect();
    for row in clusters(
        cells,
        &mut order,
        SAME_ROW_EMS,
        |cell| cell.base,
        |cell| cell.from,
    ) {
        for pair in order.get(row).unwrap_or_default().windows(2) {
            let [a, b] = *pair else { continue };
            let (Some(left), Some(right)) = (cells.get(a as usize), cells.get(b as usize)) else {
                continue;
            };
            let gap = (right.from - left.to) / left.size.max(right.size);
            if gap < -0.5 {
                // A character drawn twice is not beside itself.
                continue;
            }
            let are_words = (!left.is_narrow(), !right.is_narrow());
            let is_of_size = step(cells, a, b).is_some();
            for (index, are_words) in [(a, are_words.1), (b, are_words.0)] {
                if let Some(cell) = cells.get_mut(index as usize) {
                    // Ruby annotations touch their column.
                    if is_of_size {
                        cell.side = cell.side.min(gap);
                    }
                    cell.is_beside_words |= are_words;
                }
            }
        }
    }
}

/// Measurements that distinguish a column from table cells and spaced-out lines.
#[derive(Default)]
struct Facts {
    characters: f32,
    /// The number of pairs drawn in sequence.
    in_order: f32,
    /// The mean step between characters in ems, minus one.
    gap: f32,
    /// The distances to the neighbors at the sides.
    sides: Vec<f32>,
    beside_words: f32,
}

impl Facts {
    fn of(cells: &[Cell], run: &[u32]) -> Self {
        let mut facts = Self {
            characters: 1.0,
            ..Self::default()
        };
        for pair in run.windows(2) {
            let [a, b] = *pair else { continue };
            if step(cells, a, b).is_some_and(|step| step >= *STEP_EMS.start()) {
                facts.characters += 1.0;
            }
            facts.in_order += f32::from(u8::from(b == a + 1));
        }
        let ends = run.first().zip(run.last());
        if let Some((first, last)) = ends
            && facts.characters > 1.0
        {
            let extent = cells
                .get(*first as usize)
                .zip(cells.get(*last as usize))
                .map_or(0.0, |(first, last)| (last.base - first.base) / last.size);
            facts.gap = extent / (facts.characters - 1.0) - 1.0;
        }
        for cell in run.iter().filter_map(|index| cells.get(*index as usize)) {
            facts.sides.push(cell.side);
            facts.beside_words += f32::from(u8::from(cell.is_beside_words));
        }
        facts
    }

    fn is_in_order(&self) -> bool {
        2.0 * self.in_order >= self.sides.len() as f32 - 1.0
    }

    fn is_column(&self) -> bool {
        let count = self.sides.len() as f32;
        let near = |margin: f32| {
            let limit = self.gap + margin;
            self.sides.iter().filter(|side| **side <= limit).count() as f32
        };
        if !self.is_in_order() {
            return self.characters >= 4.0
                && self.gap <= MAX_SOLID_GAP_EMS
                && 4.0 * near(0.25) <= count
                && 3.0 * self.beside_words <= count;
        }
        if self.characters >= MIN_LONG_COLUMN_CHARACTERS && 1.25 * self.in_order >= count - 1.0 {
            // No program draws lines or tables down the page, character by character.
            return !self.is_table();
        }
        let (widest, margin) = if self.characters <= 3.0 {
            (0.25, 0.1)
        } else {
            (MAX_SPACED_GAP_EMS, -0.05)
        };
        self.characters >= 2.0
            && self.gap <= widest
            && 4.0 * near(margin) <= count
            && !self.is_table()
    }

    /// Whether this may be another column next to columns with gaps up to `gap`.
    fn goes_on(&self, gap: f32) -> bool {
        self.is_in_order() && self.gap <= gap + MAX_SOLID_GAP_EMS && !self.is_table()
    }

    fn is_table(&self) -> bool {
        let words = if self.gap <= MAX_SOLID_GAP_EMS {
            1.0
        } else if self.gap <= MAX_SPACED_GAP_EMS {
            0.67
        } else {
            0.33
        };
        self.beside_words > words * self.sides.len() as f32
    }
}

/// Extends columns across wider gaps, and adds columns of one character.
fn adopt(cells: &mut [Cell], order: &[u32], columns: &[Range<usize>]) {
    let belongs = |cells: &[Cell], index: u32, to: u32| {
        let pair = cells.get(index as usize).zip(cells.get(to as usize));
        pair.is_some_and(|(cell, other)| {
            let (smaller, larger) = (cell.size.min(other.size), cell.size.max(other.size));
            !cell.is_turned
                && other.is_turned
                && cell.is_cjk
                && cell.is_narrow()
                && cell.sector == other.sector
                && cell.side > MIN_SIDE_GAP_EMS
                && larger <= 1.25 * smaller
                && (!cell.is_beside_words || index.abs_diff(to) <= 1)
        })
    };
    let is_near = |step: f32| (0.0..=MAX_STEP_AFTER_SPACE_EMS).contains(&step.abs());
    let follow = |cells: &mut [Cell], index: u32, to: u32| {
        if step(cells, to, index).is_some_and(is_near) && belongs(cells, index, to) {
            set_turned(cells, &[index]);
        }
    };
    for column in columns {
        let column = order.get(column.clone()).unwrap_or_default();
        for pair in column.windows(2) {
            if let [above, below] = *pair {
                follow(cells, below, above);
            }
        }
        for pair in column.windows(2).rev() {
            if let [above, below] = *pair {
                follow(cells, above, below);
            }
        }
    }
    let mut neighbours = Vec::new();
    for index in 0..cells.len() as u32 {
        let others = [index.checked_sub(1), index.checked_add(1)];
        if others.iter().flatten().any(|to| belongs(cells, index, *to)) {
            neighbours.push(index);
        }
    }
    set_turned(cells, &neighbours);
}

/// Sets the new positions and order of the glyphs of a column.
fn write(
    source: &mut PageGlyphs<'_>,
    indexes: &[u32],
    cells: &[Cell],
    directions: &Directions,
    column: &[u32],
) {
    let mut turned = column
        .iter()
        .filter_map(|index| cells.get(*index as usize))
        .filter(|cell| cell.is_turned)
        .peekable();
    let mut written: Vec<Turned> = Vec::new();
    while let Some(cell) = turned.next() {
        let next = turned.peek();
        let glyphs = indexes.get(cell.glyphs.clone()).unwrap_or_default();
        if cell.is_sideways {
            written.extend(glyphs.iter().map(|index| (*index, None)));
        } else {
            let ends = ends(
                cell,
                next.copied(),
                directions.get(cell.sector),
                glyphs.len(),
            );
            written.extend(glyphs.iter().copied().zip(ends.map(Some)));
        }
        if next.is_none_or(|next| next.base - cell.base > MAX_STEP_IN_ORDER_EMS * cell.size) {
            source.turn(&written);
            written.clear();
        }
    }
}

/// The ends of the glyphs in a cell. Digits side by side share the cell's height.
fn ends(
    cell: &Cell,
    next: Option<&Cell>,
    right: Point,
    count: usize,
) -> impl Iterator<Item = (Point, Point)> {
    let down = (-right.1, right.0);
    let side = cell.middle() - BASELINE_TO_CENTRE_EMS * cell.size;
    let top = cell.base - ASCENT_EMS * cell.size;
    let bottom = next
        .map(|next| next.base - ASCENT_EMS * next.size)
        .filter(|next| *next > top + 0.2 * cell.size)
        .map_or(top + cell.size, |next| next.min(top + cell.size));
    let share = (bottom - top) / count.max(1) as f32;
    let point = move |index: usize| {
        let along = top + index as f32 * share;
        (
            side * right.0 + along * down.0,
            side * right.1 + along * down.1,
        )
    };
    (0..count).map(move |index| (point(index), point(index + 1)))
}
