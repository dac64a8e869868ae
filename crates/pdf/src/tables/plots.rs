//! Distinguishes tables from plots, formulas and numbered code.
//!
//! The search for regions is lenient: axis numbers of a plot and line numbers of code also look
//! like columns.

use corpus_blocks::pages::is_caption_of_figure;

use crate::font_kinds::FontKinds;
use crate::layout::Layout;
use crate::model::{Line, Table, TableKind};

/// Minimum share of filled cells in a table without lines or caption: with few rows, and in
/// general.
const MIN_FILLED_SHARE_OF_FEW: f32 = 0.8;
const MIN_FILLED_SHARE: f32 = 0.5;
const MAX_ROWS_OF_FEW: usize = 5;
/// Minimum number of letters of a text line; shorter lines may be labels of a figure.
const MIN_TEXT_LETTERS: usize = 30;
/// The maximum number of tables of a page that are compared with its lines.
const MAX_COMPARED_TABLES: usize = 40;
/// The minimum number of numbered lines of code, and their share of the rows.
const MIN_CODE_LINES: usize = 3;
const MIN_CODE_SHARE: f32 = 0.8;

/// Returns whether each candidate on a page is a table, not part of a figure, code or a formula.
pub(super) fn are_tables(tables: &[Table], layout: &Layout, fonts: &FontKinds) -> Vec<bool> {
    let is_table = |(index, table): (usize, &Table)| {
        if table.found == TableKind::Ruled {
            return true;
        }
        if has_caption_of_figure(table) {
            return false;
        }
        if index < MAX_COMPARED_TABLES && is_formulas(table, layout, &fonts.is_formula) {
            return false;
        }
        if index < MAX_COMPARED_TABLES
            && is_numbered(table)
            && is_code(table, layout, &fonts.is_fixed)
        {
            return false;
        }
        match table.caption.as_deref() {
            Some(caption) => !is_caption_of_figure(caption),
            None => {
                let is_in_figure =
                    index < MAX_COMPARED_TABLES && is_above_caption(table, tables, layout);
                !(is_in_figure || is_sparse(table))
            }
        }
    };
    tables.iter().enumerate().map(is_table).collect()
}

/// Whether a row is the caption of a figure. The rows above it are then labels of the figure.
fn has_caption_of_figure(table: &Table) -> bool {
    table.rows.iter().any(|row| {
        let cells: Vec<&str> = row.iter().flatten().map(|cell| cell.trim()).collect();
        is_caption_of_figure(&cells.join(" "))
    })
}

/// Whether the rows have line numbers in the first column, and at most one other cell.
fn is_numbered(table: &Table) -> bool {
    let mut last: Option<u32> = None;
    let mut count = 0;
    for row in &table.rows {
        let mut cells = row.iter().flatten().filter(|cell| !cell.trim().is_empty());
        let first = cells.next().and_then(|cell| cell.split_whitespace().next());
        if cells.nth(1).is_some() {
            return false;
        }
        let number: Option<u32> = first.and_then(|word| word.parse().ok());
        let Some(number) = number else { continue };
        count += usize::from(last.is_none_or(|last| number == last + 1));
        last = Some(number);
    }
    count >= MIN_CODE_LINES && count as f32 >= MIN_CODE_SHARE * table.rows.len() as f32
}

/// Whether all words with letters have characters of the same width.
fn is_code(table: &Table, layout: &Layout, is_fixed: &[bool]) -> bool {
    let words = layout.words.iter().filter(|word| {
        table.bbox.has_center_of(word.bbox) && word.text.contains(char::is_alphabetic)
    });
    let mut words = words.peekable();
    words.peek().is_some() && words.all(|word| is_fixed.get(word.style as usize) == Some(&true))
}

/// Whether most words between white space have math fonts.
fn is_formulas(table: &Table, layout: &Layout, is_formula: &[bool]) -> bool {
    if table.found != TableKind::Spaced || !is_formula.contains(&true) {
        return false;
    }
    let words = layout.words.iter();
    let words = words.filter(|word| table.bbox.has_center_of(word.bbox));
    let (mut all, mut formulas) = (0, 0);
    for word in words {
        all += 1;
        formulas += usize::from(is_formula.get(word.style as usize) == Some(&true));
    }
    2 * formulas > all
}

fn is_sparse(table: &Table) -> bool {
    let cells = table.rows.iter().flatten().flatten();
    let (mut filled, mut all) = (0, 0);
    for text in cells {
        all += 1;
        filled += usize::from(!text.trim().is_empty());
    }
    let needed = if table.rows.len() <= MAX_ROWS_OF_FEW {
        MIN_FILLED_SHARE_OF_FEW
    } else {
        MIN_FILLED_SHARE
    };
    (filled as f32) < needed * all as f32
}

/// Whether the nearest text below a table is the caption of a figure.
fn is_above_caption(table: &Table, tables: &[Table], layout: &Layout) -> bool {
    let bbox = table.bbox;
    let is_below = |line: &&Line| {
        line.bbox.y1 > bbox.y2 - 2.0 && line.bbox.x2 > bbox.x1 && line.bbox.x1 < bbox.x2
    };
    let is_in_other = |line: &Line| {
        let mut others = tables.iter().take(MAX_COMPARED_TABLES);
        others.any(|other| other.caption.is_none() && other.bbox.has_center_of(line.bbox))
    };
    let text = |line: &Line| -> String {
        let words = layout
            .words
            .get(line.words.start as usize..line.words.end as usize);
        let words = words.unwrap_or_default().iter().map(|word| &*word.text);
        words.collect::<Vec<&str>>().join(" ")
    };
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let below = layout.lines.iter().filter(is_below);
    let texts = below.filter(|line| !is_in_other(line)).filter_map(|line| {
        let text = text(line);
        let is_text = letters(&text) >= MIN_TEXT_LETTERS || is_caption_of_figure(&text);
        is_text.then_some((line.bbox.y1, text))
    });
    let nearest = texts.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.is_some_and(|(_, text)| is_caption_of_figure(&text))
}
