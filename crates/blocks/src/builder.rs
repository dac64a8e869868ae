//! Collects the blocks of a document, and nests tables.

use std::ops::Range;

use crate::block::{Block, Cell, Kind, Table};
use crate::layout::is_layout;
use crate::text::Text;

/// Tables inside this number of others are written as the blocks of their cells, because the time
/// to drop and write nested tables is recursive.
const MAX_TABLE_DEPTH: usize = 8;

/// The purpose of a table, as far as its producer knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// Unknown: the cells of the table decide.
    #[default]
    Unknown,
    /// It has data, as a caption or headers show.
    Data,
    /// It only arranges its cells.
    Layout,
}

/// Collects blocks in the order of the document.
///
/// ```
/// use corpus_blocks::builder::{Builder, Purpose};
/// use corpus_blocks::{Block, Kind, Text};
///
/// let mut builder = Builder::default();
/// builder.open_table(0, 0);
/// builder.open_row();
/// for text in ["one", "two"] {
///     builder.open_cell(1, 1, false);
///     builder.push(Block::new(Kind::Paragraph, Text::plain(text)));
/// }
/// builder.close_table(Purpose::Data);
/// let blocks = builder.finish();
/// assert_eq!(blocks.len(), 1);
/// assert_eq!(blocks[0].kind.name(), "table");
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    blocks: Vec<Block>,
    tables: Vec<OpenTable>,
    /// The number of open tables beyond the limit.
    ignored: usize,
}

#[derive(Debug)]
struct OpenTable {
    table: Table,
    quotes: u16,
    level: u16,
    paragraphs: Range<usize>,
    /// The number of tables inside it that were not kept as tables.
    ignored: usize,
}

impl Builder {
    /// Appends a block to the open cell, or to the document.
    pub fn push(&mut self, block: Block) {
        let mut cells = self.tables.iter_mut().rev();
        match cells.find_map(OpenTable::last_cell) {
            Some(cell) => cell.blocks.push(block),
            None => self.blocks.push(block),
        }
    }

    /// The last block of the open cell, or of the document.
    pub fn last_mut(&mut self) -> Option<&mut Block> {
        let mut cells = self.tables.iter_mut().rev();
        match cells.find_map(OpenTable::last_cell) {
            Some(cell) => cell.blocks.last_mut(),
            None => self.blocks.last_mut(),
        }
    }

    /// Opens a table inside a number of quotations and list items.
    pub fn open_table(&mut self, quotes: u16, level: u16) {
        if self.tables.len() >= MAX_TABLE_DEPTH {
            self.ignored += 1;
            if let Some(outer) = self.tables.last_mut() {
                outer.ignored += 1;
            }
            return;
        }
        self.tables.push(OpenTable {
            table: Table::default(),
            quotes,
            level,
            paragraphs: 0..0,
            ignored: 0,
        });
    }

    /// Starts a row of the innermost table.
    pub fn open_row(&mut self) {
        if let Some(open) = self.table() {
            open.table.rows.push(Vec::new());
        }
    }

    /// Starts a cell of the last row.
    pub fn open_cell(&mut self, columns: u16, rows: u16, is_header: bool) {
        let Some(open) = self.table() else {
            return;
        };
        if open.table.rows.is_empty() {
            open.table.rows.push(Vec::new());
        }
        if let Some(row) = open.table.rows.last_mut() {
            row.push(Cell::new(columns.max(1), rows.max(1), is_header));
        }
    }

    /// Lets a cell of the innermost table span one row more.
    pub fn extend_cell(&mut self, row: usize, cell: usize) {
        let rows = self.table().map(|open| &mut open.table.rows);
        let row = rows.and_then(|rows| rows.get_mut(row));
        if let Some(cell) = row.and_then(|row| row.get_mut(cell)) {
            cell.rows = cell.rows.saturating_add(1);
        }
    }

    /// Sets the caption of the innermost table, or adds a line to it. `paragraphs` are
    /// those that contain it, and become those of the table.
    pub fn add_caption(&mut self, text: Text, paragraphs: Range<usize>) {
        let Some(open) = self.table() else {
            return self.push(Block {
                paragraphs,
                ..Block::new(Kind::Figure(None), text)
            });
        };
        open.paragraphs = paragraphs;
        match &mut open.table.caption {
            None => open.table.caption = Some(text),
            Some(caption) => caption.append("\n", text),
        }
    }

