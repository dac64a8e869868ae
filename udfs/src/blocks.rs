//! Rows of blocks and tables, which functions of several formats return.

use corpus_columns::{Cell, ListOf, TextRows, row};
use corpus_html::corpus_blocks::markdown;
use corpus_html::corpus_blocks::plain_text;
use corpus_html::corpus_blocks::rows::{Grid, grid};
use corpus_html::corpus_blocks::{Block, Kind, MarkKind, Table};

row! {
    /// A mark on a part of a text.
    pub struct MarkRow<'a> {
        /// 'strong', 'emphasis', 'deleted', 'superscript', 'subscript', 'code', 'link', 'formula',
        /// 'note' or 'picture'
        #[short]
        kind: &'a str,
        /// The text under it
        text: &'a str,
        /// The address of a link or picture, the label of a note, or the TeX of another formula
        target: Option<&'a str>,
    }
}

/// The marks of a text.
pub struct MarkRows<'a>(&'a corpus_html::corpus_blocks::Text);

impl Cell for MarkRows<'_> {
    type Column = ListOf<MarkRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        let mut marks: Vec<_> = self.0.marks.iter().collect();
        marks.sort_by_key(|mark| mark.range.start);
        column.append(marks.into_iter().map(|mark| MarkRow {
            kind: mark.kind.name(),
            text: match &mark.kind {
                MarkKind::Picture { alternative, .. } => alternative,
                _ => self.0.text.get(mark.range.clone()).unwrap_or_default(),
            },
            target: match &mark.kind {
                MarkKind::Link(target)
                | MarkKind::Note(target)
                | MarkKind::LinearFormula(target) => Some(target),
                MarkKind::Picture { address, .. } => Some(address),
                _ => None,
            },
        }));
    }
}

row! {
    /// A block of a document.
    pub struct BlockRow<'a> {
        /// The number of the block, from 1
        position: usize,
        /// 'heading', 'paragraph', 'item', 'term', 'definition', 'table', 'code', 'formula',
        /// 'figure' or 'footnote'
        #[short]
        kind: &'a str,
        /// The level of a heading, from 1 to 6
        level: Option<i64>,
        /// The number of list items around it, with itself
        depth: usize,
        /// The number of quotations around it
        quotes: usize,
        /// The number of an item of an ordered list
        number: Option<i64>,
        /// The language of code, as declared
        #[short]
        language: Option<&'a str>,
        /// The text; the lines of a table have tabs between the cells
        text: String,
        /// The marks of the text
        marks: MarkRows<'a>,
        /// The content that a limit left out
        #[short]
        error: Option<&'a str>,
    }
}

/// The blocks of a document.
pub struct BlockRows<'a>(pub &'a [Block]);

impl Cell for BlockRows<'_> {
    type Column = ListOf<BlockRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        column.append((1..).zip(self.0).map(|(position, block)| BlockRow {
            position,
            kind: block.kind.name(),
            level: level(block),
            depth: block.level.into(),
            quotes: block.quotes.into(),
            number: number(block),
            language: language(block),
            text: text(block),
            marks: MarkRows(&block.text),
            error: block.error.as_deref(),
        }));
    }
}

fn level(block: &Block) -> Option<i64> {
    match block.kind {
        Kind::Heading(level) => Some(level.into()),
        _ => None,
    }
}

fn number(block: &Block) -> Option<i64> {
    match block.kind {
        Kind::Item(item) => item.number,
        _ => None,
    }
}

fn language(block: &Block) -> Option<&str> {
    match &block.kind {
        Kind::Code { language } => language.as_deref(),
        _ => None,
    }
}

fn text(block: &Block) -> String {
    match &block.kind {
        Kind::Table(_) => plain_text::of_blocks(std::slice::from_ref(block)),
        _ => plain_text::of_text(&block.text).into_owned(),
    }
}

