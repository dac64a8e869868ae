//! Headers without a rule below them, and headers over several columns.

use super::{Sheet, assert_consistent, rows};

const AT: [f32; 4] = [100.0, 180.0, 260.0, 340.0];
const PEOPLE: [[&str; 3]; 4] = [
    ["Name", "Role", "City"],
    ["Ada Lovelace", "Engineer", "London"],
    ["Grace Hopper", "Admiral", "New York"],
    ["Alan Turing", "Logician", "Manchester"],
];

fn joined(rows: &[[&str; 3]]) -> Vec<String> {
    rows.iter().map(|row| row.join("|")).collect()
}

#[test]
fn lines_with_text_in_all_columns_are_rows_of_text() {
    // The columns are as wide as their longest cells, so that no line seems to have room.
    let sheet = (100..).step_by(13).zip(PEOPLE);
    let sheet = sheet.fold(Sheet::new(), |sheet, (y, row)| {
        sheet.row(&AT, y as f32, &row)
    });
    let table = sheet.table();
    assert_eq!(rows(&table), joined(&PEOPLE));
    assert_eq!(table.header_rows, 1);
    assert_consistent(&table);
}

#[test]
fn a_row_as_far_below_the_header_as_ruled_rows_is_no_header() {
    let ruled = |sheet: Sheet, y: f32| sheet.line((95.0, y), (400.0, y));
    let mut sheet = ruled(Sheet::new(), 100.0);
    for (place, row) in PEOPLE.iter().enumerate() {
        let y = 113.0 + 18.0 * place as f32;
        sheet = sheet.row(&AT, y, row);
        if place > 0 {
            sheet = ruled(sheet, y + 5.0);
        }
    }
    let table = sheet.table();
    assert_eq!(rows(&table), joined(&PEOPLE));
    assert_consistent(&table);
    // Lines closer than the rows are one header.
    let mut sheet = ruled(Sheet::new(), 100.0)
        .row(&AT, 113.0, &["Full", "Role at", "City of"])
        .row(&AT, 125.0, &["name", "work", "birth"]);
    for (place, row) in PEOPLE.iter().skip(1).enumerate() {
        let y = 143.0 + 18.0 * place as f32;
        sheet = ruled(sheet, y - 13.0).row(&AT, y, row);
    }
    let table = ruled(sheet, 184.0).table();
    assert_eq!(rows(&table)[0], "Full/name|Role at/work|City of/birth");
}

#[test]
fn years_beside_a_word_are_a_header() {
    for header in [["2020", "2021", "Change"], ["Q1", "Q2", "Change"]] {
        let rows = [
            ["", header[0], header[1], header[2]],
            ["Rye", "17", "28", "11"],
            ["Oats", "33", "40", "7"],
        ];
        let sheet = (100..).step_by(13).zip(rows);
        let sheet = sheet.fold(Sheet::new(), |sheet, (y, row)| {
            sheet.row(&AT, y as f32, &row)
        });
        assert_eq!(sheet.table().header_rows, 1, "{header:?}");
    }
}

#[test]
fn the_background_of_a_header_ends_it() {
    let mut sheet = Sheet::new();
    sheet.content.push_str("0.8 g 95 672 305 18 re f 0 g\n");
    for (place, row) in PEOPLE.iter().enumerate() {
        let y = 113.0 + 13.0 * place as f32;
        sheet = sheet.row(&AT, y, row);
        if place > 0 {
            sheet = sheet.line((95.0, y + 4.0), (400.0, y + 4.0));
        }
    }
    let table = sheet.table();
    assert_eq!(rows(&table), joined(&PEOPLE));
    assert_consistent(&table);
}

#[test]
fn a_header_and_one_row_of_values_are_a_table() {
    let sheet = Sheet::new()
        .row(&AT, 100.0, &["Item", "Count", "Price"])
        .row(&AT, 113.0, &["Apple", "12", "3.40"]);
    let table = sheet.table();
    assert_eq!(rows(&table), ["Item|Count|Price", "Apple|12|3.40"]);
    assert_eq!(table.header_rows, 1);
    // A row of texts needs a rule below the header.
    let texts = |sheet: Sheet| {
        let sheet = sheet.row(&AT, 100.0, &["Name", "Role", "City"]);
        sheet.row(&AT, 115.0, &["Ada", "Engineer", "London"])
    };
    assert!(texts(Sheet::new()).tables().is_empty());
    let ruled = [88.0, 105.0, 120.0]
        .iter()
        .fold(Sheet::new(), |sheet, y| sheet.line((95.0, *y), (400.0, *y)));
    assert_eq!(
        rows(&texts(ruled).table()),
        ["Name|Role|City", "Ada|Engineer|London"]
    );
}

