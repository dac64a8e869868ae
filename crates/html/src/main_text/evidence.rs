//! The evidence for the kind of a page.

use super::block::Block;
use super::containers::Containers;
use super::declared::Declared;
use super::item::Microdata;
use super::kind::PageKind;
use super::parts::{Elements, NamedPart};
use super::thread::{MIN_DATED_POSTS, Thread};
use crate::extract::Kind;

/// The kinds in the order of `Points`. On a tie, the first kind wins.
const KINDS: [PageKind; 7] = [
    PageKind::Article,
    PageKind::Collection,
    PageKind::Documentation,
    PageKind::Forum,
    PageKind::Listing,
    PageKind::Product,
    PageKind::Service,
];

/// The points of a page before any evidence. Four points change the odds by a factor of e.
const PRIOR: Points = [2, 0, 0, 0, 0, 0, 0];

type Points = [i32; KINDS.len()];

/// Minimum share of the running text that is in the posts of a discussion.
const MIN_SHARE_OF_POSTS: f32 = 0.5;

/// The evidence about a page.
#[derive(Debug)]
pub struct Evidence<'a, 'p, 'b> {
    pub containers: &'a Containers,
    pub declared: &'a Declared,
    pub elements: &'a Elements,
    /// All blocks, ...
    pub blocks: &'p [Block<'b>],
    /// ... and those of the main content.
    pub kept: &'a [&'p Block<'b>],
    /// Whether the main content is a list of offers.
    pub has_offers: bool,
    /// For each container, the one that directly contains its text.
    pub holders: &'a [usize],
}

