//! The blocks of a document: headings, paragraphs, lists, captions, running heads and others.

use std::collections::{HashMap, HashSet};

use corpus_blocks::pages::{Declared, Entry, Line, Page, Pages, Precision, Role};
use corpus_blocks::{Block, Bounds, Text};

use super::element::{BBox, Element};
use super::format::{Format, format_of};
use super::level::Level;
use super::read::{ReadOptions, Unreadable, elements};
use super::row::{OwnedRow, Row};
use super::title::prop;

/// The font size and the depth of descenders, as shares of the height of a line's box.
const FONT_SIZE_SHARE: f32 = 0.8;
const DESCENT_SHARE: f32 = 0.22;
/// The distance of lines without boxes.
const LINE_STEP_RATIO: f32 = 1.2;

/// Returns the blocks of a document, with their pages and boxes.
///
/// Box heights stand in for font sizes. Declared roles, such as captions and page numbers, are used
/// as they are.
///
/// ```
/// use corpus_blocks::markdown::{self, markdown};
///
/// let page = "<div class='ocr_page' title='bbox 0 0 600 800'>\
///     <span class='ocr_line' title='bbox 50 100 500 120'>One word is divi-</span>\
///     <span class='ocr_line' title='bbox 50 125 500 145'>ded here.</span></div>";
/// let blocks = corpus_ocr::blocks(page)?;
/// assert_eq!(markdown(&blocks, &markdown::Options::default()), "One word is divided here.");
/// # Ok::<(), corpus_ocr::Unreadable>(())
/// ```
pub fn blocks(document: &str) -> Result<Vec<Block>, Unreadable> {
    let rows = |level, text| elements(document, ReadOptions { level, text });
    let (pages, lines) = (rows(Level::Page, true)?, rows(Level::Line, true)?);
    let is_complete = pages.iter().map(letters).sum::<usize>() <= lines.iter().map(letters).sum();
    let blocks = rows(Level::Block, !is_complete)?;
    let roles = blocks.iter().filter_map(|block| {
        let role = role_of(&block.element, true)?;
        Some((block.element.position, role))
    });
    let roles = roles.collect();
    let mut collector = Collector::new(&roles);
    if is_complete {
        for line in &lines {
            collector.add(line.as_row(Level::Line));
        }
    } else {
        let overrides_lines = matches!(format_of(document), Ok(Format::Page));
        let lines = with_loose_blocks(&lines, &blocks, overrides_lines);
        let lines = if overrides_lines {
            lines
        } else {
            with_loose_pages(lines, &pages)
        };
        for (level, row) in lines {
            collector.add(row.as_row(level));
        }
    }
    Ok(collector.finish())
}

/// A line, or a block or page that stands in for its lines.
type LineOrMore<'r, 'a> = (Level, &'r OwnedRow<'a>);

/// Puts blocks in place of their lines if they have text outside of these. If a block may have
/// another version of the text, `overrides_lines`, only a block without lines counts.
fn with_loose_blocks<'r, 'a>(
    lines: &'r [OwnedRow<'a>],
    blocks: &'r [OwnedRow<'a>],
    overrides_lines: bool,
) -> Vec<LineOrMore<'r, 'a>> {
    let mut in_lines: HashMap<usize, usize> = HashMap::new();
    for line in lines {
        if let Some(block) = line.element.block {
            *in_lines.entry(block).or_default() += letters(line);
        }
    }
    let is_loose = |block: &&OwnedRow<'_>| {
        let in_lines = in_lines.get(&block.element.position).copied().unwrap_or(0);
        letters(block) > in_lines && !(overrides_lines && in_lines > 0)
    };
    let loose: Vec<_> = blocks.iter().filter(is_loose).collect();
    let replaced: HashSet<_> = loose.iter().map(|block| block.element.position).collect();
    let mut loose = loose.into_iter().peekable();
    let mut rows = Vec::new();
    for line in lines {
        let block = line.element.block.unwrap_or(0);
        let place = (page_of(line), block);
        while let Some(before) =
            loose.next_if(|block| (page_of(block), block.element.position) < place)
        {
            rows.push((Level::Block, before));
        }
        if !replaced.contains(&block) {
            rows.push((Level::Line, line));
        }
    }
    rows.extend(loose.map(|block| (Level::Block, block)));
    rows
}

