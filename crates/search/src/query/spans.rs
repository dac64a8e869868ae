//! Runs queries for words near each other: the documents with all of the words are the candidates,
//! whose positions are then compared.
//!
//! An occurrence is the range of positions of a word or phrase in a document. In a chain such as `a
//! w/5 b w/9 c`, an occurrence counts if it is near an occurrence of each neighbor in the chain. So
//! the work is proportional to the number of occurrences.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use tantivy::index::InvertedIndexReader;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, Term};

use super::ast::{Proximity, Relation};

/// The words and phrases whose positions are compared.
#[derive(Debug, Clone)]
pub enum Spans {
    /// A word or a phrase: the terms that match each word, with its distance from the first one.
    Sequence(Vec<(u32, Vec<Term>)>),
    AnyOf(Vec<Spans>),
    /// Operands, each compared with the previous one.
    Near {
        first: Box<Spans>,
        rest: Vec<(Proximity, Spans)>,
    },
}

/// Finds the candidates whose words are near each other. The candidates provide the scores.
#[derive(Debug)]
pub struct NearQuery {
    pub candidates: Box<dyn Query>,
    pub field: Field,
    pub spans: Arc<Spans>,
}

impl Clone for NearQuery {
    fn clone(&self) -> Self {
        Self {
            candidates: self.candidates.box_clone(),
            field: self.field,
            spans: Arc::clone(&self.spans),
        }
    }
}

impl Query for NearQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(NearWeight {
            candidates: self.candidates.weight(scoring)?,
            field: self.field,
            spans: Arc::clone(&self.spans),
        }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.candidates.query_terms(visitor);
    }
}

struct NearWeight {
    candidates: Box<dyn Weight>,
    field: Field,
    spans: Arc<Spans>,
}

impl Weight for NearWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let index = reader.inverted_index(self.field)?;
        let mut scorer = NearScorer {
            candidates: self.candidates.scorer(reader, boost)?,
            spans: OpenSpans::open(&self.spans, &index)?,
        };
        let first = scorer.candidates.doc();
        scorer.skip_to_match(first);
        Ok(Box::new(scorer))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.candidates.explain(reader, doc)
    }
}

struct NearScorer {
    candidates: Box<dyn Scorer>,
    spans: OpenSpans,
}

impl NearScorer {
    /// Moves from this candidate to the first one that matches.
    fn skip_to_match(&mut self, mut doc: DocId) -> DocId {
        while doc != TERMINATED && self.spans.occurrences(doc).is_empty() {
            doc = self.candidates.advance();
        }
        doc
    }
}

impl DocSet for NearScorer {
    fn advance(&mut self) -> DocId {
        let next = self.candidates.advance();
        self.skip_to_match(next)
    }

    fn seek(&mut self, target: DocId) -> DocId {
        let next = self.candidates.seek(target);
        self.skip_to_match(next)
    }

    fn doc(&self) -> DocId {
        self.candidates.doc()
    }

    fn size_hint(&self) -> u32 {
        self.candidates.size_hint()
    }
}

impl Scorer for NearScorer {
    fn score(&mut self) -> Score {
        self.candidates.score()
    }
}

/// The spans in one segment.
enum OpenSpans {
    Sequence(Vec<(u32, Alternatives)>),
    AnyOf(Vec<OpenSpans>),
    Near {
        first: Box<OpenSpans>,
        rest: Vec<(Proximity, OpenSpans)>,
    },
}

impl OpenSpans {
    fn open(spans: &Spans, index: &InvertedIndexReader) -> tantivy::Result<Self> {
        Ok(match spans {
            Spans::Sequence(words) => {
                let words = words.iter().map(|(distance, terms)| {
                    Ok::<_, tantivy::TantivyError>((*distance, Alternatives::open(terms, index)?))
                });
                Self::Sequence(words.collect::<Result<_, _>>()?)
            }
            Spans::AnyOf(any) => {
                let any = any.iter().map(|spans| Self::open(spans, index));
                Self::AnyOf(any.collect::<Result<_, _>>()?)
            }
            Spans::Near { first, rest } => {
                let rest = rest
                    .iter()
                    .map(|(proximity, spans)| Ok((*proximity, Self::open(spans, index)?)));
                Self::Near {
                    first: Box::new(Self::open(first, index)?),
                    rest: rest.collect::<tantivy::Result<_>>()?,
                }
            }
        })
    }

    /// Returns the sorted occurrences in a document. Documents must be requested in ascending
    /// order.
    fn occurrences(&mut self, doc: DocId) -> Vec<Occurrence> {
        match self {
            Self::Sequence(words) => sequence(words, doc),
            Self::AnyOf(any) => {
                let found = any.iter_mut().flat_map(|spans| spans.occurrences(doc));
                sorted(found.collect())
            }
            Self::Near { first, rest } => {
                let mut lists = vec![first.occurrences(doc)];
                for (proximity, spans) in rest.iter_mut() {
                    if lists.last().is_some_and(Vec::is_empty) {
                        return Vec::new();
                    }
                    let found = spans.occurrences(doc);
                    let Some(before) = lists.last_mut() else {
                        return Vec::new();
                    };
                    if proximity.relation == Relation::NotNear {
                        let others = OccurrenceEnds::of(&found);
                        before.retain(|at| !others.are_near(*at, proximity.words, Side::Both));
                        continue;
                    }
                    let others = OccurrenceEnds::of(before);
                    let side = proximity.side_before();
                    let near = found.into_iter();
                    let near = near.filter(|at| others.are_near(*at, proximity.words, side));
                    let near = near.collect();
                    lists.push(near);
                }
                filter_connected(lists, rest)
            }
        }
    }
}

