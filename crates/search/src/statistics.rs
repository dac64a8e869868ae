//! The statistics over the documents of several indexes that BM25 needs.

use std::collections::HashMap;

use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

/// Statistics over all indexes that are searched together, so that their scores are comparable.
pub struct Statistics<'a> {
    pub searchers: &'a [Searcher],
    /// The frequencies of terms that match one word of the query. All terms get the frequency of
    /// the most frequent one, because a misspelling must not score higher than the word.
    pub frequencies: &'a HashMap<Term, u64>,
}

impl Statistics<'_> {
    fn sum(&self, count: impl Fn(&Searcher) -> tantivy::Result<u64>) -> tantivy::Result<u64> {
        self.searchers.iter().map(count).sum()
    }
}

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        self.sum(|searcher| searcher.total_num_tokens(field))
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        self.sum(Searcher::total_num_docs)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        match self.frequencies.get(term) {
            Some(count) => Ok(*count),
            None => self.sum(|searcher| searcher.doc_freq(term)),
        }
    }
}
