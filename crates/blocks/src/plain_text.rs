//! Plain text: paragraphs separated by blank lines, items of a list and rows of a table as lines.

use std::borrow::Cow;

use crate::block::{Block, Cell, Kind, Table};
use crate::places::places;
use crate::scripts::{Script, rewrite};
use crate::text::{Mark, MarkKind, Text};

/// The mark before and after deleted text.
const DELETED: &str = "~~";
/// Maximum number of covered places per cell of a table, so that hostile tables stay small.
const MAX_COVERED_PLACES_PER_CELL: usize = 16;
/// Marks inside this number of others have no effect.
const MAX_DEPTH: usize = 16;

/// Writes blocks as plain text.
pub fn of_blocks(blocks: &[Block]) -> String {
    let mut written = String::new();
    let mut was_line = false;
    for block in blocks {
        let (text, is_line) = match &block.kind {
            Kind::Table(table) => (plain_table(table).into(), false),
            Kind::Formula => (format!("$${}$$", block.text.text).into(), false),
            Kind::Item(_) | Kind::Term | Kind::Definition => (of_text(&block.text), true),
            _ => (of_text(&block.text), false),
        };
        if text.is_empty() {
            continue;
        }
        if !written.is_empty() {
            written.push_str(if was_line && is_line { "\n" } else { "\n\n" });
        }
        written.push_str(&text);
        was_line = is_line;
    }
    written
}

/// Writes a text. Superscripts, subscripts and deleted text get characters that keep their meaning.
/// Note marks are left out, because they would look like digits of the previous word.
pub fn of_text(text: &Text) -> Cow<'_, str> {
    let has_meaning = |mark: &&Mark| {
        matches!(
            mark.kind,
            MarkKind::Superscript | MarkKind::Subscript | MarkKind::Deleted | MarkKind::Note(_)
        )
    };
    let mut marks: Vec<&Mark> = text.marks.iter().filter(has_meaning).collect();
    if marks.is_empty() {
        return Cow::Borrowed(&text.text);
    }
    marks.sort_by(|a, b| {
        let by_start = a.range.start.cmp(&b.range.start);
        by_start.then(b.range.end.cmp(&a.range.end))
    });
    let mut writer = Writer {
        text: &text.text,
        marks: &marks,
        next: 0,
        written: String::with_capacity(text.text.len()),
    };
    writer.write(0, text.text.len(), 0);
    Cow::Owned(writer.written)
}

struct Writer<'a> {
    text: &'a str,
    marks: &'a [&'a Mark],
    /// The index of the next mark.
    next: usize,
    written: String,
}

impl Writer<'_> {
    /// Writes a part of the text with the marks that start in it.
    fn write(&mut self, start: usize, end: usize, depth: usize) {
        let mut at = start;
        while let Some(mark) = self.marks.get(self.next)
            && mark.range.start < end
        {
            self.next += 1;
            let inner = mark.range.start.max(at)..mark.range.end.min(end);
            if inner.is_empty() || depth >= MAX_DEPTH {
                continue;
            }
            self.push(at, inner.start);
            self.write_mark(&mark.kind, inner.start, inner.end, depth);
            at = inner.end;
        }
        self.push(at, end);
    }

    fn write_mark(&mut self, kind: &MarkKind, start: usize, end: usize, depth: usize) {
        let position = match kind {
            MarkKind::Superscript => Script::Super,
            MarkKind::Subscript => Script::Sub,
            MarkKind::Note(_) => return,
            _ => {
                self.written.push_str(DELETED);
                self.write(start, end, depth + 1);
                self.written.push_str(DELETED);
                return;
            }
        };
        let has_base = self.written.ends_with(|c: char| !c.is_whitespace());
        let at = self.written.len();
        self.write(start, end, depth + 1);
        let Some((before, script)) = self.written.split_at_checked(at) else {
            return;
        };
        if let Some(script) = rewrite(before, script, position, has_base) {
            self.written.truncate(at);
            self.written.push_str(&script);
        }
    }

    fn push(&mut self, start: usize, end: usize) {
        self.written
            .push_str(self.text.get(start..end).unwrap_or_default());
    }
}

