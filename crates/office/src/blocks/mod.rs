//! Documents as blocks.
//!
//! ```text
//! docx         the blocks of DOCX
//! docx_styles  its styles and lists
//! fields       its fields that are links
//! symbols      its characters of symbol fonts
//! odt          the blocks of OpenDocument
//! odt_styles   its styles and lists
//! styles       styles that are based on others
//! numbers      the numbers of lists and headings
//! runs         the text of a paragraph and its marks
//! table        cells that are merged downwards
//! ```

pub mod docx;
mod docx_styles;
mod fields;
mod numbers;
pub mod odt;
mod odt_styles;
mod runs;
mod styles;
mod symbols;
mod table;

use corpus_blocks::tex::TexBuilder;
use corpus_blocks::{Block, Kind};
use corpus_markup::Tag;

use crate::metadata::attribute;

/// The role of a paragraph style, derived from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StyleRole {
    #[default]
    Text,
    /// A heading of level 1 to 6.
    Heading(u8),
    Code,
    Quote,
    /// A caption. It belongs to an adjacent table, if any.
    Caption,
    FigureCaption,
}

impl StyleRole {
    /// The role of a style with this name, as Word, LibreOffice and pandoc write it.
    pub fn of_name(name: &str) -> Option<Self> {
        let compact = compact(name);
        if let Some(level) = compact.strip_prefix("heading") {
            let level: u8 = level.parse().ok()?;
            return (1..=9)
                .contains(&level)
                .then(|| Self::Heading(level.min(6)));
        }
        match &*compact {
            "title" => Some(Self::Heading(1)),
            "subtitle" => Some(Self::Heading(2)),
            "quote" | "intensequote" | "quotations" | "blocktext" | "blockquote" => {
                Some(Self::Quote)
            }
            "caption" | "tablecaption" => Some(Self::Caption),
            "imagecaption" | "figurecaption" => Some(Self::FigureCaption),
            _ if is_code(&compact) => Some(Self::Code),
            _ => None,
        }
    }
}

/// A name in lower case without spaces, which OpenDocument writes as `_20_`.
fn compact(name: &str) -> String {
    let name = name.to_lowercase().replace("_20_", "");
    let is_part = |c: &char| *c != '_' && !c.is_whitespace();
    name.chars().filter(is_part).collect()
}

/// Whether a style of paragraphs or characters with this name is for code.
pub fn is_code(compact: &str) -> bool {
    matches!(
        compact,
        "code"
            | "sourcecode"
            | "sourcetext"
            | "preformattedtext"
            | "htmlpreformatted"
            | "verbatim"
            | "verbatimchar"
            | "codechar"
            | "htmlcode"
            | "htmlcodechar"
            | "plaintext"
            | "macrotext"
            | "teletype"
            | "codeblock"
            | "inlinecode"
    )
}

/// Opens an element of a formula.
fn open_in_formula(formula: &mut TexBuilder, tag: &Tag<'_>) {
    let value = |name: &str| attribute(tag, name).map(|value| value.into_owned());
    formula.open(tag.local_name(), value);
    if tag.self_closing() {
        formula.close();
    }
}

/// Appends a block of code. Consecutive paragraphs of code become lines of one block.
fn push_code(blocks: &mut corpus_blocks::Builder, block: Block) {
    if let Some(last) = blocks.last_mut()
        && matches!(last.kind, Kind::Code { .. })
        && matches!(block.kind, Kind::Code { .. })
        && (last.quotes, last.level) == (block.quotes, block.level)
    {
        last.text.text.push('\n');
        last.text.text.push_str(&block.text.text);
        return;
    }
    blocks.push(block);
}
