//! The main content of a page: its article, without menus, teasers, comments and small print.
//!
//! It is a part of the document (`html_document`): some of its paragraphs, each as it stands there.
//! These are the blocks; each has a container, the innermost element around all of it. Blocks of
//! running text speak for all the containers around them, blocks of links and the like against
//! them. The container for which most is said holds the main content; what does not look like a
//! part of it is left out. A list or a table is one paragraph, so it is taken or left as a whole.
//! The heading that repeats the page's title is the headline: the article begins there.
//! No words of any language are needed, and the time is linear in the page.

mod block;
mod containers;
mod headline;
mod hints;

#[cfg(test)]
mod tests;

use block::Block;
use containers::Containers;
use headline::Titles;
use hints::Hint;

use super::events::{Element, Events};
use super::extract::{Flow, Positions};
use crate::markup::Name;

/// Listens for the main content of a page.
#[derive(Debug, Default)]
pub struct Collector {
    flow: Flow<Positions<Containers>>,
    titles: Titles,
}

impl Events for Collector {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        self.flow.open(element);
        self.titles.open(element);
    }

    #[inline]
    fn close(&mut self, name: Name) {
        self.flow.close(name);
        self.titles.close(name);
    }

    #[inline]
    fn text(&mut self, text: &str) {
        self.flow.text(text);
        self.titles.text(text);
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.flow.more_attributes(element);
    }
}

impl Collector {
    /// After the page: the main content, paragraphs of the document with blank lines between them.
    pub fn main_text(self) -> String {
        let (document, positions) = self.flow.into_parts();
        let (containers, places) = positions.finish(&document);
        let blocks: Vec<Block<'_>> = places
            .map(|place| {
                let container = place.node.map_or(0, |node| node.0);
                let text = document.get(place.text).unwrap_or_default();
                Block::new(text, container, place.kind, place.link_characters)
            })
            .collect();
        let headline = self.titles.headline(&blocks);
        let page = Page {
            containers: &containers,
            blocks: &blocks,
            headline,
        };
        let texts: Vec<&str> = page.main_blocks().iter().map(|block| block.text).collect();
        texts.join("\n\n")
    }
}

/// A container that has this share of what speaks for the one around it is enough.
const NEARLY_ALL: f32 = 0.9;
/// With a smaller share of the text outside of menus and the like, there is no article: all of
/// that text is the main content.
const MIN_ARTICLE_SHARE: f32 = 0.4;
/// With a smaller share of running text, the main content consists of short lines.
const MIN_RUNNING_SHARE: f32 = 0.6;
/// The weight of the running text with which what follows a headline is an article, whatever its
/// share.
const MIN_ARTICLE_WEIGHT: f32 = 300.0;
/// The share of the value that running text before the headline has.
const BEFORE_HEADLINE: f32 = 0.25;

struct Page<'p, 'b> {
    containers: &'p Containers,
    blocks: &'p [Block<'b>],
    /// The index of the block that repeats the page's title.
    headline: Option<usize>,
}

