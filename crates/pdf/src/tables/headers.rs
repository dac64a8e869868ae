//! Headers: lines above a region that belong to it, and the number of header rows of a table.

use super::captions;
use super::class::{Class, is_year};
use super::draft::{Cell, TableDraft};
use super::finish;
use super::rules::Rule;
use super::spanning_headers::{Above, MAX_BLANKS};
use super::words::{Atom, TextLine, Word, is_beside_cells};
use crate::model::Rect;

/// The maximum number of lines of a header above a region.
const MAX_LINES: usize = 4;
/// Maximum distance between header lines, and to the region, in ems.
const MAX_STEP_EMS: f32 = 2.4;
/// Minimum indent and maximum width of a line of one atom that is a header of several columns, as
/// shares of the region's width.
const MIN_INDENT_SHARE: f32 = 0.15;
const MAX_WIDTH_SHARE: f32 = 0.7;
/// Maximum distance between the lines of a cell, in ems and as a share of the row distance.
const MAX_STEP_IN_CELL_EMS: f32 = 1.4;
const MAX_STEP_IN_CELL_SHARE: f32 = 0.9;
/// Maximum difference of the edges of these lines, in ems.
const MAX_EDGE_DIFFERENCE_EMS: f32 = 0.2;
/// Maximum number of rows whose headers are widened.
const MAX_WIDENED_ROWS: usize = 50;
/// The maximum mean number of words in the cells of a header.
const MAX_ATOM_WORDS: usize = 5;

/// Whether a line starts a cell that continues in the first line of a region: it is closer than a
/// row would be, aligned with one of its cells, and does not extend over the next cell.
fn goes_on(line: &TextLine, region: &[TextLine]) -> bool {
    let ([atom], [first, second, ..]) = (line.atoms.as_slice(), region) else {
        return false;
    };
    let step = first.y - line.y;
    let near = |a: f32, b: f32| (a - b).abs() < MAX_EDGE_DIFFERENCE_EMS * line.size;
    let place = first.atoms.partition_point(|cell| cell.x2 < atom.x1);
    let next = first
        .atoms
        .get(place + 1)
        .map_or(f32::INFINITY, |next| next.x1);
    let cell = first.atoms.get(place).filter(|_| first.atoms.len() >= 2);
    step < MAX_STEP_IN_CELL_EMS * line.size
        && step < MAX_STEP_IN_CELL_SHARE * (second.y - first.y)
        && atom.x2 + line.size < next
        && cell.is_some_and(|cell| {
            near(cell.x1, atom.x1)
                || near(cell.x2, atom.x2)
                || near(cell.x1 + cell.x2, atom.x1 + atom.x2)
        })
}

/// A region that may have a header above it.
pub(super) struct Below<'a> {
    /// Its first lines.
    pub(super) lines: &'a [TextLine],
    /// Whether rules separate its rows, of which the first one may be above the first rule.
    pub(super) has_ruled_rows: bool,
    pub(super) bbox: Rect,
}

