//! Collects the blocks of a document, and nests tables.

use std::ops::Range;

use crate::block::{Block, Cell, Kind, Table, equation_number, task_sign, with_equation_number};
use crate::layout::{code_of, is_layout};
use crate::plain_text;
use crate::text::Text;

/// Maximum nesting depth of tables. Deeper ones become the blocks of their cells, because nested
/// tables are written and dropped recursively.
const MAX_TABLE_DEPTH: usize = 8;
/// Maximum number of blocks, rows and cells of a document. Beyond it only text is kept, because
/// each of them takes far more memory than its markup.
pub const MAX_NODES: usize = 1 << 20;

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
    /// The number of blocks, rows and cells so far, including those beyond the limit.
    nodes: usize,
    /// The text of blocks beyond the limit, and their paragraphs.
    rest: String,
    rest_paragraphs: Option<Range<usize>>,
    /// Whether the last block is a caption that may belong to an adjacent table.
    ends_with_caption: bool,
}

#[derive(Debug)]
struct OpenTable {
    table: Table,
    quotes: u16,
    level: u16,
    paragraphs: Range<usize>,
    /// The index of the first row of the open group of rows.
    group_start: Option<usize>,
    /// The rows of footers. They are moved to the end of the table.
    foot: Vec<Vec<Cell>>,
    /// The number of tables inside it that were not kept as tables.
    ignored: usize,
    /// The number of its rows, cells and blocks beyond the limit.
    beyond: usize,
    /// The language of its code, if its header cells are line numbers.
    code: Option<Option<Box<str>>>,
}

impl Builder {
    /// Appends a block to the open cell, or to the document.
    pub fn push(&mut self, mut block: Block) {
        if let Kind::Item(_) = block.kind
            && block.is_done.is_none()
        {
            block.is_done = task_sign(&block.text.text).map(|(is_done, _)| is_done);
        }
        self.settle_caption();
        if self.has_room() {
            self.append(block);
        } else {
            self.append_text(&block);
        }
    }

    /// Appends the text of a block beyond the limit.
    fn append_text(&mut self, block: &Block) {
        if !self.rest.ends_with(['\t', '\n']) {
            self.separate('\n');
        }
        self.rest
            .push_str(&plain_text::of_blocks(std::slice::from_ref(block)));
        let paragraphs = self
            .rest_paragraphs
            .get_or_insert_with(|| block.paragraphs.clone());
        paragraphs.end = paragraphs.end.max(block.paragraphs.end);
    }

    /// Separates texts beyond the limit.
    fn separate(&mut self, separator: char) {
        if !self.rest.is_empty() {
            self.rest.push(separator);
        }
    }

    /// Appends a caption for the table directly after it or, if none follows, directly before it.
    pub fn push_caption(&mut self, block: Block) {
        self.push(block);
        self.ends_with_caption = self.nodes <= MAX_NODES;
    }

    fn append(&mut self, block: Block) {
        let blocks = self.blocks();
        if blocks.capacity() == 0 {
            // Most cells have one block; `push` would reserve space for four.
            blocks.reserve_exact(1);
        }
        blocks.push(block);
    }

    /// Counts a block, row or cell. Returns whether it is within the limit.
    fn has_room(&mut self) -> bool {
        self.nodes = self.nodes.saturating_add(1);
        let has_room = self.nodes <= MAX_NODES;
        if !has_room && let Some(open) = self.tables.last_mut() {
            open.beyond += 1;
        }
        has_room
    }

    /// The blocks of the open cell, or of the document.
    fn blocks(&mut self) -> &mut Vec<Block> {
        let mut cells = self.tables.iter_mut().rev();
        match cells.find_map(OpenTable::last_cell) {
            Some(cell) => &mut cell.blocks,
            None => &mut self.blocks,
        }
    }

    /// The last block of the open cell, or of the document, unless only its text was kept.
    pub fn last_mut(&mut self) -> Option<&mut Block> {
        if self.nodes > MAX_NODES {
            return None;
        }
        self.blocks().last_mut()
    }

    /// The number of blocks of the open cell, or of the document.
    pub fn block_count(&mut self) -> usize {
        self.blocks().len()
    }

    /// Takes the blocks from an index on.
    pub fn take_from(&mut self, index: usize) -> Vec<Block> {
        let blocks = self.blocks();
        blocks.split_off(index.min(blocks.len()))
    }

