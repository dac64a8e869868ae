//! The main content of a page: its article, without menus, teasers, comments and small print.
//!
//! It is a part of the document (`html_document`): some of its paragraphs, each as it stands there.
//! These are the blocks; each has a container, the innermost element around all of it. Blocks of
//! running text speak for all the containers around them, blocks of links and the like against
//! them. The container for which most is said holds the main content; what does not look like a
//! part of it is left out. A list or a table is one paragraph, so it is taken or left as a whole.
//! No words of any language are needed, and the time is linear in the page.

mod block;
mod containers;
mod hints;

#[cfg(test)]
mod tests;

use block::Block;
use containers::{Container, Containers};
use hints::Hint;

use super::extract::{Flow, Positions};

/// Listens for the main content of a page.
pub type Collector = Flow<Positions<Containers>>;

impl Collector {
    /// After the page: the main content, paragraphs of the document with blank lines between them.
    pub fn main_text(self) -> String {
        let (document, positions) = self.into_parts();
        let (containers, places) = positions.finish(&document);
        let blocks: Vec<Block<'_>> = places
            .map(|place| {
                let container = place.node.map_or(0, |node| node.0);
                let text = document.get(place.text).unwrap_or_default();
                Block::new(text, container, place.kind, place.link_characters)
            })
            .collect();
        let main = main_blocks(&containers.0, &blocks);
        let texts: Vec<&str> = main.iter().map(|block| block.text).collect();
        texts.join("\n\n")
    }
}

/// A container that has so much of what speaks for the one around it is enough.
const NEARLY_ALL: f32 = 0.9;
/// With a smaller share of the text outside of menus and the like, there is no article: all of
/// that text is the main content.
const FEW: f32 = 0.4;

/// The blocks of the main content, in their order. On pages without an article these are all but
/// menus and the like.
fn main_blocks<'a, 'b>(containers: &[Container], blocks: &'b [Block<'a>]) -> Vec<&'b Block<'a>> {
    let hints = hints_of(containers, blocks);
    let values: Vec<f32> = blocks
        .iter()
        .map(|block| block.value(get(&hints, block.container)))
        .collect();
    let main = main_container(containers, blocks, &values);
    let within = within(containers, main);
    let is_clean =
        |block: &Block<'_>| get(&hints, block.container) != Hint::Beside && !block.is_navigation();
    let mut kept: Vec<&Block<'_>> = Vec::new();
    // Headings and short lines wait until text follows.
    let mut waiting: Vec<&Block<'_>> = Vec::new();
    for block in blocks {
        if !get(&within, block.container) || !is_clean(block) {
            continue;
        }
        if block.is_running() {
            kept.append(&mut waiting);
            kept.push(block);
        } else if block.is_heading || !kept.is_empty() {
            waiting.push(block);
        }
    }
    let clean: Vec<&Block<'_>> = blocks.iter().filter(|block| is_clean(block)).collect();
    if total_weight(&kept) < total_weight(&clean) * FEW {
        return clean;
    }
    kept
}

fn total_weight(blocks: &[&Block<'_>]) -> f32 {
    blocks.iter().map(|block| block.weight as f32).sum()
}

/// For each container, what it and those around it say.
fn hints_of(containers: &[Container], blocks: &[Block<'_>]) -> Vec<Hint> {
    let running: Vec<f32> = blocks.iter().map(Block::running_weight).collect();
    let totals = totals(containers, blocks, &running);
    let most = totals.first().copied().unwrap_or_default() * 0.5;
    let mut hints: Vec<Hint> = Vec::with_capacity(containers.len());
    for (container, total) in containers.iter().zip(totals) {
        // What holds most of the text is not beside it, whatever it is called.
        let own = match container.hint {
            Hint::Beside if total > most => Hint::Neutral,
            hint => hint,
        };
        hints.push(match (get(&hints, container.parent), own) {
            (Hint::Beside, _) | (_, Hint::Beside) => Hint::Beside,
            (Hint::Main, _) | (_, Hint::Main) => Hint::Main,
            _ => Hint::Neutral,
        });
    }
    hints
}

/// For each container, the sum of the values within.
fn totals(containers: &[Container], blocks: &[Block<'_>], values: &[f32]) -> Vec<f32> {
    let mut totals = vec![0.0; containers.len()];
    for (block, value) in blocks.iter().zip(values) {
        if let Some(total) = totals.get_mut(block.container) {
            *total += value;
        }
    }
    // Children come after their parents.
    for (index, container) in containers.iter().enumerate().skip(1).rev() {
        let total = get(&totals, index);
        if let Some(outer) = totals.get_mut(container.parent) {
            *outer += total;
        }
    }
    totals
}

/// The container for which most is said; or one within that has nearly all of it.
fn main_container(containers: &[Container], blocks: &[Block<'_>], values: &[f32]) -> usize {
    let totals = totals(containers, blocks, values);
    let mut best = 0;
    for (index, total) in totals.iter().enumerate() {
        if *total >= get(&totals, best) {
            best = index;
        }
    }
    let mut main = best;
    for (index, container) in containers.iter().enumerate().skip(best + 1) {
        if container.parent == main && get(&totals, index) >= get(&totals, main) * NEARLY_ALL {
            main = index;
        }
    }
    main
}

/// For each container, whether it is `main` or lies in it.
fn within(containers: &[Container], main: usize) -> Vec<bool> {
    let mut within = Vec::with_capacity(containers.len());
    for (index, container) in containers.iter().enumerate() {
        let is_within = index == main || get(&within, container.parent);
        within.push(is_within);
    }
    within
}

fn get<T: Copy + Default>(of: &[T], index: usize) -> T {
    of.get(index).copied().unwrap_or_default()
}
