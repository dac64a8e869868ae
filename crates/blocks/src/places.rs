//! The places of the cells of a table in a grid.

use std::ops::Range;

use crate::block::{Cell, Table};

/// The places of a table.
#[derive(Debug, Default)]
pub struct Places<'a> {
    /// The cell of each place; `None` where a cell above or to the left continues. Rows may have
    /// different lengths.
    pub rows: Vec<Vec<Option<&'a Cell>>>,
    /// The number of the first row whose spans were ignored.
    pub first_ignored: Option<usize>,
}

/// Returns the cells of a table in their places. Spans are ignored once they cover more than a
/// number of places.
pub fn places(table: &Table, max_covered: usize) -> Places<'_> {
    let mut found = Places::default();
    let mut covered = Covered {
        until: Vec::new(),
        remaining: max_covered,
    };
    for (row, cells) in table.rows.iter().enumerate() {
        let mut places = Vec::with_capacity(cells.len());
        for cell in cells {
            covered.skip(row, &mut places);
            let mut columns = usize::from(cell.columns.max(1));
            let mut rows = usize::from(cell.rows);
            if covered.remaining < columns {
                (columns, rows) = (1, 1);
                found.first_ignored.get_or_insert(row + 1);
            }
            covered.remaining -= columns - 1;
            let start = places.len();
            places.push(Some(cell));
            places.resize(start + columns, None);
            if rows > 1 {
                covered.add(start..start + columns, row + rows);
            }
        }
        covered.skip(row, &mut places);
        found.rows.push(places);
    }
    if covered.remaining == 0 {
        found.first_ignored.get_or_insert(found.rows.len());
    }
    found
}

/// The places that cells of the rows above cover.
struct Covered {
    /// For each column, the first row that is not covered.
    until: Vec<usize>,
    /// The number of places that may still be covered.
    remaining: usize,
}

impl Covered {
    fn add(&mut self, columns: Range<usize>, until: usize) {
        if self.until.len() < columns.end {
            self.until.resize(columns.end, 0);
        }
        self.until.get_mut(columns).unwrap_or_default().fill(until);
    }

    /// Appends `None` for the places of a row that cells above cover.
    fn skip(&mut self, row: usize, places: &mut Vec<Option<&Cell>>) {
        while self.remaining > 0
            && self
                .until
                .get(places.len())
                .is_some_and(|until| *until > row)
        {
            places.push(None);
            self.remaining -= 1;
        }
    }
}
