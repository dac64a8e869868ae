//! Tables: lines and cells without end.

use super::*;

pub(super) const CASES: &[Case] = &[
    case("drawn_lines", (10_000, 5_000_000), Expected::Any, |count| {
        drawn(count, |number| {
            let (x, y) = (number * 7_919 % 600, number * 104_729 % 700);
            format!("{x} {y} m {} {y} l S {x} {y} m {x} {} l S", x + 90, y + 90)
        })
    }),
    case(
        "more_lines_than_are_kept",
        (30_000, 4_000_000),
        OVER_LIMIT,
        |count| {
            // Rectangles have four lines each, and need few operators.
            drawn(count, |number| {
                let (x, y) = (number * 7_919 % 600, number * 104_729 % 700);
                format!("{x} {y} 9 9 re S")
            })
        },
    ),
    case("grid_of_too_many_cells", (400, 1_000), OVER_LIMIT, |side| {
        drawn(side, |number| {
            let at = number as f32 * 3_200.0 / side as f32;
            format!(
                "0 {at} m 3200 {at} l S {at} 0 m {at} 3200 l S BT /F1 4 Tf {at} {at} Td (a) Tj ET"
            )
        })
    }),
    case(
        "spaced_cells_without_end",
        (110_000, 1_000_000),
        OVER_LIMIT,
        |count| {
            let side = count.isqrt();
            drawn(count, |number| {
                let (x, y) = (number % side * 3, number / side * 3);
                format!("BT /F1 1 Tf {x} {y} Td (7) Tj ET")
            })
        },
    ),
    case(
        "grids_in_large_numbers",
        (2_000, 1_000_000),
        Expected::Any,
        |count| {
            let side = count.isqrt();
            drawn(count, |number| {
                let (x, y) = (number % side * 20, number / side * 20);
                format!("{x} {y} 12 12 re S BT /F1 4 Tf {x} {y} Td (a 1) Tj ET")
            })
        },
    ),
    case(
        "columns_of_which_few_rows_have_any",
        (1_000, 500_000),
        Expected::Any,
        |count| {
            let cell = |x: usize, y: usize| format!("BT /F1 2 Tf 1 0 0 1 {x} {y} Tm (7) Tj ET\n");
            let wide = |y: usize| {
                (0..count / 4)
                    .map(|number| cell(4 * number, y))
                    .collect::<String>()
            };
            let narrow = |row: usize| cell(0, row * 4) + &cell(3_000, row * 4);
            let rows: String = (3..count / 4).map(narrow).collect();
            large_page(wide(0) + &wide(4) + &wide(8) + &rows)
        },
    ),
    case(
        "rules_under_every_word",
        (3_000, 500_000),
        Expected::Any,
        |count| {
            let side = count.isqrt();
            drawn(count, |number| {
                let (x, y) = (number % side * 20, number / side * 10);
                format!(
                    "{x} {y} m {} {y} l S BT /F1 4 Tf {x} {} Td (12) Tj ET",
                    x + 12,
                    y + 2
                )
            })
        },
    ),
];

/// A large page of parts, with a text.
fn drawn(count: usize, part: impl Fn(usize) -> String) -> Vec<u8> {
    large_page((0..count).map(|number| part(number) + "\n").collect())
}

fn large_page(content: String) -> Vec<u8> {
    let content = format!("{CONTENT} {content}");
    page(|_, page| {
        Page {
            content: Stream::new(content.clone()).flate(),
            ..page
        }
        .media_box("0 0 3300 3300")
    })
}
