//! Pages on which positions allow several orders, or contradict the order of drawing.

use super::drawing::{Drawing, PEN, Pen, strings};
use super::text;

const PROSE: [&str; 6] = [
    "the first line of some text that",
    "goes on with a second one, with a",
    "third line of words, and a fourth",
    "that is just like the others, and",
    "so is the fifth line of the text,",
    "and then a sixth one is its end.",
];

/// Lines of prose, drawn in this order.
fn prose(order: [usize; 6], leading: f32) -> String {
    let lines = order.map(|line| (10.0, 20.0 + leading * line as f32, PROSE[line]));
    text(&strings(&lines))
}

#[test]
fn lines_drawn_in_any_order_are_read_downwards() {
    let expected = PROSE.join("\n") + "\n";
    for order in [
        [0, 1, 2, 3, 4, 5],
        [5, 4, 3, 2, 1, 0],
        [1, 3, 5, 0, 2, 4],
        [3, 0, 5, 2, 4, 1],
    ] {
        for leading in [12.0, 24.0] {
            assert_eq!(prose(order, leading), expected, "{order:?} {leading}");
        }
    }
}

#[test]
fn a_few_lines_drawn_early_are_read_in_place() {
    let expected = PROSE.join("\n") + "\n";
    assert_eq!(prose([4, 5, 2, 3, 0, 1], 12.0), expected);
}

#[test]
fn floats_drawn_before_the_text_around_them_are_read_in_place() {
    let float =
        |x: f32, text: &'static str| (0..4).map(move |line| (x, 60.0 + 12.0 * line as f32, text));
    // A title above two floats.
    let mut lines: Vec<_> = float(10.0, PROSE[0])
        .chain(float(200.0, "right float"))
        .collect();
    lines.push((150.0, 20.0, "the title"));
    let read = text(&strings(&lines));
    assert!(read.starts_with("the title\n\nthe first line"), "{read}");
    assert!(read.ends_with("right float\n"), "{read}");
    // A float on the right, and text that begins above it and ends below it.
    let mut lines: Vec<_> = float(200.0, "right float").collect();
    lines.push((10.0, 30.0, "the title"));
    lines.extend(
        PROSE
            .iter()
            .zip(0..)
            .map(|(line, row)| (10.0, 60.0 + 12.0 * row as f32, *line)),
    );
    let wide = "a line below the float that is as wide as the page, like many";
    lines.extend((0..3).map(|row| (10.0, 132.0 + 12.0 * row as f32, wide)));
    let read = text(&strings(&lines));
    assert!(read.starts_with("the title\n\nright float\n"), "{read}");
    assert_eq!(read.matches("right float").count(), 4);
    // A column is not such a text.
    let mut lines: Vec<_> = float(10.0, "left column").collect();
    lines.extend(
        PROSE
            .iter()
            .zip(0..)
            .map(|(line, row)| (200.0, 20.0 + 12.0 * row as f32, *line)),
    );
    lines.push((10.0, 120.0, wide));
    assert!(text(&strings(&lines)).starts_with("left column\n"));
}

#[test]
fn a_frame_is_read_after_the_title_close_to_the_text() {
    let mut drawing = Drawing::new();
    drawing.lines(
        (300.0, 80.0),
        12.0,
        "Figure 1: a picture that\nshows the river in May",
    );
    let title = Pen { size: 18.0, ..PEN };
    drawing.string((10.0, 40.0), "The rivers", title);
    drawing.lines((10.0, 60.0), 12.0, &PROSE.join("\n"));
    let wide = "a line below the frame that is as wide as the page, like many";
    drawing.lines((10.0, 132.0), 12.0, &[wide; 3].join("\n"));
    let read = text(&drawing.glyphs);
    assert!(read.starts_with("The rivers\n\nFigure 1"), "{read}");
}

#[test]
fn floats_at_the_end_of_lines_are_joined_to_them() {
    let dishes = ["Soup of the day", "Trout with almonds", "Lemon tart"];
    let with_floats = |floats: [&'static str; 3]| {
        let at = |row: usize| 60.0 + 40.0 * row as f32;
        let mut lines: Vec<_> = floats
            .iter()
            .enumerate()
            .map(|(row, float)| (350.0 - 5.0 * float.len() as f32, at(row), *float))
            .collect();
        lines.push((10.0, 20.0, "The menu of this week"));
        for (row, dish) in dishes.iter().enumerate() {
            lines.push((10.0, at(row), dish));
            lines.push((10.0, at(row) + 12.0, "with bread"));
        }
        text(&strings(&lines))
    };
    for floats in [
        ["5.50", "16.00", "7.20"],
        ["on Monday", "on Friday", "daily"],
    ] {
        let read = with_floats(floats);
        assert!(read.starts_with("The menu of this week\n"), "{read}");
        for (dish, float) in dishes.iter().zip(floats) {
            assert!(read.contains(&format!("{dish} {float}\n")), "{read}");
        }
    }
}

