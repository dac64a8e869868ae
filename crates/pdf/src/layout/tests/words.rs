use super::drawing::{Drawing, PEN, Pen, strings};
use super::{layout, text};
use crate::model::Rect;

fn is_near(a: Rect, b: (f32, f32, f32, f32)) -> bool {
    let off = [a.x1 - b.0, a.y1 - b.1, a.x2 - b.2, a.y2 - b.3];
    off.iter().all(|off| off.abs() < 0.01)
}

#[test]
fn drawn_spaces_separate_words() {
    assert_eq!(
        text(&strings(&[(10.0, 20.0, "one two  three")])),
        "one two three\n"
    );
}

#[test]
fn kinds_of_spaces_become_one() {
    assert_eq!(
        text(&strings(&[(10.0, 20.0, "a\u{a0}b\u{2003}c\u{3000}d\te")])),
        "a b c d e\n"
    );
}

#[test]
fn gaps_separate_words() {
    for gap in [0.16, 0.25, 0.33, 0.6, 0.95] {
        let mut drawing = Drawing::new();
        drawing.words((10.0, 20.0), "to be or not", gap, PEN);
        assert_eq!(text(&drawing.glyphs), "to be or not\n", "{gap}");
    }
}

#[test]
fn kerning_does_not_separate_words() {
    for gap in [-0.1, 0.0, 0.03, 0.08, 0.12] {
        let mut drawing = Drawing::new();
        drawing.words((10.0, 20.0), "W e s t", gap, PEN);
        assert_eq!(text(&drawing.glyphs), "West\n", "{gap}");
    }
}

#[test]
fn the_gaps_of_a_line_show_the_width_of_its_spaces() {
    // Words 0.13 em apart, between pieces of words that are less than 0.03 em apart.
    let mut drawing = Drawing::new();
    let mut at = (10.0, 20.0);
    for word in ["na rr ow", "sp ac es", "ar e", "wo rd s"] {
        at = drawing.words(at, word, 0.02, PEN);
        at.0 += 1.1;
    }
    assert_eq!(text(&drawing.glyphs), "narrow spaces are words\n");
    // The same gap is kerning if words are farther apart.
    let mut drawing = Drawing::new();
    let mut at = (10.0, 20.0);
    for word in ["na rr ow", "sp ac es", "ar e", "wo rd s"] {
        at = drawing.words(at, word, 0.12, PEN);
        at.0 += 3.0;
    }
    assert_eq!(text(&drawing.glyphs), "narrow spaces are words\n");
}

#[test]
fn spaced_out_letters_stay_together() {
    let spaced = Pen {
        letter_space: 0.3,
        ..PEN
    };
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), "SPACED OUT", spaced);
    assert_eq!(text(&drawing.glyphs), "SPACED OUT\n");
    // The same with each letter placed separately, and words separated by gaps.
    let mut drawing = Drawing::new();
    let end = drawing.words((10.0, 20.0), "S P A C E D", 0.3, PEN);
    drawing.words((end.0 + 3.0, 20.0), "O U T", 0.3, PEN);
    assert_eq!(text(&drawing.glyphs), "SPACED OUT\n");
}

#[test]
fn letters_far_apart_stay_together_between_drawn_spaces() {
    let mut drawing = Drawing::new();
    let end = drawing.words((10.0, 20.0), "S P A C E D", 0.45, PEN);
    let end = drawing.string(end, " ", PEN);
    drawing.words((end.0 + 4.5, 20.0), "O U T", 0.45, PEN);
    assert_eq!(text(&drawing.glyphs), "SPACED OUT\n");
}

#[test]
fn a_string_is_split_at_its_spaces() {
    let mut drawing = Drawing::new();
    let end = drawing.string((10.0, 20.0), "by the firm of ", PEN);
    let spaced = Pen {
        letter_space: 0.3,
        ..PEN
    };
    drawing.string(end, "AB", spaced);
    assert_eq!(text(&drawing.glyphs), "by the firm of AB\n");
}

#[test]
fn single_characters_far_apart_are_not_a_word() {
    let mut drawing = Drawing::new();
    drawing.words((10.0, 20.0), "1 2 3 4 5 6", 0.7, PEN);
    assert_eq!(text(&drawing.glyphs), "1 2 3 4 5 6\n");
}

#[test]
fn narrow_fonts_have_narrow_spaces() {
    let mut drawing = Drawing::new();
    drawing.words((10.0, 20.0), "narrow fonts", 0.25, PEN);
    for glyph in &mut drawing.glyphs.glyphs {
        (glyph.start.0, glyph.end.0) = (0.5 * glyph.start.0, 0.5 * glyph.end.0);
    }
    assert_eq!(text(&drawing.glyphs), "narrow fonts\n");
}

