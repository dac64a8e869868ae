//! The layout of a page: turns glyphs into words, lines, blocks, and text in reading order.
//!
//! The steps, each in its own module:
//!
//! 1. `source` and `vertical`: mirrored glyphs are mirrored back, and characters set one below
//!    another are turned into the direction of their column.
//! 2. `pieces`: glyphs drawn in sequence on one baseline, without wide gaps. Punctuation drawn
//!    later fills their gaps (`gaps`), and drop capitals are joined to their first line
//!    (`initials`).
//! 3. `rows`: pieces that form one line. Copies of other pieces are dropped (`overprint`).
//! 4. `order`: the drawing order is kept if it is readable; otherwise, rows are ordered by
//!    position. `floats` at the right of lines are joined to them.
//! 5. `columns`: rows that span several columns of text or labels are cut; rows of tables are not.
//! 6. `blocks`: paragraphs, headings and parts of columns.
//! 7. `text`: words (`spacing`), reordered where they are written from right to left (`bidi`), and
//!    the output.
//! 8. `hyphens`: words hyphenated at the end of a line.
//!
//! `characters` has the properties of characters, and `sectors` the directions of text.
//!
//! The input may be hostile: positions may be anywhere, or NaN (`source`, `geometry`), and millions
//! of glyphs may share one position. So every step takes at most O(n log n) time, and memory in
//! proportion to the glyphs.

mod bidi;
mod blocks;
mod characters;
mod columns;
mod floats;
mod gaps;
mod geometry;
mod hyphens;
mod initials;
mod order;
mod overprint;
mod pieces;
mod rows;
mod sectors;
mod source;
mod spacing;
mod text;
mod vertical;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::glyphs::Glyphs;
use crate::model::{Block, DrawnCharacter, Line, Options, Word};
use source::PageGlyphs;

/// The results to produce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WantedLayout {
    pub text: bool,
    /// Words, lines and blocks.
    pub words: bool,
}

/// The text of a page and its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Each line ends with a line feed. An empty line separates blocks.
    pub text: String,
    pub words: Vec<Word>,
    /// Ranges of `words`.
    pub lines: Vec<Line>,
    /// Ranges of `lines`.
    pub blocks: Vec<Block>,
    /// The index of the first glyph of each word.
    pub first_glyphs: Vec<u32>,
    /// The baseline and size of each line.
    pub baselines: Vec<Baseline>,
    /// Raised and lowered parts of words, in the order of the words.
    pub scripts: Vec<Script>,
}

/// The baseline of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Baseline {
    /// Its distance from the top left corner of the page, across the direction of the text.
    pub at: f32,
    /// The size of most of the text.
    pub size: f32,
}

/// A superscript or subscript.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The index of the word.
    pub word: u32,
    /// A range of its text.
    pub range: Range<u32>,
    pub is_raised: bool,
}

/// The characters of a page with their boxes, in drawing order.
pub fn boxed_characters(glyphs: &Glyphs) -> Vec<DrawnCharacter> {
    let source = PageGlyphs::new(glyphs);
    let with_text = (0..).zip(source.glyphs.iter());
    with_text
        .filter(|(_, glyph)| !glyph.text.is_empty())
        .filter_map(|(index, glyph)| {
            Some(DrawnCharacter {
                text: source.text(glyph).to_owned(),
                bbox: source.glyph_box(index, (1.0, 0.0))?,
                style: glyph.style,
            })
        })
        .collect()
}

/// Lays out a page. Without `wanted.words`, words, lines and blocks are not collected.
pub fn lay_out(glyphs: &Glyphs, wanted: WantedLayout, options: &Options) -> Layout {
    if !wanted.text && !wanted.words {
        return Layout::default();
    }
    let mut source = PageGlyphs::new(glyphs);
    vertical::turn(&mut source);
    let mut pieces = pieces::collect(&source);
    gaps::fill(&source, &mut pieces);
    initials::join(&mut source, &mut pieces);
    let mut rows = rows::in_drawing_order(&source, &mut pieces);
    if source.has_shuffled_columns || !order::is_readable(&source, &pieces, &rows) {
        rows = order::by_place(&pieces, &rows);
    } else {
        floats::join(&source, &pieces, &mut rows);
        order::move_late_runs(&source, &pieces, &mut rows);
    }
    let rows = columns::cut(&source, &pieces, rows);
    let mut layout = text::write(&source, &pieces, &rows, wanted);
    if options.dehyphenate {
        hyphens::join(&mut layout);
    }
    hyphens::show_soft(&mut layout);
    if !wanted.text {
        layout.text = String::new();
    }
    layout
}
