#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Each format has a module that knows its elements: `html` for hOCR, `alto`, and `page_xml`. They
//! share `open` (the open elements), `rows` (elements waiting for their text) and `text`. hOCR also
//! has `classes`, `html_elements` (how HTML nests its elements), `title` (the grammar of
//! properties), `title_properties` (their values) and `shapes` (quick recognition of tags that look
//! alike). For all formats, `divided` joins words that are divided at the ends of lines, `cut`
//! finds documents that are cut, and `blocks` finds headings, paragraphs and lists.

mod alto;
mod blocks;
mod classes;
mod cut;
mod divided;
mod element;
mod format;
mod html;
mod html_elements;
mod level;
mod numbers;
mod open;
mod page_xml;
mod points;
mod read;
mod reading_order;
mod row;
mod rows;
mod shapes;
mod summary;
mod svg;
mod text;
mod title;
mod title_properties;

#[cfg(test)]
mod tests;

pub use blocks::blocks;
pub use cut::cut;
pub use element::{BBox, Baseline, Confidence, Element, MAX_REPEATED_BYTES, Page, Part};
pub use format::Format;
pub use level::Level;
pub use read::{ReadOptions, Unreadable, elements, read, read_joined};
pub use row::{OwnedRow, Row};
pub use summary::{LevelSummary, PageSummary, Summary};
pub use svg::svg;
pub use title::{Property, prop, properties};
