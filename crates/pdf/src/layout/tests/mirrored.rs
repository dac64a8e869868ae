use super::drawing::{Drawing, PEN, Pen};
use super::{layout, text};
use crate::glyphs::Glyphs;

const MIRRORED: Pen = Pen { style: 2, ..PEN };

/// A drawing as seen in a mirror, optionally upside down.
fn in_mirror(mut drawing: Drawing, is_upside_down: bool) -> Glyphs {
    let mut style = drawing.glyphs.styles[0].clone();
    style.mirrored = true;
    drawing.glyphs.styles.push(style);
    for glyph in &mut drawing.glyphs.glyphs {
        glyph.style = MIRRORED.style;
        for point in [&mut glyph.start, &mut glyph.end] {
            *point = if is_upside_down {
                (point.0, 800.0 - point.1)
            } else {
                (600.0 - point.0, point.1)
            };
        }
    }
    drawing.glyphs
}

fn lines(lines: &[&str]) -> Drawing {
    let mut drawing = Drawing::new();
    for (place, line) in lines.iter().enumerate() {
        drawing.string((20.0, 20.0 + 12.0 * place as f32), line, PEN);
    }
    drawing
}

#[test]
fn lines_in_a_mirror_are_read_downwards() {
    let shown = [
        "first line",
        "second line",
        "third one",
        "the fourth",
        "last",
    ];
    for is_upside_down in [false, true] {
        let glyphs = in_mirror(lines(&shown), is_upside_down);
        assert_eq!(text(&glyphs), shown.join("\n") + "\n");
    }
}

#[test]
fn boxes_of_mirrored_text_are_those_on_the_page() {
    let bbox = layout(&in_mirror(lines(&["word"]), false)).words[0].bbox;
    assert_eq!(
        (bbox.x1, bbox.y1, bbox.x2, bbox.y2),
        (560.0, 12.0, 580.0, 22.0)
    );
    let bbox = layout(&in_mirror(lines(&["word"]), true)).words[0].bbox;
    assert_eq!(
        (bbox.x1, bbox.y1, bbox.x2, bbox.y2),
        (20.0, 778.0, 40.0, 788.0)
    );
}

#[test]
fn lines_from_right_to_left_in_a_mirror_are_read_from_their_start() {
    let shown = ["םלוע םולש", "הינש הרוש", "2024 תנשב", "(ןורחאה) קרפ"];
    for is_upside_down in [false, true] {
        assert_eq!(
            text(&in_mirror(lines(&shown), is_upside_down)),
            "שלום עולם\nשורה שניה\nבשנת 2024\nפרק (האחרון)\n"
        );
    }
}

#[test]
fn letters_of_a_mirrored_font_are_read_in_drawing_order() {
    // The page shows each line from the right, as a font of mirrored shapes makes it legible.
    let drawn = ["שלום עולם", "זהו הפרק האחרון", "סוף"];
    let glyphs = in_mirror(lines(&drawn), false);
    assert_eq!(text(&glyphs), drawn.join("\n") + "\n");
    let drawn = ["السلام عليكم", "مدينة الكتب", "إلى المكتبة"];
    let glyphs = in_mirror(lines(&drawn), false);
    assert_eq!(text(&glyphs), drawn.join("\n") + "\n");
}

#[test]
fn mirrored_text_is_separate_from_other_text() {
    let mut drawing = Drawing::new();
    drawing.string((300.0, 20.0), "seen", PEN);
    let mut glyphs = in_mirror(drawing, false);
    let mut other = Drawing::new();
    other.string((302.0, 20.0), "plain", PEN);
    let first = glyphs.text.len() as u32;
    glyphs.text.push_str(&other.glyphs.text);
    glyphs
        .glyphs
        .extend(other.glyphs.glyphs.into_iter().map(|mut glyph| {
            glyph.text = glyph.text.start + first..glyph.text.end + first;
            glyph
        }));
    assert_eq!(text(&glyphs), "seen\n\nplain\n");
}
