//! Reads documents in any of the formats.

use std::fmt;

use super::format::{Format, format_of};
use super::level::{Level, Levels};
use super::row::{OwnedRow, Row};
use super::rows::Selection;
use super::truncation::{WithError, truncation};
use super::word_division::WholeWords;
use super::{alto, html, page_xml};

/// Options of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The level of the elements.
    pub level: Level,
    /// Whether to collect the text, which takes most of the time.
    pub text: bool,
}

/// The error for a document in an unsupported format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    reason: String,
}

impl Unreadable {
    /// An error with this reason.
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

/// Passes the elements of one level to `emit`, in the order of their start tags.
///
/// Values are borrowed from the document or valid only during the call, which avoids unneeded
/// copies. [`elements`] returns owned rows instead. In a document that is truncated
/// ([`truncation`]), the last element has the error.
pub fn read<'a>(
    document: &'a str,
    options: ReadOptions,
    emit: impl FnMut(Row<'_, 'a>),
) -> Result<Format, Unreadable> {
    let selection = Selection {
        levels: options.level.into(),
        text: options.text,
        joins: false,
    };
    read_level(document, options.level, selection, emit)
}

/// Like [`read`], but joins words that are divided at the ends of lines. The text of pages and
/// blocks has the whole word at the end of the first line. The text of lines and words is as
/// printed, and divided words have a [`part`](crate::Row::part) and the
/// [`whole`](crate::Row::whole) word.
pub fn read_joined<'a>(
    document: &'a str,
    options: ReadOptions,
    emit: impl FnMut(Row<'_, 'a>),
) -> Result<Format, Unreadable> {
    let selection = Selection {
        levels: options.level.into(),
        text: options.text,
        joins: options.text && options.level != Level::Line,
    };
    if options.level != Level::Word || !options.text {
        return read_level(document, options.level, selection, emit);
    }
    let mut words = WholeWords::new(emit);
    let read = read_level(document, options.level, selection, |row| words.add(row));
    words.finish();
    read
}

/// Collects the elements of one level, in the order of their start tags. [`read`] does the same
/// without copying.
///
/// ```
/// use corpus_ocr::{Level, ReadOptions, elements};
///
/// let page = "<span class='ocrx_word' title='x_wconf 95'>Hello</span>";
/// let words = elements(page, ReadOptions { level: Level::Word, text: true })?;
/// assert_eq!(words[0].text.as_deref(), Some("Hello"));
/// assert_eq!(words[0].element.confidence.map(|confidence| confidence.value), Some(95.0));
/// # Ok::<(), corpus_ocr::Unreadable>(())
/// ```
pub fn elements(document: &str, options: ReadOptions) -> Result<Vec<OwnedRow<'_>>, Unreadable> {
    let mut rows = Vec::new();
    read(document, options, |row| rows.push(row.to_owned()))?;
    Ok(rows)
}

/// Emits the elements of all levels in one pass, without text. The elements of each level are in
/// the order of their start tags. Returns the number of divided words of each page.
pub(super) fn read_all_levels<'a>(
    document: &'a str,
    emit: impl FnMut(Row<'_, 'a>),
) -> Result<Vec<usize>, Unreadable> {
    let selection = Selection {
        levels: Levels::ALL,
        text: false,
        joins: false,
    };
    read_selection(document, selection, emit).map(|(_, divided)| divided)
}

/// Emits the elements of one level, the last one with an error if the document is cut.
fn read_level<'a>(
    document: &'a str,
    level: Level,
    selection: Selection,
    emit: impl FnMut(Row<'_, 'a>),
) -> Result<Format, Unreadable> {
    let Some(error) = truncation(document) else {
        return read_selection(document, selection, emit).map(|(format, _)| format);
    };
    let mut rows = WithError::new(emit);
    let read = read_selection(document, selection, |row| rows.add(row));
    rows.finish(level, error);
    read.map(|(format, _)| format)
}

fn read_selection<'a>(
    document: &'a str,
    selection: Selection,
    emit: impl FnMut(Row<'_, 'a>),
) -> Result<(Format, Vec<usize>), Unreadable> {
    let format = format_of(document)
        .map_err(|format| Unreadable::new(format!("{format} is not supported")))?;
    let divided = match format {
        Format::Hocr => html::read(document, selection, emit),
        Format::Alto => alto::read(document, selection, emit),
        Format::Page => page_xml::read(document, selection, emit),
        Format::Mets => Vec::new(),
    };
    Ok((format, divided))
}
