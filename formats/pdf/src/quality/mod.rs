//! Can the text of a document be used, or does it have to be read from pictures?

mod east_asian;
mod garbled;
mod letters;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::model::Page;

use garbled::garbled;
pub use garbled::{Garbled, evidence};

/// With this score and more, a text is of no use.
pub const GARBLED: f32 = 0.4;

/// A judgement of fewer characters is none.
const ENOUGH_TO_JUDGE: u32 = 20;

/// Fewer characters without a meaning may be ornaments or bullets.
const ENOUGH_UNKNOWN: u32 = 6;

/// Text of fewer characters is hardly any: a page number, a stamp such as courts put on each page.
const HARDLY_ANY: u32 = 100;

/// Stamps of several lines may be longer, but they are the same on other pages.
const LONGEST_STAMP: u32 = 400;

/// As much invisible text says that the picture was read already.
const READ_ALREADY: u32 = 50;

/// An image that covers so much of a page is the page, or a background.
const MOST_OF_PAGE: f32 = 0.5;

/// A document is to be read if this share of its pages is.
const SHARE_OF_PAGES: f32 = 0.2;

/// What decides whether a page has to be read from its picture; small, to be kept for all pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageFacts {
    /// Letters and digits, about: characters that say as much as a syllable count for several.
    pub text: u32,
    pub characters: u32,
    pub unmapped: u32,
    pub invisible: u32,
    pub image_cover: f32,
    pub garbled: Garbled,
    /// A number for the text, the same for texts that differ in digits only, such as those of a
    /// stamp that counts pages. None for a text that is too long for that, or too short.
    pub stamp: Option<u64>,
}

impl PageFacts {
    pub fn of(page: &Page) -> Self {
        let weights = page.text.chars().filter(|c| is_meaningful(*c)).map(weight);
        let text = weights.fold(0, u32::saturating_add);
        Self {
            text,
            characters: page.characters,
            unmapped: page.unmapped,
            invisible: page.invisible,
            image_cover: page.image_cover,
            garbled: garbled(&page.text, page.characters, page.unmapped),
            stamp: (1..=LONGEST_STAMP)
                .contains(&text)
                .then(|| stamp(&page.text)),
        }
    }

    /// Does the page, seen alone, have to be read from its picture? Not if it is blank.
    pub fn needs_ocr(&self) -> bool {
        self.is_useless() || (self.is_picture() && self.text < HARDLY_ANY)
    }

    fn needs_ocr_among(&self, stamps: &HashMap<u64, u32>) -> bool {
        let is_stamped = || {
            let pages = self.stamp.and_then(|stamp| stamps.get(&stamp));
            pages.is_some_and(|pages| *pages > 1)
        };
        self.needs_ocr() || (self.is_picture() && is_stamped())
    }

    /// There is text, but it cannot be read.
    fn is_useless(&self) -> bool {
        let is_garbled =
            self.characters.max(self.text) >= ENOUGH_TO_JUDGE && self.garbled.share() >= GARBLED;
        is_garbled || self.is_mostly_unknown()
    }

    /// Most characters have no known meaning: that takes fewer of them to see than garbled words do.
    fn is_mostly_unknown(&self) -> bool {
        self.characters >= ENOUGH_UNKNOWN && self.unmapped > self.characters / 2
    }

    /// There is a picture that may have text, and that nobody has read.
    fn is_picture(&self) -> bool {
        self.image_cover >= MOST_OF_PAGE && self.invisible < READ_ALREADY
    }
}

/// Does a document have to be read from pictures, since much of it has no text, or none of use?
/// Blank pages do not count.
pub fn needs_ocr(pages: &[PageFacts]) -> bool {
    let mut stamps = HashMap::new();
    for stamp in pages.iter().filter_map(|page| page.stamp) {
        *stamps.entry(stamp).or_insert(0_u32) += 1;
    }
    let is_blank = |page: &&PageFacts| page.characters == 0 && page.image_cover < MOST_OF_PAGE;
    let shown = pages.iter().filter(|page| !is_blank(page)).count();
    let wanting = pages
        .iter()
        .filter(|page| page.needs_ocr_among(&stamps))
        .count();
    wanting > 0 && wanting as f32 >= shown as f32 * SHARE_OF_PAGES
}

/// Is there anything to read in a text?
pub fn has_text(text: &str) -> bool {
    text.chars().any(is_meaningful)
}

fn is_meaningful(c: char) -> bool {
    c.is_alphanumeric()
}

fn weight(c: char) -> u32 {
    if east_asian::is_one_of_many(c) { 3 } else { 1 }
}

fn stamp(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let letters = text.chars().filter(|c| c.is_alphabetic());
    letters.for_each(|c| c.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests;
