#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! format            detects the format of a document
//! read              reads a document of any format
//! html              hOCR
//! html_elements     how HTML nests its elements
//! classes           the meaning of hOCR's classes
//! title             the grammar of hOCR's properties
//! title_properties  the values of these
//! shapes            fast path for tags that look alike
//! alto              ALTO
//! page_xml          PAGE XML
//! reading_order     the reading order that PAGE XML declares
//! points            points of ALTO and PAGE XML
//! numbers           numbers of all formats
//! open_elements     elements that end tags close
//! text              the text of open elements
//! rows              elements that wait for their text
//! row, element      an element with its page and text
//! level             pages, blocks, lines, words
//! word_division     words that are divided at line ends
//! truncation        detects documents that are cut
//! blocks            headings, paragraphs, lists
//! summary           counts of elements
//! svg               draws a page
//! ```

mod alto;
mod blocks;
mod classes;
mod element;
mod format;
mod html;
mod html_elements;
mod level;
mod numbers;
mod open_elements;
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
mod truncation;
mod word_division;

#[cfg(test)]
mod tests;

pub use blocks::blocks;
pub use element::{BBox, Baseline, Confidence, Element, MAX_REPEATED_BYTES, Page, WordPart};
pub use format::Format;
pub use level::Level;
pub use read::{ReadOptions, Unreadable, elements, read, read_joined};
pub use row::{OwnedRow, Row};
pub use summary::{LevelSummary, PageSummary, Summary};
pub use svg::svg;
pub use title::{Property, prop, properties};
pub use truncation::truncation;
