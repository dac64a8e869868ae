//! Extracts text, paragraphs, links and metadata. Each is a listener for the events of an engine,
//! and several can listen at the same time ([`Page`]). Listeners keep no tree and copy only what
//! they return.
//!
//! # The default text
//!
//! The text that a careful person would copy from the page. It consists of paragraphs, separated by
//! blank lines; paragraphs consist of lines. `Document` and `Paragraphs` follow the same rules
//! (`flow`, `effect.rs`). The main text (`main_text`) selects some of these paragraphs.
//!
//! - **Blocks** (p, div, section, headings, …) separate paragraphs; inline elements do not.
//! - **br** ends a line. Two in a row, with only white space between them, separate paragraphs:
//!   that is what they look like, and how older pages are written.
//! - **Lists**: a list is a paragraph, and each item, term and description is a line. Nested lists
//!   continue the outer one. **Tables**: a table is a paragraph, each row is a line, and cells are
//!   separated by tabs, one for each column (`tables.rs`). A br in a cell ends a line, too. A
//!   single block in an item or cell has no effect. But an item or cell with several blocks is
//!   layout rather than a list or table: its blocks become separate paragraphs, and empty cells are
//!   ignored. Headings, lists, tables and preformatted text always separate.
//! - **pre** (listing, xmp, plaintext) keeps its lines and their indentation. White space at the
//!   ends of lines is dropped. Blank lines separate paragraphs, so that they always have the same
//!   meaning.
//! - **White space**, including no-break and typographic spaces, collapses to one space. U+3000 is
//!   kept inside lines, because it separates words in Japanese, and trimmed from their ends. A
//!   source newline between two Chinese characters, kana or their punctuation is dropped; Korean
//!   uses spaces.
//! - **Dropped characters**: controls, soft hyphens, U+200B, U+2060 and U+FEFF, which only serve
//!   the layout. Joiners and direction marks stay, because spelling and order depend on them.
//! - **Meaning**: exponents and indexes keep their value (`corpus_blocks::scripts`), formulas are
//!   TeX or have a linear form (`formula`), quotations and deleted text have marks
//!   (`end_effects.rs`), and pictures that replace words are their alternative text
//!   (`flow/pictures.rs`).
//! - **Hidden elements** are dropped: `hidden` (but not `until-found`), `display:none`,
//!   `visibility:hidden` and `content-visibility:hidden` in `style`, closed dialogs, and
//!   `aria-hidden="true"`, which marks content that is not to be read, such as icon fonts and a
//!   second rendering of formulas. html and body are always shown, because scripts show them after
//!   loading. Style sheets are not evaluated.
//! - **Not part of the text**: head, title, script, style, template; noembed, iframe, audio, video,
//!   canvas (text for old browsers), noscript and noframes unless the page has hardly any other
//!   text (`flow/replaced.rs`); select, textarea, datalist, button, meter, progress (values and
//!   commands, but they separate the words around them). A button in a heading stays: it is the
//!   heading of a collapsible section. Labels and legends stay.
//! - **Ruby**: readings (rt, rtc) and their parentheses (rp) are dropped; their base text stays.
//! - **svg** is dropped: its labels have no order, and most of them name icons.
//! - **Pages in pages** (`srcdoc`, shadow roots declared by a template) are part of the text.
//!
//! # Optional text
//!
//! With [`Keep`], the same rules keep hidden elements (but not elements outside the text), and
//! write the markers of list items (`markers.rs`): `• `, `1. `, `b. `, `iv. `. They follow the
//! attributes start, value, reversed and type, and an inline `list-style`. A marker is written on
//! the line of the item's first word; empty items have none.
//!
//! # Blocks
//!
//! `blocks` observes the same text, and keeps its structure for Markdown and tables. Scripts and
//! deleted text have marks there instead of characters.
//!
//! # The text of uzushio
//!
//! `UzushioDocument` and `UzushioParagraphs` (`uzushio.rs`) reproduce uzushio's WarcToDocument
//! together with Tika, which it uses. They require noscript to be parsed as markup
//! (`Options::scripting` is `false`). Only script, style and title are dropped, and nothing is
//! collapsed. Characters up to U+0020 are trimmed from lines, and empty lines are dropped. Tika's
//! parser (TagSoup) ignores tags that HTML 4 does not have (article, nav, section, …), closes lists
//! before content that is not an item, opens lists around items (`uzushio_lists.rs`) and replaces
//! controls (`uzushio_controls.rs`). It is not an HTML 5 parser, and these differences are known:
//!
//! - It closes tables before misplaced content, cells before stray rows, and all open elements
//!   before meta, link and title in the body. Paragraphs may end there, or not.
//! - It parses the content of iframe, noframes, noembed, textarea and xmp as markup; here it is
//!   text including its tags.
//! - It ignores `</br>`, which is a line break in HTML 5, and drops a `<` that starts no tag.
//! - Its charset detection is not reproduced.
//! - uzushio drops lines that equal its own delimiter: a bug that is not reproduced.
//!
//! # Paths
//!
//! A path such as `body>div.container>p#id` contains the tag, classes and id of each element. In
//! the default mode, the path of a paragraph leads to the innermost block that contains all of it
//! (the list, for items). In uzushio mode, it leads to the element that ends where the paragraph
//! ends, or to the block that was opened last, even if it is already closed. A path has at most
//! 4096 bytes. All paths together have at most 1 MiB plus 16 times the bytes of the names and the
//! text; beyond that, at most 64 bytes each. Paths that are too long lose their middle:
//! `body>div>…12…>p` omits twelve elements. Names of more than 15 bytes are cut to their beginning:
//! `my-very…`.
//!
//! # Modules
//!
//! ```text
//! page                text, links and metadata in one pass
//! flow                the default text
//! effect              the effect of each element on the text
//! end_effects         what elements write or change at their start or end
//! characters          the role of single characters
//! formula             formulas
//! quotes              quotation marks
//! markers             markers of list items
//! tables              columns of tables
//! keep                optional parts of the text
//! paragraph           the properties of a paragraph
//! paragraphs          the positions and kinds of paragraphs
//! paths               paths of elements
//! blocks              blocks with marks, for Markdown and tables
//! links               links of a page
//! link_text           the number of characters in links
//! srcset              the addresses of a `srcset`
//! meta                metadata
//! published           the publication date
//! uzushio             the text of uzushio
//! uzushio_paragraphs  its paragraphs
//! uzushio_lists       its lists
//! uzushio_controls    its control characters
//! ```

mod blocks;
mod characters;
mod effect;
mod end_effects;
mod flow;
mod formula;
mod keep;
mod link_text;
mod links;
mod markers;
mod meta;
mod page;
mod paragraph;
mod paragraphs;
mod paths;
mod published;
mod quotes;
mod srcset;
mod tables;
mod uzushio;
mod uzushio_controls;
mod uzushio_lists;
mod uzushio_paragraphs;

pub(super) use blocks::BlockObservers;
pub use blocks::{Addresses, blocks};
pub(super) use effect::Effect;
pub use flow::Document;
pub use flow::{Flow, Observer};
pub use keep::Keep;
pub use links::{Link, Links, PageUrl, UrlError};
pub use meta::{Meta, Metadata};
pub use page::Page;
pub use paragraph::{Extract, Kind, Paragraph};
pub use paragraphs::Paragraphs;
pub(super) use paragraphs::Positions;
pub(super) use paths::{NodeId, Nodes};
pub use uzushio::UzushioDocument;
pub use uzushio_paragraphs::UzushioParagraphs;

#[cfg(test)]
pub(super) mod tests;
