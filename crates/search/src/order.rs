//! The best hits, in an order that does not depend on how the index was built: by score, and among
//! equal scores by id.

use std::collections::HashMap;

use tantivy::collector::{Collector, SegmentCollector, TopDocs};
use tantivy::columnar::{Column, StrColumn};
use tantivy::query::{EnableScoring, Query};
use tantivy::{DocAddress, DocId, Score, Searcher, SegmentOrdinal, SegmentReader};

use super::settings::{IndexSettings, field_name};
use super::statistics::Statistics;
use super::value::ColumnType;

/// A document that was found.
#[derive(Debug, Clone, Copy)]
pub struct Hit {
    pub score: Score,
    /// The number of the index among the indexes searched together.
    pub index: usize,
    pub address: DocAddress,
}

/// A part of an id, which orders hits with the same score.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum IdPart {
    Null,
    Number(u64),
    Text(String),
}

pub struct Ranking<'a> {
    pub settings: &'a IndexSettings,
    pub searchers: &'a [Searcher],
    pub query: &'a dyn Query,
    pub statistics: &'a Statistics<'a>,
}

impl Ranking<'_> {
    /// Returns the first hits, or all of them.
    pub fn hits(&self, limit: Option<usize>) -> tantivy::Result<Vec<Hit>> {
        let documents = self.searchers.iter().map(Searcher::num_docs).sum();
        let mut ids = Ids::new(self.settings, self.searchers);
        match limit {
            Some(limit) if (limit as u64) < documents => {
                if let Some(mut hits) = self.clear_best(limit)? {
                    ids.sort(&mut hits)?;
                    return Ok(hits);
                }
                self.best_of_equals(limit, &mut ids)
            }
            _ => {
                let mut hits = self.all()?;
                ids.sort(&mut hits)?;
                Ok(hits)
            }
        }
    }

    fn run<C: Collector>(&self, searcher: &Searcher, collector: &C) -> tantivy::Result<C::Fruit> {
        let executor = searcher.index().search_executor();
        let scoring = EnableScoring::enabled_from_statistics_provider(self.statistics, searcher);
        searcher.search_with_executor(self.query, collector, executor, scoring)
    }

    /// Returns the best hits if the last of them scores better than the next hit. This is the fast
    /// path: Tantivy skips documents that cannot be among them.
    fn clear_best(&self, limit: usize) -> tantivy::Result<Option<Vec<Hit>>> {
        let mut hits = Vec::new();
        for (index, searcher) in self.searchers.iter().enumerate() {
            let top = self.run(searcher, &TopDocs::with_limit(limit + 1).order_by_score())?;
            hits.extend(top.into_iter().map(|(score, address)| Hit {
                score,
                index,
                address,
            }));
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        let unclear = hits.get(limit).zip(hits.get(limit.wrapping_sub(1)));
        let unclear = unclear.is_some_and(|(next, last)| next.score == last.score);
        hits.truncate(limit);
        Ok((!unclear).then_some(hits))
    }

    fn all(&self) -> tantivy::Result<Vec<Hit>> {
        let mut hits = Vec::new();
        for (index, searcher) in self.searchers.iter().enumerate() {
            for (score, address) in self.run(searcher, &AllHits)? {
                hits.push(Hit {
                    score,
                    index,
                    address,
                });
            }
        }
        Ok(hits)
    }

    /// Returns the best hits. Among hits with the lowest score, ids decide.
    fn best_of_equals(&self, limit: usize, ids: &mut Ids<'_>) -> tantivy::Result<Vec<Hit>> {
        let mut hits = self.all()?;
        if hits.len() <= limit {
            ids.sort(&mut hits)?;
            return Ok(hits);
        }
        let Some(last) = limit.checked_sub(1) else {
            return Ok(Vec::new());
        };
        let (_, last, _) = hits.select_nth_unstable_by(last, |a, b| b.score.total_cmp(&a.score));
        let lowest = last.score;
        let (mut best, rest): (Vec<_>, Vec<_>) = hits
            .into_iter()
            .filter(|hit| hit.score >= lowest)
            .partition(|hit| hit.score > lowest);
        let missing = limit.saturating_sub(best.len());
        best.extend(ids.first(rest, missing)?);
        ids.sort(&mut best)?;
        best.truncate(limit);
        Ok(best)
    }
}