    /// Closes the innermost table. One that only arranges its cells becomes their blocks.
    pub fn close_table(&mut self, purpose: Purpose) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        let Some(open) = self.tables.pop() else {
            return;
        };
        let OpenTable {
            mut table,
            quotes,
            level,
            paragraphs,
            ignored,
        } = open;
        tidy(&mut table);
        let is_layout = match purpose {
            Purpose::Data => table.rows.iter().flatten().all(Cell::is_empty),
            Purpose::Layout => true,
            Purpose::Unknown => is_layout(&table),
        };
        let mut error = (ignored > 0).then(|| {
            let error = format!(
                "{ignored} tables inside more than {MAX_TABLE_DEPTH} others are written as text"
            );
            error.into_boxed_str()
        });
        if !is_layout {
            if table.header_rows == 0 {
                table.count_header_rows();
            }
            let kind = Kind::Table(Box::new(table));
            return self.push(Block {
                quotes,
                level,
                paragraphs,
                error,
                ..Block::new(kind, Text::default())
            });
        }
        if let Some(caption) = table.caption {
            self.push(Block {
                quotes,
                level,
                paragraphs,
                ..Block::new(Kind::Figure(None), caption)
            });
        }
        for mut block in table
            .rows
            .into_iter()
            .flatten()
            .flat_map(|cell| cell.blocks)
        {
            block.quotes = block.quotes.saturating_add(quotes);
            block.level = block.level.saturating_add(level);
            block.error = block.error.or(error.take());
            self.push(block);
        }
    }

    /// Declares the rows of the innermost table so far as headers.
    pub fn end_header(&mut self) {
        if let Some(open) = self.table() {
            open.table.header_rows = open.table.rows.len();
        }
    }

    /// The blocks. Open tables are closed.
    pub fn finish(mut self) -> Vec<Block> {
        while !self.tables.is_empty() {
            self.close_table(Purpose::Unknown);
        }
        self.blocks
    }

    /// The innermost table, unless it is beyond the limit.
    fn table(&mut self) -> Option<&mut OpenTable> {
        match self.ignored {
            0 => self.tables.last_mut(),
            _ => None,
        }
    }
}

/// Drops rows without content, unless other cells reach into them, and ends cells with the table.
fn tidy(table: &mut Table) {
    let mut has_spans = false;
    let count = table.rows.len();
    for (index, row) in table.rows.iter_mut().enumerate() {
        let remaining = u16::try_from(count - index).unwrap_or(u16::MAX);
        for cell in row {
            cell.rows = cell.rows.min(remaining);
            has_spans |= cell.rows > 1;
        }
    }
    if has_spans {
        return;
    }
    let is_blank = |row: &Vec<Cell>| row.iter().all(Cell::is_empty);
    let header = table.rows.iter().take(table.header_rows);
    table.header_rows -= header.filter(|row| is_blank(row)).count();
    table.rows.retain(|row| !is_blank(row));
    if table.header_rows >= table.rows.len() {
        table.header_rows = 0;
    }
}

impl OpenTable {
    fn last_cell(&mut self) -> Option<&mut Cell> {
        self.table.rows.last_mut().and_then(|row| row.last_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Block {
        Block::new(Kind::Paragraph, Text::plain(text))
    }

    #[test]
    fn deep_tables_are_written_as_text_and_reported() {
        const DEPTH: usize = 1000;
        let mut builder = Builder::default();
        for number in 0..DEPTH {
            builder.open_table(0, 0);
            builder.open_row();
            builder.open_cell(1, 1, false);
            builder.push(paragraph(&number.to_string()));
            builder.open_cell(1, 1, false);
        }
        for _ in 0..DEPTH {
            builder.close_table(Purpose::Data);
        }
        let mut blocks = builder.finish();
        assert_eq!(blocks.len(), 1);
        let mut depth = 0;
        let mut errors = Vec::new();
        while let Some(Block {
            kind: Kind::Table(table),
            error,
            ..
        }) = blocks.pop()
        {
            depth += 1;
            errors.extend(error);
            blocks = table
                .rows
                .into_iter()
                .flatten()
                .flat_map(|cell| cell.blocks)
                .collect();
        }
        assert_eq!(depth, MAX_TABLE_DEPTH);
        assert_eq!(errors.len(), 1);
        assert!(
            errors[0].starts_with("992 tables inside more than 8"),
            "{}",
            errors[0]
        );
    }

    #[test]
    fn layout_becomes_the_blocks_of_its_cells() {
        let mut builder = Builder::default();
        builder.open_table(1, 2);
        builder.add_caption(Text::plain("caption"), 0..1);
        builder.open_row();
        for text in ["a", "b"] {
            builder.open_cell(1, 1, false);
            builder.push(paragraph(text));
        }
        builder.close_table(Purpose::Layout);
        let blocks = builder.finish();
        let texts: Vec<&str> = blocks.iter().map(|block| &*block.text.text).collect();
        assert_eq!(texts, ["caption", "a", "b"]);
        assert!(
            blocks
                .iter()
                .all(|block| (block.quotes, block.level) == (1, 2))
        );
    }
}
