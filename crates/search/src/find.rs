//! Searches one index or several, and returns the rows found.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::schema::{OwnedValue, Value as _};
use tantivy::{Searcher, TantivyDocument};

use super::build::check_same;
use super::checksums::Verify;
use super::error::{Result, SearchError};
use super::failures::Failures;
use super::open::{IndexSource, OpenIndex, guard, prefer_failures};
use super::order::{Hit, Ranking};
use super::query::{Operator, compile};
use super::settings::{Column, IndexSettings, field};
use super::snippet::{ColumnText, SnippetFormat, SnippetMaker};
use super::statistics::Statistics;
use super::value::{ColumnType, StoredValue};

/// The length of snippets by default, in characters.
pub const DEFAULT_SNIPPET_LENGTH: usize = 200;

/// The options of `search()`.
#[derive(Debug, Clone)]
pub struct SearchOptions {
    /// The maximum number of hits after the offset; unlimited if `None`.
    pub limit: Option<usize>,
    pub offset: usize,
    pub operator: Operator,
    pub snippet: SnippetFormat,
    /// In characters.
    pub snippet_length: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            limit: None,
            offset: 0,
            operator: Operator::default(),
            snippet: SnippetFormat::default(),
            snippet_length: DEFAULT_SNIPPET_LENGTH,
        }
    }
}

/// Several indexes that are searched together.
#[derive(Debug)]
pub struct Search {
    indexes: Vec<OpenIndex>,
    searchers: Vec<Searcher>,
}

impl Search {
    /// Opens the indexes in local folders.
    pub fn open(folders: &[PathBuf]) -> Result<Self> {
        let folders = folders.iter().cloned();
        let sources: Vec<_> = folders.map(IndexSource::Folder).collect();
        Self::open_all(&sources, Verify::default())
    }

    pub fn open_all(sources: &[IndexSource], verify: Verify) -> Result<Self> {
        let mut indexes: Vec<OpenIndex> = Vec::new();
        let mut searchers = Vec::new();
        for source in sources {
            let (index, searcher) = OpenIndex::for_search(source, verify)?;
            if let Some(first) = indexes.first() {
                check_same(&index.path, &index.settings, &first.path, &first.settings)?;
            }
            searchers.push(searcher);
            indexes.push(index);
        }
        if indexes.is_empty() {
            let message = "search needs the folder of at least one index";
            return Err(SearchError::Settings(message.to_owned()));
        }
        Ok(Self { indexes, searchers })
    }

    pub fn documents(&self) -> u64 {
        self.searchers.iter().map(Searcher::num_docs).sum()
    }

    pub fn settings(&self) -> &IndexSettings {
        // There is at least one index.
        &self.indexes[0].settings
    }

    fn path(&self) -> &Path {
        &self.indexes[0].path
    }

    /// Runs code that reads the files of the indexes, and reports their errors.
    fn guard<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let failures = self.indexes.iter().map(|index| &index.failures);
        prefer_failures(self.path(), guard(self.path(), work), failures)
    }

    /// Returns the columns of hits with their indexes in the settings: the ids, then the other
    /// stored columns.
    pub fn columns(&self) -> Vec<(usize, &Column)> {
        let settings = self.settings();
        let shown = settings.shown_columns().into_iter();
        shown.map(|at| (at, &settings.columns[at])).collect()
    }

    /// Checks a query without running it.
    pub fn check(&self, query: &str, options: &SearchOptions) -> Result<()> {
        let settings = self.settings();
        self.guard(|| {
            compile(
                query,
                options.operator,
                settings,
                &self.searchers,
                self.path(),
            )
            .map(|_| ())
        })
    }

    /// Runs a query.
    pub fn find(&self, query: &str, options: &SearchOptions) -> Result<Hits> {
        self.guard(|| self.find_unguarded(query, options))
    }

    fn find_unguarded(&self, query: &str, options: &SearchOptions) -> Result<Hits> {
        let settings = self.settings();
        let compiled = compile(
            query,
            options.operator,
            settings,
            &self.searchers,
            self.path(),
        )?;
        let ranking = Ranking {
            settings,
            searchers: &self.searchers,
            query: compiled.query.as_ref(),
            statistics: &Statistics {
                searchers: &self.searchers,
                frequencies: &compiled.frequencies,
            },
        };
        let wanted = options
            .limit
            .map(|limit| limit.saturating_add(options.offset));
        let mut hits = match options.limit {
            Some(0) => Vec::new(),
            _ => ranking
                .hits(wanted)
                .map_err(SearchError::damaged(self.path()))?,
        };
        hits.drain(..options.offset.min(hits.len()));
        Ok(Hits {
            hits,
            settings: settings.clone(),
            searchers: self.searchers.clone(),
            path: self.path().to_owned(),
            failures: self
                .indexes
                .iter()
                .map(|index| Arc::clone(&index.failures))
                .collect(),
            snippets: SnippetMaker::new(
                settings.words.analyzer(),
                compiled.highlights,
                options.snippet,
                options.snippet_length,
            ),
        })
    }
}

