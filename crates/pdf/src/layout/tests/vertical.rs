use super::drawing::{Drawing, PEN, Pen};
use super::{layout, text};
use crate::glyphs::{Glyph, Glyphs};

const COLUMNS: [&str; 4] = [
    "吾輩は猫である。名前はま",
    "だ無い。どこで生れたかと",
    "んと見当がつかぬ。何でも",
    "薄暗いじめじめした所で",
];

/// Characters below each other, each a string.
fn column(drawing: &mut Drawing, at: (f32, f32), step: f32, text: &str) {
    for (place, character) in text.chars().enumerate() {
        let y = at.1 + step * place as f32;
        drawing.string((at.0, y), &character.to_string(), PEN);
    }
}

/// Columns from right to left.
fn columns(distance: f32, step: f32) -> Drawing {
    let mut drawing = Drawing::new();
    for (place, text) in COLUMNS.iter().enumerate() {
        let x = 200.0 - distance * place as f32;
        column(&mut drawing, (x, 50.0), step, text);
    }
    drawing
}

fn read() -> String {
    COLUMNS.join("\n") + "\n"
}

fn sorted(mut glyphs: Glyphs, key: impl Fn(&Glyph) -> (f32, f32)) -> Glyphs {
    glyphs.glyphs.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    glyphs
}

#[test]
fn columns_are_read_down_and_then_left() {
    for (distance, step) in [
        (10.0, 10.0),
        (13.5, 10.0),
        (17.0, 10.0),
        (20.0, 11.5),
        (25.0, 13.0),
    ] {
        let glyphs = columns(distance, step).glyphs;
        assert_eq!(text(&glyphs), read(), "{distance} {step}");
    }
}

#[test]
fn the_drawing_order_does_not_matter() {
    for distance in [14.0, 18.0] {
        let glyphs = columns(distance, 10.0).glyphs;
        let by_rows = sorted(glyphs.clone(), |glyph| (glyph.start.1, glyph.start.0));
        assert_eq!(text(&by_rows), read());
        let from_left = sorted(glyphs.clone(), |glyph| glyph.start);
        assert_eq!(text(&from_left), read());
        let shuffled = sorted(glyphs, |glyph| ((glyph.start.0 * glyph.start.1) % 7.3, 0.0));
        assert_eq!(text(&shuffled), read());
    }
}

#[test]
fn one_shuffled_column_leaves_the_order_of_the_page() {
    let mut drawing = Drawing::new();
    drawing.lines((20.0, 20.0), 12.0, "one\ntwo\nsix");
    drawing.lines((42.0, 20.0), 12.0, "red\ntan\nsky");
    for place in [3, 1, 4, 0, 2] {
        let y = 100.0 + 10.0 * place as f32;
        let character = "縦書の題名".chars().nth(place).unwrap();
        drawing.string((300.0, y), &character.to_string(), PEN);
    }
    let expected = "one\ntwo\nsix\n\nred\ntan\nsky\n\n縦書の題名\n";
    assert_eq!(text(&drawing.glyphs), expected);
}

#[test]
fn words_lines_and_blocks_follow_the_columns() {
    let layout = layout(&columns(17.0, 10.0).glyphs);
    assert_eq!((layout.blocks.len(), layout.lines.len()), (1, 4));
    let first = layout.lines[0].bbox;
    let expected = (200.0, 41.2, 210.0, 161.2);
    let off = [
        first.x1 - expected.0,
        first.y1 - expected.1,
        first.x2 - expected.2,
        first.y2 - expected.3,
    ];
    assert!(off.iter().all(|off| off.abs() < 0.01), "{first:?}");
}

#[test]
fn headings_and_page_numbers_stay_horizontal() {
    let mut drawing = Drawing::new();
    drawing.string((40.0, 20.0), "第一章の題", Pen { size: 16.0, ..PEN });
    let columns = columns(17.0, 10.0).glyphs;
    let first = drawing.glyphs.text.len() as u32;
    drawing.glyphs.text.push_str(&columns.text);
    drawing
        .glyphs
        .glyphs
        .extend(columns.glyphs.into_iter().map(|mut glyph| {
            glyph.text = glyph.text.start + first..glyph.text.end + first;
            glyph
        }));
    drawing.string((120.0, 300.0), "12", PEN);
    let expected = format!("第一章の題\n\n{}\n12\n", read());
    assert_eq!(text(&drawing.glyphs), expected);
    // In any drawing order, the heading comes first, since it is above.
    let by_rows = sorted(drawing.glyphs, |glyph| (glyph.start.1, glyph.start.0));
    assert_eq!(text(&by_rows), expected);
}