/// The number of lines, counted from the last one, that are the header of the region below them.
pub(super) fn above(
    lines: &[TextLine],
    region: &Below<'_>,
    words: &[Word<'_>],
    rules: &[Rule],
) -> usize {
    let bbox = region.bbox;
    let width = bbox.x2 - bbox.x1;
    let mut y = bbox.y1;
    let mut count = 0;
    let mut rows = 0;
    for (place, line) in lines.iter().enumerate().rev() {
        if rows == MAX_LINES {
            break;
        }
        let first = line.atoms.first().map_or(&[][..], |atom| &atom.words);
        let is_full_rule = |rule: &Rule| {
            let overlap = rule.to.min(bbox.x2) - rule.from.max(bbox.x1);
            (line.y..y - 1.0).contains(&rule.at) && overlap > 0.8 * width && count > 0
        };
        if y - line.y > MAX_STEP_EMS * line.size
            || captions::is_start(first, words)
            || rules.iter().any(is_full_rule)
        {
            break;
        }
        let is_header = match line.atoms.as_slice() {
            [_] if region.has_ruled_rows && is_beside_cells(lines, place) => {
                count += 1;
                y = line.y;
                continue;
            }
            [atom] => {
                atom.x1 - bbox.x1 > MIN_INDENT_SHARE * width
                    && atom.x2 - atom.x1 < MAX_WIDTH_SHARE * width
                    && bbox.x2 + 2.0 >= atom.x2
                    || count == 0 && goes_on(line, region.lines)
            }
            atoms if is_wordy(atoms) => false,
            _ => line.x1() >= bbox.x1 - line.size && line.x2() <= bbox.x2 + line.size,
        };
        if !is_header {
            break;
        }
        count += 1;
        rows += 1;
        y = line.y;
    }
    count
}

/// Whether a line is running text in several columns.
fn is_wordy(atoms: &[Atom]) -> bool {
    let words: usize = atoms.iter().map(|atom| atom.words.len()).sum();
    words > MAX_ATOM_WORDS * atoms.len()
}

/// The number of header rows of a table.
pub(super) fn count(draft: &TableDraft, words: &[Word<'_>]) -> usize {
    let rows = draft.ys.len().saturating_sub(1);
    let mut kinds = vec![RowKind::default(); rows];
    for cell in draft.cells.iter().filter(|cell| !cell.words.is_empty()) {
        let Some(kind) = kinds.get_mut(cell.span.row) else {
            continue;
        };
        let class = finish::class(cell, words);
        let bold = cell
            .words
            .iter()
            .filter_map(|place| words.get(*place as usize))
            .all(|word| word.bold);
        kind.cells += 1;
        kind.bold += usize::from(bold);
        kind.has_bold_key |= bold && cell.span.column == 0;
        if cell.span.column > 0 {
            kind.others += 1;
            kind.values += usize::from(class.is_value());
            kind.numbers += usize::from(class == Class::Number);
            kind.years += usize::from(is_year(&finish::text(&cell.words, words)));
        }
    }
    let has_values = |kind: &RowKind| kind.numbers > kind.years;
    let has_later_values = kinds.iter().skip(1).any(has_values);
    // Years and a word such as `Change` are the header of rows with other numbers.
    let is_of_years = |row: usize, kind: &RowKind| {
        row == 0 && kind.years > 1 && !has_values(kind) && has_later_values
    };
    let is_body = |(row, kind): (usize, &RowKind)| {
        kind.numbers > 0
            && 2 * kind.values >= kind.others
            && kind.years < kind.others
            && !is_of_years(row, kind)
    };
    // The bold names of values are the header of their rows.
    let is_of_key = |kind: &RowKind| kind.has_bold_key && kind.cells == 2 && kind.bold == 1;
    if draft.xs.len() == 3 && rows > 1 && kinds.iter().all(is_of_key) {
        return 0;
    }
    let is_bold = |kind: &RowKind| kind.cells > 0 && kind.bold == kind.cells;
    match kinds.iter().enumerate().position(is_body) {
        Some(0) => {
            usize::from(kinds.first().is_some_and(is_bold) && !kinds.get(1).is_some_and(is_bold))
        }
        Some(first) => {
            // Group headings with nothing beside them belong to the body.
            let headings = kinds.get(..first).unwrap_or_default().iter().rev();
            let headings = headings
                .take_while(|kind| kind.others == 0 && kind.cells > 0)
                .count();
            (first - headings).max(1)
        }
        None => kinds
            .iter()
            .take_while(|kind| is_bold(kind))
            .count()
            .clamp(1, rows.saturating_sub(1).max(1)),
    }
}

/// Whether all cells of the first row are bold, and none of the others.
pub(super) fn has_bold_first_row(draft: &TableDraft, words: &[Word<'_>]) -> bool {
    draft.cells.iter().all(|cell| {
        let mut words = cell
            .words
            .iter()
            .filter_map(|place| words.get(*place as usize));
        words.all(|word| word.bold == (cell.span.row == 0))
    })
}

/// Counts the cells of a row by kind. Only `cells` and `bold` include the first column.
#[derive(Clone, Default)]
struct RowKind {
    cells: usize,
    bold: usize,
    has_bold_key: bool,
    others: usize,
    values: usize,
    numbers: usize,
    years: usize,
}

/// Joins the cells of the first column in a header of several rows: they are the header of that
/// column. Without a header over several columns, only blank cells are joined.
pub(super) fn join_stub(draft: &mut TableDraft, header_rows: usize) {
    let in_header = |cell: &Cell| cell.span.row_end <= header_rows;
    let has_wide = (draft.cells.iter())
        .any(|cell| in_header(cell) && cell.span.column_end - cell.span.column > 1);
    let is_stub =
        |cell: &Cell| in_header(cell) && cell.span.column == 0 && cell.span.column_end == 1;
    let mut stubs: Vec<usize> = Vec::new();
    let mut filled = 0;
    let mut row = 0;
    for (place, cell) in draft.cells.iter().enumerate() {
        if is_stub(cell) && cell.span.row == row {
            stubs.push(place);
            filled += usize::from(!cell.words.is_empty());
            row = cell.span.row_end;
        }
    }
    let [first, rest @ ..] = stubs.as_slice() else {
        return;
    };
    if rest.is_empty() || filled > 1 && !has_wide {
        return;
    }
    let mut added: Vec<u32> = Vec::new();
    let mut bottom = 0.0;
    for cell in rest.iter().filter_map(|place| draft.cells.get(*place)) {
        added.extend(&cell.words);
        bottom = cell.bbox.y2;
    }
    if let Some(cell) = draft.cells.get_mut(*first) {
        cell.words.extend(added);
        cell.span.row_end = row;
        cell.bbox.y2 = bottom;
    }
    let mut place = 0;
    draft.cells.retain(|_| {
        place += 1;
        rest.binary_search(&(place - 1)).is_err()
    });
}

/// Widens group headers at the left or in the middle of their columns: at least two in a row, each
/// with the same number of blank cells beside it, and column headers below.
pub(super) fn widen_groups(draft: &mut TableDraft, header_rows: usize) {
    let columns = draft.xs.len().saturating_sub(1);
    for row in 0..header_rows.saturating_sub(1).min(MAX_WIDENED_ROWS) {
        let Some((upper, width)) = groups(draft, row, columns) else {
            continue;
        };
        let mut removed: Vec<usize> = Vec::new();
        for group in upper.chunks(width) {
            let cells = || group.iter().filter_map(|place| draft.cells.get(*place));
            let start = cells().next().map(|cell| (cell.span.column, cell.bbox.x1));
            let end = cells()
                .next_back()
                .map(|cell| (cell.span.column_end, cell.bbox.x2));
            let filled = group.iter().position(|place| {
                let cell = draft.cells.get(*place);
                cell.is_some_and(|cell| !cell.words.is_empty())
            });
            let header = filled.and_then(|filled| draft.cells.get_mut(*group.get(filled)?));
            if let (Some(header), Some(start), Some(end)) = (header, start, end) {
                (header.span.column, header.bbox.x1) = start;
                (header.span.column_end, header.bbox.x2) = end;
                let others = (0..).zip(group).filter(|(place, _)| Some(*place) != filled);
                removed.extend(others.map(|(_, cell)| *cell));
            }
        }
        let mut place = 0;
        draft.cells.retain(|_| {
            place += 1;
            removed.binary_search(&(place - 1)).is_err()
        });
    }
}

/// Widens headers that are neither centered above nor aligned with the header below, but are
/// centered above it and its neighbors, if these have blank cells above.
pub(super) fn widen_centered(draft: &mut TableDraft, header_rows: usize, words: &[Word<'_>]) {
    for row in 0..header_rows.saturating_sub(1).min(MAX_WIDENED_ROWS) {
        let below = extents(draft, row + 1, words);
        let of_row = |cell: &Cell| cell.span.row == row && cell.span.row_end == row + 1;
        let places: Vec<usize> = (draft.cells.iter().enumerate())
            .filter(|(_, cell)| of_row(cell))
            .map(|(place, _)| place)
            .collect();
        let mut removed: Vec<usize> = Vec::new();
        for (index, place) in places.iter().enumerate() {
            let Some(cell) = draft.cells.get(*place) else {
                continue;
            };
            let word = cell
                .words
                .first()
                .and_then(|word| words.get(*word as usize));
            let Some((extent, word)) = extent(&cell.words, words).zip(word) else {
                continue;
            };
            let is_blank = |place: &&usize| {
                let cell = draft.cells.get(**place);
                let is_blank = |cell: &Cell| {
                    let span = cell.span;
                    cell.words.is_empty() && span.column > 0 && span.column_end == span.column + 1
                };
                cell.is_some_and(is_blank) && removed.binary_search(place).is_err()
            };
            let blanks = |places: &mut dyn Iterator<Item = &usize>| -> Vec<usize> {
                places
                    .take_while(is_blank)
                    .take(MAX_BLANKS)
                    .copied()
                    .collect()
            };
            let before = blanks(&mut places.get(..index).unwrap_or_default().iter().rev());
            let after = blanks(&mut places.get(index + 1..).unwrap_or_default().iter());
            let above = Above {
                columns: cell.span.column..cell.span.column_end,
                extent,
                size: word.size,
                blanks: (before.len(), after.len()),
                bounds: &draft.xs,
                below: &below,
            };
            let Some((left, right)) = above.covered_cells() else {
                continue;
            };
            let taken = before
                .iter()
                .take(left)
                .rev()
                .chain(after.iter().take(right));
            let taken: Vec<usize> = taken.copied().collect();
            for blank in &taken {
                let Some(blank) = draft.cells.get(*blank).cloned() else {
                    continue;
                };
                if let Some(cell) = draft.cells.get_mut(*place) {
                    cell.span.column = cell.span.column.min(blank.span.column);
                    cell.span.column_end = cell.span.column_end.max(blank.span.column_end);
                    cell.bbox.x1 = cell.bbox.x1.min(blank.bbox.x1);
                    cell.bbox.x2 = cell.bbox.x2.max(blank.bbox.x2);
                }
            }
            removed.extend(taken);
        }
        let mut place = 0;
        draft.cells.retain(|_| {
            place += 1;
            removed.binary_search(&(place - 1)).is_err()
        });
    }
}

/// The extents of the texts in a row by column.
fn extents(draft: &TableDraft, row: usize, words: &[Word<'_>]) -> Vec<Option<(f32, f32)>> {
    let mut extents = vec![None; draft.xs.len().saturating_sub(1)];
    for cell in draft.cells.iter().filter(|cell| cell.span.row == row) {
        let own = extents.get_mut(cell.span.column..cell.span.column_end);
        own.unwrap_or_default().fill(extent(&cell.words, words));
    }
    extents
}

fn extent(places: &[u32], words: &[Word<'_>]) -> Option<(f32, f32)> {
    let words = places.iter().filter_map(|place| words.get(*place as usize));
    let extents = words.map(|word| (word.bbox.x1, word.bbox.x2));
    extents.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The cells of a row of group headers, except in the first column, and the number of columns per
/// group.
fn groups(draft: &TableDraft, row: usize, columns: usize) -> Option<(Vec<usize>, usize)> {
    let of_row = |row: usize| -> Vec<usize> {
        let is_single = |cell: &Cell| {
            let span = cell.span;
            span.row == row
                && span.row_end == row + 1
                && span.column > 0
                && span.column_end == span.column + 1
        };
        let cells = draft.cells.iter().enumerate();
        let places = cells.filter(|(_, cell)| is_single(cell));
        places.map(|(place, _)| place).collect()
    };
    let is_filled = |place: &usize| {
        let cell = draft.cells.get(*place);
        cell.is_some_and(|cell| !cell.words.is_empty())
    };
    let (upper, lower) = (of_row(row), of_row(row + 1));
    let count = upper.iter().filter(|place| is_filled(place)).count();
    let others = columns.saturating_sub(1);
    if count < 2 || !others.is_multiple_of(count) || upper.len() != others || lower.len() != others
    {
        return None;
    }
    let width = others / count;
    let is_regular = |at: usize| {
        let mut cells = upper.iter().enumerate();
        cells.all(|(place, cell)| is_filled(cell) == (place % width == at))
    };
    let is_middle = width % 2 == 1 && is_regular(width / 2);
    (width > 1 && (is_regular(0) || is_middle) && lower.iter().all(is_filled))
        .then_some((upper, width))
}
