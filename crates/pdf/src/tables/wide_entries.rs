//! The entries of lines in the columns of a table: texts over several columns are divided, or are
//! headers of all of them.

use super::class::{Class, is_year};
use super::entries::{self, Entry};
use super::rules::Rule;
use super::spanning_headers::Above;
use super::words::{MAX_LEVEL_DIFFERENCE_EMS, TextLine, Word, atoms, lines};

/// The maximum distance of a rule below the center of a line, in ems.
const MAX_UNDERLINE_EMS: f32 = 1.5;
/// Maximum distance of a heading from the center of its columns, in ems.
const MAX_OFF_CENTER_EMS: f32 = 2.5;
/// Maximum distance of headers from the middle of groups of columns, in ems.
const MAX_OFF_GROUP_EMS: f32 = 1.0;
/// Maximum distance of headers that are only a space apart from the edges or centers of their
/// columns, in ems.
const MAX_OFF_COLUMN_EMS: f32 = 0.5;
/// Minimum overlap of a header and its values, as a share of the narrower one.
const MIN_OVERLAP_SHARE: f32 = 0.7;
/// Maximum difference of the left edges of the lines of a cell, in ems.
const MAX_EDGE_DIFFERENCE_EMS: f32 = 0.2;
/// The minimum number of other entries with the left edge of a column.
const MIN_ALIGNED_ENTRIES: usize = 3;

/// The columns of a table, or a range of them.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    pub(super) bounds: &'a [f32],
    pub(super) values: &'a [Values],
    /// Rules that cover only some of the columns.
    pub(super) partial: &'a [Rule],
}

impl Columns<'_> {
    /// Returns the columns in a range.
    pub(super) fn part(self, from: usize, to: usize) -> Self {
        Self {
            bounds: self.bounds.get(from..=to).unwrap_or_default(),
            values: self.values.get(from..to).unwrap_or_default(),
            ..self
        }
    }
}

/// The values of a column.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Values {
    /// Their left and right edges.
    extent: Option<(f32, f32)>,
    /// The positions of the first value and of the last header above it, which is text or a year.
    top: f32,
    header: f32,
}

impl Values {
    /// Whether a value has the left or right edge of the others.
    fn aligns(&self, value: &Entry, line: &TextLine) -> bool {
        let near = |a: f32, b: f32| (a - b).abs() < MAX_EDGE_DIFFERENCE_EMS * line.size;
        (self.extent).is_some_and(|(x1, x2)| near(value.x1, x1) || near(value.x2, x2))
    }

    /// Whether they are directly below a header: aligned with it, or nearly all of them below it.
    fn is_below(&self, header: &Entry, line: &TextLine) -> bool {
        let Some((x1, x2)) = self.extent else {
            return false;
        };
        let near = |a: f32, b: f32| (a - b).abs() < MAX_OFF_COLUMN_EMS * line.size;
        let common = header.x2.min(x2) - header.x1.max(x1);
        line.y < self.top
            && self.header <= line.y + MAX_LEVEL_DIFFERENCE_EMS * line.size
            && (near(header.x1, x1)
                || near(header.x2, x2)
                || near(header.center(), (x1 + x2) / 2.0)
                || common > MIN_OVERLAP_SHARE * (header.x2 - header.x1).min(x2 - x1))
    }
}

