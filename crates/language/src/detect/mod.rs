//! Detects the language of a text, without any files.
//!
//! If only one language is written in a script, the script decides. Otherwise a small model of
//! words and letter n-grams chooses among the languages of the text's main script. Long texts are
//! sampled at evenly spread places: a few at first, more if the result is uncertain.
//!
//! ```text
//! script          scripts of letters
//! sample          parts of a long text
//! words           words of the main script
//! model           the built-in model
//! mixed_text      text with English around it
//! frequent_words  languages that the model has not learned
//! ```

mod frequent_words;
mod mixed_text;
mod model;
mod sample;
mod script;
#[cfg(test)]
mod tests;
mod words;

use model::Candidate;
use script::Script;
use words::Counts;

/// The number and size in bytes of the parts of a text that are read: in the first round, and in
/// the second if the first is uncertain.
const ROUNDS: [(usize, usize); 2] = [(4, 160), (8, 320)];
/// Minimum probability of the language, and minimum share of the script, to skip the second round.
const MIN_SURE_PROBABILITY: f32 = 0.9;
const MIN_SURE_SCRIPT_SHARE: f32 = 0.7;
const MAX_ALTERNATIVES: usize = 3;
/// The minimum probability of an alternative.
const MIN_ALTERNATIVE_PROBABILITY: f32 = 0.01;

/// The language of a text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Detection {
    /// By ISO 639-1, or ISO 639-3 if the language has no code there.
    pub language: &'static str,
    /// Between 0 and 1: the probability of the language, times the share of the script in all
    /// letters.
    pub confidence: f32,
    /// The main script by ISO 15924. `Jpan` is Japanese, `Hani` Chinese characters alone.
    pub script: &'static str,
    /// Up to three other languages with their confidences, the likeliest first.
    pub alternatives: Vec<(&'static str, f32)>,
}

/// Detects the language that most of a text is in. `None` if the text has no letters of a known
/// script.
///
/// The same text always gives the same result. At most 3 KB are read, unless the text starts with
/// more than that without letters.
pub fn detect(text: &str) -> Option<Detection> {
    let mut judged = None;
    for (count, bytes) in ROUNDS {
        judged = judge(|| sample::parts(text, count, bytes));
        let is_sure = judged.as_ref().is_some_and(Evidence::is_sure);
        if is_sure || text.len() <= count * bytes {
            break;
        }
    }
    let judged = judged.or_else(|| {
        let (count, bytes) = ROUNDS[1];
        let part = sample::from_first_letter(text, count * bytes)?;
        judge(|| std::iter::once(part))
    });
    judged?.detection()
}

/// Returns the main script of a text by ISO 15924, as in [`Detection::script`].
pub fn main_script(text: &str) -> Option<&'static str> {
    let (count, bytes) = ROUNDS[1];
    let script = script_of(|| sample::parts(text, count, bytes)).or_else(|| {
        let part = sample::from_first_letter(text, count * bytes)?;
        script_of(|| std::iter::once(part))
    });
    script.map(Script::code)
}

fn script_of<'a, P: Iterator<Item = &'a str>>(parts: impl Fn() -> P) -> Option<Script> {
    // Addresses count only if there is nothing else.
    [false, true].into_iter().find_map(|all| {
        let mut counts = Counts::new();
        parts().for_each(|part| counts.add(part, all));
        counts.main()
    })
}

/// Returns the languages that [`detect`] knows, each with its script (ISO 15924).
pub fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let by_script = Script::ALL
        .iter()
        .filter_map(|script| Some((script.language()?, script.code())));
    by_script
        .chain(model::languages())
        .chain(frequent_words::languages())
}

/// Returns the main script of a text, and its words in that script in lower case. Languages are
/// learned and detected from these words. `None` if the only letters are in addresses and the like.
pub fn normalize(text: &str) -> Option<(&'static str, String)> {
    let mut counts = Counts::new();
    counts.add(text, false);
    let script = counts.main()?;
    let mut out = String::new();
    words::append(text, script, false, &mut out);
    Some((script.code(), out))
}

/// The evidence in the parts of a text.
struct Evidence {
    script: Script,
    share: f32,
    candidates: Vec<Candidate>,
}

impl Evidence {
    fn is_sure(&self) -> bool {
        let likeliest = self.candidates.first();
        self.share >= MIN_SURE_SCRIPT_SHARE
            && likeliest.is_some_and(|found| found.probability >= MIN_SURE_PROBABILITY)
    }

    fn detection(&self) -> Option<Detection> {
        let mut likeliest = self
            .candidates
            .iter()
            .map(|found| (found.language, found.probability * self.share));
        let (language, confidence) = likeliest.next()?;
        Some(Detection {
            language,
            confidence,
            script: self.script.code(),
            alternatives: likeliest
                .filter(|(_, confidence)| *confidence >= MIN_ALTERNATIVE_PROBABILITY)
                .take(MAX_ALTERNATIVES)
                .collect(),
        })
    }
}

fn judge<'a, P: Iterator<Item = &'a str>>(parts: impl Fn() -> P) -> Option<Evidence> {
    // Addresses count only if there is nothing else.
    [false, true].into_iter().find_map(|all| {
        let mut counts = Counts::new();
        parts().for_each(|part| counts.add(part, all));
        let script = counts.main()?;
        let candidates = match script.language() {
            Some(language) => vec![Candidate {
                language,
                probability: 1.0,
            }],
            None => {
                let mut words = String::new();
                parts().for_each(|part| words::append(part, script, all, &mut words));
                mixed_text::candidates(&words, script)
            }
        };
        (!candidates.is_empty()).then(|| Evidence {
            script,
            share: counts.share(script),
            candidates,
        })
    })
}
