//! Tells plots and formulas from tables.
//!
//! The search for tables is lenient, since whoever asks for tables wants all of them. In a text,
//! the numbers at the axes of a plot must not become a table.

use corpus_blocks::pages::is_caption_of_figure;

use super::super::layout::Layout;
use super::super::model::{Line, Rect, Table, TableKind};

/// The share of filled cells that a table without lines or caption needs: if it has few rows, and
/// in general.
const MIN_FILLED_OF_FEW: f32 = 0.8;
const MIN_FILLED: f32 = 0.5;
const MAX_ROWS_OF_FEW: usize = 5;
/// Lines with fewer letters may be labels of a figure.
const MIN_TEXT_LETTERS: usize = 30;
/// The maximum number of tables of a page that are compared with its lines.
const MAX_COMPARED: usize = 40;

/// Whether each table of a page is one, rather than a part of a figure.
pub fn are_tables(tables: &[Table], layout: &Layout) -> Vec<bool> {
    let is_table = |(place, table): (usize, &Table)| {
        let caption = table.caption.as_deref();
        if table.found == TableKind::Ruled {
            return true;
        }
        if has_caption_of_figure(table) {
            return false;
        }
        match caption {
            Some(caption) => !is_caption_of_figure(caption),
            None => {
                let is_in_figure = place < MAX_COMPARED && is_above_caption(table, tables, layout);
                !(is_in_figure || is_sparse(table))
            }
        }
    };
    tables.iter().enumerate().map(is_table).collect()
}

/// Whether a row is the caption of a figure: the labels above it are those of the figure.
fn has_caption_of_figure(table: &Table) -> bool {
    table.rows.iter().any(|row| {
        let cells: Vec<&str> = row.iter().flatten().map(|cell| cell.trim()).collect();
        is_caption_of_figure(&cells.join(" "))
    })
}

fn is_sparse(table: &Table) -> bool {
    let cells = table.rows.iter().flatten().flatten();
    let (mut filled, mut all) = (0, 0);
    for text in cells {
        all += 1;
        filled += usize::from(!text.trim().is_empty());
    }
    let needed = if table.rows.len() <= MAX_ROWS_OF_FEW {
        MIN_FILLED_OF_FEW
    } else {
        MIN_FILLED
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
        let mut others = tables.iter().take(MAX_COMPARED);
        others.any(|other| other.caption.is_none() && contains(other.bbox, line.bbox))
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

fn contains(outer: Rect, inner: Rect) -> bool {
    let (x, y) = ((inner.x1 + inner.x2) / 2.0, (inner.y1 + inner.y2) / 2.0);
    outer.x1 <= x && x <= outer.x2 && outer.y1 <= y && y <= outer.y2
}
