//! The kind of a page.

use super::block::Block;
use super::containers::Containers;
use super::declared::Declared;
use super::evidence::Evidence;
use super::item::Item;
use crate::extract::Kind;

/// Minimum share of the running text that is in the posts of a discussion.
const MIN_SHARE_OF_POSTS: f32 = 0.5;

/// The kind of a page, recognized from its structure and from what it declares (JSON-LD, microdata,
/// `og:type`, its address).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageKind {
    /// Running text, such as news or a post of a blog.
    Article,
    /// Offers of several products.
    Collection,
    /// References, manuals and lessons.
    Documentation,
    /// Posts of a discussion.
    Forum,
    /// Links to other pages.
    Listing,
    /// The offer of one product.
    Product,
    /// The presentation of a service or of a company.
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

/// The kind of a page with this main content.
pub fn kind_of(evidence: &Evidence<'_, '_, '_>) -> PageKind {
    let declared = evidence.declared;
    if is_discussion(evidence.containers, declared, evidence.kept) {
        PageKind::Forum
    } else if declared.is_product {
        PageKind::Product
    } else if declared.is_documentation {
        PageKind::Documentation
    } else {
        evidence.kind()
    }
}

/// Whether most of the running text is in posts with an author. Articles declare their comments as
/// posts, too, and lists of frequent questions have posts without authors.
fn is_discussion(containers: &Containers, declared: &Declared, blocks: &[&Block<'_>]) -> bool {
    if declared.is_discussion {
        return true;
    }
    let posts = containers.outermost(|container| container.item == Item::Post);
    let is_post = |container: usize| posts.get(container).copied().flatten().is_some();
    let mut containers = containers.all.iter();
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
