//! Turns drafts into tables: without empty rows and columns, and with the text of cells.

use unicode_bidi::{BidiClass, bidi_class};

use super::class::Class;
use super::draft::{Cell, TableDraft};
use super::frame::Frame;
use super::scripts;
use super::words::Word;
use crate::model::{StructureMark, StructureMarkKind, Table, TableCell, TextWithScripts};

/// Maximum vertical distance of words on one line of a cell, in ems.
const SAME_LINE_EMS: f32 = 0.4;

/// Removes rows and columns without text. Returns the share of the width of the removed columns.
pub(super) fn compact(draft: &mut TableDraft) -> f32 {
    compact_but(draft, f32::INFINITY)
}

/// Like [`compact`], but keeps columns without text from this width on, if no cell spans them.
pub(super) fn compact_but(draft: &mut TableDraft, kept_width: f32) -> f32 {
    let rows = draft.ys.len().saturating_sub(1);
    let columns = draft.xs.len().saturating_sub(1);
    let (mut has_row, mut has_column) = (vec![false; rows], vec![false; columns]);
    for cell in draft.cells.iter().filter(|cell| !cell.words.is_empty()) {
        // A cell that spans rows or columns keeps only one of them.
        let is_seen = |list: &[bool], from: usize, to: usize| {
            list.get(from..to).is_some_and(|part| part.contains(&true))
        };
        let span = cell.span;
        if span.row_end - span.row == 1 || !is_seen(&has_row, span.row, span.row_end) {
            mark(&mut has_row, span.row);
        }
        if span.column_end - span.column == 1 || !is_seen(&has_column, span.column, span.column_end)
        {
            mark(&mut has_column, span.column);
        }
    }
    let is_wide = |pair: &[f32]| matches!(pair, [left, right] if right - left >= kept_width);
    let mut is_kept: Vec<bool> = draft.xs.windows(2).map(is_wide).collect();
    for span in draft.cells.iter().map(|cell| cell.span) {
        if span.column_end - span.column > 1 {
            let own = is_kept.get_mut(span.column..span.column_end);
            own.unwrap_or_default().fill(false);
        }
    }
    for (has_text, is_kept) in has_column.iter_mut().zip(is_kept) {
        *has_text |= is_kept;
    }
    let bbox = draft.bbox();
    let widths = draft.xs.windows(2).zip(&has_column);
    let blank: f32 = (widths.filter(|(_, has_text)| !**has_text))
        .map(|(pair, _)| pair.last().unwrap_or(&0.0) - pair.first().unwrap_or(&0.0))
        .sum();
    let rows = kept(&has_row);
    let columns = kept(&has_column);
    let at = |map: &[usize], index: usize| map.get(index).copied().unwrap_or_default();
    for cell in &mut draft.cells {
        cell.span.row = at(&rows, cell.span.row);
        cell.span.row_end = at(&rows, cell.span.row_end);
        cell.span.column = at(&columns, cell.span.column);
        cell.span.column_end = at(&columns, cell.span.column_end);
    }
    draft.cells.retain(|cell| {
        cell.span.row < cell.span.row_end && cell.span.column < cell.span.column_end
    });
    squeeze(&mut draft.ys, &has_row);
    squeeze(&mut draft.xs, &has_column);
    blank / (bbox.x2 - bbox.x1).max(1.0)
}

