//! Tables without rules.

use super::{Sheet, assert_consistent, rows};
use crate::model::TableKind;

const AT: [f32; 4] = [100.0, 220.0, 280.0, 340.0];

#[test]
fn aligned_values_are_a_table() {
    let table = Sheet::new()
        .row(&AT, 100.0, &["Region", "2001", "2002", "2003"])
        .row(&AT, 114.0, &["North", "12.5", "13.0", "14.1"])
        .row(&AT, 128.0, &["South", "9.5", "9.9", "10.2"])
        .row(&AT, 142.0, &["West", "7.1", "-", "6.8"])
        .table();
    assert_eq!(
        rows(&table),
        [
            "Region|2001|2002|2003",
            "North|12.5|13.0|14.1",
            "South|9.5|9.9|10.2",
            "West|7.1|-|6.8"
        ]
    );
    assert_eq!((table.found, table.header_rows), (TableKind::Spaced, 1));
    assert!(table.sureness < 0.9);
    assert_consistent(&table);
}

#[test]
fn numbers_a_space_apart_are_in_columns() {
    let at = [100.0, 200.0, 234.0, 268.0];
    let mut sheet = Sheet::new().row(&at, 100.0, &["Size", "1.0", "1.1", "1.2"]);
    for place in 0..4 {
        sheet = sheet.row(
            &at,
            114.0 + 14.0 * place as f32,
            &["with all", "11,040", "11,120", "11,280"],
        );
    }
    assert_eq!(
        rows(&sheet.table())[1..],
        ["with all|11,040|11,120|11,280"; 4]
    );
}

#[test]
fn groups_of_digits_stay_together() {
    let mut sheet = Sheet::new();
    for place in 0..4 {
        sheet = sheet.row(
            &AT,
            100.0 + 14.0 * place as f32,
            &["Nitrogen", "50 000", "1 000", "100 000"],
        );
    }
    assert_eq!(rows(&sheet.table()), ["Nitrogen|50 000|1 000|100 000"; 4]);
}

#[test]
fn headings_of_groups_are_rows() {
    let table = Sheet::new()
        .row(&AT, 100.0, &["Region", "2001", "2002", "2003"])
        .row(&AT, 114.0, &["Women"])
        .row(&AT, 128.0, &["North", "12.5", "13.0", "14.1"])
        .row(&AT, 142.0, &["South", "9.5", "9.9", "10.2"])
        .row(&AT, 156.0, &["Men"])
        .row(&AT, 170.0, &["North", "7.1", "7.3", "6.8"])
        .table();
    assert_eq!(rows(&table)[1], "Women|||");
    assert_eq!(rows(&table)[4..], ["Men|||", "North|7.1|7.3|6.8"]);
    assert_eq!(table.header_rows, 1);
}

#[test]
fn wrapped_labels_are_one_cell() {
    let table = Sheet::new()
        .row(&AT, 100.0, &["Region", "2001", "2002", "2003"])
        .row(&AT, 118.0, &["North of the great", "12.5", "13.0", "14.1"])
        .row(&AT, 129.0, &["river"])
        .row(&AT, 147.0, &["South", "9.5", "9.9", "10.2"])
        .row(&AT, 165.0, &["West", "7.1", "7.3", "6.8"])
        .table();
    assert_eq!(rows(&table)[1], "North of the great/river|12.5|13.0|14.1");
}

#[test]
fn a_header_over_several_columns_spans_them() {
    let table = Sheet::new()
        .text(262.0, 100.0, "Year of data")
        .row(&AT, 114.0, &["Region", "2001", "2002", "2003"])
        .row(&AT, 128.0, &["North", "12.5", "13.0", "14.1"])
        .row(&AT, 142.0, &["South", "9.5", "9.9", "10.2"])
        .table();
    assert_eq!(
        rows(&table)[..2],
        ["Region|Year of data|^|^", "^|2001|2002|2003"]
    );
    assert_consistent(&table);
}

#[test]
fn a_repeated_header_starts_another_table() {
    let mut sheet = Sheet::new();
    for (top, first) in [(100.0, "1.0"), (180.0, "1.7")] {
        sheet = sheet.row(&AT, top, &["Proportion", first, "1.8", "1.9"]);
        for place in 1..4 {
            sheet = sheet.row(
                &AT,
                top + 14.0 * place as f32,
                &["0.99", "800", "880", "960"],
            );
        }
    }
    let tables = sheet.tables();
    assert_eq!(tables.len(), 2);
    assert_eq!(rows(&tables[1])[0], "Proportion|1.7|1.8|1.9");
}

