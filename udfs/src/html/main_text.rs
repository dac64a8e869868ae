//! The main content of a page: its article, without menus, teasers, comments and small print.
//!
//! The page is a list of blocks, each in a container. Blocks of running text speak for all the
//! containers around them, blocks of links and the like against them. The container for which
//! most is said holds the main content; what does not look like a part of it is left out. No
//! words of any language are needed, and the time is linear in the page.

mod collect;
mod hints;

#[cfg(test)]
mod tests;

pub use collect::Collector;
pub use hints::Hint;

/// A block-level element. The first is the page itself; every other one has its parent before it.
#[derive(Debug, Clone)]
pub struct Container {
    pub parent: usize,
    /// What its name, class and id say of its content.
    pub hint: Hint,
}

/// Text between two block boundaries, white space collapsed.
#[derive(Debug, Clone)]
pub struct Block {
    pub text: String,
    pub container: usize,
    pub is_heading: bool,
    /// The amount of text, comparable between scripts: see [`weight`].
    pub weight: u32,
    /// How much of it is in links.
    pub link_weight: u32,
}

/// Characters count; those of scripts that need fewer of them for the same text count more.
pub fn weight(text: &str) -> u32 {
    let of = |c: char| match c {
        ' ' | '\n' => 0,
        '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' => 3,
        '\u{20000}'..='\u{3ffff}' => 3,
        _ => 1,
    };
    text.chars().map(of).fold(0, u32::saturating_add)
}

/// A block with that weight is running text even without a full stop.
const LONG: u32 = 120;
/// One with less is none even with it.
const SHORT: u32 = 40;
/// A container that has so much of what speaks for the one around it is enough.
const NEARLY_ALL: f32 = 0.9;
/// With a smaller share of the text outside of menus and the like, there is no article: all of
/// that text is the main content.
const FEW: f32 = 0.5;
/// The value of a short line without links.
const SMALL: f32 = -20.0;
/// A block with more of it in links is navigation.
const MAX_LINKS: f32 = 0.6;

/// The blocks of the main content, in their order. On pages without an article these are all but
/// menus and the like.
pub fn main_blocks<'a>(containers: &[Container], blocks: &'a [Block]) -> Vec<&'a Block> {
    let hints = hints_of(containers, blocks);
    let values: Vec<f32> = blocks
        .iter()
        .map(|block| value(block, get(&hints, block.container)))
        .collect();
    let main = main_container(containers, blocks, &values);
    let within = within(containers, main);
    let is_clean = |block: &Block| {
        get(&hints, block.container) != Hint::Beside && link_share(block) <= MAX_LINKS
    };
    let mut kept: Vec<&Block> = Vec::new();
    // Headings and short lines wait until text follows.
    let mut waiting: Vec<&Block> = Vec::new();
    for (block, value) in blocks.iter().zip(values) {
        if !get(&within, block.container) {
            continue;
        }
        if value > 0.0 {
            kept.append(&mut waiting);
            kept.push(block);
        } else if value >= SMALL && (block.is_heading || !kept.is_empty()) {
            waiting.push(block);
        }
    }
    let clean: Vec<&Block> = blocks.iter().filter(|block| is_clean(block)).collect();
    if total_weight(&kept) < total_weight(&clean) * FEW {
        return clean;
    }
    kept
}

fn total_weight(blocks: &[&Block]) -> f32 {
    blocks.iter().map(|block| block.weight as f32).sum()
}

/// For each container, what it and those around it say.
fn hints_of(containers: &[Container], blocks: &[Block]) -> Vec<Hint> {
    let running = |block: &Block| match is_running(block) {
        true => block.weight as f32 - block.link_weight as f32,
        false => 0.0,
    };
    let running: Vec<f32> = blocks.iter().map(running).collect();
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

fn is_running(block: &Block) -> bool {
    let is_text = block.weight >= LONG || (block.weight >= SHORT && has_sentence(&block.text));
    is_text && !block.is_heading && link_share(block) <= MAX_LINKS
}

fn link_share(block: &Block) -> f32 {
    block.link_weight as f32 / block.weight.max(1) as f32
}

/// How much a block speaks for the containers around it.
fn value(block: &Block, hint: Hint) -> f32 {
    let weight = block.weight as f32;
    if hint == Hint::Beside || link_share(block) > MAX_LINKS {
        return SMALL * 2.0 - weight.min(100.0) * 0.4;
    }
    if !is_running(block) {
        return SMALL;
    }
    let value = weight * (1.0 - link_share(block));
    match hint {
        Hint::Main => value * 1.3,
        _ => value,
    }
}

/// For each container, the sum of the values within.
fn totals(containers: &[Container], blocks: &[Block], values: &[f32]) -> Vec<f32> {
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
fn main_container(containers: &[Container], blocks: &[Block], values: &[f32]) -> usize {
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

fn has_sentence(text: &str) -> bool {
    text.ends_with([
        '.', '!', '?', '。', '！', '？', '…', '"', '”', '»', '」', ':', '۔', '।', '။',
    ])
}

fn get<T: Copy + Default>(of: &[T], index: usize) -> T {
    of.get(index).copied().unwrap_or_default()
}