/// The hits of a query, best first.
pub struct Hits {
    hits: Vec<Hit>,
    settings: IndexSettings,
    searchers: Vec<Searcher>,
    path: PathBuf,
    /// The errors of reading the files of the indexes.
    failures: Vec<Arc<Failures>>,
    snippets: SnippetMaker,
}

/// A hit with the requested values.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub values: Vec<StoredValue>,
    pub score: f32,
    /// `None` if it was not requested, or no text is stored.
    pub snippet: Option<String>,
}

impl Hits {
    pub fn len(&self) -> usize {
        self.hits.len()
    }

    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// Returns a hit, or `None` after the last one. `columns` are indexes in the settings.
    pub fn row(&mut self, at: usize, columns: &[usize], snippet: bool) -> Result<Option<Row>> {
        let Some(hit) = self.hits.get(at).copied() else {
            return Ok(None);
        };
        let mut row = Row {
            values: Vec::new(),
            score: hit.score,
            snippet: None,
        };
        if columns.is_empty() && !snippet {
            return Ok(Some(row));
        }
        let path = self.path.clone();
        let row = guard(&path, || {
            let document: TantivyDocument = self.searchers[hit.index]
                .doc(hit.address)
                .map_err(SearchError::damaged(&self.path))?;
            row.values = columns
                .iter()
                .map(|column| stored(&document, *column, self.settings.columns[*column].kind))
                .collect();
            if snippet {
                row.snippet = self.snippet(&document);
            }
            Ok(Some(row))
        });
        prefer_failures(&path, row, &self.failures)
    }

    /// Returns the hits with all stored columns, the ids first, and a snippet each.
    pub fn rows(mut self) -> impl Iterator<Item = Result<Row>> {
        let columns = self.settings.shown_columns();
        (0..self.len()).filter_map(move |at| self.row(at, &columns, true).transpose())
    }

    fn snippet(&mut self, document: &TantivyDocument) -> Option<String> {
        let columns = &self.settings.columns;
        let texts = self.settings.texts.iter().filter_map(|at| {
            Some(ColumnText {
                column: *at,
                name: &columns[*at].name,
                text: document.get_first(field(*at))?.as_str()?,
            })
        });
        let texts: Vec<_> = texts.collect();
        self.snippets.snippet(&texts)
    }
}

fn stored(document: &TantivyDocument, column: usize, kind: ColumnType) -> StoredValue {
    let Some(value) = document.get_first(field(column)) else {
        return StoredValue::Null;
    };
    match (OwnedValue::from(value), kind) {
        (OwnedValue::Str(text), ColumnType::Text) => StoredValue::Text(text),
        (OwnedValue::F64(number), ColumnType::Double) => StoredValue::Double(number),
        (OwnedValue::I64(number), kind) if kind != ColumnType::Text => StoredValue::Integer(number),
        _ => StoredValue::Null,
    }
}
