//! Brackets, commas and full stops in vertical text.

use super::drawing::{Drawing, PEN, Pen};
use super::text;
use crate::glyphs::GlyphStyle;

const COLUMNS: [&str; 3] = [
    "この法律（以下「法」という。）は、",
    "第一条の「定義」（別表）、『略語』",
    "その他「必要な事項」。を定める、と",
];

/// Draws the cells of columns set solid. Their offsets are rounded, each in another way.
fn columns(draw: impl Fn(&mut Drawing, (f32, f32), char)) -> String {
    let mut drawing = Drawing::new();
    for (column, line) in COLUMNS.iter().enumerate() {
        let mut offset = 0.0;
        for (place, character) in line.chars().enumerate() {
            let is_opening = "「（『".contains(character);
            let is_half = is_opening || "」）』、。".contains(character);
            let cell = if is_opening { offset - 5.0 } else { offset };
            let rounded = cell + [0.0, 0.3, -0.3][place % 3];
            draw(
                &mut drawing,
                (100.0 - 18.0 * column as f32, 20.0 + rounded),
                character,
            );
            offset += if is_half { 5.0 } else { 10.0 };
        }
    }
    text(&drawing.glyphs)
}

fn read() -> String {
    COLUMNS.join("\n") + "\n"
}

/// Draws an upright character in the cell with this top left corner.
fn upright(drawing: &mut Drawing, (x, y): (f32, f32), character: char) {
    drawing.string((x, y + 8.8), &character.to_string(), PEN);
}

/// Draws a character lying on its side, on this baseline.
fn on_its_side(drawing: &mut Drawing, at: (f32, f32), character: char) {
    let down = Pen { angle: 90.0, ..PEN };
    drawing.string(at, &character.to_string(), down);
}

/// Draws a character of a vertical font in the cell with this top left corner.
fn vertical(drawing: &mut Drawing, (x, y): (f32, f32), character: char) {
    if drawing.glyphs.styles.len() == 2 {
        let style = drawing.glyphs.styles[0].clone();
        let vertical = true;
        drawing.glyphs.styles.push(GlyphStyle { vertical, ..style });
    }
    let down = Pen {
        angle: 90.0,
        style: 2,
        ..PEN
    };
    drawing.string((x + 5.0, y), &character.to_string(), down);
}

#[test]
fn brackets_set_solid_keep_their_places() {
    assert_eq!(columns(upright), read());
    assert_eq!(columns(vertical), read());
}

#[test]
fn brackets_on_their_side_keep_their_places() {
    for is_vertical_font in [false, true] {
        let found = columns(|drawing, (x, y), character| {
            if "「」『』（）".contains(character) {
                on_its_side(drawing, (x + 1.2, y), character);
            } else if is_vertical_font {
                vertical(drawing, (x, y), character);
            } else {
                upright(drawing, (x, y), character);
            }
        });
        assert_eq!(found, read(), "{is_vertical_font}");
    }
}

#[test]
fn narrow_brackets_stay_in_their_column() {
    let found = columns(|drawing, at, character| {
        upright(drawing, at, character);
        if let Some(glyph) = drawing.glyphs.glyphs.last_mut()
            && "「」『』（）".contains(character)
        {
            glyph.end.0 -= 5.0;
        }
    });
    assert_eq!(found, read());
}

#[test]
fn marks_moved_within_their_cells_stay_in_their_column() {
    let found = columns(|drawing, (x, y), character| {
        let shift = match character {
            '、' | '。' => 6.0,
            'っ' | 'ょ' => 1.2,
            _ => 0.0,
        };
        upright(drawing, (x + shift, y - shift), character);
    });
    assert_eq!(found, read());
}

#[test]
fn brackets_set_solid_stay_in_horizontal_lines() {
    let mut drawing = Drawing::new();
    for (place, character) in "前」「後）、（末".chars().enumerate() {
        let x = [0.0, 10.0, 10.3, 20.0, 30.0, 35.0, 35.2, 45.0][place];
        drawing.string((20.0 + x, 20.0), &character.to_string(), PEN);
    }
    assert_eq!(text(&drawing.glyphs), "前」「後）、（末\n");
}
