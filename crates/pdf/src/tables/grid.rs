//! Grids: rules that cross or meet, and the cells between them.

use super::rules::{Rule, Rules};
use crate::disjoint_sets::Sets;
use crate::model::Rect;

/// Maximum gap between rules that meet, in points.
const MAX_GAP_POINTS: f32 = 3.0;
/// Minimum share of a cell's side that rules cover.
const MIN_COVER_SHARE: f32 = 0.6;
/// The maximum number of crossings on a page.
const MAX_CROSSINGS: usize = 2_000_000;
/// The maximum number of cells of a grid.
pub(super) const MAX_CELLS: usize = 100_000;

/// A rectangle of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) row: usize,
    pub(super) column: usize,
    /// The row and column after the last one.
    pub(super) row_end: usize,
    pub(super) column_end: usize,
}

/// Rows and columns, and the cells that rules enclose.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    /// The boundaries of columns and rows.
    pub(super) xs: Vec<f32>,
    pub(super) ys: Vec<f32>,
    pub(super) spans: Vec<Span>,
}

impl Grid {
    /// A grid of rows without columns.
    pub(super) fn open(xs: Vec<f32>, ys: Vec<f32>) -> Self {
        let span = |row| Span {
            row,
            column: 0,
            row_end: row + 1,
            column_end: 1,
        };
        Self {
            spans: (0..ys.len().saturating_sub(1)).map(span).collect(),
            xs,
            ys,
        }
    }

    /// A grid in which each cell is of one row and one column.
    pub(super) fn full(xs: Vec<f32>, ys: Vec<f32>) -> Self {
        let columns = xs.len().saturating_sub(1);
        let rows = ys.len().saturating_sub(1);
        let span = |place: usize| Span {
            row: place / columns,
            column: place % columns,
            row_end: place / columns + 1,
            column_end: place % columns + 1,
        };
        Self {
            spans: (0..rows * columns).map(span).collect(),
            xs,
            ys,
        }
    }

    pub(super) fn bbox(&self) -> Rect {
        outline(&self.xs, &self.ys)
    }

    pub(super) fn rows(&self) -> usize {
        self.ys.len().saturating_sub(1)
    }

    pub(super) fn columns(&self) -> usize {
        self.xs.len().saturating_sub(1)
    }
}

/// The box within the outer boundaries of columns and rows.
pub(super) fn outline(xs: &[f32], ys: &[f32]) -> Rect {
    Rect {
        x1: xs.first().copied().unwrap_or_default(),
        y1: ys.first().copied().unwrap_or_default(),
        x2: xs.last().copied().unwrap_or_default(),
        y2: ys.last().copied().unwrap_or_default(),
    }
}

/// Finds the grids of a page. The second value is whether there were more crossings or cells than
/// the limits allow.
pub(super) fn find(rules: &Rules) -> (Vec<Grid>, bool) {
    let (horizontal, vertical) = (&rules.horizontal, &rules.vertical);
    let mut sets = Sets::new(horizontal.len() + vertical.len());
    let mut is_cut = false;
    let mut crossings = 0;
    for (h, across) in horizontal.iter().enumerate() {
        let first = vertical.partition_point(|rule| rule.at < across.from - MAX_GAP_POINTS);
        for (v, down) in vertical.iter().enumerate().skip(first) {
            crossings += 1;
            if down.at > across.to + MAX_GAP_POINTS {
                break;
            }
            if crossings > MAX_CROSSINGS {
                is_cut = true;
                break;
            }
            if down.from - MAX_GAP_POINTS <= across.at && across.at <= down.to + MAX_GAP_POINTS {
                sets.join(h, horizontal.len() + v);
            }
        }
    }
    let mut members: Vec<(usize, usize)> = (0..horizontal.len() + vertical.len())
        .map(|index| (sets.first(index), index))
        .collect();
    members.sort_unstable();
    let mut grids = Vec::new();
    for group in members
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() >= 3)
    {
        let split = group.partition_point(|member| member.1 < horizontal.len());
        let pick = |indexes: &[(usize, usize)], rules: &[Rule], offset: usize| -> Vec<Rule> {
            indexes
                .iter()
                .filter_map(|(_, index)| rules.get(index - offset).copied())
                .collect()
        };
        let (across, down) = group.split_at(split);
        let across = pick(across, horizontal, 0);
        let down = pick(down, vertical, horizontal.len());
        for (across, down) in split_stacked(across, down) {
            match of(&across, &down) {
                Some(grid) => grids.push(grid),
                None => is_cut = true,
            }
        }
    }
    (grids, is_cut)
}