/// Writes the rows of a table as lines, with tabs between the cells. Places that a cell covers are
/// empty, so that columns do not shift.
fn plain_table(table: &Table) -> String {
    let mut written = String::new();
    if let Some(caption) = &table.caption {
        written.push_str(&of_text(caption));
        written.push_str("\n\n");
    }
    let cells = table.rows.iter().map(Vec::len).sum::<usize>();
    for row in places(table, cells * MAX_COVERED_PLACES_PER_CELL).rows {
        let start = written.len();
        for (column, cell) in row.into_iter().enumerate() {
            if column > 0 {
                written.push('\t');
            }
            if let Some(cell) = cell {
                written.push_str(&of_cell(cell));
            }
        }
        let end = written.trim_end_matches('\t').len().max(start);
        written.truncate(end);
        if written.len() > start {
            written.push('\n');
        }
    }
    written.truncate(written.trim_end_matches('\n').len());
    written
}

/// The text of a cell, with a line for each block.
pub fn of_cell(cell: &Cell) -> String {
    let mut written = String::new();
    for block in &cell.blocks {
        let text = match &block.kind {
            Kind::Table(table) => plain_table(table).into(),
            Kind::Formula => format!("$${}$$", block.text.text).into(),
            _ => of_text(&block.text),
        };
        if !written.is_empty() && !text.is_empty() {
            written.push('\n');
        }
        written.push_str(&text);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_deleted_text_keep_their_meaning() {
        let mut text = Text::plain("10-4 x(n+1) old H2O xi2 12[3].");
        for (range, kind) in [
            (2..4, MarkKind::Superscript),
            (6..11, MarkKind::Superscript),
            (12..15, MarkKind::Deleted),
            (17..18, MarkKind::Subscript),
            (21..23, MarkKind::Subscript),
            (22..23, MarkKind::Superscript),
            (26..29, MarkKind::Superscript),
            (26..29, MarkKind::Note("3".into())),
        ] {
            text.mark(range, kind);
        }
        let expected = "10⁻⁴ x^(n+1) ~~old~~ H₂O x_(i²) 12.";
        assert_eq!(of_text(&text), expected);
    }

    #[test]
    fn covered_places_keep_the_columns() {
        let cell = |text: &str, columns, rows| {
            let mut cell = Cell::new(columns, rows, false);
            cell.blocks
                .push(Block::new(Kind::Paragraph, Text::plain(text)));
            cell
        };
        let table = |rows| Table {
            rows,
            ..Table::default()
        };
        let spans = table(vec![
            vec![cell("a", 2, 1), cell("b", 1, 2)],
            vec![cell("c", 1, 2), cell("d", 1, 1)],
            vec![cell("e", 1, 1), cell("f", 1, 1)],
        ]);
        assert_eq!(plain_table(&spans), "a\t\tb\nc\td\n\te\tf");
        let hostile = table(vec![vec![cell("", u16::MAX, 1), cell("x", 1, 1)]; 100]);
        assert!(plain_table(&hostile).len() < 100 * 40);
    }

    #[test]
    fn rows_are_lines_and_items_follow_each_other() {
        let mut cell = Cell::new(1, 1, false);
        cell.blocks = ["a", "b"]
            .map(|text| Block::new(Kind::Paragraph, Text::plain(text)))
            .into();
        let table = Table {
            caption: Some(Text::plain("c")),
            header_rows: 0,
            rows: vec![
                vec![cell.clone(), Cell::new(1, 1, false)],
                vec![Cell::new(1, 1, false), cell],
            ],
        };
        let item = Block::new(Kind::Item(crate::Item::bullet()), Text::plain("x"));
        let blocks = [
            item.clone(),
            item,
            Block::new(Kind::Table(Box::new(table)), Text::default()),
        ];
        assert_eq!(of_blocks(&blocks), "x\nx\n\nc\n\na\nb\n\ta\nb");
    }
}
