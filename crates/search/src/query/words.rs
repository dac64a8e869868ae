//! Compiles words and phrases in a column of text.

use std::collections::BTreeSet;

use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, FuzzyTermQuery,
    InvertedIndexRangeQuery, PhraseQuery, Query, RegexPhraseQuery, TermSetQuery,
};
use tantivy::{Searcher, Term};

use super::ast::{Ending, Leaf, Operand};
use super::compile::{Compiler, Maybe, Pattern, open_pattern, term_query};
use super::expand::{
    MAX_PHRASE_ENDS, MAX_SCORED_TERMS, MAX_WILDCARD_TERMS, matching, prefix_range, similar_to,
    starting_with,
};
use super::lexer::error;
use super::terms::{Terms, WordPattern};
use super::wildcard::{ANY, ONE, as_written, is_wildcard};
use crate::error::{Result, SearchError};
use crate::settings::field;
use crate::words::scripts;

/// The maximum number of terms of all words and phrases together.
const MAX_TERMS: usize = 4096;

/// The maximum number of words with `*`, `?` or `~`. Each is compared with the terms of the index.
const MAX_PATTERNS: usize = 64;

/// The maximum length of a word with `~`.
const MAX_FUZZY_CHARS: usize = 64;

/// The weight of a term that only resembles the word, relative to the word.
const SIMILAR_WEIGHT: f32 = 0.5;

/// Maximum number of `?` in a word if the index stems words. Each letter is then tried, and the
/// resulting word is stemmed.
const MAX_TRIED_LETTERS: usize = 2;

/// The letters that are tried in languages with Latin letters.
const LATIN: &str = "abcdefghijklmnopqrstuvwxyz0123456789\
                     àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßăğıłőœșşțţű";