/// Divides rules into those of tables that touch each other: no rule but the left edge is in both,
/// and their right edges differ.
fn split_stacked(across: Vec<Rule>, down: Vec<Rule>) -> Vec<(Vec<Rule>, Vec<Rule>)> {
    let left = down
        .iter()
        .map(|rule| rule.at)
        .fold(f32::INFINITY, f32::min);
    let mut inner: Vec<Rule> = (down.iter().copied())
        .filter(|rule| rule.at > left + MAX_GAP_POINTS)
        .collect();
    inner.sort_by(|a, b| a.from.total_cmp(&b.from));
    let mut tables: Vec<Vec<Rule>> = Vec::new();
    let mut bottom = f32::NEG_INFINITY;
    for rule in inner {
        match tables.last_mut() {
            Some(table) if rule.from < bottom - MAX_GAP_POINTS => table.push(rule),
            _ => tables.push(vec![rule]),
        }
        bottom = bottom.max(rule.to);
    }
    let right = |table: &[Rule]| table.iter().map(|rule| rule.at).fold(left, f32::max);
    let are_apart = |pair: &[Vec<Rule>]| match pair {
        [a, b] => (right(a) - right(b)).abs() > MAX_GAP_POINTS && a.len().min(b.len()) >= 2,
        _ => false,
    };
    if tables.len() < 2 || !tables.windows(2).all(are_apart) {
        return vec![(across, down)];
    }
    let edges = || down.iter().filter(|rule| rule.at <= left + MAX_GAP_POINTS);
    let table = |mut inner: Vec<Rule>| {
        let from = inner
            .iter()
            .map(|rule| rule.from)
            .fold(f32::INFINITY, f32::min);
        let to = inner
            .iter()
            .map(|rule| rule.to)
            .fold(f32::NEG_INFINITY, f32::max);
        let right = right(&inner);
        let is_own =
            |rule: &&Rule| (from - MAX_GAP_POINTS..=to + MAX_GAP_POINTS).contains(&rule.at);
        let own = across.iter().filter(is_own).map(|rule| Rule {
            to: rule.to.min(right),
            ..*rule
        });
        let edges = edges().filter(|edge| edge.from < to && from < edge.to);
        inner.extend(edges.map(|edge| Rule {
            from: edge.from.max(from),
            to: edge.to.min(to),
            ..*edge
        }));
        inner.sort_by(|a, b| a.at.total_cmp(&b.at));
        (own.collect(), inner)
    };
    tables.into_iter().map(table).collect()
}

/// The grid of these rules; `None` if it has too many cells.
pub(super) fn of(across: &[Rule], down: &[Rule]) -> Option<Grid> {
    let xs = boundaries(down, across);
    let ys = boundaries(across, down);
    let (columns, rows) = (xs.len().saturating_sub(1), ys.len().saturating_sub(1));
    if columns.saturating_mul(rows) > MAX_CELLS {
        return None;
    }
    // Whether a rule separates a cell from the one above it, or to the left of it.
    let mut above = Cover::new(rows + 1, columns);
    let mut left = Cover::new(columns + 1, rows);
    for rule in across {
        above.add(nearest(&ys, rule.at), &xs, rule);
    }
    for rule in down {
        left.add(nearest(&xs, rule.at), &ys, rule);
    }
    Some(Grid {
        spans: spans(rows, columns, &above, &left),
        xs,
        ys,
    })
}

