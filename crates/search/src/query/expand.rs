//! Finds the terms of an index that match a prefix, a pattern or a misspelt word.

use std::collections::BTreeSet;
use std::ops::Bound;

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::wildcard::Wildcard;

/// Maximum number of terms that are scored separately. More terms share one score.
pub const MAX_SCORED_TERMS: usize = 512;

/// The maximum number of terms that match a prefix at the end of a phrase.
pub const MAX_PHRASE_ENDS: usize = 65_536;

/// The maximum number of terms that match a word with wildcards.
pub const MAX_WILDCARD_TERMS: usize = 65_536;

/// The maximum number of terms that match one word, if positions are compared. Each term is read
/// separately.
pub const MAX_NEAR_TERMS: usize = 4096;

/// The maximum number of these terms in a query. Each takes about 2 KB while a segment is searched.
pub const MAX_ALL_NEAR_TERMS: usize = 16_384;

/// Returns the terms of all indexes that start with the prefix, and whether the list is complete.
pub fn starting_with(
    searchers: &[Searcher],
    field: Field,
    prefix: &str,
    limit: usize,
) -> tantivy::Result<(BTreeSet<String>, bool)> {
    terms_after(searchers, field, prefix, |_| true, limit)
}

/// Returns the terms of all indexes that match the pattern, and whether the list is complete.
pub fn matching(
    searchers: &[Searcher],
    field: Field,
    pattern: &Wildcard,
    limit: usize,
) -> tantivy::Result<(BTreeSet<String>, bool)> {
    let matches = |term: &str| pattern.matches(term);
    terms_after(searchers, field, &pattern.head(), matches, limit)
}

fn terms_after(
    searchers: &[Searcher],
    field: Field,
    prefix: &str,
    matches: impl Fn(&str) -> bool,
    limit: usize,
) -> tantivy::Result<(BTreeSet<String>, bool)> {
    let mut terms = BTreeSet::new();
    for segment in searchers.iter().flat_map(Searcher::segment_readers) {
        let index = segment.inverted_index(field)?;
        let mut stream = index.terms().range().ge(prefix).into_stream()?;
        while stream.advance() {
            let Some(term) = text(stream.key()).filter(|term| term.starts_with(prefix)) else {
                break;
            };
            if matches(term) && !terms.contains(term) {
                if terms.len() == limit {
                    return Ok((terms, false));
                }
                terms.insert(term.to_owned());
            }
        }
    }
    Ok((terms, true))
}

/// Returns the terms of all indexes that differ in up to `distance` letters. Exchanging two
/// adjacent letters counts as one.
pub fn similar_to(
    searchers: &[Searcher],
    query: &FuzzyTermQuery,
    field: Field,
    limit: usize,
) -> tantivy::Result<(BTreeSet<String>, bool)> {
    let mut terms = BTreeSet::new();
    for segment in searchers.iter().flat_map(Searcher::segment_readers) {
        let index = segment.inverted_index(field)?;
        let mut stream = index.terms().search(query.automaton()?).into_stream()?;
        while stream.advance() {
            let Some(term) = text(stream.key()) else {
                continue;
            };
            if !terms.contains(term) {
                if terms.len() == limit {
                    return Ok((terms, false));
                }
                terms.insert(term.to_owned());
            }
        }
    }
    Ok((terms, true))
}

fn text(key: &[u8]) -> Option<&str> {
    std::str::from_utf8(key).ok()
}

/// Returns the range of the terms that start with the prefix.
pub fn prefix_range(field: Field, prefix: &str) -> (Bound<Term>, Bound<Term>) {
    super::value::starting_with(field, prefix)
}
