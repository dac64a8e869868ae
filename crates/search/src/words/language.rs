//! The languages whose words can be stemmed.

use tantivy::tokenizer::{self, StopWordFilter};

/// A language, with its name in options and settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language(&'static str, tokenizer::Language);

const LANGUAGES: &[Language] = {
    use tokenizer::Language as L;
    &[
        Language("arabic", L::Arabic),
        Language("danish", L::Danish),
        Language("dutch", L::Dutch),
        Language("english", L::English),
        Language("finnish", L::Finnish),
        Language("french", L::French),
        Language("german", L::German),
        Language("greek", L::Greek),
        Language("hungarian", L::Hungarian),
        Language("italian", L::Italian),
        Language("norwegian", L::Norwegian),
        Language("portuguese", L::Portuguese),
        Language("romanian", L::Romanian),
        Language("russian", L::Russian),
        Language("spanish", L::Spanish),
        Language("swedish", L::Swedish),
        Language("tamil", L::Tamil),
        Language("turkish", L::Turkish),
    ]
};

impl Language {
    /// All names, in alphabetical order.
    pub const NAMES: [&'static str; LANGUAGES.len()] = {
        let mut names = [""; LANGUAGES.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = LANGUAGES[at].0;
            at += 1;
        }
        names
    };

    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        LANGUAGES.iter().find(|known| known.0 == name).copied()
    }

    pub fn name(&self) -> &'static str {
        self.0
    }

    pub(super) fn algorithm(&self) -> tokenizer::Language {
        self.1
    }

    /// Returns the most frequent words, if there is a list for the language.
    pub fn stop_words(&self) -> Option<StopWordFilter> {
        StopWordFilter::new(self.1)
    }
}
