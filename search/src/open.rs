//! Opens complete indexes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tantivy::directory::{Directory, MmapDirectory};
use tantivy::{Index, ReloadPolicy, Searcher, TantivyError};

use super::directory::ReadDirectory;
use super::error::{Result, SearchError};
use super::settings::IndexSettings;

/// The number of decompressed blocks of stored documents that are kept; neighbouring hits are rare.
const STORE_CACHE_BLOCKS: usize = 4;

#[derive(Debug)]
pub struct OpenIndex {
    pub path: PathBuf,
    pub settings: IndexSettings,
    pub index: Index,
}

impl OpenIndex {
    /// Opens an index for searching.
    pub fn read(path: &Path) -> Result<Self> {
        Self::open(path, || ReadDirectory::open(path))
    }

    /// Opens an index for adding documents.
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
            let message =
                "the index is damaged (its settings and its files do not match): build it again";
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

/// Registers the tokenizers of an index.
pub fn register(index: &Index, settings: &IndexSettings) {
    let words = settings.words;
    index
        .tokenizers()
        .register(&words.tokenizer_name(), words.analyzer());
}

/// Runs code that reads the files of an index. Tantivy trusts these files, and panics on some
/// damaged ones; a panic becomes an error.
pub fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = "the index is damaged: build it again";
        Err(SearchError::index(path, message))
    })
}