#[test]
fn typed_rules_are_not_cells() {
    let table = Sheet::new()
        .row(&AT, 100.0, &["Region", "2001", "2002", "2003"])
        .text(100.0, 110.0, &"-".repeat(90))
        .row(&AT, 122.0, &["North", "12.5", "13.0", "14.1"])
        .row(&AT, 136.0, &["South", "9.5", "9.9", "10.2"])
        .table();
    assert_eq!(rows(&table).len(), 3);
}

#[test]
fn striped_rows_are_rows() {
    let mut sheet = Sheet::new();
    for place in 0..6 {
        let y = 100.0 + 24.0 * place as f32;
        if place % 2 == 0 {
            sheet
                .content
                .push_str(&format!("0.8 g 95 {} 300 24 re f 0 g\n", 792.0 - y - 24.0));
        }
        sheet = sheet
            .text(100.0, y + 10.0, "Terminal")
            .text(100.0, y + 20.0, "Drive")
            .row(&AT, y + 15.0, &["", "Tulsa", "74115", "831-6302"]);
    }
    assert_eq!(
        rows(&sheet.table()),
        ["Terminal/Drive|Tulsa|74115|831-6302"; 6]
    );
}

#[test]
fn numbers_below_numbers_start_a_row_whatever_is_between() {
    let table = Sheet::new()
        .row(&[72.0, 200.0, 300.0], 100.0, &["Name", "Length", "Size"])
        .row(
            &[72.0, 200.0, 300.0],
            114.0,
            &["Elbe with all the", "1094", "148"],
        )
        .row(&[72.0], 126.0, &["Norderelbe and the"])
        .row(&[72.0], 138.0, &["Suederelbe in the"])
        .row(
            &[72.0, 200.0, 300.0],
            150.0,
            &["Alster and lakes", "56", "587"],
        )
        .row(&[72.0], 162.0, &["in the city"])
        .row(&[72.0, 200.0, 300.0], 174.0, &["Bille", "65", "506"])
        .table();
    assert_eq!(
        rows(&table)[1..],
        [
            "Elbe with all the/Norderelbe and the/Suederelbe in the|1094|148",
            "Alster and lakes/in the city|56|587",
            "Bille|65|506"
        ]
    );
}

#[test]
fn lines_with_text_in_all_columns_are_rows() {
    let xs = [72.0, 200.0, 300.0];
    let lines = [
        ["Name", "Kind", "Use"],
        ["Elbe near", "Wide river", "Ships"],
        ["Alster", "Lake", "Boats"],
        ["Bille at", "Small river", "Swimming"],
        ["Oste", "River", "Ferries of"],
        ["Este", "River", "Boats"],
    ];
    let mut sheet = Sheet::new();
    for (place, line) in lines.iter().enumerate() {
        sheet = sheet.row(&xs, 100.0 + 12.0 * place as f32, line);
    }
    assert_eq!(rows(&sheet.table()).len(), lines.len());
}

#[test]
fn numbers_of_rows_are_a_column_directly_beside_texts() {
    // In a table of 12 rows, numbers have different widths. In one of 3, they follow each other.
    let articles = [
        "Oak planks",
        "Beech",
        "Copper wire",
        "Nails",
        "Glue",
        "Rope",
        "Tar",
        "Paint",
        "Zinc",
        "Salt",
        "Iron bars",
        "Lime",
    ];
    for numbers in [1..=12_u32, 101..=103] {
        let count = numbers.clone().count();
        let mut sheet =
            Sheet::new().row(&[84.0, 110.0, 260.0], 100.0, &["No.", "Article", "Price"]);
        for (row, number) in (1_u8..).zip(numbers) {
            let digits = number.to_string();
            let x = 104.0 - 5.56 * digits.len() as f32;
            let article = articles[usize::from(row) - 1];
            let price = format!("{row}.50");
            let y = 100.0 + 14.0 * f32::from(row);
            sheet = sheet.row(&[x, 110.0, 260.0], y, &[&digits, article, &price]);
        }
        let table = sheet.table();
        assert_eq!(rows(&table).len(), count + 1);
        assert!(rows(&table)[1].ends_with("|Oak planks|1.50"));
    }
}

#[test]
fn running_heads_and_titles_are_above_tables() {
    let xs = [72.0, 200.0, 300.0, 400.0];
    let mut sheet = Sheet::new()
        .row(&[72.0, 400.0], 60.0, &["Northern Bank", "Page one"])
        .row(&xs, 90.0, &["Date", "Details", "Paid", "Balance"]);
    for row in 0..6 {
        let y = 104.0 + 14.0 * row as f32;
        sheet = sheet.row(&xs, y, &["3 May", "Rent", "340.50", "1,200.00"]);
    }
    assert_eq!(rows(&sheet.table())[0], "Date|Details|Paid|Balance");
}

