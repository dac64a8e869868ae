//! Finds the styles of a page that are used for code and for formulas.

use crate::glyphs::{GlyphStyle, Glyphs};

/// Minimum number of letters, and of different letters, needed to judge the widths of a style.
const MIN_LETTERS: u32 = 12;
const MIN_DIFFERENT_LETTERS: u32 = 5;
/// Maximum difference between equal widths, in ems.
const SAME_WIDTH_EMS: f32 = 0.02;

/// The kinds of fonts of a page, by style.
pub struct FontKinds {
    /// Whether its characters have the same width.
    pub is_fixed: Vec<bool>,
    /// Whether its font is a math font.
    pub is_formula: Vec<bool>,
}

impl FontKinds {
    pub fn of(glyphs: &Glyphs) -> Self {
        Self {
            is_fixed: fixed_styles(glyphs),
            is_formula: formula_styles(glyphs),
        }
    }
}

/// Whether the characters of each style have the same width, as measured or according to the font
/// name.
fn fixed_styles(glyphs: &Glyphs) -> Vec<bool> {
    #[derive(Clone, Copy)]
    struct Widths {
        min: f32,
        max: f32,
        count: u32,
        letters: u64,
    }
    let mut widths = vec![
        Widths {
            min: f32::INFINITY,
            max: 0.0,
            count: 0,
            letters: 0,
        };
        glyphs.styles.len()
    ];
    for glyph in &glyphs.glyphs {
        let text = glyphs
            .text
            .get(glyph.text.start as usize..glyph.text.end as usize)
            .unwrap_or_default();
        let ([letter], Some(widths)) = (text.as_bytes(), widths.get_mut(glyph.style as usize))
        else {
            continue;
        };
        if letter.is_ascii_alphabetic() {
            let (x, y) = (glyph.end.0 - glyph.start.0, glyph.end.1 - glyph.start.1);
            let width = x.hypot(y) / glyph.size.max(0.01);
            widths.min = widths.min.min(width);
            widths.max = widths.max.max(width);
            widths.count += 1;
            widths.letters |= 1 << (letter & 63);
        }
    }
    let is_fixed = |(style, widths): (&GlyphStyle, &Widths)| {
        let is_same = widths.max - widths.min < SAME_WIDTH_EMS;
        let is_measured =
            widths.count >= MIN_LETTERS && widths.letters.count_ones() >= MIN_DIFFERENT_LETTERS;
        (widths.count == 0 || is_same) && (is_measured || has_fixed_name(&style.style.font))
    };
    glyphs.styles.iter().zip(&widths).map(is_fixed).collect()
}

/// Whether a font name belongs to a fixed-width font.
fn has_fixed_name(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "mono",
        "courier",
        "consol",
        "typewriter",
        "cmtt",
        "menlo",
        "fixed",
        "lettergothic",
        "inconsolata",
        "sourcecode",
        "firacode",
        "nimbusmon",
    ];
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|known| name.contains(known))
}

/// Whether the font of each style is a math font.
fn formula_styles(glyphs: &Glyphs) -> Vec<bool> {
    let styles = glyphs.styles.iter();
    styles
        .map(|style| has_formula_name(&style.style.font))
        .collect()
}

/// The lower-case name of a font without its subset tag.
pub fn bare(font: &str) -> String {
    let name = font.split_once('+').map_or(font, |(_, name)| name);
    name.to_ascii_lowercase()
}

/// Whether a font name belongs to a math font.
fn has_formula_name(font: &str) -> bool {
    const STARTS: [&str; 20] = [
        "cmmi", "cmsy", "cmex", "cmbsy", "cmmib", "msam", "msbm", "bbm", "eufm", "eurm", "eusm",
        "txmi", "txsy", "txex", "pxmi", "pxsy", "rtxmi", "newtxmi", "mtmi", "mtsy",
    ];
    let name = bare(font);
    STARTS.iter().any(|start| name.starts_with(start)) || name.contains("math")
}
