//! The glyphs of a page, made safe to read.

use std::borrow::Cow;

use super::characters::is_right_to_left;
use super::geometry::sane;
use crate::glyphs::{Glyph, GlyphStyle, Glyphs};

pub(super) struct Source<'a> {
    text: &'a str,
    pub(super) glyphs: Cow<'a, [Glyph]>,
    styles: &'a [GlyphStyle],
    /// Whether any letter is written from right to left.
    pub(super) has_right_to_left: bool,
}

impl<'a> Source<'a> {
    pub(super) fn new(glyphs: &'a Glyphs) -> Self {
        let text = glyphs.text.as_str();
        Self {
            text,
            glyphs: sane(&glyphs.glyphs),
            styles: &glyphs.styles,
            has_right_to_left: !text.is_ascii() && text.chars().any(is_right_to_left),
        }
    }

    pub(super) fn text(&self, glyph: &Glyph) -> &'a str {
        self.text
            .get(glyph.text.start as usize..glyph.text.end as usize)
            .unwrap_or_default()
    }

    pub(super) fn style(&self, glyph: &Glyph) -> Option<&'a GlyphStyle> {
        self.styles.get(glyph.style as usize)
    }

    pub(super) fn glyph(&self, place: u32) -> Option<&Glyph> {
        self.glyphs.get(place as usize)
    }

    /// Whether two glyphs mean the same.
    pub(super) fn is_same(&self, a: usize, b: usize) -> bool {
        match (self.glyphs.get(a), self.glyphs.get(b)) {
            (Some(a), Some(b)) => self.text(a) == self.text(b),
            _ => false,
        }
    }
}
