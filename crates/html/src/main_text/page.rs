//! Selects the blocks of the main content.

use std::collections::HashSet;

use super::block::Block;
use super::containers::{ContainerRole, Containers};
use super::declared::Declared;
use super::evidence::Evidence;
use super::hints::Hint;
use super::kind::{PageKind, clean_posts};
use super::misleading::misleading_words;
use super::offers::{list_of_offers, with_offers};
use super::parts::Elements;
use super::repeated::remove_repeated;
use super::summary::remove_summary;
use super::teasers::{remove_teasers_at_end, teasers};
use super::words::Words;
use crate::extract::Kind;

/// A container replaces its parent if it has this share of the parent's value.
const MIN_SHARE_TO_NARROW: f32 = 0.9;
/// Regardless of the rest of the page, running text is an article if it has this number of
/// paragraphs, ...
const MIN_PARAGRAPHS: usize = 4;
/// ... this weight, ...
const MIN_PARAGRAPHS_WEIGHT: f32 = 1000.0;
/// ... and this share of the weight in one container.
const MIN_PARAGRAPHS_SHARE: f32 = 0.9;
/// Shorter running text is an article if it has this share of the text outside links, menus and the
/// like. Otherwise the main content is all of that text.
const MIN_ARTICLE_SHARE: f32 = 0.6;
/// If the text without links has a smaller share of the text outside menus and the like, links are
/// content, too.
const MIN_SHARE_WITHOUT_LINKS: f32 = 0.6;
/// Even then, links are not content if they have at most this share of that text, ...
const MAX_LINK_SHARE_OF_SECTIONS: f32 = 0.3;
/// ... and running text at most this number of paragraphs: more would be a list of articles.
const MAX_PARAGRAPHS_OF_SECTIONS: usize = 8;
/// Minimum share of the declared main content in the text outside menus and the like. With less,
/// scripts fill it, or it is a notice.
const MIN_SHARE_OF_MAIN: f32 = 0.2;
/// Minimum share of running text; otherwise the main content consists of short lines.
const MIN_RUNNING_SHARE: f32 = 0.6;
/// Maximum number of blocks from a title to its text: a date, author or address may be between.
const MAX_BLOCKS_TO_TEXT: usize = 3;
/// Minimum running text of an article, ...
const MIN_ARTICLE_WEIGHT: f32 = 300.0;
/// ... and its minimum share of the running text if comments or further articles follow.
const MIN_SHARE_OF_ARTICLE: f32 = 0.15;
/// Minimum number of posts next to each other.
const MIN_POSTS: u32 = 2;
/// Minimum share of running text outside comments, side bars and the like.
const MIN_SHARE_ELSEWHERE: f32 = 0.05;
/// Minimum share of the text that is left without parts that are not content.
const MIN_SHARE_LEFT: f32 = 0.4;
/// A container with a larger share of the running text is the main content, whatever its name.
const MAX_BOILERPLATE_SHARE: f32 = 0.5;
/// The factor for the value of running text before the headline.
const FACTOR_BEFORE_HEADLINE: f32 = 0.25;

/// The main content: some of the blocks, in order.
pub struct Selection<'p, 'b> {
    pub blocks: Vec<&'p Block<'b>>,
    pub kind: PageKind,
    /// Whether the main content is a list of offers.
    pub has_offers: bool,
}

pub struct Page<'p, 'b> {
    containers: &'p Containers,
    blocks: &'p [Block<'b>],
    /// The index of the block that repeats a title of the page.
    headline: Option<usize>,
    declared: &'p Declared,
    elements: &'p Elements,
    /// For each container, the one that directly contains its text.
    holders: Vec<usize>,
    /// The words that are not hints on this page.
    misleading: Words,
    /// For each container, the weight of the text inside it, ...
    weights: Vec<f32>,
    /// ... and the weight of the running text outside links.
    running_weights: Vec<f32>,
}

