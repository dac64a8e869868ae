//! Blocks and tables.

use std::ops::Range;

use crate::text::Text;

/// A block of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The kind of the block.
    pub kind: Kind,
    /// Its text. Empty for tables.
    pub text: Text,
    /// The number of quotations that contain it.
    pub quotes: u16,
    /// The number of innermost quotations that start with this block.
    pub new_quotes: u16,
    /// The number of list items that contain it. An item contains itself.
    pub level: u16,
    /// Whether the task that an item starts with is done.
    pub is_done: Option<bool>,
    /// The number of its page, from 1.
    pub page: Option<u32>,
    /// Its place on the page.
    pub bounds: Option<Bounds>,
    /// The confidence in its kind, from 0 to 1. It is 1 if the document declares the kind.
    pub sureness: f32,
    /// The indexes of the paragraphs of the document that contain its text, if the producer counts
    /// paragraphs.
    pub paragraphs: Range<usize>,
    /// Reports content that a limit left out.
    pub error: Option<Box<str>>,
}

/// The kind of a block.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A paragraph.
    Paragraph,
    /// The start of a list item. Further blocks of the item have the same level.
    Item(Item),
    /// A term of a list of definitions.
    Term,
    /// The definition of the terms before it.
    Definition,
    /// A table.
    Table(Box<Table>),
    /// Lines of code, or other preformatted text.
    Code {
        /// The language, such as `rust`.
        language: Option<Box<str>>,
    },
    /// A formula that is set as a block, in TeX without delimiters.
    Formula,
    /// A picture with its caption, or the caption of something else.
    Figure(Option<Box<Picture>>),
    /// A note that the text refers to by this label.
    Footnote {
        /// The label, which has no white space or brackets.
        label: Box<str>,
    },
    /// A line above the text of pages.
    RunningHead,
    /// A line below the text of pages.
    RunningFoot,
    /// The number of a page.
    PageNumber,
}

/// The start of a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// The number of the item in an ordered list. It may be shown as a letter, or be missing
    /// because its marker, such as `(a)`, is a part of the text.
    pub number: Option<i64>,
    /// Whether it is the first item of its list.
    pub is_first: bool,
}

impl Item {
    /// A bullet item that is not the first of its list.
    pub const fn bullet() -> Self {
        Self {
            number: None,
            is_first: false,
        }
    }
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// Its address.
    pub address: String,
    /// Its alternative text.
    pub alternative: String,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The caption.
    pub caption: Option<Text>,
    /// The number of rows at the start that are headers.
    pub header_rows: usize,
    /// The rows, with the cells that start in them.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The content.
    pub blocks: Vec<Block>,
    /// The number of columns that it spans.
    pub columns: u16,
    /// The number of rows that it spans.
    pub rows: u16,
    /// Whether it is the header of its row or column.
    pub is_header: bool,
}

/// A box on a page, in the units of the producer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The left edge.
    pub left: f32,
    /// The upper edge.
    pub top: f32,
    /// The right edge.
    pub right: f32,
    /// The lower edge.
    pub bottom: f32,
}

impl Block {
    /// A block outside lists and quotations, with a confidence of 1.
    pub fn new(kind: Kind, text: Text) -> Self {
        Self {
            kind,
            text,
            quotes: 0,
            new_quotes: 0,
            level: 0,
            is_done: None,
            page: None,
            bounds: None,
            sureness: 1.0,
            paragraphs: 0..0,
            error: None,
        }
    }

