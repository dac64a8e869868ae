//! The declared titles of a page, and the paragraph that repeats one: the headline of the article.

use super::block::Block;
use super::weight::weight;
use crate::events::{Element, Events};
use crate::extract::Kind;
use corpus_markup::Name;
use memchr::memmem;

/// Longer titles are truncated.
const MAX_TITLE_BYTES: usize = 512;
/// Maximum number of titles in meta elements.
const MAX_DECLARED_TITLES: usize = 2;
/// Maximum number of paragraphs compared with the titles, which bounds the time on hostile pages.
const MAX_CANDIDATES: usize = 2000;
/// A text with a lower weight may occur in the title by chance.
const MIN_WEIGHT: u32 = 8;
/// The headline repeats at least this share of the title; the rest is the site's name.
const MIN_TITLE_SHARE: f32 = 0.3;
/// A heading after this weight of running text in the same container is a section heading.
const MAX_WEIGHT_BEFORE: f32 = 300.0;
/// Maximum share of the running text before the headline.
const MAX_SHARE_BEFORE: f32 = 0.5;

/// A listener for the titles that a page declares in `title` and meta elements.
#[derive(Debug, Default)]
pub struct Titles {
    title: String,
    is_open: bool,
    declared: Vec<String>,
}

impl Events for Titles {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        match element.name {
            Name::TITLE if self.title.is_empty() && !element.foreign => self.is_open = true,
            Name::META if self.declared.len() < MAX_DECLARED_TITLES => self.read_meta(element),
            _ => {}
        }
    }

    #[inline]
    fn close(&mut self, name: Name) {
        if name == Name::TITLE {
            self.is_open = false;
        }
    }

    #[inline]
    fn text(&mut self, text: &str) {
        if self.is_open {
            push(&mut self.title, text);
        }
    }

    #[inline]
    fn wants_text(&self) -> bool {
        self.is_open
    }
}

impl Titles {
    #[cold]
    fn read_meta(&mut self, element: &Element<'_>) {
        let is_title = ["property", "name", "itemprop"]
            .iter()
            .filter_map(|attribute| element.attribute(attribute))
            .any(|name| {
                let name = name.trim();
                name.eq_ignore_ascii_case("og:title")
                    || name.eq_ignore_ascii_case("twitter:title")
                    || name.eq_ignore_ascii_case("headline")
            });
        if is_title {
            let mut title = String::new();
            push(
                &mut title,
                &element.attribute("content").unwrap_or_default(),
            );
            self.declared.push(title);
        }
    }

    /// Returns the index of the paragraph that repeats most of a title, headings first. `holders`
    /// contains the container that directly contains the text of each container.
    pub fn headline(&self, blocks: &[Block<'_>], holders: &[usize]) -> Option<usize> {
        let titles = self.declared.iter().chain([&self.title]);
        let mut titles: Vec<Letters> = titles.map(|title| Letters::of(title)).collect();
        titles.dedup();
        let longest = titles.iter().map(|title| title.text.len()).max()?;
        let mut best = None;
        let mut best_score = (false, 0);
        let mut before = TextBefore::new(blocks, holders);
        for index in candidates(blocks, longest) {
            let Some(block) = blocks.get(index) else {
                continue;
            };
            // No other text is preferred to a heading.
            if best_score.0 && !block.is_heading {
                continue;
            }
            let text = Letters::of(block.text);
            let least = if best_score.0 == block.is_heading {
                best_score.1
            } else {
                0
            };
            let common = titles.iter().map(|title| title.common_weight(&text, least));
            let score = (block.is_heading, common.max().unwrap_or_default());
            if score > best_score && score.1 > 0 && before.weight(index) < MAX_WEIGHT_BEFORE {
                best = Some(index);
                best_score = score;
            }
        }
        best
    }
}

/// Sums the running text before successive blocks.
struct TextBefore<'a, 'b> {
    blocks: &'a [Block<'b>],
    holders: &'a [usize],
    /// The weight of the running text in each container before the block at `index`.
    weights: Vec<f32>,
    index: usize,
    /// The index of the first block of running text after that.
    next: usize,
}

