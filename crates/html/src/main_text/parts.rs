//! Counts of the parts of a page: elements, and words in the names of elements.

use crate::events::{Element, Events};
use corpus_markup::Name;

/// A typical part of some kinds of page, recognized by a word in its class, id or role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedPart {
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
const PARTS: usize = NamedPart::User as usize + 1;

/// The words of each part. A word of `hints` counts as a part only if it is repeated here.
pub const WORDS: &[(&str, NamedPart)] = &[
    ("accordion", NamedPart::Faq),
    ("author", NamedPart::Author),
    ("author-info", NamedPart::Author),
    ("avatar", NamedPart::User),
    ("basket", NamedPart::Cart),
    ("byline", NamedPart::Author),
    ("carousel", NamedPart::Gallery),
    ("cart", NamedPart::Cart),
    ("comment", NamedPart::Comment),
    ("facet", NamedPart::Filter),
    ("faq", NamedPart::Faq),
    ("filter", NamedPart::Filter),
    ("forum", NamedPart::Thread),
    ("gallery", NamedPart::Gallery),
    ("grid", NamedPart::Grid),
    ("member", NamedPart::User),
    ("message", NamedPart::Post),
    ("post", NamedPart::Post),
    ("price", NamedPart::Price),
    ("product", NamedPart::Product),
    ("rating", NamedPart::Review),
    ("replies", NamedPart::Comment),
    ("reply", NamedPart::Comment),
    ("review", NamedPart::Review),
    ("sidebar", NamedPart::Sidebar),
    ("slide", NamedPart::Gallery),
    ("sort", NamedPart::Filter),
    ("swiper", NamedPart::Gallery),
    ("tabs", NamedPart::Tabs),
    ("thread", NamedPart::Thread),
    ("tile", NamedPart::Grid),
    ("topic", NamedPart::Thread),
    ("user", NamedPart::User),
];

/// The number of occurrences of each part.
#[derive(Debug, Clone, Default)]
pub struct Parts([u32; PARTS]);

impl Parts {
    pub fn add(&mut self, part: NamedPart) {
        if let Some(count) = self.0.get_mut(part as usize) {
            *count = count.saturating_add(1);
        }
    }

    pub fn add_all(&mut self, other: &Self) {
        for (count, added) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(added);
        }
    }

    pub fn count(&self, part: NamedPart) -> u32 {
        self.0.get(part as usize).copied().unwrap_or_default()
    }

    pub fn has(&self, part: NamedPart) -> bool {
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