#[test]
fn backgrounds_of_cells_in_some_rows_are_columns_of_all() {
    let xs = [72.0, 130.0, 220.0, 310.0];
    let bounds = [68.0, 126.0, 216.0, 306.0, 396.0];
    let mut sheet = Sheet::new();
    let tops = [100.0, 116.0, 144.0, 172.0, 200.0, 228.0, 256.0];
    // The header and every second row have backgrounds.
    for place in [0, 1, 3, 5] {
        for pair in bounds.windows(2) {
            let (top, height) = (tops[place], tops[place + 1] - tops[place]);
            let (y, width) = (792.0 - top - height, pair[1] - pair[0]);
            let operators = format!("0.8 0.9 1 rg {} {y} {width} {height} re f 0 g\n", pair[0]);
            sheet.content.push_str(&operators);
        }
    }
    sheet = sheet.row(&xs, 111.0, &["Time", "Hall A", "Hall B", "Hall C"]);
    for (place, top) in tops.iter().enumerate().skip(1) {
        let time = format!("{}:00", 8 + place);
        sheet = sheet
            .row(
                &xs,
                top + 11.0,
                &[&time, "On old bridges", "The flood of", "Sound and"],
            )
            .row(
                &xs,
                top + 23.0,
                &["", "by Ada Brown", "last year", "silence"],
            );
    }
    let table = sheet.table();
    let rows = rows(&table);
    assert_eq!(rows[0], "Time|Hall A|Hall B|Hall C");
    let row = |time: usize| {
        format!("{time}:00|On old bridges/by Ada Brown|The flood of/last year|Sound and/silence")
    };
    assert_eq!(rows[1..], (9..15).map(row).collect::<Vec<_>>());
}

#[test]
fn every_second_row_has_a_background() {
    let xs = [72.0, 200.0, 300.0];
    let mut sheet = Sheet::new().row(&xs, 96.0, &["Name", "Length", "Size"]);
    let names = [
        "Elbe with its",
        "Alster and",
        "Bille down to",
        "Oste in the",
    ];
    for (place, name) in names.iter().enumerate() {
        let top = 102.0 + 32.0 * place as f32;
        if place % 2 == 0 {
            for (left, right) in [(68.0, 196.0), (196.0, 296.0), (296.0, 396.0)] {
                let (y, width) = (792.0 - top - 32.0, right - left);
                let operators = format!("0.8 0.9 1 rg {left} {y} {width} 32 re f 0 g\n");
                sheet.content.push_str(&operators);
            }
        }
        sheet = sheet
            .row(&xs, top + 12.0, &[name])
            .row(&xs, top + 18.0, &["", "1094", "148"])
            .row(&xs, top + 24.0, &["delta and sea"]);
    }
    let table = sheet.table();
    assert_eq!(
        rows(&table),
        [
            "Name|Length|Size",
            "Elbe with its/delta and sea|1094|148",
            "Alster and/delta and sea|1094|148",
            "Bille down to/delta and sea|1094|148",
            "Oste in the/delta and sea|1094|148"
        ]
    );
}

#[test]
fn the_first_column_directly_below_text_is_not_part_of_it() {
    let xs = [72.0, 230.0, 330.0];
    let line = "some words of a long paragraph that is as wide as the table below";
    let table = Sheet::new()
        .text(72.0, 100.0, line)
        .text(72.0, 112.0, line)
        .text(72.0, 124.0, line)
        .row(&xs, 141.0, &["Name", "Length", "Size"])
        .row(&xs, 153.0, &["Elbe", "1094", "148"])
        .row(&xs, 165.0, &["Alster", "56", "587"])
        .row(&xs, 177.0, &["Bille", "65", "506"])
        .text(72.0, 194.0, line)
        .text(72.0, 206.0, line)
        .table();
    assert_eq!(
        rows(&table)[1..],
        ["Elbe|1094|148", "Alster|56|587", "Bille|65|506"]
    );
}

