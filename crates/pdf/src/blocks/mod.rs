//! The blocks of a document: headings, paragraphs, lists, tables and others.
//!
//! A worker process collects the lines of a page while it reads the page. [`blocks`] then finds the
//! blocks over all pages with `corpus_blocks::pages`.
//!
//! ```text
//! lines     the lines of a page with their styles
//! line      the text of a line
//! marks     the marks of a line
//! formulas  formulas within lines
//! accents   accents drawn as separate characters
//! bullets   bullets drawn as shapes
//! tags      judges the structure tree
//! ```

mod accents;
mod bullets;
mod formulas;
mod line;
mod lines;
mod marks;
mod tags;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;

use corpus_blocks::pages::{
    Declared, Entry, Line, OutlineEntry, Pages, Precision, Role, is_caption,
};
use corpus_blocks::{Block, Bounds, Cell, Kind, MarkKind, Text, pages, tex};

use super::model::{
    Outcome, Page, Rect, StructureEntry, StructureLine, StructureMark, StructureMarkKind,
    TableCell, TagRole,
};
use super::tables::frame::Frame;
use super::tables::{JoinedTable, joined_tables, scripts};
pub use lines::structure;

/// The maximum number of tables and links that a word is compared with.
const MAX_COMPARED: usize = 500;

/// Returns the blocks of a document read with [`Request::structure`].
///
/// Each block has its page, and its box in points from the top left of the displayed page. A block
/// that spans pages has the page and box of its start. A sureness of 1 means that the document's
/// structure tree declares the kind of the block.
///
/// ```
/// use corpus_blocks::markdown::{self, markdown};
/// use corpus_pdf::{Request, blocks, read};
///
/// let file = std::fs::read("../../data-samples/pdf/article.pdf")?;
/// let request = Request { structure: true, ..Request::default() };
/// let blocks = blocks(&read(&file, &request));
/// println!("{}", markdown(&blocks, &markdown::Options::default()));
/// assert!(blocks.iter().all(|block| block.page.is_some()));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// [`Request::structure`]: crate::Request::structure
pub fn blocks(document: &Outcome) -> Vec<Block> {
    let mut tables = Tables::new(&document.pages);
    let mut found = Pages::new(Precision::Exact);
    let trusts_tags = tags::are_good(&document.pages);
    for (index, page) in document.pages.iter().enumerate() {
        found.push(content(index, page, &mut tables, trusts_tags));
    }
    let outline = document.info.iter().flat_map(|info| &info.outline);
    let outline: Vec<OutlineEntry> = outline
        .map(|item| OutlineEntry {
            level: item.level,
            title: item.title.clone(),
            page: item.page,
        })
        .collect();
    let mut blocks = found.finish(&outline);
    for block in &mut blocks {
        turn_back(block, &document.pages);
    }
    blocks
}

/// Rotates the box of a block to the displayed page.
fn turn_back(block: &mut Block, pages: &[Page]) {
    let is_table = matches!(block.kind, Kind::Table(_));
    let page = block.page.and_then(|number| {
        let place = pages.partition_point(|page| page.number < number);
        pages.get(place).filter(|page| page.number == number)
    });
    if let (Some(page), Some(bounds), false) = (page, block.bounds, is_table) {
        let frame = Frame::new(page.structure.quarter_turns, page.width, page.height);
        let rect = Rect {
            x1: bounds.left,
            y1: bounds.top,
            x2: bounds.right,
            y2: bounds.bottom,
        };
        block.bounds = Some(bounds_of(frame.on_page(rect)));
    }
}

fn content(index: usize, page: &Page, tables: &mut Tables, trusts_tags: bool) -> pages::Page {
    let is_turned = page.structure.quarter_turns % 2 == 1;
    let (width, height) = if is_turned {
        (page.height, page.width)
    } else {
        (page.width, page.height)
    };
    let entries = page.structure.entries.iter();
    let entries = entries.filter_map(|entry| match entry {
        StructureEntry::Line(line) => Some(Entry::Line(line_of(line, page, trusts_tags))),
        StructureEntry::Table(table) => {
            let block = tables.take(index, *table as usize)?;
            Some(Entry::Block(Box::new(block)))
        }
    });
    pages::Page {
        number: page.number,
        width,
        height,
        entries: entries.collect(),
        block_sizes: (page.structure.table_sizes.iter())
            .map(|(size, letters)| (*size, *letters as usize))
            .collect(),
    }
}

fn line_of(line: &StructureLine, page: &Page, trusts_tags: bool) -> Line {
    let mut text = Text::plain(&line.text);
    let mut formulas: Vec<Range<usize>> = Vec::new();
    for mark in &line.marks {
        let range = mark.range.start as usize..mark.range.end as usize;
        if line.text.get(range.clone()).is_none() {
            continue;
        }
        let kind = match mark.kind {
            StructureMarkKind::Bold => MarkKind::Strong,
            StructureMarkKind::Italic => MarkKind::Emphasis,
            StructureMarkKind::Fixed => MarkKind::Code,
            StructureMarkKind::Superscript => MarkKind::Superscript,
            StructureMarkKind::Subscript => MarkKind::Subscript,
            StructureMarkKind::Formula => {
                formulas.push(range);
                continue;
            }
            StructureMarkKind::Calligraphic
            | StructureMarkKind::Blackboard
            | StructureMarkKind::Fraktur => continue,
            StructureMarkKind::Link(link) => {
                let link = page.links.get(link as usize);
                let Some(uri) = link.and_then(|link| link.uri.as_deref()) else {
                    continue;
                };
                MarkKind::Link(uri.into())
            }
        };
        text.mark(range, kind);
    }
    if !formulas.is_empty() {
        let alphabets = alphabets(&line.marks);
        let of_line = tex::Line::new(&text, &alphabets);
        let tex = |range: &Range<usize>| format!("${}$", of_line.tex(range.clone())).into();
        let written: Vec<Box<str>> = formulas.iter().map(tex).collect();
        for (range, tex) in formulas.into_iter().zip(written) {
            text.mark(range, MarkKind::LinearFormula(tex));
        }
    }
    Line {
        text,
        bounds: bounds_of(line.bbox),
        base: line.base,
        size: line.size,
        declared: line
            .tagged
            .filter(|_| trusts_tags)
            .map(|(block, role)| Declared {
                block,
                role: role.map(role_of),
            }),
        run_in: line.run_in.map(|end| end as usize),
        gaps: line.gaps as usize,
        is_outside: line.is_outside,
    }
}

