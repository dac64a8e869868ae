#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! bytes -> isolation -> engine -> Info, Page, Page, …
//!          a worker     open        opens the file; odd_tokens and object_streams repair it first
//!          process      pages       the page tree
//!                       unreadable  finds objects that need repairs; missing_objects adds them
//!                       structure   metadata, outline, links, fields, notes, attachments
//!                       content     the glyphs that a page draws, with their positions
//!                       fonts       what character codes mean
//!                       layout      words, lines, blocks, reading order
//!                       tables      tables, from words and drawn lines
//!                       blocks      lines with their styles; headings, paragraphs, lists, …
//! ```
//!
//! For several of these:
//!
//! ```text
//! model          the public results
//! glyphs         the data passed from content to layout
//! drawing        the lines passed from content to tables
//! streams        decodes streams
//! text_string    decodes strings
//! geometry       converts coordinates
//! fractions      displayed fractions
//! font_kinds     the styles of code and formulas
//! marked_words   the words under highlights
//! quality        judges the extracted text
//! misspelt       finds names that damage has changed in one byte
//! budget         limits the work per document
//! panics         catches panics of libraries
//! disjoint_sets  joins items that belong together
//! ```

mod blocks;
mod budget;
mod content;
mod disjoint_sets;
mod drawing;
pub mod engine;
mod font_kinds;
mod fonts;
mod fractions;
mod geometry;
mod glyphs;
pub mod isolation;
mod layout;
mod marked_words;
mod missing_objects;
mod misspelt;
pub mod model;
mod object_streams;
mod odd_tokens;
mod open;
mod pages;
mod panics;
pub mod quality;
mod streams;
mod structure;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text_string;
mod unreadable;

pub use blocks::blocks;
pub use isolation::{Isolation, StartError, read_in_thread as read};
pub use model::*;
pub use tables::{JoinedTable, joined_tables};
