//! Detects the language of texts with English around them, such as menus and notices of pages.

use corpus_bytes::step_counter::count_steps;

use super::frequent_words;
use super::model::{self, Candidate};
use super::script::Script;

const ENGLISH: &str = "en";

/// The number of words that are classified together.
const CHUNK_WORDS: usize = 8;

/// The weight of an English chunk relative to others: pages in any language contain English.
const ENGLISH_WEIGHT: f32 = 0.35;

/// The minimum probability at which a chunk is evidence of a language.
const MIN_PROBABILITY: f32 = 0.8;

/// Returns the languages that words may be in, the likeliest first. If that is English, another
/// language wins if enough of the words are in it.
pub(super) fn candidates(words: &str, script: Script) -> Vec<Candidate> {
    let mut candidates = single(words, script);
    if candidates
        .first()
        .is_none_or(|first| first.language != ENGLISH)
    {
        return candidates;
    }
    let mut english = 0.0;
    let mut others: Vec<(&str, f32)> = Vec::new();
    for chunk in chunks(words) {
        count_steps(chunk.len());
        let Some(first) = single(chunk, script).into_iter().next() else {
            continue;
        };
        let weight = chunk.len() as f32 * first.probability;
        if first.language == ENGLISH {
            english += weight * ENGLISH_WEIGHT;
        } else if first.probability >= MIN_PROBABILITY {
            match others
                .iter_mut()
                .find(|(language, _)| *language == first.language)
            {
                Some((_, sum)) => *sum += weight,
                None => others.push((first.language, weight)),
            }
        }
    }
    let other = others
        .into_iter()
        .max_by(|(_, one), (_, other)| one.total_cmp(other));
    let Some((language, weight)) = other else {
        return candidates;
    };
    let probability = weight / (weight + english);
    candidates.retain(|candidate| candidate.language != language);
    for candidate in &mut candidates {
        candidate.probability *= 1.0 - probability;
    }
    // English stays first while it weighs more.
    let place = usize::from(weight <= english);
    candidates.insert(
        place,
        Candidate {
            language,
            probability,
        },
    );
    candidates
}

/// Returns the languages that words may be in if all of them are in the same one.
fn single(words: &str, script: Script) -> Vec<Candidate> {
    let mut candidates = model::candidates(words, script);
    if script == Script::Latin {
        frequent_words::add(words, &mut candidates);
    }
    candidates
}

/// Divides words, which are separated by spaces, into chunks.
fn chunks(words: &str) -> impl Iterator<Item = &str> {
    let mut rest = words;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut spaces = rest.match_indices(' ');
        let end = spaces
            .nth(CHUNK_WORDS - 1)
            .map_or(rest.len(), |(at, _)| at + 1);
        let (chunk, after) = rest.split_at(end);
        rest = after;
        Some(chunk)
    })
}
