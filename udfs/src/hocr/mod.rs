//! Pages as OCR programs describe them: hOCR, ALTO and PAGE XML, in one pass and with the same
//! columns.
//!
//! [`read`] tells the elements of one level (pages, blocks, lines or words) in the order of the
//! document. No tree is built. What an element says wrong costs that value of that element.
//!
//! Every format has a module that knows its elements: `html` for hOCR, `alto`, and `page_xml`.
//! They share `open` (which elements are open), `rows` (elements that wait for their text) and
//! `text`. hOCR has more to it: `classes`, what HTML makes of its elements (`html_elements`), the
//! grammar of properties (`title`) and what they state (`stated`), and a way to pass over the many
//! tags that look alike (`shapes`).
//!
//! `summary` counts and gathers the elements of each page, without a row for each of them. `svg`
//! draws what was read of a page.

mod alto;
mod classes;
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
mod rows;
mod shapes;
pub mod sql;
mod stated;
mod summary;
mod summary_sql;
mod svg;
mod text;
mod title;

#[cfg(test)]
mod tests;

pub use element::{BBox, Baseline, Confidence, Element, Page, REPEATED};
pub use format::Format;
pub use level::Level;
pub use read::{Row, Unreadable, Wanted, read};
pub use summary::{PageSummary, Summary};
pub use svg::svg;
pub use title::{Property, prop, properties};
