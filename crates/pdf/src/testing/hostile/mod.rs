//! Hostile files, made to cost much more than their size, to never end, or to break
//! a reader that trusts them.
//!
//! [`all`] has one [`Case`] for each way to do so, grouped by what is misused. A case can be built
//! in any size: tests use a moderate one; the full one shows the effect on other readers.
//!
//! ```text
//! syntax     objects that are nested deeply, long, or never end
//! reference  cross-reference tables and references
//! stream     streams that decode to much more than their size
//! tree       page trees
//! content    content streams
//! font       fonts
//! drawing    absurd numbers, and glyphs that are costly to order
//! tables     lines and cells without end
//! structure  outlines, names, fields, layers, metadata and encryption
//! damaged    truncated and changed files
//! ```

mod content;
mod damaged;
mod drawing;
mod font;
mod reference;
mod stream;
mod structure;
mod syntax;
mod tables;
mod tree;

pub use corpus_bytes::random::Random;
pub use damaged::{changed, sample};

use super::super::model::FailureKind;
use super::{CATALOG, Page, Pdf, Stream, lines};

/// The expected result of a case, apart from the fact that reading ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// This text, and no failure.
    Text(&'static str),
    /// This text, with or without a failure.
    SavedText(&'static str),
    /// A failure of one of these kinds, of the document or of a page.
    Failure(&'static [FailureKind]),
    /// Several results are correct.
    Any,
}

/// A hostile case.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub name: &'static str,
    pub build: fn(usize) -> Vec<u8>,
    /// The size for tests: cheap, or enough to reach small limits.
    pub small: usize,
    /// The harmful size.
    pub full: usize,
    pub expected: Expected,
}

/// A case that exceeds the limits.
const OVER_LIMIT: Expected = Expected::Failure(&[
    FailureKind::Limit,
    FailureKind::Timeout,
    FailureKind::Memory,
]);
/// A file that is not a PDF.
const INVALID: Expected = Expected::Failure(&[FailureKind::Invalid, FailureKind::Truncated]);
/// The text of [`CONTENT`], which must be read although another part of the file is hostile.
const SHOWN: Expected = Expected::SavedText("shown text");
const CONTENT: &str = "BT /F1 12 Tf 72 720 Td (shown text) Tj ET ";

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const GIB: usize = 1 << 30;

/// Every case. Damaged files, which have no size, are made by [`changed`].
pub fn all() -> Vec<Case> {
    [
        content::CASES,
        damaged::CASES,
        drawing::CASES,
        font::CASES,
        reference::CASES,
        stream::CASES,
        structure::CASES,
        syntax::CASES,
        tables::CASES,
        tree::CASES,
    ]
    .concat()
}

/// A case; its size is `small` in tests.
const fn case(
    name: &'static str,
    sizes: (usize, usize),
    expected: Expected,
    build: fn(usize) -> Vec<u8>,
) -> Case {
    Case {
        name,
        build,
        small: sizes.0,
        full: sizes.1,
        expected,
    }
}

/// A page with deflated content, so that repetitions take no space in the file.
fn packed_page(content: impl Into<Vec<u8>>) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(Page::of(Stream::new(content).flate()));
    pdf.build()
}

/// A page that shows text, in a file prepared by a function.
fn beside(prepare: impl FnOnce(&mut Pdf)) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(CONTENT));
    prepare(&mut pdf);
    pdf.build()
}

/// A page made by a function from a page that shows text.
fn page(make: impl FnOnce(&mut Pdf, Page) -> Page) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let page = make(&mut pdf, Page::new(CONTENT));
    pdf.page(page);
    pdf.build()
}
