//! Tables with horizontal rules only.

use super::{Sheet, assert_consistent, rows};
use crate::model::TableKind;

const AT: [f32; 5] = [100.0, 200.0, 260.0, 330.0, 390.0];

#[test]
fn rules_above_and_below_bound_a_table() {
    let table = Sheet::new()
        .line((95.0, 100.0), (450.0, 100.0))
        .row(&AT, 114.0, &["Variable", "Assumption"])
        .line((95.0, 120.0), (450.0, 120.0))
        .row(&AT, 134.0, &["Population", "as projected by the office"])
        .row(&AT, 149.0, &["Income", "grows"])
        .row(&AT, 164.0, &["Prices", "stay"])
        .line((95.0, 170.0), (450.0, 170.0))
        .table();
    assert_eq!(
        rows(&table),
        [
            "Variable|Assumption",
            "Population|as projected by the office",
            "Income|grows",
            "Prices|stay"
        ]
    );
    assert_eq!((table.found, table.header_rows), (TableKind::HalfRuled, 1));
    assert_consistent(&table);
}

#[test]
fn short_rules_show_what_a_header_spans() {
    let table = Sheet::new()
        .line((95.0, 100.0), (450.0, 100.0))
        .text(215.0, 112.0, "Men")
        .text(345.0, 112.0, "Women")
        .line((195.0, 116.0), (300.0, 116.0))
        .line((325.0, 116.0), (445.0, 116.0))
        .row(&AT, 126.0, &["Age", "No.", "Rate", "No.", "Rate"])
        .line((95.0, 130.0), (450.0, 130.0))
        .row(&AT, 142.0, &["20-29", "17", "0.3", "19", "0.2"])
        .row(&AT, 154.0, &["30-39", "21", "0.4", "18", "0.6"])
        .row(&AT, 166.0, &["40-49", "33", "0.9", "36", "0.8"])
        .line((95.0, 170.0), (450.0, 170.0))
        .table();
    assert_eq!(
        rows(&table)[..3],
        [
            "Age|Men|^|Women|^",
            "^|No.|Rate|No.|Rate",
            "20-29|17|0.3|19|0.2"
        ]
    );
    assert_eq!(table.header_rows, 2);
    assert_consistent(&table);
}

#[test]
fn the_header_above_the_rules_belongs_to_the_table() {
    let table = Sheet::new()
        .text(100.0, 90.0, "Table 3. Deaths by age")
        .row(&AT, 112.0, &["Age", "No.", "Rate"])
        .line((95.0, 116.0), (450.0, 116.0))
        .row(&AT, 128.0, &["20-29", "17", "0.3"])
        .row(&AT, 140.0, &["30-39", "21", "0.4"])
        .line((95.0, 145.0), (450.0, 145.0))
        .table();
    assert_eq!(
        rows(&table),
        ["Age|No.|Rate", "20-29|17|0.3", "30-39|21|0.4"]
    );
    assert_eq!(table.caption.as_deref(), Some("Table 3. Deaths by age"));
}

#[test]
fn values_beside_the_middle_of_a_label_are_in_its_row() {
    let table = Sheet::new()
        .line((95.0, 100.0), (450.0, 100.0))
        .row(&AT, 112.0, &["Measure", "1997", "1998"])
        .line((95.0, 116.0), (450.0, 116.0))
        .text(100.0, 128.0, "Inequality in")
        .row(&AT, 133.5, &["", "0.45", "0.46"])
        .text(100.0, 139.0, "income")
        .row(&AT, 155.0, &["Gini index", "0.36", "0.39"])
        .line((95.0, 160.0), (450.0, 160.0))
        .table();
    assert_eq!(
        rows(&table)[1..],
        ["Inequality in/income|0.45|0.46", "Gini index|0.36|0.39"]
    );
}

