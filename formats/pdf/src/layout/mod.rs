//! Layout of a page: glyphs become words, lines, blocks, and text in the order of reading.
//!
//! The steps, each in a module of its own:
//!
//! 1. `source` and `vertical`: mirrored glyphs are mirrored back, and characters set below each other are turned;
//! 2. `pieces`: what is drawn one after another on one baseline, without wide gaps;
//! 3. `rows`: pieces that are one line, and (`overprint`) those that only repeat another one;
//! 4. `order`: the order of drawing stays if it can be read, else places decide;
//! 5. `columns`: rows that run across columns of text or labels are cut, rows of tables are not;
//! 6. `blocks`: paragraphs and other parts that belong together;
//! 7. `text`: words (`spacing`), from right to left where needed (`bidi`), and the output;
//! 8. `hyphens`: what becomes of words that are parted at the end of a line.
//!
//! Files are not to be trusted: places may be anywhere, or no numbers at all (`source`, `geometry`), and millions of glyphs
//! may be at one place. So all steps take time as for sorting, and memory in proportion to the glyphs.

mod bidi;
mod blocks;
mod characters;
mod columns;
mod geometry;
mod hyphens;
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

use crate::glyphs::Glyphs;
use crate::model::{Block, Line, Options, Word};
use source::Source;

/// What of a page is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    pub text: bool,
    /// Words, lines and blocks.
    pub words: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laid {
    /// Each line ends with a line feed, and an empty line parts blocks.
    pub text: String,
    pub words: Vec<Word>,
    /// Ranges of `words`.
    pub lines: Vec<Line>,
    /// Ranges of `lines`.
    pub blocks: Vec<Block>,
}

/// Reads the page. Without `wanted.words`, nothing is made for single words.
pub fn lay_out(glyphs: &Glyphs, wanted: Wanted, options: &Options) -> Laid {
    if !wanted.text && !wanted.words {
        return Laid::default();
    }
    let mut source = Source::new(glyphs);
    vertical::turn(&mut source);
    let mut pieces = pieces::collect(&source);
    let mut rows = rows::in_drawing_order(&source, &mut pieces);
    if source.has_shuffled_columns || !order::is_readable(&rows.rows) {
        rows = order::by_place(&pieces, &rows);
    }
    let rows = columns::part(&source, &pieces, rows);
    let mut laid = text::write(&source, &pieces, &rows, wanted);
    if options.dehyphenate {
        hyphens::join(&mut laid);
    }
    hyphens::show_soft(&mut laid);
    if !wanted.text {
        laid.text = String::new();
    }
    laid
}
