//! Decides whether a draft is a table.

use super::entries::Class;
use super::finish;
use super::structure::Draft;
use super::words::Word;

/// Removes titles above and notes below the cells: rows of one cell across all columns.
pub(super) fn strip(draft: &mut Draft, words: &[Word<'_>]) {
    let columns = draft.xs.len().saturating_sub(1);
    if columns < 2 {
        return;
    }
    loop {
        let rows = draft.ys.len().saturating_sub(1);
        let is_across = |row: usize| {
            let mut cells = draft.cells.iter().filter(|cell| cell.span.row <= row && row < cell.span.row_end);
            match (cells.next(), cells.next()) {
                (Some(cell), None) => Some(cell.words.clone()),
                _ => None,
            }
        };
        if rows <= 2 {
            return;
        }
        if is_across(0).is_some() {
            draft.cells.retain(|cell| cell.span.row_end > 1);
            for cell in &mut draft.cells {
                cell.span.row = cell.span.row.saturating_sub(1);
                cell.span.row_end -= 1;
            }
            draft.ys.remove(0);
        } else if is_across(rows - 1).is_some_and(|words| words.len() > 5) {
            draft.cells.retain(|cell| cell.span.row < rows - 1);
            draft.ys.pop();
        } else {
            return;
        }
    }
}

/// How sure it is that a draft is a table; `None` if it is none.
pub(super) fn sureness(draft: &Draft, words: &[Word<'_>]) -> Option<f32> {
    let filled = draft.cells.iter().filter(|cell| !cell.words.is_empty()).count();
    let rows = draft.ys.len().saturating_sub(1);
    let columns = draft.xs.len().saturating_sub(1);
    if rows < 2 || columns < 2 || filled < 4 {
        return None;
    }
    let share = filled as f32 / draft.cells.len().max(1) as f32;
    if share < 0.35 {
        return None;
    }
    let values = draft
        .cells
        .iter()
        .filter(|cell| !cell.words.is_empty() && finish::class(cell, words) != Class::Text)
        .count() as f32
        / filled as f32;
    if !draft.has_ruled_columns && values < 0.3 {
        return None;
    }
    Some(0.5)
}
