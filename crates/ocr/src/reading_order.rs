//! The reading order of a page in PAGE XML.
//!
//! A list before the regions declares the order in which they are read. The regions themselves are
//! often in the order in which they were found.

use std::collections::HashMap;
use std::ops::Range;

use corpus_markup::Tag;

use super::text::{Checkpoint, Gap, TextBuffer};

/// Collects the order and the texts of the regions of one page.
#[derive(Default)]
pub(super) struct ReadingOrder {
    /// The index of each open group, and the number of its members so far.
    groups: Vec<(u32, u32)>,
    /// The index of each group around a region, then its own index, by the id of the region.
    places: HashMap<String, Vec<u32>>,
    /// The ids of regions, and the ranges of their texts.
    texts: Vec<(String, Range<usize>)>,
}

impl ReadingOrder {
    /// Reads an element inside `ReadingOrder`. Returns `false` for any other element.
    pub fn start(&mut self, name: &str, tag: &Tag<'_>) -> bool {
        match name {
            "OrderedGroup" | "UnorderedGroup" | "OrderedGroupIndexed" | "UnorderedGroupIndexed" => {
                if !tag.self_closing() && self.groups.len() < MAX_DEPTH {
                    let index = self.index_of(tag);
                    self.groups.push((index, 0));
                }
            }
            "RegionRef" | "RegionRefIndexed" => {
                let last = self.index_of(tag);
                if let Some(region) = tag.attributes().value("regionRef") {
                    let groups = self.groups.iter().map(|(index, _)| *index);
                    let place = groups.chain([last]).collect();
                    self.places.entry(region.into_owned()).or_insert(place);
                }
            }
            _ => return false,
        }
        true
    }

    pub fn end(&mut self, name: &str) {
        if name.ends_with("Group") || name.ends_with("GroupIndexed") {
            self.groups.pop();
        }
    }

    /// The index as written, or the number of the members before it.
    fn index_of(&mut self, tag: &Tag<'_>) -> u32 {
        let mut unnumbered = 0;
        let count = self
            .groups
            .last_mut()
            .map_or(&mut unnumbered, |group| &mut group.1);
        let index = tag.attributes().value("index");
        let index = index.and_then(|index| index.parse().ok()).unwrap_or(*count);
        *count = count.saturating_add(1);
        index
    }

    pub fn is_known(&self) -> bool {
        !self.places.is_empty()
    }

    /// Records the text of a top-level region.
    pub fn add(&mut self, id: String, text: Range<usize>) {
        if !text.is_empty() {
            self.texts.push((id, text));
        }
    }

    /// Writes the text of the page again, in this order. Regions without a place in it come last.
    pub fn arrange(self, start: Checkpoint, buffer: &mut TextBuffer) {
        let place = |id: &str| self.places.get(id);
        let mut ordered = self.texts.clone();
        ordered.sort_by(|(one, _), (other, _)| match (place(one), place(other)) {
            (Some(one), Some(other)) => one.cmp(other),
            (one, other) => one.is_none().cmp(&other.is_none()),
        });
        // Divided words at the ends of regions can only be joined now.
        let is_done = ordered == self.texts && !buffer.divides_paragraphs();
        if is_done || !self.is_known() {
            return;
        }
        buffer.keep_paragraphs(false);
        let text = buffer.current().to_owned();
        buffer.back_to(start);
        for (_, range) in ordered {
            buffer.gap(Gap::Paragraph);
            for line in text.get(range).unwrap_or_default().trim().split('\n') {
                buffer.push(line);
                buffer.gap(if line.is_empty() {
                    Gap::Paragraph
                } else {
                    Gap::Line
                });
            }
        }
    }
}

/// Deeper groups count as part of the group around them.
const MAX_DEPTH: usize = 50;
