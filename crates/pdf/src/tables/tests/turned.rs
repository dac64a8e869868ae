//! Turned pages, turned text, and text from right to left.

use super::{Sheet, assert_consistent, page, pages, rows};
use crate::testing::{Page as TestPage, Pdf, fonts, one_page};

const XS: [f32; 3] = [100.0, 200.0, 300.0];
const YS: [f32; 4] = [100.0, 120.0, 140.0, 160.0];

fn sheet() -> Sheet {
    Sheet::new()
        .grid(&XS, &YS)
        .row(&XS, 114.0, &["Name", "Size"])
        .row(&XS, 134.0, &["Elbe", "1094"])
        .row(&XS, 154.0, &["Alster", "56"])
}

#[test]
fn a_turned_page_is_read_as_it_is_shown() {
    for degrees in [0, 90, 180, 270] {
        // The content is turned against the page, so that the text is upright.
        let matrix = match degrees {
            90 => "0 1 -1 0 612 0",
            180 => "-1 0 0 -1 612 792",
            270 => "0 -1 1 0 -180 792",
            _ => "1 0 0 1 0 0",
        };
        let mut pdf = Pdf::new();
        let content = format!("{matrix} cm {}", sheet().content);
        let box_of_page = if degrees % 180 == 0 {
            "0 0 612 792"
        } else {
            "-180 0 612 792"
        };
        pdf.page(
            TestPage::new(content)
                .media_box(box_of_page)
                .rotate(degrees),
        );
        let tables = page(pdf.build()).tables;
        assert_eq!(tables.len(), 1, "{degrees}");
        assert_eq!(
            rows(&tables[0]),
            ["Name|Size", "Elbe|1094", "Alster|56"],
            "{degrees}"
        );
    }
}

#[test]
fn turned_text_on_an_upright_page() {
    // Upwards, downwards, and upside down.
    for matrix in ["0 1 -1 0 700 0", "0 -1 1 0 -300 600", "-1 0 0 -1 612 792"] {
        let file = one_page(&format!("{matrix} cm {}", sheet().content));
        let tables = page(file).tables;
        assert_eq!(tables.len(), 1, "{matrix}");
        let table = &tables[0];
        assert_eq!(
            rows(table),
            ["Name|Size", "Elbe|1094", "Alster|56"],
            "{matrix}"
        );
        assert_consistent(table);
    }
}

#[test]
fn a_turned_table_is_found_once() {
    let xs = [100.0, 160.0, 220.0, 280.0];
    let sheet = Sheet::new()
        .grid(&xs, &[100.0, 118.0, 136.0, 154.0])
        .row(&xs, 113.0, &["Name", "Value", "Unit"])
        .row(&xs, 131.0, &["Mass", "12", "kg"])
        .row(&xs, 149.0, &["Speed", "4", "m/s"]);
    for matrix in ["0 1 -1 0 700 0", "0 -1 1 0 -300 600", "-1 0 0 -1 612 792"] {
        let tables = page(one_page(&format!("{matrix} cm {}", sheet.content))).tables;
        assert_eq!(tables.len(), 1, "{matrix}: {tables:#?}");
        assert_eq!(
            rows(&tables[0]),
            ["Name|Value|Unit", "Mass|12|kg", "Speed|4|m/s"],
            "{matrix}"
        );
    }
}

#[test]
fn turned_headers_are_in_their_cells() {
    let mut sheet = Sheet::new()
        .grid(&[100.0, 200.0, 230.0, 260.0], &[100.0, 160.0, 180.0, 200.0])
        .text(105.0, 150.0, "Region")
        .row(&[105.0, 205.0, 235.0], 174.0, &["North", "1.5", "2.5"])
        .row(&[105.0, 205.0, 235.0], 194.0, &["South", "3.5", "4.5"]);
    for (x, text) in [(218.0, "Winter"), (248.0, "Summer")] {
        sheet.content.push_str(&format!(
            "BT /F1 10 Tf 0 1 -1 0 {x} 640 Tm ({text}) Tj ET\n"
        ));
    }
    let table = sheet.table();
    assert_eq!(rows(&table)[..2], ["Region|Winter|Summer", "North|1.5|2.5"]);
}