impl<'p, 'b> Page<'p, 'b> {
    pub fn new(
        containers: &'p Containers,
        blocks: &'p [Block<'b>],
        holders: Vec<usize>,
        headline: Option<usize>,
        declared: &'p Declared,
        elements: &'p Elements,
    ) -> Self {
        let title = headline.and_then(|index| blocks.get(index));
        let misleading = misleading_words(containers, blocks, &holders, title, declared);
        let sums = |weight: fn(&Block<'b>) -> f32| {
            let weights = blocks.iter().map(|block| (block.container, weight(block)));
            containers.sums(weights)
        };
        Self {
            weights: sums(|block| block.weight as f32),
            running_weights: sums(Block::running_weight),
            containers,
            blocks,
            headline,
            declared,
            elements,
            holders,
            misleading,
        }
    }

    /// The main content and the kind of the page. On pages without an article, these are all blocks
    /// except menus and the like. Empty only if there are no blocks.
    pub fn select(&self) -> Selection<'p, 'b> {
        let hints = self.hints();
        let teasers = teasers(self.containers, self.blocks, &hints);
        let main = self.main_container(&hints, &teasers);
        let mut kept = self.article(main, &hints, &teasers);
        if !self.is_article(&kept) {
            kept = self.without_article(main, kept, &hints, &teasers);
        }
        let offers = if self.declared.is_article() {
            None
        } else {
            with_offers(&kept, self.blocks, self.containers, self.headline)
        };
        let has_offers = offers.is_some();
        kept = offers.unwrap_or(kept);
        let evidence = Evidence {
            containers: self.containers,
            declared: self.declared,
            elements: self.elements,
            blocks: self.blocks,
            kept: &kept,
            has_offers,
            holders: &self.holders,
        };
        let kind = evidence.kind();
        match kind {
            PageKind::Forum => {
                kept = self.with_sections(&kept, &hints, self.posts(&kept, &hints));
                clean_posts(self.containers, self.blocks, &mut kept);
            }
            PageKind::Product => kept = self.offer(kept),
            // The dates and places of an event or a job are between its title and its text.
            _ if kind == PageKind::Service || self.declared.announcements == 1 => {
                let hints = self.inherited_hints(self.misleading.and(Words::UNCLEAR), |_| false);
                let is_announcement = self.declared.announcements == 1;
                let facts = is_announcement.then(|| self.facts(&kept, &hints));
                let others = self.title().into_iter().chain(facts.flatten());
                kept = self.with_sections(&kept, &hints, others);
            }
            // A reference has short texts before its longest part, such as the summary of a class.
            PageKind::Documentation => {
                let hints = self.inherited_hints(self.misleading, |_| false);
                kept = self.with_sections(&kept, &hints, self.title());
            }
            _ => {}
        }
        // The last headings have text that is not content. Elsewhere, headings may be all there is.
        let has_texts = matches!(
            kind,
            PageKind::Article | PageKind::Forum | PageKind::Product
        );
        if has_texts && kept.iter().any(|block| block.is_running()) {
            while kept.pop_if(|block| block.is_heading).is_some() {}
        }
        // References repeat descriptions on purpose.
        if kind != PageKind::Documentation {
            remove_repeated(&mut kept, &self.holders);
        }
        if kind == PageKind::Article {
            remove_summary(&mut kept, &self.declared.descriptions, &self.holders);
        }
        if kept.is_empty() {
            let blocks = self.blocks.iter();
            kept = blocks.filter(|block| !block.is_navigation()).collect();
        }
        if kept.is_empty() {
            kept = self.blocks.iter().collect();
        }
        Selection {
            blocks: kept,
            kind,
            has_offers,
        }
    }

    /// The last list or table after the text of an announcement, in the smallest element around its
    /// title and text.
    fn facts(&self, kept: &[&'p Block<'b>], hints: &[Hint]) -> Option<&'p Block<'b>> {
        let (home, _) = self.home(kept);
        let title = self.title()?;
        let within = self
            .containers
            .within(self.containers.common(title.container, home));
        let last = kept.last()?.paragraph;
        let blocks = self.blocks.iter().filter(|block| {
            block.paragraph > last
                && get(&within, block.container)
                && get(hints, block.container) != Hint::Boilerplate
        });
        // Linked headings lead to other announcements.
        let blocks = blocks.take_while(|block| !(block.is_heading && block.is_navigation()));
        blocks
            .filter(|block| matches!(block.kind, Kind::List | Kind::Table) && !block.is_link_list())
            .last()
    }

    /// The headline, or the first title that leads nowhere.
    fn title(&self) -> Option<&'p Block<'b>> {
        self.headline_block().or_else(|| {
            let is_title =
                |block: &&Block<'b>| block.kind == Kind::Heading(1) && !block.is_navigation();
            self.blocks.iter().find(is_title)
        })
    }

    /// The offer of a product: all text between its parts, without links and other offers.
    fn offer(&self, kept: Vec<&'p Block<'b>>) -> Vec<&'p Block<'b>> {
        let hints = self.inherited_hints(self.misleading, |_| false);
        let mut kept = self.with_sections(&kept, &hints, []);
        if let Some(list) = list_of_offers(self.containers, self.blocks) {
            let within = self.containers.within(list);
            kept = unless_most(kept, |block| get(&within, block.container));
        }
        kept = unless_most(kept, |block| !block.is_heading && block.is_navigation());
        let words = self.containers.words();
        let words = |block: &Block<'_>| words.get(block.container).copied().unwrap_or_default();
        unless_most(kept, |block| words(block).overlaps(Words::CAROUSELS))
    }

    /// The running text of a thread that has a kept post. Its posts are next to each other, in the
    /// element around the main text that has most of them.
    fn posts<'s>(
        &'s self,
        kept: &[&'p Block<'b>],
        hints: &'s [Hint],
    ) -> impl Iterator<Item = &'p Block<'b>> + use<'s, 'p, 'b> {
        let (home, _) = self.home(kept);
        let texts = self.blocks_from(self.headline, hints);
        let texts = texts.filter(|(_, block)| block.is_prose());
        let weights = texts
            .clone()
            .map(|(_, block)| (block.container, block.running_weight()));
        let weights = self.containers.sums(weights);
        let mut posts = vec![0_u32; self.containers.all.len()];
        for (index, container) in self.containers.all.iter().enumerate().skip(1) {
            let is_post = get(&weights, index) > 0.0 && get(&self.holders, index) == index;
            if let Some(posts) = posts.get_mut(container.parent) {
                *posts += u32::from(is_post);
            }
        }
        let around = self.containers.around(home).skip(1);
        let thread = around.max_by_key(|index| get(&posts, *index));
        let thread = thread.filter(|thread| get(&posts, *thread) >= MIN_POSTS);
        let within = thread.map(|thread| self.containers.within(thread));
        texts
            .map(|(_, block)| block)
            .filter(move |block| within.as_ref().is_some_and(|it| get(it, block.container)))
    }

    /// All text between these blocks and `others`, without links, menus and the like: the sections
    /// of a presentation have equal rank.
    fn with_sections(
        &self,
        kept: &[&'p Block<'b>],
        hints: &[Hint],
        others: impl IntoIterator<Item = &'p Block<'b>>,
    ) -> Vec<&'p Block<'b>> {
        let (Some(first), Some(last)) = (kept.first(), kept.last()) else {
            return Vec::new();
        };
        let mut range = first.paragraph..=last.paragraph;
        for block in others {
            let start = block.paragraph.min(*range.start());
            range = start..=block.paragraph.max(*range.end());
        }
        let mut kept = kept.iter().map(|block| block.paragraph).peekable();
        let blocks = self.blocks.iter().filter(|block| {
            let is_kept = kept.next_if_eq(&block.paragraph).is_some();
            let is_text = range.contains(&block.paragraph)
                && get(hints, block.container) != Hint::Boilerplate
                && !block.is_navigation();
            is_kept || is_text
        });
        blocks.collect()
    }

    /// The main content of a page on which `kept`, the text in one container, is not an article.
    fn without_article(
        &self,
        main: usize,
        mut kept: Vec<&'p Block<'b>>,
        hints: &[Hint],
        teasers: &[bool],
    ) -> Vec<&'p Block<'b>> {
        let region = self.declared_main(hints);
        let within = self.containers.within(region);
        let mut page = self.clean_page(main, hints);
        page.retain(|block| get(&within, block.container));
        kept.retain(|block| get(&within, block.container));
        if self.headline.is_some() {
            kept = with_introduction(kept, &page);
        }
        if weight(&kept) < weight(&page) * MIN_ARTICLE_SHARE {
            kept.clone_from(&page);
        }
        let shown = self
            .shown(hints)
            .filter(|(_, block)| get(&within, block.container));
        let others = shown
            .clone()
            .filter(|(index, _)| !get(teasers, *index))
            .map(|(_, block)| block);
        if weight(&kept) < total_weight(others) * MIN_SHARE_WITHOUT_LINKS {
            // The links are content: they lead to products, threads or articles. Among a few
            // paragraphs, they lead to details about the same subject.
            let shown: Vec<_> = shown.map(|(_, block)| block).collect();
            return if are_sections(&shown) { page } else { shown };
        }
        kept
    }

    /// Returns the container that is declared as the main content, or the whole page if it is
    /// missing or has too little text.
    fn declared_main(&self, hints: &[Hint]) -> usize {
        let roles = self
            .containers
            .outermost(|container| container.role == ContainerRole::Main);
        if roles.iter().all(Option::is_none) {
            return 0;
        }
        let shown = self.blocks_from(None, hints);
        let weights = shown.map(|(_, block)| (block.container, block.weight as f32));
        let weights = self.containers.sums(weights);
        let all = get(&weights, 0);
        let mut best = 0;
        let mut best_weight = all * MIN_SHARE_OF_MAIN;
        for (index, outermost) in roles.iter().enumerate() {
            if *outermost == Some(index) && get(&weights, index) >= best_weight {
                (best, best_weight) = (index, get(&weights, index));
            }
        }
        best
    }

    /// Whether these are several paragraphs of running text, most of them in one container.
    fn is_article(&self, blocks: &[&Block<'_>]) -> bool {
        let (_, of_home) = self.home(blocks);
        let weight: f32 = blocks.iter().map(|block| block.running_weight()).sum();
        let paragraphs = blocks.iter().filter(|block| block.is_running()).count();
        paragraphs >= MIN_PARAGRAPHS
            && weight >= MIN_PARAGRAPHS_WEIGHT
            && of_home >= weight * MIN_PARAGRAPHS_SHARE
    }

    /// The text of the page, without menus and the like, and without links except headings.
    fn clean_page(&self, main: usize, hints: &[Hint]) -> Vec<&'p Block<'b>> {
        // With a headline, the article is in the smallest container around both. Otherwise it may
        // be anywhere.
        let headline = self.headline_block().map(|block| block.container);
        let region = headline.map_or(0, |headline| self.containers.common(headline, main));
        let within = self.containers.within(region);
        let blocks = self.blocks_from(self.headline, hints);
        blocks
            .filter(|(_, block)| {
                get(&within, block.container) && (block.is_heading || !block.is_navigation())
            })
            .map(|(_, block)| block)
            .collect()
    }

    /// The blocks from an index on, except those with a negative hint, and their indexes.
    fn blocks_from<'s>(
        &'s self,
        start: Option<usize>,
        hints: &'s [Hint],
    ) -> impl Iterator<Item = (usize, &'p Block<'b>)> + Clone + use<'s, 'p, 'b> {
        let blocks = self
            .blocks
            .iter()
            .enumerate()
            .skip(start.unwrap_or_default());
        blocks.filter(|(_, block)| get(hints, block.container) != Hint::Boilerplate)
    }

    /// Everything from the headline on, except menus and the like.
    fn shown<'s>(
        &'s self,
        hints: &'s [Hint],
    ) -> impl Iterator<Item = (usize, &'p Block<'b>)> + Clone + use<'s, 'p, 'b> {
        let title = |block: &Block<'_>| block.kind == Kind::Heading(1);
        let start = self.headline.or_else(|| self.blocks.iter().position(title));
        self.blocks_from(start, hints)
    }

    /// The running text in the main container, with its headings and short lines.
    fn article(&self, main: usize, hints: &[Hint], teasers: &[bool]) -> Vec<&'p Block<'b>> {
        let clean = self.clean_blocks(main, self.start_in(main), hints);
        let (home, _) = self.home(&clean);
        let mut kept: Vec<&Block<'_>> = Vec::new();
        // Headings and short lines are kept only if text follows.
        let mut waiting: Vec<&Block<'_>> = Vec::new();
        for block in &clean {
            let is_home = get(&self.holders, block.container) == home;
            let is_first_line = is_home && block.container != home && !block.has_date();
            let is_last_line = is_home && !kept.is_empty() && block.is_sentence();
            if block.is_running() || is_last_line {
                kept.append(&mut waiting);
                kept.push(block);
            } else if block.is_heading || is_first_line || !kept.is_empty() {
                if block.is_heading && kept.is_empty() {
                    waiting.retain(|block| block.is_heading);
                }
                waiting.push(block);
            }
        }
        let holder = |container: usize| get(&self.holders, container);
        let running = kept.iter().filter(|block| block.is_running());
        let homes: HashSet<usize> = running.map(|block| holder(block.container)).collect();
        kept.extend(structures_at_end(waiting, |block| {
            // Code, lists and tables may be alone in an element, such as one that scrolls.
            let mut around = self.containers.around(block.container);
            let outer = around.find(|index| get(&self.weights, *index) > block.weight as f32);
            homes.contains(&holder(block.container))
                || outer.is_some_and(|outer| homes.contains(&holder(outer)))
        }));
        remove_links_at_end(&mut kept);
        remove_teasers_at_end(&mut kept, self.blocks, teasers);
        enough(kept, clean, MIN_RUNNING_SHARE)
    }

    /// The blocks in a container from an index on, except blocks with a negative hint and links
    /// other than titles.
    fn clean_blocks(&self, outer: usize, start: usize, hints: &[Hint]) -> Vec<&'p Block<'b>> {
        let within = self.containers.within(outer);
        let blocks = self.blocks.iter().enumerate().skip(start);
        blocks
            .filter(|(index, block)| {
                get(&within, block.container)
                    && get(hints, block.container) != Hint::Boilerplate
                    && (!block.is_navigation() || self.is_title(*index))
            })
            .map(|(_, block)| block)
            .collect()
    }

    /// Whether this is a heading with running text closely below it. A linked heading leads to
    /// itself, to the page that the text introduces or, in a discussion, to the author.
    fn is_title(&self, index: usize) -> bool {
        let mut blocks = self.blocks.iter().skip(index);
        blocks.next().is_some_and(|block| block.is_heading)
            && !self.declared.is_discussion
            && blocks
                .take(MAX_BLOCKS_TO_TEXT)
                .take_while(|block| !block.is_heading)
                .any(Block::is_running)
    }

    fn headline_block(&self) -> Option<&'p Block<'b>> {
        self.headline.and_then(|index| self.blocks.get(index))
    }

    /// The index of the headline, if it is inside the container; otherwise 0.
    fn start_in(&self, outer: usize) -> usize {
        let headline = self.headline_block();
        let mut around = headline
            .into_iter()
            .flat_map(|block| self.containers.around(block.container));
        let is_within = around.any(|container| container == outer);
        self.headline.filter(|_| is_within).unwrap_or_default()
    }

    /// The container that directly contains most of the running text, and the weight in it.
    fn home(&self, blocks: &[&Block<'_>]) -> (usize, f32) {
        let mut weights = vec![0.0; self.containers.all.len()];
        for block in blocks {
            if let Some(weight) = weights.get_mut(get(&self.holders, block.container)) {
                *weight += block.running_weight();
            }
        }
        let home = last_of_greatest(&weights);
        (home, get(&weights, home))
    }

    /// For each container, its hint combined with those of its ancestors.
    fn hints(&self) -> Vec<Hint> {
        let running = &self.running_weights;
        let total = get(running, 0);
        let trusted = self.inherited_hints(self.misleading, |_| false);
        let elsewhere: f32 = self
            .blocks
            .iter()
            .filter(|block| get(&trusted, block.container) != Hint::Boilerplate)
            .map(Block::running_weight)
            .sum();
        let is_elsewhere =
            elsewhere >= MIN_ARTICLE_WEIGHT && elsewhere >= total * MIN_SHARE_ELSEWHERE;
        let mut may_be_article = vec![true; self.containers.all.len()];
        if let Some(headline) = self.headline_block()
            && is_elsewhere
        {
            may_be_article.fill(false);
            for index in self.containers.around(headline.container) {
                if let Some(may_be_article) = may_be_article.get_mut(index) {
                    *may_be_article = true;
                }
            }
        }
        // A container with most of the text is not boilerplate, whatever its name, unless it is a
        // notice or there is enough other text, including the headline.
        self.inherited_hints(self.misleading, |index| {
            get(running, index) > total * MAX_BOILERPLATE_SHARE && get(&may_be_article, index)
        })
    }

    /// For each container, its hint combined with those of its ancestors. A boilerplate hint is
    /// ignored where `is_doubtful`.
    fn inherited_hints(&self, misleading: Words, is_doubtful: impl Fn(usize) -> bool) -> Vec<Hint> {
        let weights = &self.weights;
        let mut hints: Vec<Hint> = Vec::with_capacity(self.containers.all.len());
        for (index, container) in self.containers.all.iter().enumerate() {
            let own = match container.hints.without(misleading) {
                Hint::Boilerplate if is_doubtful(index) && !container.hints.is_notice() => {
                    Hint::Neutral
                }
                hint => hint,
            };
            // An element that contains only a quotation is named after its source, such as a social
            // network.
            let is_quoted = container.role == ContainerRole::Quotation
                && get(weights, index) >= get(weights, container.parent);
            let outer = if is_quoted {
                self.containers.parent(container.parent)
            } else {
                container.parent
            };
            hints.push(match (get(&hints, outer), own) {
                (Hint::Boilerplate, _) | (_, Hint::Boilerplate) => Hint::Boilerplate,
                (Hint::Main, _) | (_, Hint::Main) => Hint::Main,
                _ => Hint::Neutral,
            });
        }
        hints
    }

    /// The container with the highest value, or a descendant with nearly all of its value.
    fn main_container(&self, hints: &[Hint], teasers: &[bool]) -> usize {
        let headline = self.headline.unwrap_or_default();
        let value = |(index, block): (usize, &Block<'_>)| {
            let value = if get(teasers, index) {
                0.0
            } else {
                block.value(get(hints, block.container))
            };
            let is_before = index < headline && value > 0.0;
            let factor = if is_before {
                FACTOR_BEFORE_HEADLINE
            } else {
                1.0
            };
            (block.container, value * factor)
        };
        let values = self
            .containers
            .sums(self.blocks.iter().enumerate().map(value));
        let best = last_of_greatest(&values);
        let mut main = best;
        for (index, container) in self.containers.all.iter().enumerate().skip(best + 1) {
            if container.parent == main
                && get(&values, index) >= get(&values, main) * MIN_SHARE_TO_NARROW
            {
                main = index;
            }
        }
        let main = get(&self.holders, main);
        self.article_of_headline(main).unwrap_or(main)
    }

    /// If the main container has several articles, the one with the headline.
    fn article_of_headline(&self, main: usize) -> Option<usize> {
        let headline = self.headline_block()?;
        let mut article = None;
        for index in self.containers.around(headline.container) {
            if index == main {
                let running = &self.running_weights;
                let all = get(running, main);
                return article.filter(|article| {
                    let own = get(running, *article);
                    own >= MIN_ARTICLE_WEIGHT && own >= all * MIN_SHARE_OF_ARTICLE
                });
            }
            let role = self
                .containers
                .all
                .get(index)
                .map(|container| container.role);
            if article.is_none() && role == Some(ContainerRole::Article) {
                article = Some(index);
            }
        }
        None
    }
}

