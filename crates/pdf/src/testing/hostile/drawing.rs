//! Drawing: absurd numbers, and glyphs placed so that ordering them is costly.

use super::*;

const HUGE: &str = "99999999999999999999999999999999999999";

pub(super) const CASES: &[Case] = &[
    case("matrix_that_overflows", (0, 0), SHOWN, |_| {
        let cm = format!("{HUGE} 0 0 {HUGE} {HUGE} {HUGE} cm ").repeat(20);
        packed_page(format!("{CONTENT} q {cm} {CONTENT} Q {CONTENT}"))
    }),
    case("matrix_that_is_no_number", (0, 0), SHOWN, |_| {
        let cm = format!("{HUGE} -{HUGE} {HUGE} -{HUGE} {HUGE} -{HUGE} cm ").repeat(20);
        packed_page(format!(
            "{CONTENT} q {cm} {cm} {CONTENT} Q q nan inf -inf NaN 1e999 0 cm {CONTENT} Q"
        ))
    }),
    case("matrix_without_area", (0, 0), SHOWN, |_| {
        packed_page(format!("{CONTENT} 0 0 0 0 0 0 cm {CONTENT}"))
    }),
    case("text_state_of_huge_numbers", (0, 0), SHOWN, |_| {
        packed_page(format!(
            "{CONTENT} BT /F1 {HUGE} Tf {HUGE} Tc {HUGE} Tw {HUGE} Tz {HUGE} TL {HUGE} Ts {HUGE} Tr \
             {HUGE} {HUGE} Td (one) Tj T* (two) Tj [(a) {HUGE} (b) -{HUGE} (c)] TJ {HUGE} {HUGE} TD (x) Tj ET"
        ))
    }),
    case("text_state_of_nothing", (0, 0), SHOWN, |_| {
        packed_page(format!(
            "{CONTENT} BT /F1 0 Tf 0 Tz 0 0 0 0 0 0 Tm (one) Tj (two) ' 0 0 (three) \" ET"
        ))
    }),
    case("box_is_huge", (0, 0), SHOWN, |_| {
        page(|_, page| page.media_box(&format!("-{HUGE} -{HUGE} {HUGE} {HUGE}")))
    }),
    case("box_is_empty", (0, 0), SHOWN, |_| {
        page(|_, page| page.media_box("0 0 0 0"))
    }),
    case("box_is_turned", (0, 0), SHOWN, |_| {
        page(|_, page| page.media_box("612 792 0 0"))
    }),
    case("box_is_no_box", (0, 0), SHOWN, |_| {
        page(|_, page| page.media_box("/A (b) null"))
    }),
    case("user_unit_is_huge", (0, 0), SHOWN, |_| {
        page(|_, page| page.entries(&format!("/UserUnit {HUGE}")))
    }),
    case("rotation_is_huge", (0, 0), SHOWN, |_| {
        page(|_, page| page.entries("/Rotate -2147483648"))
    }),
    case("crop_box_outside", (0, 0), SHOWN, |_| {
        page(|_, page| page.crop_box("-500 -500 -400 -400"))
    }),
    case(
        "glyphs_at_one_place",
        (100_000, 4_000_000),
        Expected::Any,
        |count| shown(count, |_| "1 0 0 1 72 72 Tm (a) Tj".to_owned()),
    ),
    case(
        "one_long_line",
        (100_000, 4_000_000),
        Expected::Any,
        |count| packed_page(format!("BT /F1 1 Tf ({}) Tj ET", "ab ".repeat(count / 3))),
    ),
    case(
        "lines_of_one_glyph",
        (50_000, 2_000_000),
        Expected::Any,
        |count| shown(count, |number| format!("1 0 0 1 72 {number} Tm (a) Tj")),
    ),
    case(
        "columns_of_one_glyph",
        (50_000, 2_000_000),
        Expected::Any,
        |count| {
            shown(count, |number| {
                format!("1 0 0 1 {} 72 Tm (a) Tj", 100 * number)
            })
        },
    ),
    case("diagonal", (50_000, 1_000_000), Expected::Any, |count| {
        shown(count, |number| {
            format!("1 0 0 1 {number} {number} Tm (a) Tj")
        })
    }),
    case("scattered", (50_000, 1_000_000), Expected::Any, |count| {
        shown(count, |number| {
            format!(
                "1 0 0 1 {} {} Tm (a) Tj",
                number * 7_919 % 10_007,
                number * 104_729 % 9_973
            )
        })
    }),
    case("checkered", (50_000, 1_000_000), Expected::Any, |count| {
        let side = count.isqrt();
        shown(count, |number| {
            format!(
                "1 0 0 1 {} {} Tm (a) Tj",
                number % side * 40,
                number / side * 40
            )
        })
    }),
    case(
        "turned_a_little_each",
        (50_000, 1_000_000),
        Expected::Any,
        |count| {
            shown(count, |number| {
                let (sin, cos) = (number as f32).sin_cos();
                format!("{cos:.4} {sin:.4} {:.4} {cos:.4} 300 300 Tm (a) Tj", -sin)
            })
        },
    ),
    case(
        "grown_a_little_each",
        (50_000, 1_000_000),
        Expected::Any,
        |count| {
            shown(count, |number| {
                format!("/F1 {}.{} Tf (a) Tj", number % 300, number % 7)
            })
        },
    ),
    case(
        "coloured_each",
        (50_000, 1_000_000),
        Expected::Any,
        |count| {
            shown(count, |number| {
                format!(
                    "0.{:06} 0.{:06} 0.5 rg (a) Tj",
                    number % 1_000_000,
                    number * 7 % 1_000_000
                )
            })
        },
    ),
    case("backwards", (50_000, 1_000_000), Expected::Any, |count| {
        shown(count, |number| {
            format!("1 0 0 1 {} 72 Tm (a) Tj", count - number)
        })
    }),
    case(
        "tiny_and_huge_glyphs",
        (50_000, 1_000_000),
        Expected::Any,
        |count| {
            shown(count, |number| {
                let size = if number % 2 == 0 { 0.000_1 } else { 10_000.0 };
                format!(
                    "/F1 {size} Tf 1 0 0 1 {} {} Tm (a) Tj",
                    number % 600,
                    number % 700
                )
            })
        },
    ),
    case(
        "nested_boxes_of_text",
        (10_000, 500_000),
        Expected::Any,
        |count| {
            shown(count, |number| {
                format!("/F1 {number} Tf 1 0 0 1 0 0 Tm (ab) Tj")
            })
        },
    ),
    case(
        "combining_marks_only",
        (100_000, 2_000_000),
        Expected::Any,
        |count| right_to_left(count, "\u{301}"),
    ),
    case(
        "directions_that_nest",
        (100_000, 2_000_000),
        Expected::Any,
        |count| right_to_left(count, "\u{202B}a\u{5D0}"),
    ),
    case(
        "isolates_that_nest",
        (100_000, 2_000_000),
        Expected::Any,
        |count| right_to_left(count, "\u{2067}\u{5D0}"),
    ),
    case(
        "brackets_in_right_to_left_text",
        (100_000, 2_000_000),
        Expected::Any,
        |count| right_to_left(count, "(\u{5D0}["),
    ),
];

fn shown(count: usize, glyph: impl Fn(usize) -> String) -> Vec<u8> {
    let glyphs: String = (0..count).map(|number| glyph(number) + "\n").collect();
    packed_page(format!("BT /F1 10 Tf {glyphs} ET"))
}

/// A line that repeats a glyph with this text.
fn right_to_left(count: usize, meaning: &str) -> Vec<u8> {
    page(|pdf, page| {
        let font = super::super::fonts::Type0 {
            to_unicode: &[(1, meaning)],
            ..Default::default()
        };
        let font = font.add_to(pdf);
        let content = format!("BT /F 1 Tf <{}> Tj ET", "0001".repeat(count));
        Page {
            content: Stream::new(content).flate(),
            ..page
        }
        .font("F", font)
    })
}