#[test]
fn turned_headers_above_tables_without_rules_are_in_their_cells() {
    let xs = [105.0, 205.0, 235.0, 265.0];
    let mut sheet = Sheet::new().text(105.0, 150.0, "Region");
    for (x, text) in [(214.0, "Winter"), (244.0, "Summer"), (274.0, "Autumn")] {
        sheet.content.push_str(&format!(
            "BT /F1 10 Tf 0 1 -1 0 {x} 640 Tm ({text}) Tj ET\n"
        ));
    }
    for (row, region) in ["North", "South", "East", "West"].iter().enumerate() {
        let y = 166.0 + 14.0 * row as f32;
        sheet = sheet.row(&xs, y, &[region, "1.5", "2.5", "3.5"]);
    }
    let expected = ["Region|Winter|Summer|Autumn", "North|1.5|2.5|3.5"];
    assert_eq!(rows(&sheet.table())[..2], expected);
}

#[test]
fn cells_of_right_to_left_text_are_in_reading_order() {
    let mut pdf = Pdf::new();
    let font = fonts::Type0 {
        to_unicode: &[(1, "א"), (2, "ב"), (3, "ג")],
        ..Default::default()
    };
    let font = font.add_to(&mut pdf);
    // Two words, drawn from left to right as they are seen.
    let hebrew = |x: f32, y: f32| {
        format!(
            "BT /F2 10 Tf 1 0 0 1 {x} {y} Tm <0001> Tj 1 0 0 1 {} {y} Tm <00020003> Tj ET\n",
            x + 14.0
        )
    };
    let mut content = Sheet::new().grid(&XS, &YS).content;
    for y in [678.0, 658.0, 638.0] {
        content.push_str(&hebrew(105.0, y));
        content.push_str(&hebrew(205.0, y));
    }
    pdf.page(TestPage::new(content).font("F2", font));
    // Without rules
    let mut content = Sheet::new();
    for (place, y) in [678.0, 664.0, 650.0, 636.0].into_iter().enumerate() {
        content.content.push_str(&hebrew(305.0, y));
        content = content.row(&[105.0, 205.0], 792.0 - y, &["12", &format!("3.{place}")]);
    }
    pdf.page(TestPage::new(content.content).font("F2", font));
    let pages = pages(pdf.build());
    assert_eq!(rows(&pages[0].tables[0]), ["גב א|גב א"; 3]);
    assert_eq!(rows(&pages[1].tables[0])[0], "גב א|3.0|12");
}

#[test]
fn the_first_column_of_right_to_left_text_is_on_the_right() {
    let mut pdf = Pdf::new();
    let font = fonts::Type0 {
        to_unicode: &[(1, "א"), (2, "ב"), (3, "ג")],
        ..Default::default()
    };
    let font = font.add_to(&mut pdf);
    let mut sheet = Sheet::new().grid(&XS, &YS);
    for (place, y) in [678.0, 658.0, 638.0].into_iter().enumerate() {
        let code = place + 1;
        let number = format!("{}", 10 + place);
        let word = format!("BT /F2 10 Tf 1 0 0 1 240 {y} Tm <000{code}> Tj ET\n");
        sheet.content.push_str(&word);
        sheet = sheet.text(105.0, 792.0 - y, &number);
    }
    pdf.page(TestPage::new(sheet.content).font("F2", font));
    let tables = page(pdf.build()).tables;
    assert_eq!(rows(&tables[0]), ["א|10", "ב|11", "ג|12"]);
    let right = tables[0].cells.iter().find(|cell| cell.column == 0);
    assert!(right.is_some_and(|cell| cell.bbox.x1 >= XS[1]));
}
