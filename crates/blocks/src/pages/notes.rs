//! Footnotes: small or last text at the bottom of a page whose mark also occurs in the text above
//! or on the previous page.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::Role;
use super::marker::NOTE_MARKS;
use super::measure::{MAX_NOTE_RATIO, MeasuredDocument, MeasuredItem};
use super::segments::{Segment, SegmentClass};
use crate::block::{Block, Kind};
use crate::text::{Mark, MarkKind, Text};

/// Footnotes start below this share of the height of a page.
const MIN_Y_SHARE: f32 = 0.4;

/// Finds footnotes, and marks the references to them.
pub fn find(document: &mut MeasuredDocument, segments: &mut [Segment]) {
    let mut labels: HashMap<Box<str>, usize> = HashMap::new();
    let mut start = 0;
    while let Some(page) = segments.get(start).map(|segment| segment.page) {
        let count = segments
            .get(start..)
            .unwrap_or_default()
            .iter()
            .take_while(|segment| segment.page == page)
            .count();
        if let Some(segments) = segments.get_mut(start..start + count) {
            on_page(document, segments, page, &mut labels);
        }
        start += count;
    }
}

fn on_page(
    document: &mut MeasuredDocument,
    segments: &mut [Segment],
    page: usize,
    labels: &mut HashMap<Box<str>, usize>,
) {
    let Some(sheet) = document.pages.get(page) else {
        return;
    };
    let (range, height) = (sheet.first..sheet.end, sheet.height);
    let before = page
        .checked_sub(1)
        .and_then(|page| document.pages.get(page));
    let before = before.map_or(0..0, |sheet| sheet.first..sheet.end);
    // Notes may be as large as the text if nothing else is below them.
    let others = segments.iter().filter(|segment| !is_running(segment));
    let bottoms = others.filter_map(|segment| match document.items.get(segment.items.start)? {
        MeasuredItem::Block(block) => block.bounds.map(|bounds| bounds.bottom),
        MeasuredItem::Line(line) if is_raised_at_start(&line.line.text) => None,
        MeasuredItem::Line(_) => Some(segment.ends(document)?.1.base()),
    });
    let end_of_text = bottoms.fold(MIN_Y_SHARE * height, f32::max);
    // The raised texts of the page and the one before it.
    let mut references: Option<References> = None;
    let mut earlier: Option<References> = None;
    for segment in segments {
        let Some(line) = document.line(segment.items.start) else {
            continue;
        };
        let role = line.line.declared.and_then(|declared| declared.role);
        let is_small =
            document.ratio(segment.size) < MAX_NOTE_RATIO && line.base() > MIN_Y_SHARE * height;
        let may_be = matches!(
            segment.class,
            SegmentClass::Paragraph | SegmentClass::Item(..)
        );
        let is_last = line.base() > end_of_text && is_raised_at_start(&line.line.text);
        if !(may_be && (is_small || is_last || role == Some(Role::Note))) {
            continue;
        }
        let Some((written, length)) = mark(&line.line.text) else {
            continue;
        };
        let of_page = references.get_or_insert_with(|| raised_labels(document, range.clone()));
        let reference = take(of_page, &written, &segment.items).or_else(|| {
            let earlier = earlier.get_or_insert_with(|| raised_labels(document, before.clone()));
            take(earlier, &written, &segment.items)
        });
        let label = bracketed_number(&written).map_or(written.as_str(), |(label, _)| label);
        let Some(reference) = reference else {
            continue;
        };
        // Labels are unique in a document, although pages repeat them.
        let count = labels.entry(label.into()).or_default();
        *count += 1;
        let unique: Box<str> = match *count {
            1 => label.into(),
            count => format!("{label}-{count}").into(),
        };
        if let Some(line) = document.line_mut(reference.item) {
            reference.mark(&mut line.line.text, unique.clone());
            segment.class = SegmentClass::Note(unique, length);
        }
    }
}

fn is_running(segment: &Segment) -> bool {
    matches!(segment.class, SegmentClass::Running(_))
}

/// Whether a text starts with a raised mark.
fn is_raised_at_start(text: &Text) -> bool {
    let mut marks = text.marks.iter();
    marks.any(|mark| mark.kind == MarkKind::Superscript && mark.range.start == 0)
}

/// Raised labels with their places, in reverse order.
type References = HashMap<String, Vec<Reference>>;

/// Takes the first reference with a label that is before a note.
fn take(references: &mut References, label: &str, note: &Range<usize>) -> Option<Reference> {
    let places = references.get_mut(label)?;
    while places
        .last()
        .is_some_and(|place| note.contains(&place.item))
    {
        places.pop();
    }
    places.pop().filter(|reference| reference.item < note.start)
}

/// A raised label.
struct Reference {
    /// The index of its line.
    item: usize,
    /// The index of its superscript mark, which may cover several labels: `11, 12`.
    mark: usize,
    range: Range<usize>,
}

impl Reference {
    /// Replaces its superscript mark with a reference.
    fn mark(self, text: &mut Text, label: Box<str>) {
        let Some(raised) = text.marks.get_mut(self.mark) else {
            return;
        };
        if raised.range == self.range {
            raised.kind = MarkKind::Note(label);
            return;
        }
        if raised.range.start == self.range.start {
            raised.range.start = self.range.end;
        } else if raised.range.end == self.range.end {
            raised.range.end = self.range.start;
        }
        let rest = text.text.get(raised.range.clone()).unwrap_or_default();
        if !rest.contains(char::is_alphanumeric) {
            raised.range.end = raised.range.start;
        }
        text.marks.push(Mark {
            range: self.range,
            kind: MarkKind::Note(label),
        });
    }
}