#[test]
fn a_space_next_to_a_large_letter_is_as_wide_as_others() {
    let mut drawing = Drawing::new();
    let end = drawing.string((10.0, 20.0), "A", Pen { size: 20.0, ..PEN });
    drawing.string((end.0 + 2.5, 20.0), "word", PEN);
    assert_eq!(text(&drawing.glyphs), "A word\n");
}

#[test]
fn superscripts_stay_with_their_word() {
    let mut drawing = Drawing::new();
    let end = drawing.string((10.0, 20.0), "word", PEN);
    let end = drawing.string((end.0, 16.5), "12", Pen { size: 6.0, ..PEN });
    drawing.string((end.0 + 2.5, 20.0), "next", PEN);
    assert_eq!(text(&drawing.glyphs), "word12 next\n");
}

#[test]
fn an_index_above_another_does_not_end_the_line() {
    let small = Pen { size: 6.0, ..PEN };
    for rest in ["ions", ""] {
        let mut drawing = Drawing::new();
        let end = drawing.string((10.0, 20.0), "SO", PEN);
        drawing.string((end.0, 22.0), "4", small);
        let end = drawing.string((end.0, 15.5), "2-", small);
        drawing.string((end.0 + 2.5, 20.0), rest, PEN);
        assert_eq!(
            text(&drawing.glyphs),
            format!("SO42- {rest}").trim_end().to_owned() + "\n"
        );
    }
}

#[test]
fn cjk_has_only_visible_spaces() {
    let mut drawing = Drawing::new();
    drawing.words((10.0, 20.0), "日 本 語", 0.2, PEN);
    drawing.words((10.0, 40.0), "目 次", 1.5, PEN);
    drawing.string((10.0, 60.0), "全角\u{3000}空白", PEN);
    assert_eq!(text(&drawing.glyphs), "日本語\n目 次\n全角 空白\n");
}

#[test]
fn controls_and_direction_marks_are_dropped() {
    let glyphs = strings(&[(10.0, 20.0, "a\u{0}b\u{7}\u{200b}c\u{feff}\u{202e}d\u{85}e")]);
    assert_eq!(text(&glyphs), "abcd e\n");
    assert_eq!(text(&strings(&[(10.0, 20.0, "\u{0}\u{1}")])), "");
}

#[test]
fn unknown_characters_stay() {
    assert_eq!(
        text(&strings(&[(10.0, 20.0, "a\u{fffd}b")])),
        "a\u{fffd}b\n"
    );
}

#[test]
fn glyphs_without_text_hold_a_word_together() {
    let mut drawing = Drawing::new();
    drawing.units((10.0, 20.0), &["o", "ffi", "", "", "ce"], PEN);
    let layout = layout(&drawing.glyphs);
    assert_eq!(layout.text, "office\n");
    assert!(
        is_near(layout.words[0].bbox, (10.0, 12.0, 35.0, 22.0)),
        "{:?}",
        layout.words[0].bbox
    );
}

#[test]
fn a_glyph_can_mean_several_words() {
    let mut drawing = Drawing::new();
    drawing.units((10.0, 20.0), &["two words", "!"], PEN);
    assert_eq!(text(&drawing.glyphs), "two words!\n");
}

#[test]
fn characters_drawn_twice_are_read_once() {
    // Character by character, string by string, and as a shadow.
    let mut drawing = Drawing::new();
    for (place, letter) in ["b", "o", "o", "k"].iter().enumerate() {
        let x = 10.0 + 5.0 * place as f32;
        drawing.string((x, 20.0), letter, PEN);
        drawing.string((x + 0.3, 20.0), letter, PEN);
    }
    drawing.string((10.0, 40.0), "heavy title", PEN);
    drawing.string((10.3, 40.0), "heavy title", PEN);
    drawing.string((10.3, 40.2), "heavy title", PEN);
    drawing.string((10.5, 60.5), "shadow", PEN);
    drawing.string((10.0, 60.0), "shadow", PEN);
    assert_eq!(text(&drawing.glyphs), "book\nheavy title\nshadow\n");
}

#[test]
fn neighbours_of_a_copy_stay_in_its_line() {
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), "Code", PEN);
    drawing.string((10.0, 32.0), "next line", PEN);
    drawing.string((10.2, 20.0), "Code", PEN);
    drawing.string((100.0, 20.0), "Name", PEN);
    assert_eq!(text(&drawing.glyphs), "Code Name\nnext line\n");
}