/// Removes blocks, unless they are most of the text.
fn unless_most<'p, 'b>(
    kept: Vec<&'p Block<'b>>,
    is_removed: impl Fn(&Block<'b>) -> bool,
) -> Vec<&'p Block<'b>> {
    let rest = kept.iter().copied().filter(|block| !is_removed(block));
    let rest: Vec<_> = rest.collect();
    enough(rest, kept, MIN_SHARE_LEFT)
}

/// Whether links are a small part of a few paragraphs.
fn are_sections(blocks: &[&Block<'_>]) -> bool {
    let links: f32 = blocks.iter().map(|block| block.link_weight()).sum();
    let paragraphs = blocks.iter().filter(|block| block.is_running()).count();
    links <= weight(blocks) * MAX_LINK_SHARE_OF_SECTIONS && paragraphs <= MAX_PARAGRAPHS_OF_SECTIONS
}

/// Lists, tables and code after the last text of an article, with their headings.
fn structures_at_end<'p, 'b>(
    blocks: Vec<&'p Block<'b>>,
    is_home: impl Fn(&Block<'_>) -> bool,
) -> Vec<&'p Block<'b>> {
    let mut kept = Vec::new();
    let mut headings = Vec::new();
    for block in blocks {
        match block.kind {
            Kind::Heading(_) => headings.push(block),
            Kind::List | Kind::Table | Kind::Preformatted | Kind::Quote if is_home(block) => {
                kept.append(&mut headings);
                kept.push(block);
            }
            _ => headings.clear(),
        }
    }
    kept
}

/// Removes lists of links after the last text, and their headings.
fn remove_links_at_end(blocks: &mut Vec<&Block<'_>>) {
    while blocks.pop_if(|block| block.is_link_list()).is_some() {
        while blocks.pop_if(|block| !block.is_prose()).is_some() {}
    }
}

/// Adds the running text between the headline and the kept blocks, such as a question above its
/// answers. `page` starts at the headline.
fn with_introduction<'p, 'b>(
    kept: Vec<&'p Block<'b>>,
    page: &[&'p Block<'b>],
) -> Vec<&'p Block<'b>> {
    let start = kept.first().and_then(|first| {
        let mut blocks = page.iter();
        blocks.position(|block| std::ptr::eq(*block, *first))
    });
    let before = page.get(..start.unwrap_or_default()).unwrap_or_default();
    let running = before.iter().copied().filter(|block| block.is_running());
    running.chain(kept).collect()
}

/// Returns `kept` if it has at least this share of all text; otherwise all.
fn enough<'p, 'b>(
    kept: Vec<&'p Block<'b>>,
    all: Vec<&'p Block<'b>>,
    share: f32,
) -> Vec<&'p Block<'b>> {
    if weight(&kept) < weight(&all) * share {
        all
    } else {
        kept
    }
}

fn weight(blocks: &[&Block<'_>]) -> f32 {
    total_weight(blocks.iter().copied())
}

fn total_weight<'a, 'b: 'a>(blocks: impl Iterator<Item = &'a Block<'b>>) -> f32 {
    blocks.map(|block| block.weight as f32).sum()
}

/// The index of the greatest value; the last one on a tie.
fn last_of_greatest(values: &[f32]) -> usize {
    let mut best = 0;
    for (index, value) in values.iter().enumerate() {
        if *value >= get(values, best) {
            best = index;
        }
    }
    best
}

fn get<T: Copy + Default>(of: &[T], index: usize) -> T {
    of.get(index).copied().unwrap_or_default()
}
