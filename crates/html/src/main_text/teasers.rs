//! Teasers: short texts that introduce other pages, each below a linked heading.

use super::block::Block;
use super::containers::Containers;
use super::hints::Hint;

/// Minimum weight of other running text. With less, no block is a teaser.
const MIN_OTHER_WEIGHT: f32 = 300.0;
/// Minimum number of teasers after an article, ...
const MIN_TEASERS: usize = 2;
/// ... and of paragraphs of running text before them.
const MIN_PARAGRAPHS_BEFORE: usize = 2;

/// For each block, whether it is the only text below a linked heading. If there is hardly any other
/// text, no block is a teaser.
pub fn teasers(containers: &Containers, blocks: &[Block<'_>], hints: &[Hint]) -> Vec<bool> {
    let running = blocks.iter().filter(|block| block.is_running());
    let counts = containers.sums(running.map(|block| (block.container, 1.0)));
    let mut teasers = vec![false; blocks.len()];
    let below = blocks.iter().zip(teasers.iter_mut()).skip(1);
    for (above, (block, is_teaser)) in blocks.iter().zip(below) {
        if !(above.is_heading && above.is_navigation() && block.is_running()) {
            continue;
        }
        // The paragraph is in the element around the heading, or one level deeper.
        let item = containers.parent(above.container);
        let count = counts.get(item).copied().unwrap_or_default();
        let mut around = containers.around(block.container).take(3);
        *is_teaser = count < 2.0 && around.any(|outer| outer == item);
    }
    let others = blocks.iter().zip(&teasers).filter(|(block, is_teaser)| {
        let hint = hints.get(block.container).copied().unwrap_or_default();
        !**is_teaser && hint != Hint::Boilerplate
    });
    let others: f32 = others.map(|(block, _)| block.running_weight()).sum();
    if others < MIN_OTHER_WEIGHT {
        teasers.fill(false);
    }
    teasers
}

/// Removes the teasers after the last paragraph of the text itself, and everything between them, if
/// there are several. `teasers` marks the teasers among `blocks`.
pub fn remove_teasers_at_end(kept: &mut Vec<&Block<'_>>, blocks: &[Block<'_>], teasers: &[bool]) {
    let is_teaser = |block: &Block<'_>| {
        let index = blocks.binary_search_by_key(&block.paragraph, |block| block.paragraph);
        index.is_ok_and(|index| teasers.get(index).copied().unwrap_or_default())
    };
    let is_other = |block: &&Block<'_>| block.is_running() && !is_teaser(block);
    let Some(last) = kept.iter().rposition(is_other) else {
        return;
    };
    let (article, rest) = kept.split_at(last + 1);
    let count = rest.iter().filter(|block| is_teaser(block)).count();
    let paragraphs = article.iter().filter(|block| block.is_running()).count();
    if count >= MIN_TEASERS && paragraphs >= MIN_PARAGRAPHS_BEFORE {
        kept.truncate(last + 1);
    }
}
