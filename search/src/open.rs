//! Opens complete indexes.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tantivy::directory::{Directory, MmapDirectory};
use tantivy::{Index, ReloadPolicy, Searcher, TantivyError};

use corpus_staging::remove_abandoned;

use super::directory::ReadDirectory;
use super::error::{Result, SearchError};
use super::remote::{RemoteDirectory, RemoteFiles, RemoteIndex};
use super::settings::{IndexSettings, SETTINGS_FILE};

/// The number of decompressed blocks of stored documents that are kept; neighbouring hits are rare.
const STORE_CACHE_BLOCKS: usize = 4;

/// The number of attempts to open an index that is being replaced.
const MAX_ATTEMPTS: usize = 10;

/// Identifies the content of a folder with an index: that of another build differs.
fn identity(folder: &Path) -> Option<(SystemTime, u64)> {
    let settings = fs::metadata(folder.join(SETTINGS_FILE)).ok()?;
    Some((settings.modified().ok()?, inode(&settings)))
}

#[cfg(unix)]
fn inode(file: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn inode(_file: &fs::Metadata) -> u64 {
    0
}

/// Where an index is.
#[derive(Clone)]
pub enum IndexSource {
    Folder(PathBuf),
    Remote(RemoteIndex),
}

#[derive(Debug)]
pub struct OpenIndex {
    /// The folder, or the name of a remote one.
    pub path: PathBuf,
    pub settings: IndexSettings,
    pub index: Index,
    /// The files of a remote index.
    pub remote: Option<Arc<RemoteFiles>>,
}

impl OpenIndex {
    /// Opens an index for searching, with all of its files. If the folder is replaced meanwhile,
    /// the files of both do not match, and it is opened again.
    pub fn for_search(source: &IndexSource) -> Result<(Self, Searcher)> {
        let with_searcher = |index: Self| {
            let searcher = index.searcher()?;
            Ok((index, searcher))
        };
        let path = match source {
            IndexSource::Folder(path) => path,
            IndexSource::Remote(remote) => {
                return Self::read_remote(remote).and_then(with_searcher);
            }
        };
        if !path.exists() {
            // A run may have been killed while it replaced the index. Without write access, it
            // stays so.
            let _ = remove_abandoned(path);
        }
        let mut attempts = 0;
        loop {
            let before = identity(path);
            let opened = Self::read(path).and_then(with_searcher);
            attempts += 1;
            if attempts == MAX_ATTEMPTS || identity(path) == before {
                return opened;
            }
        }
    }

    /// Opens the index in a folder for searching.
    pub fn read(path: &Path) -> Result<Self> {
        let settings = IndexSettings::read(path)?;
        Self::open(path, settings, || ReadDirectory::open(path))
    }

    fn read_remote(remote: &RemoteIndex) -> Result<Self> {
        let (path, files) = (Path::new(&remote.name), Arc::new(RemoteFiles::new(remote)));
        let settings = match files.read_all(SETTINGS_FILE) {
            Ok(Some(text)) => IndexSettings::parse(path, &String::from_utf8_lossy(&text))?,
            Ok(None) => {
                let message = format!(
                    "there is no search index ({SETTINGS_FILE} is missing); build one in a local \
                     folder, and upload all of its files"
                );
                return Err(SearchError::index(path, message));
            }
            Err(error) => return Err(SearchError::io(path, error)),
        };
        let directory = RemoteDirectory::new(Arc::clone(&files));
        let open = Self::open(path, settings, || Ok(directory));
        let mut open = reported(open, [&files])?;
        open.remote = Some(files);
        Ok(open)
    }

    /// Opens an index for adding documents.
    pub fn write(path: &Path) -> Result<Self> {
        let settings = IndexSettings::read(path)?;
        Self::open(path, settings, || Ok(MmapDirectory::open(path)?))
    }

    fn open<D: Directory>(
        path: &Path,
        settings: IndexSettings,
        directory: impl FnOnce() -> Result<D, TantivyError>,
    ) -> Result<Self> {
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
            remote: None,
        })
    }

    pub fn searcher(&self) -> Result<Searcher> {
        let searcher = guarded(&self.path, || {
            let reader = self
                .index
                .reader_builder()
                .reload_policy(ReloadPolicy::Manual)
                .doc_store_cache_num_blocks(STORE_CACHE_BLOCKS)
                .try_into();
            let reader: tantivy::IndexReader = reader.map_err(SearchError::damaged(&self.path))?;
            Ok(reader.searcher())
        });
        reported(searcher, &self.remote)
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

/// Replaces the error that a failed request has led to by that of the request.
pub fn reported<'a, T>(
    result: Result<T>,
    files: impl IntoIterator<Item = &'a Arc<RemoteFiles>>,
) -> Result<T> {
    match result {
        Err(error @ (SearchError::Index { .. } | SearchError::Io { .. })) => {
            let failure = files.into_iter().find_map(|files| files.take_failure());
            Err(match (failure, error) {
                (Some(failure), SearchError::Index { path, .. } | SearchError::Io { path, .. }) => {
                    SearchError::io(&path, failure)
                }
                (_, error) => error,
            })
        }
        result => result,
    }
}
