//! What is taken from a page: text, paragraphs, links, metadata. Each is a listener to the events
//! of an engine, and several can listen at once ([`Page`]). None keeps a tree, and none copies more
//! than it tells.
//!
//! # The text, by default
//!
//! The text that a careful person would copy from the page. Paragraphs are parted by a blank line,
//! and consist of lines. `Document` and `Paragraphs` go by the same rules (`flow.rs`, `effect.rs`),
//! and so does the main text (`main_text.rs`), which is some of these paragraphs:
//!
//! - **Blocks** (p, div, section, headings, …) part paragraphs; inline elements do nothing.
//! - **br** ends a line. Two in a row, with nothing but white space between them, part paragraphs:
//!   that is what they look like, and how older pages are written.
//! - **Lists**: a list is a paragraph, each item, term and description a line; lists in lists go on
//!   with it. **Tables**: a table is a paragraph, each row a line, its cells parted by a tab; empty
//!   cells leave no trace, since most are there for the layout. A br in a cell ends a line, too.
//!   A block that is alone in its item or cell changes nothing. But an item or cell that holds
//!   several blocks is laid out rather than listed: its blocks are paragraphs of their own, parted
//!   from the neighbours. Headings, lists, tables and preformatted text always part.
//! - **pre** (listing, xmp, plaintext) keeps its lines and their indentation. White space at the
//!   ends of lines goes, and blank lines part paragraphs, so that a blank line always means that.
//! - **White space** collapses to one space: also no-break and typographic spaces. U+3000 is kept
//!   inside of lines (it parts words in Japanese) and cut off their ends. A newline of the source
//!   between two Chinese characters, kana or their punctuation joins them; Korean puts spaces.
//! - **Dropped characters**: controls, soft hyphens, U+200B, U+2060, U+FEFF: they only serve the
//!   layout. Joiners and marks of direction stay, since spelling and order depend on them.
//! - **Hidden**: `hidden` (but not `until-found`), `display:none`, `visibility:hidden` in `style`,
//!   closed dialogs; and `aria-hidden="true"`, which marks what is not for reading: glyphs of icon
//!   fonts, a second rendering of formulas. html and body are shown whatever they say: scripts
//!   show them once they are loaded. Style sheets are not read.
//! - **No text of the document**: head, title, script, style, template; noscript, noframes, noembed,
//!   iframe, audio, video, canvas (words for old browsers); select, textarea, datalist, button,
//!   meter, progress (values and commands, no prose; but they part the words around them). A button
//!   in a heading stays: it is the heading of a section that folds. Labels and legends stay.
//! - **Ruby**: readings (rt, rtc) and their parentheses (rp) go, what they are readings of stays.
//! - **svg** goes: its labels have no order, and most of them name icons. **math** stays, but for
//!   its annotations. Alternative texts are no text; links have those of their images.
//!
//! # What else can be kept
//!
//! With [`Keep`], the same rules leave hidden elements in (but not what is no text of the document),
//! and write the markers of list items (`markers.rs`): `• `, `1. `, `b. `, `iv. `. They follow the
//! attributes start, value, reversed and type, and an inline `list-style`. A marker is part of the
//! line that begins with the item's first word; empty items have none.
//!
//! # The text, as the seed makes it
//!
//! `SeedDocument` and `SeedParagraphs` (`seed.rs`) repeat uzushio's WarcToDocument with Tika before
//! it. They want markup in noscript (`Options::scripting` false). Only script, style and title are
//! dropped; nothing is collapsed; lines are trimmed of characters up to U+0020, empty ones go.
//! Tags that HTML 4 does not have (article, nav, section, …) do nothing, lists are closed before what
//! is no item and opened around items (`seed_lists.rs`), controls are replaced (`seed_controls.rs`):
//! so does Tika's parser (TagSoup). It is no HTML 5 parser, and this is known to differ:
//!
//! - It closes tables before misplaced content, cells before stray rows, and all that is open before
//!   meta, link and title in the body: paragraphs may end there, or not.
//! - What iframe, noframes and noembed hold is markup for it; here it is text with its tags. For
//!   textarea and xmp, too.
//! - `</br>` is nothing for it, and a line break in HTML 5; a `<` that begins no tag is dropped.
//! - Its detection of charsets is not repeated.
//! - The seed eats lines of a page that are its own delimiter word: a bug, not repeated.
//!
//! # Paths
//!
//! `body>div.container>p#id`: tag, classes, id of each element. By default a paragraph has the path
//! of the innermost block that holds all of it (the list, for items); in the seed's mode that of the
//! element that ends at its end, or of the block that opened last, even if that has closed.
//! A path has at most 4096 bytes; all of them together 1 MiB and 16 times the bytes of the names
//! and of the text, beyond which each has 64. What is too long loses its middle: `body>div>…12…>p`
//! leaves out twelve elements. Of names of more than 15 bytes only the beginning is known: `my-very…`.

mod characters;
mod effect;
mod flow;
mod hidden;
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
mod seed;
mod seed_controls;
mod seed_lists;
mod seed_paragraphs;
mod srcset;

pub(super) use effect::Effect;
pub use flow::Document;
pub use flow::{Flow, Marks};
pub(super) use hidden::is_hidden;
pub use keep::Keep;
pub use links::{Link, Links, PageUrl, UrlError};
pub use meta::{Meta, Metadata};
pub use page::Page;
pub use paragraph::{Extract, Kind, Paragraph};
pub use paragraphs::Paragraphs;
pub(super) use paragraphs::Positions;
pub(super) use paths::{NodeId, Nodes};
pub use seed::SeedDocument;
pub use seed_paragraphs::SeedParagraphs;

#[cfg(test)]
pub(super) mod tests;