/// Two tables without text between them: rows of one in three columns, and of the other at `xs`.
fn two_tables(xs: &[f32], header: &[&str], row: &[&str]) -> Sheet {
    let mut sheet = Sheet::new().row(&AT, 100.0, &["Name", "Length", "Size"]);
    for place in 1..4 {
        sheet = sheet.row(&AT, 100.0 + 14.0 * place as f32, &["Elbe", "109.4", "14.8"]);
    }
    sheet = sheet.row(xs, 156.0, header);
    for place in 1..4 {
        sheet = sheet.row(xs, 156.0 + 14.0 * place as f32, row);
    }
    sheet
}

#[test]
fn a_header_of_other_columns_starts_another_table() {
    let row = ["Alster", "5.6", "58.7", "12"];
    let tables = two_tables(&AT, &["Place", "Depth", "Width", "Height"], &row).tables();
    assert_eq!(tables.len(), 2);
    assert_eq!(rows(&tables[0]).last().unwrap(), "Elbe|109.4|14.8");
    assert_eq!(
        rows(&tables[1])[..2],
        ["Place|Depth|Width|Height", "Alster|5.6|58.7|12"]
    );
    // Texts with the same columns are rows.
    let row = ["Alster", "5.6", "58.7"];
    let table = two_tables(&AT, &["Lakes", "old", "new"], &row).table();
    assert_eq!(rows(&table).len(), 8);
}

#[test]
fn a_rule_below_each_header_separates_tables() {
    let row = ["Alster", "5.6", "58.7"];
    let sheet =
        two_tables(&AT, &["Place", "Depth", "Width"], &row).line((95.0, 104.0), (330.0, 104.0));
    let below = sheet.line((95.0, 160.0), (330.0, 160.0));
    let tables = below.tables();
    assert_eq!(tables.len(), 2);
    assert_eq!(rows(&tables[1])[0], "Place|Depth|Width");
    // The first header has no rule, so a rule below the second one does not start a new table.
    let sheet = two_tables(&AT, &["Place", "Depth", "Width"], &row);
    assert_eq!(sheet.line((95.0, 160.0), (330.0, 160.0)).tables().len(), 1);
}

#[test]
fn labels_as_close_as_text_are_not_part_of_it() {
    let line = "some words of a long paragraph that is as wide as the table below it";
    let table = Sheet::new()
        .text(100.0, 100.0, line)
        .text(100.0, 114.0, line)
        .text(100.0, 128.0, line)
        .row(&AT, 142.0, &["Name", "Length", "Size"])
        .row(&AT, 156.0, &["Elbe", "109.4", "14.8"])
        .row(&AT, 170.0, &["Alster", "5.6", "58.7"])
        .row(&AT, 184.0, &["Bille", "6.5", "50.6"])
        .text(100.0, 198.0, line)
        .text(100.0, 212.0, line)
        .table();
    assert_eq!(
        rows(&table),
        [
            "Name|Length|Size",
            "Elbe|109.4|14.8",
            "Alster|5.6|58.7",
            "Bille|6.5|50.6"
        ]
    );
}

#[test]
fn the_last_label_has_several_lines() {
    let table = Sheet::new()
        .row(&AT, 100.0, &["Name", "Length", "Size"])
        .row(&AT, 118.0, &["Elbe", "109.4", "14.8"])
        .row(&AT, 136.0, &["Bille", "6.5", "50.6"])
        .row(&AT, 154.0, &["Alster and the", "5.6", "58.7"])
        .row(&AT, 165.0, &["lakes"])
        .table();
    assert_eq!(
        rows(&table).last().unwrap(),
        "Alster and the/lakes|5.6|58.7"
    );
}

#[test]
fn headers_of_groups_at_the_left_span_their_columns() {
    let xs = [100.0, 180.0, 240.0, 300.0, 360.0];
    let mut sheet = Sheet::new()
        .row(&xs, 100.0, &["", "Sales", "", "Costs"])
        .row(&xs, 109.0, &["Region"])
        .row(&xs, 118.0, &["", "2001", "2002", "2001", "2002"]);
    for place in 1..5 {
        let y = 118.0 + 18.0 * place as f32;
        sheet = sheet.row(&xs, y, &["North", "12.5", "13.0", "14.1", "9.5"]);
    }
    let table = sheet.table();
    assert_eq!(
        rows(&table)[..3],
        [
            "Region|Sales|^|Costs|^",
            "^|2001|2002|2001|2002",
            "North|12.5|13.0|14.1|9.5"
        ]
    );
    assert_eq!(table.header_rows, 2);
    assert_consistent(&table);
}

