//! Tables with rules around all cells.

use super::{Sheet, assert_consistent, page, rows};
use crate::model::TableKind;
use crate::testing::one_page;

const XS: [f32; 4] = [100.0, 200.0, 300.0, 400.0];
const YS: [f32; 4] = [100.0, 120.0, 140.0, 160.0];
const AT: [f32; 3] = [105.0, 205.0, 305.0];

fn filled() -> Sheet {
    Sheet::new()
        .row(&AT, 114.0, &["Name", "Kind", "Size"])
        .row(&AT, 134.0, &["Elbe", "river", "1094"])
        .row(&AT, 154.0, &["Alster", "river", "56"])
}

#[test]
fn a_grid_is_a_table() {
    let table = filled().grid(&XS, &YS).table();
    assert_eq!(
        rows(&table),
        ["Name|Kind|Size", "Elbe|river|1094", "Alster|river|56"]
    );
    assert_eq!(
        (table.found, table.page, table.header_rows),
        (TableKind::Ruled, 1, 1)
    );
    assert!(table.sureness > 0.9);
    let bbox = table.bbox;
    assert_eq!(
        (bbox.x1, bbox.y1, bbox.x2, bbox.y2),
        (100.0, 100.0, 400.0, 160.0)
    );
    assert_consistent(&table);
}

#[test]
fn lines_drawn_as_rectangles_are_rules() {
    let mut sheet = filled();
    for x in XS {
        sheet.content.push_str(&format!("{x} 632 0.5 60 re f\n"));
    }
    for y in YS {
        sheet
            .content
            .push_str(&format!("100 {} 300 0.5 re f\n", 792.0 - y));
    }
    assert_eq!(rows(&sheet.table()).len(), 3);
}

#[test]
fn outlined_cells_are_a_grid() {
    let mut sheet = filled();
    for x in &XS[..3] {
        for y in &YS[1..] {
            sheet
                .content
                .push_str(&format!("{x} {} 100 20 re S\n", 792.0 - y));
        }
    }
    let table = sheet.table();
    assert_eq!(rows(&table)[1], "Elbe|river|1094");
    assert_eq!(table.found, TableKind::Ruled);
}

#[test]
fn cells_with_backgrounds_are_a_grid() {
    let mut sheet = Sheet::new();
    for (column, x) in XS[..3].iter().enumerate() {
        for (row, y) in YS[1..].iter().enumerate() {
            let gray = 0.6 + 0.1 * ((column + row) % 2) as f32;
            sheet
                .content
                .push_str(&format!("{gray} g {x} {} 99 19 re f 0 g\n", 792.0 - y));
        }
    }
    sheet.content.push_str(&filled().content);
    assert_eq!(
        rows(&sheet.table()),
        ["Name|Kind|Size", "Elbe|river|1094", "Alster|river|56"]
    );
}

#[test]
fn cells_span_rows_and_columns() {
    let table = Sheet::new()
        .grid(&[100.0, 200.0, 300.0, 400.0], &[100.0, 140.0, 160.0, 180.0])
        .line((200.0, 120.0), (400.0, 120.0))
        .row(&AT, 114.0, &["Country", "Population"])
        .row(&AT, 134.0, &["", "1990", "2000"])
        .row(&AT, 154.0, &["Austria", "7.7", "8.0"])
        .row(&AT, 174.0, &["Malta", "0.35", "0.39"]);
    // The upper line between the second and third column is covered by nothing.
    let mut open = Sheet::new();
    open.content = table
        .content
        .replace("300 692 m 300 612 l S", "300 672 m 300 612 l S");
    assert_ne!(open.content, table.content);
    let table = open.table();
    assert_eq!(
        rows(&table),
        [
            "Country|Population|^",
            "^|1990|2000",
            "Austria|7.7|8.0",
            "Malta|0.35|0.39"
        ]
    );
    let spans: Vec<(u32, u32)> = table
        .cells
        .iter()
        .map(|cell| (cell.row_span, cell.column_span))
        .collect();
    assert_eq!(spans[..2], [(2, 1), (1, 2)]);
    assert_eq!(table.header_rows, 2);
    assert_consistent(&table);
}

