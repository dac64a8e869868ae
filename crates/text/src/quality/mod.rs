//! The quality rules of published corpora: their measures, and the rules that a text breaks.
//!
//! Each rule set has its measures, and thresholds whose defaults are the published ones. A text is
//! kept if it breaks no rule; otherwise the names of the broken rules are the reasons. Names,
//! measures and thresholds are those of datatrove, which made FineWeb.
//!
//! ```text
//! gopher             quality rules of Gopher
//! gopher_repetition  repetition rules of Gopher
//! c4                 rules of C4
//! phrases            the phrases of these rules
//! fineweb            rules that FineWeb adds
//! characters         all of these by characters
//! japanese           the filter of uzushio
//! ```

mod c4;
mod characters;
mod fineweb;
mod gopher;
mod gopher_repetition;
mod japanese;
mod phrases;

pub use c4::{C4, C4Rules, c4};
pub use characters::{CharacterRules, Characters, characters};
pub use fineweb::{FineWeb, FineWebRules, fineweb};
pub use gopher::{Gopher, GopherRules, gopher};
pub use gopher_repetition::{GopherRepetition, GopherRepetitionRules, gopher_repetition};
pub use japanese::{Japanese, JapaneseRules, japanese};

use crate::repetition::NgramCounter;
use crate::words::measured_words;

/// A text of ordinary length has at most one distinct word per this many bytes.
const BYTES_PER_WORD: usize = 16;

/// The measures of all rule sets.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Quality {
    pub gopher: Gopher,
    pub gopher_repetition: GopherRepetition,
    pub c4: C4,
    pub fineweb: FineWeb,
}

/// The text to which the rules of FineWeb are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FineWebInput {
    /// The text itself, like [`fineweb`].
    Text,
    /// The text that C4 leaves, as in the pipeline of FineWeb.
    AfterC4,
}

/// Applies all rule sets. The text is split into words once, so that this takes less than half the
/// time of the separate functions.
pub fn quality(text: &str, c4_rules: &C4Rules, input: FineWebInput) -> Quality {
    let mut gopher = gopher::WordCounts::default();
    let mut ngrams = NgramCounter::new(text.len() / BYTES_PER_WORD);
    let mut lines = c4::LineFilter::new(text, c4_rules);
    let mut words = 0;
    for word in measured_words(text) {
        words += 1;
        gopher.add(&word);
        ngrams.add(word.term, word.characters);
        lines.add(&word);
    }
    let (c4, words_after_c4) = lines.finish();
    let fineweb = match input {
        FineWebInput::Text => fineweb::of_words(text, words),
        FineWebInput::AfterC4 => fineweb::of_words(&c4.text, words_after_c4),
    };
    Quality {
        gopher: gopher.finish(text),
        gopher_repetition: gopher_repetition::of_ngrams(text, &ngrams.finish()),
        c4,
        fineweb,
    }
}

/// Returns the names of the rules that are broken.
fn broken_names<const N: usize>(
    rules: [(bool, &'static str); N],
) -> impl Iterator<Item = &'static str> {
    rules
        .into_iter()
        .filter_map(|(is_broken, name)| is_broken.then_some(name))
}

/// Returns `part` as a share of `whole`, 0 if both are 0.
fn share(part: u64, whole: u64) -> f64 {
    match (part, whole) {
        (0, _) => 0.0,
        (part, whole) => part as f64 / whole as f64,
    }
}

#[cfg(test)]
mod tests;
