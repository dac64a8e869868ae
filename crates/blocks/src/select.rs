//! Selects the blocks that contain wanted paragraphs.

use std::collections::HashSet;

use crate::block::{Block, Cell, Kind};
use crate::text::{MarkKind, Text};

/// Returns the blocks that contain a wanted paragraph. Tables keep their caption and the rows with
/// wanted paragraphs. An item is kept if any of its content is, and a footnote if a reference to it
/// is.
pub fn select(blocks: Vec<Block>, is_wanted: &impl Fn(usize) -> bool) -> Vec<Block> {
    let is_part = |block: &Block| block.paragraphs.clone().any(is_wanted);
    let mut selected = Vec::new();
    // Items without a first line, kept only once a wanted block of theirs follows.
    let mut waiting: Vec<Block> = Vec::new();
    let mut references: HashSet<Box<str>> = HashSet::new();
    for mut block in blocks {
        if matches!(block.kind, Kind::Item(_)) {
            let level = block.level;
            waiting.retain(|item| item.level < level);
            if block.text.is_empty() {
                waiting.push(block);
                continue;
            }
        } else {
            let level = block.level;
            waiting.retain(|item| item.level <= level);
        }
        let is_selected = match &mut block.kind {
            Kind::Table(table) => {
                let header = table.header_rows;
                let mut kept_header = 0;
                let mut index = 0;
                table.rows.retain_mut(|row| {
                    let was_empty = row.iter().all(Cell::is_empty);
                    for cell in row.iter_mut() {
                        cell.blocks = select(std::mem::take(&mut cell.blocks), is_wanted);
                    }
                    let is_kept = was_empty || !row.iter().all(Cell::is_empty);
                    kept_header += usize::from(is_kept && index < header);
                    index += 1;
                    is_kept
                });
                table.header_rows = kept_header;
                let has_cells = !table.rows.iter().flatten().all(Cell::is_empty);
                let caption = if has_cells {
                    None
                } else {
                    table.caption.take()
                };
                if let Some(caption) = caption {
                    block.kind = Kind::Figure(None);
                    block.text = caption;
                }
                has_cells || (!block.text.is_empty() && is_part(&block))
            }
            Kind::Footnote { label } if references.contains(label) => true,
            _ => is_part(&block),
        };
        if is_selected {
            // A paragraph takes the place of the first line of its item.
            if block.kind == Kind::Paragraph
                && let Some(item) =
                    waiting.pop_if(|item| (item.level, item.quotes) == (block.level, block.quotes))
            {
                block.kind = item.kind;
            }
            references.extend(block.text.marks.iter().filter_map(|mark| match &mark.kind {
                MarkKind::Note(label) => Some(label.clone()),
                _ => None,
            }));
            selected.append(&mut waiting);
            selected.push(block);
        } else if matches!(block.kind, Kind::Item(_)) {
            block.text = Text::default();
            waiting.push(block);
        }
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{Item, Table};

    fn block(kind: Kind, text: &str, paragraph: usize, level: u16) -> Block {
        Block {
            paragraphs: paragraph..paragraph + 1,
            level,
            ..Block::new(kind, Text::plain(text))
        }
    }

    #[test]
    fn footnotes_are_kept_with_their_references() {
        let mut text = block(Kind::Paragraph, "a1", 1, 0);
        text.text.mark(1..2, MarkKind::Note("1".into()));
        let note = |label: &str| {
            block(
                Kind::Footnote {
                    label: label.into(),
                },
                label,
                0,
                0,
            )
        };
        let selected = select(vec![text, note("1"), note("2")], &|paragraph| {
            paragraph == 1
        });
        let texts: Vec<&str> = selected.iter().map(|block| &*block.text.text).collect();
        assert_eq!(texts, ["a1", "1"]);
    }

    #[test]
    fn items_and_cells_are_kept_with_their_content() {
        let item = |text: &str, paragraph| block(Kind::Item(Item::bullet()), text, paragraph, 1);
        let mut table = Table::default();
        for paragraph in [1, 2, 1] {
            let mut cell = Cell::new(1, 1, false);
            cell.blocks
                .push(block(Kind::Paragraph, "cell", paragraph, 0));
            table.rows.push(vec![cell]);
        }
        table.header_rows = 2;
        let blocks = vec![
            item("", 0),
            block(Kind::Paragraph, "a", 2, 1),
            item("", 0),
            block(Kind::Paragraph, "b", 1, 1),
            item("c", 1),
            item("d", 2),
            block(Kind::Paragraph, "e", 1, 1),
            item("d", 2),
            block(Kind::Heading(3), "f", 1, 1),
            block(Kind::Table(Box::new(table)), "", 0, 0),
        ];
        let selected = select(blocks, &|paragraph| paragraph == 1);
        let items: Vec<(&str, &str)> = selected
            .iter()
            .map(|block| (block.kind.name(), &*block.text.text))
            .collect();
        let expected = [
            ("item", "b"),
            ("item", "c"),
            ("item", "e"),
            ("item", ""),
            ("heading", "f"),
            ("table", ""),
        ];
        assert_eq!(items, expected);
        let Kind::Table(table) = &selected[5].kind else {
            panic!("expected a table");
        };
        assert_eq!((table.rows.len(), table.header_rows), (2, 1));
    }
}
