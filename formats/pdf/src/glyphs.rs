//! Glyphs of a page: what the interpreter of content streams makes and the layout reads.

/// One glyph as it is drawn. Coordinates as in `model`: points from the top left of the page as it is shown, y downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Glyph {
    /// Place in `Glyphs::text`: what it means, one character mostly; U+FFFD where unknown; empty for a
    /// glyph that stands for nothing by itself (its meaning is told by another one).
    pub text: std::ops::Range<u32>,
    /// Where the glyph starts on the baseline, and where the next would start (without character and word spacing).
    pub start: (f32, f32),
    pub end: (f32, f32),
    /// The height of an em as drawn, in points.
    pub size: f32,
    /// Place in `Glyphs::styles`.
    pub style: u32,
    /// Glyphs of one `Tj` string (or one string of a `TJ` array) share a number; a hint for the layout. Only strings of
    /// one array have successive numbers.
    pub run: u32,
}

/// The glyphs of a page in the order in which they are drawn.
#[derive(Clone, Debug, Default)]
pub struct Glyphs {
    pub text: String,
    pub glyphs: Vec<Glyph>,
    pub styles: Vec<GlyphStyle>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlyphStyle {
    pub style: super::model::Style,
    /// Of the font, in ems, from the baseline up (positive) and down (negative); sane defaults where the font has none.
    pub ascent: f32,
    pub descent: f32,
    /// Glyphs follow each other downwards (vertical writing of CJK); `end` is below `start` then.
    pub vertical: bool,
    /// The glyphs look as in a mirror.
    pub mirrored: bool,
    /// The text is not part of the page's content: marked as artifact (headers, footers, page numbers).
    pub artifact: bool,
}
