use super::super::{WantedLayout, lay_out};
use super::drawing::Drawing;
use super::{assert_consistent, layout};
use crate::glyphs::{Glyph, Glyphs};
use crate::model::Options;
use crate::testing::hostile::Random;

const STRANGE: [f32; 12] = [
    0.0,
    -1.0,
    1.0,
    1e-30,
    1e30,
    -1e30,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN_POSITIVE,
    7.5,
];

fn soup(seed: u64, count: usize, is_strange: bool) -> Glyphs {
    let mut random = Random::seeded(seed);
    let mut glyphs = Drawing::new().glyphs;
    let mut number = |most: usize| {
        if is_strange && random.below(3) == 0 {
            STRANGE[random.below(12)]
        } else {
            random.below(most) as f32 * 0.5
        }
    };
    let mut numbers = || (number(800), number(800));
    let mut places: Vec<(Point, Point)> = (0..count).map(|_| (numbers(), numbers())).collect();
    let mut random = Random::seeded(seed ^ 1);
    for (place, (start, end)) in places.drain(..).enumerate() {
        let from = glyphs.text.len() as u32;
        // All glyphs differ, so none is a copy.
        let character = [0x3400, 0x10000, 0x5d0, 0x644][random.below(4)] + place as u32 % 1000;
        if let Some(character) = char::from_u32(character) {
            glyphs.text.push(character);
        }
        let size = if is_strange {
            STRANGE[random.below(12)]
        } else {
            1.0 + random.below(30) as f32
        };
        let end = if is_strange {
            end
        } else {
            (start.0 + 0.5 * size, start.1)
        };
        let text = from..glyphs.text.len() as u32;
        glyphs.glyphs.push(Glyph {
            text,
            start,
            end,
            size,
            style: random.below(4) as u32,
            run: random.below(5) as u32,
        });
    }
    glyphs
}

type Point = (f32, f32);

fn sorted(text: &str) -> Vec<char> {
    let mut characters: Vec<char> = text
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect();
    characters.sort_unstable();
    characters
}

#[test]
fn no_text_is_lost_or_duplicated() {
    for seed in 0..200 {
        for is_strange in [false, true] {
            let glyphs = soup(seed, 60, is_strange);
            let kept: String = glyphs
                .text
                .chars()
                .filter(|character| !super::super::characters::is_dropped(*character))
                .collect();
            assert_eq!(
                sorted(&layout(&glyphs).text),
                sorted(&kept),
                "{seed} {is_strange}"
            );
        }
    }
}

#[test]
fn invalid_ranges_are_empty_text() {
    let mut glyphs = soup(1, 10, false);
    glyphs.text = "äöü".to_owned();
    for (place, glyph) in glyphs.glyphs.iter_mut().enumerate() {
        glyph.text = [
            0..1,
            1..2,
            5..900,
            std::ops::Range { start: 4, end: 2 },
            u32::MAX..u32::MAX,
            0..0,
            9..12,
            3..6,
            1..6,
            0..5,
        ][place]
            .clone();
        glyph.style = u32::MAX;
    }
    assert_eq!(layout(&glyphs).text, "");
}

#[test]
fn an_empty_page_is_empty() {
    assert_eq!(layout(&Glyphs::default()), super::super::Layout::default());
}

#[test]
fn nothing_is_made_unless_requested() {
    let glyphs = soup(1, 10, false);
    assert_eq!(
        lay_out(&glyphs, WantedLayout::default(), &Options::default()),
        super::super::Layout::default()
    );
    let words = lay_out(
        &glyphs,
        WantedLayout {
            text: false,
            words: true,
        },
        &Options::default(),
    );
    assert!(words.text.is_empty() && !words.words.is_empty());
}

/// Each of these takes very long if a step is quadratic.
#[test]
fn many_glyphs_take_linear_time() {
    const COUNT: usize = 30_000;
    let place = |place: usize| (place % 300) as f32;
    let layouts: [fn(usize) -> Point; 6] = [
        |_| (50.0, 50.0),
        |place| ((place % 2) as f32 * 300.0, 50.0),
        |place| (place as f32 * -0.01, 50.0),
        |place| (50.0, place as f32 * -0.01),
        |place| (place as f32 % 977.0 * 5.0, place as f32 % 1009.0 * 3.0),
        |place| (place as f32 * 0.7, place as f32 * 0.7),
    ];
    for (number, layout) in layouts.iter().enumerate() {
        let mut glyphs = Drawing::new().glyphs;
        for at in 0..COUNT {
            let from = glyphs.text.len() as u32;
            glyphs.text.push(
                char::from_u32(
                    0x5d0 + place(at) as u32 % 26 + if at % 7 == 0 { 0 } else { 0x3000 },
                )
                .unwrap(),
            );
            let start = layout(at);
            let text = from..glyphs.text.len() as u32;
            glyphs.glyphs.push(Glyph {
                text,
                start,
                end: (start.0 + 5.0, start.1),
                size: 10.0,
                style: 0,
                run: at as u32,
            });
        }
        let layout = lay_out(
            &glyphs,
            super::ALL,
            &Options {
                dehyphenate: true,
                ..Options::default()
            },
        );
        assert_consistent(&layout);
        assert!(!layout.text.is_empty(), "{number}");
    }
}
