//! The columns of tables. A cell of the text follows as many tabs as columns precede it in its row,
//! so that empty cells, `colspan` and `rowspan` do not shift the cells after them.

use super::markers::integer;
use crate::events::Element;

/// Maximum of `colspan`, as in the HTML standard.
const MAX_COLUMN_SPAN: usize = 1000;
/// Columns beyond this one are not tracked for `rowspan`, which bounds the memory.
const MAX_TRACKED_COLUMNS: usize = 4096;
/// Maximum number of empty cells written on a page. Beyond it, tables are written like layout.
/// Spans would otherwise multiply the size of hostile pages.
const MAX_EMPTY_CELLS: usize = 1 << 18;

/// The open tables, the innermost last.
#[derive(Debug, Default)]
pub struct Tables {
    open: Vec<Table>,
    /// The number of empty cells written or skipped.
    empty_cells: usize,
}

/// Whether the columns of a table have a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    /// No row has several cells with text so far.
    #[default]
    Unknown,
    Grid,
    /// Some cell consists of several paragraphs, so the table only serves the layout.
    Layout,
}

#[derive(Debug, Default)]
struct Table {
    form: Form,
    /// The number of rows so far, including the open one.
    row: usize,
    /// The column of the last cell of the row.
    cell: Option<usize>,
    /// The column after `cell`.
    next: usize,
    /// The column of the last cell with text in the row.
    written: Option<usize>,
    /// Whether any cell has text.
    has_text: bool,
    /// For each column, the first row that cells from above do not reach.
    reached: Vec<usize>,
    /// Empty cells at the start of lines, which are written once the table turns out to be a grid.
    indents: Indents,
}

impl Tables {
    pub fn open(&mut self) {
        // A table inside another one means that the outer one is layout.
        if let Some(outer) = self.open.last_mut() {
            outer.become_layout();
        }
        self.open.push(Table::default());
    }

    pub fn close(&mut self) {
        self.open.pop();
    }

    /// A group of rows opens. Cells do not span several groups.
    #[inline]
    pub fn open_group(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.reached.clear();
        }
    }

    #[inline]
    pub fn open_row(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.row += 1;
            table.cell = None;
            table.next = 0;
            table.written = None;
        }
    }

    #[inline]
    pub fn open_cell(&mut self, element: &Element<'_>) {
        let Some(table) = self.open.last_mut() else {
            return;
        };
        if table.form == Form::Layout {
            return;
        }
        while table
            .reached
            .get(table.next)
            .is_some_and(|row| *row > table.row)
        {
            table.next += 1;
            self.empty_cells += 1;
        }
        if self.empty_cells > MAX_EMPTY_CELLS {
            table.become_layout();
        }
        let start = table.next;
        table.cell = Some(start);
        let columns = span(element, "colspan").clamp(1, MAX_COLUMN_SPAN);
        table.next += columns;
        let rows = span(element, "rowspan");
        if rows != 1 {
            table.reach(start, rows);
        }
    }

    /// Starts a paragraph, whose text comes next.
    #[inline]
    pub fn paragraph(&mut self, at: usize) {
        let Some(table) = self.open.last_mut() else {
            return;
        };
        // The caption is outside the rows.
        let Some(cell) = table.cell else {
            return;
        };
        if table.has_text {
            table.become_layout();
        }
        table.has_text = true;
        table.written = Some(cell);
        if table.form != Form::Layout {
            table.indents.push(at, cell);
        }
    }

    /// Marks the innermost table as layout, because a cell has several blocks.
    pub fn become_layout(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.become_layout();
        }
    }

    /// The number of tabs between the last cell with text and this one, which is in the same row.
    pub fn tabs(&mut self) -> usize {
        let Some(table) = self.open.last_mut() else {
            return 1;
        };
        let (Some(cell), Some(written)) = (table.cell, table.written) else {
            return 1;
        };
        if table.form == Form::Layout || cell <= written {
            return 1;
        }
        table.form = Form::Grid;
        table.written = Some(cell);
        let empty = cell - written - 1;
        self.spend(empty) + 1
    }

    /// The number of tabs at the start of a line, which is the first in its row or follows a line
    /// break. They may turn out to be necessary later, so the start of the line is remembered.
    #[inline]
    pub fn tabs_of_line(&mut self, at: usize) -> usize {
        let Some(table) = self.open.last_mut() else {
            return 0;
        };
        let Some(cell) = table.cell else {
            return 0;
        };
        table.written = Some(cell);
        table.has_text = true;
        match table.form {
            Form::Layout => 0,
            Form::Grid => self.spend(cell),
            Form::Unknown => {
                table.indents.push(at, cell);
                0
            }
        }
    }

    /// The tabs to insert now that the table is known to be a grid.
    pub fn take_indents(&mut self) -> Option<Indents> {
        let table = self.open.last_mut()?;
        if table.form != Form::Grid || table.indents.0.is_empty() {
            return None;
        }
        let indents = std::mem::take(&mut table.indents);
        let total = indents.total();
        (self.spend(total) == total).then_some(indents)
    }

    /// Counts empty cells, and returns how many may be written: all of them or none.
    fn spend(&mut self, cells: usize) -> usize {
        let sum = self.empty_cells.saturating_add(cells);
        if sum > MAX_EMPTY_CELLS {
            self.become_layout();
            return 0;
        }
        self.empty_cells = sum;
        cells
    }
}

