//! A page drawn by a test. Each character is half an em wide, CJK characters one em.

use super::super::characters::is_cjk;
use crate::glyphs::{Glyph, GlyphStyle, Glyphs};
use crate::model::Style;

#[derive(Clone, Copy)]
pub struct Pen {
    pub size: f32,
    pub style: u32,
    /// The space between characters in ems, as set by `Tc`.
    pub letter_space: f32,
    /// The angle in degrees, clockwise.
    pub angle: f32,
}

pub const PEN: Pen = Pen {
    size: 10.0,
    style: 0,
    letter_space: 0.0,
    angle: 0.0,
};

#[derive(Default)]
pub struct Drawing {
    pub glyphs: Glyphs,
    run: u32,
}

impl Drawing {
    pub fn new() -> Self {
        let style = |name: &str| GlyphStyle {
            style: Style {
                font: name.to_owned(),
                size: 10.0,
                ..Style::default()
            },
            ascent: 0.8,
            descent: -0.2,
            ..GlyphStyle::default()
        };
        let styles = vec![style("Plain"), style("Bold")];
        Self {
            glyphs: Glyphs {
                styles,
                ..Glyphs::default()
            },
            run: 0,
        }
    }

    /// Draws one string, including spaces. Returns its end.
    pub fn string(&mut self, at: (f32, f32), text: &str, pen: Pen) -> (f32, f32) {
        let units: Vec<String> = text.chars().map(String::from).collect();
        self.units(
            at,
            &units.iter().map(String::as_str).collect::<Vec<_>>(),
            pen,
        )
    }

    /// Draws one string of glyphs with any number of characters each.
    pub fn units(&mut self, at: (f32, f32), units: &[&str], pen: Pen) -> (f32, f32) {
        self.run += 2;
        let (sin, cos) = pen.angle.to_radians().sin_cos();
        let step = |point: (f32, f32), width: f32| (point.0 + width * cos, point.1 + width * sin);
        let mut start = at;
        for unit in units {
            let width = if unit.contains(is_cjk) {
                pen.size
            } else {
                0.5 * pen.size
            };
            let end = step(start, width);
            let from = self.glyphs.text.len() as u32;
            self.glyphs.text.push_str(unit);
            let text = from..self.glyphs.text.len() as u32;
            self.glyphs.glyphs.push(Glyph {
                text,
                start,
                end,
                size: pen.size,
                style: pen.style,
                run: self.run,
            });
            start = step(end, pen.letter_space * pen.size);
        }
        start
    }

    /// Draws words without spaces, separated by a gap in ems, each as a separate string.
    pub fn words(&mut self, at: (f32, f32), text: &str, gap: f32, pen: Pen) -> (f32, f32) {
        let (sin, cos) = pen.angle.to_radians().sin_cos();
        let mut at = at;
        for word in text.split(' ') {
            let end = self.string(at, word, pen);
            at = (end.0 + gap * pen.size * cos, end.1 + gap * pen.size * sin);
        }
        at
    }

    /// Draws the lines of a text below each other, each as a separate string.
    pub fn lines(&mut self, at: (f32, f32), leading: f32, text: &str) {
        for (place, line) in text.lines().enumerate() {
            self.string((at.0, at.1 + leading * place as f32), line, PEN);
        }
    }
}

/// A page of strings at given positions.
pub fn strings(strings: &[(f32, f32, &str)]) -> Glyphs {
    let mut drawing = Drawing::new();
    for (x, y, text) in strings {
        drawing.string((*x, *y), text, PEN);
    }
    drawing.glyphs
}
