//! Turns segments into blocks. Joins paragraphs that continue across columns and pages.

use super::headings::run_in_end;
use super::marker::MarkerKind;
use super::measure::{MeasuredDocument, MeasuredItem, MeasuredLine, without};
use super::notes;
use super::segments::{Segment, SegmentClass, is_address};
use super::words::{Words, ends_divided, merge_marks};
use super::{Declared, Role};
use crate::block::{self, Block, Bounds, Kind, Picture, task_sign};
use crate::text::{MarkKind, Text};

/// The confidence in a kind that was derived from the appearance of the text.
const INFERRED_CONFIDENCE: f32 = 0.8;
/// The number of levels of lists.
const MAX_LIST_LEVELS: usize = 16;
/// Minimum indent of the text of an item, in ems.
const MIN_ITEM_INDENT_EMS: f32 = 0.5;
/// Maximum indent of a nested list that continues on the next page, in ems.
const MAX_LIST_INDENT_EMS: f32 = 6.0;
/// The maximum number of spaces at the start of a line of code.
const MAX_CODE_INDENT_SPACES: usize = 120;
/// The maximum number of blocks between the parts of a paragraph.
const MAX_BLOCKS_BETWEEN: usize = 60;

/// Returns the blocks of a document.
pub fn blocks(mut document: MeasuredDocument, segments: Vec<Segment>) -> Vec<Block> {
    let words = Words::new(&document);
    let mut writer = Writer {
        words,
        blocks: Vec::new(),
        open: None,
        lists: Vec::new(),
        heading: 1,
    };
    for segment in segments {
        writer.add(&mut document, segment);
    }
    for block in &mut writer.blocks {
        merge_marks(&mut block.text);
    }
    notes::place_after_references(writer.blocks)
}

struct Writer {
    words: Words,
    blocks: Vec<Block>,
    /// The last paragraph or item, if it may continue.
    open: Option<OpenBlock>,
    /// The open lists, from the outermost one.
    lists: Vec<List>,
    /// The level of the last heading that is not run in.
    heading: u8,
}

/// A paragraph or item whose end may follow in another column or page.
struct OpenBlock {
    /// Its place among the blocks.
    block: usize,
    size: f32,
    /// Whether its last line reaches the margin.
    is_full: bool,
    /// The right edge of its only line.
    right: Option<f32>,
    /// Whether the next line is in another column or page.
    is_cut: bool,
    /// The block that the document declares.
    declared: Option<Declared>,
}

struct List {
    left: f32,
    /// The marker of its last item.
    kind: MarkerKind,
    /// The left edge of the text of its items.
    text_left: f32,
    page: usize,
}

impl Writer {
    fn add(&mut self, document: &mut MeasuredDocument, segment: Segment) {
        match segment.class {
            SegmentClass::Block => {
                let item = document.items.get_mut(segment.items.start);
                if let Some(MeasuredItem::Block(block)) = item {
                    let empty = Block::new(Kind::Paragraph, Text::default());
                    let mut block = std::mem::replace(&mut **block, empty);
                    self.join_cells(&mut block);
                    self.blocks.push(block);
                }
            }
            SegmentClass::Running(ref kind) => {
                let kind = kind.clone();
                self.push(document, &segment, kind, 0);
            }
            SegmentClass::Heading(level) => {
                self.close();
                self.heading = level;
                self.push(document, &segment, Kind::Heading(level), 0);
                if let Some(heading) = self.blocks.last_mut() {
                    let text = std::mem::take(&mut heading.text);
                    heading.text = without(without(text, &MarkKind::Strong), &MarkKind::Emphasis);
                }
            }
            SegmentClass::Caption => {
                let line = document.line_mut(segment.items.start);
                let labels = line.map(|line| std::mem::take(&mut line.labels));
                let picture = labels.filter(|labels| !labels.is_empty()).map(|labels| {
                    Box::new(Picture {
                        address: String::new(),
                        alternative: labels,
                    })
                });
                self.push(document, &segment, Kind::Figure(picture), 0);
            }
            SegmentClass::Note(ref label, length) => {
                let kind = Kind::Footnote {
                    label: label.clone(),
                };
                self.push(document, &segment, kind, length);
            }
            SegmentClass::Entry => {
                self.close();
                self.push(document, &segment, Kind::Paragraph, 0);
            }
            SegmentClass::Code => self.code(document, &segment),
            SegmentClass::Item(..) if run_in_end(document, &segment).is_some() => {
                self.lists.clear();
                self.paragraph(document, &segment);
            }
            SegmentClass::Item(marker, level) => {
                self.item(document, &segment, marker.kind, marker.length, level)
            }
            SegmentClass::Paragraph => self.paragraph(document, &segment),
        }
    }

