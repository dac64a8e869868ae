//! Counts of the parts of a page: elements, and words in the names of elements.

use crate::events::{Element, Events};
use corpus_markup::Name;

/// A typical part of some kinds of page, recognized by a word in its class, id or role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Author,
    Cart,
    Comment,
    /// Questions with answers, or sections that can be opened.
    Faq,
    /// Controls that sort and filter items.
    Filter,
    Gallery,
    Grid,
    Post,
    Price,
    Product,
    Review,
    Sidebar,
    Tabs,
    Thread,
    User,
}

/// The number of parts.
const PARTS: usize = Part::User as usize + 1;

/// The words of each part. A word of `hints` counts as a part only if it is repeated here.
pub const WORDS: &[(&str, Part)] = &[
    ("accordion", Part::Faq),
    ("author", Part::Author),
    ("author-info", Part::Author),
    ("avatar", Part::User),
    ("basket", Part::Cart),
    ("byline", Part::Author),
    ("carousel", Part::Gallery),
    ("cart", Part::Cart),
    ("comment", Part::Comment),
    ("facet", Part::Filter),
    ("faq", Part::Faq),
    ("filter", Part::Filter),
    ("forum", Part::Thread),
    ("gallery", Part::Gallery),
    ("grid", Part::Grid),
    ("member", Part::User),
    ("message", Part::Post),
    ("post", Part::Post),
    ("price", Part::Price),
    ("product", Part::Product),
    ("rating", Part::Review),
    ("replies", Part::Comment),
    ("reply", Part::Comment),
    ("review", Part::Review),
    ("sidebar", Part::Sidebar),
    ("slide", Part::Gallery),
    ("sort", Part::Filter),
    ("swiper", Part::Gallery),
    ("tabs", Part::Tabs),
    ("thread", Part::Thread),
    ("tile", Part::Grid),
    ("topic", Part::Thread),
    ("user", Part::User),
];

/// The number of occurrences of each part.
#[derive(Debug, Default)]
pub struct Parts([u32; PARTS]);

impl Parts {
    pub fn add(&mut self, part: Part) {
        if let Some(count) = self.0.get_mut(part as usize) {
            *count = count.saturating_add(1);
        }
    }

    pub fn count(&self, part: Part) -> u32 {
        self.0.get(part as usize).copied().unwrap_or_default()
    }

    pub fn has(&self, part: Part) -> bool {
        self.count(part) > 0
    }
}

/// A listener that counts elements.
#[derive(Debug, Default)]
pub struct Elements {
    pub articles: u32,
    pub codes: u32,
    pub figures: u32,
    pub pictures: u32,
    pub times: u32,
}

impl Events for Elements {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        let count = match element.name {
            Name::ARTICLE => &mut self.articles,
            Name::CODE => &mut self.codes,
            Name::FIGURE => &mut self.figures,
            Name::IMG => &mut self.pictures,
            Name::TIME => &mut self.times,
            _ => return,
        };
        *count = count.saturating_add(1);
    }

    fn close(&mut self, _: Name) {}

    fn text(&mut self, _: &str) {}
}