#[test]
fn a_table_beside_text_is_only_its_column() {
    let mut sheet = Sheet::new()
        .line((95.0, 100.0), (290.0, 100.0))
        .row(&AT[..3], 114.0, &["State", "No.", "Rate"])
        .line((95.0, 118.0), (290.0, 118.0))
        .line((95.0, 184.0), (290.0, 184.0));
    for (place, state) in ["Iowa", "Ohio", "Utah", "Texas"].iter().enumerate() {
        let y = 132.0 + 14.0 * place as f32;
        sheet = sheet.row(&AT[..3], y, &[state, "1,144", "19.3"]);
    }
    for place in 0..6 {
        sheet = sheet.text(
            320.0,
            107.0 + 12.0 * place as f32,
            "as heart disease is a burden to all of us,",
        );
    }
    let table = sheet.table();
    assert_eq!(
        rows(&table),
        [
            "State|No.|Rate",
            "Iowa|1,144|19.3",
            "Ohio|1,144|19.3",
            "Utah|1,144|19.3",
            "Texas|1,144|19.3"
        ]
    );
}

#[test]
fn text_across_all_columns_separates_tables() {
    let line = "Some words of a text that is between two tables and as wide as they are, with";
    for lines in [2, 4] {
        let mut sheet = Sheet::new();
        let second = 176.0 + 12.0 * lines as f32;
        for top in [100.0, second] {
            for y in [0.0, 18.0, 60.0] {
                sheet = sheet.line((95.0, top + y), (450.0, top + y));
            }
            sheet = sheet
                .row(&AT, top + 13.0, &["Name", "Length", "Size"])
                .row(&AT, top + 32.0, &["Elbe", "1094", "148"])
                .row(&AT, top + 46.0, &["Alster", "56", "587"]);
        }
        for place in 0..lines {
            let y = 178.0 + 12.0 * place as f32;
            sheet = sheet.text(97.0, y, line);
        }
        let tables = sheet.tables();
        assert_eq!(tables.len(), 2, "{lines}: {tables:#?}");
        assert_eq!(rows(&tables[1]).len(), 3);
    }
}

#[test]
fn a_rule_in_another_column_of_text_ends_no_header() {
    let mut sheet = Sheet::new();
    let at = [60.0, 140.0, 200.0];
    // The header is above the first rule.
    sheet = sheet
        .row(&at, 88.0, &["", "Letter", "Apple"])
        .row(&at, 100.0, &["Winter", "seldom", "in"])
        .line((55.0, 106.0), (250.0, 106.0));
    for place in 0..3 {
        let y = 120.0 + 20.0 * place as f32;
        sheet = sheet
            .row(&at, y, &["Island", "424.8", "395.6"])
            .line((55.0, y + 6.0), (250.0, y + 6.0));
    }
    sheet = sheet.line((300.0, 93.0), (520.0, 93.0));
    assert_eq!(rows(&sheet.table())[0], "Winter|Letter/seldom|Apple/in");
}

#[test]
fn values_centred_beside_the_lines_of_a_cell_are_one_row() {
    let at = [100.0, 300.0, 380.0];
    let wrapped = |sheet: Sheet, y: f32| {
        sheet
            .text(120.0, y, "Consulting on new water pipes,")
            .row(&[100.0, 300.0, 380.0], y + 6.0, &["1", "12", "95.00"])
            .text(120.0, y + 12.0, "with visits to the site")
    };
    let rest = |mut sheet: Sheet, top: f32| {
        for (place, item) in ["Travel", "Printing", "Paper"].iter().enumerate() {
            let y = top + 18.0 * place as f32;
            sheet = sheet
                .text(100.0, y, &(place + 2).to_string())
                .text(120.0, y, item)
                .row(&at[1..], y, &["2", "48.50"])
                .line((95.0, y + 6.0), (450.0, y + 6.0));
        }
        sheet
    };
    let expected = [
        "1|Consulting on new water pipes,/with visits to the site|12|95.00",
        "2|Travel|2|48.50",
        "3|Printing|2|48.50",
        "4|Paper|2|48.50",
    ];
    // The header has no rule above it, and none or a background below.
    for background in [false, true] {
        let mut sheet = Sheet::new();
        if background {
            sheet.content.push_str("0.8 g 95 692 355 16 re f 0 g\n");
        }
        sheet = sheet.row(
            &[100.0, 120.0, 300.0, 380.0],
            96.0,
            &["No", "Item", "Qty", "Price"],
        );
        sheet = wrapped(sheet, 114.0).line((95.0, 133.0), (450.0, 133.0));
        let table = rest(sheet, 146.0).table();
        assert_eq!(rows(&table)[1..], expected, "{background}");
    }
}

