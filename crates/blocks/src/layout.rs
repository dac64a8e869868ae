//! Distinguishes data tables from layout tables and from code.

use std::ops::Range;

use crate::block::{Block, Cell, Kind, Table};
use crate::text::Text;

/// Cells with more text than this usually arrange a page rather than hold data.
const MAX_DATA_BYTES: usize = 300;

/// Whether a table only arranges its cells. Tables with a caption or headers have data.
pub fn is_layout(table: &Table) -> bool {
    let cells = || table.rows.iter().flatten();
    let filled = || cells().filter(|cell| !cell.is_empty());
    let count = filled().count();
    if count < 2 || table.rows.len() < 2 {
        return count == 0 || (table.caption.is_none() && !cells().any(|cell| cell.is_header));
    }
    let is_data = table.caption.is_some() || cells().any(|cell| cell.is_header);
    let has_columns = table
        .rows
        .iter()
        .any(|row| row.iter().filter(|cell| !cell.is_empty()).nth(1).is_some());
    let holds = |cell: &Cell, is_page: fn(&Kind) -> bool| {
        cell.blocks.iter().any(|block| is_page(&block.kind))
    };
    let has_headings = filled().any(|cell| holds(cell, |kind| matches!(kind, Kind::Heading(_))));
    let tables = filled().filter(|cell| holds(cell, |kind| matches!(kind, Kind::Table(_))));
    let tables = tables.count();
    // A few cells of a data table may hold a table.
    if has_headings || (tables > 0 && !(is_data && has_columns && tables * 3 <= count)) {
        return true;
    }
    if is_data {
        return false;
    }
    let bytes =
        |cell: &Cell| -> usize { cell.blocks.iter().map(|block| block.text.text.len()).sum() };
    let large = filled()
        .filter(|cell| cell.blocks.len() > 2 || bytes(cell) > MAX_DATA_BYTES)
        .count();
    !has_columns || large * 2 > count
}

/// Returns the code of a table whose header cells are line numbers. `None` if one is not a number.
pub fn code_of(table: &mut Table, language: Option<Box<str>>) -> Option<Vec<Block>> {
    let is_number = |block: &Block| {
        let mut numbers = block.text.text.split_whitespace();
        numbers.all(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut headers = table.rows.iter().flatten().filter(|cell| cell.is_header);
    if !headers.all(|cell| cell.blocks.iter().all(is_number)) {
        return None;
    }
    let mut blocks = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    let mut paragraphs: Option<Range<usize>> = None;
    for row in std::mem::take(&mut table.rows) {
        let mut line = String::new();
        let cells = row.into_iter().filter(|cell| !cell.is_header);
        for block in cells.flat_map(|cell| cell.blocks) {
            match block.kind {
                Kind::Code { language: own } => {
                    let own = own.or_else(|| language.clone());
                    blocks.push(Block {
                        kind: Kind::Code { language: own },
                        ..block
                    });
                }
                _ => {
                    line.push_str(&block.text.text);
                    paragraphs.get_or_insert(block.paragraphs.clone()).end = block.paragraphs.end;
                }
            }
        }
        lines.push(line);
    }
    if blocks.is_empty() {
        let code = lines.join("\n");
        blocks.push(Block {
            paragraphs: paragraphs.unwrap_or_default(),
            ..Block::new(Kind::Code { language }, Text::plain(code.trim_end()))
        });
    }
    Some(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Table {
        let cell = |text: &&str| {
            let mut cell = Cell::new(1, 1, false);
            if !text.is_empty() {
                cell.blocks
                    .push(Block::new(Kind::Paragraph, Text::plain(*text)));
            }
            cell
        };
        Table {
            rows: rows
                .iter()
                .map(|row| row.iter().map(cell).collect())
                .collect(),
            ..Table::default()
        }
    }

    #[test]
    fn short_cells_in_rows_and_columns_are_data() {
        assert!(!is_layout(&table(&[&["a", "1"], &["b", "2"]])));
        assert!(is_layout(&table(&[&["a", "b", "c"]])));
        assert!(is_layout(&table(&[&["a"], &["b"], &["c"]])));
        assert!(is_layout(&table(&[&["", "a"], &["b", ""]])));
        let long = "x".repeat(MAX_DATA_BYTES + 1);
        assert!(is_layout(&table(&[&["menu", &long], &["", &long]])));
    }

    #[test]
    fn headers_and_captions_mean_data_and_headings_layout() {
        let mut one = table(&[&["a", "b"]]);
        one.rows[0][0].is_header = true;
        assert!(!is_layout(&one));
        let mut column = table(&[&["a"], &["b"]]);
        column.caption = Some(Text::plain("c"));
        assert!(!is_layout(&column));
        let mut page = table(&[&["a", "b"], &["c", "d"]]);
        page.rows[1][1].blocks[0].kind = Kind::Heading(2);
        assert!(is_layout(&page));
    }
}
