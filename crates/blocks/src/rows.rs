//! Tables as grids.

use std::ops::Range;

use crate::block::Table;
use crate::plain::plain_cell;

/// Maximum number of places that cells of a table cover beyond their first. Further spans are
/// ignored, because they would multiply the size of hostile tables.
const MAX_COVERED: usize = 1 << 18;

/// The rows of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid {
    /// The text of each cell; `None` where a cell above or to the left continues. Rows may have
    /// different lengths.
    pub rows: Vec<Vec<Option<String>>>,
    /// Reports content that a limit left out.
    pub error: Option<String>,
}

/// Returns the rows of a table as a grid.
///
/// ```
/// use corpus_blocks::rows::grid;
/// use corpus_blocks::{Cell, Table};
///
/// let table = Table {
///     rows: vec![
///         vec![Cell::new(2, 1, false), Cell::new(1, 2, false)],
///         vec![Cell::new(1, 1, false)],
///     ],
///     ..Table::default()
/// };
/// let some = Some(String::new());
/// assert_eq!(grid(&table).rows, [vec![some.clone(), None, some.clone()], vec![some]]);
/// ```
pub fn grid(table: &Table) -> Grid {
    let mut grid = Grid::default();
    let mut covered = Covered {
        until: Vec::new(),
        remaining: MAX_COVERED,
    };
    let mut first_ignored = None;
    for (row, cells) in table.rows.iter().enumerate() {
        let mut places = Vec::with_capacity(cells.len());
        for cell in cells {
            covered.skip(row, &mut places);
            let mut columns = usize::from(cell.columns.max(1));
            let mut rows = usize::from(cell.rows);
            if covered.remaining < columns {
                (columns, rows) = (1, 1);
                first_ignored.get_or_insert(row + 1);
            }
            covered.remaining -= columns - 1;
            let start = places.len();
            places.push(Some(plain_cell(cell)));
            places.resize(start + columns, None);
            if rows > 1 {
                covered.add(start..start + columns, row + rows);
            }
        }
        covered.skip(row, &mut places);
        grid.rows.push(places);
    }
    if covered.remaining == 0 {
        first_ignored.get_or_insert(grid.rows.len());
    }
    grid.error = first_ignored.map(|row| {
        format!(
            "the cells cover more than {MAX_COVERED} further places; spans after row {row} are \
             ignored"
        )
    });
    grid
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

    /// Adds the places of a row that are covered.
    fn skip(&mut self, row: usize, places: &mut Vec<Option<String>>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{Block, Cell, Kind};
    use crate::text::Text;

    fn cell(text: &str, columns: u16, rows: u16) -> Cell {
        let mut cell = Cell::new(columns, rows, false);
        cell.blocks
            .push(Block::new(Kind::Paragraph, Text::plain(text)));
        cell
    }

    fn rows(rows: Vec<Vec<Cell>>) -> Grid {
        grid(&Table {
            rows,
            ..Table::default()
        })
    }

    #[test]
    fn cells_keep_their_columns() {
        let grid = rows(vec![
            vec![cell("a", 1, 2), cell("b", 2, 1), cell("c", 1, 3)],
            vec![cell("d", 1, 1), cell("e", 1, 1)],
            vec![cell("f", 3, 1)],
        ]);
        let expected = [
            [Some("a"), Some("b"), None, Some("c")],
            [None, Some("d"), Some("e"), None],
            [Some("f"), None, None, None],
        ];
        let expected = expected.map(|row| row.map(|text| text.map(str::to_owned)).to_vec());
        assert_eq!(grid.rows, expected);
        assert_eq!(grid.error, None);
    }

    #[test]
    fn the_places_that_spans_cover_are_limited() {
        let hostile = |count| {
            let first = (0..count).map(|_| cell("x", u16::MAX, u16::MAX)).collect();
            rows(
                [first]
                    .into_iter()
                    .chain((0..count).map(|_| Vec::new()))
                    .collect(),
            )
        };
        let grid = hostile(2000);
        let places: usize = grid.rows.iter().map(Vec::len).sum();
        assert!(places <= MAX_COVERED + 2000, "{places}");
        assert_eq!(grid.rows.len(), 2001);
        assert!(
            grid.error
                .is_some_and(|error| error.contains("spans after row 1 are ignored"))
        );
        let texts = grid.rows.iter().flatten().flatten().count();
        assert_eq!(texts, 2000);
    }
}