#[test]
fn lines_of_a_cell_stay_together() {
    let table = Sheet::new()
        .grid(&XS, &[100.0, 120.0, 150.0, 170.0])
        .row(&AT, 114.0, &["Name", "Remark", "Size"])
        .row(&AT, 132.0, &["Elbe", "rises in the", "1094"])
        .text(205.0, 144.0, "Giant Mountains")
        .row(&AT, 164.0, &["Alster", "short", "56"])
        .table();
    assert_eq!(rows(&table)[1], "Elbe|rises in the/Giant Mountains|1094");
}

#[test]
fn titles_and_notes_in_the_frame_are_not_rows() {
    let mut sheet = filled().grid(&XS, &YS);
    sheet = sheet
        .line((100.0, 80.0), (400.0, 80.0))
        .line((100.0, 180.0), (400.0, 180.0))
        .line((100.0, 80.0), (100.0, 180.0))
        .line((400.0, 80.0), (400.0, 180.0))
        .text(105.0, 94.0, "Table 1. Rivers of the north")
        .text(
            105.0,
            174.0,
            "Note: the lengths are in kilometres, without lakes.",
        );
    let table = sheet.table();
    assert_eq!(table.rows.len(), 3);
    assert_eq!(
        table.caption.as_deref(),
        Some("Table 1. Rivers of the north")
    );
}

#[test]
fn rows_without_rules_are_divided() {
    let table = Sheet::new()
        .grid(&XS, &[100.0, 120.0, 190.0])
        .row(&AT, 114.0, &["Name", "Kind", "Size"])
        .row(&AT, 134.0, &["Elbe", "river", "1094"])
        .row(&AT, 149.0, &["Alster", "river", "56"])
        .row(&AT, 164.0, &["Bille", "river", "65"])
        .table();
    assert_eq!(rows(&table)[2..], ["Alster|river|56", "Bille|river|65"]);
    assert_eq!(table.found, TableKind::HalfRuled);
    assert_consistent(&table);
}

/// Fills a rectangle; y counts from the top.
fn area(mut sheet: Sheet, colour: &str, xs: (f32, f32), ys: (f32, f32)) -> Sheet {
    let (width, height) = (xs.1 - xs.0, ys.1 - ys.0);
    let y = 792.0 - ys.1;
    let operators = format!("{colour} rg {} {y} {width} {height} re f 0 g\n", xs.0);
    sheet.content.push_str(&operators);
    sheet
}

#[test]
fn backgrounds_of_paragraphs_do_not_divide_cells() {
    const COLOURS: [&str; 2] = ["0.2 0.4 0.6", "0.6 0.8 0.9"];
    let mut sheet = Sheet::new();
    for (row, (top, bottom)) in [(100.0, 119.0), (120.0, 149.0)].into_iter().enumerate() {
        for left in &XS[..3] {
            let colour = COLOURS[row];
            sheet = area(sheet, colour, (*left, left + 99.0), (top, bottom));
            let mut y = top;
            while y < bottom {
                let line = (y, (y + 14.5).min(bottom));
                sheet = area(sheet, colour, (left + 5.0, left + 94.0), line);
                y = line.1;
            }
        }
    }
    let table = sheet
        .row(&AT, 114.0, &["Name", "Kind", "Size"])
        .row(&AT, 130.0, &["The Elbe and", "river", "1094"])
        .row(&AT, 145.0, &["its delta", "", ""])
        .table();
    assert_eq!(
        rows(&table),
        ["Name|Kind|Size", "The Elbe and/its delta|river|1094"]
    );
}

#[test]
fn coloured_rows_within_a_frame_are_rows() {
    let mut sheet = Sheet::new().grid(&[100.0, 400.0], &[100.0, 180.0]);
    for left in &XS[..3] {
        for top in [100.0, 140.0] {
            sheet = area(sheet, "0.8 0.9 1", (*left, left + 100.0), (top, top + 20.0));
        }
    }
    let table = sheet
        .row(&AT, 114.0, &["Name", "Length", "Size"])
        .row(&AT, 128.0, &["Elbe with", "", ""])
        .row(&AT, 134.0, &["", "1094", "148"])
        .row(&AT, 139.0, &["its delta", "", ""])
        .row(&AT, 154.0, &["Alster", "56", "587"])
        .row(&AT, 174.0, &["Bille", "65", "506"])
        .table();
    assert_eq!(
        rows(&table),
        [
            "Name|Length|Size",
            "Elbe with/its delta|1094|148",
            "Alster|56|587",
            "Bille|65|506"
        ]
    );
}

