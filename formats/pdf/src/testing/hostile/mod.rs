//! Files that are made to do harm: to cost much more than they are long, to never end, or to break
//! whoever trusts them.
//!
//! [`all`] has one [`Case`] for each way to do so, grouped by what is misused. A case can be built in
//! any size: tests take a moderate one, and whoever wants to see what happens otherwise the full one.

mod content;
mod damaged;
mod drawing;
mod font;
mod reference;
mod stream;
mod structure;
mod syntax;
mod tree;

pub use damaged::{Random, changed, sample};

use super::super::model::FailureKind;
use super::{CATALOG, Page, Pdf, Stream, lines};

/// What a reader must make of a case, beside that it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// This text, and nothing is reported.
    Text(&'static str),
    /// This text, whatever is reported.
    SavedText(&'static str),
    /// A failure of one of these kinds, of the document or of a page.
    Failure(&'static [FailureKind]),
    /// Several answers are right.
    Any,
}

/// A way to do harm.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub name: &'static str,
    pub build: fn(usize) -> Vec<u8>,
    /// The size for tests: it costs little, or reaches small limits.
    pub small: usize,
    /// The size that hurts.
    pub full: usize,
    pub expected: Expected,
}

/// What takes more than the limits allow.
const TOO_MUCH: Expected = Expected::Failure(&[
    FailureKind::Limit,
    FailureKind::Timeout,
    FailureKind::Memory,
]);
/// What is no PDF.
const INVALID: Expected = Expected::Failure(&[FailureKind::Invalid, FailureKind::Truncated]);
/// What [`CONTENT`] shows, where the harm lies elsewhere and must not keep from reading.
const SHOWN: Expected = Expected::SavedText("shown text");
const CONTENT: &str = "BT /F1 12 Tf 72 720 Td (shown text) Tj ET ";

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const GIB: usize = 1 << 30;

/// Every case. Those of damage, which have no size, are made by [`changed`].
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

/// A page whose content is deflated: what is repeated costs nothing in the file.
fn packed_page(content: impl Into<Vec<u8>>) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(Page::of(Stream::new(content).flate()));
    pdf.build()
}

/// A page that shows something, in a file that is prepared by a function.
fn beside(prepare: impl FnOnce(&mut Pdf)) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(CONTENT));
    prepare(&mut pdf);
    pdf.build()
}

/// A page made by a function that is given what shows something.
fn page(make: impl FnOnce(&mut Pdf, Page) -> Page) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let page = make(&mut pdf, Page::new(CONTENT));
    pdf.page(page);
    pdf.build()
}