#[test]
fn digits_side_by_side_are_one_cell() {
    for is_one_string in [true, false] {
        let mut drawing = Drawing::new();
        column(&mut drawing, (100.0, 20.0), 10.0, "平成");
        if is_one_string {
            drawing.string((100.0, 40.0), "12", PEN);
        } else {
            drawing.string((100.0, 40.0), "1", PEN);
            drawing.string((105.0, 40.0), "2", PEN);
        }
        column(&mut drawing, (100.0, 50.0), 10.0, "年三月");
        drawing.string((102.5, 80.0), "4", PEN);
        column(&mut drawing, (100.0, 90.0), 10.0, "日");
        assert_eq!(text(&drawing.glyphs), "平成12年三月4日\n");
    }
}

#[test]
fn words_lying_on_their_side_stay_in_the_column() {
    let mut drawing = Drawing::new();
    column(&mut drawing, (100.0, 20.0), 10.0, "言語は");
    let side = Pen { angle: 90.0, ..PEN };
    drawing.string((101.4, 41.2), "Rust", side);
    column(&mut drawing, (100.0, 70.0), 10.0, "である。");
    column(&mut drawing, (83.0, 20.0), 10.0, "次の段");
    assert_eq!(text(&drawing.glyphs), "言語はRustである。\n次の段\n");
}

#[test]
fn dashes_lying_on_their_side_stay_in_the_column() {
    let columns = ["泳ぐスーパーへとニャーニャー", "鳴くのがラーメンを食う猫で"];
    for distance in [10.0, 17.0] {
        let mut drawing = Drawing::new();
        for (place, text) in columns.iter().enumerate() {
            let x = 100.0 - distance * place as f32;
            for (place, character) in text.chars().enumerate() {
                let y = 20.0 + 10.0 * place as f32;
                if character == 'ー' {
                    let side = Pen { angle: 90.0, ..PEN };
                    drawing.string((x + 1.2, y - 8.8), "ー", side);
                } else {
                    drawing.string((x, y), &character.to_string(), PEN);
                }
            }
        }
        let read = columns.join("\n") + "\n";
        assert_eq!(text(&drawing.glyphs), read);
        let by_rows = sorted(drawing.glyphs, |glyph| (glyph.end.1.round(), glyph.start.0));
        if distance > 10.0 {
            assert_eq!(text(&by_rows), read);
        }
    }
}

#[test]
fn narrow_punctuation_and_wide_spaces_stay_in_the_column() {
    let mut drawing = Drawing::new();
    column(&mut drawing, (100.0, 20.0), 10.0, "前の句、");
    column(&mut drawing, (100.0, 55.0), 10.0, "後の句");
    column(&mut drawing, (100.0, 105.0), 10.0, "了");
    column(&mut drawing, (83.0, 20.0), 10.0, "た");
    assert_eq!(text(&drawing.glyphs), "前の句、後の句 了\nた\n");
}

#[test]
fn vertical_forms_become_punctuation() {
    let mut drawing = Drawing::new();
    column(
        &mut drawing,
        (100.0, 20.0),
        10.0,
        "\u{fe41}前\u{fe11}後\u{fe42}\u{fe35}注\u{fe36}\u{fe12}",
    );
    assert_eq!(text(&drawing.glyphs), "「前、後」（注）。\n");
}

#[test]
fn ruby_is_a_line_beside_its_column() {
    let mut drawing = Drawing::new();
    column(&mut drawing, (100.0, 20.0), 10.0, "その漢字は");
    for (place, letter) in ["か", "ん", "じ"].iter().enumerate() {
        let small = Pen { size: 5.0, ..PEN };
        drawing.string((110.0, 40.0 + 5.0 * place as f32), letter, small);
    }
    column(&mut drawing, (80.0, 20.0), 10.0, "次の段は");
    assert_eq!(text(&drawing.glyphs), "その漢字は\n\nかんじ\n\n次の段は\n");
}

#[test]
fn characters_drawn_twice_are_one_in_a_column() {
    let mut drawing = Drawing::new();
    for (place, character) in "太字の題名".chars().enumerate() {
        for shift in [0.0, 0.3] {
            let at = (100.0 + shift, 20.0 + 10.0 * place as f32);
            drawing.string(at, &character.to_string(), PEN);
        }
    }
    assert_eq!(text(&drawing.glyphs), "太字の題名\n");
}

#[test]
fn two_tiers_are_read_one_after_the_other() {
    let mut drawing = columns(17.0, 10.0);
    for (place, text) in COLUMNS.iter().enumerate() {
        let x = 200.0 - 17.0 * place as f32;
        column(&mut drawing, (x, 195.0), 10.0, text);
    }
    let expected = read() + "\n" + &read();
    assert_eq!(text(&drawing.glyphs), expected);
    let from_left = sorted(drawing.glyphs, |glyph| glyph.start);
    assert_eq!(text(&from_left), expected);
}

