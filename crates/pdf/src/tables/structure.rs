//! Finds the rows, columns and cells of a region: cells enclosed by rules, divided further by white
//! space.

use std::collections::HashMap;

use super::class::Class;
use super::draft::TableDraft;
use super::entries::{self, Entry};
use super::grid::{Grid, MAX_CELLS, Span};
use super::gutters;
use super::rows;
use super::rules::Rule;
use super::wide_entries::{Columns, values_of_columns, wide_entries};
use super::words::{OVERLAP_EMS, TextLine, Word, atoms, lines};

/// Minimum share of values beside a gutter that divides a ruled column.
const MIN_VALUES: f32 = 0.6;
/// Minimum number of rows between rules for rules to separate all rows.
const MIN_RULED_ROWS: usize = 3;
/// The share of the bands between rules that have to be one row.
const MIN_ROWS: f32 = 0.8;

/// Minimum number of rows after the first band needed to judge the lines in it.
const MIN_STEPS: usize = 2;
/// The minimum distance of these rows, in ems.
const MIN_ROW_STEP_EMS: f32 = 1.4;
/// Maximum relative difference of these distances.
const MAX_STEP_DIFFERENCE_SHARE: f32 = 0.08;

/// The maximum number of lines of a row of values between two rules, on average.
const MAX_LINES_OF_VALUES: usize = 3;

/// The minimum number of lines of a stack of numbers, and the share of them that are numbers.
const MIN_STACK_LINES: usize = 3;
const MIN_STACKED_NUMBERS_SHARE: f32 = 0.8;

/// Minimum share of a table's width covered by the rule below its header.
const MIN_HEADER_RULE_SHARE: f32 = 0.9;

/// A region whose cells are not yet known.
pub(super) struct Region<'a> {
    pub(super) grid: Grid,
    /// Words in the region, in reading order.
    pub(super) chosen: Vec<u32>,
    /// Rules that cover only some of the columns.
    pub(super) partial: &'a [Rule],
    /// Whether rows have backgrounds.
    pub(super) is_striped: bool,
}

/// The lines of one band of a grid, with their entries.
struct Band {
    lines: Vec<TextLine>,
    entries: Vec<Vec<Entry>>,
}

impl Band {
    fn has_values(&self) -> bool {
        let mut others = (self.entries.iter().flatten()).filter(|entry| entry.column > 0);
        others.any(|entry| entry.class == Class::Number)
    }

    /// Whether rules around it enclose one row, whose other lines go on from one line of cells.
    fn has_one_row(&self) -> bool {
        self.entries.iter().filter(|line| line.len() >= 2).count() < 2
    }

    /// Whether it is certainly one row: at most one line has several cells, or those that do
    /// overlap, because cells of several lines are centred beside each other. Without values, at
    /// most one line has text in all columns.
    fn is_row(&self) -> bool {
        let mut rows = 0;
        let mut has_row = false;
        let mut last: Option<&TextLine> = None;
        for (line, entries) in self.lines.iter().zip(&self.entries) {
            let overlaps =
                |last: &TextLine| line.y - last.y < OVERLAP_EMS * line.size.min(last.size);
            has_row &= last.is_some_and(overlaps);
            if entries.len() >= 2 && !has_row {
                rows += 1;
                has_row = true;
            }
            last = Some(line);
        }
        let entries = || self.entries.iter().flatten();
        let mut filled: Vec<usize> = entries().map(|entry| entry.column).collect();
        filled.sort_unstable();
        filled.dedup();
        let full = self
            .entries
            .iter()
            .filter(|line| line.len() == filled.len());
        rows < 2 || !entries().any(|entry| entry.class.is_value()) && full.count() < 2
    }
}