/// The ids of hits, from the columns that Tantivy stores for them.
struct Ids<'a> {
    settings: &'a IndexSettings,
    searchers: &'a [Searcher],
    segments: HashMap<(usize, SegmentOrdinal), Vec<IdColumn>>,
}

/// An id column of a segment. Text values have numbers in the order of the texts, but the numbers
/// differ between segments.
struct IdColumn {
    numbers: Option<Column<u64>>,
    texts: Option<StrColumn>,
}

impl IdColumn {
    fn number(&self, document: DocId) -> Option<u64> {
        self.numbers.as_ref()?.first(document)
    }
}

impl<'a> Ids<'a> {
    fn new(settings: &'a IndexSettings, searchers: &'a [Searcher]) -> Self {
        Self {
            settings,
            searchers,
            segments: HashMap::new(),
        }
    }

    fn columns(&mut self, hit: &Hit) -> tantivy::Result<&[IdColumn]> {
        let segment = segment_of(hit);
        if !self.segments.contains_key(&segment) {
            let reader = self.searchers[hit.index].segment_reader(segment.1);
            let columns = self.settings.ids.iter().map(|id| {
                let name = field_name(*id);
                let texts = match self.settings.columns[*id].kind {
                    ColumnType::Text => reader.fast_fields().str(&name)?,
                    _ => None,
                };
                let numbers = reader.fast_fields().u64_lenient(&name)?;
                Ok(IdColumn {
                    numbers: numbers.map(|(column, _)| column),
                    texts,
                })
            });
            let columns = columns.collect::<tantivy::Result<Vec<_>>>()?;
            self.segments.insert(segment, columns);
        }
        Ok(self.segments.get(&segment).map_or(&[], Vec::as_slice))
    }

    /// Returns ids that are comparable across segments. Texts are looked up in the order of their
    /// numbers, so that each block is read once.
    fn ids(&mut self, hits: &[Hit]) -> tantivy::Result<Vec<Vec<IdPart>>> {
        let mut ids = vec![Vec::new(); hits.len()];
        let mut order: Vec<usize> = (0..hits.len()).collect();
        order.sort_by_key(|at| segment_of(&hits[*at]));
        for same in order.chunk_by(|a, b| segment_of(&hits[*a]) == segment_of(&hits[*b])) {
            for column in self.columns(&hits[same[0]])? {
                let number = |at: &usize| column.number(hits[*at].address.doc_id);
                let texts = match &column.texts {
                    Some(texts) => texts_of(texts, same.iter().filter_map(number).collect())?,
                    None => HashMap::new(),
                };
                for at in same {
                    ids[*at].push(match number(at) {
                        None => IdPart::Null,
                        Some(number) => match texts.get(&number) {
                            Some(text) => IdPart::Text(text.clone()),
                            None => IdPart::Number(number),
                        },
                    });
                }
            }
        }
        Ok(ids)
    }

    /// Returns keys that order these hits. Within one segment, the numbers are sufficient.
    fn keys(&mut self, hits: &[Hit]) -> tantivy::Result<Vec<Vec<IdPart>>> {
        let one_segment = hits
            .windows(2)
            .all(|two| segment_of(&two[0]) == segment_of(&two[1]));
        if !one_segment {
            return self.ids(hits);
        }
        let Some(first) = hits.first() else {
            return Ok(Vec::new());
        };
        let columns = self.columns(first)?;
        let part = |number: Option<u64>| number.map_or(IdPart::Null, IdPart::Number);
        let key = |hit: &Hit| {
            let numbers = columns
                .iter()
                .map(|column| column.number(hit.address.doc_id));
            numbers.map(part).collect()
        };
        Ok(hits.iter().map(key).collect())
    }