#[test]
fn numbers_beside_a_missing_rule_are_rows() {
    let mut sheet = Sheet::new()
        .grid(&XS, &[100.0, 120.0])
        .grid(&XS, &[120.0, 200.0])
        .line((300.0, 180.0), (400.0, 180.0))
        .row(&AT, 114.0, &["Name", "Length", "Size"]);
    for (place, length) in ["1094", "56", "65"].iter().enumerate() {
        let y = 134.0 + 14.0 * place as f32;
        let name = ["Elbe", "Alster", "Bille"][place];
        sheet = sheet.row(&AT, y, &[name, length, &format!("{}", 148 + place)]);
    }
    let table = sheet.row(&AT, 194.0, &["Oste", "153", "447"]).table();
    assert_eq!(
        rows(&table)[1..],
        [
            "Elbe|1094|148",
            "Alster|56|149",
            "Bille|65|150",
            "Oste|153|447"
        ]
    );
    assert_consistent(&table);
}

#[test]
fn amounts_beside_text_are_rows() {
    let mut sheet = Sheet::new()
        .grid(&XS, &[100.0, 120.0, 190.0, 210.0])
        .row(&AT, 114.0, &["Name", "Work", "Amount"])
        .row(&AT, 204.0, &["Kessler", "repairs", "17.20"]);
    let people = ["Lindemann", "Arnold", "Brandt", "Vogel"];
    for (place, person) in people.iter().enumerate() {
        let amount = format!("{}.50", 12 + place);
        sheet = sheet.row(
            &AT,
            134.0 + 14.0 * place as f32,
            &[person, "garden", &amount],
        );
    }
    let table = sheet.table();
    assert_eq!(rows(&table).len(), 6);
    assert_eq!(rows(&table)[1], "Lindemann|garden|12.50");
}

#[test]
fn a_blank_line_over_all_columns_divides_rows() {
    let sheet = |third: f32| {
        Sheet::new()
            .grid(&XS, &[100.0, 120.0, 140.0, 220.0])
            .row(&AT, 114.0, &["Name", "Kind", "Use"])
            .row(&AT, 134.0, &["Elbe", "river", "ships"])
            .row(&AT, 154.0, &["Alster", "a short river", "boats of"])
            .row(&AT, 166.0, &["", "and a lake", "tourists"])
            .row(&AT, third, &["Bille", "a river", "swimming"])
            .row(&AT, third + 12.0, &["", "without ships", ""])
            .table()
    };
    let divided = [
        "Alster|a short river/and a lake|boats of/tourists",
        "Bille|a river/without ships|swimming",
    ];
    assert_eq!(rows(&sheet(190.0))[2..], divided);
    assert_eq!(rows(&sheet(178.0)).len(), 3);
}

#[test]
fn captions_are_found_above_and_below() {
    let above = filled().grid(&XS, &YS).text(100.0, 90.0, "Table 7: Rivers");
    assert_eq!(above.table().caption.as_deref(), Some("Table 7: Rivers"));
    let below = filled()
        .grid(&XS, &YS)
        .text(100.0, 175.0, "Tabelle 2. Fluesse");
    assert_eq!(below.table().caption.as_deref(), Some("Tabelle 2. Fluesse"));
    let neither = filled()
        .grid(&XS, &YS)
        .text(100.0, 90.0, "and so on, as said before");
    assert_eq!(neither.table().caption, None);
}