/// Builds the table of a region; `None` if it has too many cells.
pub(super) fn build(region: &Region<'_>, words: &[Word<'_>]) -> Option<TableDraft> {
    let mut grid = region.grid.clone();
    let mut in_span = words_in_spans(&grid, &region.chosen, words);
    if divide_stacks(&mut grid, &in_span, words) {
        in_span = words_in_spans(&grid, &region.chosen, words);
    }
    let grid = &grid;
    let (xs, first_columns) = refined_columns(grid, &in_span, words);
    let values = values_of_columns(&region.chosen, words, &xs);
    let columns = Columns {
        bounds: &xs,
        values: &values,
        partial: region.partial,
    };
    let bands: Vec<Band> = (0..grid.rows())
        .map(|row| band(grid, &in_span, words, columns, row))
        .collect();
    let has_ruled_rows = has_ruled_rows(&bands);
    let mut ys = Vec::new();
    // The index of the first refined row of each band, and one more for the end.
    let mut first_rows = Vec::with_capacity(grid.rows() + 1);
    for (row, band) in bands.iter().enumerate() {
        first_rows.push(ys.len());
        ys.extend(grid.ys.get(row));
        let is_header = row == 0
            && grid.rows() > 1
            && !band.has_values()
            && !ends_in_row(band, words, row_step(grid, &bands));
        let columns = grid.columns();
        let is_ruled = grid.rows() >= MIN_RULED_ROWS
            && (columns >= 2 || region.is_striped || has_ruled_rows && band.is_row())
            || columns >= 2 && band.has_one_row();
        let partial = region.partial;
        ys.extend(row_boundaries(
            band, words, &xs, partial, is_ruled, is_header,
        ));
    }
    first_rows.push(ys.len());
    ys.extend(grid.ys.last());
    if xs.len().saturating_mul(ys.len()) > MAX_CELLS {
        return None;
    }
    let mut draft = TableDraft {
        has_spaced_columns: xs.len() > grid.xs.len(),
        has_spaced_rows: ys.len() > grid.ys.len(),
        has_ruled_columns: grid.columns() > 1,
        has_ruled_header: region
            .partial
            .iter()
            .any(|rule| is_below_first(rule, &xs, &ys)),
        xs: xs.clone(),
        ys,
        cells: Vec::new(),
    };
    for (span, inside) in grid.spans.iter().zip(&in_span) {
        let at = |list: &[usize], index: usize| list.get(index).copied().unwrap_or_default();
        let block = Span {
            row: at(&first_rows, span.row),
            row_end: at(&first_rows, span.row_end),
            column: at(&first_columns, span.column),
            column_end: at(&first_columns, span.column_end),
        };
        let is_row = span.row_end - span.row == 1;
        let is_column = span.column_end - span.column == 1;
        let columns = columns.part(block.column, block.column_end);
        add_block(&mut draft, block, is_row, is_column, inside, words, columns);
    }
    draft
        .cells
        .sort_by_key(|cell| (cell.span.row, cell.span.column));
    Some(draft)
}

/// Whether a rule over all columns is between the middles of the first and second rows.
fn is_below_first(rule: &Rule, xs: &[f32], ys: &[f32]) -> bool {
    let ([left, .., right], [first, second, third, ..]) = (xs, ys) else {
        return false;
    };
    let overlap = rule.to.min(*right) - rule.from.max(*left);
    overlap > MIN_HEADER_RULE_SHARE * (right - left)
        && ((first + second) / 2.0..(second + third) / 2.0).contains(&rule.at)
}