    /// Joins the lines within the cells of a table.
    fn join_cells(&self, block: &mut Block) {
        let Kind::Table(table) = &mut block.kind else {
            return;
        };
        let cells = table.rows.iter_mut().flatten();
        for block in cells.flat_map(|cell| &mut cell.blocks) {
            if block.text.text.contains('\n') && block.kind == Kind::Paragraph {
                let whole = std::mem::take(&mut block.text);
                let mut start = 0;
                for line in whole.text.split('\n') {
                    let end = start + line.len();
                    self.words.join(&mut block.text, whole.part(start..end));
                    start = end + 1;
                }
            }
        }
    }

    /// Ends the open paragraph and the lists.
    fn close(&mut self) {
        self.open = None;
        self.lists.clear();
    }

    /// Appends a block with the text of a segment after its first bytes.
    fn push(
        &mut self,
        document: &mut MeasuredDocument,
        segment: &Segment,
        kind: Kind,
        skipped: usize,
    ) {
        let text = self.text(document, segment, skipped);
        let mut block = block_of(document, segment, kind);
        block.text = text;
        self.blocks.push(block);
    }

    /// Takes the text of a segment.
    fn text(&self, document: &mut MeasuredDocument, segment: &Segment, skipped: usize) -> Text {
        let mut text = Text::default();
        for index in segment.items.clone() {
            let Some(line) = document.line_mut(index) else {
                continue;
            };
            let next = std::mem::take(&mut line.line.text);
            let next = if index == segment.items.start && skipped > 0 {
                next.part(skipped..next.text.len())
            } else {
                next
            };
            self.words.join(&mut text, next);
        }
        if document.is_body_bold {
            text = without(text, &MarkKind::Strong);
        }
        if document.is_body_italic {
            text = without(text, &MarkKind::Emphasis);
        }
        if document.is_body_fixed {
            text = without(text, &MarkKind::Code);
        }
        text
    }

    fn paragraph(&mut self, document: &mut MeasuredDocument, segment: &Segment) {
        if let Some(open) = self.take_open(document, segment) {
            let text = self.text(document, segment, 0);
            if let Some(block) = self.blocks.get_mut(open.block) {
                self.words.join(&mut block.text, text);
            }
            self.open = Some(OpenBlock {
                is_full: is_full(document, segment),
                right: None,
                is_cut: segment.is_cut,
                ..open
            });
            return;
        }
        let declared = declared_role(document, segment);
        let run_in = run_in_end(document, segment);
        let level = self.level_of(document, segment);
        if let Some(end) = run_in.filter(|_| level == 0) {
            self.run_in(document, segment, end);
        } else {
            self.push(document, segment, Kind::Paragraph, 0);
        }
        self.keep_open(document, segment, level, declared);
    }

    /// Sets the level of the last block, and keeps it open.
    fn keep_open(
        &mut self,
        document: &MeasuredDocument,
        segment: &Segment,
        level: u16,
        declared: Option<Declared>,
    ) {
        if let Some(block) = self.blocks.last_mut() {
            block.level = level;
        }
        self.open = Some(OpenBlock {
            block: self.blocks.len() - 1,
            size: segment.size,
            is_full: is_full(document, segment),
            right: (segment.lines() == 1).then_some(segment.right),
            is_cut: segment.is_cut,
            declared,
        });
    }

