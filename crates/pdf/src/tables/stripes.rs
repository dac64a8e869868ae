//! Tables in which some rows have backgrounds, such as every second one: the backgrounds of the
//! cells give the columns of all rows.

use super::entries;
use super::grid::Grid;
use super::words::{TextLine, Word};
use crate::model::Rect;

/// The minimum number of grids that are rows of one table, and the maximum number of rows of each.
const MIN_GRIDS: usize = 3;
const MAX_ROWS: usize = 3;
/// The maximum difference of the edges of columns, in points.
const MAX_EDGE_DIFFERENCE: f32 = 1.0;
/// The maximum height of the rows between two backgrounds, in heights of the largest background.
const MAX_GAP_RATIO: f32 = 3.5;
/// The maximum distance of a row from the background above or below it, and of the lines within it,
/// in ems.
const MAX_ROW_GAP_EMS: f32 = 1.6;
const MAX_LINE_STEP_EMS: f32 = 1.5;
/// The maximum number of rows without a background above the first one, and below the last one.
const MAX_ROWS_ABOVE: usize = 2;
const MAX_ROWS_BELOW: usize = 1;
/// How far a word may reach beyond its column, in points.
const MAX_OVERHANG_POINTS: f32 = 1.0;

/// Joins the grids of backgrounds that have the same columns, and the rows between them. `lines_in`
/// returns the lines of a box, from the top.
pub(super) fn join(
    mut grids: Vec<Grid>,
    words: &[Word<'_>],
    lines_in: impl Fn(Rect) -> Vec<TextLine>,
) -> Vec<Grid> {
    let is_band = |grid: &Grid| grid.columns() > 1 && grid.rows() <= MAX_ROWS;
    let (mut bands, others): (Vec<Grid>, Vec<Grid>) = grids.drain(..).partition(is_band);
    bands.sort_by(|a, b| {
        let first = |grid: &Grid| grid.bbox();
        let columns = a.columns().cmp(&b.columns());
        columns.then(first(a).y1.total_cmp(&first(b).y1))
    });
    let mut joined = others;
    for group in bands.chunk_by(has_same_columns) {
        let Some(first) = group.first().filter(|_| group.len() >= MIN_GRIDS) else {
            joined.extend_from_slice(group);
            continue;
        };
        let heights = group.iter().map(|grid| grid.bbox().y2 - grid.bbox().y1);
        let max_gap = MAX_GAP_RATIO * heights.fold(0.0, f32::max);
        let columns = Columns {
            xs: &first.xs,
            words,
        };
        let is_next = |a: &Grid, b: &Grid| {
            let (above, below) = (a.bbox(), b.bbox());
            let between = Rect {
                y1: above.y2,
                y2: below.y1,
                ..above
            };
            between.y2 - between.y1 <= max_gap && columns.fit(&lines_in(between)).is_some()
        };
        for run in group.chunk_by(is_next) {
            if run.len() < MIN_GRIDS {
                joined.extend_from_slice(run);
                continue;
            }
            let mut ys: Vec<f32> = run
                .iter()
                .flat_map(|grid| grid.ys.iter().copied())
                .collect();
            for _ in 0..MAX_ROWS_ABOVE {
                let Some(top) = columns.row_above(&ys, max_gap, &lines_in) else {
                    break;
                };
                ys.insert(0, top);
            }
            for _ in 0..MAX_ROWS_BELOW {
                ys.extend(columns.row_below(&ys, max_gap, &lines_in));
            }
            ys.dedup_by(|next, kept| *next - *kept < MAX_EDGE_DIFFERENCE);
            joined.push(Grid::full(first.xs.clone(), ys));
        }
    }
    joined
}

fn has_same_columns(a: &Grid, b: &Grid) -> bool {
    let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < MAX_EDGE_DIFFERENCE;
    a.xs.len() == b.xs.len() && a.xs.iter().zip(&b.xs).all(is_near)
}

struct Columns<'a> {
    xs: &'a [f32],
    words: &'a [Word<'a>],
}

impl Columns<'_> {
    /// The number of columns with words of some lines, if each word is within a column.
    fn fit(&self, lines: &[TextLine]) -> Option<usize> {
        let mut filled = vec![false; self.xs.len()];
        let places = lines.iter().flat_map(|line| &line.atoms);
        for place in places.flat_map(|atom| &atom.words) {
            let word = self.words.get(*place as usize)?;
            let column = entries::column_at(self.xs, word.center().0);
            let (left, right) = (self.xs.get(column)?, self.xs.get(column + 1)?);
            let is_inside = word.bbox.x1 > left - MAX_OVERHANG_POINTS
                && word.bbox.x2 < right + MAX_OVERHANG_POINTS;
            if !is_inside {
                return None;
            }
            *filled.get_mut(column)? = true;
        }
        let count = filled.iter().filter(|is_filled| **is_filled).count();
        (count > 0).then_some(count)
    }

    /// The top of a row above the first background.
    fn row_above(
        &self,
        ys: &[f32],
        max_height: f32,
        lines_in: impl Fn(Rect) -> Vec<TextLine>,
    ) -> Option<f32> {
        let bottom = *ys.first()?;
        let mut lines = lines_in(self.bbox(bottom - max_height, bottom));
        lines.reverse();
        let row = self.row(&lines, bottom)?;
        let last = row.last()?;
        Some(last.y - last.size)
    }

    /// The bottom of a row below the last background.
    fn row_below(
        &self,
        ys: &[f32],
        max_height: f32,
        lines_in: impl Fn(Rect) -> Vec<TextLine>,
    ) -> Option<f32> {
        let top = *ys.last()?;
        let lines = lines_in(self.bbox(top, top + max_height));
        let row = self.row(&lines, top)?;
        let last = row.last()?;
        Some(last.y + last.size)
    }

    /// The lines of the row at an edge, if they fill several columns.
    fn row<'l>(&self, lines: &'l [TextLine], edge: f32) -> Option<&'l [TextLine]> {
        let first = lines.first()?;
        if (first.y - edge).abs() > MAX_ROW_GAP_EMS * first.size {
            return None;
        }
        let is_same =
            |a: &TextLine, b: &TextLine| (a.y - b.y).abs() < MAX_LINE_STEP_EMS * a.size.max(b.size);
        let row = lines.chunk_by(is_same).next()?;
        (self.fit(row)? > 1).then_some(row)
    }

    fn bbox(&self, top: f32, bottom: f32) -> Rect {
        Rect {
            x1: self.xs.first().copied().unwrap_or_default(),
            y1: top,
            x2: self.xs.last().copied().unwrap_or_default(),
            y2: bottom,
        }
    }
}