#[test]
fn rules_between_rows_of_text_enclose_one_row_each() {
    let mut sheet = Sheet::new()
        .row(&[100.0, 220.0, 340.0], 96.0, &["Risk", "Measure", "Owner"])
        .line((95.0, 102.0), (450.0, 102.0))
        .text(100.0, 114.0, "Flood in the cellar")
        .text(220.0, 120.0, "Build a wall and")
        .text(100.0, 126.0, "of the house after")
        .text(340.0, 126.0, "Mr Black")
        .text(220.0, 132.0, "clean the drain")
        .text(100.0, 138.0, "heavy rain in spring");
    for (y, cells) in [
        (157.0, ["Fire", "Detectors", "Ms White"]),
        (175.0, ["Theft", "Locks", "Mr Red"]),
    ] {
        sheet =
            sheet
                .line((95.0, y - 13.0), (450.0, y - 13.0))
                .row(&[100.0, 220.0, 340.0], y, &cells);
    }
    let table = sheet.line((95.0, 180.0), (450.0, 180.0)).table();
    assert_eq!(
        rows(&table),
        [
            "Risk|Measure|Owner",
            "Flood in the cellar/of the house after/heavy rain in spring|\
             Build a wall and/clean the drain|Mr Black",
            "Fire|Detectors|Ms White",
            "Theft|Locks|Mr Red",
        ]
    );
}

#[test]
fn a_line_between_two_tables_is_in_neither() {
    for line in ["The next values are for countries.", "Countries"] {
        let mut sheet = Sheet::new();
        for (top, label) in [(100.0, "Town"), (190.0, "Country")] {
            for y in [0.0, 18.0, 60.0] {
                sheet = sheet.line((95.0, top + y), (450.0, top + y));
            }
            sheet = sheet
                .row(&AT, top + 13.0, &[label, "Length", "Size"])
                .row(&AT, top + 32.0, &["Elbe", "1094", "148"])
                .row(&AT, top + 46.0, &["Alster", "56", "587"]);
        }
        let tables = sheet.text(97.0, 178.0, line).tables();
        assert_eq!(tables.len(), 2, "{line}: {tables:#?}");
        assert_eq!(rows(&tables[1])[0], "Country|Length|Size");
    }
}

#[test]
fn rules_around_a_header_and_its_first_values_enclose_two_rows() {
    let mut sheet = Sheet::new()
        .line((95.0, 100.0), (450.0, 100.0))
        .row(&AT[..3], 112.0, &["Total", "Direct", "Indirect"])
        .row(&AT[..3], 124.0, &["costs", "costs", "costs"])
        .row(&AT[..3], 138.0, &["1,314", "373", "940"])
        .line((95.0, 144.0), (450.0, 144.0));
    for place in 0..4 {
        let y = 156.0 + 18.0 * place as f32;
        sheet = sheet
            .row(&AT[..3], y, &["352", "99", "252"])
            .line((95.0, y + 6.0), (450.0, y + 6.0));
    }
    let table = sheet.table();
    assert_eq!(
        rows(&table)[..3],
        [
            "Total/costs|Direct/costs|Indirect/costs",
            "1,314|373|940",
            "352|99|252"
        ]
    );
}