    /// Splits a run-in heading from its paragraph.
    fn run_in(&mut self, document: &mut MeasuredDocument, segment: &Segment, end: usize) {
        let level = (self.heading + 1).min(6);
        self.lists.clear();
        let whole = self.text(document, segment, 0);
        let is_mark = |c: char| c.is_whitespace() || matches!(c, '—' | '–' | '.' | ':');
        let head = whole
            .text
            .get(..end)
            .unwrap_or_default()
            .trim_end_matches(is_mark);
        let rest = whole.text.get(end..).unwrap_or_default();
        let start = whole.text.len() - rest.trim_start_matches(is_mark).len();
        let mut heading = block_of(document, segment, Kind::Heading(level));
        heading.text = Text::plain(head);
        let mut paragraph = block_of(document, segment, Kind::Paragraph);
        paragraph.text = whole.part(start..whole.text.len());
        self.blocks.extend([heading, paragraph]);
    }

    /// The open paragraph, if a segment continues it.
    fn take_open(&mut self, document: &MeasuredDocument, segment: &Segment) -> Option<OpenBlock> {
        let open = self.open.take()?;
        let block = self.blocks.get(open.block)?;
        let between = self.blocks.len() - 1 - open.block;
        let declared = declared_role(document, segment);
        if declared.is_some() && open.declared.is_some() {
            return (declared == open.declared).then_some(open);
        }
        let line = document.line(segment.items.start)?;
        let last = block.text.text.trim_end();
        let first = line.text().chars().find(|c| !c.is_whitespace())?;
        let ends = last.ends_with(['.', '!', '?', ':', '。', '！', '？', '…'])
            || last.ends_with(".”")
            || last.ends_with(".)");
        let is_same = document.is_same_size(open.size, segment.size);
        // The text of an item is indented; the paragraph after it is not.
        let is_after_item = matches!(block.kind, Kind::Item(_))
            && line.left() < line.column.0 + MIN_ITEM_INDENT_EMS * segment.size;
        let continues = ends_divided(last)
            || first.is_lowercase()
            || (open.is_full && open.is_cut && is_same && !is_after_item && !is_address(last));
        // A single line above a wider table, in which the next word would have fit.
        let ends_early = open.right.is_some_and(|right| {
            let end = right + line.first_word();
            let is_wider = |bounds: Bounds| bounds.left < end && end < bounds.right;
            self.blocks.iter().skip(open.block + 1).any(|block| {
                matches!(block.kind, Kind::Table(_)) && block.bounds.is_some_and(is_wider)
            })
        });
        let may_go_on =
            (open.is_cut || between > 0) && between <= MAX_BLOCKS_BETWEEN && !ends_early;
        (may_go_on && is_same && !ends && !segment.is_start && continues).then_some(open)
    }

    /// The number of lists that contain a paragraph after their items.
    fn level_of(&mut self, document: &MeasuredDocument, segment: &Segment) -> u16 {
        // A paragraph of an item is declared as a part of the item.
        let declared = declared_role(document, segment).and_then(|declared| declared.role);
        if declared == Some(Role::Paragraph) {
            self.lists.clear();
        }
        let left = document
            .line(segment.items.start)
            .map_or(segment.left, MeasuredLine::start);
        let em = segment.size;
        let page = segment.page;
        let inside = self
            .lists
            .iter()
            .rposition(|list| list.page == page && (list.text_left - left).abs() < 0.7 * em);
        match inside {
            Some(place) => self.lists.truncate(place + 1),
            None => self.lists.clear(),
        }
        self.lists.len() as u16
    }

