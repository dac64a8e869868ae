//! Tables as Markdown or HTML.

use super::Options;
use super::escape::Context;
use super::html::push_table;
use super::inline::inline;
use crate::block::{Block, Cell, Kind, Table};

/// Returns the lines of a table, which contain no blank line.
pub fn table(table: &Table, options: &Options) -> String {
    let mut written = String::new();
    if is_simple(table) {
        push_simple(table, options, &mut written);
    } else {
        push_table(table, options, &mut written);
    }
    written
}

/// Whether a table can be written between vertical bars.
pub fn is_simple(table: &Table) -> bool {
    table.header_rows <= 1 && table.rows.iter().flatten().all(is_simple_cell)
}

fn is_simple_cell(cell: &Cell) -> bool {
    if cell.columns > 1 || cell.rows > 1 {
        return false;
    }
    match cell.blocks.as_slice() {
        [] => true,
        [block] => {
            block.quotes == 0
                && match &block.kind {
                    Kind::Code { .. } => !block.text.text.contains('\n'),
                    kind => matches!(
                        kind,
                        Kind::Paragraph
                            | Kind::Formula
                            | Kind::Figure(_)
                            | Kind::Term
                            | Kind::Definition
                            | Kind::Heading(_)
                    ),
                }
        }
        _ => false,
    }
}

fn push_simple(table: &Table, options: &Options, written: &mut String) {
    let columns = table.rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut rows = table.rows.iter();
    let header = match table.header_rows {
        0 => None,
        _ => rows.next(),
    };
    // Markdown drops cells beyond the columns of the header.
    let cells = header.map(Vec::as_slice).unwrap_or_default();
    push_row(cells, columns, options, written);
    written.push_str("\n|");
    (0..columns).for_each(|_| written.push_str(" --- |"));
    for row in rows {
        written.push('\n');
        push_row(row, row.len(), options, written);
    }
}

fn push_row(cells: &[Cell], columns: usize, options: &Options, written: &mut String) {
    written.push('|');
    for cell in cells {
        written.push(' ');
        let text = cell.blocks.first().map(|block| simple_cell(block, options));
        let text = text.unwrap_or_default();
        written.push_str(&text);
        written.push_str(if text.is_empty() { "|" } else { " |" });
    }
    (cells.len()..columns).for_each(|_| written.push_str(" |"));
}

fn simple_cell(block: &Block, options: &Options) -> String {
    let context = Context {
        in_cell: true,
        ..Context::default()
    };
    let mut text = match &block.kind {
        Kind::Code { .. } => {
            let mut text = block.text.clone();
            text.marks.clear();
            text.mark(0..text.text.len(), crate::text::MarkKind::Code);
            inline(&text, context, options)
        }
        Kind::Formula => format!("$${}$$", block.text.text.replace('|', "\\|")),
        Kind::Figure(Some(picture)) if options.pictures => {
            let mut written = String::new();
            super::push_picture(&mut written, picture, context);
            let caption = inline(&block.text, context, options);
            if !caption.is_empty() {
                written.push_str("<br>");
                written.push_str(&caption);
            }
            written
        }
        _ => inline(&block.text, context, options),
    };
    if text.contains('\n') {
        text = text.replace('\n', "<br>");
    }
    text
}
