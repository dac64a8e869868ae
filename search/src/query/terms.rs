//! The words of a query, in the form of the index.

use tantivy::tokenizer::TextAnalyzer;

use crate::words::{WordRules, plain_analyzer, scripts};

/// The terms of a word or a phrase, with their positions.
#[derive(Debug, Default)]
pub struct Terms {
    pub exact: Vec<(usize, String)>,
    /// The last term, if it is only a prefix.
    pub prefix: Option<(usize, String)>,
    /// Whether that prefix is one character of a text without spaces.
    pub character: bool,
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
        // A single character is found wherever it is the first of a pair, unless a word has to
        // follow it.
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

    /// Takes the last word as a prefix. Its ending is not cut off.
    fn open_the_end(&mut self, text: &str, terms: &mut Terms) {
        let mut last = None;
        self.plain.token_stream(text).process(&mut |token| {
            let spaceless = text[token.offset_from..].starts_with(scripts::is_spaceless);
            last = Some((token.position, token.text.clone(), spaceless));
        });
        // Pairs match every ending anyway.
        if let Some((position, word, false)) = last {
            terms.exact.retain(|(at, _)| *at < position);
            terms.prefix = Some((position, word));
        }
    }

    /// Returns the index's form of a word, without its ending.
    pub fn stem(&mut self, word: &str) -> Option<String> {
        self.rules.language?;
        let mut stem = None;
        self.analyzer
            .token_stream(word)
            .process(&mut |token| stem = Some(token.text.clone()));
        stem.filter(|stem| !stem.starts_with(word))
    }
}
