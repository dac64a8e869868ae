//! The summary of an article that starts its text without the headline.

use super::block::Block;
use super::headline::letters;

/// Maximum share of a summary in the running text. A longer one is most of the text, so it stays.
const MAX_SHARE: f32 = 0.5;

/// Removes the first block if it repeats a description that the page declares, as a short line or
/// in another element than the text that follows. It belongs to the headline, which is not in the
/// text either. `holders` has the container that directly contains the text of each container.
pub fn remove_summary(blocks: &mut Vec<&Block<'_>>, descriptions: &[String], holders: &[usize]) {
    if descriptions.is_empty() {
        return;
    }
    let Some((first, rest)) = blocks.split_first() else {
        return;
    };
    let holder = |block: &Block<'_>| holders.get(block.container);
    let next = rest.iter().find(|block| block.is_running());
    let running: f32 = blocks.iter().map(|block| block.running_weight()).sum();
    let is_apart = !first.is_running() || next.is_some_and(|next| holder(next) != holder(first));
    if is_apart && first.weight as f32 <= running * MAX_SHARE {
        let first = letters(first.text);
        if descriptions.iter().any(|text| letters(text) == first) {
            blocks.remove(0);
        }
    }
}