/// The entries of lines. A header of several columns gets the extent of these columns.
pub(super) fn wide_entries(
    lines: &[TextLine],
    words: &[Word<'_>],
    columns: Columns<'_>,
) -> Vec<Vec<Entry>> {
    let Columns {
        bounds, partial, ..
    } = columns;
    let of_line = |line| entries::of_line(line, words, bounds);
    let mut all: Vec<Vec<Entry>> = lines.iter().map(of_line).collect();
    divide_close(lines, &mut all, words, columns);
    let mut edges: Vec<(usize, f32)> = (all.iter().filter(|line| line.len() >= 2).flatten())
        .map(|entry| (entry.column, entry.x1))
        .collect();
    edges.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    for (line, entries) in lines.iter().zip(&mut all) {
        divide_aligned(line, entries, words, bounds, &edges);
        let centers: Vec<f32> = entries.iter().map(Entry::center).collect();
        for entry in entries.iter_mut() {
            widen(entry, line, &centers, bounds, partial);
        }
        if let ([entry], [_, second, .., last]) = (entries.as_mut_slice(), bounds) {
            // A heading centered over all columns but the first, and not the continuation of a cell
            // in its column.
            let is_centered =
                (entry.center() - (second + last) / 2.0).abs() < MAX_OFF_CENTER_EMS * line.size;
            if entry.column > 0
                && is_centered
                && !is_aligned(entry, &edges, MAX_EDGE_DIFFERENCE_EMS * line.size)
            {
                (entry.column, entry.column_end) = (1, bounds.len() - 1);
            }
        }
    }
    for index in 1..all.len() {
        if let Some(([.., upper], [lower, ..])) = all.split_at_mut_checked(index)
            && let Some(line) = lines.get(index - 1)
        {
            widen_above(upper, lower, bounds, line.size);
        }
    }
    all
}

/// Finds the values of each column, and where its header ends.
pub(super) fn values_of_columns(chosen: &[u32], words: &[Word<'_>], bounds: &[f32]) -> Vec<Values> {
    let mut columns = vec![Values::default(); bounds.len().saturating_sub(1)];
    for line in lines(atoms(words, chosen)) {
        for entry in entries::of_line(&line, words, bounds) {
            let is_year = || is_year(&entries::text(&entry.words, words));
            let own = columns.get_mut(entry.column..entry.column_end);
            for column in own.unwrap_or_default() {
                match column.extent {
                    None if !entry.class.is_value() || is_year() => column.header = line.y,
                    _ if entry.spans() || !entry.class.is_value() => {}
                    Some((x1, x2)) => column.extent = Some((x1.min(entry.x1), x2.max(entry.x2))),
                    None => (column.extent, column.top) = (Some((entry.x1, entry.x2)), line.y),
                }
            }
        }
    }
    columns
}

/// Divides headers that are only a space apart: texts that span columns and whose words are above
/// the values of these columns. Also divides labels that fill their column from the values beside
/// them.
fn divide_close(
    lines: &[TextLine],
    all: &mut [Vec<Entry>],
    words: &[Word<'_>],
    columns: Columns<'_>,
) {
    for (line, entries) in lines.iter().zip(all) {
        let is_close = |entry: &Entry| entry.spans() && entry.class == Class::Text;
        if !entries.iter().any(is_close) {
            continue;
        }
        let whole = std::mem::take(entries);
        for entry in whole {
            let parts = is_close(&entry)
                .then(|| entries::of_columns(&entry, words, columns.bounds, line.size))
                .filter(|parts| {
                    let has = |part: &Entry, is: &dyn Fn(&Values) -> bool| {
                        columns.values.get(part.column).is_some_and(is)
                    };
                    let is_over = |part: &Entry| has(part, &|values| values.is_below(part, line));
                    let is_value = |part: &Entry| {
                        part.class == Class::Number
                            && has(part, &|values| values.aligns(part, line))
                    };
                    let is_row = |(label, values): (&Entry, &[Entry])| {
                        label.class == Class::Text && values.iter().all(is_value)
                    };
                    let is_divided = if entry.column > 0 {
                        parts.iter().all(is_over)
                    } else {
                        parts.split_first().is_some_and(is_row)
                    };
                    parts.len() == entry.column_end - entry.column && is_divided
                });
            match parts {
                Some(parts) => entries.extend(parts),
                None => entries.push(entry),
            }
        }
    }
}

/// Divides texts that fill all their columns but the last, so that only spaces are between them.
/// Each part starts where most entries of its column start.
fn divide_aligned(
    line: &TextLine,
    entries: &mut Vec<Entry>,
    words: &[Word<'_>],
    bounds: &[f32],
    edges: &[(usize, f32)],
) {
    if !entries.iter().any(Entry::spans) {
        return;
    }
    let tolerance = MAX_EDGE_DIFFERENCE_EMS * line.size;
    let is_usual = |part: &Entry| {
        let until = |column, x| edges.partition_point(|edge| *edge < (column, x));
        let all = until(part.column + 1, f32::NEG_INFINITY) - until(part.column, f32::NEG_INFINITY);
        let near =
            until(part.column, part.x1 + tolerance) - until(part.column, part.x1 - tolerance);
        near >= MIN_ALIGNED_ENTRIES && 2 * near >= all
    };
    let whole = std::mem::take(entries);
    for entry in whole {
        let parts = Some(&entry)
            .filter(|entry| entry.spans())
            .map(|entry| entries::of_columns(entry, words, bounds, line.size))
            .filter(|parts| parts.len() == entry.column_end - entry.column)
            .filter(|parts| parts.iter().all(is_usual));
        match parts {
            Some(parts) => entries.extend(parts),
            None => entries.push(entry),
        }
    }
}

/// Widens texts without values beside them to the columns over which they are centered.
fn widen_above(upper: &mut [Entry], lower: &[Entry], bounds: &[f32], size: f32) {
    if upper.len() >= lower.len() || upper.iter().any(|entry| entry.class.is_value()) {
        return;
    }
    let mut below = vec![None; bounds.len().saturating_sub(1)];
    for entry in lower {
        let own = below.get_mut(entry.column..entry.column_end);
        own.unwrap_or_default().fill(Some((entry.x1, entry.x2)));
    }
    if let Some(width) = width_of_groups(upper, &below, MAX_OFF_GROUP_EMS * size) {
        for (group, entry) in upper.iter_mut().enumerate() {
            (entry.column, entry.column_end) = (1 + group * width, 1 + (group + 1) * width);
        }
        return;
    }
    let mut first = 1;
    for index in 0..upper.len() {
        let next = upper.get(index + 1).map_or(below.len(), |next| next.column);
        let Some(entry) = upper.get_mut(index) else {
            return;
        };
        let above = Above {
            columns: entry.column..entry.column_end,
            extent: (entry.x1, entry.x2),
            size,
            blanks: (
                entry.column.saturating_sub(first),
                next.saturating_sub(entry.column_end),
            ),
            bounds,
            below: &below,
        };
        if let Some((left, right)) = above.covered_cells() {
            entry.column -= left;
            entry.column_end += right;
        }
        first = entry.column_end;
    }
}

/// The number of columns per group, if texts are centered above equally wide groups that together
/// cover all columns but the first.
fn width_of_groups(
    upper: &[Entry],
    below: &[Option<(f32, f32)>],
    max_off_center: f32,
) -> Option<usize> {
    let others = below.get(1..)?;
    let width = others.len().checked_div(upper.len())?;
    if upper.len() < 2 || width < 2 || width * upper.len() != others.len() {
        return None;
    }
    let is_middle = |(entry, group): (&Entry, &[Option<(f32, f32)>])| {
        let (Some(Some(first)), Some(Some(last))) = (group.first(), group.last()) else {
            return false;
        };
        group.iter().all(Option::is_some)
            && (entry.center() - (first.0 + last.1) / 2.0).abs() < max_off_center
    };
    upper
        .iter()
        .zip(others.chunks(width))
        .all(is_middle)
        .then_some(width)
}

/// Whether an entry starts at the left edge of another entry of its column. Edges are sorted.
fn is_aligned(entry: &Entry, edges: &[(usize, f32)], tolerance: f32) -> bool {
    let first = (entry.column, entry.x1 - tolerance);
    let index = edges.partition_point(|edge| *edge < first);
    let near = edges.get(index);
    near.is_some_and(|edge| edge.0 == entry.column && edge.1 <= entry.x1 + tolerance)
}

/// Widens an entry to the columns of the rule directly below it, unless another entry is above that
/// rule.
fn widen(entry: &mut Entry, line: &TextLine, centers: &[f32], bounds: &[f32], partial: &[Rule]) {
    let first = partial.partition_point(|rule| rule.at < line.y);
    let below = partial
        .get(first..)
        .unwrap_or_default()
        .iter()
        .take_while(|rule| rule.at <= line.y + MAX_UNDERLINE_EMS * line.size)
        .find(|rule| rule.from <= entry.center() && entry.center() <= rule.to);
    let Some(rule) = below else { return };
    // A rule below all columns separates the header.
    let (left, right) = (
        bounds.first().unwrap_or(&0.0),
        bounds.last().unwrap_or(&0.0),
    );
    if rule.from <= left + line.size && right - line.size <= rule.to {
        return;
    }
    let above = |x: f32| centers.partition_point(|center| *center < x);
    if above(rule.to) - above(rule.from) > 1 {
        return;
    }
    // Columns that the rule covers by more than half.
    let middle = |pair: &[f32]| (pair.first().unwrap_or(&0.0) + pair.last().unwrap_or(&0.0)) / 2.0;
    let first = entries::column_at(bounds, rule.from);
    for (column, pair) in bounds.windows(2).enumerate().skip(first) {
        let center = middle(pair);
        if center > rule.to {
            break;
        }
        if center >= rule.from {
            entry.column = entry.column.min(column);
            entry.column_end = entry.column_end.max(column + 1);
        }
    }
}