/// Moves each footnote after the block that refers to it, or after the list that contains that
/// block, but not to another page. At the bottom of its page, a note could interrupt unrelated
/// text.
pub fn place_after_references(blocks: Vec<Block>) -> Vec<Block> {
    let referred: HashSet<Box<str>> = blocks.iter().flat_map(references).cloned().collect();
    let mut notes: HashMap<Box<str>, Block> = HashMap::new();
    let mut others = Vec::with_capacity(blocks.len());
    for block in blocks {
        match &block.kind {
            Kind::Footnote { label } if referred.contains(label) && !notes.contains_key(label) => {
                notes.insert(label.clone(), block);
            }
            _ => others.push(block),
        }
    }
    if notes.is_empty() {
        return others;
    }
    // The notes in the order of their references, with the number of blocks before each.
    let mut moved: Vec<(usize, Block)> = Vec::with_capacity(notes.len());
    let mut first = 0;
    for list in others.chunk_by(|block, next| block.level > 0 && next.level > 0) {
        let end = first + list.len();
        for note in list.iter().flat_map(references) {
            let Some(note) = notes.remove(note) else {
                continue;
            };
            let start_of_page = others.partition_point(|block| block.page < note.page);
            let end_of_page = others.partition_point(|block| block.page <= note.page);
            moved.push((end.max(start_of_page).min(end_of_page), note));
        }
        first = end;
    }
    moved.sort_by_key(|(before, _)| *before);
    let mut moved = moved.into_iter().peekable();
    let mut placed = Vec::with_capacity(others.len() + moved.len());
    for (before, block) in others.into_iter().enumerate() {
        while let Some((_, note)) = moved.next_if(|(place, _)| *place <= before) {
            placed.push(note);
        }
        placed.push(block);
    }
    placed.extend(moved.map(|(_, note)| note));
    placed
}

/// The labels of the footnotes to which a block refers.
fn references(block: &Block) -> impl Iterator<Item = &Box<str>> {
    let is_note = matches!(block.kind, Kind::Footnote { .. });
    let marks = block.text.marks.iter().filter(move |_| !is_note);
    marks.filter_map(|mark| match &mark.kind {
        MarkKind::Note(label) => Some(label),
        _ => None,
    })
}

/// The raised labels in the lines of a page, the first one last.
fn raised_labels(document: &MeasuredDocument, range: Range<usize>) -> References {
    let mut raised = References::new();
    for item in range.rev() {
        let Some(line) = document.line(item).filter(|line| line.is_text()) else {
            continue;
        };
        let text = &line.line.text;
        let is_formula = |mark: &&Mark| matches!(mark.kind, MarkKind::LinearFormula(_));
        let formulas: Vec<&Mark> = text.marks.iter().filter(is_formula).collect();
        for (mark, raising) in text.marks.iter().enumerate().rev() {
            let before = formulas.partition_point(|other| other.range.start <= raising.range.start);
            let around = before.checked_sub(1).and_then(|place| formulas.get(place));
            // An exponent refers to nothing.
            let is_exponent = around.is_some_and(|around| around.range.end > raising.range.start);
            // The mark at the start of a note is not a reference, either.
            if raising.kind != MarkKind::Superscript || is_exponent || raising.range.start == 0 {
                continue;
            }
            let content = text.text.get(raising.range.clone()).unwrap_or_default();
            let mut end = raising.range.end;
            for part in content.rsplit([',', ';', ' ']) {
                let start = end - part.len();
                if !part.is_empty() {
                    let around = (text.text.get(..start), text.text.get(end..));
                    let is_bracketed = matches!(around, (Some(before), Some(after))
                        if before.ends_with('(') && after.starts_with(')'));
                    let written = if is_bracketed {
                        format!("({part})")
                    } else {
                        part.to_owned()
                    };
                    let places = raised.entry(written).or_default();
                    let range = start..end;
                    places.push(Reference { item, mark, range });
                }
                end = start.saturating_sub(1);
            }
        }
    }
    raised
}

/// A number in brackets at the start of a text, and the text after it.
fn bracketed_number(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.strip_prefix('(')?.split_once(')')?;
    let is_number = (1..=3).contains(&label.len()) && label.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some((label, rest))
}

/// The mark at the start of a footnote, including any brackets, and the number of bytes before its
/// text. References to it have the same brackets: `km²` does not refer to `(2)`.
fn mark(text: &Text) -> Option<(String, usize)> {
    let is_raised = |end: usize| {
        let mut marks = text.marks.iter();
        marks.any(|mark| {
            mark.kind == MarkKind::Superscript && mark.range.start == 0 && mark.range.end == end
        })
    };
    if let Some((label, rest)) = bracketed_number(&text.text) {
        let content = rest.trim_start();
        let is_apart = content.len() < rest.len() && !content.is_empty();
        return is_apart.then(|| (format!("({label})"), text.text.len() - content.len()));
    }
    let digits = text.text.bytes().take_while(u8::is_ascii_digit).count();
    let end = match digits {
        0 => text
            .text
            .char_indices()
            .find(|(_, c)| !NOTE_MARKS.contains(c))
            .map(|(end, _)| end)?,
        digits => digits,
    };
    if end == 0 || end > 6 {
        return None;
    }
    let rest = text.text.get(end..)?;
    let content = rest.trim_start_matches(['.', ')']).trim_start();
    let is_apart = content.len() < rest.len() || is_raised(end) || digits == 0;
    let starts = content.chars().next().is_some_and(|c| !c.is_ascii_digit());
    (is_apart && starts).then(|| {
        let label = text.text.get(..end).unwrap_or_default().to_owned();
        (label, text.text.len() - content.len())
    })
}
