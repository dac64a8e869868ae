//! Finds documents whose ids already exist in other segments.
//!
//! Ids are compared by hashes of 128 bits, for a bounded number of documents at a time. They are
//! read from the columns that order hits with the same score.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use tantivy::columnar::{Column, StrColumn};
use tantivy::index::SegmentId;
use tantivy::query::{ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError};

use super::settings::{IndexSettings, field_name};
use super::value::ColumnType;

/// The number of ids compared at a time. Each takes 16 bytes.
const MAX_COMPARED_IDS: usize = 4 << 20;

/// The ids that new documents share with older ones.
#[derive(Debug, Default)]
pub struct SharedIds {
    /// The older documents with these ids.
    pub documents: HashMap<SegmentId, Vec<DocId>>,
    /// One of the ids.
    pub example: Option<String>,
}

impl SharedIds {
    /// Compares the documents of new segments with those of old ones. NULL is not an id.
    pub fn find(
        settings: &IndexSettings,
        old: &[SegmentReader],
        new: &[SegmentReader],
    ) -> tantivy::Result<Self> {
        Self::find_by(settings, old, new, MAX_COMPARED_IDS)
    }

    fn find_by(
        settings: &IndexSettings,
        old: &[SegmentReader],
        new: &[SegmentReader],
        compared: usize,
    ) -> tantivy::Result<Self> {
        let mut shared = Self::default();
        if old.is_empty() {
            return Ok(shared);
        }
        let mut ids = Vec::new();
        for segment in new {
            let of_segment = SegmentIds::open(settings, segment)?;
            for document in segment.doc_ids_alive() {
                ids.extend(of_segment.id(document));
                if ids.len() >= compared {
                    shared.add(settings, old, &mut ids)?;
                }
            }
        }
        shared.add(settings, old, &mut ids)?;
        for documents in shared.documents.values_mut() {
            documents.sort_unstable();
            documents.dedup();
        }
        Ok(shared)
    }

    /// Counts the documents whose ids also occur in other documents of these segments, without the
    /// first document of each id.
    pub fn count_repeated(
        settings: &IndexSettings,
        segments: &[SegmentReader],
    ) -> tantivy::Result<u64> {
        Self::count_repeated_by(settings, segments, MAX_COMPARED_IDS)
    }

    fn count_repeated_by(
        settings: &IndexSettings,
        segments: &[SegmentReader],
        compared: usize,
    ) -> tantivy::Result<u64> {
        let documents: usize = segments.iter().map(|s| s.num_docs() as usize).sum();
        // Each pass compares a part of the hashes, so equal ids meet in the same pass.
        let passes = documents.div_ceil(compared) as u128;
        let mut repeated = 0;
        let mut ids = Vec::new();
        for pass in 0..passes {
            for segment in segments {
                let of_segment = SegmentIds::open(settings, segment)?;
                let of_pass = segment
                    .doc_ids_alive()
                    .filter_map(|document| of_segment.id(document))
                    .filter(|id| id % passes == pass);
                ids.extend(of_pass);
            }
            let all = ids.len();
            ids.sort_unstable();
            ids.dedup();
            repeated += (all - ids.len()) as u64;
            ids.clear();
        }
        Ok(repeated)
    }

    fn add(
        &mut self,
        settings: &IndexSettings,
        old: &[SegmentReader],
        ids: &mut Vec<u128>,
    ) -> tantivy::Result<()> {
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(());
        }
        for segment in old {
            let of_segment = SegmentIds::open(settings, segment)?;
            for document in segment.doc_ids_alive() {
                let id = of_segment.id(document);
                if id.is_some_and(|id| ids.binary_search(&id).is_ok()) {
                    if self.example.is_none() {
                        self.example = Some(of_segment.shown_id(document)?);
                    }
                    let documents = self.documents.entry(segment.segment_id()).or_default();
                    documents.push(document);
                }
            }
        }
        ids.clear();
        Ok(())
    }

    /// The number of older documents.
    pub fn count(&self) -> u64 {
        self.documents
            .values()
            .map(|documents| documents.len() as u64)
            .sum()
    }
}

/// The ids of the documents of a segment.
struct SegmentIds(Vec<IdColumn>);

enum IdColumn {
    /// The texts, and the hash of each.
    Texts(StrColumn, Vec<u128>),
    Numbers(Column<u64>, ColumnType),
    /// No document has a value.
    Nulls,
}

/// A missing part of an id, in messages.
const NULL: &str = "NULL";