#[test]
fn the_page_has_drawn_lines_and_characters_on_request() {
    let file =
        one_page("10 20 m 30 20 l S 0.5 g 50 50 100 100 re f BT /F1 10 Tf 100 700 Td (ab) Tj ET");
    assert!(page(file.clone()).drawn_lines.is_empty());
    let request = crate::Request {
        drawn_lines: true,
        characters: true,
        ..crate::Request::default()
    };
    let page = crate::read(&file, &request).pages.remove(0);
    let line = page.drawn_lines[0];
    assert_eq!(
        (line.x1, line.y1, line.x2, line.y2, line.width),
        (10.0, 772.0, 30.0, 772.0, 1.0)
    );
    let area = page.drawn_areas[0];
    assert_eq!(
        (area.bbox.x1, area.bbox.y2, area.color),
        (50.0, 742.0, Some(0x80_8080))
    );
    let texts: Vec<&str> = page
        .drawn_characters
        .iter()
        .map(|c| c.text.as_str())
        .collect();
    assert_eq!(texts, ["a", "b"]);
    assert!(page.drawn_characters[0].bbox.x2 <= page.drawn_characters[1].bbox.x1 + 0.01);
    assert_eq!(
        page.styles[page.drawn_characters[0].style as usize].size,
        10.0
    );
}

#[test]
fn a_row_of_several_lines_between_rules_is_one() {
    let table = Sheet::new()
        .grid(&[95.0, 200.0, 280.0, 420.0], &[100.0, 120.0, 170.0])
        .row(&[100.0, 205.0, 285.0], 113.0, &["Item", "Amount", "Reason"])
        .text(285.0, 133.0, "Debts were paid and")
        .row(
            &[100.0, 205.0, 285.0],
            146.0,
            &["Sales", "3,240.8", "assets were sold in"],
        )
        .text(285.0, 159.0, "the first quarter.")
        .table();
    let reason = "Debts were paid and/assets were sold in/the first quarter.";
    assert_eq!(
        rows(&table),
        [
            "Item|Amount|Reason".to_owned(),
            format!("Sales|3,240.8|{reason}")
        ]
    );
    assert_consistent(&table);
}

#[test]
fn rules_of_headings_leave_other_rows_their_columns() {
    let at = [100.0, 260.0, 310.0, 360.0, 410.0];
    let mut sheet = Sheet::new();
    let ys = [100.0, 120.0, 200.0, 220.0, 300.0];
    for y in ys {
        sheet = sheet.line((95.0, y), (450.0, y));
    }
    sheet = sheet
        .line((95.0, 100.0), (95.0, 300.0))
        .line((450.0, 100.0), (450.0, 300.0))
        .line((345.0, 100.0), (345.0, 120.0))
        .line((345.0, 200.0), (345.0, 220.0))
        .text(100.0, 113.0, "Feeding")
        .text(100.0, 213.0, "Weight");
    for (place, top) in [120.0, 200.0 + 20.0].into_iter().enumerate() {
        for line in 0..4 {
            let y = top + 14.0 + 18.0 * line as f32;
            let label = format!("Children {place}{line}");
            sheet = sheet.row(&at, y, &[&label, "76.9", "80.0", "NA", "30.0"]);
        }
    }
    let table = sheet.table();
    assert!(
        rows(&table).contains(&"Children 12|76.9|80.0|NA|30.0".to_owned()),
        "{:?}",
        rows(&table)
    );
    assert_consistent(&table);
}

#[test]
fn exponents_and_indexes_are_raised_and_lowered() {
    let mut sheet = Sheet::new()
        .grid(&[100.0, 200.0, 300.0], &[100.0, 120.0, 140.0, 160.0])
        .text(105.0, 94.0, "Table 1. Bodies")
        .row(&[105.0, 205.0], 114.0, &["Body", "Mass"]);
    for (y, base, rise, script) in [(134.0, "10", 4.0, "24"), (154.0, "area", -1.5, "n+1")] {
        let y = 792.0 - y;
        sheet.content.push_str(&format!(
            "BT /F1 10 Tf 1 0 0 1 105 {y} Tm (Earth) Tj 1 0 0 1 205 {y} Tm ({base}) Tj \
             /F1 6 Tf {rise} Ts ({script}) Tj ET\n"
        ));
    }
    let table = sheet.table();
    assert_eq!(
        rows(&table),
        ["Body|Mass", "Earth|10²⁴", "Earth|area_(n+1)"]
    );
    let scripts: Vec<_> = table
        .cells
        .iter()
        .filter_map(|cell| cell.scripts.as_deref())
        .map(|scripts| (scripts.text.as_str(), scripts.marks[0].range.clone()))
        .collect();
    assert_eq!(scripts, [("1024", 2..4), ("arean+1", 4..7)]);
}

