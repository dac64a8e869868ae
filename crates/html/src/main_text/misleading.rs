//! Words that hint at boilerplate, but mean something else on a page.
//!
//! Page builders call every part of a page a widget, and a shop's product list may be a search
//! result. A word that removes most of a page is therefore misleading, and so is a word around the
//! headline. But real boilerplate can also be larger than the main content:
//!
//! - Navigation, footers and the like are larger on many pages that show little else. Their words
//!   are misleading only if they leave hardly any running text.
//! - Comments may be longer than an article. They are misleading only if there is no article, or
//!   if the page declares a discussion.
//! - Notices may be longer than a short article. They are misleading only if hardly any running
//!   text is left.
//!
//! Other words apply only to pages of some kinds, and are misleading on all others.

use super::block::Block;
use super::containers::Containers;
use super::declared::Declared;
use super::item::Microdata;
use super::words::Words;

/// Maximum share that a word may remove without being misleading.
const MAX_REMOVED_SHARE: f32 = 0.5;
/// Minimum share of all text that a misleading word removes: on a page of links, a side bar may
/// have most of the running text.
const MIN_REMOVED_SHARE: f32 = 0.4;
/// The text in one container is an article if it has this number of paragraphs ...
const MIN_ARTICLE_PARAGRAPHS: u32 = 4;
/// ... and this weight, ...
const MIN_ARTICLE_WEIGHT: f32 = 400.0;
/// ... or with this weight.
const MIN_LONG_PARAGRAPH_WEIGHT: f32 = 1500.0;
/// Clear words are misleading if they leave less running text than this, ...
const MIN_LEFT_WEIGHT: f32 = 300.0;
/// ... and a smaller share of all running text. Notices are often the only text shown without
/// scripts, so they must also be most of the page's text.
const MIN_LEFT_SHARE: f32 = 0.1;

/// Returns the misleading words of a page. `holders` contains the container that directly contains
/// the text of each container.
pub fn misleading_words(
    containers: &Containers,
    blocks: &[Block<'_>],
    holders: &[usize],
    headline: Option<&Block<'_>>,
    declared: &Declared,
) -> Words {
    let inapplicable = inapplicable_words(containers, declared);
    let words = containers.words();
    let words_around = |block: &Block<'_>| {
        let words = words.get(block.container).copied().unwrap_or_default();
        words.without(inapplicable)
    };
    let tally_without = |known: Words| {
        let mut tally = Tally::new(containers.all.len());
        for block in blocks {
            let holder = holders.get(block.container).copied().unwrap_or_default();
            tally.add(block, words_around(block).without(known), holder);
        }
        tally
    };
    let mut by_amount = tally_without(Words::NONE).misleading();
    // A notice that is most of a page is not its content, so it needs a further reason to be kept.
    let known = by_amount.without(Words::NOTICES);
    if known.overlaps(Words::CLEAR) {
        // Without a clear word, unclear ones on the same elements may still remove everything.
        let tally = tally_without(known);
        if tally.has_little_left() {
            by_amount = by_amount.and(tally.misleading().without(Words::CLEAR));
        }
    }
    let around_headline = headline
        .filter(|headline| headline.is_heading)
        .map_or(Words::NONE, words_around);
    let misleading = around_headline.without(Words::FRAME);
    // Clear words explain why the headline is boilerplate; unclear ones next to them may be right.
    let clear = misleading.within(Words::CLEAR);
    let by_headline = if around_headline.overlaps(Words::CLEAR) {
        clear
    } else {
        misleading
    };
    by_headline.and(by_amount).and(inapplicable)
}

/// The words that indicate nothing on a page of this kind.
fn inapplicable_words(containers: &Containers, declared: &Declared) -> Words {
    let mut items = containers.all.iter().map(|container| container.item);
    let is_product = !declared.is_article()
        && (declared.is_product
            || declared.products > 0
            || items.any(|item| item == Microdata::Product));
    let reviews = if is_product {
        Words::NONE
    } else {
        Words::REVIEWS
    };
    let others = if declared.is_discussion {
        Words::COMMENTS
    } else {
        Words::SIGNATURES
    };
    reviews.and(others).and(Words::CAROUSELS)
}

