//! Tests of tables on pages drawn by hand.

mod half_ruled;
mod headers;
mod none;
mod over_pages;
mod ruled;
mod spaced;
mod turned;

use crate::model::{DocumentPart, Page, Request, Table};
use crate::testing::{Page as TestPage, Pdf, one_page};

/// A content stream under construction; y counts from the top of a page of 792 points.
#[derive(Default)]
struct Sheet {
    content: String,
}

impl Sheet {
    fn new() -> Self {
        Self::default()
    }

    /// Writes a text in 10 points.
    fn text(mut self, x: f32, y: f32, text: &str) -> Self {
        let escaped = text.replace('(', "\\(").replace(')', "\\)");
        let y = 792.0 - y;
        self.content.push_str(&format!(
            "BT /F1 10 Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET\n"
        ));
        self
    }

    /// Writes cells at these positions, all on one line.
    fn row(self, xs: &[f32], y: f32, cells: &[&str]) -> Self {
        let cells = xs.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
        cells.fold(self, |sheet, (x, cell)| sheet.text(*x, y, cell))
    }

    fn line(mut self, from: (f32, f32), to: (f32, f32)) -> Self {
        let (y1, y2) = (792.0 - from.1, 792.0 - to.1);
        self.content
            .push_str(&format!("{} {y1} m {} {y2} l S\n", from.0, to.0));
        self
    }

    /// Draws the rules of a grid.
    fn grid(self, xs: &[f32], ys: &[f32]) -> Self {
        let (left, right) = (xs[0], xs[xs.len() - 1]);
        let (top, bottom) = (ys[0], ys[ys.len() - 1]);
        let sheet = xs
            .iter()
            .fold(self, |sheet, x| sheet.line((*x, top), (*x, bottom)));
        ys.iter()
            .fold(sheet, |sheet, y| sheet.line((left, *y), (right, *y)))
    }

    fn tables(&self) -> Vec<Table> {
        page(one_page(&self.content)).tables
    }

    /// The only table.
    fn table(&self) -> Table {
        let mut tables = self.tables();
        assert_eq!(tables.len(), 1, "{tables:#?}");
        tables.remove(0)
    }
}

fn pages(file: Vec<u8>) -> Vec<Page> {
    let request = Request {
        tables: true,
        ..Request::default()
    };
    let mut pages = Vec::new();
    crate::engine::read(file, &request, &mut |part| {
        if let DocumentPart::Page(page) = part {
            pages.push(page);
        }
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    pages
}

fn page(file: Vec<u8>) -> Page {
    pages(file).remove(0)
}

/// A document of these pages.
fn document(sheets: &[Sheet]) -> Vec<Page> {
    let mut pdf = Pdf::new();
    for sheet in sheets {
        pdf.page(TestPage::new(sheet.content.as_str()));
    }
    pages(pdf.build())
}

/// The rows, with `^` where a cell goes on and `/` between the lines of a cell.
fn rows(table: &Table) -> Vec<String> {
    let cell = |cell: &Option<String>| match cell {
        Some(text) => text.replace('\n', "/"),
        None => "^".to_owned(),
    };
    table
        .rows
        .iter()
        .map(|row| row.iter().map(cell).collect::<Vec<_>>().join("|"))
        .collect()
}

/// Checks that cells cover the rows and columns exactly, and are within the table.
fn assert_consistent(table: &Table) {
    let columns = table.rows[0].len();
    let mut covered = vec![vec![0; columns]; table.rows.len()];
    for cell in &table.cells {
        for row in cell.row..cell.row + cell.row_span {
            for column in cell.column..cell.column + cell.column_span {
                covered[row as usize][column as usize] += 1;
            }
        }
        assert!(cell.bbox.x1 >= table.bbox.x1 && cell.bbox.x2 <= table.bbox.x2);
        assert!(cell.bbox.y1 >= table.bbox.y1 && cell.bbox.y2 <= table.bbox.y2);
        assert!(table.rows[cell.row as usize][cell.column as usize].is_some());
    }
    assert!(
        covered.iter().flatten().all(|count| *count == 1),
        "{covered:?}"
    );
    let texts = table.rows.iter().flatten().flatten().count();
    assert_eq!(texts, table.cells.len());
    assert!((0.0..=1.0).contains(&table.sureness));
}
