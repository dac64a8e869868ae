//! The lines of a page with the styles of their parts, in reading order, with its tables.

use std::collections::HashMap;

use super::super::content::Drawn;
use super::super::font_kinds::FontKinds;
use super::super::layout::Layout;
use super::super::model::{Page, PageStructure, Rect, StructureEntry, StructureLine, Table};
use super::super::structure::Tag;
use super::super::tables::frame::Frame;
use super::line::{LineWord, LineWords, PageContext};
use super::{MAX_COMPARED, bullets, caption_of};
use crate::fractions::Fractions;

/// The minimum number of words in other directions for them to be text, as a share of those in the
/// main direction. Fewer are stamps in the margin, or labels of axes.
const MIN_MIXED_SHARE: f32 = 0.3;
/// The maximum number of sizes in the tables of a page.
const MAX_SIZES: usize = 16;

/// Collects the content of a page.
pub fn structure(
    layout: &Layout,
    drawn: &Drawn,
    page: &Page,
    fonts: &FontKinds,
    tags: Option<&HashMap<i32, Tag>>,
) -> PageStructure {
    let (turns, is_mixed) = main_direction(layout);
    let source = PageContext {
        layout,
        glyphs: &drawn.glyphs,
        fonts,
        has_formulas: fonts.is_formula.contains(&true),
        frame: Frame::new(turns, page.width, page.height),
        is_mixed,
        page,
        tags: tags
            .filter(|_| !drawn.identifiers.is_empty())
            .map(|tags| (&drawn.identifiers, tags)),
    };
    let fractions = match turns {
        0 => Fractions::of(layout, drawn, page),
        _ => Fractions::default(),
    };
    let mut entries = entries(&source, &fractions);
    bullets::add(&mut entries, &drawn.drawing.bullets, source.frame);
    PageStructure {
        quarter_turns: turns,
        entries,
        table_sizes: table_sizes(&source),
    }
}

/// The direction of most words, and whether many words have other directions.
fn main_direction(layout: &Layout) -> (u8, bool) {
    let mut counts = [0u64; 4];
    for line in &layout.lines {
        if let Some(count) = counts.get_mut(usize::from(line.quarter_turns)) {
            *count += u64::from(line.words.end - line.words.start);
        }
    }
    let turns = (0..4)
        .rev()
        .max_by_key(|turns| counts.get(usize::from(*turns)).copied())
        .unwrap_or(0);
    let most = counts.get(usize::from(turns)).copied().unwrap_or(0);
    let others = counts.iter().sum::<u64>() - most;
    (turns, others as f32 >= MIN_MIXED_SHARE * most as f32)
}

fn entries(source: &PageContext<'_>, fractions: &Fractions) -> Vec<StructureEntry> {
    let (layout, page) = (source.layout, source.page);
    let mut entries = Vec::with_capacity(layout.lines.len());
    let mut is_written = vec![false; page.tables.len()];
    let captions = captions(page, source.frame);
    for (index, line) in layout.lines.iter().enumerate() {
        let placed = fractions.words_of(index, line.words.clone());
        let mut outside: Vec<LineWord<'_>> = Vec::with_capacity(placed.len());
        for placed in placed {
            let Some(word) = layout.words.get(placed.word as usize) else {
                continue;
            };
            match table_at(page, word.bbox) {
                None => outside.push(LineWord { word, placed }),
                Some(table) => {
                    if let Some(is_written @ false) = is_written.get_mut(table) {
                        *is_written = true;
                        entries.push(StructureEntry::Table(table as u32));
                    }
                }
            }
        }
        let line = LineWords {
            index,
            line,
            words: &outside,
        };
        if let Some(written) = line.write(source)
            && !is_caption(&written, &captions)
        {
            entries.push(StructureEntry::Line(written));
        }
    }
    let rest = (0..).zip(is_written).filter(|(_, is_written)| !is_written);
    entries.extend(rest.map(|(table, _)| StructureEntry::Table(table)));
    entries
}

/// The sizes of the words in tables, with the number of bytes of each.
fn table_sizes(source: &PageContext<'_>) -> Vec<(f32, u32)> {
    let mut sizes: Vec<(f32, u32)> = Vec::new();
    if source.page.tables.is_empty() {
        return sizes;
    }
    let words = source.layout.words.iter();
    for word in words.filter(|word| table_at(source.page, word.bbox).is_some()) {
        let (size, length) = (source.size(word), word.text.len() as u32);
        if let Some(known) = sizes.iter_mut().find(|known| known.0 == size) {
            known.1 = known.1.saturating_add(length);
        } else if sizes.len() < MAX_SIZES {
            sizes.push((size, length));
        }
    }
    sizes
}

/// The table with the center of a box.
fn table_at(page: &Page, bbox: Rect) -> Option<usize> {
    let mut tables = page.tables.iter().take(MAX_COMPARED);
    tables.position(|table| table.bbox.has_center_of(bbox))
}

/// The captions of the tables without white space, and their boxes.
fn captions(page: &Page, frame: Frame) -> Vec<(Rect, String)> {
    let caption = |table: &Table| {
        let caption = dense(caption_of(table.caption.as_deref())?);
        Some((frame.rect(table.caption_bbox?), caption))
    };
    let tables = page.tables.iter().take(MAX_COMPARED);
    tables.filter_map(caption).collect()
}

/// Whether a line belongs to the caption of a table, which already contains it.
fn is_caption(line: &StructureLine, captions: &[(Rect, String)]) -> bool {
    let mut around = captions
        .iter()
        .filter(|(bbox, _)| bbox.has_center_of(line.bbox))
        .peekable();
    if around.peek().is_none() {
        return false;
    }
    let text = dense(&line.text);
    around.any(|(_, caption)| caption.contains(&text))
}

/// A text without white space.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}