impl Evidence<'_, '_, '_> {
    /// The kind of the page. Declared products and documentation, and discussions, need no points.
    pub fn kind(&self) -> PageKind {
        if is_discussion(self.containers, self.declared, self.kept) {
            PageKind::Forum
        } else if self.declared.is_product {
            PageKind::Product
        } else if self.declared.is_documentation {
            PageKind::Documentation
        } else {
            self.kind_by_points()
        }
    }

    /// Whether most of the running text is in a thread of dated posts.
    fn is_thread(&self) -> bool {
        // Few pages have several dates, so most need no search for posts.
        let dates = self.kept.iter().filter(|block| block.has_date());
        if dates.count() < MIN_DATED_POSTS as usize {
            return false;
        }
        let thread = Thread::find(self.containers, self.kept.iter().copied());
        let Some(thread) = thread.filter(|thread| thread.is_dated()) else {
            return false;
        };
        let posts = self
            .kept
            .iter()
            .filter(|block| thread.post(block).is_some());
        let in_posts: f32 = posts.map(|block| block.running_weight()).sum();
        let all: f32 = self.kept.iter().map(|block| block.running_weight()).sum();
        in_posts > all * MIN_SHARE_OF_POSTS
    }

    /// The kind with the most points. Points are rounded coefficients of a logistic regression over
    /// many pages, so each sign is weighted given all others.
    fn kind_by_points(&self) -> PageKind {
        let mut points = PRIOR;
        for (is_seen, of_kinds) in self.signs() {
            if is_seen {
                for (sum, of_kind) in points.iter_mut().zip(of_kinds) {
                    *sum += of_kind;
                }
            }
        }
        let mut best = (PageKind::Article, i32::MIN);
        for (kind, points) in KINDS.into_iter().zip(points) {
            if points > best.1 {
                best = (kind, points);
            }
        }
        best.0
    }

    /// The numbers of blocks with a price: all of them, and those of the main content.
    fn prices(&self) -> (usize, usize) {
        let all = self.blocks.iter().filter(|block| block.has_price());
        let all = all.count();
        if all == 0 {
            return (0, 0);
        }
        let kept = self.kept.iter().filter(|block| block.has_price());
        (all, kept.count())
    }

    /// Each sign: whether the page has it, and its points for each of [`KINDS`].
    #[rustfmt::skip]
    fn signs(&self) -> [(bool, Points); 51] {
        let Self { declared, elements, .. } = *self;
        let address = declared.address();
        let parts = &self.containers.parts;
        let products = declared.products.max(self.containers.items(Microdata::Product));
        let page = Amounts::of(self.blocks.iter());
        let kept = Amounts::of(self.kept.iter().copied());
        let counts = Counts::of(self.blocks);
        let (prices, kept_prices) = self.prices();
        [
            // Article, collection, documentation, forum, listing, product, service.
            // Types that the page declares.
            (declared.is_article_type, [4, -1, 0, 0, 0, -1, -1]),
            (declared.is_site, [-2, 0, -1, -1, 1, 0, 2]),
            (products >= 1, [-2, -1, 0, -1, -1, 5, 0]),
            (declared.is_article_object, [4, -2, 0, -2, 1, -2, 0]),
            (declared.is_published, [2, -1, 0, 1, -1, -1, -2]),
            // The address that it declares.
            (address.is_home, [-1, 0, -1, -1, 1, -2, 4]),
            (address.is_deep, [1, 0, 0, 1, -1, 1, -1]),
            (address.has_long_name, [4, -1, -2, 2, -2, 2, -3]),
            (address.is_documentation, [-2, 0, 5, -1, 0, -1, -2]),
            (address.is_discussion, [-2, 1, -1, 6, -2, -1, 0]),
            (address.is_news, [5, 0, -1, -1, -1, -1, -1]),
            (address.is_product, [-1, -2, -1, -1, -1, 6, -1]),
            (address.is_shop, [-1, 3, -1, -1, 0, 1, -2]),
            (address.is_service, [-2, 0, 0, 0, 0, -1, 4]),
            // The main content.
            (self.has_offers, [0, 2, 0, 0, 0, -1, -1]),
            (kept.running > kept.all * 0.6, [3, -2, 1, 0, -2, -1, 1]),
            (kept.links > kept.all * 0.1, [-3, 1, 0, -1, 5, -1, -1]),
            (kept_prices >= 1, [-1, 0, -1, 0, 1, 0, 1]),
            (kept_prices >= 4, [0, 2, 0, -1, 0, 0, 0]),
            (kept.paragraphs >= 4 && self.places() * 4 >= kept.paragraphs * 3, [-2, -1, -1, -1, 2, 1, 2]),
            // All text.
            (page.running > page.all * 0.8, [2, -1, 0, 1, 0, -1, -1]),
            (page.running >= 4000.0, [2, -1, 0, 0, 1, -1, -1]),
            (page.paragraphs >= 40, [-1, -1, 2, 1, 0, 0, -1]),
            (counts.headed >= 3, [1, -2, 2, -3, -2, -1, 4]),
            (counts.headed >= 6, [2, 0, 1, -2, -2, -1, 2]),
            (counts.linked_headings >= 12, [0, 1, -1, -1, 2, -2, -1]),
            (prices >= 1, [-1, 2, -2, -1, 1, 2, 0]),
            (prices >= 12, [0, 3, 0, 0, -1, -1, -1]),
            (counts.dates >= 6, [-1, 0, -2, 2, 2, -1, -1]),
            (counts.code >= 1, [-1, -1, 4, 0, -1, 0, -1]),
            // Elements.
            (elements.codes >= 5, [-2, 0, 4, 0, -1, -1, -1]),
            (elements.articles == 1, [3, -2, 0, -2, 0, -1, 1]),
            (elements.figures >= 1, [3, 0, -1, -1, 0, 0, 0]),
            (elements.pictures >= 10, [0, 1, -3, -1, 2, 0, 0]),
            (elements.times >= 1, [2, 0, -1, 2, 0, -1, -1]),
            // Parts, recognized by classes and ids.
            (parts.has(NamedPart::Author), [4, -1, -1, -1, 1, -1, -1]),
            (parts.has(NamedPart::Cart), [-3, 3, -1, -1, 1, 3, -2]),
            (parts.count(NamedPart::Faq) >= 5, [-2, 1, -2, 0, 0, 0, 3]),
            (parts.has(NamedPart::Filter), [-1, 2, 0, 0, 3, -2, -2]),
            (parts.has(NamedPart::Thread), [-1, 0, 1, 4, -1, 0, -2]),
            (parts.count(NamedPart::Gallery) >= 5, [-1, 2, -2, -2, -2, 2, 1]),
            (parts.count(NamedPart::Grid) >= 5, [2, 0, -1, -1, -2, 0, 2]),
            (parts.count(NamedPart::Post) >= 5, [0, 0, -2, 3, -1, -1, 1]),
            (parts.has(NamedPart::Price), [-1, 2, -1, -1, 0, 3, -2]),
            (parts.has(NamedPart::Product), [0, 3, 1, -2, -1, 1, -2]),
            (parts.has(NamedPart::Review), [-1, -1, 0, -1, 0, 3, -1]),
            (parts.has(NamedPart::User), [-1, -1, 0, 3, 1, 0, 0]),
            (parts.has(NamedPart::Tabs), [-3, 0, 0, -1, 1, 1, 1]),
            (parts.has(NamedPart::Comment), [0, -1, -1, 2, -1, 1, -1]),
            (parts.has(NamedPart::Sidebar), [1, -2, 2, 0, 1, -1, -1]),
            (self.is_thread(), [-2, 0, -1, 6, -1, -1, -1]),
        ]
    }

    /// The number of containers that directly contain running text of the main content.
    fn places(&self) -> usize {
        let running = self.kept.iter().filter(|block| block.is_running());
        let holders = running.filter_map(|block| self.holders.get(block.container));
        let mut places: Vec<usize> = holders.copied().collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    }
}