    fn item(
        &mut self,
        document: &mut MeasuredDocument,
        segment: &Segment,
        kind: MarkerKind,
        length: usize,
        declared: Option<u16>,
    ) {
        if declared.is_some()
            && self
                .open
                .as_ref()
                .is_some_and(|open| open.declared == declared_role(document, segment))
        {
            return self.paragraph(document, segment);
        }
        let Some(line) = document.line(segment.items.start) else {
            return;
        };
        let (left, em, page) = (line.start(), line.size(), segment.page);
        let place = self.list_of_item(document, segment, kind, declared);
        let number = match kind {
            MarkerKind::Number { value, .. } if kind.is_plain() => Some(value),
            _ => None,
        };
        let is_first = match place {
            Some(place) => {
                self.lists.truncate(place + 1);
                false
            }
            None => {
                if declared.is_none() {
                    // A nested list is indented on the next page, too.
                    let is_inside = |list: &List| {
                        left >= list.left + 0.8 * em
                            && (list.page == page || left < list.left + MAX_LIST_INDENT_EMS * em)
                    };
                    while self.lists.last().is_some_and(|list| !is_inside(list)) {
                        self.lists.pop();
                    }
                }
                if self.lists.len() >= MAX_LIST_LEVELS {
                    self.lists.pop();
                }
                self.lists.push(List {
                    left,
                    kind,
                    text_left: left,
                    page,
                });
                true
            }
        };
        let text_left = segment
            .measures(document)
            .nth(1)
            .map(MeasuredLine::start)
            .filter(|second| *second > left + 0.3 * em)
            .unwrap_or_else(|| {
                let text = line.text();
                let marker = text.get(..length).unwrap_or_default().chars().count();
                left + (line.right() - left) * marker as f32 / text.chars().count().max(1) as f32
            });
        if let Some(list) = self.lists.last_mut() {
            (list.left, list.text_left, list.page, list.kind) = (left, text_left, page, kind);
        }
        let declared = declared_role(document, segment);
        let level = self.lists.len() as u16;
        self.push(
            document,
            segment,
            Kind::Item(block::Item { number, is_first }),
            if kind.is_plain() { length } else { 0 },
        );
        if let Some(block) = self.blocks.last_mut() {
            block.is_done = task_sign(&block.text.text).map(|(is_done, _)| is_done);
        }
        self.keep_open(document, segment, level, declared);
    }

    /// The index of the open list that an item belongs to: by its level, its edge, or its marker in
    /// another column.
    fn list_of_item(
        &self,
        document: &MeasuredDocument,
        segment: &Segment,
        kind: MarkerKind,
        declared: Option<u16>,
    ) -> Option<usize> {
        if let Some(level) = declared {
            let level = usize::from(level.max(1)).min(MAX_LIST_LEVELS);
            return (self.lists.len() >= level).then_some(level - 1);
        }
        let line = document.line(segment.items.start)?;
        let (left, em, page) = (line.start(), line.size(), segment.page);
        let is_same = |list: &List| match (list.kind, kind) {
            (MarkerKind::Bullet(a), MarkerKind::Bullet(b)) => a == b,
            (MarkerKind::Number { style: a, .. }, MarkerKind::Number { style: b, .. }) => a == b,
            _ => false,
        };
        let is_elsewhere = |list: &List| {
            list.page != page || left < list.left - 8.0 * em || left > list.left + 12.0 * em
        };
        let follows = |list: &List| match (list.kind, kind) {
            (MarkerKind::Number { value: last, .. }, MarkerKind::Number { value, .. }) => {
                value == last + 1
            }
            _ => true,
        };
        let is_aligned = |list: &&List| {
            is_same(list)
                && (list.left - left).abs() < 0.8 * em
                && (list.page == page || follows(list))
        };
        let goes_on = |list: &List| is_same(list) && is_elsewhere(list) && follows(list);
        let aligned = self.lists.iter().rposition(|list| is_aligned(&list));
        aligned.or_else(|| self.lists.iter().rposition(goes_on))
    }

