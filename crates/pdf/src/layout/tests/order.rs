use super::drawing::{Drawing, PEN, strings};
use super::{layout, text};

const LEFT: &str =
    "the left column has its own\nlines of text that go on\ndown to the last of them";
const RIGHT: &str =
    "but the right column says\nthings of another kind and\nends at the same height";

fn columns() -> String {
    format!("{LEFT}\n\n{RIGHT}\n")
}

/// Both columns, line by line across the page.
fn across(shift: f32) -> Drawing {
    let mut drawing = Drawing::new();
    for (place, (left, right)) in LEFT.lines().zip(RIGHT.lines()).enumerate() {
        let y = 20.0 + 12.0 * place as f32;
        drawing.string((10.0, y), left, PEN);
        drawing.string((180.0, y + shift), right, PEN);
    }
    drawing
}

#[test]
fn columns_drawn_one_after_another_stay_separate() {
    let mut drawing = Drawing::new();
    drawing.lines((10.0, 20.0), 12.0, LEFT);
    drawing.lines((180.0, 20.0), 12.0, RIGHT);
    assert_eq!(text(&drawing.glyphs), columns());
    // The same for short lines with a gutter barely wider than a space.
    let mut drawing = Drawing::new();
    drawing.lines((10.0, 20.0), 12.0, "one\ntwo\nsix");
    drawing.lines((32.0, 20.0), 12.0, "red\ntan\nsky");
    assert_eq!(text(&drawing.glyphs), "one\ntwo\nsix\n\nred\ntan\nsky\n");
}

#[test]
fn columns_drawn_line_by_line_are_separated() {
    assert_eq!(text(&across(0.0).glyphs), columns());
}

#[test]
fn columns_on_different_baselines_are_separated() {
    let mut drawing = across(4.0);
    // Out of order, so that positions decide.
    drawing.glyphs.glyphs.reverse();
    let mut glyphs = drawing.glyphs.clone();
    glyphs.glyphs.sort_by(|a, b| {
        b.start
            .1
            .total_cmp(&a.start.1)
            .then(a.start.0.total_cmp(&b.start.0))
    });
    assert_eq!(text(&glyphs), columns());
}

#[test]
fn addresses_side_by_side_are_two_blocks() {
    let left = "Acme Trading Ltd\nRoad of Plenty\nNew Amsterdam";
    let right = "Mary Miller\nLong Lane West\nOld Harbour";
    let mut by_block = Drawing::new();
    by_block.lines((10.0, 20.0), 12.0, left);
    by_block.lines((300.0, 20.0), 12.0, right);
    let mut by_line = Drawing::new();
    for (place, (left, right)) in left.lines().zip(right.lines()).enumerate() {
        by_line.string((10.0, 20.0 + 12.0 * place as f32), left, PEN);
        by_line.string((300.0, 20.0 + 12.0 * place as f32), right, PEN);
    }
    for drawing in [by_block, by_line] {
        let layout = layout(&drawing.glyphs);
        assert_eq!(layout.text, format!("{left}\n\n{right}\n"));
        let starts: Vec<f32> = layout.blocks.iter().map(|block| block.bbox.x1).collect();
        assert_eq!(starts, [10.0, 300.0]);
    }
}

#[test]
fn addresses_below_a_large_heading_are_two_blocks() {
    let large = super::drawing::Pen { size: 22.0, ..PEN };
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), "BILL", large);
    drawing.string((300.0, 20.0), "No 7", PEN);
    let (left, right) = (
        ["Acme Trading Ltd", "Road of Plenty", "New Amsterdam"],
        ["Mary Miller", "Long Lane West", "Old Harbour"],
    );
    for (place, (left, right)) in left.iter().zip(right).enumerate() {
        drawing.string((10.0, 34.0 + 12.0 * place as f32), left, PEN);
        drawing.string((300.0, 34.0 + 12.0 * place as f32), right, PEN);
    }
    let text = text(&drawing.glyphs);
    assert!(text.contains(&left.join("\n")), "{text}");
    assert!(text.contains(&right.join("\n")), "{text}");
}

