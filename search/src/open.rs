//! An index that is complete, opened.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tantivy::directory::{Directory, MmapDirectory};
use tantivy::{Index, ReloadPolicy, Searcher, TantivyError};

use super::directory::ReadDirectory;
use super::error::{Result, SearchError};
use super::settings::IndexSettings;

/// Blocks of stored documents that are kept unpacked; hits next to each other are rare.
const STORE_CACHE_BLOCKS: usize = 4;

#[derive(Debug)]
pub struct OpenIndex {
    pub path: PathBuf,
    pub settings: IndexSettings,
    pub index: Index,
}

impl OpenIndex {
    /// Opens for searching.
    pub fn read(path: &Path) -> Result<Self> {
        Self::open(path, || ReadDirectory::open(path))
    }

    /// Opens for adding documents.
    pub fn write(path: &Path) -> Result<Self> {
        Self::open(path, || Ok(MmapDirectory::open(path)?))
    }

    fn open<D: Directory>(
        path: &Path,
        directory: impl FnOnce() -> Result<D, TantivyError>,
    ) -> Result<Self> {
        let settings = IndexSettings::read(path)?;
        let damaged = SearchError::damaged(path);
        let index = guarded(path, || {
            let directory: Box<dyn Directory> = Box::new(directory().map_err(&damaged)?);
            Index::open(directory).map_err(&damaged)
        })?;
        if index.schema() != settings.schema() {
            let message = "the index is damaged (its settings do not fit it): build it again";
            return Err(SearchError::index(path, message));
        }
        register(&index, &settings);
        Ok(Self {
            path: path.to_owned(),
            settings,
            index,
        })
    }

    pub fn searcher(&self) -> Result<Searcher> {
        guarded(&self.path, || {
            let reader = self
                .index
                .reader_builder()
                .reload_policy(ReloadPolicy::Manual)
                .doc_store_cache_num_blocks(STORE_CACHE_BLOCKS)
                .try_into();
            let reader: tantivy::IndexReader = reader.map_err(SearchError::damaged(&self.path))?;
            Ok(reader.searcher())
        })
    }
}

/// Tells an index how its words are made.
pub fn register(index: &Index, settings: &IndexSettings) {
    let words = settings.words;
    index
        .tokenizers()
        .register(&words.tokenizer_name(), words.analyzer());
}

/// Tantivy trusts the files of an index; what a damaged one makes it do ends here.
pub fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = "the index is damaged: build it again";
        Err(SearchError::index(path, message))
    })
}