#[test]
fn further_lines_of_a_cell_stay_in_it() {
    // The only line beside no other cells is the middle of those after the first column.
    let sheet = [88.0, 105.0, 120.0, 160.0]
        .iter()
        .fold(Sheet::new(), |sheet, y| sheet.line((95.0, *y), (330.0, *y)));
    let table = sheet
        .row(&AT, 100.0, &["Name", "Role", "City"])
        .row(&AT, 115.0, &["Ada", "Engineer", "London"])
        .row(&AT, 130.0, &["Grace", "Admiral", "New York"])
        .row(&AT, 142.0, &["", "", "Arlington"])
        .row(&AT, 154.0, &["", "", "Vassar"])
        .table();
    assert_eq!(
        rows(&table)[1..],
        [
            "Ada|Engineer|London",
            "Grace|Admiral|New York/Arlington/Vassar"
        ]
    );
    assert_consistent(&table);
}

#[test]
fn paragraphs_beside_labels_between_rules_are_cells() {
    let text = "The service answers each request within two seconds on any day";
    let mut sheet = Sheet::new();
    for (place, label) in ["Duty", "Speed", "Safety", "Backup"].iter().enumerate() {
        let y = 100.0 + 20.0 * place as f32;
        let row = if place == 0 { "Description" } else { text };
        sheet = sheet.line((95.0, y - 12.0), (560.0, y - 12.0)).row(
            &[100.0, 180.0, 500.0],
            y,
            &[label, row, "Office"],
        );
    }
    let table = sheet.line((95.0, 168.0), (560.0, 168.0)).table();
    assert_eq!(rows(&table)[3], format!("Backup|{text}|Office"));
    assert_consistent(&table);
}

#[test]
fn a_header_spans_the_columns_above_whose_middle_it_is() {
    let at = [100.0, 180.0, 230.0, 280.0, 350.0, 400.0, 450.0];
    let table = Sheet::new()
        .text(222.0, 100.0, "Female")
        .text(397.0, 100.0, "Male")
        .row(
            &at,
            113.0,
            &["Age", "All", "Young", "Old", "All", "Young", "Old"],
        )
        .row(&at, 126.0, &["2001", "17", "12", "5", "23", "13", "10"])
        .row(&at, 139.0, &["2002", "18", "11", "7", "25", "16", "9"])
        .row(&at, 152.0, &["2003", "19", "14", "5", "20", "11", "9"])
        .table();
    assert_eq!(
        rows(&table)[..2],
        ["Age|Female|^|^|Male|^|^", "^|All|Young|Old|All|Young|Old"]
    );
    assert_consistent(&table);
}

#[test]
fn halves_of_years_are_headers() {
    let table = Sheet::new()
        .grid(
            &[100.0, 180.0, 260.0, 340.0],
            &[100.0, 120.0, 140.0, 160.0, 180.0],
        )
        .row(&[105.0, 185.0, 265.0], 114.0, &["Region", "2022", "2022"])
        .row(&[105.0, 185.0, 265.0], 134.0, &["", "H1", "H2"])
        .row(&[105.0, 185.0, 265.0], 154.0, &["North", "1", "2"])
        .row(&[105.0, 185.0, 265.0], 174.0, &["South", "5", "6"])
        .table();
    assert_eq!(table.header_rows, 2);
}

#[test]
fn lines_between_rules_are_the_header_of_a_table_that_goes_on() {
    let at = [100.0, 150.0, 220.0, 420.0];
    let mut sheet = Sheet::new()
        .line((98.0, 86.0), (442.0, 86.0))
        .row(&at, 98.0, &["Sample", "Depth", "Remarks", "pH"])
        .row(&at, 110.0, &["", "(m)", "", ""])
        .line((98.0, 116.0), (442.0, 116.0));
    for row in 0..5 {
        let cells = ["S-1", "16.2", "The river was high", "6.0"];
        sheet = sheet.row(&at, 130.0 + 14.0 * row as f32, &cells);
    }
    let table = sheet.table();
    assert_eq!(rows(&table)[0], "Sample|Depth/(m)|Remarks|pH");
    assert_eq!(rows(&table)[1], "S-1|16.2|The river was high|6.0");
}