/// Puts pages in place of their lines if they have text outside of these and of blocks.
fn with_loose_pages<'r, 'a>(
    lines: Vec<LineOrMore<'r, 'a>>,
    pages: &'r [OwnedRow<'a>],
) -> Vec<LineOrMore<'r, 'a>> {
    let mut in_lines: HashMap<usize, usize> = HashMap::new();
    for (_, line) in &lines {
        *in_lines.entry(page_of(line)).or_default() += letters(line);
    }
    let is_loose = |page: &&OwnedRow<'_>| {
        letters(page) > in_lines.get(&page.element.position).copied().unwrap_or(0)
    };
    let loose: Vec<_> = pages.iter().filter(is_loose).collect();
    let replaced: HashSet<_> = loose.iter().map(|page| page.element.position).collect();
    let mut loose = loose.into_iter().peekable();
    let mut rows = Vec::new();
    for (level, line) in lines {
        let place = page_of(line);
        while let Some(page) = loose.next_if(|page| page.element.position <= place) {
            rows.push((Level::Page, page));
        }
        if !replaced.contains(&place) {
            rows.push((level, line));
        }
    }
    rows.extend(loose.map(|page| (Level::Page, page)));
    rows
}

/// The position of the page of a row; 0 for none.
fn page_of(row: &OwnedRow<'_>) -> usize {
    row.page.as_ref().map_or(0, |page| page.position)
}

/// The number of bytes of a row's text, without white space.
fn letters(row: &OwnedRow<'_>) -> usize {
    let text = row.text.as_deref().unwrap_or_default();
    text.split_ascii_whitespace().map(str::len).sum()
}

/// The role that the classes or the type of an element declare.
fn role_of(element: &Element<'_>, is_block: bool) -> Option<Role> {
    element.classes().find_map(|class| {
        Some(match class {
            "ocr_caption" | "caption" => Role::Caption,
            // Tesseract uses this class for lines that are headings.
            "ocr_header" if !is_block => Role::Heading(0),
            "heading" => Role::Heading(0),
            "ocr_header" | "header" => Role::RunningHead,
            "ocr_footer" | "footer" => Role::RunningFoot,
            "ocr_pageno" | "page-number" => Role::PageNumber,
            "footnote" | "footnote-continued" => Role::Note,
            _ => return None,
        })
    })
}

struct Collector<'r> {
    roles: &'r HashMap<usize, Role>,
    pages: Pages,
    page: Page,
    /// The position of the page among the elements.
    position: Option<usize>,
    /// For each line of the page, its block and the height of its box.
    heights: Vec<(Option<usize>, f32)>,
}

impl<'r> Collector<'r> {
    fn new(roles: &'r HashMap<usize, Role>) -> Self {
        Self {
            roles,
            pages: Pages::new(Precision::Scanned),
            page: Page::default(),
            position: None,
            heights: Vec::new(),
        }
    }

    fn add(&mut self, row: Row<'_, '_>) {
        let position = row.page.map_or(0, |page| page.position);
        if self.position != Some(position) {
            self.end_page();
            self.position = Some(position);
            let bbox = row.page.and_then(|page| page.bbox);
            self.page = Page {
                number: u32::try_from(position.max(1)).unwrap_or(u32::MAX),
                width: bbox.map_or(0.0, |bbox| bbox.x2 as f32),
                height: bbox.map_or(0.0, |bbox| bbox.y2 as f32),
                ..Page::default()
            };
        }
        let element = row.element;
        let lines = row.text.unwrap_or_default().lines();
        let lines: Vec<&str> = lines
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        for (number, line) in lines.iter().enumerate() {
            let bbox = part(element.bbox, number, lines.len());
            self.line(line, bbox, element, row.level);
        }
    }

