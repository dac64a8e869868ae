//! Tables as grids of texts.

use crate::block::{Cell, Table};
use crate::places::{Places, places};
use crate::plain_text;

/// Maximum number of places that cells of a table cover beyond their first. Further spans are
/// ignored, because they would multiply the size of hostile tables.
const MAX_COVERED_PLACES: usize = 1 << 18;

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
    let Places {
        rows,
        first_ignored,
    } = places(table, MAX_COVERED_PLACES);
    let texts = |row: Vec<Option<&Cell>>| {
        row.into_iter()
            .map(|cell| cell.map(plain_text::of_cell))
            .collect()
    };
    Grid {
        rows: rows.into_iter().map(texts).collect(),
        error: first_ignored.map(|row| {
            format!(
                "the cells cover more than {MAX_COVERED_PLACES} further places; spans after row {row} are \
                 ignored"
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{Block, Kind};
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
        assert!(places <= MAX_COVERED_PLACES + 2000, "{places}");
        assert_eq!(grid.rows.len(), 2001);
        assert!(
            grid.error
                .is_some_and(|error| error.contains("spans after row 1 are ignored"))
        );
        let texts = grid.rows.iter().flatten().flatten().count();
        assert_eq!(texts, 2000);
    }
}