impl Table {
    fn become_layout(&mut self) {
        self.form = Form::Layout;
        self.has_text = true;
        self.indents = Indents::default();
        self.reached = Vec::new();
    }

    /// Marks the columns of the last cell as used in the rows below; 0 means all rows of the group.
    #[cold]
    fn reach(&mut self, start: usize, rows: usize) {
        let until = match rows {
            0 => usize::MAX,
            rows => self.row.saturating_add(rows),
        };
        let end = self.next.min(MAX_TRACKED_COLUMNS);
        if self.reached.len() < end {
            self.reached.resize(end, 0);
        }
        for column in self.reached.get_mut(start..end).unwrap_or_default() {
            *column = until;
        }
    }
}

/// The value of `colspan` or `rowspan`.
#[inline]
fn span(element: &Element<'_>, name: &str) -> usize {
    let Some(value) = element.attribute(name) else {
        return 1;
    };
    integer(&value).map_or(1, |value| usize::try_from(value).unwrap_or(1))
}

/// Tabs to insert, by position in the text: each with the number of tabs up to it.
#[derive(Debug, Default)]
pub struct Indents(Vec<(usize, usize)>);

impl Indents {
    fn push(&mut self, at: usize, tabs: usize) {
        if tabs > 0 {
            self.0.push((at, self.total().saturating_add(tabs)));
        }
    }

    fn total(&self) -> usize {
        self.0.last().map_or(0, |(_, total)| *total)
    }

    /// The new place of a position that was at or after the start of the word at an indent.
    pub fn moved(&self, position: usize) -> usize {
        let count = self.0.partition_point(|(at, _)| *at <= position);
        let added = count.checked_sub(1).and_then(|last| self.0.get(last));
        position + added.map_or(0, |(_, total)| *total)
    }

    /// Inserts the tabs.
    pub fn insert(&self, text: &mut String) {
        let Some((first, _)) = self.0.first() else {
            return;
        };
        let rest = text.get(*first..).unwrap_or_default().to_owned();
        text.truncate(*first);
        let mut copied = 0;
        let mut before = 0;
        for (at, total) in &self.0 {
            text.push_str(rest.get(copied..at - first).unwrap_or_default());
            copied = at - first;
            text.extend(std::iter::repeat_n('\t', total - before));
            before = *total;
        }
        text.push_str(rest.get(copied..).unwrap_or_default());
    }
}