#[test]
fn a_dash_below_the_end_of_longer_numbers_is_in_their_column() {
    // The numbers and dashes end at the same place, and the header is left of the dashes.
    let at = [60.0, 150.0, 216.0, 320.0];
    let mut sheet = Sheet::new().row(&at, 100.0, &["States", "Debt", "Loans", "Bonds"]);
    let rows_of = [
        ("Assam", "12.69", "3.26", 230.5),
        ("Bihar", "40.75", "-", 246.7),
        ("Goa", "11.40", "-", 246.7),
        ("Kerala", "29.03", "-", 246.7),
        ("Odisha", "34.04", "4.40", 230.5),
        ("Punjab", "19.18", "-", 246.7),
        ("Sikkim", "10.16", "-", 246.7),
    ];
    for (place, (state, debt, loans, x)) in rows_of.into_iter().enumerate() {
        let y = 114.0 + 14.0 * place as f32;
        sheet = sheet.row(&[60.0, 150.0, x, 320.0], y, &[state, debt, loans, "0.91"]);
    }
    let table = sheet.table();
    let expected = rows_of.map(|(state, debt, loans, _)| format!("{state}|{debt}|{loans}|0.91"));
    assert_eq!(rows(&table)[0], "States|Debt|Loans|Bonds");
    assert_eq!(rows(&table)[1..], expected);
}

#[test]
fn headers_a_space_apart_are_those_of_their_columns() {
    let at = [60.0, 150.0, 200.0, 226.0];
    let mut sheet = Sheet::new().row(&at, 100.0, &["Group", "Pill", "IUD", "Condom"]);
    for (place, group) in ["First", "Second", "Third", "Fourth"].iter().enumerate() {
        let y = 114.0 + 14.0 * place as f32;
        sheet = sheet.row(
            &[60.0, 150.0, 202.0, 238.0],
            y,
            &[group, "9.7", "0.6", "2.2"],
        );
    }
    assert_eq!(rows(&sheet.table())[0], "Group|Pill|IUD|Condom");
    // A header of two columns stays one.
    let mut sheet = Sheet::new()
        .row(&[150.0, 204.0], 86.0, &["Pill", "Male kinds"])
        .row(&at, 100.0, &["Group", "Pill", "IUD", "Condom"]);
    for (place, group) in ["First", "Second", "Third", "Fourth"].iter().enumerate() {
        let y = 114.0 + 14.0 * place as f32;
        sheet = sheet.row(
            &[60.0, 150.0, 202.0, 238.0],
            y,
            &[group, "9.7", "0.6", "2.2"],
        );
    }
    assert_eq!(rows(&sheet.table())[0], "Group|Pill|Male kinds|^");
}

#[test]
fn signs_of_currencies_are_in_the_cells_of_their_numbers() {
    let mut sheet = Sheet::new().row(&[216.0, 316.0], 100.0, &["2023", "2022"]);
    for (place, (label, sign)) in [
        ("Products", "$"),
        ("Services", ""),
        ("Costs", ""),
        ("Income", "$"),
    ]
    .into_iter()
    .enumerate()
    {
        let y = 114.0 + 14.0 * place as f32;
        let at = [60.0, 190.0, 210.0, 290.0, 310.0];
        sheet = sheet.row(&at, y, &[label, sign, "45,021", sign, "39,004"]);
    }
    assert_eq!(
        rows(&sheet.table()),
        [
            "|2023|2022",
            "Products|$ 45,021|$ 39,004",
            "Services|45,021|39,004",
            "Costs|45,021|39,004",
            "Income|$ 45,021|$ 39,004"
        ]
    );
}

#[test]
fn signs_of_currencies_after_numbers_are_not_those_of_the_next_ones() {
    let mut sheet = Sheet::new().row(&AT[..3], 100.0, &["Wine", "Glass", "Bottle"]);
    for (place, name) in ["Red", "White", "Sweet"].iter().enumerate() {
        sheet = sheet.row(
            &AT[..3],
            114.0 + 14.0 * place as f32,
            &[name, "8 $", "39 $"],
        );
    }
    assert_eq!(rows(&sheet.table())[1], "Red|8 $|39 $");
}

#[test]
fn growing_numbers_beside_others_are_no_page_numbers() {
    let table = Sheet::new()
        .row(&AT[..3], 100.0, &["Name", "One", "Two"])
        .row(&AT[..3], 114.0, &["Alpha", "1", "2"])
        .row(&AT[..3], 128.0, &["Beta", "3", "4"])
        .row(&AT[..3], 142.0, &["Gamma", "5", "6"])
        .table();
    assert_eq!(
        rows(&table),
        ["Name|One|Two", "Alpha|1|2", "Beta|3|4", "Gamma|5|6"]
    );
}