/// Returns the ranges of calligraphic and blackboard letters, with their TeX commands.
fn alphabets(marks: &[StructureMark]) -> Vec<(Range<usize>, &'static str)> {
    let marks = marks.iter().filter_map(|mark| {
        let command = match mark.kind {
            StructureMarkKind::Calligraphic => "\\mathcal",
            StructureMarkKind::Blackboard => "\\mathbb",
            StructureMarkKind::Fraktur => "\\mathfrak",
            _ => return None,
        };
        Some((mark.range.start as usize..mark.range.end as usize, command))
    });
    marks.collect()
}

fn role_of(role: TagRole) -> Role {
    match role {
        TagRole::Heading(level) => Role::Heading(level),
        TagRole::Paragraph => Role::Paragraph,
        TagRole::Item(level) => Role::Item(level),
        TagRole::Caption => Role::Caption,
        TagRole::Note => Role::Note,
        TagRole::Code => Role::Code,
    }
}

fn bounds_of(rect: Rect) -> Bounds {
    Bounds {
        left: rect.x1,
        top: rect.y1,
        right: rect.x2,
        bottom: rect.y2,
    }
}

/// The tables of a document that are not written yet.
struct Tables {
    joined: Vec<Option<JoinedTable>>,
    /// For each page, the joined table that begins with each of its tables.
    places: Vec<Vec<Option<usize>>>,
}

impl Tables {
    fn new(pages: &[Page]) -> Self {
        let joined = joined_tables(pages);
        let mut parts = joined
            .iter()
            .enumerate()
            .flat_map(|(index, table)| (0..table.parts.len()).map(move |part| (index, part == 0)));
        // Parts are in the order of the tables on the pages.
        let places = pages
            .iter()
            .map(|page| {
                let tables = parts.by_ref().take(page.tables.len());
                tables
                    .map(|(index, is_first)| is_first.then_some(index))
                    .collect()
            })
            .collect();
        Self {
            joined: joined.into_iter().map(Some).collect(),
            places,
        }
    }

    /// Takes the table that begins with this one.
    fn take(&mut self, page: usize, table: usize) -> Option<Block> {
        let place = (*self.places.get(page)?.get(table)?)?;
        let joined = self.joined.get_mut(place)?.take()?;
        Some(table_block(joined))
    }
}

fn table_block(table: JoinedTable) -> Block {
    let first = table.parts.first();
    let (page, bbox, sureness) = first.map_or((None, None, 1.0), |part| {
        (Some(part.page), Some(bounds_of(part.bbox)), part.sureness)
    });
    let special = special_cells(&table);
    let limit = |span: u32| span.min(u32::from(u16::MAX)) as u16;
    let header = table.header_rows as usize;
    let mut rows = Vec::with_capacity(table.rows.len());
    for (number, row) in table.rows.into_iter().enumerate() {
        let mut cells = Vec::with_capacity(row.len());
        for (column, text) in row.into_iter().enumerate() {
            let Some(text) = text else { continue };
            let special = special.get(&(number, column));
            let (height, width) = special.map_or((1, 1), |cell| (cell.row_span, cell.column_span));
            let mut cell = Cell::new(limit(width), limit(height), number < header);
            if !text.trim().is_empty() {
                let scripts = special.and_then(|cell| cell.scripts.as_deref());
                let text = scripts.map_or_else(|| Text::plain(text), scripts::mark_scripts);
                cell.blocks.push(Block::new(Kind::Paragraph, text));
            }
            cells.push(cell);
        }
        rows.push(cells);
    }
    let table = corpus_blocks::Table {
        caption: caption_of(table.caption.as_deref()).map(Text::plain),
        header_rows: header,
        rows,
    };
    Block {
        page,
        bounds: bbox,
        sureness,
        ..Block::new(Kind::Table(Box::new(table)), Text::default())
    }
}

/// The caption of a table, if it starts like one. Any other text near a table, such as a heading,
/// stays in the text.
fn caption_of(caption: Option<&str>) -> Option<&str> {
    caption.filter(|caption| is_caption(caption))
}

/// The cells over several rows or columns, and those with scripts, by their row and column in the
/// joined table.
fn special_cells(table: &JoinedTable) -> HashMap<(usize, usize), TableCell> {
    let cells = table.cells().map(|(_, cell)| cell);
    let is_special =
        |cell: &TableCell| cell.row_span > 1 || cell.column_span > 1 || cell.scripts.is_some();
    cells
        .filter(is_special)
        .map(|cell| ((cell.row as usize, cell.column as usize), cell))
        .collect()
}