#[test]
fn a_column_on_the_right_that_is_drawn_first_stays_a_column() {
    let column = |x: f32| {
        PROSE
            .iter()
            .zip(0..)
            .map(move |(line, row)| (x, 60.0 + 12.0 * row as f32, *line))
    };
    let lines: Vec<_> = column(300.0).chain(column(10.0)).collect();
    let read = text(&strings(&lines));
    assert!(read.starts_with(&PROSE.join("\n")), "{read}");
}

#[test]
fn numbers_along_an_axis_stay_as_drawn() {
    let mut drawing = Drawing::new();
    for (place, number) in ["0", "20", "40", "60", "80", "100"].iter().enumerate() {
        drawing.string((10.0, 120.0 - 14.0 * place as f32), number, PEN);
    }
    let expected = "0\n20\n40\n60\n80\n100\n";
    assert_eq!(text(&drawing.glyphs).replace("\n\n", "\n"), expected);
}

#[test]
fn labels_of_a_diagram_stay_as_drawn() {
    // From the bottom up, and in zigzag; two lines each.
    let labels = [
        (100.0, 220.0, "raw data\nof sensors"),
        (100.0, 160.0, "clean and\nnormalize"),
        (10.0, 100.0, "training\nof models"),
        (200.0, 100.0, "storage of\nfeatures"),
        (100.0, 40.0, "answers to\nquestions"),
    ];
    let mut drawing = Drawing::new();
    for (x, y, label) in labels {
        drawing.lines((x, y), 12.0, label);
    }
    let expected: Vec<String> = labels
        .iter()
        .map(|label| format!("{}\n", label.2))
        .collect();
    assert_eq!(text(&drawing.glyphs), expected.join("\n"));
}

#[test]
fn a_grid_of_cells_drawn_upwards_stays_as_drawn() {
    let mut drawing = Drawing::new();
    let mut expected = String::new();
    for row in 0..5 {
        for column in 0..4 {
            let cell = format!("cell {row}.{column}");
            let at = (10.0 + 100.0 * column as f32, 300.0 - 60.0 * row as f32);
            drawing.string(at, &cell, PEN);
            expected += &cell;
            expected += if column == 3 { "\n" } else { " " };
        }
    }
    assert_eq!(text(&drawing.glyphs).replace("\n\n", "\n"), expected);
}

/// Columns of cells, 2 points apart, drawn one after another.
fn cells(columns: &[&[&str]]) -> String {
    let mut drawing = Drawing::new();
    let mut x = 10.0;
    for column in columns {
        drawing.lines((x, 20.0), 12.0, &column.join("\n"));
        let longest = column.iter().map(|cell| cell.len()).max().unwrap_or(0);
        x += 5.0 * longest as f32 + 2.0;
    }
    text(&drawing.glyphs).replace("\n\n", "\n")
}

#[test]
fn a_timetable_is_read_by_columns_if_it_is_drawn_by_columns() {
    let columns: [&[&str]; 4] = [
        &["Northport", "Easthaven", "Southgate", "Westminst"],
        &["06:12", "06:19", "06:31", "06:40"],
        &["06:42", "06:49", "07:01", "07:10"],
        &["07:12", "07:19", "07:31", "07:40"],
    ];
    assert_eq!(cells(&columns), columns.concat().join("\n") + "\n");
}

#[test]
fn values_close_to_their_labels_stay_with_them() {
    let columns: [&[&str]; 2] = [&["Name:", "Town:", "Born:"], &["Mary", "Ulm", "1901"]];
    assert_eq!(cells(&columns), "Name: Mary\nTown: Ulm\nBorn: 1901\n");
    // Dots that lead to values are not cells.
    let columns: [&[&str]; 3] = [
        &["one", "two", "six"],
        &["...", "...", "..."],
        &["7", "8", "9"],
    ];
    assert_eq!(cells(&columns), "one ... 7\ntwo ... 8\nsix ... 9\n");
}
