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