    /// Writes lines of code, with their indents and blank lines.
    fn code(&mut self, document: &mut MeasuredDocument, segment: &Segment) {
        self.open = None;
        let mut text = String::new();
        let mut last: Option<f32> = None;
        let widths: Vec<f32> = segment
            .measures(document)
            .map(|line| (line.right() - line.left()) / line.text().chars().count().max(1) as f32)
            .collect();
        let width = median(widths).max(0.05 * segment.size);
        let numbered = numbered_lines(document, segment, width);
        let text_left = segment
            .measures(document)
            .zip(&numbered)
            .filter(|(line, is_numbered)| {
                let is_blank = |(_, end)| end == line.text().len();
                !(**is_numbered && line.line_number.is_some_and(is_blank))
            })
            .map(|(line, is_numbered)| match line.line_number {
                Some((_, start)) if *is_numbered => line.left() + start as f32 * width,
                _ => line.left(),
            })
            .fold(f32::INFINITY, f32::min);
        let text_left = if text_left.is_finite() {
            text_left
        } else {
            segment.left
        };
        for (line, is_numbered) in segment.measures(document).zip(numbered) {
            if let Some(last) = last {
                text.push('\n');
                if line.base() - last > 1.6 * document.leading(line.size()) {
                    text.push('\n');
                }
            }
            last = Some(line.base());
            // Line numbers are not part of the code.
            let start = match line.line_number {
                Some((_, start)) if is_numbered => start,
                _ => 0,
            };
            let number = line.text().get(..start).unwrap_or_default().chars().count();
            let left = line.left() + number as f32 * width;
            let indent = ((left - text_left) / width).round().max(0.0) as usize;
            text.extend(std::iter::repeat_n(' ', indent.min(MAX_CODE_INDENT_SPACES)));
            text.push_str(line.text().get(start..).unwrap_or_default());
        }
        let level = self.level_of(document, segment);
        let mut block = block_of(document, segment, Kind::Code { language: None });
        block.text = Text::plain(text);
        block.level = level;
        // Code that continues in the next column or page.
        let is_running = |block: &Block| {
            let kind = &block.kind;
            matches!(
                kind,
                Kind::RunningHead | Kind::RunningFoot | Kind::PageNumber
            )
        };
        let mut before = self.blocks.iter_mut().rev();
        if let Some(before) = before.find(|block| !is_running(block))
            && matches!(before.kind, Kind::Code { .. })
            && before.page != block.page
            && before.level == block.level
        {
            before.text.append("\n", block.text);
            return;
        }
        self.blocks.push(block);
    }
}

/// Whether each line of code starts with its number, if the lines are numbered. Lines
/// that are too long for the page continue to the right of the numbers.
fn numbered_lines(document: &MeasuredDocument, segment: &Segment, width: f32) -> Vec<bool> {
    let none = || vec![false; segment.lines()];
    let mut numbered = Vec::with_capacity(segment.lines());
    let mut last: Option<(u32, f32)> = None;
    for line in segment.measures(document) {
        let number = line.line_number.map(|(number, _)| number);
        let is_numbered = match (last, number) {
            (None, number) => number.is_some(),
            (Some((last, _)), number) => number == Some(last + 1),
        };
        let goes_on = last.is_some_and(|(_, right)| line.left() > right);
        if !is_numbered && !goes_on {
            return none();
        }
        if let (true, Some(number)) = (is_numbered, number) {
            let digits = number.checked_ilog10().unwrap_or(0) + 1;
            last = Some((number, line.left() + (digits as f32 + 0.5) * width));
        }
        numbered.push(is_numbered);
    }
    let count = numbered.iter().filter(|is_numbered| **is_numbered).count();
    if count >= 2 && 2 * count > numbered.len() {
        numbered
    } else {
        none()
    }
}

/// The block with a role that the document declares for a segment.
fn declared_role(document: &MeasuredDocument, segment: &Segment) -> Option<Declared> {
    let line = document.line(segment.items.start)?;
    line.line
        .declared
        .filter(|declared| declared.role.is_some())
}

/// Whether the last line of a segment reaches the margin.
fn is_full(document: &MeasuredDocument, segment: &Segment) -> bool {
    let last = segment.items.end.checked_sub(1);
    last.and_then(|last| document.line(last))
        .is_some_and(|line| line.right() > line.column.1 - 1.5 * line.size())
}

/// A block without text, with the place of a segment.
fn block_of(document: &MeasuredDocument, segment: &Segment, kind: Kind) -> Block {
    let bounds = segment
        .measures(document)
        .map(|line| line.line.bounds)
        .reduce(|a, b| Bounds {
            left: a.left.min(b.left),
            top: a.top.min(b.top),
            right: a.right.max(b.right),
            bottom: a.bottom.max(b.bottom),
        });
    let sureness = if segment.is_declared {
        1.0
    } else {
        INFERRED_CONFIDENCE
    };
    Block {
        page: document.pages.get(segment.page).map(|page| page.number),
        bounds,
        sureness,
        ..Block::new(kind, Text::default())
    }
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