#[test]
fn leaders_end_before_values() {
    let leader = ".".repeat(24);
    let mut sheet = Sheet::new().row(&[300.0, 360.0], 100.0, &["Total", "Rural"]);
    // All end at 298 points.
    let labels = [("Births", 202.9), ("Deaths", 196.8), ("Moves", 199.0)];
    for (place, (label, start)) in labels.into_iter().enumerate() {
        let y = 114.0 + 14.0 * place as f32;
        let label = format!("{label} {leader}");
        sheet = sheet.row(&[start, 301.0, 360.0], y, &[&label, "76.9", "80.0"]);
    }
    let table = sheet.table();
    assert_eq!(rows(&table)[1], format!("Births {leader}|76.9|80.0"));
    assert_consistent(&table);
}

#[test]
fn two_columns_below_a_ruled_header() {
    let sheet = |first: f32| {
        Sheet::new()
            .row(&AT, 100.0, &["Yellow", "Village"])
            .line((95.0, first), (300.0, first))
            .row(&AT, 114.0, &["Apple", "255.6"])
    };
    assert_eq!(
        rows(&sheet(104.0).table()),
        ["Yellow|Village", "Apple|255.6"]
    );
    // Without the rule, it may be anything.
    assert_eq!(sheet(400.0).tables(), []);
}

#[test]
fn the_first_line_of_a_header_may_have_one_cell() {
    let mut sheet = Sheet::new()
        .text(100.0, 88.0, "Winter")
        .row(&AT, 100.0, &["speaker", "The", "Green", "Apple"])
        .line((95.0, 106.0), (400.0, 106.0));
    for place in 0..3 {
        let y = 120.0 + 18.0 * place as f32;
        sheet = sheet.row(&AT, y, &["Signal", "264.0", "652.1", "300.1"]);
    }
    assert_eq!(rows(&sheet.table())[0], "Winter/speaker|The|Green|Apple");
}

#[test]
fn a_label_that_fills_its_column_ends_before_the_value() {
    let at = [100.0, 210.5, 260.0, 320.0];
    let mut sheet = Sheet::new();
    for (place, label) in ["Listener", "Island summer windows", "Engine", "Quite"]
        .iter()
        .enumerate()
    {
        let y = 100.0 + 14.0 * place as f32;
        sheet = sheet.row(&at, y, &[label, "384.6", "620.4", "378.1"]);
    }
    let table = sheet.table();
    assert_eq!(rows(&table)[1], "Island summer windows|384.6|620.4|378.1");
    assert_consistent(&table);
}

#[test]
fn a_larger_line_between_tables_is_a_heading() {
    let at = [100.0, 220.0, 340.0];
    let mut sheet = Sheet::new();
    for (top, header) in [(100.0, "Item"), (178.0, "Town")] {
        sheet = sheet
            .row(&at, top, &[header, "Weight", "Price"])
            .row(&at, top + 14.0, &["Apple", "150", "0.40"])
            .row(&at, top + 28.0, &["Pear", "180", "0.55"])
            .row(&at, top + 42.0, &["Plum", "40", "0.10"]);
    }
    sheet
        .content
        .push_str("BT /F1 14 Tf 1 0 0 1 100 632 Tm (Zebra) Tj ET\n");
    let tables = sheet.tables();
    assert_eq!(tables.len(), 2, "{tables:#?}");
    assert_eq!(rows(&tables[1])[0], "Town|Weight|Price");
}

#[test]
fn texts_directly_beside_numbers_are_cells() {
    let remarks = [
        "closed on Sundays",
        "step-free",
        "see the note",
        "closed",
        "new",
        "see map",
    ];
    let mut sheet = Sheet::new().row(
        &[100.0, 190.0, 262.0, 302.0],
        100.0,
        &["Station", "Opened", "Visitors", "Remark"],
    );
    for (row, remark) in remarks.iter().enumerate() {
        let y = 114.0 + 14.0 * row as f32;
        let station = format!("Mill Lane {row}");
        let opened = (1880 + row).to_string();
        let visitors = 7_usize.pow(row as u32 + 2).to_string();
        // A digit is 5.56 points wide.
        let left = 300.0 - 5.56 * visitors.len() as f32;
        sheet = sheet.row(
            &[100.0, 190.0, left, 302.0],
            y,
            &[&station, &opened, &visitors, remark],
        );
    }
    let rows = rows(&sheet.table());
    assert_eq!(rows[0], "Station|Opened|Visitors|Remark");
    assert_eq!(rows[1], "Mill Lane 0|1880|49|closed on Sundays");
    assert_eq!(rows[6], "Mill Lane 5|1885|823543|see map");
}