row! {
    /// A block of a document with pages.
    #[derive(Default)]
    pub struct PageBlockRow<'a> {
        /// The number of the block, from 1
        position: Option<usize>,
        /// The page where it begins, from 1
        page: Option<u32>,
        /// 'heading', 'paragraph', 'item', 'table', 'code', 'formula', 'figure' (a caption),
        /// 'footnote', 'running head', 'running foot' or 'page number'
        #[short]
        kind: Option<&'a str>,
        /// The level of a heading, from 1 to 6
        level: Option<i64>,
        /// The number of list items around it, with itself
        depth: Option<usize>,
        /// The number of an item of an ordered list
        number: Option<i64>,
        /// The text; the lines of a table have tabs between the cells
        text: Option<String>,
        /// The marks of the text
        marks: Option<MarkRows<'a>>,
        /// The left edge of its part on the page, from the left
        x1: Option<f32>,
        /// The top edge, from the top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// The certainty of its kind, 0 to 1; 1 if the document declares it
        sureness: Option<f32>,
        /// Why the document or a page could not be read, or only in part; other elements stay
        #[short]
        error: Option<&'a str>,
    }
}

impl<'a> PageBlockRow<'a> {
    /// A block, by its number from 1.
    pub fn new(position: usize, block: &'a Block) -> Self {
        let bounds = block.bounds;
        Self {
            position: Some(position),
            page: block.page,
            kind: Some(block.kind.name()),
            level: level(block),
            depth: Some(block.level.into()),
            number: number(block),
            text: Some(text(block)),
            marks: Some(MarkRows(&block.text)),
            x1: bounds.map(|bounds| bounds.left),
            y1: bounds.map(|bounds| bounds.top),
            x2: bounds.map(|bounds| bounds.right),
            y2: bounds.map(|bounds| bounds.bottom),
            sureness: Some(block.sureness),
            error: block.error.as_deref(),
        }
    }

    /// A document or page that could not be read.
    pub fn failed(page: Option<u32>, error: &'a str) -> Self {
        Self {
            page,
            error: Some(error),
            ..Self::default()
        }
    }
}

row! {
    /// A table of a document.
    pub struct TableRow<'a> {
        /// The number of the table, from 1
        position: usize,
        /// The caption
        caption: Option<String>,
        /// The number of rows at the start that are headers
        header_rows: usize,
        /// The rows, each a list of the texts of its cells, with NULL where a cell goes on
        rows: TextRows<'a>,
        /// The content that a limit left out; the last row may have only this
        #[short]
        error: Option<String>,
    }
}

/// The tables of a document, with those inside cells. What a limit left out of other blocks may be
/// tables, so each such error gets a row without content.
pub struct TableRows<'a>(pub &'a [Block]);

impl Cell for TableRows<'_> {
    type Column = ListOf<TableRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        let mut tables = Vec::new();
        collect(self.0, &mut tables);
        let left_out = Table::default();
        let others = self
            .0
            .iter()
            .filter(|block| !matches!(block.kind, Kind::Table(_)));
        let errors = others.filter_map(|block| block.error.as_deref());
        tables.extend(errors.map(|error| (&left_out, Some(error))));
        for (position, (table, error)) in (1..).zip(tables) {
            let Grid {
                rows,
                error: of_grid,
            } = grid(table);
            column.push(TableRow {
                position,
                caption: table
                    .caption
                    .as_ref()
                    .map(|text| plain_text::of_text(text).into_owned()),
                header_rows: table.header_rows,
                rows: TextRows(&rows),
                error: error.map(str::to_owned).or(of_grid),
            });
        }
        column.end_list();
    }
}

/// Collects tables in the order of their starts. Their depth is limited.
fn collect<'a>(blocks: &'a [Block], tables: &mut Vec<(&'a Table, Option<&'a str>)>) {
    for block in blocks {
        if let Kind::Table(table) = &block.kind {
            tables.push((table, block.error.as_deref()));
            let cells = table.rows.iter().flatten();
            cells.for_each(|cell| collect(&cell.blocks, tables));
        }
    }
}

/// Checks the name of a mode of Markdown.
pub fn check_output(name: &str) -> Result<(), String> {
    output_of(Some(name)).map(|_| ())
}

/// Returns the options for a mode of Markdown: its content in addition to text.
pub fn output_of(name: Option<&str>) -> Result<markdown::Options, String> {
    let mut options = markdown::Options::default();
    match name.map(str::trim) {
        None | Some("text") => {}
        Some("links") => (options.links, options.pictures) = (true, true),
        Some(other) => {
            return Err(format!(
                "unknown mode '{other}': expected 'text' or 'links'"
            ));
        }
    }
    Ok(options)
}
