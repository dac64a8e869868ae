//! Judges whether the text of a document is usable, or whether the document needs OCR.
//!
//! ```text
//! garbled     characters with no meaning, or a wrong one
//! letters     a model of text in any language
//! east_asian  Chinese, Japanese and Korean characters
//! ```

mod east_asian;
mod garbled;
mod letters;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::model::{FontUse, Page};

use garbled::garbled;
pub use garbled::{Garbled, evidence, implausible};

/// Minimum share of garbled characters that makes a text useless.
pub const MIN_GARBLED_SHARE: f32 = 0.4;

/// The minimum number of characters to judge.
const MIN_JUDGED_CHARACTERS: u32 = 20;

/// The minimum number of unknown characters; fewer may be ornaments or bullets.
const MIN_UNKNOWN_CHARACTERS: u32 = 6;

/// Minimum number of characters of a scanned page that needs no OCR. Fewer may be a page number, or
/// a stamp such as a court's.
const MIN_CHARACTERS_ON_PICTURE: u32 = 100;

/// The maximum length of a stamp of several lines, in characters. Stamps repeat on other pages.
const MAX_STAMP_CHARACTERS: u32 = 400;

/// Minimum number of invisible characters that shows that the image has been through OCR.
const MIN_OCR_CHARACTERS: u32 = 50;

/// Minimum share of a page covered by an image that is the page itself, or a background.
const MIN_PICTURE_COVER_SHARE: f32 = 0.5;

/// Minimum share of characters in fonts of useless text for a page to need OCR. With less, the rest
/// of the text is usable.
const MIN_BROKEN_SHARE: f32 = 0.2;

/// Minimum share of pages that need OCR for the document to need it.
const MIN_OCR_PAGE_SHARE: f32 = 0.2;

/// The facts that decide whether a page needs OCR; small enough to keep for all pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageFacts {
    /// The approximate number of letters and digits. Characters that represent a syllable or word
    /// count several times.
    pub text: u32,
    pub characters: u32,
    pub unmapped: u32,
    pub invisible: u32,
    pub image_cover: f32,
    pub garbled: Garbled,
    /// The number of characters in fonts whose text is useless; see [`is_broken`].
    pub in_broken_fonts: u32,
    /// A hash of the text without digits, which is therefore the same for stamps that count pages.
    /// `None` if the text is empty, or too long for a stamp.
    pub stamp: Option<u64>,
    /// Whether part of the page could not be read.
    pub is_incomplete: bool,
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
            in_broken_fonts: page
                .fonts
                .iter()
                .filter(|font| is_broken(font))
                .fold(0, |sum, font| sum.saturating_add(font.characters)),
            stamp: (1..=MAX_STAMP_CHARACTERS)
                .contains(&text)
                .then(|| stamp(&page.text)),
            is_incomplete: page.failure.is_some(),
        }
    }

    /// Whether the page needs OCR, and why, given the stamps of the document. A blank page does
    /// not.
    pub fn ocr(&self, stamps: &Stamps) -> PageOcr {
        let is_stamped = || self.stamp.is_some_and(|stamp| stamps.repeats(stamp));
        let reason = if self.is_picture() && self.text < MIN_CHARACTERS_ON_PICTURE {
            Some(OcrReason::Picture)
        } else if self.is_picture() && is_stamped() {
            Some(OcrReason::Stamp)
        } else if self.is_mostly_unknown() {
            Some(OcrReason::Unmapped)
        } else if self.is_garbled() {
            Some(OcrReason::Garbled)
        } else if self.has_broken_fonts() {
            Some(OcrReason::Font)
        } else {
            None
        };
        PageOcr {
            is_needed: unless_incomplete(reason.is_some(), self.is_incomplete),
            reason,
        }
    }

    /// Whether the page, considered alone, needs OCR. A blank page does not. `None` if it is
    /// incomplete and the part that was read does not need OCR.
    pub fn needs_ocr(&self) -> Option<bool> {
        self.ocr(&Stamps::default()).is_needed
    }

    /// Whether the page has any text. `None` if it is incomplete and the part that was read has
    /// none.
    pub fn has_text(&self) -> Option<bool> {
        unless_incomplete(self.text > 0, self.is_incomplete)
    }

    /// The share of garbled text, from 0 to 1. `None` if the page is incomplete and the part that
    /// was read has no text.
    pub fn garbled_share(&self) -> Option<f32> {
        self.has_text().map(|_| self.garbled.share())
    }

    fn is_garbled(&self) -> bool {
        self.characters.max(self.text) >= MIN_JUDGED_CHARACTERS
            && self.garbled.share() >= MIN_GARBLED_SHARE
    }

    /// Whether much of the text is in fonts whose text is useless.
    fn has_broken_fonts(&self) -> bool {
        self.in_broken_fonts > 0
            && self.in_broken_fonts as f32 >= self.characters as f32 * MIN_BROKEN_SHARE
    }

    /// Whether most characters are unknown. This needs fewer characters than detecting garbled
    /// words.
    fn is_mostly_unknown(&self) -> bool {
        self.characters >= MIN_UNKNOWN_CHARACTERS && self.unmapped > self.characters / 2
    }

    /// Whether the page is an image that may contain text and has not been through OCR.
    fn is_picture(&self) -> bool {
        self.image_cover >= MIN_PICTURE_COVER_SHARE && self.invisible < MIN_OCR_CHARACTERS
    }
}

