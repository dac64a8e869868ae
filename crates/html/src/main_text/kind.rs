//! The kind of a page.

use std::collections::HashSet;

use super::block::Block;
use super::containers::Containers;
use super::item::Microdata;
use super::repeated::remove_labels;
use super::thread::Thread;
use super::words::Words;
use crate::extract::Kind;

/// The kind of a page, recognized from its structure and its declarations (JSON-LD, microdata,
/// `og:type`, address).
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

/// Removes what forums show about authors and threads: of an author, only the name is kept, and
/// lists only if they contain running text or a sentence, or are in the declared text of a post.
/// Signatures of authors and labels of posts are removed, except the first label of each post,
/// which names its author or date. `all` are the blocks of the page.
pub fn clean_posts(containers: &Containers, all: &[Block<'_>], blocks: &mut Vec<&Block<'_>>) {
    let authors = containers.outermost(|container| container.item == Microdata::Author);
    let texts = containers.outermost(|container| container.item == Microdata::Text);
    let is_in_text = |block: &Block<'_>| texts.get(block.container).copied().flatten().is_some();
    let mut last_author = None;
    let details = all.iter().filter(|block| {
        let author = authors.get(block.container).copied().flatten();
        let is_further = author.is_some() && author == last_author;
        last_author = author.or(last_author);
        is_further
    });
    let details: HashSet<usize> = details.map(|block| block.paragraph).collect();
    let words = containers.words();
    let is_signature = |block: &Block<'_>| {
        let words = words.get(block.container).copied().unwrap_or_default();
        words.overlaps(Words::SIGNATURES)
    };
    let whole = blocks.clone();
    let thread = Thread::find(containers, all.iter());
    let mut named = HashSet::new();
    blocks.retain(|block| {
        if let Some(thread) = &thread
            && thread.is_label(containers, block)
            && thread.post(block).is_some_and(|post| !named.insert(post))
        {
            return false;
        }
        let is_detail = details.contains(&block.paragraph)
            || (block.kind == Kind::List && !block.ends_sentence() && !is_in_text(block));
        !is_signature(block) && (block.is_running() || !is_detail)
    });
    remove_labels(blocks);
    if blocks.is_empty() {
        *blocks = whole;
    }
}
