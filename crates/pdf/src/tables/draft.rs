//! A table in the making: its cells with their words.

use super::grid::{Span, outline};
use crate::model::{Rect, TableKind};

/// A cell with the words in it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) span: Span,
    /// Indexes of words.
    pub(super) words: Vec<u32>,
    pub(super) bbox: Rect,
}

/// The source of a region's outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutlineSource {
    Lines,
    /// Lines and the edges of filled areas.
    Areas,
    Spaces,
}

/// A table with the words of its cells.
#[derive(Clone, Debug)]
pub(super) struct TableDraft {
    pub(super) xs: Vec<f32>,
    pub(super) ys: Vec<f32>,
    /// Cells that do not overlap, row by row.
    pub(super) cells: Vec<Cell>,
    /// Whether white space separates some columns, or some rows.
    pub(super) has_spaced_columns: bool,
    pub(super) has_spaced_rows: bool,
    /// Whether rules separate any of the columns.
    pub(super) has_ruled_columns: bool,
    /// Whether a rule over all columns is below the first row.
    pub(super) has_ruled_header: bool,
}

impl TableDraft {
    pub(super) fn bbox(&self) -> Rect {
        outline(&self.xs, &self.ys)
    }

    /// How it was found.
    pub(super) fn kind(&self, source: OutlineSource) -> TableKind {
        match (
            source != OutlineSource::Spaces,
            self.has_ruled_columns,
            self.has_spaced_columns,
            self.has_spaced_rows,
        ) {
            (false, ..) => TableKind::Spaced,
            (true, true, false, false) => TableKind::Ruled,
            _ => TableKind::HalfRuled,
        }
    }

    pub(super) fn push(&mut self, span: Span, words: Vec<u32>) {
        let at = |list: &[f32], index: usize| list.get(index).copied().unwrap_or_default();
        let bbox = Rect {
            x1: at(&self.xs, span.column),
            y1: at(&self.ys, span.row),
            x2: at(&self.xs, span.column_end),
            y2: at(&self.ys, span.row_end),
        };
        self.cells.push(Cell { span, words, bbox });
    }
}
