use super::drawing::{Drawing, PEN, Pen, strings};
use super::{layout, text};

#[test]
fn close_lines_are_a_block() {
    let glyphs = strings(&[
        (10.0, 20.0, "one"),
        (10.0, 32.0, "two"),
        (10.0, 44.0, "three"),
    ]);
    let layout = layout(&glyphs);
    assert_eq!(layout.text, "one\ntwo\nthree\n");
    assert_eq!((layout.blocks.len(), layout.lines.len()), (1, 3));
}

#[test]
fn a_wider_gap_starts_a_block() {
    let glyphs = strings(&[
        (10.0, 20.0, "one"),
        (10.0, 32.0, "two"),
        (10.0, 50.0, "three"),
        (10.0, 62.0, "four"),
    ]);
    assert_eq!(text(&glyphs), "one\ntwo\n\nthree\nfour\n");
}

#[test]
fn wide_leading_is_not_a_gap() {
    let glyphs = strings(&[
        (10.0, 20.0, "one"),
        (10.0, 44.0, "two"),
        (10.0, 68.0, "three"),
    ]);
    assert_eq!(text(&glyphs), "one\ntwo\nthree\n");
}

#[test]
fn another_size_starts_a_block() {
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), "Heading", Pen { size: 16.0, ..PEN });
    drawing.lines((10.0, 34.0), 12.0, "text below it\nand more");
    assert_eq!(
        text(&drawing.glyphs),
        "Heading\n\ntext below it\nand more\n"
    );
}

#[test]
fn an_indented_line_starts_a_paragraph() {
    let full = "a line of the paragraph that is as long as can be";
    let first = "a line that goes in, and is as long as can be";
    let glyphs = strings(&[
        (10.0, 20.0, full),
        (10.0, 32.0, full),
        (30.0, 44.0, first),
        (10.0, 56.0, full),
    ]);
    assert_eq!(
        text(&glyphs),
        format!("{full}\n{full}\n\n{first}\n{full}\n")
    );
}

#[test]
fn programs_stay_whole() {
    let glyphs = strings(&[
        (10.0, 20.0, "while there is something {"),
        (30.0, 32.0, "do it;"),
        (10.0, 44.0, "}"),
    ]);
    assert_eq!(text(&glyphs), "while there is something {\ndo it;\n}\n");
}

#[test]
fn boxes_cover_their_content() {
    let glyphs = strings(&[(10.0, 20.0, "one"), (10.0, 32.0, "three")]);
    let layout = layout(&glyphs);
    let block = layout.blocks[0].bbox;
    assert_eq!(
        (block.x1, block.y1, block.x2, block.y2),
        (10.0, 12.0, 35.0, 34.0)
    );
    assert_eq!(layout.lines[0].bbox, layout.words[0].bbox);
}
