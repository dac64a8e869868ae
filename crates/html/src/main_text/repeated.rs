//! Paragraphs that a page repeats: layouts for narrow windows, slides of a carousel, and quotations
//! of earlier posts.

use super::block::Block;
use crate::extract::Kind;

/// Shorter paragraphs, such as names of authors and labels, are repeated on purpose.
const MIN_WEIGHT: u32 = 40;

/// Removes paragraphs with the same text as an earlier one, except code. Within the container that
/// directly contains both, the author repeats a text, such as a question of an interview. `holders`
/// has this container for each container.
pub fn remove_repeated(blocks: &mut Vec<&Block<'_>>, holders: &[usize]) {
    let is_candidate =
        |block: &&Block<'_>| block.weight >= MIN_WEIGHT && block.kind != Kind::Preformatted;
    let mut texts: Vec<(&str, usize, Option<usize>)> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        if is_candidate(block) {
            texts.push((block.text, index, holders.get(block.container).copied()));
        }
    }
    // Most texts differ in length, so that sorting is cheaper than hashing.
    texts.sort_by_key(|(text, ..)| (text.len(), *text));
    let mut is_repeated = vec![false; blocks.len()];
    for same in texts.chunk_by(|(one, ..), (other, ..)| one == other) {
        let first = same.first().and_then(|(_, _, holder)| *holder);
        for (_, index, holder) in same {
            if let Some(is_repeated) = is_repeated.get_mut(*index) {
                *is_repeated = *holder != first;
            }
        }
    }
    let mut is_repeated = is_repeated.into_iter();
    blocks.retain(|_| !is_repeated.next().unwrap_or_default());
}