#[test]
fn shadows_that_continue_into_other_text_are_read_once() {
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), "Date", PEN);
    drawing.string((10.3, 20.1), "Date", PEN);
    drawing.string((10.0, 20.1), "Date: 2012", PEN);
    drawing.string((40.3, 20.0), "2012", PEN);
    drawing.string((40.3, 20.1), "2012", PEN);
    drawing.string((40.0, 20.0), "2012 March 27", PEN);
    drawing.string((95.3, 20.1), "27", PEN);
    drawing.string((95.0, 20.0), "27th", PEN);
    assert_eq!(text(&drawing.glyphs), "Date: 2012 March 27th\n");
}

#[test]
fn similar_text_is_not_a_copy() {
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), "llama", PEN);
    drawing.string((10.0, 40.0), "total", PEN);
    drawing.string((10.0, 60.0), "total", PEN);
    drawing.string((10.0, 80.0), "over", PEN);
    drawing.string((10.0, 80.0), "oven", PEN);
    let text = text(&drawing.glyphs);
    assert_eq!(text.matches("total").count(), 2);
    assert!(
        text.contains("llama") && text.contains("over") && text.contains("oven"),
        "{text}"
    );
}

#[test]
fn narrow_letters_are_not_copies() {
    let mut drawing = Drawing::new();
    drawing.string((10.0, 20.0), "lll", PEN);
    for (place, glyph) in drawing.glyphs.glyphs.iter_mut().enumerate() {
        glyph.start.0 = 10.0 + place as f32;
        glyph.end.0 = 11.0 + place as f32;
    }
    assert_eq!(text(&drawing.glyphs), "lll\n");
}

#[test]
fn the_style_of_a_word_is_the_most_frequent_one() {
    let bold = Pen { style: 1, ..PEN };
    let mut drawing = Drawing::new();
    let end = drawing.string((10.0, 20.0), "B", bold);
    let end = drawing.string(end, "ut plai", PEN);
    drawing.string(end, "nly", bold);
    let words = layout(&drawing.glyphs).words;
    assert_eq!(
        words
            .iter()
            .map(|word| (word.text.as_str(), word.style))
            .collect::<Vec<_>>(),
        [("But", 0), ("plainly", 0)]
    );
    let mut drawing = Drawing::new();
    let end = drawing.string((10.0, 20.0), "mos", bold);
    drawing.string(end, "t", PEN);
    assert_eq!(layout(&drawing.glyphs).words[0].style, 1);
}

#[test]
fn a_word_in_another_style_drawn_later_moves_to_its_place() {
    let mut drawing = Drawing::new();
    let end = drawing.string((10.0, 20.0), "this is ", PEN);
    drawing.string((end.0 + 20.0, 20.0), " news", PEN);
    drawing.string((10.0, 34.0), "and more", PEN);
    drawing.string((end.0, 20.0), "bold", Pen { style: 1, ..PEN });
    assert_eq!(text(&drawing.glyphs), "this is bold news\nand more\n");
}

#[test]
fn boxes_follow_the_direction_of_text() {
    let boxes = |angle: f32| {
        let mut drawing = Drawing::new();
        drawing.string((100.0, 100.0), "ab cd", Pen { angle, ..PEN });
        let layout = layout(&drawing.glyphs);
        assert_eq!(layout.text, "ab cd\n", "{angle}");
        layout.words[0].bbox
    };
    for (angle, expected) in [
        (0.0, (100.0, 92.0, 110.0, 102.0)),
        (90.0, (98.0, 100.0, 108.0, 110.0)),
        (180.0, (90.0, 98.0, 100.0, 108.0)),
        (-90.0, (92.0, 90.0, 102.0, 100.0)),
        (45.0, (98.59, 94.34, 112.73, 108.49)),
    ] {
        let found = boxes(angle);
        assert!(is_near(found, expected), "{angle}: {found:?}");
    }
}

#[test]
fn vertical_writing_goes_down_and_then_left() {
    let down = Pen {
        angle: 90.0,
        style: 2,
        ..PEN
    };
    let mut drawing = Drawing::new();
    let mut style = drawing.glyphs.styles[0].clone();
    style.vertical = true;
    drawing.glyphs.styles.push(style);
    drawing.string((100.0, 20.0), "一二三四", down);
    drawing.string((85.0, 20.0), "五六七八", down);
    let layout = layout(&drawing.glyphs);
    assert_eq!(layout.text, "一二三四\n五六七八\n");
    assert!(
        is_near(layout.words[0].bbox, (95.0, 20.0, 105.0, 60.0)),
        "{:?}",
        layout.words[0].bbox
    );
}