impl<'p, 'b> Page<'p, 'b> {
    /// The blocks of the main content, in their order. On pages without an article these are all
    /// but menus and the like.
    fn main_blocks(&self) -> Vec<&'p Block<'b>> {
        let hints = self.hints();
        let main = self.main_container(&hints);
        let within = self.containers.within(main);
        let is_within = |block: &Block<'_>| get(&within, block.container);
        let is_clean = |block: &Block<'_>| {
            get(&hints, block.container) != Hint::Beside && !block.is_navigation()
        };
        let headline = self.headline.and_then(|index| self.blocks.get(index));
        let start = match (self.headline, headline) {
            (Some(index), Some(block)) if is_within(block) => index,
            _ => 0,
        };
        let home = self.home(|block| is_within(block) && is_clean(block));
        let mut kept: Vec<&Block<'_>> = Vec::new();
        // Headings and short lines wait until text follows.
        let mut waiting: Vec<&Block<'_>> = Vec::new();
        for block in self.blocks.iter().skip(start) {
            if !is_within(block) || !is_clean(block) {
                continue;
            }
            let is_home = self.containers.shared(block.container) == home;
            let is_last_words = is_home && !kept.is_empty() && block.is_sentence();
            let is_first_words = is_home && block.container != home && !block.has_date();
            if block.is_running() || is_last_words {
                kept.append(&mut waiting);
                kept.push(block);
            } else if block.is_heading || !kept.is_empty() || is_first_words {
                waiting.push(block);
            }
        }
        while kept.last().is_some_and(|block| block.is_link_list()) {
            kept.pop();
        }
        while kept.last().is_some_and(|block| !block.is_running() && !block.is_sentence()) {
            kept.pop();
        }
        let clean = self.blocks.iter().skip(start).filter(|block| is_within(block) && is_clean(block));
        let clean: Vec<&Block<'_>> = clean.collect();
        if total_weight(&kept) < total_weight(&clean) * MIN_RUNNING_SHARE {
            kept = clean;
        }
        // With a headline, the article is in the smallest container around both; otherwise it may be
        // anywhere.
        let region = headline.map_or(0, |block| self.containers.common(block.container, main));
        let region = self.containers.within(region);
        let start = self.headline.unwrap_or_default();
        let is_region = |block: &&Block<'_>| is_clean(block) && get(&region, block.container);
        let clean: Vec<&Block<'_>> = self.blocks.iter().skip(start).filter(is_region).collect();
        if total_weight(&kept) < total_weight(&clean) * MIN_ARTICLE_SHARE {
            return clean;
        }
        kept
    }

    /// The container that has most of the running text right in it, or in paragraphs right in it.
    fn home(&self, is_main: impl Fn(&Block<'_>) -> bool) -> usize {
        let mut weights = vec![0.0; self.containers.0.len()];
        for block in self.blocks.iter().filter(|block| is_main(block)) {
            if let Some(weight) = weights.get_mut(self.containers.shared(block.container)) {
                *weight += block.running_weight();
            }
        }
        best(&weights)
    }

    /// For each container, what it and those around it say.
    fn hints(&self) -> Vec<Hint> {
        let running = |block: &Block<'_>| (block.container, block.running_weight());
        let totals = self.containers.sums(self.blocks.iter().map(running));
        let total = totals.first().copied().unwrap_or_default();
        let strict = self.inherited(|_| false);
        let elsewhere: f32 = self
            .blocks
            .iter()
            .filter(|block| get(&strict, block.container) != Hint::Beside)
            .map(Block::running_weight)
            .sum();
        let headline = self.headline.and_then(|index| self.blocks.get(index));
        let has_headline = headline.map_or(Vec::new(), |block| {
            let mut has = vec![false; self.containers.0.len()];
            for index in self.containers.around(block.container) {
                if let Some(has) = has.get_mut(index) {
                    *has = true;
                }
            }
            has
        });
        let is_elsewhere = headline.is_some() && elsewhere >= MIN_ARTICLE_WEIGHT && elsewhere >= total * 0.15;
        // What holds most of the text is not beside it, whatever it is called; unless there is
        // enough of it elsewhere.
        self.inherited(|index| {
            get(&totals, index) > total * 0.5 && (!is_elsewhere || get(&has_headline, index))
        })
    }

    /// For each container, what it and those around it say; that of some to be beside the main
    /// content is not believed.
    fn inherited(&self, is_doubtful: impl Fn(usize) -> bool) -> Vec<Hint> {
        let weight = |block: &Block<'_>| (block.container, block.weight as f32);
        let weights = self.containers.sums(self.blocks.iter().map(weight));
        let mut hints: Vec<Hint> = Vec::with_capacity(self.containers.0.len());
        for (index, container) in self.containers.0.iter().enumerate() {
            let own = match container.hint {
                Hint::Beside if is_doubtful(index) => Hint::Neutral,
                hint => hint,
            };
            // A frame around a quotation is called after its source, and says nothing against it.
            let is_quoted = container.name == Name::BLOCKQUOTE
                && get(&weights, index) >= get(&weights, container.parent);
            let outer = if is_quoted {
                self.containers.parent(container.parent)
            } else {
                container.parent
            };
            hints.push(match (get(&hints, outer), own) {
                (Hint::Beside, _) | (_, Hint::Beside) => Hint::Beside,
                (Hint::Main, _) | (_, Hint::Main) => Hint::Main,
                _ => Hint::Neutral,
            });
        }
        hints
    }

    /// The container for which most is said; or one within that has nearly all of it.
    fn main_container(&self, hints: &[Hint]) -> usize {
        let headline = self.headline.unwrap_or_default();
        let value = |(index, block): (usize, &Block<'_>)| {
            let value = block.value(get(hints, block.container));
            let is_before = index < headline && value > 0.0;
            let value = if is_before { value * BEFORE_HEADLINE } else { value };
            (block.container, value)
        };
        let totals = self.containers.sums(self.blocks.iter().enumerate().map(value));
        let best = best(&totals);
        let mut main = best;
        for (index, container) in self.containers.0.iter().enumerate().skip(best + 1) {
            if container.parent == main && get(&totals, index) >= get(&totals, main) * NEARLY_ALL {
                main = index;
            }
        }
        let main = self.containers.shared(main);
        self.article_of_headline(main).unwrap_or(main)
    }

    /// Of several articles in the main container, the one with the headline.
    fn article_of_headline(&self, main: usize) -> Option<usize> {
        let headline = self.blocks.get(self.headline?)?;
        if !get(&self.containers.within(main), headline.container) {
            return None;
        }
        let around = self.containers.around(headline.container);
        let mut around = around.take_while(|index| *index != main);
        let is_article = |index: usize| {
            self.containers.0.get(index).is_some_and(|container| container.name == Name::ARTICLE)
        };
        let article = around.find(|index| is_article(*index))?;
        let running = |block: &Block<'_>| (block.container, block.running_weight());
        let totals = self.containers.sums(self.blocks.iter().map(running));
        let (own, all) = (get(&totals, article), get(&totals, main));
        (own >= MIN_ARTICLE_WEIGHT && own >= all * 0.15).then_some(article)
    }
}

/// The index of the last of the greatest values.
fn best(values: &[f32]) -> usize {
    let mut best = 0;
    for (index, value) in values.iter().enumerate() {
        if *value >= get(values, best) {
            best = index;
        }
    }
    best
}

fn total_weight(blocks: &[&Block<'_>]) -> f32 {
    blocks.iter().map(|block| block.weight as f32).sum()
}

fn get<T: Copy + Default>(of: &[T], index: usize) -> T {
    of.get(index).copied().unwrap_or_default()
}