#[test]
fn rows_of_a_table_stay_rows() {
    let rows = [
        "Item Count Price",
        "Apples 12 3.50",
        "Pears 7 4.20",
        "Plums 105 9.99",
    ];
    let mut drawing = Drawing::new();
    for (place, row) in rows.iter().enumerate() {
        for (cell, x) in row.split(' ').zip([10.0, 150.0, 250.0]) {
            drawing.string((x, 20.0 + 12.0 * place as f32), cell, PEN);
        }
    }
    let layout = layout(&drawing.glyphs);
    assert_eq!(layout.text, rows.join("\n") + "\n");
    assert_eq!(layout.blocks.len(), 1);
}

#[test]
fn a_table_of_words_stays_in_rows() {
    let mut drawing = Drawing::new();
    for (place, row) in ["Apples Fruits", "Carrots Roots", "Spinach Leaves"]
        .iter()
        .enumerate()
    {
        for (cell, x) in row.split(' ').zip([10.0, 200.0]) {
            drawing.string((x, 20.0 + 12.0 * place as f32), cell, PEN);
        }
    }
    assert_eq!(
        text(&drawing.glyphs),
        "Apples Fruits\nCarrots Roots\nSpinach Leaves\n"
    );
}

#[test]
fn labels_stay_with_their_values() {
    let mut drawing = Drawing::new();
    for (place, (label, value)) in [
        ("Full name:", "Mary Miller"),
        ("Place of birth:", "New Amsterdam"),
        ("Marked with:", "Long scar"),
    ]
    .iter()
    .enumerate()
    {
        drawing.string((10.0, 20.0 + 12.0 * place as f32), label, PEN);
        drawing.string((200.0, 20.0 + 12.0 * place as f32), value, PEN);
    }
    assert_eq!(
        text(&drawing.glyphs),
        "Full name: Mary Miller\nPlace of birth: New Amsterdam\nMarked with: Long scar\n"
    );
}

#[test]
fn a_readable_drawing_order_is_kept() {
    // A note that is drawn last stays last.
    let glyphs = strings(&[
        (10.0, 40.0, "first"),
        (10.0, 80.0, "second"),
        (10.0, 120.0, "third"),
        (10.0, 20.0, "stamp"),
    ]);
    assert_eq!(text(&glyphs), "first\n\nsecond\n\nthird\n\nstamp\n");
}

#[test]
fn pages_drawn_upwards_are_read_downwards() {
    let lines: Vec<(f32, f32, &str)> = ["one", "two", "three", "four", "five"]
        .iter()
        .enumerate()
        .map(|(place, line)| (10.0, 20.0 + 12.0 * place as f32, *line))
        .rev()
        .collect();
    assert_eq!(text(&strings(&lines)), "one\ntwo\nthree\nfour\nfive\n");
}

#[test]
fn artifacts_do_not_disturb_the_order() {
    // Four headers drawn last, one above another, would be four upward moves.
    let mut drawing = Drawing::new();
    let mut artifact = drawing.glyphs.styles[0].clone();
    artifact.artifact = true;
    drawing.glyphs.styles.push(artifact);
    drawing.lines((10.0, 200.0), 12.0, "body one\nbody two\nbody three");
    for y in [80.0, 60.0, 40.0, 20.0] {
        drawing.string((10.0, y), "header", super::drawing::Pen { style: 2, ..PEN });
    }
    assert!(text(&drawing.glyphs).starts_with("body one\n"));
}

#[test]
fn text_directions_are_separate() {
    let mut drawing = Drawing::new();
    drawing.string(
        (10.0, 200.0),
        "upwards in the margin",
        super::drawing::Pen {
            angle: -90.0,
            ..PEN
        },
    );
    drawing.lines((30.0, 20.0), 12.0, "level text\nof two lines");
    assert_eq!(
        text(&drawing.glyphs),
        "upwards in the margin\n\nlevel text\nof two lines\n"
    );
}

#[test]
fn a_page_scanned_at_an_angle_has_whole_lines() {
    let mut drawing = Drawing::new();
    for (place, line) in ["some words that are long", "and some more of them"]
        .iter()
        .enumerate()
    {
        let y = 20.0 + 12.0 * place as f32;
        drawing.words(
            (10.0, y),
            line,
            0.3,
            super::drawing::Pen { angle: 1.5, ..PEN },
        );
    }
    assert_eq!(
        text(&drawing.glyphs),
        "some words that are long\nand some more of them\n"
    );
}