    /// Its table.
    pub fn table_mut(&mut self) -> Option<&mut Table> {
        match &mut self.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Counts the block, and the rows, cells and blocks of its table.
    pub fn node_count(&self) -> usize {
        let Kind::Table(table) = &self.kind else {
            return 1;
        };
        let of_cell = |cell: &Cell| 1 + cell.blocks.iter().map(Self::node_count).sum::<usize>();
        let of_row = |row: &Vec<Cell>| 1 + row.iter().map(of_cell).sum::<usize>();
        1 + table.rows.iter().map(of_row).sum::<usize>()
    }
}

impl Kind {
    /// The name of the kind, such as `heading`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Heading(_) => "heading",
            Self::Paragraph => "paragraph",
            Self::Item(_) => "item",
            Self::Term => "term",
            Self::Definition => "definition",
            Self::Table(_) => "table",
            Self::Code { .. } => "code",
            Self::Formula => "formula",
            Self::Figure(_) => "figure",
            Self::Footnote { .. } => "footnote",
            Self::RunningHead => "running head",
            Self::RunningFoot => "running foot",
            Self::PageNumber => "page number",
        }
    }
}

impl Table {
    /// Sets `header_rows` to the number of leading rows whose non-empty cells are all headers. Sets
    /// it to 0 if that would be every row of several, or three or more rows and most of the table.
    pub fn count_header_rows(&mut self) {
        let is_header = |row: &&Vec<Cell>| {
            row.iter().any(|cell| cell.is_header)
                && row.iter().all(|cell| cell.is_header || cell.is_empty())
        };
        let count = self.rows.iter().take_while(is_header).count();
        let is_most = count > 2 && count * 2 > self.rows.len();
        let is_all = count > 1 && count >= self.rows.len();
        self.header_rows = if is_most || is_all { 0 } else { count };
    }
}

impl Cell {
    /// A cell without content.
    pub fn new(columns: u16, rows: u16, is_header: bool) -> Self {
        Self {
            blocks: Vec::new(),
            columns,
            rows,
            is_header,
        }
    }

    /// Whether the cell has no content.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// Calls `visit` for each block, including those in table cells.
pub fn for_each_mut(blocks: &mut [Block], visit: &mut impl FnMut(&mut Block)) {
    for block in blocks {
        visit(block);
        if let Kind::Table(table) = &mut block.kind {
            for cell in table.rows.iter_mut().flatten() {
                for_each_mut(&mut cell.blocks, visit);
            }
        }
    }
}

/// Longer texts are not the number of an equation.
const MAX_EQUATION_NUMBER_BYTES: usize = 12;

/// The number of an equation in parentheses: `(1)`, `(2.3a)`.
pub fn equation_number(text: &str) -> Option<&str> {
    let number = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '\'' | '*');
    let is_number = number.len() <= MAX_EQUATION_NUMBER_BYTES
        && number.chars().all(is_part)
        && number.contains(|c: char| c.is_ascii_digit());
    is_number.then_some(number)
}

/// A displayed formula in TeX with the number of its equation.
pub fn with_equation_number(tex: &str, number: &str) -> String {
    format!("{tex} \\tag{{{number}}}")
}

/// Whether the task of an item is done, by the box that it starts with, and the bytes of the box.
pub fn task_sign(text: &str) -> Option<(bool, usize)> {
    let is_done = match text.chars().next()? {
        '☐' => false,
        '☑' | '☒' => true,
        _ => return None,
    };
    let rest = text.get('☐'.len_utf8()..)?;
    let spaces = rest.len() - rest.trim_start().len();
    (spaces > 0).then_some((is_done, '☐'.len_utf8() + spaces))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_of_headers_may_be_most_of_a_table() {
        let row = |is_header| {
            let mut cell = Cell::new(1, 1, is_header);
            cell.blocks
                .push(Block::new(Kind::Paragraph, Text::plain("a")));
            vec![cell]
        };
        for (headers, rows, expected) in [(1, 1, 1), (1, 2, 1), (2, 3, 2), (3, 4, 0), (2, 2, 0)] {
            let rows = (0..rows).map(|number| row(number < headers)).collect();
            let mut table = Table {
                rows,
                ..Table::default()
            };
            table.count_header_rows();
            assert_eq!(table.header_rows, expected, "{headers}");
        }
    }
}
