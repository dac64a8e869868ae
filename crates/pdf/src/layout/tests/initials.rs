use super::drawing::{Drawing, PEN, Pen};
use super::text;

const LINES: [&str; 6] = [
    "he first line is beside it,",
    "and so is the second line",
    "and the third, and perhaps",
    "this fourth line, too. But the",
    "lines after them are as long",
    "as all others of the column.",
];

#[derive(Clone, Copy, Debug)]
enum Drawn {
    First,
    /// Directly before the last line beside it, which has the same baseline.
    WithLast,
    /// After the lines beside it.
    Between,
    Last,
}

/// A paragraph with an initial as high as `count` lines, and this far from them.
fn paragraph(drawing: &mut Drawing, at: (f32, f32), count: usize, drawn: Drawn, gap: f32) {
    let height = 12.0 * (count - 1) as f32;
    let size = (height + 7.0) / 0.7;
    let place = match drawn {
        Drawn::First => 0,
        Drawn::WithLast => count - 1,
        Drawn::Between => count,
        Drawn::Last => LINES.len(),
    };
    for line in 0..=LINES.len() {
        if line == place {
            drawing.string((at.0, at.1 + height), "T", Pen { size, ..PEN });
        }
        if let Some(text) = LINES.get(line) {
            let x = if line < count { 0.5 * size + gap } else { 0.0 };
            drawing.string((at.0 + x, at.1 + 12.0 * line as f32), text, PEN);
        }
    }
}

fn read() -> String {
    format!("T{}\n", LINES.join("\n"))
}

#[test]
fn a_drop_capital_starts_the_first_line() {
    for count in 2..=4 {
        for drawn in [Drawn::First, Drawn::WithLast, Drawn::Between, Drawn::Last] {
            for gap in [0.0, 2.0, 6.0] {
                let mut drawing = Drawing::new();
                paragraph(&mut drawing, (10.0, 20.0), count, drawn, gap);
                assert_eq!(text(&drawing.glyphs), read(), "{count} {drawn:?} {gap}");
            }
        }
    }
}

#[test]
fn drop_capitals_are_found_in_each_column() {
    let mut drawing = Drawing::new();
    for at in [(10.0, 20.0), (10.0, 120.0), (250.0, 20.0)] {
        paragraph(&mut drawing, at, 3, Drawn::Last, 2.0);
    }
    assert_eq!(text(&drawing.glyphs), [read(), read(), read()].join("\n"));
}

#[test]
fn lines_beside_the_drop_capital_above_are_not_beside_the_next_one() {
    let mut drawing = Drawing::new();
    let paragraph = [
        "he first line",
        "and the second",
        "then the third",
        "and a last one.",
    ];
    for y in [20.0, 76.0] {
        for (line, text) in (0..).zip(paragraph) {
            drawing.string((45.0, y + 12.0 * line as f32), text, PEN);
        }
    }
    for y in [20.0, 76.0] {
        let size = (36.0 + 7.0) / 0.7;
        drawing.string((10.0, y + 36.0), "T", Pen { size, ..PEN });
    }
    let read = format!("T{}\n", paragraph.join("\n"));
    assert_eq!(text(&drawing.glyphs).replace("\n\n", "\n"), read.repeat(2));
}

#[test]
fn drop_capitals_drawn_row_by_row_stay_in_their_columns() {
    let lines = [
        "The left column has lines as",
        "long as these, which go on",
        "beside the capital of the",
        "right one until they end.",
    ];
    let mut drawing = Drawing::new();
    for (line, text) in (0..).zip(lines) {
        let y = 20.0 + 12.0 * line as f32;
        drawing.string((10.0, y), text, PEN);
        if line == 2 {
            // Near the left column, in ems of the capital.
            drawing.string((175.0, y), "T", Pen { size: 44.0, ..PEN });
        }
        let x = if line < 3 { 199.0 } else { 175.0 };
        drawing.string((x, y), LINES[line], PEN);
    }
    let right = format!("T{}", LINES[..4].join("\n"));
    assert_eq!(
        text(&drawing.glyphs).replace("\n\n", "\n"),
        format!("{}\n{right}\n", lines.join("\n"))
    );
}

#[test]
fn a_drop_capital_can_be_a_word() {
    // The space after it moves the first line, but not the others.
    for is_first in [true, false] {
        let mut drawing = Drawing::new();
        let draw_initial = |drawing: &mut Drawing| {
            drawing.string((10.0, 44.0), "A", Pen { size: 44.0, ..PEN });
        };
        if is_first {
            draw_initial(&mut drawing);
        }
        drawing.string((34.0, 20.0), " word alone in front", PEN);
        drawing.lines((34.0, 32.0), 12.0, "and two more lines\nbeside the letter.");
        if !is_first {
            draw_initial(&mut drawing);
        }
        let expected = "A word alone in front\nand two more lines\nbeside the letter.\n";
        assert_eq!(text(&drawing.glyphs), expected);
    }
}

#[test]
fn large_letters_elsewhere_stay_as_drawn() {
    let mut drawing = Drawing::new();
    let large = Pen { size: 44.0, ..PEN };
    // Below the lines beside it, and beside a single line.
    drawing.lines((35.0, 20.0), 12.0, "a label\nof two lines");
    drawing.string((10.0, 60.0), "A", large);
    drawing.string((35.0, 130.0), "another label", PEN);
    drawing.string((10.0, 154.0), "B", large);
    let expected = "a label\nof two lines\nA\nanother label\nB\n";
    assert_eq!(text(&drawing.glyphs).replace("\n\n", "\n"), expected);
}

#[test]
fn a_line_has_one_drop_capital() {
    let mut drawing = Drawing::new();
    for initial in ["T", "U", "V"] {
        drawing.string((10.0, 44.0), initial, Pen { size: 44.0, ..PEN });
    }
    drawing.lines(
        (34.0, 20.0),
        12.0,
        "hree lines\nare beside the\nthree letters.",
    );
    let text = text(&drawing.glyphs);
    assert_eq!(text.matches("hree lines").count(), 1, "{text}");
    for initial in ["T", "U", "V"] {
        assert_eq!(text.matches(initial).count(), 1, "{text}");
    }
}