#[test]
fn tables_that_touch_are_two() {
    let tables = Sheet::new()
        .grid(&[100.0, 200.0, 300.0], &[100.0, 120.0, 140.0, 160.0])
        .grid(&[100.0, 160.0, 240.0, 340.0], &[160.0, 180.0, 200.0, 220.0])
        .row(&[105.0, 205.0], 114.0, &["Name", "Length"])
        .row(&[105.0, 205.0], 134.0, &["Elbe", "1094"])
        .row(&[105.0, 205.0], 154.0, &["Alster", "56"])
        .row(&[105.0, 165.0, 245.0], 174.0, &["City", "People", "Area"])
        .row(&[105.0, 165.0, 245.0], 194.0, &["Graz", "300", "127"])
        .row(&[105.0, 165.0, 245.0], 214.0, &["Linz", "210", "96"])
        .tables();
    assert_eq!(tables.len(), 2, "{tables:#?}");
    assert_eq!(rows(&tables[0]), ["Name|Length", "Elbe|1094", "Alster|56"]);
    assert_eq!(rows(&tables[1])[0], "City|People|Area");
    tables.iter().for_each(assert_consistent);
}

#[test]
fn bands_of_several_rows_are_divided_by_their_numbers() {
    // Backgrounds of every other band have gaps between the values of one column.
    let mut sheet = Sheet::new().grid(&[100.0, 200.0, 260.0, 320.0], &[100.0, 145.0]);
    for y in [114.0, 115.0, 129.0, 130.0] {
        sheet = sheet.line((260.0, y), (320.0, y));
    }
    for (y, cells) in [
        (110.0, ["Kruger", "7.6", "56.4"]),
        (125.0, ["Stine", "7.7", "55.3"]),
        (140.0, ["Wensman", "7.8", "54.5"]),
    ] {
        sheet = sheet.row(&[105.0, 205.0, 265.0], y, &cells);
    }
    assert_eq!(
        rows(&sheet.table()),
        ["Kruger|7.6|56.4", "Stine|7.7|55.3", "Wensman|7.8|54.5"]
    );
}

#[test]
fn an_error_says_that_a_table_of_thousands_of_words_is_not_found() {
    // Only the first column has text.
    let mut sheet = Sheet::new().grid(&[50.0, 400.0, 475.0, 550.0], &[50.0, 400.0, 750.0]);
    let words = ["a b c d e f g h i j"; 15].join(" ");
    for line in 0..140 {
        let y = 55.0 + 4.9 * line as f32;
        sheet
            .content
            .push_str(&format!("BT /F1 1 Tf 1 0 0 1 55 {y} Tm ({words}) Tj ET\n"));
    }
    let page = page(one_page(&sheet.content));
    assert!(page.tables.is_empty());
    let failure = page.failure.expect("an error");
    assert!(failure.message.contains("too many cells"), "{failure}");
}

#[test]
fn columns_to_be_filled_in_are_kept() {
    let xs = [72.0, 140.0, 280.0, 350.0];
    let ys = [100.0, 120.0, 140.0, 160.0, 180.0];
    let rows = |heads: [&str; 3]| {
        let mut sheet = Sheet::new()
            .grid(&xs, &ys)
            .row(&[75.0, 143.0, 283.0], 114.0, &heads);
        for (place, name) in ["Anna", "Bert", "Cora"].into_iter().enumerate() {
            let y = 134.0 + 20.0 * place as f32;
            sheet = sheet.row(
                &[75.0, 143.0],
                y,
                &[name, if heads[2].is_empty() { "12" } else { "" }],
            );
        }
        sheet.tables()
    };
    for heads in [["Name", "Size", ""], ["Task", "Done", "Date"]] {
        let tables = rows(heads);
        assert_eq!(tables.len(), 1, "{heads:?}");
        assert_eq!(tables[0].rows.len(), 4);
        assert!(tables[0].rows.iter().all(|row| row.len() == 3));
    }
}