impl<'a, 'b> TextBefore<'a, 'b> {
    fn new(blocks: &'a [Block<'b>], holders: &'a [usize]) -> Self {
        Self {
            blocks,
            holders,
            weights: vec![0.0; holders.len()],
            index: 0,
            next: 0,
        }
    }

    /// Returns the weight of the running text before a block, in the container of the next running
    /// text. The indexes of successive calls must ascend, which bounds the time.
    fn weight(&mut self, index: usize) -> f32 {
        while let Some(block) = self.blocks.get(self.index)
            && self.index < index
        {
            let holder = self.holder(block);
            if let Some(weight) = self.weights.get_mut(holder) {
                *weight += running_text(block);
            }
            self.index += 1;
        }
        self.next = self.next.max(index.saturating_add(1));
        while let Some(block) = self.blocks.get(self.next)
            && !block.is_running()
        {
            self.next += 1;
        }
        let next = self.blocks.get(self.next);
        let weight = next.and_then(|block| self.weights.get(self.holder(block)));
        weight.copied().unwrap_or_default()
    }

    fn holder(&self, block: &Block<'_>) -> usize {
        let holder = self.holders.get(block.container).copied();
        holder.unwrap_or_default()
    }
}

/// The indexes of possible headlines: short paragraphs before most of the text.
fn candidates(blocks: &[Block<'_>], title_bytes: usize) -> impl Iterator<Item = usize> {
    let total: f32 = blocks.iter().map(running_text).sum();
    let mut before = 0.0;
    let blocks = blocks.iter().enumerate().take_while(move |(_, block)| {
        before += running_text(block);
        before <= total * MAX_SHARE_BEFORE
    });
    let max_bytes = title_bytes.saturating_mul(4);
    blocks
        .filter(move |(_, block)| {
            let is_text = block.is_heading || !block.is_navigation();
            let is_code = block.kind == Kind::Preformatted;
            is_text && !is_code && block.weight >= MIN_WEIGHT && block.text.len() <= max_bytes
        })
        .take(MAX_CANDIDATES)
        .map(|(index, _)| index)
}

/// The weight of running text outside lists. Lists before a headline, such as news or menus, may be
/// long.
fn running_text(block: &Block<'_>) -> f32 {
    match block.kind {
        Kind::Text => block.running_weight(),
        _ => 0.0,
    }
}

/// The letters and digits of a text, and their weight.
#[derive(PartialEq, Eq)]
struct Letters {
    text: String,
    weight: u32,
}

impl Letters {
    fn of(text: &str) -> Self {
        let text = letters(text);
        Self {
            weight: weight(&text),
            text,
        }
    }

    /// The weight of the text that this and another text share, if one contains the other, and if
    /// it is more than `least`; otherwise 0.
    fn common_weight(&self, other: &Self, least: u32) -> u32 {
        let (part, whole) = if self.text.len() < other.text.len() {
            (self, other)
        } else {
            (other, self)
        };
        let common = part.weight;
        let is_enough =
            common >= MIN_WEIGHT && common as f32 >= whole.weight as f32 * MIN_TITLE_SHARE;
        // Comparing weights is cheaper than searching.
        let is_candidate = common > least && is_enough;
        if is_candidate && memmem::find(whole.text.as_bytes(), part.text.as_bytes()).is_some() {
            common
        } else {
            0
        }
    }
}

/// The letters and digits in lower case. Punctuation and spaces often differ between titles.
pub fn letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    for character in text.chars() {
        // The standard library searches long tables for characters that are not ASCII.
        if character.is_ascii_alphanumeric() {
            letters.push(character.to_ascii_lowercase());
        } else if is_east_asian(character) {
            letters.push(character);
        } else if character.is_alphanumeric() {
            letters.extend(character.to_lowercase());
        }
    }
    letters
}

/// Whether this is a common letter without case: kana, an ideograph or Hangul.
fn is_east_asian(character: char) -> bool {
    matches!(character, 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '\u{4e00}'..='\u{9fff}' | '가'..='힣')
}

/// Appends as much of the text as fits.
fn push(title: &mut String, text: &str) {
    let room = MAX_TITLE_BYTES.saturating_sub(title.len());
    let end = text.floor_char_boundary(room);
    title.push_str(text.get(..end).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_standard_library() {
        for character in '\0'..=char::MAX {
            let expected: String = if character.is_alphanumeric() {
                character.to_lowercase().collect()
            } else {
                String::new()
            };
            let mut buffer = [0; 4];
            assert_eq!(letters(character.encode_utf8(&mut buffer)), expected);
        }
    }
}