    /// If the blocks from an index on contain one caption and one table, moves the caption to the
    /// table.
    pub fn caption_table(&mut self, index: usize) {
        let blocks = self.blocks();
        let rest = blocks.get_mut(index..).unwrap_or_default();
        let mut tables = rest.iter_mut().filter_map(Block::table_mut);
        let (Some(table), None) = (tables.next(), tables.next()) else {
            return;
        };
        if table.caption.is_some() {
            return;
        }
        let is_caption = |block: &Block| block.kind == Kind::Figure(None);
        let mut captions = rest
            .iter()
            .enumerate()
            .filter(|(_, block)| is_caption(block));
        if let (Some((caption, _)), None) = (captions.next(), captions.next()) {
            let caption = blocks.remove(index + caption).text;
            let mut rest = blocks.iter_mut().skip(index);
            if let Some(table) = rest.find_map(Block::table_mut) {
                table.caption = Some(caption);
            }
        }
    }

    /// Attaches a pending caption to the table before it, because no table follows.
    fn settle_caption(&mut self) {
        if std::mem::take(&mut self.ends_with_caption) {
            let blocks = self.blocks();
            let index = blocks.len().saturating_sub(2);
            if blocks
                .get(index)
                .is_some_and(|block| matches!(block.kind, Kind::Table(_)))
            {
                self.caption_table(index);
            }
        }
    }

    /// Opens a table inside a number of quotations and list items.
    pub fn open_table(&mut self, quotes: u16, level: u16) {
        let has_caption = std::mem::take(&mut self.ends_with_caption);
        let caption = has_caption.then(|| self.blocks().pop()).flatten();
        if self.tables.len() >= MAX_TABLE_DEPTH {
            if let Some(caption) = caption {
                self.append(caption);
            }
            self.ignored += 1;
            if let Some(outer) = self.tables.last_mut() {
                outer.ignored += 1;
            }
            return;
        }
        let paragraphs = caption.as_ref().map(|block| block.paragraphs.clone());
        self.tables.push(OpenTable {
            table: Table {
                caption: caption.map(|block| block.text),
                ..Table::default()
            },
            quotes,
            level,
            paragraphs: paragraphs.unwrap_or_default(),
            group_start: None,
            foot: Vec::new(),
            ignored: 0,
            beyond: 0,
            code: None,
        });
    }

    /// Starts a row of the innermost table.
    pub fn open_row(&mut self) {
        self.settle_caption();
        if !self.has_room() {
            if !self.rest.ends_with('\n') {
                self.separate('\n');
            }
        } else if let Some(open) = self.table() {
            open.table.rows.push(Vec::new());
        }
    }

    /// Starts a cell of the last row.
    pub fn open_cell(&mut self, columns: u16, rows: u16, is_header: bool) {
        self.settle_caption();
        if !self.has_room() {
            if !self.rest.ends_with('\n') {
                self.separate('\t');
            }
            return;
        }
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

    /// Declares the header cells of the innermost table to be line numbers of code.
    pub fn declare_code(&mut self, language: impl FnOnce() -> Option<Box<str>>) {
        if let Some(open) = self.table() {
            open.code.get_or_insert_with(language);
        }
    }

    /// The cells of the last row of the innermost table.
    pub fn last_row(&mut self) -> &[Cell] {
        let row = self.table().and_then(|open| open.table.rows.last());
        row.map_or(&[], Vec::as_slice)
    }

    /// Extends a cell of the innermost table by one row.
    pub fn extend_cell(&mut self, row: usize, cell: usize) {
        let rows = self.table().map(|open| &mut open.table.rows);
        let row = rows.and_then(|rows| rows.get_mut(row));
        if let Some(cell) = row.and_then(|row| row.get_mut(cell)) {
            cell.rows = cell.rows.saturating_add(1);
        }
    }

    /// Sets the caption of the innermost table, or adds a line to it. `paragraphs` are the
    /// paragraphs that contain it; they replace those of the table.
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

    /// Closes the innermost table. A layout table is replaced by the blocks of its cells.
    pub fn close_table(&mut self, purpose: Purpose) {
        self.settle_caption();
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
            group_start: _,
            foot,
            ignored,
            beyond,
            code,
        } = open;
        table.rows.extend(foot);
        let code = code.and_then(|language| code_of(&mut table, language));
        tidy(&mut table);
        let is_layout = match purpose {
            _ if code.is_some() => true,
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
            if beyond > 0 {
                let missing = format!(
                    "the document has more than {MAX_NODES} blocks, rows and cells; {beyond} of \
                     this table are missing here"
                );
                let both = error.map_or(missing.clone(), |error| format!("{error}; {missing}"));
                error = Some(both.into());
            }
            if table.header_rows == 0 {
                table.count_header_rows();
            }
            let kind = Kind::Table(Box::new(table));
            return self.append(Block {
                quotes,
                level,
                paragraphs,
                error,
                ..Block::new(kind, Text::default())
            });
        }
        if let Some(caption) = table.caption {
            self.append(Block {
                quotes,
                level,
                paragraphs,
                ..Block::new(Kind::Figure(None), caption)
            });
        }
        let of_cells = table.rows.into_iter().flat_map(|row| {
            let blocks = row.into_iter().flat_map(|cell| cell.blocks);
            with_number(blocks.collect())
        });
        for mut block in code.into_iter().flatten().chain(of_cells) {
            block.quotes = block.quotes.saturating_add(quotes);
            block.level = block.level.saturating_add(level);
            block.error = block.error.or(error.take());
            self.append(block);
        }
    }

