//! Tables that span pages.

use super::{Sheet, document};
use crate::tables::joined_tables;

const XS: [f32; 4] = [100.0, 200.0, 300.0, 400.0];

/// A grid of rows from a height on, with a header.
fn sheet(top: f32, count: usize, first: usize, header: bool) -> Sheet {
    sheet_at(0.0, top, count, first, header)
}

/// The grid moved to the right.
fn sheet_at(shift: f32, top: f32, count: usize, first: usize, header: bool) -> Sheet {
    let ys: Vec<f32> = (0..=count).map(|row| top + 20.0 * row as f32).collect();
    let mut sheet = Sheet::new().grid(&XS.map(|x| x + shift), &ys);
    for row in 0..count {
        let y = top + 20.0 * row as f32 + 14.0;
        let number = (first + row).to_string();
        let cells = if header && row == 0 {
            ["Name", "Kind", "Size"]
        } else {
            ["Elbe", "river", &number]
        };
        let starts = [105.0, 205.0, 305.0].map(|x| x + shift);
        sheet = sheet.row(&starts, y, &cells);
    }
    sheet
}

#[test]
fn parts_are_joined_without_repeated_headers() {
    let pages = document(&[
        sheet(400.0, 15, 0, true),
        sheet(72.0, 30, 100, true),
        sheet(72.0, 4, 200, true),
    ]);
    let joined = joined_tables(&pages);
    assert_eq!(joined.len(), 1);
    let table = &joined[0];
    assert_eq!((table.parts.len(), table.header_rows), (3, 1));
    assert_eq!(table.rows.len(), 15 + 29 + 3);
    assert_eq!(table.rows[15][2].as_deref(), Some("101"));
    let cells: Vec<_> = table.cells().collect();
    assert_eq!(cells.len(), 47 * 3);
    let (page, cell) = &cells[15 * 3 + 2];
    assert_eq!((*page, cell.row, cell.column), (2, 15, 2));
    let (page, cell) = &cells[47 * 3 - 1];
    assert_eq!((*page, cell.row), (3, 46));
}

#[test]
fn a_header_may_be_on_the_first_page_only() {
    let pages = document(&[sheet(400.0, 15, 0, true), sheet(72.0, 5, 100, false)]);
    assert_eq!(joined_tables(&pages)[0].rows.len(), 20);
}

#[test]
fn parts_in_other_columns_of_text_repeat_their_header() {
    let first = || sheet_at(150.0, 400.0, 15, 0, true);
    let repeated = document(&[first(), sheet(72.0, 5, 100, true)]);
    assert_eq!(joined_tables(&repeated)[0].rows.len(), 15 + 4);
    let other = document(&[first(), sheet(72.0, 5, 100, false)]);
    assert_eq!(joined_tables(&other).len(), 2);
}

#[test]
fn other_tables_are_not_joined() {
    let first = || sheet(400.0, 15, 0, true);
    let further_down = document(&[first(), sheet(500.0, 5, 100, true)]);
    assert_eq!(joined_tables(&further_down).len(), 2);
    let titled = document(&[
        first().text(100.0, 390.0, "Table 1. Rivers"),
        sheet(100.0, 5, 100, true).text(100.0, 90.0, "Table 2. Lakes"),
    ]);
    assert_eq!(joined_tables(&titled).len(), 2);
    let continued = document(&[
        first().text(100.0, 390.0, "Table 1. Rivers"),
        sheet(100.0, 5, 100, true).text(100.0, 90.0, "Table 1 (continued)"),
    ]);
    assert_eq!(joined_tables(&continued).len(), 1);
    let apart = document(&[
        first(),
        Sheet::new().text(72.0, 72.0, "text"),
        sheet(72.0, 5, 100, true),
    ]);
    assert_eq!(joined_tables(&apart).len(), 2);
}

#[test]
fn a_paragraph_separates_tables() {
    let paragraph =
        "Rivers of the north are longer than those of the south, and they freeze earlier.";
    let text = |mut sheet: Sheet, top: f32, count: usize| {
        for line in 0..count {
            sheet = sheet.text(100.0, top + 14.0 * line as f32, paragraph);
        }
        sheet
    };
    let first = || sheet(400.0, 10, 0, true);
    let count = |pages: &[Sheet]| joined_tables(&document(pages)).len();
    assert_eq!(
        count(&[first(), text(sheet(200.0, 5, 100, true), 72.0, 4)]),
        2
    );
    assert_eq!(
        count(&[text(first(), 620.0, 7), sheet(72.0, 5, 100, true)]),
        2
    );
    // A running line and a note do not.
    let pages = [
        text(first(), 700.0, 2),
        text(sheet(200.0, 5, 100, true), 72.0, 1),
    ];
    assert_eq!(count(&pages), 1);
}

