//! Judges the text of each font of a page: in the text of the whole page, one broken font would go
//! unnoticed.

use crate::glyphs::{Glyph, Glyphs};
use crate::model::FontUse;
use crate::quality;

/// Minimum number of glyphs per word of a font that is judged. Fewer are single signs, as in
/// formulas, which resemble no language.
const MIN_GLYPHS_PER_WORD: u32 = 3;

/// Indexes of the glyphs whose meaning the file does not declare.
#[derive(Debug, Default)]
pub struct Uncertain {
    /// Glyphs of unknown meaning.
    pub unmapped: Vec<u32>,
    /// Glyphs with inferred text.
    pub inferred: Vec<u32>,
}

/// The fonts of a page, in the order of their first use. `names` are their names, by number.
pub fn font_uses(glyphs: &Glyphs, names: &[String], uncertain: &Uncertain) -> Vec<FontUse> {
    let mut fonts: Vec<FontUse> = names
        .iter()
        .map(|name| FontUse {
            name: name.clone(),
            ..FontUse::default()
        })
        .collect();
    let mut texts = vec![(String::new(), 0_u32); names.len()];
    let mut before: Option<(&Glyph, usize)> = None;
    for glyph in &glyphs.glyphs {
        let font = font_of(glyphs, glyph);
        let (Some(used), Some((text, words))) = (fonts.get_mut(font), texts.get_mut(font)) else {
            continue;
        };
        used.characters += 1;
        if before.is_none_or(|(before, last)| last != font || before.is_apart_from(glyph)) {
            text.push(' ');
            *words += 1;
        }
        let range = glyph.text.start as usize..glyph.text.end as usize;
        text.push_str(glyphs.text.get(range).unwrap_or_default());
        before = Some((glyph, font));
    }
    let font_at = |index: &u32| {
        let glyph = glyphs.glyphs.get(*index as usize);
        glyph.map_or(usize::MAX, |glyph| font_of(glyphs, glyph))
    };
    for font in uncertain.unmapped.iter().map(font_at) {
        if let Some(used) = fonts.get_mut(font) {
            used.unmapped += 1;
        }
    }
    for font in uncertain.inferred.iter().map(font_at) {
        if let Some(used) = fonts.get_mut(font) {
            used.inferred += 1;
        }
    }
    for (used, (text, words)) in fonts.iter_mut().zip(&texts) {
        let known = used.characters.saturating_sub(used.unmapped);
        if used.characters >= words.saturating_mul(MIN_GLYPHS_PER_WORD) {
            used.implausible = quality::implausible(text).min(known);
        }
    }
    fonts.retain(|used| used.characters > 0);
    fonts
}

fn font_of(glyphs: &Glyphs, glyph: &Glyph) -> usize {
    let style = glyphs.styles.get(glyph.style as usize);
    style.map_or(usize::MAX, |style| style.font as usize)
}
