//! Finds the terms of an index that match a prefix or a misspelt word.

use std::collections::BTreeSet;
use std::ops::Bound;

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

/// Up to this number, terms are scored separately. More terms share one score.
pub const MAX_SCORED_TERMS: usize = 512;

/// The maximum number of terms that match a prefix at the end of a phrase.
pub const MAX_PHRASE_ENDS: usize = 65_536;

/// Returns the terms of all indexes that start with the prefix, and whether these are all.
pub fn starting_with(
    searchers: &[Searcher],
    field: Field,
    prefix: &str,
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

/// Returns the terms of all indexes that differ in up to `distance` letters. Exchanging two
/// neighbours counts as one.
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