#[test]
fn a_title_or_another_header_separates_tables() {
    let first = || sheet(400.0, 15, 0, true);
    let count = |second: Sheet| joined_tables(&document(&[first(), second])).len();
    let titled = |font: &str, size: f32, text: &str| {
        let mut second = sheet(120.0, 5, 100, false);
        second.content.push_str(&format!(
            "BT /{font} {size} Tf 1 0 0 1 72 690 Tm ({text}) Tj ET\n"
        ));
        second
    };
    assert_eq!(count(titled("F1", 10.0, "See the note")), 1);
    assert_eq!(count(titled("F1", 16.0, "Second section")), 2);
    assert_eq!(count(titled("F1", 10.0, "Table 2. Lakes")), 2);
    assert_eq!(count(titled("F1", 16.0, "Rivers, continued")), 1);
    // A running line is on both pages.
    let mut running = first();
    running
        .content
        .push_str("BT /F1 16 Tf 1 0 0 1 72 690 Tm (First) Tj ET\n");
    let pages = document(&[running, titled("F1", 16.0, "Second")]);
    assert_eq!(joined_tables(&pages).len(), 1);
    // Years above numbers.
    let mut other = Sheet::new().grid(&XS, &[72.0, 92.0, 112.0, 132.0]);
    for (y, cells) in [
        (86.0, ["City", "2001", "2002"]),
        (106.0, ["Graz", "3", "4"]),
        (126.0, ["Linz", "5", "6"]),
    ] {
        other = other.row(&[105.0, 205.0, 305.0], y, &cells);
    }
    assert_eq!(count(other), 2);
}

#[test]
fn a_row_that_the_end_of_a_page_cuts_is_one_row() {
    let xs = [100.0, 140.0, 400.0];
    let row = |sheet: Sheet, y: f32, cells: [&str; 2]| sheet.row(&[105.0, 145.0], y, &cells);
    let mut first = Sheet::new().grid(&xs, &[600.0, 620.0, 640.0, 660.0, 680.0, 700.0]);
    for (y, cells) in [
        (614.0, ["No", "Text"]),
        (634.0, ["1", "Heavy rain fell."]),
        (654.0, ["2", "The road was closed."]),
        (674.0, ["3", "Nobody was hurt."]),
        (694.0, ["4", "The valve failed"]),
    ] {
        first = row(first, y, cells);
    }
    let mut second = Sheet::new().grid(&xs, &[72.0, 92.0, 112.0, 132.0]);
    second = row(second, 86.0, ["", "at low pressure."]);
    second = row(second, 106.0, ["5", "It was replaced."]);
    second = row(second, 126.0, ["6", "It works."]);
    let joined = joined_tables(&document(&[first, second]));
    assert_eq!(joined.len(), 1);
    let text = |row: usize, column: usize| joined[0].rows[row][column].as_deref();
    assert_eq!(joined[0].rows.len(), 7);
    assert_eq!(text(4, 1), Some("The valve failed\nat low pressure."));
    assert_eq!(text(5, 0), Some("5"));
    let last = joined[0].cells().last().unwrap();
    assert_eq!((last.0, last.1.row), (2, 6));
}

#[test]
fn labels_that_start_both_parts_are_a_header() {
    let sheet = |top: f32| {
        let at = [72.0, 150.0, 400.0];
        let mut sheet = Sheet::new().row(&at, top, &["Item", "Description", "Place"]);
        for row in 0..(734.0 - top).min(240.0) as u32 / 24 {
            let y = top + 12.0 + 24.0 * row as f32;
            let text = "the parties met on Tuesday to settle all";
            sheet = sheet.row(&at, y, &["Boat", text, "Mill"]).text(
                at[1],
                y + 12.0,
                "of the questions of the last meeting.",
            );
        }
        sheet
    };
    let joined = joined_tables(&document(&[sheet(600.0), sheet(72.0)]));
    assert_eq!(joined.len(), 1, "{joined:#?}");
    assert_eq!(joined[0].header_rows, 1);
    assert_eq!(joined[0].rows.len(), 1 + 5 + 10);
}
