//! Blocks of paginated documents: from lines with boxes to headings, paragraphs, lists, code,
//! captions and footnotes.
//!
//! A producer pushes its pages one after another, each with its lines in reading order. The engine
//! knows nothing of the format.
//!
//! 1. `measure`: the usual size, distance and style of lines.
//! 2. `running_lines`: running heads, feet and page numbers, which repeat over pages, and line
//!    numbers (`line_numbers`).
//! 3. `figures`: labels in figures, which are not part of the text.
//! 4. `segments`: lines that belong together, from distances, indents, sizes and styles; `markers`
//!    finds the starts of list items, whose syntax `marker` parses.
//! 5. `headings`: the headings among the segments and their levels, from sizes, weights, numbers,
//!    the outline, and words such as `Chapter` (`divisions`).
//! 6. `notes`: footnotes with a reference on their page.
//! 7. `assemble`: segments become blocks. Blocks that continue across columns and pages are joined,
//!    and so are words divided at line ends (`words`).
//!
//! Everything takes at most O(n log n) time in the number of lines.

mod assemble;
mod divisions;
mod figures;
mod headings;
mod line_numbers;
mod marker;
mod markers;
mod measure;
mod notes;
mod running_lines;
mod segments;
#[cfg(test)]
mod tests;
mod words;

use crate::block::{Block, Bounds};
use crate::text::Text;
use measure::MeasuredDocument;
pub use segments::{is_caption, is_caption_of_figure};

/// A page of a document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// The number of the page, from 1.
    pub number: u32,
    /// Its size, in the unit of the boxes.
    pub width: f32,
    /// Its height.
    pub height: f32,
    /// Its content in reading order.
    pub entries: Vec<Entry>,
    /// The sizes of the fonts in its finished blocks, with the number of letters of each.
    pub block_sizes: Vec<(f32, usize)>,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A line of text.
    Line(Line),
    /// A finished block, such as a table, with its page and bounds.
    Block(Box<Block>),
}

/// A line of text that runs to the right.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The text. Marks cover the bold, italic, fixed-width and raised parts.
    pub text: Text,
    /// The box, in a coordinate system in which y grows downwards.
    pub bounds: Bounds,
    /// The y coordinate of the baseline.
    pub base: f32,
    /// The size of the font, in the unit of the boxes.
    pub size: f32,
    /// The block that the document declares around the line, if it declares any.
    pub declared: Option<Declared>,
    /// The end of a bold start that a wide gap separates from the rest, as in a heading at the
    /// start of a paragraph.
    pub run_in: Option<usize>,
    /// The number of wide gaps between its words, as between the cells of a row.
    pub gaps: usize,
    /// Whether it is outside of the text: marked as a running line, or in another direction.
    pub is_outside: bool,
}

/// A block that the document declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The number of the block. Consecutive lines with the same number are one block.
    pub block: u32,
    /// The role of the block, if that is also declared.
    pub role: Option<Role>,
}

/// The declared role of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A heading of a level from 1; 0 if the level is not declared.
    Heading(u8),
    /// A paragraph.
    Paragraph,
    /// A list item inside this number of lists.
    Item(u16),
    /// A caption.
    Caption,
    /// A footnote.
    Note,
    /// Code.
    Code,
    /// A running head.
    RunningHead,
    /// A running foot.
    RunningFoot,
    /// A page number.
    PageNumber,
}

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntry {
    /// 1 for the top level.
    pub level: u32,
    /// The title.
    pub title: String,
    /// The number of its page, from 1.
    pub page: Option<u32>,
}

/// How exact the numbers of a producer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Sizes and positions come from a typesetter.
    #[default]
    Exact,
    /// Sizes and positions are measured on pictures.
    Scanned,
}

impl Precision {
    /// The ratio above which sizes of fonts differ.
    pub(crate) const fn size_ratio(self) -> f32 {
        match self {
            Self::Exact => 1.06,
            Self::Scanned => 1.3,
        }
    }
}

/// Finds the blocks of a document of pages.
///
/// ```
/// use corpus_blocks::pages::{Entry, Line, Page, Pages, Precision};
/// use corpus_blocks::{Bounds, Text};
///
/// let line = |text: &str, y: f32| Entry::Line(Line {
///     text: Text::plain(text),
///     bounds: Bounds {
///         left: 72.0,
///         top: y - 9.0,
///         right: 72.0 + 5.0 * text.len() as f32,
///         bottom: y + 3.0,
///     },
///     base: y,
///     size: 10.0,
///     declared: None,
///     run_in: None,
///     gaps: 0,
///     is_outside: false,
/// });
/// let mut pages = Pages::new(Precision::Exact);
/// pages.push(Page {
///     number: 1,
///     width: 612.0,
///     height: 792.0,
///     entries: vec![line("One word is divi-", 100.0), line("ded here.", 112.0)],
///     ..Page::default()
/// });
/// let blocks = pages.finish(&[]);
/// assert_eq!(blocks[0].text.text, "One word is divided here.");
/// ```
#[derive(Debug)]
pub struct Pages {
    precision: Precision,
    pages: Vec<Page>,
}

impl Pages {
    /// A document without pages.
    pub const fn new(precision: Precision) -> Self {
        Self {
            precision,
            pages: Vec::new(),
        }
    }

    /// Appends a page. Lines without text, or with a box that is not finite, have no effect on
    /// others.
    pub fn push(&mut self, mut page: Page) {
        for entry in &mut page.entries {
            if let Entry::Line(line) = entry {
                line.make_finite();
            }
        }
        page.entries
            .retain(|entry| !matches!(entry, Entry::Line(line) if line.text.is_empty()));
        markers::attach(&mut page.entries);
        self.pages.push(page);
    }

    /// Returns the blocks, each with its page and box. A block that spans pages has the page and
    /// box of its start.
    pub fn finish(self, outline: &[OutlineEntry]) -> Vec<Block> {
        let mut document = MeasuredDocument::new(self.pages, self.precision);
        running_lines::find(&mut document);
        figures::find(&mut document);
        markers::find(&mut document);
        let mut segments = segments::find(&document);
        headings::find(&document, &mut segments, outline);
        notes::find(&mut document, &mut segments);
        assemble::blocks(document, segments)
    }
}

/// The minimum number of underscores in a typed rule.
const MIN_RULE_UNDERSCORES: usize = 6;

impl Line {
    /// Whether it is a typed rule. Like a drawn rule, it is not text.
    fn is_rule(&self) -> bool {
        let text = &self.text.text;
        let is_part = |byte: u8| matches!(byte, b'_' | b' ');
        text.len() >= MIN_RULE_UNDERSCORES && text.bytes().all(is_part)
    }

    /// Replaces non-finite numbers, so that comparisons are meaningful.
    fn make_finite(&mut self) {
        let finite = |value: f32| {
            if value.is_finite() {
                value.clamp(-1e6, 1e6)
            } else {
                0.0
            }
        };
        let Bounds {
            left,
            top,
            right,
            bottom,
        } = self.bounds;
        let (left, top) = (finite(left), finite(top));
        self.bounds = Bounds {
            left,
            top,
            right: finite(right).max(left),
            bottom: finite(bottom).max(top),
        };
        self.base = finite(self.base);
        if !(self.size.is_finite() && self.size > 0.01) {
            self.size = (self.bounds.bottom - self.bounds.top).max(1.0);
        }
        self.size = self.size.min(1e5);
    }
}