fn words_in_spans(grid: &Grid, chosen: &[u32], words: &[Word<'_>]) -> Vec<Vec<u32>> {
    let index = Places::new(grid);
    let mut in_span: Vec<Vec<u32>> = vec![Vec::new(); grid.spans.len()];
    for number in chosen {
        let word = words.get(*number as usize);
        let span = word.and_then(|word| index.span_at(word.center()));
        if let Some(span) = span.and_then(|span| in_span.get_mut(span)) {
            span.push(*number);
        }
    }
    in_span
}

/// Divides cells that span several bands if each of their lines ends with a number, and the cells
/// beside them with as many lines. Returns whether there were any.
fn divide_stacks(grid: &mut Grid, in_span: &[Vec<u32>], words: &[Word<'_>]) -> bool {
    let bands = |span: &Span| span.row_end - span.row;
    let count = |inside: &[u32]| lines(atoms(words, inside)).len();
    let stacks: HashMap<(usize, usize), usize> = (grid.spans.iter().zip(in_span))
        .filter(|(span, inside)| bands(span) > 1 && inside.len() >= MIN_STACK_LINES)
        .filter(|(_, inside)| is_stack(inside, words))
        .map(|(span, inside)| ((span.row, span.row_end), count(inside)))
        .collect();
    if stacks.is_empty() {
        return false;
    }
    let mut spans = Vec::with_capacity(grid.spans.len());
    for (span, inside) in grid.spans.iter().zip(in_span) {
        let stack = stacks.get(&(span.row, span.row_end));
        if stack.is_some_and(|stack| count(inside) >= (*stack).min(bands(span) + 1)) {
            spans.extend((span.row..span.row_end).map(|row| Span {
                row,
                row_end: row + 1,
                ..*span
            }));
        } else {
            spans.push(*span);
        }
    }
    spans.sort_by_key(|span| (span.row, span.column));
    grid.spans = spans;
    true
}

fn is_stack(inside: &[u32], words: &[Word<'_>]) -> bool {
    let lines = lines(atoms(words, inside));
    let ends_in_number = |line: &&TextLine| {
        let last = line.atoms.last();
        last.is_some_and(|atom| entries::class(&atom.words, words) == Class::Number)
    };
    let numbers = lines.iter().filter(ends_in_number).count();
    lines.len() >= MIN_STACK_LINES
        && numbers as f32 >= MIN_STACKED_NUMBERS_SHARE * lines.len() as f32
}

/// Finds the cell at a point.
struct Places<'a> {
    grid: &'a Grid,
    /// The span of each elementary cell.
    owner: Vec<u32>,
}

impl<'a> Places<'a> {
    fn new(grid: &'a Grid) -> Self {
        let mut owner = vec![0; grid.rows() * grid.columns()];
        for (number, span) in (0..).zip(&grid.spans) {
            for row in span.row..span.row_end {
                for column in span.column..span.column_end {
                    if let Some(owner) = owner.get_mut(row * grid.columns() + column) {
                        *owner = number;
                    }
                }
            }
        }
        Self { grid, owner }
    }

    fn span_at(&self, (x, y): (f32, f32)) -> Option<usize> {
        let column = cell_at(&self.grid.xs, x)?;
        let row = cell_at(&self.grid.ys, y)?;
        let owner = self.owner.get(row * self.grid.columns() + column)?;
        Some(*owner as usize)
    }
}

/// The index of the interval with a value; `None` outside of all.
fn cell_at(bounds: &[f32], value: f32) -> Option<usize> {
    let after = bounds.partition_point(|bound| *bound <= value);
    (after > 0 && after < bounds.len()).then(|| after - 1)
}

/// The boundaries of columns, and for each boundary of the grid its index among them.
fn refined_columns(
    grid: &Grid,
    in_span: &[Vec<u32>],
    words: &[Word<'_>],
) -> (Vec<f32>, Vec<usize>) {
    let mut by_column: Vec<Vec<u32>> = vec![Vec::new(); grid.columns()];
    let are_across = are_across(grid, in_span);
    for (span, inside) in grid.spans.iter().zip(in_span) {
        if span.column_end - span.column == 1 {
            if let Some(column) = by_column.get_mut(span.column) {
                column.extend(inside);
            }
        } else if are_across {
            for index in inside {
                let x = words.get(*index as usize).map(|word| word.center().0);
                let column = x.map(|x| entries::column_at(&grid.xs, x));
                if let Some(column) = column.and_then(|column| by_column.get_mut(column)) {
                    column.push(*index);
                }
            }
        }
    }
    let mut xs = Vec::new();
    let mut firsts = Vec::new();
    for (column, mut inside) in by_column.into_iter().enumerate() {
        firsts.push(xs.len());
        xs.extend(grid.xs.get(column));
        inside.sort_unstable();
        let lines = lines(atoms(words, &inside));
        let mut gutters = gutters::find(&lines, words);
        if grid.columns() > 1 && !gutters.is_empty() {
            let mut bounds = vec![f32::NEG_INFINITY];
            bounds.extend(&gutters);
            bounds.push(f32::INFINITY);
            if !are_values(&lines, words, &bounds) {
                gutters.clear();
            }
        }
        xs.extend(gutters);
    }
    firsts.push(xs.len());
    xs.extend(grid.xs.last());
    (xs, firsts)
}

/// Whether most words are in cells that span columns, so that rules only divide headers or
/// headings.
fn are_across(grid: &Grid, in_span: &[Vec<u32>]) -> bool {
    let (mut across, mut all) = (0, 0);
    for (span, inside) in grid.spans.iter().zip(in_span) {
        let is_across = span.column_end - span.column > 1;
        across += if is_across { inside.len() } else { 0 };
        all += inside.len();
    }
    2 * across > all
}

/// Whether the columns after the first one consist of values.
fn are_values(lines: &[TextLine], words: &[Word<'_>], bounds: &[f32]) -> bool {
    let (mut values, mut all, mut rows) = (0, 0, 0);
    for line in lines {
        let entries = entries::of_line(line, words, bounds);
        rows += usize::from(entries.len() >= 2);
        for entry in entries.iter().filter(|entry| entry.column > 0) {
            all += 1;
            values += usize::from(entry.class.is_value());
        }
    }
    rows >= 3 && 2 * rows >= lines.len() && values as f32 >= MIN_VALUES * all as f32
}

/// The distance of the rows after the first band, if rules separate them and each is one line.
fn row_step(grid: &Grid, bands: &[Band]) -> Option<f32> {
    let heights = grid.ys.windows(2).zip(bands).skip(1);
    let heights = heights.filter(|(_, band)| band.lines.len() == 1);
    let mut steps: Vec<f32> = heights
        .filter_map(|(pair, _)| Some(pair.last()? - pair.first()?))
        .collect();
    steps.sort_by(f32::total_cmp);
    (steps.len() >= MIN_STEPS && steps.len() + 1 == bands.len())
        .then(|| steps.get(steps.len() / 2).copied())
        .flatten()
}

/// Whether the lines above the first rule are a header and a row of text: only the header is bold,
/// or their distance equals the distance of rows separated by rules.
fn ends_in_row(band: &Band, words: &[Word<'_>], row_step: Option<f32>) -> bool {
    let (Some((last, header)), Some((line, above))) =
        (band.entries.split_last(), band.lines.split_last())
    else {
        return false;
    };
    let (Some(header), Some(above)) = (header.last(), above.last()) else {
        return false;
    };
    if header.len() < 2 || last.len() < header.len() {
        return false;
    }
    let is_bold = |index: &u32| words.get(*index as usize).is_some_and(|word| word.bold);
    let words_of = |entries: &[Entry]| -> Vec<u32> {
        let words = entries.iter().flat_map(|entry| &entry.words);
        words.copied().collect()
    };
    if words_of(header).iter().all(is_bold) && !words_of(last).iter().any(is_bold) {
        return true;
    }
    let step = line.y - above.y;
    band.lines.len() == 2
        && row_step.is_some_and(|row_step| {
            step > MIN_ROW_STEP_EMS * line.size
                && (step - row_step).abs() < MAX_STEP_DIFFERENCE_SHARE * row_step
        })
}

/// The lines of a band: those in cells of this row only.
fn band(
    grid: &Grid,
    in_span: &[Vec<u32>],
    words: &[Word<'_>],
    columns: Columns<'_>,
    row: usize,
) -> Band {
    let mut band_atoms = Vec::new();
    let first = grid.spans.partition_point(|span| span.row < row);
    for (span, inside) in grid.spans.iter().zip(in_span).skip(first) {
        if span.row > row {
            break;
        }
        if span.row_end == row + 1 {
            band_atoms.extend(atoms(words, inside));
        }
    }
    let lines = lines(band_atoms);
    let entries = wide_entries(&lines, words, columns);
    Band { lines, entries }
}

/// Whether rules separate the rows: nearly all bands are one row each.
fn has_ruled_rows(bands: &[Band]) -> bool {
    let rows = bands.iter().filter(|band| band.is_row()).count();
    rows >= MIN_RULED_ROWS && rows as f32 >= MIN_ROWS * bands.len() as f32
}

/// The boundaries between the rows of a band. `is_ruled` is whether rules separate the rows.
fn row_boundaries(
    band: &Band,
    words: &[Word<'_>],
    bounds: &[f32],
    partial: &[Rule],
    is_ruled: bool,
    is_header: bool,
) -> Vec<f32> {
    if band.lines.len() < 2 {
        return Vec::new();
    }
    let lines = rows::Lines {
        lines: &band.lines,
        entries: &band.entries,
        words,
        bounds,
        partial,
        is_header,
    };
    let starts = if is_ruled && !has_rows_of_values(band) {
        rows::certain_starts(&lines)
    } else {
        rows::starts(&lines)
    };
    starts
        .into_iter()
        .skip(1)
        .filter_map(|start| {
            let (above, below) = (band.lines.get(start - 1)?, band.lines.get(start)?);
            Some((above.y + below.y) / 2.0)
        })
        .collect()
}

/// Whether lines between two rules are rows: values in the same two columns. Lines with one entry
/// continue those above.
fn has_rows_of_values(band: &Band) -> bool {
    let mut pairs = 0;
    let rows: Vec<&Vec<Entry>> = band.entries.iter().filter(|line| line.len() >= 2).collect();
    for pair in rows.windows(2) {
        let [upper, lower] = pair else { continue };
        let shared = upper
            .iter()
            .filter_map(|a| Some((a, lower.iter().find(|b| b.column == a.column)?)));
        let (mut both, mut values, mut numbers) = (0, 0, 0);
        for (a, b) in shared {
            both += 1;
            values += usize::from(a.class.is_value() && b.class.is_value());
            numbers += usize::from(a.class == Class::Number);
        }
        pairs += usize::from(both >= 2 && numbers >= 1 && values * 2 >= both);
    }
    if has_stack_beside_text(&rows) && MAX_LINES_OF_VALUES * rows.len() >= band.lines.len() {
        return true;
    }
    let is_most = 2 * pairs + 1 >= rows.len().saturating_sub(1);
    is_most && pairs > 0 && MAX_LINES_OF_VALUES * rows.len() >= band.lines.len()
}

/// Whether nearly all lines with several entries have a number in the same column.
fn has_stack_beside_text(rows: &[&Vec<Entry>]) -> bool {
    let mut columns: Vec<usize> = (rows.iter().copied().flatten())
        .filter(|entry| entry.column > 0 && entry.class == Class::Number)
        .map(|entry| entry.column)
        .collect();
    columns.sort_unstable();
    let most = columns.chunk_by(|a, b| a == b).map(<[usize]>::len).max();
    rows.len() >= MIN_STACK_LINES
        && most.unwrap_or(0) as f32 >= MIN_STACKED_NUMBERS_SHARE * rows.len() as f32
}

/// Adds the cells of a block of rows and columns that rules enclose.
fn add_block(
    draft: &mut TableDraft,
    block: Span,
    is_row: bool,
    is_column: bool,
    inside: &[u32],
    words: &[Word<'_>],
    columns: Columns<'_>,
) {
    let rows = if is_row { block.row_end - block.row } else { 1 };
    let mut by_row: Vec<Vec<u32>> = vec![Vec::new(); rows];
    for number in inside {
        let Some(word) = words.get(*number as usize) else {
            continue;
        };
        let row = if is_row {
            entries::column_at(
                draft.ys.get(block.row..=block.row_end).unwrap_or_default(),
                word.center().1,
            )
        } else {
            0
        };
        if let Some(row) = by_row.get_mut(row) {
            row.push(*number);
        }
    }
    for (row, chosen) in by_row.into_iter().enumerate() {
        let (row, row_end) = if is_row {
            (block.row + row, block.row + row + 1)
        } else {
            (block.row, block.row_end)
        };
        let span = Span {
            row,
            row_end,
            ..block
        };
        let cells = if columns.bounds.len() > 2 {
            divide(&chosen, words, columns)
        } else {
            Vec::new()
        };
        // Divide a cell that spans columns only where its words are far apart.
        let filled = cells.iter().filter(|cell| !cell.2.is_empty()).count();
        if filled >= if is_column { 0 } else { 2 } && !cells.is_empty() {
            for (from, to, words) in cells {
                draft.push(
                    Span {
                        column: block.column + from,
                        column_end: block.column + to,
                        ..span
                    },
                    words,
                );
            }
        } else {
            draft.push(span, chosen);
        }
    }
}

/// Divides the words of a row by columns. Returns the first column, the column after the last, and
/// the words.
fn divide(
    chosen: &[u32],
    words: &[Word<'_>],
    columns: Columns<'_>,
) -> Vec<(usize, usize, Vec<u32>)> {
    let bounds = columns.bounds;
    let mut cells: Vec<(usize, usize, Vec<u32>)> = Vec::new();
    let entries = wide_entries(&lines(atoms(words, chosen)), words, columns);
    let cell = |entry: Entry| (entry.column, entry.column_end, entry.words);
    cells.extend(entries.into_iter().flatten().map(cell));
    for number in chosen {
        if let Some(word) = words.get(*number as usize).filter(|word| !word.is_level) {
            let column = entries::column_at(bounds, word.center().0);
            cells.push((column, column + 1, vec![*number]));
        }
    }
    cells.sort_by_key(|cell| cell.0);
    // Cells that overlap are one.
    let mut merged: Vec<(usize, usize, Vec<u32>)> = Vec::new();
    for cell in cells {
        match merged.last_mut() {
            Some(last) if cell.0 < last.1 => {
                last.1 = last.1.max(cell.1);
                last.2.extend(cell.2);
            }
            _ => merged.push(cell),
        }
    }
    let mut all = Vec::new();
    let mut next = 0;
    for cell in merged {
        all.extend((next..cell.0).map(|column| (column, column + 1, Vec::new())));
        next = cell.1;
        all.push(cell);
    }
    all.extend((next..bounds.len() - 1).map(|column| (column, column + 1, Vec::new())));
    all
}
