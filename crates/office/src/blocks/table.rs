//! Cells that are merged down the rows of a table.

/// Maximum number of tracked columns, to bound the memory.
const MAX_COLUMNS: usize = 4096;

/// The place in an open table.
#[derive(Debug, Default)]
pub struct Grid {
    /// The number of rows so far, including the open row.
    rows: usize,
    /// The number of cells of the open row.
    cells: usize,
    /// The column of the next cell.
    column: usize,
    /// The row and index of the last cell that starts in each column.
    starts: Vec<Option<(usize, usize)>>,
}

impl Grid {
    pub fn open_row(&mut self) {
        self.rows += 1;
        self.cells = 0;
        self.column = 0;
    }

    /// Starts a cell in the open row.
    pub fn open_cell(&mut self, columns: u16) {
        let place = (self.rows.saturating_sub(1), self.cells);
        if self.column < MAX_COLUMNS {
            if self.starts.len() <= self.column {
                self.starts.resize(self.column + 1, None);
            }
            if let Some(start) = self.starts.get_mut(self.column) {
                *start = Some(place);
            }
        }
        self.cells += 1;
        self.column += usize::from(columns);
    }

    /// Continues the cell above. Returns its row and index.
    pub fn continue_cell(&mut self, columns: u16) -> Option<(usize, usize)> {
        let place = self.starts.get(self.column).copied().flatten();
        self.column += usize::from(columns);
        place
    }
}