impl Compiler<'_> {
    /// Compiles words or a phrase in a column of text.
    pub(super) fn words(&mut self, column: usize, leaf: &Leaf) -> Result<Maybe> {
        let at = leaf.position;
        let (terms, ending, slop) = self.terms(column, leaf)?;
        let patterns = terms.patterns.len() + usize::from(terms.prefix.is_some());
        self.terms += terms.exact.len() + patterns;
        if self.terms > MAX_TERMS {
            return Err(error(at, format!("a query has at most {MAX_TERMS} terms")));
        }
        self.patterns += patterns + usize::from(matches!(ending, Ending::Fuzzy(_)));
        if self.patterns > MAX_PATTERNS {
            let message = format!("a query has at most {MAX_PATTERNS} words with *, ? or ~");
            return Err(error(at, message));
        }
        if let Ending::Fuzzy(distance) = ending {
            return self.fuzzy(column, &terms, distance, at);
        }
        match (terms.exact.as_slice(), terms.patterns.as_slice()) {
            (_, []) => {}
            ([], [(_, pattern)]) => return self.pattern(column, pattern, at).map(Some),
            _ => return self.phrase_with_patterns(column, &terms, at),
        }
        match (terms.exact.as_slice(), &terms.prefix) {
            ([], None) => Ok(None),
            ([], Some((_, prefix))) => self.prefix(column, prefix, terms.character).map(Some),
            ([(_, word)], None) => {
                self.highlight(column, vec![(0, Pattern::Term(word.clone()))], false);
                Ok(Some(term_query(column, word)))
            }
            (_, None) => Ok(Some(self.phrase(column, &terms, slop))),
            (_, Some(_)) => self.phrase_with_prefix(column, &terms, at).map(Some),
        }
    }

    /// Returns the terms of words or a phrase, the sign after them, and the maximum number of words
    /// between the words of the phrase.
    pub(super) fn terms(&mut self, column: usize, leaf: &Leaf) -> Result<(Terms, Ending, u32)> {
        let at = leaf.position;
        let (text, ending, slop) = match &leaf.operand {
            Operand::Word { text, ending } => (text, *ending, 0),
            Operand::Phrase {
                wildcard: Some(at), ..
            } => {
                return Err(error(
                    *at,
                    "* and ? have no meaning between quotation marks: write great* PRE/1 flood \
                     instead of \"great* flood\"; as a character of the text, they are written \\* \
                     and \\?",
                ));
            }
            Operand::Phrase {
                text, slop, prefix, ..
            } => {
                if *prefix {
                    (text, Ending::Prefix, *slop)
                } else {
                    (text, Ending::None, *slop)
                }
            }
            Operand::Range { .. } | Operand::Anything => {
                let name = &self.settings.columns[column].name;
                return Err(error(
                    at,
                    format!(
                        "the field '{name}' is text: it is searched by words and \"phrases\", not \
                         by ranges"
                    ),
                ));
            }
        };
        let terms = match ending {
            Ending::Pattern => {
                let terms = self.analyzers.terms_with_patterns(text);
                terms.map_err(|message| error(at, message))?
            }
            _ => self
                .analyzers
                .terms_of(text, ending == Ending::Prefix, slop),
        };
        Ok((terms, ending, slop))
    }

    fn phrase(&mut self, column: usize, terms: &Terms, slop: u32) -> Box<dyn Query> {
        let patterns = terms.exact.iter();
        let patterns = patterns.map(|(at, word)| (*at, Pattern::Term(word.clone())));
        self.highlight(column, patterns.collect(), slop > 0);
        let words = terms.exact.iter();
        let words = words.map(|(at, word)| (*at, Term::from_field_text(field(column), word)));
        Box::new(PhraseQuery::new_with_offset_and_slop(words.collect(), slop))
    }

    fn phrase_with_prefix(
        &mut self,
        column: usize,
        terms: &Terms,
        at: usize,
    ) -> Result<Box<dyn Query>> {
        let Some((end_at, end)) = &terms.prefix else {
            return Ok(self.phrase(column, terms, 0));
        };
        let found = starting_with(self.searchers, field(column), end, MAX_PHRASE_ENDS);
        let (ends, complete) = found.map_err(SearchError::damaged(self.path))?;
        if !complete {
            return Err(error(
                at,
                format!(
                    "more than {MAX_PHRASE_ENDS} words of the index start with '{end}': write \
                     more of the last word of the phrase"
                ),
            ));
        }
        let patterns = terms.exact.iter();
        let patterns = patterns.map(|(at, word)| (*at, Pattern::Term(word.clone())));
        let last = (*end_at, open_pattern(end, terms.character));
        self.highlight(column, patterns.chain([last]).collect(), false);
        // Terms are letters, digits and marks, which have no special meaning in a pattern.
        let open = format!("{end}.*");
        let count = self.most_frequent(column, &ends)?;
        self.frequencies
            .insert(Term::from_field_text(field(column), &open), count);
        let words = terms.exact.iter().cloned().chain([(*end_at, open)]);
        let words: Vec<_> = words.collect();
        let expansions = words.len() + ends.len();
        let mut query = RegexPhraseQuery::new_with_offset(field(column), words);
        query.set_max_expansions(u32::try_from(expansions).unwrap_or(u32::MAX));
        Ok(Box::new(query))
    }

    /// Returns the number of documents that contain the most frequent of the terms.
    fn most_frequent(&self, column: usize, terms: &BTreeSet<String>) -> Result<u64> {
        let mut most = 0;
        for term in terms {
            let term = Term::from_field_text(field(column), term);
            most = most.max(self.documents_with(&term)?);
        }
        Ok(most)
    }

    fn prefix(&mut self, column: usize, prefix: &str, character: bool) -> Result<Box<dyn Query>> {
        self.highlight(column, vec![(0, open_pattern(prefix, character))], false);
        let found = starting_with(self.searchers, field(column), prefix, MAX_SCORED_TERMS);
        let (mut terms, complete) = found.map_err(SearchError::damaged(self.path))?;
        // If the index stems words, the prefix may be longer than its terms.
        let stem = self.analyzers.stem(prefix);
        if complete {
            terms.extend(stem);
            return self.any_of(column, &terms, None);
        }
        let (from, to) = prefix_range(field(column), prefix);
        let range = Box::new(InvertedIndexRangeQuery::new(from, to));
        let all: Box<dyn Query> = Box::new(ConstScoreQuery::new(range, 1.0));
        Ok(match stem {
            Some(stem) => Box::new(BooleanQuery::union(vec![all, term_query(column, &stem)])),
            None => all,
        })
    }

    /// Compiles a word with wildcards.
    fn pattern(
        &mut self,
        column: usize,
        pattern: &WordPattern,
        at: usize,
    ) -> Result<Box<dyn Query>> {
        let terms = self.terms_of_pattern(column, pattern, MAX_WILDCARD_TERMS, at)?;
        self.highlight(column, vec![(0, Pattern::AnyOf(terms.clone()))], false);
        if terms.len() <= MAX_SCORED_TERMS {
            return self.any_of(column, &terms, None);
        }
        let terms = terms.iter();
        let terms = terms.map(|term| Term::from_field_text(field(column), term));
        let all = Box::new(TermSetQuery::new(terms));
        Ok(Box::new(ConstScoreQuery::new(all, 1.0)))
    }

    /// Returns the terms of the index that match a word with wildcards: all of them, or an error.
    pub(super) fn terms_of_pattern(
        &mut self,
        column: usize,
        pattern: &WordPattern,
        limit: usize,
        at: usize,
    ) -> Result<BTreeSet<String>> {
        let damaged = SearchError::damaged(self.path);
        let find = |wildcard| matching(self.searchers, field(column), wildcard, limit);
        let Some(language) = self.analyzers.language() else {
            let (terms, complete) = find(&pattern.wildcard).map_err(&damaged)?;
            return if complete {
                Ok(terms)
            } else {
                Err(too_many_terms(&pattern.word, limit, at))
            };
        };
        if let Some(tail) = pattern.wildcard.open_tail() {
            let (mut terms, mut complete) = find(&pattern.wildcard).map_err(&damaged)?;
            // The pattern may be longer than the terms without their endings.
            if let Some(stem) = self.analyzers.stem(&tail) {
                let closed = pattern.wildcard.with_tail(&stem, &tail);
                let (others, all) = find(&closed).map_err(&damaged)?;
                terms.extend(others);
                complete &= all;
            }
            return if complete {
                Ok(terms)
            } else {
                Err(too_many_terms(&pattern.word, limit, at))
            };
        }
        if pattern.word.contains(ANY) {
            return Err(error(
                at,
                format!(
                    "the index cuts off endings (language '{}'), so that a word with * inside has \
                     to end with *, too: leave out its ending, and write '{}*'",
                    language.name(),
                    as_written(pattern.word.trim_end_matches(|c| !is_wildcard(c)))
                        .trim_end_matches('*')
                ),
            ));
        }
        let words = self.try_letters(&pattern.word, at)?;
        let mut terms = BTreeSet::new();
        for word in words {
            let Some(stem) = self.analyzers.term_of(&word) else {
                continue;
            };
            let term = Term::from_field_text(field(column), &stem);
            if !terms.contains(&stem) && self.documents_with(&term)? > 0 {
                terms.insert(stem);
            }
        }
        Ok(terms)
    }

    /// Returns the words with each letter instead of `?`.
    fn try_letters(&self, word: &str, at: usize) -> Result<Vec<String>> {
        if word.matches(ONE).count() > MAX_TRIED_LETTERS {
            let message = format!(
                "the index cuts off endings, so that a word has at most {MAX_TRIED_LETTERS} ?: write \
                 * instead of the ending"
            );
            return Err(error(at, message));
        }
        let known = word.chars().find(|c| c.is_alphabetic() && !is_wildcard(*c));
        let letters: Vec<char> = match known {
            // Also try the letters around a non-Latin letter, which are its alphabet.
            Some(c) if c > '\u{24F}' => {
                let block = c as u32 & !0xFF;
                let block = (block..block + 0x100).filter_map(char::from_u32);
                let small = block.filter(|c| c.is_alphanumeric() && !c.is_uppercase());
                small.collect()
            }
            _ => LATIN.chars().collect(),
        };
        let mut words = vec![word.to_owned()];
        for _ in 0..word.matches(ONE).count() {
            let with = |word: &String| {
                let word = word.clone();
                let letters = letters.iter();
                letters.map(move |c| word.replacen(ONE, c.encode_utf8(&mut [0; 4]), 1))
            };
            words = words.iter().flat_map(with).collect();
        }
        Ok(words)
    }

    fn documents_with(&self, term: &Term) -> Result<u64> {
        let documents = self
            .searchers
            .iter()
            .map(|searcher: &Searcher| searcher.doc_freq(term));
        documents
            .sum::<tantivy::Result<u64>>()
            .map_err(SearchError::damaged(self.path))
    }

    fn fuzzy(&mut self, column: usize, terms: &Terms, distance: u8, at: usize) -> Result<Maybe> {
        let Some(word) = fuzzy_word(terms, at)? else {
            return Ok(None);
        };
        let term = Term::from_field_text(field(column), word);
        let query = FuzzyTermQuery::new(term, distance, true);
        let found = similar_to(self.searchers, &query, field(column), MAX_SCORED_TERMS);
        let (similar, complete) = found.map_err(SearchError::damaged(self.path))?;
        self.highlight(column, vec![(0, Pattern::AnyOf(similar.clone()))], false);
        if complete {
            return self.any_of(column, &similar, Some(word)).map(Some);
        }
        Ok(Some(Box::new(ConstScoreQuery::new(Box::new(query), 1.0))))
    }

    /// Builds a query for any of the terms of one word. The best match counts.
    pub(super) fn any_of(
        &mut self,
        column: usize,
        terms: &BTreeSet<String>,
        exact: Option<&str>,
    ) -> Result<Box<dyn Query>> {
        let of = |term: &String| Term::from_field_text(field(column), term);
        let count = self.most_frequent(column, terms)?;
        let queries = terms.iter().map(|term| {
            let query = term_query(column, term);
            if exact.is_some_and(|exact| exact == term) {
                return query;
            }
            self.frequencies.insert(of(term), count);
            match exact {
                Some(_) => Box::new(BoostQuery::new(query, SIMILAR_WEIGHT)),
                None => query,
            }
        });
        Ok(Box::new(DisjunctionMaxQuery::new(queries.collect())))
    }
}

/// Returns the word for a fuzzy search; `None` for signs.
pub(super) fn fuzzy_word(terms: &Terms, at: usize) -> Result<Option<&str>> {
    let word = match terms.exact.as_slice() {
        [] if terms.prefix.is_none() => return Ok(None),
        [(_, word)] if !word.starts_with(scripts::is_spaceless) => word,
        _ => {
            let message = "~ is only allowed after one word of letters, or after a \"phrase\"";
            return Err(error(at, message));
        }
    };
    if word.chars().count() > MAX_FUZZY_CHARS {
        let message = format!("a word with ~ has at most {MAX_FUZZY_CHARS} characters");
        return Err(error(at, message));
    }
    Ok(Some(word))
}

/// The error for a word that matches more terms than are compared.
pub(super) fn too_many_terms(word: &str, limit: usize, at: usize) -> SearchError {
    error(
        at,
        format!(
            "more than {limit} words of the index match '{}': write more of the word",
            as_written(word)
        ),
    )
}
