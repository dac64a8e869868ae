//! Pages without tables.

use super::Sheet;

const PROSE: [&str; 6] = [
    "The river rises in the mountains and",
    "flows through the wide plains of the",
    "north, where it meets the tide. In 2010",
    "it carried more water than ever before,",
    "and many villages along its course had",
    "to be left for several weeks in a row.",
];

#[test]
fn columns_of_running_text() {
    let mut sheet = Sheet::new();
    for (place, line) in PROSE.iter().chain(&PROSE).enumerate() {
        let y = 100.0 + 12.0 * place as f32;
        sheet = sheet.text(72.0, y, line).text(320.0, y, line);
    }
    assert_eq!(sheet.tables(), []);
    // Under the rule of a running head, too.
    let framed = sheet
        .line((72.0, 80.0), (540.0, 80.0))
        .line((72.0, 260.0), (540.0, 260.0));
    assert_eq!(framed.tables(), []);
}

#[test]
fn a_table_of_contents() {
    let mut sheet = Sheet::new();
    for place in 0..12 {
        let y = 100.0 + 14.0 * place as f32;
        let page = (3 * place + 1).to_string();
        sheet = sheet.row(&[72.0, 500.0], y, &["Chapter about something", &page]);
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn numbers_of_sections_before_page_numbers() {
    let mut sheet = Sheet::new();
    let entries = ["1 River", "1.1", "1.2", "2 Bridge", "2.1", "2.2", "2.3"];
    for (place, entry) in entries.iter().enumerate() {
        let page = (2 * place + 1).to_string();
        sheet = sheet.row(&[72.0, 500.0], 100.0 + 14.0 * place as f32, &[entry, &page]);
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn lists_and_references() {
    for mark in ["1.", "(a)", "[12]", "-"] {
        let mut sheet = Sheet::new();
        for place in 0..8 {
            let y = 100.0 + 14.0 * place as f32;
            sheet = sheet.row(&[72.0, 110.0], y, &[mark, "An item, of 2010 or later."]);
        }
        assert_eq!(sheet.tables(), [], "{mark}");
    }
}

#[test]
fn forms() {
    let mut sheet = Sheet::new();
    for (place, label) in ["Name:", "Street:", "Place:", "Born:"].iter().enumerate() {
        let y = 100.0 + 20.0 * place as f32;
        sheet = sheet
            .row(&[72.0, 200.0], y, &[label, "12345"])
            .line((200.0, y + 2.0), (400.0, y + 2.0));
    }
    assert_eq!(sheet.tables(), []);
    // Labels in a grid whose other cells are empty.
    let mut sheet = Sheet::new().grid(&[72.0, 200.0, 300.0, 400.0], &[100.0, 120.0, 140.0, 160.0]);
    for y in [114.0, 134.0, 154.0] {
        sheet = sheet.row(&[75.0, 203.0], y, &["Surname", ""]);
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn diagrams() {
    let boxes = Sheet::new()
        .grid(&[100.0, 200.0], &[100.0, 140.0])
        .grid(&[300.0, 400.0], &[100.0, 140.0])
        .grid(&[100.0, 200.0], &[200.0, 240.0])
        .text(110.0, 120.0, "Input")
        .text(310.0, 120.0, "Output")
        .text(110.0, 220.0, "State")
        .line((200.0, 120.0), (300.0, 120.0))
        .line((150.0, 140.0), (150.0, 200.0))
        .line((200.0, 220.0), (300.0, 130.0));
    assert_eq!(boxes.tables(), []);
}

#[test]
fn plots() {
    let mut sheet = Sheet::new().line((100.0, 100.0), (100.0, 300.0));
    for step in 0..6 {
        let y = 100.0 + 40.0 * step as f32;
        sheet = sheet
            .line((100.0, y), (400.0, y))
            .text(75.0, y + 3.0, &format!("{}", 100 - 20 * step))
            .text(
                120.0 + 50.0 * step as f32,
                315.0,
                &format!("{}", 1990 + step),
            );
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn code_and_equations() {
    let code = [
        "let a = 1;",
        "let bc = 22;",
        "if a == bc {",
        "    return;",
        "}",
    ];
    let comments = ["// the first", "// the second", "// or", "// done", ""];
    let mut sheet = Sheet::new();
    for (place, (line, comment)) in code.iter().zip(comments).enumerate() {
        sheet = sheet.row(
            &[72.0, 250.0],
            100.0 + 12.0 * place as f32,
            &[line, comment],
        );
    }
    assert_eq!(sheet.tables(), []);
    let mut sheet = Sheet::new();
    for (place, equation) in ["a = b + 1", "c = d + 2", "e = f + 3"].iter().enumerate() {
        let number = format!("({})", place + 1);
        sheet = sheet.row(
            &[200.0, 500.0],
            100.0 + 30.0 * place as f32,
            &[equation, &number],
        );
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn a_box_around_text() {
    let mut sheet = Sheet::new().grid(&[70.0, 300.0], &[90.0, 180.0]);
    for (place, line) in PROSE.iter().enumerate() {
        sheet = sheet.text(72.0, 102.0 + 12.0 * place as f32, line);
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn the_axis_and_the_legend_of_a_plot() {
    let marks = ["1", "2", "3", "4", "5", "6"];
    let xs: Vec<f32> = (0..6).map(|place| 110.0 + 60.0 * place as f32).collect();
    let sheet = Sheet::new()
        .line((100.0, 500.0), (450.0, 500.0))
        .row(&xs, 514.0, &marks)
        .row(&[230.0], 534.0, &["wealth in deciles"])
        .row(&[120.0, 300.0], 554.0, &["low literacy", "high literacy"])
        .line((100.0, 560.0), (450.0, 560.0));
    assert_eq!(sheet.tables(), []);
}

#[test]
fn boxes_that_lines_connect() {
    let mut sheet = Sheet::new();
    for column in 0..3 {
        for row in 0..3 {
            let (x, y) = (80.0 + 150.0 * column as f32, 100.0 + 80.0 * row as f32);
            sheet = sheet.grid(&[x, x + 110.0], &[y, y + 40.0]).text(
                x + 10.0,
                y + 24.0,
                "a step of it",
            );
            if column < 2 {
                sheet = sheet.line((x + 110.0, y + 20.0), (x + 150.0, y + 20.0));
            }
            if row < 2 {
                sheet = sheet.line((x + 55.0, y + 40.0), (x + 55.0, y + 80.0));
            }
        }
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn labels_beside_wide_blank_columns() {
    let xs = [72.0, 140.0, 280.0, 350.0, 480.0];
    let mut sheet = Sheet::new().grid(&xs, &[100.0, 120.0, 140.0, 160.0]);
    for (y, labels) in [
        (114.0, ["Name", "", "Phone"]),
        (134.0, ["Bank", "", "Code"]),
        (154.0, ["Owner", "", "Date"]),
    ] {
        sheet = sheet.row(&[75.0, 143.0, 283.0], y, &labels);
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn addresses_beside_each_other() {
    let mut sheet = Sheet::new();
    for (place, x) in [72.0, 240.0, 400.0].into_iter().enumerate() {
        for (line, text) in [
            "Stone River",
            "77 Market Street",
            "20095 Hamburg",
            "Tel. 040 12345",
        ]
        .into_iter()
        .enumerate()
        {
            let y = 100.0 + 14.0 * line as f32;
            sheet = sheet.text(x, y, &format!("{text}{place}"));
        }
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn numbers_above_the_caption_of_a_figure() {
    let numbers = |caption: &str| {
        let mut sheet = Sheet::new();
        for row in 0..5 {
            let values = [0, 1, 2, 3].map(|column| format!("{row}.{column}"));
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let y = 100.0 + 14.0 * row as f32;
            sheet = sheet.row(&[80.0, 180.0, 280.0, 380.0], y, &values);
        }
        sheet.text(80.0, 190.0, caption)
    };
    let text = "The values of all stations in the years of the survey";
    assert_eq!(numbers(text).tables().len(), 1);
    assert_eq!(numbers(&format!("Figure 3: {text}")).tables(), []);
}

#[test]
fn lists_beside_other_text() {
    let at = [72.0, 300.0, 318.0];
    for marks in [["1.", "2.", "3.", "4."], ["*"; 4].map(|_| "\\225")] {
        let mut sheet = Sheet::new();
        for (place, mark) in marks.into_iter().enumerate() {
            let y = 100.0 + 14.0 * place as f32;
            sheet = sheet.row(&at, y, &["Short text here", mark, "Another item"]);
        }
        assert_eq!(sheet.tables(), []);
    }
}

#[test]
fn contents_with_numbers_of_chapters() {
    let mut sheet = Sheet::new();
    for place in 0..6 {
        let y = 100.0 + 14.0 * place as f32;
        let section = format!("5.{}", place + 1);
        let page = format!("5-{}", 2 * place + 1);
        let title = format!("Measures {}", ".".repeat(60));
        sheet = sheet.row(&[72.0, 100.0, 420.0], y, &[&section, &title, &page]);
    }
    assert_eq!(sheet.tables(), []);
}

#[test]
fn several_lists_of_contents() {
    let dots = ". . . . . . . . . . . . . . . .";
    let mut sheet = Sheet::new();
    let mut y = 100.0;
    for list in ["List of Figures", "List of Tables"] {
        sheet = sheet.text(100.0, y, list);
        for (number, page) in [("1", "2"), ("2", "2"), ("3", "3")] {
            y += 14.0;
            let title = format!("Bridges {dots}");
            sheet = sheet.row(&[100.0, 130.0, 340.0], y, &[number, &title, page]);
        }
        y += 20.0;
    }
    assert!(sheet.tables().is_empty(), "{:#?}", sheet.tables());
    let pair = Sheet::new()
        .row(
            &[100.0, 130.0, 340.0],
            100.0,
            &["2.1", &format!("Bridges {dots}"), "6"],
        )
        .row(
            &[100.0, 130.0, 340.0],
            114.0,
            &["2.2", &format!("Streets {dots}"), "10"],
        );
    assert!(pair.tables().is_empty());
}

#[test]
fn narrow_columns_of_text_are_no_table() {
    let mut sheet = Sheet::new().row(&[100.0, 240.0, 380.0], 100.0, &["One", "Two", "Three"]);
    let lines = [
        ["some banks of", "works in the", "offers not all"],
        ["this market are", "land for some", "but at a price"],
        ["leaving it now", "years and has", "customers will"],
        ["others come in", "its own branch", "use all of it"],
        ["with new offers", "in the capital", "as they always"],
    ];
    for (place, cells) in lines.iter().enumerate() {
        sheet = sheet.row(&[100.0, 240.0, 380.0], 114.0 + 14.0 * place as f32, cells);
    }
    assert!(sheet.tables().is_empty(), "{:#?}", sheet.tables());
}