/// Weights and numbers of blocks.
#[derive(Debug, Default)]
struct Amounts {
    all: f32,
    links: f32,
    running: f32,
    paragraphs: usize,
}

impl Amounts {
    fn of<'p, 'b: 'p>(blocks: impl Iterator<Item = &'p Block<'b>>) -> Self {
        let mut amounts = Self::default();
        for block in blocks {
            amounts.all += block.weight as f32;
            amounts.links += block.link_weight();
            let running = block.running_weight();
            amounts.running += running;
            amounts.paragraphs += usize::from(running > 0.0);
        }
        amounts
    }
}

/// Numbers of blocks of some kinds.
#[derive(Debug, Default)]
struct Counts {
    /// Headings with running text below them.
    headed: usize,
    linked_headings: usize,
    dates: usize,
    code: usize,
}

impl Counts {
    fn of(blocks: &[Block<'_>]) -> Self {
        let mut counts = Self::default();
        let mut is_below_heading = false;
        for block in blocks {
            let is_link = block.is_navigation();
            counts.headed += usize::from(is_below_heading && block.is_running());
            counts.linked_headings += usize::from(block.is_heading && is_link);
            counts.dates += usize::from(block.has_date());
            counts.code += usize::from(block.kind == Kind::Preformatted);
            is_below_heading = block.is_heading && !is_link;
        }
        counts
    }
}

/// Whether most of the running text is in posts with an author. Articles declare their comments as
/// posts, too, and lists of frequent questions have posts without authors.
fn is_discussion(containers: &Containers, declared: &Declared, blocks: &[&Block<'_>]) -> bool {
    if declared.is_discussion {
        return true;
    }
    let posts = containers.outermost(|container| container.item == Microdata::Post);
    let is_post = |container: usize| posts.get(container).copied().flatten().is_some();
    let mut containers = containers.all.iter();
    let has_author = containers
        .any(|container| container.item == Microdata::Author && is_post(container.parent));
    if !has_author {
        return false;
    }
    let running = |blocks: &mut dyn Iterator<Item = &&Block<'_>>| -> f32 {
        blocks.map(|block| block.running_weight()).sum()
    };
    let in_posts = running(&mut blocks.iter().filter(|block| is_post(block.container)));
    in_posts > running(&mut blocks.iter()) * MIN_SHARE_OF_POSTS
}
