//! Headings, lists and tables that attributes declare: roles of ARIA, classes of Google Docs and
//! Javadoc.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::super::markers::integer;
use crate::events::Element;
use corpus_markup::Name;

/// The level of headings declared by `role` without a level, as in ARIA.
const DEFAULT_LEVEL: i64 = 2;
/// The levels of lists in Word and Google Docs.
pub const MAX_LEVEL: u16 = 9;

/// The function of an element, as declared by its `role`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A heading of this level.
    Heading(u8),
    List,
    Item,
    Table,
    Row,
    Cell {
        is_header: bool,
    },
}

/// The function of an element that has no meaning by itself.
pub fn part(element: &Element<'_>) -> Option<Part> {
    if !matches!(element.name, Name::DIV | Name::SPAN | Name::P) {
        return None;
    }
    let role = element.attribute("role")?;
    let part = match &*role.trim().to_ascii_lowercase() {
        "heading" => {
            let level = element.attribute("aria-level");
            let level = level.and_then(|level| integer(&level));
            Part::Heading(level.unwrap_or(DEFAULT_LEVEL).clamp(1, 6) as u8)
        }
        "list" => Part::List,
        "listitem" => Part::Item,
        "table" | "grid" | "treegrid" => Part::Table,
        "row" => Part::Row,
        "cell" | "gridcell" => Part::Cell { is_header: false },
        "columnheader" | "rowheader" => Part::Cell { is_header: true },
        _ => return None,
    };
    // The text continues beside other inline elements.
    let is_inline = element.name == Name::SPAN;
    let may_be_inline = matches!(part, Part::Table | Part::Row | Part::Cell { .. });
    (may_be_inline || !is_inline).then_some(part)
}

/// Finders for the classes of summaries in Javadoc.
static SUMMARY_CLASSES: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| ["summary-table", "col-"].map(Finder::new));

/// A part of a summary in Javadoc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryPart {
    Table,
    Cell {
        is_header: bool,
        /// Whether it is the last one of its row.
        is_last: bool,
    },
}

/// The part of a summary that the class of an element declares.
pub fn summary_part(element: &Element<'_>) -> Option<SummaryPart> {
    let mut finders = SUMMARY_CLASSES.iter();
    if !finders.any(|finder| element.may_contain("class", finder)) {
        return None;
    }
    let classes = element.attribute("class")?;
    let has = |name| classes.split_ascii_whitespace().any(|class| class == name);
    let mut words = classes.split_ascii_whitespace();
    if has("summary-table") {
        Some(SummaryPart::Table)
    } else if words.any(|class| class.starts_with("col-")) {
        Some(SummaryPart::Cell {
            is_header: has("table-header"),
            is_last: has("col-last"),
        })
    } else {
        None
    }
}

/// The nesting depth in the class of a list of Google Docs (`lst-kix_abc-1`), which writes nested
/// lists as siblings.
pub fn google_list(classes: &str) -> Option<u16> {
    let mut classes = classes.split_ascii_whitespace();
    let (_, level) = classes.find_map(|class| class.strip_prefix("lst-kix_")?.rsplit_once('-'))?;
    Some(
        level
            .parse()
            .ok()
            .filter(|level| *level < MAX_LEVEL)
            .unwrap_or(0),
    )
}