/// Draws cells with several lines, 9 points apart, line by line across the page.
fn draw_cells(drawing: &mut Drawing, y: f32, cells: &[&str]) {
    let small = super::drawing::Pen { size: 8.0, ..PEN };
    for line in 0..3 {
        for (place, cell) in cells.iter().enumerate() {
            if let Some(text) = cell.lines().nth(line) {
                let at = (10.0 + 120.0 * place as f32, y + 9.0 * line as f32);
                drawing.string(at, text, small);
            }
        }
    }
}

fn draw_values(drawing: &mut Drawing, y: f32, values: &[&str]) {
    for (place, value) in values.iter().enumerate() {
        drawing.string((10.0 + 120.0 * place as f32, y), value, PEN);
    }
}

#[test]
fn labels_of_several_lines_are_read_cell_by_cell() {
    let mut drawing = Drawing::new();
    draw_cells(
        &mut drawing,
        20.0,
        &["Date\nof birth", "Name of\nthe child", "Case"],
    );
    draw_values(&mut drawing, 50.0, &["1 May", "Mary", "17/4"]);
    let cells = [
        "Place\nwhere\nborn",
        "Name of\nthe judge",
        "Number (or\nletter)",
    ];
    draw_cells(&mut drawing, 80.0, &cells);
    draw_values(&mut drawing, 115.0, &["Here", "John", "B"]);
    let expected = "Date\nof birth\n\nName of\nthe child\n\nCase\n1 May Mary 17/4\n\n\
        Place\nwhere\nborn\n\nName of\nthe judge\n\nNumber (or\nletter)\n\nHere John B\n";
    assert_eq!(text(&drawing.glyphs), expected);
}

#[test]
fn labels_in_capitals_continue_after_hyphens_and_short_words() {
    let mut drawing = Drawing::new();
    let cells = [
        "Number of\nHouses",
        "Age/Sex/\nGroup",
        "Preva-\nlence",
        "Relative\nPrecision",
    ];
    draw_cells(&mut drawing, 20.0, &cells);
    draw_values(&mut drawing, 50.0, &["12", "A", "0.5", "3"]);
    let text = text(&drawing.glyphs);
    assert!(
        text.starts_with("Number of\nHouses\n\nAge/Sex/\nGroup\n\nPreva-\nlence\n"),
        "{text}"
    );
}

#[test]
fn rows_of_lower_case_words_stay_rows() {
    // With two rows, there are no values below; with three, all rows look alike.
    let rows = ["Name Colour", "apple red", "pear green"];
    for count in [2, 3] {
        let mut drawing = Drawing::new();
        for (place, row) in rows.iter().take(count).enumerate() {
            let cells: Vec<&str> = row.split(' ').collect();
            draw_values(&mut drawing, 20.0 + 12.0 * place as f32, &cells);
        }
        assert_eq!(text(&drawing.glyphs), rows[..count].join("\n") + "\n");
    }
}

#[test]
fn rows_with_numbers_stay_rows() {
    let mut drawing = Drawing::new();
    let cells = ["Steel bolt\nwith nut", "Made in\nthe north", "17\n18"];
    draw_cells(&mut drawing, 20.0, &cells);
    draw_values(&mut drawing, 50.0, &["Wire", "South", "9"]);
    assert_eq!(
        text(&drawing.glyphs),
        "Steel bolt Made in 17\nwith nut the north 18\n\nWire South 9\n"
    );
}

#[test]
fn columns_from_right_to_left_start_on_the_right() {
    let mut drawing = Drawing::new();
    for line in 0..4 {
        let y = 20.0 + 12.0 * line as f32;
        drawing.string((10.0, y), "ינש רוט לש תוילימ המכ תחא דוע", PEN);
        drawing.string((180.0, y), "ןושאר רוט לש תוילימ המכ דועו", PEN);
    }
    let [first, second] = [
        "ועוד כמה מיליות של טור ראשון\n",
        "עוד אחת כמה מיליות של טור שני\n",
    ];
    assert_eq!(
        text(&drawing.glyphs),
        first.repeat(4) + "\n" + &second.repeat(4)
    );
}