impl SegmentIds {
    fn open(settings: &IndexSettings, segment: &SegmentReader) -> tantivy::Result<Self> {
        let columns = settings.ids.iter().map(|at| {
            let (name, kind) = (field_name(*at), settings.columns[*at].kind);
            if kind != ColumnType::Text {
                let numbers = segment.fast_fields().u64_lenient(&name)?;
                let numbers = numbers.map(|(column, _)| IdColumn::Numbers(column, kind));
                return Ok(numbers.unwrap_or(IdColumn::Nulls));
            }
            let Some(texts) = segment.fast_fields().str(&name)? else {
                return Ok(IdColumn::Nulls);
            };
            let mut hashes = Vec::with_capacity(texts.dictionary().num_terms());
            let mut stream = texts.dictionary().stream()?;
            while stream.advance() {
                hashes.push(hash(stream.key()));
            }
            drop(stream);
            Ok(IdColumn::Texts(texts, hashes))
        });
        Ok(Self(columns.collect::<tantivy::Result<_>>()?))
    }

    /// Returns the hash of an id; `None` if all of its columns are NULL.
    fn id(&self, document: DocId) -> Option<u128> {
        let mut any = false;
        let mut id = 0;
        for column in &self.0 {
            let value = match column {
                IdColumn::Texts(texts, hashes) => {
                    let number = texts.ords().first(document);
                    number.and_then(|number| hashes.get(usize::try_from(number).ok()?).copied())
                }
                IdColumn::Numbers(numbers, _) => numbers.first(document).map(hash),
                IdColumn::Nulls => None,
            };
            any |= value.is_some();
            id = match self.0.len() {
                1 => value.unwrap_or_default(),
                _ => hash((id, value)),
            };
        }
        any.then_some(id)
    }

    /// Returns an id as text, for messages.
    fn shown_id(&self, document: DocId) -> tantivy::Result<String> {
        let mut parts = Vec::new();
        for column in &self.0 {
            parts.push(match column {
                IdColumn::Texts(texts, _) => {
                    let mut text = String::new();
                    match texts.ords().first(document) {
                        Some(number) => {
                            texts.ord_to_str(number, &mut text)?;
                        }
                        None => text.push_str(NULL),
                    }
                    text
                }
                IdColumn::Numbers(numbers, kind) => match (numbers.first(document), kind) {
                    (None, _) => NULL.to_owned(),
                    (Some(number), ColumnType::Double) => tantivy::u64_to_f64(number).to_string(),
                    (Some(number), _) => tantivy::u64_to_i64(number).to_string(),
                },
                IdColumn::Nulls => NULL.to_owned(),
            });
        }
        Ok(parts.join(", "))
    }
}

fn hash(value: impl Hash) -> u128 {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

/// A query that matches known documents, to delete them.
#[derive(Debug, Clone)]
pub struct KnownDocuments(Arc<HashMap<SegmentId, Vec<DocId>>>);

impl KnownDocuments {
    /// Creates the query. The documents of each segment must be sorted.
    pub fn new(documents: HashMap<SegmentId, Vec<DocId>>) -> Self {
        Self(Arc::new(documents))
    }
}

impl Query for KnownDocuments {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for KnownDocuments {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let documents = Listed {
            all: Arc::clone(&self.0),
            segment: reader.segment_id(),
            at: 0,
        };
        Ok(Box::new(ConstScorer::new(documents, boost)))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        let message = "documents that are deleted have no score";
        Err(TantivyError::InvalidArgument(message.to_owned()))
    }
}

struct Listed {
    all: Arc<HashMap<SegmentId, Vec<DocId>>>,
    segment: SegmentId,
    at: usize,
}

impl Listed {
    fn documents(&self) -> &[DocId] {
        self.all.get(&self.segment).map_or(&[], Vec::as_slice)
    }
}

impl DocSet for Listed {
    fn advance(&mut self) -> DocId {
        self.at += 1;
        self.doc()
    }

    fn doc(&self) -> DocId {
        self.documents().get(self.at).copied().unwrap_or(TERMINATED)
    }

    fn size_hint(&self) -> u32 {
        u32::try_from(self.documents().len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksums::Verify;
    use crate::open::OpenIndex;
    use crate::tests::TestIndex;

    #[test]
    fn ids_are_compared_in_bounded_groups() {
        let texts = ["x"; 20];
        let (old, new) = (TestIndex::of(&texts), TestIndex::of(&texts[..15]));
        let readers = |made: &TestIndex| {
            let open = OpenIndex::read(&made.path(), Verify::Used).unwrap();
            let searcher = open.searcher().unwrap();
            (open.settings, searcher.segment_readers().to_vec())
        };
        let (settings, old) = readers(&old);
        let (_, new) = readers(&new);
        for compared in [1, 4, 100] {
            let shared = SharedIds::find_by(&settings, &old, &new, compared).unwrap();
            assert_eq!(shared.count(), 15);
            assert!(shared.example.is_some());
        }
        let none = SharedIds::find_by(&settings, &[], &new, 4).unwrap();
        assert_eq!(none.count(), 0);
        let both = [old, new].concat();
        for compared in [1, 4, 100] {
            let repeated = SharedIds::count_repeated_by(&settings, &both, compared).unwrap();
            assert_eq!(repeated, 15);
        }
    }
}
