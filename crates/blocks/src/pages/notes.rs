//! Footnotes: small text at the bottom of a page that starts with a mark which the text above has,
//! too.

use std::collections::{HashMap, HashSet};

use super::Role;
use super::measure::Measured;
use super::segments::{Class, Segment};
use crate::block::{Block, Kind};
use crate::text::{Mark, MarkKind, Text};

/// The share of the height of a page above which there are no footnotes.
const MIN_Y: f32 = 0.4;
/// The maximum size of footnotes, relative to the text.
pub const MAX_RATIO: f32 = 0.95;

/// Finds footnotes, and marks the references to them.
pub fn find(document: &mut Measured, segments: &mut [Segment]) {
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
    document: &mut Measured,
    segments: &mut [Segment],
    page: usize,
    labels: &mut HashMap<Box<str>, usize>,
) {
    let Some(sheet) = document.pages.get(page) else {
        return;
    };
    let (range, height) = (sheet.first..sheet.end, sheet.height);
    // The raised texts of the page, with their places, in reverse order.
    let mut references: Option<HashMap<String, Vec<(usize, usize)>>> = None;
    for segment in segments {
        let Some(line) = document.line(segment.items.start) else {
            continue;
        };
        let role = line.line.declared.and_then(|declared| declared.role);
        let is_small = document.ratio(segment.size) < MAX_RATIO && line.base() > MIN_Y * height;
        let may_be = matches!(segment.class, Class::Paragraph | Class::Item(..));
        if !(may_be && (is_small || role == Some(Role::Note))) {
            continue;
        }
        let Some((label, length)) = mark(&line.line.text) else {
            continue;
        };
        let first = segment.items.start;
        let references = references.get_or_insert_with(|| raised(document, range.clone()));
        let Some(places) = references.get_mut(&label) else {
            continue;
        };
        while places
            .last()
            .is_some_and(|(item, _)| segment.items.contains(item))
        {
            places.pop();
        }
        let Some((item, mark)) = places.pop().filter(|(item, _)| *item < first) else {
            continue;
        };
        // Labels are unique in a document, although pages repeat them.
        let count = labels.entry(label.clone().into()).or_default();
        *count += 1;
        let unique: Box<str> = match *count {
            1 => label.into(),
            count => format!("{label}-{count}").into(),
        };
        let reference = document
            .line_mut(item)
            .and_then(|line| line.line.text.marks.get_mut(mark));
        if let Some(reference) = reference {
            reference.kind = MarkKind::Note(unique.clone());
            segment.class = Class::Note(unique, length);
        }
    }
}

/// Moves each footnote after the block that refers to it, or after the list that contains the
/// block. At the bottom of its page, a note may interrupt a text that it does not belong to.
pub fn placed(blocks: Vec<Block>) -> Vec<Block> {
    let mut notes: HashMap<Box<str>, Block> = HashMap::new();
    let mut others = Vec::with_capacity(blocks.len());
    let referred: HashSet<Box<str>> = blocks.iter().flat_map(references).cloned().collect();
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
    let mut placed = Vec::with_capacity(others.len() + notes.len());
    let mut waiting: Vec<Box<str>> = Vec::new();
    let mut others = others.into_iter().peekable();
    while let Some(block) = others.next() {
        waiting.extend(references(&block).cloned());
        placed.push(block);
        if others.peek().is_none_or(|next| next.level == 0) {
            placed.extend(waiting.drain(..).filter_map(|label| notes.remove(&label)));
        }
    }
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

/// The raised parts of the lines of a page: the item and mark of each, the first one last.
fn raised(
    document: &Measured,
    range: std::ops::Range<usize>,
) -> HashMap<String, Vec<(usize, usize)>> {
    let mut raised: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    for item in range.rev() {
        let Some(line) = document.line(item).filter(|line| line.is_text()) else {
            continue;
        };
        let text = &line.line.text;
        let is_formula = |mark: &&Mark| matches!(mark.kind, MarkKind::LinearFormula(_));
        let formulas: Vec<&Mark> = text.marks.iter().filter(is_formula).collect();
        for (index, mark) in text.marks.iter().enumerate().rev() {
            let before = formulas.partition_point(|other| other.range.start <= mark.range.start);
            let around = before.checked_sub(1).and_then(|place| formulas.get(place));
            if mark.kind == MarkKind::Superscript
                // An exponent refers to nothing.
                && around.is_none_or(|around| around.range.end <= mark.range.start)
                && let Some(part) = text.text.get(mark.range.clone())
            {
                let places = raised.entry(part.trim().to_owned()).or_default();
                places.push((item, index));
            }
        }
    }
    raised
}

/// The mark at the start of a footnote, and the number of bytes up to its text.
fn mark(text: &Text) -> Option<(String, usize)> {
    let is_raised = |end: usize| {
        let mut marks = text.marks.iter();
        marks.any(|mark| {
            mark.kind == MarkKind::Superscript && mark.range.start == 0 && mark.range.end == end
        })
    };
    let digits = text.text.bytes().take_while(u8::is_ascii_digit).count();
    let end = match digits {
        0 => text
            .text
            .char_indices()
            .find(|(_, c)| !matches!(c, '*' | '†' | '‡' | '§' | '¶' | '∗' | '⁎'))
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
