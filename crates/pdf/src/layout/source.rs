//! The glyphs of a page, made safe to process.

use std::borrow::Cow;

use corpus_blocks::characters::is_right_to_left;

use super::characters::{GlyphKind, count_letters, kind, kind_of_byte};
use super::geometry::{Point, glyph_box, sanitize};
use crate::glyphs::{Glyph, GlyphStyle, Glyphs};
use crate::model::Rect;

/// The index of a glyph in a column, and its new start and end unless it already has the column's
/// direction.
pub(super) type Turned = (u32, Option<(Point, Point)>);

pub(super) struct PageGlyphs<'a> {
    text: &'a str,
    pub(super) is_ascii: bool,
    pub(super) glyphs: Cow<'a, [Glyph]>,
    styles: &'a [GlyphStyle],
    /// Whether any letter is written from right to left.
    pub(super) has_right_to_left: bool,
    /// Whether most letters are written from right to left.
    pub(super) is_leftwards: bool,
    pub(super) has_mirrored: bool,
    /// Whether most glyphs are in columns that were not drawn in sequence.
    pub(super) has_shuffled_columns: bool,
    /// Whether each glyph was turned into the direction of its column. Empty if none was.
    turned: Vec<bool>,
}

impl<'a> PageGlyphs<'a> {
    pub(super) fn new(glyphs: &'a Glyphs) -> Self {
        let text = glyphs.text.as_str();
        let is_ascii = text.is_ascii();
        let has_right_to_left = !is_ascii && text.chars().any(is_right_to_left);
        let mut source = Self {
            text,
            is_ascii,
            glyphs: sanitize(&glyphs.glyphs),
            styles: &glyphs.styles,
            has_right_to_left,
            is_leftwards: false,
            has_mirrored: glyphs.styles.iter().any(|style| style.mirrored),
            has_shuffled_columns: false,
            turned: Vec::new(),
        };
        if source.has_mirrored {
            source.mirror_back();
        }
        if has_right_to_left {
            let texts = source.glyphs.iter().map(|glyph| source.text(glyph));
            let (leftwards, rightwards) = count_letters(texts);
            source.is_leftwards = leftwards > rightwards;
        }
        source
    }

    /// Mirrors the positions of mirrored glyphs, so that they look normal.
    fn mirror_back(&mut self) {
        let styles = self.styles;
        for glyph in self.glyphs.to_mut() {
            if is_mirrored(styles, glyph) {
                (glyph.start.0, glyph.end.0) = (-glyph.start.0, -glyph.end.0);
            }
        }
    }

    pub(super) fn is_mirrored(&self, glyph: &Glyph) -> bool {
        self.has_mirrored && is_mirrored(self.styles, glyph)
    }

    /// Whether any glyph may have to be turned. Only characters from U+3000 on are turned; the
    /// first byte of their UTF-8 identifies them.
    pub(super) fn may_have_columns(&self) -> bool {
        let is_far_east = |byte| (0xe3..=0xed).contains(&byte);
        !self.is_ascii && self.text.bytes().any(is_far_east)
    }

    /// Puts the glyphs of a column into this order, and moves those that were upright. Pieces
    /// depend on the order of glyphs, so the column only uses the slots of its own glyphs.
    pub(super) fn turn(&mut self, column: &[Turned]) {
        let moved: Vec<Option<Glyph>> = column
            .iter()
            .map(|(index, ends)| {
                let glyph = self.glyph(*index)?.clone();
                let (start, end) = ends.unwrap_or((glyph.start, glyph.end));
                Some(Glyph {
                    start,
                    end,
                    ..glyph
                })
            })
            .collect();
        let mut slots: Vec<u32> = column.iter().map(|(index, _)| *index).collect();
        slots.sort_unstable();
        self.turned.resize(self.glyphs.len(), false);
        let glyphs = self.glyphs.to_mut();
        for ((slot, glyph), (_, ends)) in slots.into_iter().zip(moved).zip(column) {
            let entry = glyphs.get_mut(slot as usize).zip(glyph);
            if let (Some((entry, glyph)), Some(turned)) =
                (entry, self.turned.get_mut(slot as usize))
            {
                (*entry, *turned) = (glyph, ends.is_some());
            }
        }
    }

    /// The bounding box of a glyph on the page.
    pub(super) fn glyph_box(&self, index: u32, direction: Point) -> Option<Rect> {
        let glyph = self.glyph(index)?;
        let is_turned = self.turned.get(index as usize).copied().unwrap_or(false);
        // The box of a turned glyph is its cell, whatever the font declares.
        let style = self.style(glyph).filter(|_| !is_turned);
        let on_page = glyph_box(glyph, style, direction);
        Some(if self.is_mirrored(glyph) {
            Rect {
                x1: -on_page.x2,
                x2: -on_page.x1,
                ..on_page
            }
        } else {
            on_page
        })
    }

    /// The role of a glyph in the text.
    #[inline]
    pub(super) fn kind(&self, glyph: &Glyph) -> GlyphKind {
        match self.bytes(glyph) {
            [byte] => kind_of_byte(*byte),
            _ => kind(self.text(glyph)),
        }
    }

    /// The bytes of a glyph's text. Most texts are one byte, so callers can skip UTF-8 checks.
    #[inline]
    pub(super) fn bytes(&self, glyph: &Glyph) -> &'a [u8] {
        let range = glyph.text.start as usize..glyph.text.end as usize;
        self.text.as_bytes().get(range).unwrap_or_default()
    }

    #[inline]
    pub(super) fn text(&self, glyph: &Glyph) -> &'a str {
        self.text
            .get(glyph.text.start as usize..glyph.text.end as usize)
            .unwrap_or_default()
    }

    pub(super) fn style(&self, glyph: &Glyph) -> Option<&'a GlyphStyle> {
        self.styles.get(glyph.style as usize)
    }

    pub(super) fn glyph(&self, index: u32) -> Option<&Glyph> {
        self.glyphs.get(index as usize)
    }
}

fn is_mirrored(styles: &[GlyphStyle], glyph: &Glyph) -> bool {
    styles
        .get(glyph.style as usize)
        .is_some_and(|style| style.mirrored)
}