#[test]
fn a_line_in_large_letters_is_the_title_of_the_next_table() {
    let at = [100.0, 150.0, 350.0];
    let sheet = Sheet::new()
        .row(&at, 112.0, &["9:00", "Opening of the meeting", "Room 1"])
        .line((95.0, 118.0), (450.0, 118.0))
        .row(&at, 130.0, &["9:30", "Report of the treasurer", "Room 2"])
        .line((95.0, 136.0), (450.0, 136.0))
        .row(&at, 148.0, &["10:00", "Elections", "Room 2"])
        .line((95.0, 154.0), (450.0, 154.0));
    let mut sheet = sheet;
    let y = 792.0 - 180.0;
    (sheet.content).push_str(&format!(
        "BT /F1 14 Tf 1 0 0 1 100 {y} Tm (The second day) Tj ET\n"
    ));
    let tables = sheet
        .row(&at, 202.0, &["9:00", "Walk along the river", "Bridge"])
        .line((95.0, 208.0), (450.0, 208.0))
        .row(&at, 220.0, &["10:30", "Coffee", "Room 1"])
        .line((95.0, 226.0), (450.0, 226.0))
        .row(&at, 238.0, &["11:00", "Closing words", "Room 1"])
        .line((95.0, 244.0), (450.0, 244.0))
        .tables();
    let texts: Vec<String> = tables.iter().flat_map(rows).collect();
    assert_eq!(tables.len(), 2, "{texts:?}");
    assert!(
        !texts.iter().any(|row| row.contains("second day")),
        "{texts:?}"
    );
}

#[test]
fn a_box_above_the_header_is_outside_of_the_table() {
    let table = Sheet::new()
        .line((30.0, 120.0), (565.0, 120.0))
        .line((30.0, 135.0), (565.0, 135.0))
        // Too few of its cells have text for a table.
        .grid(&[38.0, 555.0], &[137.0, 150.0, 164.0, 178.0])
        .row(&AT, 147.0, &["Ward", "", "4", "12", ""])
        .row(&AT, 161.0, &["Bed", "7", "", "", "3"])
        .row(&AT, 175.0, &["Floor", "", "2", "", "5"])
        .row(&AT, 197.0, &["Item", "Result", "Unit", "Low", "High"])
        .row(&AT, 212.0, &["Iron", "17.5", "mg", "12.0", "25.0"])
        .row(&AT, 227.0, &["Zinc", "14.2", "mg", "10.0", "20.0"])
        .row(&AT, 242.0, &["Lead", "0.3", "mg", "0.0", "0.5"])
        .line((30.0, 250.0), (565.0, 250.0))
        .table();
    assert_eq!(rows(&table)[0], "Item|Result|Unit|Low|High");
    assert!(table.bbox.y1 >= 175.0, "{:?}", table.bbox);
    assert_consistent(&table);
}

#[test]
fn rules_below_the_headers_of_several_tables_are_of_several_tables() {
    let at = [100.0, 240.0, 360.0];
    let mut sheet = Sheet::new();
    for (place, names) in [["Item", "Amount", "Share"], ["Name", "Role", "Town"]]
        .iter()
        .enumerate()
    {
        let y = 100.0 + 110.0 * place as f32;
        sheet = sheet
            .row(&at, y, names)
            .line((98.0, y + 5.0), (402.0, y + 5.0))
            .row(&at, y + 18.0, &["Income", "120.00", "0.51"])
            .row(&at, y + 32.0, &["Cost", "80.50", "0.34"])
            .row(&at, y + 46.0, &["Rest", "39.50", "0.17"])
            .text(
                100.0,
                y + 74.0,
                "The members approved the report of the treasurer without any",
            );
        sheet = sheet.text(100.0, y + 86.0, "questions.");
    }
    let tables = sheet.tables();
    assert_eq!(tables.len(), 2, "{tables:#?}");
    assert_eq!(
        rows(&tables[0])[..2],
        ["Item|Amount|Share", "Income|120.00|0.51"]
    );
    assert_eq!((tables[1].rows.len(), tables[1].header_rows), (4, 1));
}