    /// Sorts hits by score, and by id among equal scores.
    fn sort(&mut self, hits: &mut [Hit]) -> tantivy::Result<()> {
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        let equal = hits.chunk_by(|a, b| a.score == b.score);
        let equal: Vec<Hit> = equal
            .filter(|hits| hits.len() > 1)
            .flatten()
            .copied()
            .collect();
        let mut keyed: Vec<_> = self.keys(&equal)?.into_iter().zip(equal).collect();
        keyed.sort_by(|(a_id, a), (b_id, b)| {
            let by_score = b.score.total_cmp(&a.score);
            by_score.then_with(|| (a_id, place_of(a)).cmp(&(b_id, place_of(b))))
        });
        let mut sorted = keyed.into_iter();
        for equal in hits.chunk_by_mut(|a, b| a.score == b.score) {
            if equal.len() > 1 {
                for (place, (_, hit)) in equal.iter_mut().zip(&mut sorted) {
                    *place = hit;
                }
            }
        }
        Ok(())
    }

    /// Returns the first of these hits by their ids. The numbers of each segment narrow down the
    /// candidates; texts are only looked up for these.
    fn first(&mut self, mut hits: Vec<Hit>, count: usize) -> tantivy::Result<Vec<Hit>> {
        hits.sort_by_key(place_of);
        let mut candidates = Vec::new();
        for segment in hits.chunk_by(|a, b| segment_of(a) == segment_of(b)) {
            // Nearly always there is one id column. It needs no allocation.
            let (first, others) = match self.columns(&segment[0])?.split_first() {
                Some((first, others)) => (Some(first), others),
                None => (None, &[][..]),
            };
            let key = |hit: &Hit| {
                let document = hit.address.doc_id;
                let others: Vec<_> = others.iter().map(|id| id.number(document)).collect();
                (first.and_then(|id| id.number(document)), others)
            };
            let mut keyed: Vec<_> = segment.iter().map(|hit| (key(hit), *hit)).collect();
            if count < keyed.len() {
                keyed.select_nth_unstable_by(count, |a, b| {
                    (&a.0, a.1.address).cmp(&(&b.0, b.1.address))
                });
                keyed.truncate(count);
            }
            candidates.extend(keyed.into_iter().map(|(_, hit)| hit));
        }
        self.sort(&mut candidates)?;
        candidates.truncate(count);
        Ok(candidates)
    }
}

fn segment_of(hit: &Hit) -> (usize, SegmentOrdinal) {
    (hit.index, hit.address.segment_ord)
}

fn place_of(hit: &Hit) -> (usize, DocAddress) {
    (hit.index, hit.address)
}

/// Looks up the texts with these numbers.
fn texts_of(texts: &StrColumn, mut numbers: Vec<u64>) -> tantivy::Result<HashMap<u64, String>> {
    numbers.sort_unstable();
    numbers.dedup();
    let mut found = HashMap::with_capacity(numbers.len());
    let mut next = numbers.iter();
    texts
        .dictionary()
        .sorted_ords_to_term_cb(&numbers, |text| {
            if let Some(number) = next.next() {
                found.insert(*number, String::from_utf8_lossy(text).into_owned());
            }
        })?;
    Ok(found)
}

/// Collects every hit with its score.
struct AllHits;

struct SegmentHits {
    segment: SegmentOrdinal,
    hits: Vec<(Score, DocAddress)>,
}

impl Collector for AllHits {
    type Fruit = Vec<(Score, DocAddress)>;
    type Child = SegmentHits;

    fn for_segment(
        &self,
        segment: SegmentOrdinal,
        _reader: &SegmentReader,
    ) -> tantivy::Result<SegmentHits> {
        Ok(SegmentHits {
            segment,
            hits: Vec::new(),
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, segments: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        Ok(segments.concat())
    }
}

impl SegmentCollector for SegmentHits {
    type Fruit = Vec<(Score, DocAddress)>;

    fn collect(&mut self, document: DocId, score: Score) {
        let address = DocAddress::new(self.segment, document);
        self.hits.push((score, address));
    }

    fn harvest(self) -> Self::Fruit {
        self.hits
    }
}