/// The amounts of text that each word removes.
struct Tally {
    found: Words,
    /// The running text outside all hints, ...
    left: f32,
    /// ... its number of paragraphs and weight in each container, ...
    articles: Vec<(u32, f32)>,
    /// ... and the text of the page.
    page: Amount,
    /// The text outside clear hints.
    unclear: Amount,
    removed: [Amount; Words::MAX_COUNT],
}

#[derive(Debug, Clone, Copy, Default)]
struct Amount {
    all: f32,
    running: f32,
}

impl Amount {
    fn add(&mut self, block: &Block<'_>) {
        self.all += block.weight as f32;
        self.running += block.running_weight();
    }

    fn is_most_text(&self, of: &Self) -> bool {
        self.all > of.all * MAX_REMOVED_SHARE
    }

    fn is_most_running_text(&self, of: &Self) -> bool {
        self.running > of.running * MAX_REMOVED_SHARE
    }
}

impl Tally {
    fn new(containers: usize) -> Self {
        Self {
            found: Words::NONE,
            left: 0.0,
            articles: vec![(0, 0.0); containers],
            page: Amount::default(),
            unclear: Amount::default(),
            removed: [Amount::default(); Words::MAX_COUNT],
        }
    }

    /// Adds a block inside elements with these words.
    fn add(&mut self, block: &Block<'_>, words: Words, holder: usize) {
        let running = block.running_weight();
        self.page.add(block);
        if words.is_empty() {
            self.left += running;
            if let Some((paragraphs, weight)) = self.articles.get_mut(holder)
                && block.is_running()
            {
                *paragraphs += 1;
                *weight += running;
            }
        }
        let mut removing = words.within(Words::CLEAR);
        if removing.is_empty() {
            self.unclear.add(block);
            removing = words;
        }
        self.found = self.found.and(removing);
        for word in removing.iter() {
            if let Some(removed) = self.removed.get_mut(word) {
                removed.add(block);
            }
        }
    }

    fn has_article(&self) -> bool {
        self.articles.iter().any(|(paragraphs, weight)| {
            (*paragraphs >= MIN_ARTICLE_PARAGRAPHS && *weight >= MIN_ARTICLE_WEIGHT)
                || *weight >= MIN_LONG_PARAGRAPH_WEIGHT
        })
    }

    fn has_little_left(&self) -> bool {
        self.left < MIN_LEFT_WEIGHT.min(self.page.running * MIN_LEFT_SHARE)
    }

    fn misleading(&self) -> Words {
        let mut misleading = Words::NONE;
        let mut candidates = self.found;
        let has_article = self.has_article();
        if has_article {
            candidates = candidates.without(Words::LONG);
        }
        // Reviews may be much longer than the description of a product.
        candidates = candidates.without(Words::REVIEWS);
        if self.unclear.running >= MIN_LEFT_WEIGHT {
            candidates = candidates.without(Words::NOTICES);
        }
        if !self.has_little_left() {
            candidates = candidates.without(Words::CLEAR);
        }
        for index in candidates.iter() {
            let word = Words::NONE.with(index);
            let removed = self.removed.get(index).copied().unwrap_or_default();
            let is_misleading = if !word.is_within(Words::CLEAR) {
                let share = self.unclear.all * MIN_REMOVED_SHARE;
                (removed.is_most_running_text(&self.unclear) && removed.all > share)
                    || (!has_article && removed.is_most_text(&self.unclear))
            } else {
                removed.is_most_running_text(&self.page)
                    && (!word.is_within(Words::NOTICES) || removed.is_most_text(&self.page))
            };
            if is_misleading {
                misleading = misleading.with(index);
            }
        }
        misleading
    }
}