    /// Starts a group of rows of the innermost table.
    pub fn open_group(&mut self) {
        if let Some(open) = self.table() {
            open.group_start = Some(open.table.rows.len());
        }
    }

    /// Declares the rows of the open group as headers and moves them to the start of the table.
    /// Without an open group, all rows so far become headers.
    pub fn end_header(&mut self) {
        if let Some(open) = self.table() {
            let headers = open.table.header_rows;
            let start = open.group_start.take().unwrap_or(headers).max(headers);
            if let Some(rows) = open.table.rows.get_mut(headers..) {
                let count = rows.len() - (start - headers).min(rows.len());
                rows.rotate_right(count);
                open.table.header_rows += count;
            }
        }
    }

    /// Declares the rows of the open group as a footer and moves them to the end of the table.
    pub fn end_foot(&mut self) {
        if let Some(open) = self.table()
            && let Some(start) = open.group_start.take()
        {
            let rows = &mut open.table.rows;
            open.foot.extend(rows.drain(start.min(rows.len())..));
        }
    }

    /// Closes open tables and returns the blocks. Text beyond the limit becomes the last block.
    pub fn finish(mut self) -> Vec<Block> {
        self.settle_caption();
        while !self.tables.is_empty() {
            self.close_table(Purpose::Unknown);
        }
        let beyond = self.nodes.saturating_sub(MAX_NODES);
        if beyond > 0 {
            let error = format!(
                "the document has more than {MAX_NODES} blocks, rows and cells; the last block \
                 is the text of {beyond} more"
            );
            let text = Text::plain(self.rest.trim_end().to_owned());
            self.blocks.push(Block {
                paragraphs: self.rest_paragraphs.unwrap_or_default(),
                error: Some(error.into()),
                ..Block::new(Kind::Paragraph, text)
            });
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

/// Moves the number of an equation in the same row into its formula.
fn with_number(mut row: Vec<Block>) -> Vec<Block> {
    let at = row.iter().position(|block| block.kind == Kind::Formula);
    let ([_, _], Some(at)) = (&*row, at) else {
        return row;
    };
    let other = 1 - at;
    let number = row.get(other).filter(|block| block.kind == Kind::Paragraph);
    let number = number.and_then(|block| equation_number(&block.text.text));
    let Some(number) = number.map(str::to_owned) else {
        return row;
    };
    let paragraphs = row.remove(other).paragraphs;
    if let Some(formula) = row.first_mut() {
        formula.text = Text::plain(with_equation_number(&formula.text.text, &number));
        let all = &mut formula.paragraphs;
        *all = all.start.min(paragraphs.start)..all.end.max(paragraphs.end);
    }
    row
}

/// Creates a footnote from the blocks of its body.
pub fn footnote(label: &str, body: Vec<Block>) -> Block {
    let label = label.into();
    let mut note = Block::new(Kind::Footnote { label }, Text::default());
    for (index, block) in body.into_iter().enumerate() {
        note.paragraphs = match index {
            0 => block.paragraphs.clone(),
            _ => note.paragraphs.start..block.paragraphs.end,
        };
        let text = match &block.kind {
            Kind::Table(_) => Text::plain(plain_text::of_blocks(std::slice::from_ref(&block))),
            _ => block.text,
        };
        note.text.append("\n\n", text);
        note.error = note.error.or(block.error);
    }
    note
}

/// Clips row spans to the end of the table. Drops empty rows if no cell spans several rows.
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
    // A single row may be a header without data; several header rows without data are data.
    if table.header_rows >= table.rows.len() && table.rows.len() != 1 {
        table.header_rows = 0;
    }
    table.header_rows = table.header_rows.min(table.rows.len());
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

    fn caption(text: &str) -> Block {
        Block::new(Kind::Figure(None), Text::plain(text))
    }

    fn push_table(builder: &mut Builder) {
        builder.open_table(0, 0);
        builder.open_row();
        for text in ["a", "b"] {
            builder.open_cell(1, 1, true);
            builder.push(paragraph(text));
        }
        builder.close_table(Purpose::Data);
    }

    /// The captions of tables, and the texts of the other blocks.
    fn captions(blocks: Vec<Block>) -> Vec<String> {
        let caption = |block: Block| match block.kind {
            Kind::Table(table) => format!("[{}]", table.caption.unwrap_or_default().text),
            _ => block.text.text,
        };
        blocks.into_iter().map(caption).collect()
    }

    #[test]
    fn captions_belong_to_the_table_next_to_them() {
        let mut builder = Builder::default();
        builder.push_caption(caption("above"));
        push_table(&mut builder);
        builder.push(paragraph("text"));
        push_table(&mut builder);
        builder.push_caption(caption("below"));
        builder.push(paragraph("text"));
        builder.push_caption(caption("alone"));
        builder.push(paragraph("text"));
        push_table(&mut builder);
        builder.push(caption("of a picture"));
        let expected = [
            "[above]",
            "text",
            "[below]",
            "text",
            "alone",
            "text",
            "[]",
            "of a picture",
        ];
        assert_eq!(captions(builder.finish()), expected);
    }

    #[test]
    fn a_caption_may_be_chosen_among_blocks() {
        for (tables, count, expected) in [
            (1, 1, vec!["[caption]"]),
            (1, 2, vec!["caption", "caption", "[]"]),
            (2, 1, vec!["caption", "[]", "[]"]),
        ] {
            let mut builder = Builder::default();
            builder.push(caption("caption"));
            let start = builder.block_count();
            (0..count).for_each(|_| builder.push(caption("caption")));
            (0..tables).for_each(|_| push_table(&mut builder));
            builder.caption_table(start);
            let blocks = captions(builder.finish());
            assert_eq!(blocks[1..], expected);
        }
    }

    #[test]
    fn nodes_beyond_the_limit_are_text() {
        let mut builder = Builder::default();
        builder.open_table(0, 0);
        builder.open_row();
        for _ in 1..MAX_NODES / 2 {
            builder.open_cell(1, 1, false);
            builder.push(paragraph("x"));
        }
        builder.open_row();
        for text in ["a", "b"] {
            builder.open_cell(1, 1, false);
            builder.push(paragraph(text));
        }
        builder.close_table(Purpose::Data);
        builder.push(paragraph("after"));
        let blocks = builder.finish();
        let [table, rest] = &*blocks else {
            panic!("{} blocks", blocks.len());
        };
        let error = table.error.as_deref().unwrap();
        assert!(
            error.ends_with("4 of this table are missing here"),
            "{error}"
        );
        let Kind::Table(table) = &table.kind else {
            panic!("a table is missing");
        };
        assert_eq!(table.rows[0].len(), MAX_NODES / 2 - 1);
        assert!(table.rows[0].iter().all(|cell| cell.blocks.capacity() <= 1));
        assert_eq!(rest.text.text, "a\tb\nafter");
        let error = rest.error.as_deref().unwrap();
        assert!(error.ends_with("the text of 5 more"), "{error}");
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
    fn headers_start_a_table_and_feet_end_it() {
        let mut builder = Builder::default();
        builder.open_table(0, 0);
        for (group, text) in [("foot", "c"), ("body", "b"), ("head", "a"), ("body", "b")] {
            builder.open_group();
            builder.open_row();
            for _ in 0..2 {
                builder.open_cell(1, 1, false);
                builder.push(paragraph(text));
            }
            match group {
                "foot" => builder.end_foot(),
                "head" => builder.end_header(),
                _ => {}
            }
        }
        builder.close_table(Purpose::Data);
        let mut blocks = builder.finish();
        let table = blocks[0].table_mut().unwrap();
        let texts = table.rows.iter().map(|row| &*row[0].blocks[0].text.text);
        assert_eq!(texts.collect::<Vec<_>>(), ["a", "b", "b", "c"]);
        assert_eq!(table.header_rows, 1);
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
