//! Finds similar names.

use datafusion::common::utils::datafusion_strsim::levenshtein;

/// Returns the candidate that `name` most likely means: one that it misspells, or one that contains
/// it as a word.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let tolerated = match name.chars().count() {
        0..=1 => 0,
        2..=3 => 1,
        length => (length / 3).max(2),
    };
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            let distance = levenshtein(&name, &lower);
            let is_word = lower.split('_').any(|word| word == name);
            if distance <= tolerated {
                Some((distance, candidate))
            } else if is_word {
                // A misspelled name is more likely than a word of a longer name.
                Some((usize::MAX, candidate))
            } else {
                None
            }
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
