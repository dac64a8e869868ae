//! Finds the tables of a page.
//!
//! 1. `frame`: the page is turned so that its text runs to the right; each text direction is
//!    examined separately.
//! 2. `words` and `rules`: words form atoms (words without wide gaps) and lines; drawn lines form
//!    horizontal and vertical rules.
//! 3. `search`: regions that may be tables: `grid` (rules that cross), `half_ruled` (horizontal
//!    rules above each other), `spaced` (lines of text with the same gaps). `index` finds their
//!    words, and `prose` keeps running text out. `stripes` joins rows with and without backgrounds,
//!    `parallel` finds running texts side by side in rows.
//! 4. `structure`: the rows and columns of a region, from rules and from white space (`gutters`,
//!    `rows`, `entries`, `wide_entries`, `spanning_headers`), as a `draft`.
//! 5. `judge`: whether it is a table, and how sure that is. `headers` and `captions` describe it,
//!    `finish` and `scripts` write it. `plots` drops parts of figures, code and formulas.
//!
//! `class` distinguishes numbers, signs and text, for most of these steps.
//!
//! Everything takes at most O(n log n) time in the number of words and lines.
//! `over_pages` joins tables that span pages.

mod captions;
mod class;
mod draft;
mod entries;
mod finish;
pub mod frame;
mod grid;
mod gutters;
mod half_ruled;
mod headers;
mod index;
mod judge;
mod over_pages;
mod parallel;
mod plots;
mod prose;
mod rows;
mod rules;
pub mod scripts;
mod search;
mod spaced;
mod spanning_headers;
mod stripes;
mod structure;
mod wide_entries;
mod words;

#[cfg(test)]
mod tests;

use crate::content::Drawn;
use crate::font_kinds::FontKinds;
use crate::fractions::Fractions;
use crate::layout::Layout;
use crate::model::{Page, Table, TableKind};
use frame::Frame;
pub use over_pages::{JoinedTable, joined_tables};
use search::Search;

/// Minimum number of words in a direction that is searched for tables.
const MIN_WORDS: usize = 4;

/// The tables of a page.
#[derive(Debug, Default)]
pub struct FoundTables {
    pub tables: Vec<Table>,
    /// The limit that was reached, if tables may be missing.
    pub cut: Option<&'static str>,
}

/// Whether rules do not enclose the cells, so that it may be a formula.
fn is_open(table: &Table) -> bool {
    table.found != TableKind::Ruled
}

/// Finds the tables of a page.
pub fn find(layout: &Layout, drawn: &Drawn, page: &Page, fonts: &FontKinds) -> FoundTables {
    let mut found = FoundTables::default();
    for turns in 0..4 {
        let of_direction = layout
            .lines
            .iter()
            .filter(|line| line.quarter_turns == turns);
        let count: u32 = of_direction
            .map(|line| line.words.end - line.words.start)
            .sum();
        if (count as usize) < MIN_WORDS {
            continue;
        }
        let frame = Frame::new(turns, page.width, page.height);
        Search::new(layout, drawn, page, frame, &mut found).run();
    }
    found.tables.sort_by(|a, b| a.bbox.y1.total_cmp(&b.bbox.y1));
    let mut are_tables = plots::are_tables(&found.tables, layout, fonts).into_iter();
    found.tables.retain(|_| are_tables.next().unwrap_or(false));
    if found.tables.iter().any(is_open) {
        let fractions = Fractions::of(layout, drawn, page);
        found
            .tables
            .retain(|table| !is_open(table) || !fractions.fill(table.bbox, layout));
    }
    over_pages::look_around(&mut found.tables, layout, &drawn.glyphs.styles);
    found
}