#[test]
fn a_sentence_across_the_gaps_is_between_tables() {
    let at = [100.0, 300.0];
    let tasks = |sheet: Sheet, y: f32| {
        sheet
            .row(&at, y, &["Old maps of the river", "12.50"])
            .row(&at, y + 14.0, &["New maps of the town", "8.20"])
            .row(&at, y + 28.0, &["Plans of the harbour", "31.00"])
    };
    let sentence = "All prices of these maps are in pounds and include the tax on sales.";
    let sheet = tasks(Sheet::new(), 100.0).text(100.0, 146.0, sentence);
    let tables = tasks(sheet, 164.0).tables();
    let texts: Vec<String> = tables.iter().flat_map(rows).collect();
    assert_eq!(texts.len(), 6, "{texts:?}");
    assert!(!texts.iter().any(|row| row.contains("prices")), "{texts:?}");
}

/// Texts in two columns, each a list of cells with their lines.
fn parallel(cells: &[(&[&'static str], &[&'static str])], row_step: f32) -> Sheet {
    let mut sheet = Sheet::new();
    let mut y = 100.0;
    for (left, right) in cells {
        for index in 0..left.len().max(right.len()) {
            let line = |lines: &[&'static str]| lines.get(index).copied().unwrap_or_default();
            sheet = sheet.row(&[72.0, 320.0], y, &[line(left), line(right)]);
            y += 12.0;
        }
        y += row_step;
    }
    sheet
}

const LONG: [&str; 3] = [
    "the parties met on Tuesday to settle all",
    "of the questions that were still open at",
    "the end of the last meeting in the town.",
];

#[test]
fn texts_side_by_side_in_rows_are_a_table() {
    let cells: [(&[&str], &[&str]); 5] = [
        (&["Draft"], &["Comment"]),
        (&LONG, &LONG[..2]),
        (&LONG[..1], &LONG[..3]),
        (&LONG[..3], &LONG[1..2]),
        (&LONG[1..3], &LONG[..3]),
    ];
    let table = parallel(&cells, 6.0).table();
    let rows = rows(&table);
    assert_eq!(rows.len(), 5, "{rows:?}");
    assert_eq!(rows[0], "Draft|Comment");
    assert_eq!(rows[2], format!("{}|{}", LONG[0], LONG.join("/")));
}

#[test]
fn names_texts_and_prices_in_rows_are_a_table() {
    let at = [72.0, 150.0, 400.0];
    let mut sheet = Sheet::new().row(&at, 100.0, &["Item", "Description", "Price"]);
    let mut y = 120.0;
    for (name, lines) in [("Boat", 2), ("Map", 1), ("Lamp of brass", 3), ("Rope", 2)] {
        sheet = sheet.row(&at, y, &[name, LONG[0], "12.50"]);
        for line in LONG.iter().take(lines).skip(1) {
            y += 12.0;
            sheet = sheet.text(at[1], y, line);
        }
        y += 18.0;
    }
    let rows = rows(&sheet.table());
    assert_eq!(rows.len(), 5, "{rows:?}");
    assert_eq!(rows[3], format!("Lamp of brass|{}|12.50", LONG.join("/")));
}

#[test]
fn columns_of_text_are_no_table() {
    // The paragraphs of both columns have the same lengths, or there are no gaps between them.
    let even: [(&[&str], &[&str]); 4] = [
        (&LONG, &LONG),
        (&LONG, &LONG),
        (&LONG, &LONG),
        (&LONG, &LONG),
    ];
    assert!(parallel(&even, 6.0).tables().is_empty());
    let uneven: [(&[&str], &[&str]); 4] = [
        (&LONG, &LONG[..2]),
        (&LONG, &LONG[..1]),
        (&LONG[..1], &LONG),
        (&LONG[..2], &LONG),
    ];
    assert!(parallel(&uneven, 0.0).tables().is_empty());
}

#[test]
fn rows_without_gaps_start_with_text_in_all_columns() {
    let at = [72.0, 150.0, 400.0];
    let mut sheet = Sheet::new().row(&at, 100.0, &["Item", "Description", "Price"]);
    let mut y = 112.0;
    let names = ["Boat", "Map", "Lamp of brass", "Rope", "Oar"];
    for (name, lines) in names.into_iter().zip([2, 1, 3, 2, 3]) {
        sheet = sheet.row(&at, y, &[name, LONG[0], "12.50"]);
        y += 12.0;
        for line in LONG.iter().take(lines).skip(1) {
            sheet = sheet.text(at[1], y, line);
            y += 12.0;
        }
    }
    let rows = rows(&sheet.table());
    assert_eq!(rows.len(), 6, "{rows:?}");
    assert_eq!(rows[3], format!("Lamp of brass|{}|12.50", LONG.join("/")));
}

#[test]
fn dates_beside_amounts_in_different_columns_start_rows() {
    let at = [72.0, 130.0, 270.0, 340.0, 410.0];
    let mut sheet = Sheet::new().row(&at, 100.0, &["Date", "Text", "Out", "In", "Balance"]);
    let mut y = 116.0;
    for (day, text, is_out) in [
        ("02 Mar", "Oak planks", true),
        ("03 Mar", "Rent", false),
        ("04 Mar", "Copper wire", true),
        ("05 Mar", "Repair", false),
        ("06 Mar", "Nails", true),
    ] {
        let (out, income) = if is_out {
            ("41.20", "")
        } else {
            ("", "350.00")
        };
        sheet = sheet.row(&at, y, &[day, text, out, income, "1,204.50"]);
        sheet = sheet.text(at[1], y + 12.0, "Reference 5080");
        y += 27.0;
    }
    let rows = rows(&sheet.table());
    assert_eq!(rows.len(), 6, "{rows:?}");
    assert_eq!(rows[2], "03 Mar|Rent/Reference 5080||350.00|1,204.50");
}

#[test]
fn smaller_lines_at_the_edges_of_a_page_are_not_in_its_table() {
    let at = [72.0, 200.0, 330.0];
    let mut sheet = Sheet::new();
    for row in 0..6_u8 {
        let y = 40.0 + 16.0 * f32::from(row);
        sheet = sheet.row(&at, y, &["Oak", "12", &format!("{row}.50")]);
    }
    sheet.content = sheet.content.replace(" 10 Tf", " 9.6 Tf");
    let edges = Sheet::new()
        .row(&[72.0, 330.0], 24.0, &["5/3/24, 10:05", "Stock"])
        .row(&[72.0, 330.0], 136.0, &["garden.example", "1/2"]);
    sheet.content += &edges.content.replace(" 10 Tf", " 8 Tf");
    let rows = rows(&sheet.table());
    assert_eq!(rows.len(), 6, "{rows:?}");
}

#[test]
fn labels_and_values_in_four_columns_are_a_table() {
    let at = [72.0, 150.0, 320.0, 400.0];
    let sheet = |values: [&str; 6]| {
        let [a, b, c, d, e, f] = values;
        Sheet::new()
            .row(&at, 100.0, &["Customer:", a, "Date:", b])
            .row(&at, 114.0, &["Street:", c, "Number:", d])
            .row(&at, 128.0, &["Town:", e, "Clerk:", f])
    };
    let table = sheet([
        "Zoë Sample",
        "3 May 2024",
        "Mill Lane",
        "33",
        "Bath",
        "Karl",
    ])
    .table();
    assert_eq!(rows(&table)[1], "Street:|Mill Lane|Number:|33");
    // This is a form.
    assert!(sheet(["", "3 May", "", "", "", ""]).tables().is_empty());
}

#[test]
fn the_parties_of_a_case_are_no_table() {
    let at = [72.0, 290.0, 310.0];
    let sheet = Sheet::new()
        .row(&at, 100.0, &["JOHN CARTER,", ")", "Case No.: 24-123"])
        .row(&at, 116.0, &["Plaintiff,", ")", "Dept. 7"])
        .row(&at, 132.0, &["vs.", ")", "Judge Winter"])
        .row(&at, 148.0, &["ACME MILLS,", ")", "COMPLAINT"])
        .row(&at, 164.0, &["Defendant.", ")", "Filed 3 May 2024"]);
    assert!(sheet.tables().is_empty());
}

#[test]
fn the_last_label_has_as_many_lines_as_the_others() {
    let at = [72.0, 400.0];
    let mut sheet = Sheet::new();
    for (row, name) in (0_u8..).zip(["Soup", "Bread", "Fish", "Plum cake"]) {
        let y = 100.0 + 26.0 * f32::from(row);
        sheet = sheet.row(&at, y, &[name, &format!("{row}.50")]).text(
            at[0],
            y + 11.0,
            "of the day, with herbs",
        );
    }
    let table = sheet.text(at[0], 232.0, "All prices with tax").table();
    let rows = rows(&table);
    assert_eq!(rows.len(), 4, "{rows:?}");
    assert_eq!(rows[3], "Plum cake/of the day, with herbs|3.50");
}
