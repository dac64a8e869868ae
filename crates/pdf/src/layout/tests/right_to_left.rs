use super::drawing::{Drawing, PEN, Pen};
use super::text;

/// Lays out a line drawn in visual order, from left to right.
fn shown(line: &str) -> String {
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), line, PEN);
    text(&drawing.glyphs)
}

#[test]
fn hebrew_is_read_from_the_right() {
    assert_eq!(shown("םלוע םולש"), "שלום עולם\n");
}

#[test]
fn numbers_and_latin_keep_their_order() {
    assert_eq!(
        shown(".2024 תנשב Windows XP תא יתינק"),
        "קניתי את Windows XP בשנת 2024.\n"
    );
    assert_eq!(
        shown("he said םולש twice to them"),
        "he said שלום twice to them\n"
    );
}

#[test]
fn brackets_are_mirrored() {
    assert_eq!(shown("(ןורחאה) קרפ"), "פרק (האחרון)\n");
    // This file declares the meaning of the brackets, not their shape.
    assert_eq!(shown(")ןורחאה( קרפ"), "פרק (האחרון)\n");
    // The other bracket is in another line.
    assert_eq!(shown("ןורחאה) קרפ"), "פרק (האחרון\n");
    assert_eq!(shown("ןורחאה( קרפ"), "פרק (האחרון\n");
}

#[test]
fn presentation_forms_become_letters() {
    // Seen from the left: final meem, lam-alef, initial seen.
    assert_eq!(shown("\u{fee1}\u{fefc}\u{feb3}"), "سلام\n");
}

#[test]
fn a_glyph_of_several_letters_has_them_in_order() {
    let mut drawing = Drawing::new();
    drawing.units((10.0, 20.0), &["م", "لا", "س"], PEN);
    assert_eq!(text(&drawing.glyphs), "سلام\n");
}

#[test]
fn marks_follow_their_letter() {
    // Shin with a dot and a vowel, in both orders of drawing; marks have no width.
    for is_mark_first in [false, true] {
        let mut drawing = Drawing::new();
        drawing.string((10.0, 20.0), "ם", PEN);
        if is_mark_first {
            drawing.string((16.0, 20.0), "\u{5b8}", PEN);
            drawing.string((15.0, 20.0), "ש", PEN);
        } else {
            drawing.string((15.0, 20.0), "ש", PEN);
            drawing.string((16.0, 20.0), "\u{5b8}", PEN);
        }
        for glyph in drawing
            .glyphs
            .glyphs
            .iter_mut()
            .filter(|glyph| glyph.start.0 == 16.0)
        {
            glyph.end = glyph.start;
        }
        assert_eq!(text(&drawing.glyphs), "שָם\n", "{is_mark_first}");
    }
}

#[test]
fn glyphs_drawn_leftwards_are_one_line() {
    let mut drawing = Drawing::new();
    let mut x = 200.0;
    for letter in "שלום לכל העולם".chars() {
        if letter == ' ' {
            x -= 7.0;
        } else {
            x -= 5.0;
            drawing.string((x, 20.0), &letter.to_string(), PEN);
        }
    }
    assert_eq!(text(&drawing.glyphs), "שלום לכל העולם\n");
}

#[test]
fn a_space_drawn_after_a_latin_word_moves_to_its_other_side() {
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), "םידקמ", PEN);
    drawing.string((35.0, 20.0), "Rust ", PEN);
    drawing.string((60.0, 20.0), "תפש", PEN);
    assert_eq!(text(&drawing.glyphs), "שפתRust מקדים\n");
}

#[test]
fn a_vertical_line_of_arabic_is_not_reordered() {
    let mut drawing = Drawing::new();
    drawing.string(
        (10.0, 200.0),
        "םלוע םולש",
        Pen {
            angle: -90.0,
            ..PEN
        },
    );
    assert_eq!(text(&drawing.glyphs), "שלום עולם\n");
}