#[test]
fn a_rotated_page_has_columns_too() {
    let turned = |point: (f32, f32)| (300.0 - point.1, point.0);
    let mut glyphs = columns(17.0, 10.0).glyphs;
    for glyph in &mut glyphs.glyphs {
        (glyph.start, glyph.end) = (turned(glyph.start), turned(glyph.end));
    }
    assert_eq!(text(&glyphs), read());
}

/// Single characters in rows, as a table has them.
fn grid(across: f32, down: f32, is_by_columns: bool) -> String {
    let rows = ["春夏秋冬", "東西南北", "花鳥風月", "天地人和", "金銀銅鉄"];
    let mut drawing = Drawing::new();
    for (row, characters) in rows.iter().enumerate() {
        for (column, character) in characters.chars().enumerate() {
            let at = (20.0 + across * column as f32, 20.0 + down * row as f32);
            drawing.string(at, &character.to_string(), PEN);
        }
    }
    if is_by_columns {
        text(&sorted(drawing.glyphs, |glyph| glyph.start))
    } else {
        text(&drawing.glyphs)
    }
}

#[test]
fn tables_of_single_characters_stay_in_rows() {
    let spaced = "春 夏 秋 冬\n東 西 南 北\n花 鳥 風 月\n天 地 人 和\n金 銀 銅 鉄\n";
    for (across, down) in [(30.0, 14.0), (24.0, 12.0), (40.0, 20.0), (18.0, 18.0)] {
        assert_eq!(grid(across, down, false), spaced, "{across} {down}");
    }
}

#[test]
fn lines_of_single_characters_stay_lines() {
    let solid = grid(10.0, 15.0, false).replace(' ', "");
    for across in [10.0, 12.0, 13.0] {
        for down in [11.0, 15.0, 20.0] {
            assert_eq!(grid(across, down, false), solid, "{across} {down}");
        }
    }
    assert_eq!(grid(10.0, 11.0, true), solid);
    assert_eq!(grid(11.0, 13.0, true), solid);
}

#[test]
fn lines_spaced_out_in_one_operator_stay_lines() {
    let mut drawing = Drawing::new();
    for (row, line) in COLUMNS.iter().enumerate() {
        for (place, character) in line.chars().enumerate() {
            let at = (20.0 + 15.0 * place as f32, 20.0 + 10.0 * row as f32);
            drawing.string(at, &character.to_string(), PEN);
        }
    }
    let mut run = 0;
    let mut last = 0.0;
    for glyph in &mut drawing.glyphs.glyphs {
        run += if glyph.start.1 == last { 1 } else { 2 };
        last = glyph.start.1;
        glyph.run = run;
    }
    assert_eq!(text(&drawing.glyphs), read());
}

#[test]
fn one_character_in_each_row_of_a_table_is_not_a_column() {
    let mut drawing = Drawing::new();
    let rows = [
        ("山田太郎", "男"),
        ("鈴木花子", "女"),
        ("佐藤次郎", "男"),
        ("田中三郎", "男"),
        ("高橋良子", "女"),
    ];
    for (place, (name, kind)) in rows.iter().enumerate() {
        let y = 20.0 + 11.5 * place as f32;
        drawing.string((20.0, y), name, PEN);
        drawing.string((100.0, y), kind, PEN);
    }
    let expected: String = rows
        .iter()
        .map(|(name, kind)| format!("{name} {kind}\n"))
        .collect();
    assert_eq!(text(&drawing.glyphs), expected);
    let by_columns = sorted(drawing.glyphs, |glyph| {
        (f32::from(glyph.start.0 > 90.0), 0.0)
    });
    let text = text(&by_columns);
    assert!(text.contains("男\n女\n男\n男\n女\n"), "{text}");
}

#[test]
fn latin_letters_below_each_other_are_not_a_column() {
    let mut drawing = Drawing::new();
    column(&mut drawing, (20.0, 20.0), 10.0, "LABEL");
    assert_eq!(text(&drawing.glyphs), "L\nA\nB\nE\nL\n");
}

#[test]
fn punctuation_drawn_after_its_column_fills_the_gaps() {
    let columns = ["第一条、国（市を含む。）は", "定める「者」を、次に掲げる"];
    for by_page in [false, true] {
        let mut drawing = Drawing::new();
        let mut later: Vec<((f32, f32), char)> = Vec::new();
        let pen = Pen { angle: 90.0, ..PEN };
        for (number, column) in (0..).zip(columns) {
            for (row, character) in (0..).zip(column.chars()) {
                let at = (300.0 - 18.0 * number as f32, 50.0 + 10.0 * row as f32);
                if "、（。）「」".contains(character) {
                    later.push((at, character));
                } else {
                    drawing.string(at, &character.to_string(), pen);
                }
            }
            if !by_page || number == 1 {
                for (at, character) in later.drain(..) {
                    drawing.string(at, &character.to_string(), pen);
                }
            }
        }
        let read = text(&drawing.glyphs);
        assert_eq!(read, format!("{}\n", columns.join("\n")), "{by_page}");
    }
}
