//! Converts the words of a query to terms of the index.

use tantivy::tokenizer::TextAnalyzer;

use super::wildcard::{Wildcard, is_wildcard};
use crate::words::{Language, WordRules, plain_analyzer, scripts};

/// The terms of a word or a phrase, with their positions.
#[derive(Debug, Default)]
pub struct Terms {
    pub exact: Vec<(usize, String)>,
    /// The last term, if it is only a prefix.
    pub prefix: Option<(usize, String)>,
    /// Whether that prefix is one character of a text without spaces.
    pub character: bool,
    /// The words with wildcards.
    pub patterns: Vec<(usize, WordPattern)>,
}

/// A word with wildcards.
#[derive(Debug, Clone)]
pub struct WordPattern {
    /// The pattern of terms that keep their endings.
    pub wildcard: Wildcard,
    /// The word of the query, with the letters that represent wildcards.
    pub word: String,
}

/// Splits texts into terms.
pub struct Analyzers {
    rules: WordRules,
    analyzer: TextAnalyzer,
    /// Keeps the endings of words.
    plain: TextAnalyzer,
}

impl Analyzers {
    pub fn new(rules: WordRules) -> Self {
        Self {
            rules,
            analyzer: rules.analyzer(),
            plain: plain_analyzer(),
        }
    }

    /// Returns the terms that the index would have for a text.
    pub fn terms_of(&mut self, text: &str, open_end: bool, slop: u32) -> Terms {
        let mut terms = Terms::default();
        let mut before = (0, 0);
        let mut last_is_character = false;
        self.analyzer.token_stream(text).process(&mut |token| {
            let covered = before.1 == token.offset_to && before.0 < token.offset_from;
            // The last character of a run is a separate token; the pair before it is more specific.
            if !covered {
                terms.exact.push((token.position, token.text.clone()));
            }
            let whole = &text[token.offset_from..token.offset_to];
            last_is_character = !covered
                && whole.chars().next().is_some_and(scripts::is_spaceless)
                && scripts::first_character_len(whole) == whole.len();
            before = (token.offset_from, token.offset_to);
        });
        // A single character matches wherever it starts a pair, unless a word must follow it.
        if last_is_character && slop == 0 {
            terms.prefix = terms.exact.pop();
            terms.character = true;
        } else if open_end {
            self.open_the_end(text, &mut terms);
        }
        if let Some(first) = terms
            .exact
            .first()
            .or(terms.prefix.as_ref())
            .map(|(at, _)| *at)
        {
            let shift = |(at, _): &mut (usize, String)| *at -= first;
            terms.exact.iter_mut().for_each(shift);
            terms.prefix.iter_mut().for_each(shift);
        }
        terms
    }

    /// Returns the terms of a text with wildcards. An error describes the mistake.
    pub fn terms_with_patterns(&mut self, text: &str) -> Result<Terms, &'static str> {
        if text.contains(scripts::is_spaceless) {
            return Err(
                "* and ? inside of a word need a script with spaces between words: write the \
                 characters on each side as separate words",
            );
        }
        let mut patterns = Vec::new();
        self.plain.token_stream(text).process(&mut |token| {
            if token.text.contains(is_wildcard) {
                let word = text[token.offset_from..token.offset_to].to_owned();
                patterns.push((token.position, Wildcard::new(&token.text), word));
            }
        });
        let mut terms = Terms::default();
        for (position, wildcard, word) in patterns {
            let wildcard = wildcard.ok_or("expected letters beside * or ?")?;
            terms
                .patterns
                .push((position, WordPattern { wildcard, word }));
        }
        let mut exact = Vec::new();
        self.analyzer.token_stream(text).process(&mut |token| {
            exact.push((token.position, token.text.clone()));
        });
        let is_pattern = |at| terms.patterns.iter().any(|(place, _)| *place == at);
        exact.retain(|(at, _)| !is_pattern(*at));
        terms.exact = exact;
        let places = terms.exact.iter().map(|(at, _)| *at);
        let places = places.chain(terms.patterns.iter().map(|(at, _)| *at));
        let first = places.min().unwrap_or_default();
        terms.exact.iter_mut().for_each(|(at, _)| *at -= first);
        terms.patterns.iter_mut().for_each(|(at, _)| *at -= first);
        Ok(terms)
    }

    /// Treats the last word as a prefix, which is not stemmed.
    fn open_the_end(&mut self, text: &str, terms: &mut Terms) {
        let mut last = None;
        self.plain.token_stream(text).process(&mut |token| {
            let spaceless = text[token.offset_from..].starts_with(scripts::is_spaceless);
            last = Some((token.position, token.text.clone(), spaceless));
        });
        // Pairs match every ending.
        if let Some((position, word, false)) = last {
            terms.exact.retain(|(at, _)| *at < position);
            terms.prefix = Some((position, word));
        }
    }

    /// The language whose words the index stems.
    pub fn language(&self) -> Option<Language> {
        self.rules.language
    }

    /// Returns the index's form of a word, without its ending, unless the word is a prefix of it.
    pub fn stem(&mut self, word: &str) -> Option<String> {
        self.rules.language?;
        self.term_of(word).filter(|stem| !stem.starts_with(word))
    }

    /// Returns the index's form of one word.
    pub fn term_of(&mut self, word: &str) -> Option<String> {
        let mut term = None;
        self.analyzer
            .token_stream(word)
            .process(&mut |token| term = Some(token.text.clone()));
        term
    }
}
