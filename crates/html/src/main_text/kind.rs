//! The kind of a page.

use super::block::Block;
use super::containers::Containers;
use super::declared::Declared;
use super::item::Item;
use crate::extract::Kind;

/// Minimum number of short lines with a price in a collection of products.
const MIN_PRICES: usize = 4;
/// Minimum number of products that a collection declares.
const MIN_PRODUCTS: u32 = 3;
/// Minimum number of code blocks in documentation.
const MIN_CODE_BLOCKS: usize = 2;
/// Minimum share of the running text that is in the posts of a discussion.
const MIN_SHARE_OF_POSTS: f32 = 0.5;

/// The kind of a page, recognized from its structure and from the types that it declares
/// (JSON-LD, microdata, `og:type`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageKind {
    /// Running text, such as news or a post of a blog.
    Article,
    /// Offers of several products.
    Collection,
    /// Text with several code blocks, or declared as a reference.
    Documentation,
    /// Posts of a discussion.
    Forum,
    /// Links to other pages.
    Listing,
    /// The offer of one product.
    Product,
    /// Sections in several places of the page, such as the presentation of a service.
    Service,
}

impl PageKind {
    /// The name of the kind.
    ///
    /// ```
    /// assert_eq!(corpus_html::main_text::PageKind::Forum.name(), "forum");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            PageKind::Article => "article",
            PageKind::Collection => "collection",
            PageKind::Documentation => "documentation",
            PageKind::Forum => "forum",
            PageKind::Listing => "listing",
            PageKind::Product => "product",
            PageKind::Service => "service",
        }
    }
}

/// The composition of the main content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Paragraphs of running text in one place.
    Article,
    /// The text of several places.
    Sections,
    /// Links, with the text around them.
    Links,
}

/// The kind of a page with this main content.
pub fn kind_of(
    containers: &Containers,
    declared: &Declared,
    content: Content,
    blocks: &[&Block<'_>],
) -> PageKind {
    if is_discussion(containers, declared, blocks) {
        return PageKind::Forum;
    }
    let products = declared.products.max(items(containers, Item::Product));
    if products >= MIN_PRODUCTS && !declared.is_product && content != Content::Article {
        return PageKind::Collection;
    }
    if declared.is_product || products == 1 {
        return PageKind::Product;
    }
    if declared.is_documentation {
        return PageKind::Documentation;
    }
    if declared.is_article && content != Content::Links {
        return PageKind::Article;
    }
    let code = blocks
        .iter()
        .filter(|block| block.kind == Kind::Preformatted);
    if code.count() >= MIN_CODE_BLOCKS {
        return PageKind::Documentation;
    }
    let prices = blocks.iter().filter(|block| block.has_price());
    if content != Content::Article && prices.count() >= MIN_PRICES {
        return PageKind::Collection;
    }
    match content {
        Content::Links => PageKind::Listing,
        Content::Sections => PageKind::Service,
        Content::Article => PageKind::Article,
    }
}

/// The number of outermost containers of an item.
fn items(containers: &Containers, item: Item) -> u32 {
    let outermost = containers.outermost(|container| container.item == item);
    let starts = outermost.iter().enumerate();
    let starts = starts.filter(|(index, outer)| **outer == Some(*index));
    u32::try_from(starts.count()).unwrap_or(u32::MAX)
}

/// Whether most of the running text is in posts with an author. Articles declare their comments as
/// posts, too, and lists of frequent questions have posts without authors.
fn is_discussion(containers: &Containers, declared: &Declared, blocks: &[&Block<'_>]) -> bool {
    if declared.is_discussion {
        return true;
    }
    let posts = containers.outermost(|container| container.item == Item::Post);
    let is_post = |container: usize| posts.get(container).copied().flatten().is_some();
    let mut containers = containers.0.iter();
    let has_author =
        containers.any(|container| container.item == Item::Author && is_post(container.parent));
    if !has_author {
        return false;
    }
    let running = |blocks: &mut dyn Iterator<Item = &&Block<'_>>| -> f32 {
        blocks.map(|block| block.running_weight()).sum()
    };
    let in_posts = running(&mut blocks.iter().filter(|block| is_post(block.container)));
    in_posts > running(&mut blocks.iter()) * MIN_SHARE_OF_POSTS
}

/// Removes what forums show about authors and threads: of an author, only the name is kept, and
/// lists only if they contain running text or a sentence.
pub fn clean_posts(containers: &Containers, blocks: &mut Vec<&Block<'_>>) {
    let authors = containers.outermost(|container| container.item == Item::Author);
    let mut last_author = None;
    let whole = blocks.clone();
    blocks.retain(|block| {
        let author = authors.get(block.container).copied().flatten();
        let is_further = author.is_some() && author == last_author;
        last_author = author.or(last_author);
        let is_detail = is_further || (block.kind == Kind::List && !block.ends_sentence());
        block.is_running() || !is_detail
    });
    if blocks.is_empty() {
        *blocks = whole;
    }
}
