//! The page's declared title, and the paragraph that repeats it: the headline of the article.

use super::block::{Block, weight};
use crate::html::events::{Element, Events};
use crate::html::extract::Kind;
use crate::markup::Name;

/// Longer titles are cut.
const MAX_TITLE_BYTES: usize = 1024;
/// A headline with less weight may be a label that the title contains by chance.
const MIN_WEIGHT: u32 = 8;
/// The share of the title that its headline repeats, at least. The rest is the site's name.
const MIN_SHARE: f32 = 0.3;

/// The share of the running text that comes before the headline, at most.
const MAX_SHARE_BEFORE: f32 = 0.5;

/// Listens for the titles that a page declares: `title`, and those in meta elements.
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
            Name::META => self.read_meta(element),
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
}

impl Titles {
    #[cold]
    fn read_meta(&mut self, element: &Element<'_>) {
        let names = ["property", "name", "itemprop"];
        let is_title = names
            .iter()
            .filter_map(|name| element.attribute(name))
            .any(|name| {
                ["og:title", "twitter:title", "headline"]
                    .iter()
                    .any(|title| name.trim().eq_ignore_ascii_case(title))
            });
        if is_title && self.declared.len() < 4 {
            let mut title = String::new();
            push(&mut title, &element.attribute("content").unwrap_or_default());
            self.declared.push(title);
        }
    }

    /// The index of the paragraph that repeats most of a title. Headings go before other text.
    /// Most of the running text comes after it.
    pub fn headline(&self, blocks: &[Block<'_>]) -> Option<usize> {
        let titles: Vec<String> = self
            .declared
            .iter()
            .chain([&self.title])
            .map(|title| letters(title))
            .collect();
        let running = |block: &Block<'_>| match block.kind {
            Kind::Text => block.running_weight(),
            _ => 0.0,
        };
        let total: f32 = blocks.iter().map(running).sum();
        let mut before = 0.0;
        let mut best = None;
        let mut best_score = (false, 0);
        for (index, block) in blocks.iter().enumerate() {
            before += running(block);
            if before > total * MAX_SHARE_BEFORE {
                break;
            }
            if block.text.len() > 2 * MAX_TITLE_BYTES || !(block.is_heading || !block.is_navigation())
            {
                continue;
            }
            let text = letters(block.text);
            let matched = titles.iter().map(|title| matched(title, &text)).max();
            let score = (block.is_heading, matched.unwrap_or_default());
            if score.1 > 0 && score > best_score {
                best = Some(index);
                best_score = score;
            }
        }
        best
    }
}

/// The weight that a title and a text have in common: all of one of them, or nothing.
fn matched(title: &str, text: &str) -> u32 {
    if text.is_empty() || title.is_empty() {
        return 0;
    }
    let (common, whole) = if title.contains(text) {
        (weight(text), weight(title))
    } else if text.contains(title) {
        (weight(title), weight(text))
    } else {
        return 0;
    };
    let is_enough = common >= MIN_WEIGHT && common as f32 >= whole as f32 * MIN_SHARE;
    if is_enough { common } else { 0 }
}

/// Letters and digits, in lower case: what is left when punctuation and spaces differ.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Appends as much as there is room for.
fn push(title: &mut String, text: &str) {
    let room = MAX_TITLE_BYTES.saturating_sub(title.len());
    let end = text.floor_char_boundary(room);
    title.push_str(text.get(..end).unwrap_or_default());
}