/// Whether the text of a font is useless.
pub fn is_broken(font: &FontUse) -> bool {
    let bad = font.unmapped.saturating_add(font.implausible);
    font.characters >= MIN_JUDGED_CHARACTERS
        && bad as f32 >= font.characters as f32 * MIN_GARBLED_SHARE
}

/// Whether a page needs OCR, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageOcr {
    /// `None` if parts could not be read, and those that were read do not need OCR.
    pub is_needed: Option<bool>,
    pub reason: Option<OcrReason>,
}

/// Whether a document needs OCR, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocumentOcr {
    /// `None` if parts could not be read, and those that were read do not need OCR.
    pub is_needed: Option<bool>,
    /// The number of pages that need OCR. If only a few do, the document does not need it.
    pub pages: usize,
    /// The most frequent reason, if the document needs OCR.
    pub reason: Option<OcrReason>,
}

/// Why a page needs OCR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OcrReason {
    /// The page is an image, with little text or none.
    Picture,
    /// The page is an image, with a stamp that is also on other pages.
    Stamp,
    /// Most characters have no known meaning.
    Unmapped,
    /// The text resembles no language.
    Garbled,
    /// Much of the text is in fonts whose text is useless.
    Font,
}

impl OcrReason {
    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Stamp => "stamp",
            Self::Unmapped => "unmapped",
            Self::Garbled => "garbled",
            Self::Font => "font",
        }
    }
}

/// How many pages of a document have each stamp.
#[derive(Clone, Debug, Default)]
pub struct Stamps(HashMap<u64, u32>);

impl Stamps {
    pub fn of(pages: &[PageFacts]) -> Self {
        let mut stamps = HashMap::new();
        for stamp in pages.iter().filter_map(|page| page.stamp) {
            *stamps.entry(stamp).or_insert(0_u32) += 1;
        }
        Self(stamps)
    }

    fn repeats(&self, stamp: u64) -> bool {
        self.0.get(&stamp).is_some_and(|pages| *pages > 1)
    }
}

/// Whether a document needs OCR because many of its pages have no usable text. Blank pages do not
/// count. `None` if a page is incomplete and the other pages do not need OCR.
pub fn needs_ocr(pages: &[PageFacts]) -> Option<bool> {
    ocr(pages).is_needed
}

/// Like [`needs_ocr`], with the number of pages and the most frequent reason.
pub fn ocr(pages: &[PageFacts]) -> DocumentOcr {
    let stamps = Stamps::of(pages);
    let is_blank =
        |page: &&PageFacts| page.characters == 0 && page.image_cover < MIN_PICTURE_COVER_SHARE;
    let shown = pages.iter().filter(|page| !is_blank(page)).count();
    let mut reasons: Vec<OcrReason> = pages
        .iter()
        .filter_map(|page| page.ocr(&stamps).reason)
        .collect();
    reasons.sort_unstable();
    let needing_ocr = reasons.len();
    let is_needed = needing_ocr > 0 && needing_ocr as f32 >= shown as f32 * MIN_OCR_PAGE_SHARE;
    // If reasons are equally frequent, take the first.
    let by_reason = reasons.chunk_by(|a, b| a == b).rev();
    let most = by_reason.max_by_key(|pages| pages.len());
    DocumentOcr {
        pages: needing_ocr,
        is_needed: unless_incomplete(is_needed, pages.iter().any(|page| page.is_incomplete)),
        reason: most
            .and_then(|pages| pages.first())
            .copied()
            .filter(|_| is_needed),
    }
}

/// `None` instead of `false` if something was not read, because it might make the answer true.
fn unless_incomplete(answer: bool, is_incomplete: bool) -> Option<bool> {
    (answer || !is_incomplete).then_some(answer)
}

/// Whether any page has a letter or digit. `None` if none has, but a page is incomplete.
pub fn has_text(pages: &[PageFacts]) -> Option<bool> {
    let is_incomplete = pages.iter().any(|page| page.is_incomplete);
    unless_incomplete(pages.iter().any(|page| page.text > 0), is_incomplete)
}

fn is_meaningful(c: char) -> bool {
    c.is_alphanumeric()
}

fn weight(c: char) -> u32 {
    if east_asian::is_in_large_block(c) {
        3
    } else {
        1
    }
}

fn stamp(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let letters = text.chars().filter(|c| c.is_alphabetic());
    letters.for_each(|c| c.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests;