/// Reverses the columns if most cells with letters are written from right to left.
pub(super) fn order_columns(draft: &mut TableDraft, words: &[Word<'_>]) {
    let (mut left, mut right) = (0, 0);
    for cell in &draft.cells {
        let texts = cell
            .words
            .iter()
            .filter_map(|index| words.get(*index as usize));
        let classes = texts.flat_map(|word| word.text.chars()).map(bidi_class);
        let mut letters =
            classes.filter(|class| matches!(class, BidiClass::L | BidiClass::R | BidiClass::AL));
        match letters.next() {
            Some(BidiClass::L) => left += 1,
            Some(_) => right += 1,
            None => {}
        }
    }
    if right <= left {
        return;
    }
    let columns = draft.xs.len().saturating_sub(1);
    for cell in &mut draft.cells {
        let span = &mut cell.span;
        (span.column, span.column_end) = (columns - span.column_end, columns - span.column);
    }
    draft
        .cells
        .sort_by_key(|cell| (cell.span.row, cell.span.column));
}

fn mark(list: &mut [bool], index: usize) {
    if let Some(entry) = list.get_mut(index) {
        *entry = true;
    }
}

/// For each boundary, the number of kept rows or columns before it.
fn kept(has: &[bool]) -> Vec<usize> {
    let mut count = 0;
    let mut map = vec![0];
    for has in has {
        count += usize::from(*has);
        map.push(count);
    }
    map
}

/// Removes the boundaries after rows or columns that are not kept.
fn squeeze(bounds: &mut Vec<f32>, has: &[bool]) {
    let last = bounds.last().copied();
    let mut index = 0;
    bounds.retain(|_| {
        index += 1;
        has.get(index - 1).copied().unwrap_or(false)
    });
    bounds.extend(last);
}

/// The text of a cell: its lines from the top, separated by line feeds.
pub(super) fn text(indexes: &[u32], words: &[Word<'_>]) -> String {
    with_scripts(indexes, words).text
}

/// Like [`text`], with superscripts and subscripts.
pub(super) fn with_scripts(indexes: &[u32], words: &[Word<'_>]) -> TextWithScripts {
    // Parts of one line of the layout stay together, in reading order, which is that of the words.
    let mut indexes = indexes.to_vec();
    indexes.sort_unstable();
    let inside: Vec<&Word<'_>> = indexes
        .iter()
        .filter_map(|index| words.get(*index as usize))
        .collect();
    let mut parts: Vec<(f32, f32, f32, &[&Word<'_>])> = Vec::new();
    for part in inside.chunk_by(|a, b| a.line == b.line) {
        let Some(first) = part.first() else { continue };
        let y = part.iter().map(|word| word.center().1).sum::<f32>() / part.len() as f32;
        let left = part
            .iter()
            .map(|word| word.bbox.x1)
            .fold(f32::INFINITY, f32::min);
        parts.push((y, left, first.size, part));
    }
    if inside.iter().all(|word| word.is_level) {
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let mut written = TextWithScripts::default();
    let lines = parts.chunk_by_mut(|a, b| (b.0 - a.0).abs() <= SAME_LINE_EMS * a.2.min(b.2));
    for line in lines {
        if !written.text.is_empty() {
            written.text.push('\n');
        }
        line.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut last = None;
        for word in line.iter().flat_map(|part| part.3) {
            scripts::append(&mut written, last, word);
            last = Some(*word);
        }
    }
    written
}

/// The class of a cell. A letter with an index is a name.
pub(super) fn class(cell: &Cell, words: &[Word<'_>]) -> Class {
    let written = with_scripts(&cell.words, words);
    let is_index = |mark: &StructureMark| mark.kind == StructureMarkKind::Subscript;
    if written.text.starts_with(char::is_alphabetic) && written.marks.iter().any(is_index) {
        return Class::Text;
    }
    Class::of(&written.text)
}

/// The table of a draft.
pub(super) fn table(draft: &TableDraft, words: &[Word<'_>], frame: Frame) -> Table {
    let rows = draft.ys.len().saturating_sub(1);
    let columns = draft.xs.len().saturating_sub(1);
    let mut table = Table {
        rows: vec![vec![None; columns]; rows],
        ..Table::default()
    };
    for cell in &draft.cells {
        let written = with_scripts(&cell.words, words);
        let scripts = (!written.marks.is_empty()).then(|| Box::new(written.clone()));
        if let Some(value) = table
            .rows
            .get_mut(cell.span.row)
            .and_then(|row| row.get_mut(cell.span.column))
        {
            *value = Some(scripts::plain(written));
        }
        table.cells.push(TableCell {
            row: cell.span.row as u32,
            column: cell.span.column as u32,
            row_span: (cell.span.row_end - cell.span.row) as u32,
            column_span: (cell.span.column_end - cell.span.column) as u32,
            bbox: frame.on_page(cell.bbox),
            scripts,
        });
    }
    table.bbox = frame.on_page(draft.bbox());
    table
}
