//! Paragraphs that a page repeats: layouts for narrow windows, slides of a carousel, quotations of
//! earlier posts, and labels.

use std::collections::HashMap;

use super::block::Block;
use crate::extract::Kind;

/// Shorter paragraphs, such as names of authors and labels, are repeated on purpose.
const MIN_WEIGHT: u32 = 40;

/// Minimum number of labels that differ only in their digits.
const MIN_LABELS: usize = 3;

/// Minimum number of people who are asked the same question.
const MIN_QUESTIONS: usize = 3;

/// Removes paragraphs that repeat an earlier one, except code. Repeats directly inside the same
/// container are kept: the author repeats a text, such as an interview question. `holders` maps
/// each container to the container that directly contains its text.
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
        if are_questions(same, blocks) {
            continue;
        }
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

/// Removes short lines that differ only in their digits, and equal headings, if there are several:
/// the labels, dates, numbers and titles of posts.
pub fn remove_labels(blocks: &mut Vec<&Block<'_>>) {
    let label = |block: &Block<'_>| -> Option<String> {
        if block.is_heading {
            return Some(block.text.to_owned());
        }
        let is_short = block.weight < MIN_WEIGHT && block.kind == Kind::Text;
        let may_be_label = is_short && !block.has_price();
        let without_digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
        may_be_label.then(|| block.text.chars().map(without_digits).collect())
    };
    let labels: Vec<_> = blocks.iter().map(|block| label(block)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for label in labels.iter().flatten() {
        *counts.entry(label).or_default() += 1;
    }
    let mut labels = labels.iter();
    blocks.retain(|_| {
        let label = labels.next().and_then(Option::as_deref);
        let count = label.and_then(|label| counts.get(label)).copied();
        count.is_none_or(|count| count < MIN_LABELS)
    });
}

/// Whether these are the same question with different answers. Copies of a part of the page are
/// followed by copies.
fn are_questions(same: &[(&str, usize, Option<usize>)], blocks: &[&Block<'_>]) -> bool {
    let is_question = |text: &str| text.ends_with(['?', '？', '؟']);
    if same.len() < MIN_QUESTIONS || !same.first().is_some_and(|(text, ..)| is_question(text)) {
        return false;
    }
    let following = |index: usize| blocks.get(index + 1).map(|block| block.text);
    let mut texts: Vec<_> = same.iter().map(|(_, index, _)| following(*index)).collect();
    texts.sort_unstable();
    let is_known = texts.first().is_some_and(Option::is_some);
    texts.dedup();
    is_known && texts.len() == same.len()
}