/// Returns the occurrences of a chain that reach its end, by filtering each list for occurrences
/// connected to the start.
fn filter_connected(
    lists: Vec<Vec<Occurrence>>,
    rest: &[(Proximity, OpenSpans)],
) -> Vec<Occurrence> {
    let mut proximities = rest
        .iter()
        .map(|(proximity, _)| proximity)
        .filter(|proximity| proximity.relation != Relation::NotNear)
        .rev();
    let mut lists = lists.into_iter().rev();
    let mut after = lists.next().unwrap_or_default();
    let mut all = after.clone();
    for (mut list, proximity) in lists.zip(&mut proximities) {
        let others = OccurrenceEnds::of(&after);
        let side = proximity.side_after();
        list.retain(|at| others.are_near(*at, proximity.words, side));
        all.extend_from_slice(&list);
        after = list;
    }
    if after.is_empty() {
        return after;
    }
    sorted(all)
}

/// Returns the occurrences of a phrase.
fn sequence(words: &mut [(u32, Alternatives)], doc: DocId) -> Vec<Occurrence> {
    let Some(((_, first), others)) = words.split_first_mut() else {
        return Vec::new();
    };
    let mut starts = first.positions(doc);
    let mut length = 0;
    for (distance, word) in others {
        if starts.is_empty() {
            break;
        }
        let positions = word.positions(doc);
        starts.retain(|start| {
            positions
                .binary_search(&start.saturating_add(*distance))
                .is_ok()
        });
        length = *distance;
    }
    let occurrence = |start: u32| Occurrence {
        start,
        end: start.saturating_add(length),
    };
    starts.into_iter().map(occurrence).collect()
}

/// The first and the last position of a word or phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    start: u32,
    end: u32,
}

fn sorted(mut occurrences: Vec<Occurrence>) -> Vec<Occurrence> {
    occurrences.sort_unstable();
    occurrences.dedup();
    occurrences
}

/// The side of an occurrence on which another one is near.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
    Both,
}

impl Proximity {
    /// The side on which the previous operand of the query must be.
    fn side_before(&self) -> Side {
        match self.relation {
            Relation::Before => Side::Before,
            _ => Side::Both,
        }
    }

    /// The side on which the next operand of the query must be.
    fn side_after(&self) -> Side {
        match self.relation {
            Relation::Before => Side::After,
            _ => Side::Both,
        }
    }
}

/// The starts and the ends of occurrences, each sorted.
struct OccurrenceEnds {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl OccurrenceEnds {
    fn of(occurrences: &[Occurrence]) -> Self {
        let starts = occurrences.iter().map(|at| at.start).collect();
        let mut ends: Vec<u32> = occurrences.iter().map(|at| at.end).collect();
        ends.sort_unstable();
        Self { starts, ends }
    }

    /// Whether any of these occurrences is within this number of words of another occurrence,
    /// without overlap.
    fn are_near(&self, at: Occurrence, words: u32, side: Side) -> bool {
        let any_in = |places: &[u32], from: u32, to: u32| {
            let first = places.partition_point(|place| *place < from);
            places.get(first).is_some_and(|place| *place <= to)
        };
        let after = || {
            any_in(
                &self.starts,
                at.end.saturating_add(1),
                at.end.saturating_add(words),
            )
        };
        let before =
            || at.start > 0 && any_in(&self.ends, at.start.saturating_sub(words), at.start - 1);
        match side {
            Side::Before => before(),
            Side::After => after(),
            Side::Both => before() || after(),
        }
    }
}

/// The terms that match one word.
struct Alternatives {
    postings: Vec<SegmentPostings>,
    /// The indexes of `postings`, ordered by their current documents.
    by_doc: BinaryHeap<Reverse<(DocId, usize)>>,
}

impl Alternatives {
    fn open(terms: &[Term], index: &InvertedIndexReader) -> tantivy::Result<Self> {
        let mut postings = Vec::new();
        for term in terms {
            postings.extend(index.read_postings(term, IndexRecordOption::WithFreqsAndPositions)?);
        }
        let by_doc = postings.iter().enumerate();
        let by_doc = by_doc.map(|(number, postings)| Reverse((postings.doc(), number)));
        Ok(Self {
            by_doc: by_doc.collect(),
            postings,
        })
    }

    /// Returns the positions in a document, sorted.
    fn positions(&mut self, doc: DocId) -> Vec<u32> {
        let mut positions = Vec::new();
        let mut here = Vec::new();
        while let Some(Reverse((at, number))) = self.by_doc.peek().copied()
            && at <= doc
        {
            self.by_doc.pop();
            let postings = &mut self.postings[number];
            let at = if at < doc { postings.seek(doc) } else { at };
            if at == doc {
                postings.append_positions_with_offset(0, &mut positions);
            }
            match at {
                TERMINATED => {}
                at if at == doc => here.push(Reverse((at, number))),
                at => self.by_doc.push(Reverse((at, number))),
            }
        }
        self.by_doc.extend(here);
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}
