//! Tables of PDFs: a list of structs.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::listing::{edges, elements, listing};
use super::{DATA, OPTIONS, PASSWORDS, SECTION};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ListOf, TextRows, row};
use corpus_pdf::model::{Request, TableCell};
use corpus_pdf::{JoinedTable, joined_tables};

elements!(TableRow);

row! {
    /// A table.
    #[derive(Default)]
    pub struct TableRow<'a> {
        /// The number of the table in the document, from 1
        position: Option<usize>,
        /// The page where it begins, from 1
        page: Option<u32>,
        /// The page where it ends
        last_page: Option<u32>,
        /// The caption
        caption: Option<&'a str>,
        /// The number of rows at the start that are headers
        header_rows: Option<u32>,
        /// The rows, each a list of the texts of its cells, with NULL where a cell goes on
        rows: Option<TextRows<'a>>,
        /// The places of the cells; a cell on two pages has two
        cells: Option<Cells<'a>>,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// How it was found: 'ruled' (lines separate its rows and columns), 'half-ruled' (lines
        /// separate some of them) or 'spaced'
        #[short]
        found: Option<&'a str>,
        /// The certainty that this is a table with these cells, 0 to 1
        sureness: Option<f32>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

row! {
    /// A cell.
    pub struct CellRow {
        /// Its first row, from 1: its text is `rows[row][column]`
        row: u32,
        /// Its first column, from 1
        column: u32,
        /// The number of rows
        row_span: u32,
        /// The number of columns
        column_span: u32,
        /// The page, from 1
        page: u32,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
    }
}

/// The cells of a table.
pub struct Cells<'a>(&'a JoinedTable);

impl Cell for Cells<'_> {
    type Column = ListOf<CellRow>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(self.0.cells().map(CellRow::from));
    }
}

impl From<(u32, TableCell)> for CellRow {
    fn from((page, cell): (u32, TableCell)) -> Self {
        let [x1, y1, x2, y2] = edges(cell.bbox);
        Self {
            row: cell.row.saturating_add(1),
            column: cell.column.saturating_add(1),
            row_span: cell.row_span,
            column_span: cell.column_span,
            page,
            x1,
            y1,
            x2,
            y2,
        }
    }
}

functions! {
    SECTION;

    /// The tables of a PDF: ruled, half-ruled, and aligned by white space. A table that goes on
    /// over pages is one table, without its repeated header rows; its edges are those on the first
    /// page.
    ///
    /// > SELECT pdf_tables(content)[1]['rows'][1], pdf_tables(content)[1]['found']
    ///   FROM read_pdf('data-samples/pdf/invoice.pdf');
    /// [Item, Quantity, Price, Amount], half-ruled
    pdf_tables(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<TableRow>>(), costly;
}

fn pdf_tables(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        tables: true,
        ..Request::default()
    };
    listing(args, settings, wanted, |outcome, list| {
        for (position, table) in (1..).zip(joined_tables(&outcome.pages)) {
            append_table(position, &table, list);
        }
    })
}

fn append_table(position: usize, table: &JoinedTable, list: &mut ListOf<TableRow>) {
    let first = table.parts.first();
    let [x1, y1, x2, y2] = first.map_or([None; 4], |part| edges(part.bbox));
    let sureness = table.parts.iter().map(|part| part.sureness);
    list.push(TableRow {
        position: Some(position),
        page: first.map(|part| part.page),
        last_page: table.parts.last().map(|part| part.page),
        caption: table.caption.as_deref(),
        header_rows: Some(table.header_rows),
        rows: Some(TextRows(&table.rows)),
        cells: Some(Cells(table)),
        x1,
        y1,
        x2,
        y2,
        found: first.map(|part| part.found.name()),
        sureness: sureness.reduce(f32::min),
        error: None,
    });
}
