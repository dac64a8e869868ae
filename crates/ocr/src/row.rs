//! Elements with their pages and texts, borrowed or owned.

use super::element::{Division, Element, Page, WordPart};
use super::level::Level;

/// An element, as it is emitted.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Row<'r, 'a> {
    /// The level of the element.
    pub level: Level,
    /// The element itself.
    pub element: &'r Element<'a>,
    /// The page that started last before the element.
    pub page: Option<&'r Page<'a>>,
    /// The text of the element, excluding nested elements of the same level. `None` if text was not
    /// requested.
    pub text: Option<&'r str>,
    pub(super) division: Option<&'r Division<'a>>,
}

impl<'r, 'a> Row<'r, 'a> {
    /// Returns which part of a divided word this is, if any.
    pub fn part(&self) -> Option<WordPart> {
        self.division.map(|division| division.part)
    }

    /// Returns the whole word, for a part of a divided word.
    pub fn whole(&self) -> Option<&'r str> {
        self.division?.whole.as_deref()
    }

    /// Copies the row.
    pub(super) fn to_owned(self) -> OwnedRow<'a> {
        OwnedRow {
            element: self.element.clone(),
            page: self.page.cloned(),
            text: self.text.map(str::to_owned),
            division: self.division.cloned(),
        }
    }
}

/// An element with its page and text, independent of other elements.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct OwnedRow<'a> {
    /// The element itself.
    pub element: Element<'a>,
    /// The page that started last before the element.
    pub page: Option<Page<'a>>,
    /// The text of the element. `None` if text was not requested.
    pub text: Option<String>,
    pub(super) division: Option<Division<'a>>,
}

impl<'a> OwnedRow<'a> {
    /// Borrows the row, which must be of this level.
    pub(super) fn as_row(&self, level: Level) -> Row<'_, 'a> {
        Row {
            level,
            element: &self.element,
            page: self.page.as_ref(),
            text: self.text.as_deref(),
            division: self.division.as_ref(),
        }
    }
}
