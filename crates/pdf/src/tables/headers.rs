//! Headers: lines above a region that belong to it, and the number of header rows of a table.

use super::captions;
use super::entries::Class;
use super::finish;
use super::rules::Rule;
use super::structure::Draft;
use super::words::{TextLine, Word};
use crate::model::Rect;

/// The maximum number of lines of a header above a region.
const MAX_LINES: usize = 4;
/// The maximum distance between them, and to the region, in ems.
const MAX_STEP_EMS: f32 = 2.4;
/// A line of one atom is a header of several columns if it starts this far into the region, and is
/// at most this wide, as shares of the region's width.
const MIN_INDENT: f32 = 0.15;
const MAX_WIDTH: f32 = 0.7;

/// The number of lines, counted from the last one, that are the header of the region below them.
pub(super) fn above(lines: &[TextLine], words: &[Word<'_>], rules: &[Rule], bbox: Rect) -> usize {
    let width = bbox.x2 - bbox.x1;
    let mut y = bbox.y1;
    let mut count = 0;
    for line in lines.iter().rev().take(MAX_LINES) {
        let first = line.atoms.first().map_or(&[][..], |atom| &atom.words);
        let is_full_rule = |rule: &Rule| {
            (line.y..y - 1.0).contains(&rule.at) && rule.to - rule.from > 0.8 * width && count > 0
        };
        if y - line.y > MAX_STEP_EMS * line.size
            || captions::is_start(first, words)
            || rules.iter().any(is_full_rule)
        {
            break;
        }
        let is_header = match line.atoms.as_slice() {
            [atom] => {
                atom.x1 - bbox.x1 > MIN_INDENT * width
                    && atom.x2 - atom.x1 < MAX_WIDTH * width
                    && bbox.x2 + 2.0 >= atom.x2
            }
            _ => line.x1() >= bbox.x1 - line.size && line.x2() <= bbox.x2 + line.size,
        };
        if !is_header {
            break;
        }
        count += 1;
        y = line.y;
    }
    count
}

/// The number of header rows of a table.
pub(super) fn count(draft: &Draft, words: &[Word<'_>]) -> usize {
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
        if cell.span.column > 0 {
            kind.others += 1;
            kind.values += usize::from(class.is_value());
            kind.numbers += usize::from(class == Class::Number);
            kind.years += usize::from(is_year(&finish::text(&cell.words, words)));
        }
    }
    let is_body = |kind: &RowKind| {
        kind.numbers > 0 && 2 * kind.values >= kind.others && kind.years < kind.others
    };
    let is_bold = |kind: &RowKind| kind.cells > 0 && kind.bold == kind.cells;
    match kinds.iter().position(is_body) {
        Some(0) => {
            usize::from(kinds.first().is_some_and(is_bold) && !kinds.get(1).is_some_and(is_bold))
        }
        Some(first) => {
            // Headings of groups, with nothing beside them, belong to the body.
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

/// What the cells of a row are; the first column aside, apart from the first two counts.
#[derive(Clone, Default)]
struct RowKind {
    cells: usize,
    bold: usize,
    others: usize,
    values: usize,
    numbers: usize,
    years: usize,
}

fn is_year(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    matches!(digits.get(..2), Some([1, 8 | 9] | [2, 0])) && digits.len() >= 4
}

/// Joins the cells of the first column in the header, if the header has several rows: they are the
/// header of that column.
pub(super) fn join_stub(draft: &mut Draft, header_rows: usize) {
    let is_stub = |cell: &super::structure::Cell| {
        cell.span.column == 0 && cell.span.column_end == 1 && cell.span.row_end <= header_rows
    };
    let stubs: Vec<usize> = (0..draft.cells.len())
        .filter(|place| draft.cells.get(*place).is_some_and(is_stub))
        .collect();
    let [first, rest @ ..] = stubs.as_slice() else {
        return;
    };
    if rest.is_empty() {
        return;
    }
    let mut added = Vec::new();
    let (mut row_end, mut bottom) = (0, 0.0);
    for place in rest {
        if let Some(cell) = draft.cells.get_mut(*place) {
            added.append(&mut cell.words);
            (row_end, bottom) = (cell.span.row_end, cell.bbox.y2);
        }
    }
    if let Some(cell) = draft.cells.get_mut(*first) {
        cell.words.extend(added);
        cell.span.row_end = row_end;
        cell.bbox.y2 = bottom;
    }
    let first = *first;
    let mut place = 0;
    draft.cells.retain(|cell| {
        place += 1;
        place - 1 == first || cell.span.column > 0 || cell.span.row >= row_end
    });
}
