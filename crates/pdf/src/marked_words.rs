//! Finds the words under the highlights of a page.

use super::layout::Layout;
use super::model::{Annotation, Rect, Word};
use super::structure::{FoundAnnotation, Structure};

/// Minimum share of a word that is covered by the mark.
const MIN_MARKED_SHARE: f32 = 0.5;

/// Adds the marked words to annotations. Each comparison is charged to the budget of the structure,
/// since areas may overlap.
pub fn annotations(
    found: Vec<FoundAnnotation>,
    layout: &Layout,
    structure: &Structure<'_, '_>,
) -> Vec<Annotation> {
    if found.iter().all(|found| found.marked.is_empty()) {
        return found.into_iter().map(|found| found.annotation).collect();
    }
    // The words sorted by their middles, so that a binary search finds the words of an area.
    let mut by_middle: Vec<(f32, usize)> = layout
        .words
        .iter()
        .enumerate()
        .map(|(place, word)| (middle(word.bbox.y1, word.bbox.y2), place))
        .collect();
    by_middle.sort_by(|a, b| a.0.total_cmp(&b.0));
    let marked = |areas: &[Rect]| -> Option<String> {
        let mut pieces: Vec<(usize, &str)> = Vec::new();
        for area in areas {
            let from = by_middle.partition_point(|(y, _)| *y < area.y1);
            let to = by_middle.partition_point(|(y, _)| *y <= area.y2);
            let within = by_middle.get(from..to).unwrap_or_default();
            if !structure.spend(size_of::<Word>() * (within.len() + 1)) {
                break;
            }
            for (_, place) in within {
                let word = layout.words.get(*place);
                let part = word.and_then(|word| part_within(word, *area));
                pieces.extend(part.map(|part| (*place, part)));
            }
        }
        pieces.sort_unstable_by_key(|(place, _)| *place);
        // The areas of one annotation may overlap.
        pieces.dedup();
        let bytes: usize = pieces.iter().map(|(_, piece)| piece.len() + 1).sum();
        if pieces.is_empty() || !structure.spend(bytes) {
            return None;
        }
        let pieces: Vec<&str> = pieces.into_iter().map(|(_, piece)| piece).collect();
        Some(pieces.join(" "))
    };
    found
        .into_iter()
        .map(|found| Annotation {
            marked: marked(&found.marked),
            ..found.annotation
        })
        .collect()
}

fn middle(a: f32, b: f32) -> f32 {
    (a + b) / 2.0
}

/// The part of a word in an area. A word is marked completely or not at all. In scripts without
/// spaces, however, a "word" is a line, and part of it may be marked.
fn part_within(word: &Word, area: Rect) -> Option<&str> {
    let width = word.bbox.x2 - word.bbox.x1;
    let (from, to) = (area.x1.max(word.bbox.x1), area.x2.min(word.bbox.x2));
    if to < from {
        return None;
    }
    let count = word.text.chars().count();
    if count > 1 && width > 0.0 && word.text.chars().any(is_without_spaces) {
        let place = |x: f32| ((x - word.bbox.x1) / width * count as f32).round() as usize;
        let mut starts = word.text.char_indices().map(|(at, _)| at);
        let first = starts.clone().nth(place(from)).unwrap_or(word.text.len());
        let last = starts.nth(place(to)).unwrap_or(word.text.len());
        return word.text.get(first..last).filter(|part| !part.is_empty());
    }
    (to - from >= MIN_MARKED_SHARE * width).then_some(word.text.as_str())
}

/// Whether a character is of a script that has no spaces between words.
fn is_without_spaces(c: char) -> bool {
    matches!(u32::from(c), 0xe00..=0xeff | 0x2e80..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}