    fn line(&mut self, text: &str, bbox: Option<BBox>, element: &Element<'_>, level: Level) {
        let bounds = bbox.map_or_else(|| self.below_last(), bounds_of);
        let height = (bounds.bottom - bounds.top).max(1.0);
        let title = element.title.as_deref().unwrap_or_default();
        let declared_size = prop(title, "x_size").and_then(|size| size.trim().parse::<f32>().ok());
        let declared_size = declared_size.filter(|size| (0.3..3.0).contains(&(size / height)));
        let offset = element.baseline.and_then(|baseline| baseline.offset);
        let offset = offset
            .map(|offset| offset as f32)
            .filter(|offset| offset.abs() < height);
        let block = match level {
            Level::Block => Some(element.position),
            _ => element.block,
        };
        let role = role_of(element, level == Level::Block)
            .or_else(|| block.and_then(|block| self.roles.get(&block).copied()));
        self.heights.push((
            block,
            declared_size.map_or(height, |size| size / FONT_SIZE_SHARE),
        ));
        self.page.entries.push(Entry::Line(Line {
            text: Text::plain(text),
            bounds,
            base: bounds.bottom + offset.unwrap_or(-DESCENT_SHARE * height),
            size: height * FONT_SIZE_SHARE,
            declared: block.map(|block| Declared {
                block: u32::try_from(block).unwrap_or(u32::MAX),
                role,
            }),
            run_in: None,
            gaps: 0,
            is_outside: false,
        }));
    }

    /// The place of a line without a box.
    fn below_last(&self) -> Bounds {
        let last = self.page.entries.last();
        match last {
            Some(Entry::Line(line)) => {
                let step = LINE_STEP_RATIO * (line.bounds.bottom - line.bounds.top);
                Bounds {
                    top: line.bounds.top + step,
                    bottom: line.bounds.bottom + step,
                    ..line.bounds
                }
            }
            _ => Bounds {
                left: 0.0,
                top: 0.0,
                right: 1.0,
                bottom: 1.0,
            },
        }
    }

    fn end_page(&mut self) {
        let mut page = std::mem::take(&mut self.page);
        let heights = std::mem::take(&mut self.heights);
        if page.entries.is_empty() {
            return;
        }
        smooth(&mut page, &heights);
        let lines = page.entries.iter().filter_map(|entry| match entry {
            Entry::Line(line) => Some(line.bounds),
            Entry::Block(_) => None,
        });
        for bounds in lines {
            page.width = page.width.max(bounds.right);
            page.height = page.height.max(bounds.bottom);
        }
        self.pages.push(page);
    }

    fn finish(mut self) -> Vec<Block> {
        self.end_page();
        self.pages.finish(&[])
    }
}

/// Gives the lines of a block the same size if their heights hardly differ, because the height of a
/// line depends on its letters.
fn smooth(page: &mut Page, heights: &[(Option<usize>, f32)]) {
    /// The ratio of heights below which lines have the same size.
    const MAX_SIMILAR_RATIO: f32 = 1.35;
    let mut start = 0;
    while let Some((block, _)) = heights.get(start) {
        let rest = heights.get(start..).unwrap_or_default();
        let count = rest.iter().take_while(|(other, _)| other == block).count();
        let mut sorted: Vec<f32> = rest.iter().take(count).map(|(_, height)| *height).collect();
        sorted.sort_by(f32::total_cmp);
        let usual = sorted.get(count / 2).copied().unwrap_or(1.0);
        let entries = page.entries.iter_mut().skip(start).take(count);
        for (entry, (_, height)) in entries.zip(rest) {
            if let Entry::Line(line) = entry {
                let is_similar = height.max(usual) <= MAX_SIMILAR_RATIO * height.min(usual);
                line.size = FONT_SIZE_SHARE * if is_similar { usual } else { *height };
            }
        }
        start += count;
    }
}

/// Returns the part of a box that contains one of several lines.
fn part(bbox: Option<BBox>, number: usize, count: usize) -> Option<BBox> {
    bbox.map(|bbox| {
        let height = bbox.height() / count.max(1) as f64;
        let y1 = bbox.y1 + height * number as f64;
        BBox {
            y1,
            y2: y1 + height,
            ..bbox
        }
    })
}

fn bounds_of(bbox: BBox) -> Bounds {
    Bounds {
        left: bbox.x1.min(bbox.x2) as f32,
        top: bbox.y1.min(bbox.y2) as f32,
        right: bbox.x2.max(bbox.x1) as f32,
        bottom: bbox.y2.max(bbox.y1) as f32,
    }
}
