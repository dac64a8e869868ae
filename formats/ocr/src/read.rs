//! A document of any of the formats.

use std::fmt;

use super::element::{Element, Page};
use super::format::{Format, format_of};
use super::level::{Level, Levels};
use super::{alto, html, page_xml};

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub level: Level,
    /// Collecting it takes most of the time.
    pub text: bool,
}

/// The levels to report. Text belongs to the elements of one level, so it excludes several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Selection {
    pub levels: Levels,
    pub text: bool,
}

/// An element as it is handed on.
#[derive(Debug, Clone, Copy)]
pub struct Row<'r, 'a> {
    pub level: Level,
    pub element: &'r Element<'a>,
    /// The page that began last before it.
    pub page: Option<&'r Page<'a>>,
    /// The text in it that is in no element of the same level in it; none if it is not wanted.
    pub text: Option<&'r str>,
}

/// A document of none of the formats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    reason: String,
}

impl Unreadable {
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "unreadable: {}", self.reason)
    }
}

impl std::error::Error for Unreadable {}

/// Tells the elements of one level of a document, in the order of their start tags.
pub fn read<'a>(
    document: &'a str,
    wanted: Wanted,
    tell: impl FnMut(Row<'_, 'a>),
) -> Result<Format, Unreadable> {
    let selection = Selection {
        levels: wanted.level.into(),
        text: wanted.text,
    };
    read_selection(document, selection, tell)
}

/// Reports the elements of all levels in one pass, without text. The elements of each level come
/// in the order of their start tags.
pub(super) fn read_all_levels<'a>(
    document: &'a str,
    tell: impl FnMut(Row<'_, 'a>),
) -> Result<Format, Unreadable> {
    let selection = Selection {
        levels: Levels::ALL,
        text: false,
    };
    read_selection(document, selection, tell)
}

fn read_selection<'a>(
    document: &'a str,
    wanted: Selection,
    tell: impl FnMut(Row<'_, 'a>),
) -> Result<Format, Unreadable> {
    let format =
        format_of(document).map_err(|format| Unreadable::new(format!("{format} is not read")))?;
    match format {
        Format::Hocr => html::read(document, wanted, tell),
        Format::Alto => alto::read(document, wanted, tell),
        Format::Page => page_xml::read(document, wanted, tell),
        Format::Mets => {}
    }
    Ok(format)
}