/// The positions of rules, extended to the ends of the rules that cross them.
fn boundaries(rules: &[Rule], across: &[Rule]) -> Vec<f32> {
    let mut at: Vec<f32> = rules.iter().map(|rule| rule.at).collect();
    let from = across
        .iter()
        .map(|rule| rule.from)
        .fold(f32::INFINITY, f32::min);
    let to = across
        .iter()
        .map(|rule| rule.to)
        .fold(f32::NEG_INFINITY, f32::max);
    at.sort_by(f32::total_cmp);
    at.dedup_by(|next, kept| *next - *kept <= MAX_GAP_POINTS);
    if from < to {
        if at.first().is_none_or(|first| first - from > MAX_GAP_POINTS) {
            at.insert(0, from);
        }
        if at.last().is_none_or(|last| to - last > MAX_GAP_POINTS) {
            at.push(to);
        }
    }
    at
}

fn nearest(sorted: &[f32], at: f32) -> usize {
    let after = sorted.partition_point(|value| *value < at);
    let distance = |index: usize| {
        sorted
            .get(index)
            .map_or(f32::INFINITY, |value| (value - at).abs())
    };
    match after.checked_sub(1) {
        Some(before) if distance(before) <= distance(after) => before,
        _ => after,
    }
}

/// The share of each cell side that rules cover.
struct Cover {
    cells: usize,
    covered: Vec<f32>,
}

impl Cover {
    fn new(boundaries: usize, cells: usize) -> Self {
        Self {
            cells,
            covered: vec![0.0; boundaries * cells],
        }
    }

    fn add(&mut self, boundary: usize, edges: &[f32], rule: &Rule) {
        let first = edges
            .partition_point(|edge| *edge <= rule.from)
            .saturating_sub(1);
        for (cell, pair) in edges.windows(2).enumerate().skip(first) {
            let [from, to] = *pair else { break };
            if from >= rule.to {
                break;
            }
            let share = (rule.to.min(to) - rule.from.max(from)).max(0.0) / (to - from).max(0.01);
            if let Some(covered) = self.covered.get_mut(boundary * self.cells + cell) {
                *covered += share;
            }
        }
    }

    fn has(&self, boundary: usize, cell: usize) -> bool {
        self.covered
            .get(boundary * self.cells + cell)
            .is_some_and(|share| *share >= MIN_COVER_SHARE)
    }
}

/// Joins cells without a rule between them: first along rows, then downwards where the extents are
/// equal, so that every cell is a rectangle.
fn spans(rows: usize, columns: usize, above: &Cover, left: &Cover) -> Vec<Span> {
    let mut done: Vec<Span> = Vec::new();
    // The open span that starts in each column.
    let mut open: Vec<Option<Span>> = vec![None; columns];
    for row in 0..rows {
        let mut now: Vec<Option<Span>> = vec![None; columns];
        let mut column = 0;
        while column < columns {
            let mut end = column + 1;
            while end < columns && !left.has(end, row) {
                end += 1;
            }
            let is_open = row > 0 && (column..end).all(|cell| !above.has(row, cell));
            let before = open
                .get_mut(column)
                .filter(|before| is_open && before.is_some_and(|before| before.column_end == end));
            let first_row = before
                .and_then(Option::take)
                .map_or(row, |before| before.row);
            if let Some(now) = now.get_mut(column) {
                *now = Some(Span {
                    row: first_row,
                    column,
                    row_end: row + 1,
                    column_end: end,
                });
            }
            column = end;
        }
        done.extend(open.into_iter().flatten());
        open = now;
    }
    done.extend(open.into_iter().flatten());
    done.sort_by_key(|span| (span.row, span.column));
    done
}
