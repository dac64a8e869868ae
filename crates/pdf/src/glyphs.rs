//! The glyphs of a page: produced by the interpreter of content streams, consumed by the layout.

use super::geometry::length;

/// A glyph as drawn. Coordinates are as in `model`: points from the top left of the displayed page,
/// y downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Glyph {
    /// The glyph's text, a range of `Glyphs::text`: usually one character; U+FFFD if unknown; empty
    /// if it belongs to the text of another glyph.
    pub text: std::ops::Range<u32>,
    /// The start of the glyph on the baseline, and the start of the next glyph without character
    /// and word spacing.
    pub start: (f32, f32),
    pub end: (f32, f32),
    /// The height of an em in points, as drawn.
    pub size: f32,
    /// Index into `Glyphs::styles`.
    pub style: u32,
    /// The same number for all glyphs of a string; a hint for the layout. Only the strings of one
    /// `TJ` array have consecutive numbers.
    pub run: u32,
}

/// The minimum gap between words, in ems.
const WORD_GAP_EMS: f32 = 0.2;

impl Glyph {
    /// Whether the next glyph belongs to another word.
    pub fn is_apart_from(&self, next: &Self) -> bool {
        let (across, along) = (next.start.0 - self.end.0, next.start.1 - self.end.1);
        length(across, along) > WORD_GAP_EMS * self.size
    }
}

/// The glyphs of a page, in drawing order.
#[derive(Clone, Debug, Default)]
pub struct Glyphs {
    pub text: String,
    pub glyphs: Vec<Glyph>,
    pub styles: Vec<GlyphStyle>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlyphStyle {
    pub style: super::model::Style,
    /// The number of its font on the page.
    pub font: u32,
    /// The font's extent above (positive) and below (negative) the baseline, in ems; plausible
    /// defaults if the font declares none.
    pub ascent: f32,
    pub descent: f32,
    /// Whether glyphs follow each other downwards (vertical CJK writing). `end` is then below
    /// `start`.
    pub vertical: bool,
    /// Whether the glyphs are mirrored.
    pub mirrored: bool,
    /// Whether the text is marked as an artifact of pagination: headers, footers, page numbers.
    pub artifact: bool,
}
