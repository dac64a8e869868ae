//! Opens complete indexes.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tantivy::directory::{Directory, MmapDirectory};
use tantivy::{Index, ReloadPolicy, Searcher, TantivyError};

use corpus_staging::remove_abandoned;

use super::checksums::{CheckedDirectory, Checksums, SUMS_FILE, Verify, check_all};
use super::directory::ReadDirectory;
use super::error::{Result, SearchError};
use super::failures::Failures;
use super::remote::{RemoteDirectory, RemoteFiles, RemoteIndex};
use super::settings::{IndexSettings, SETTINGS_FILE};

/// The number of decompressed blocks of stored documents that are kept. Adjacent hits are rare.
const STORE_CACHE_BLOCKS: usize = 4;

/// The number of attempts to open an index that is being replaced.
const MAX_ATTEMPTS: usize = 10;

/// Identifies the content of the folder of an index. It differs for each build.
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

/// The location of an index.
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
    pub checksums: Arc<Checksums>,
    /// The errors of reading its files.
    pub failures: Arc<Failures>,
}

impl OpenIndex {
    /// Opens an index for searching, with all of its files. If the folder is replaced meanwhile,
    /// the files of both indexes do not match, and it is opened again.
    pub fn for_search(source: &IndexSource, verify: Verify) -> Result<(Self, Searcher)> {
        let with_searcher = |index: Self| {
            let searcher = index.searcher()?;
            if verify == Verify::All {
                let checked = guard(&index.path, || check_all(&index.path, &index.index));
                prefer_failures(&index.path, checked, [&index.failures])?;
            }
            Ok((index, searcher))
        };
        let path = match source {
            IndexSource::Folder(path) => path,
            IndexSource::Remote(remote) => {
                return Self::read_remote(remote, verify).and_then(with_searcher);
            }
        };
        if !path.exists() {
            // A run may have been killed while it replaced the index. Without write access, the
            // folder stays in that state.
            let _ = remove_abandoned(path);
        }
        let mut attempts = 0;
        loop {
            let before = identity(path);
            let opened = Self::read(path, verify).and_then(with_searcher);
            attempts += 1;
            if attempts == MAX_ATTEMPTS || identity(path) == before {
                return opened;
            }
        }
    }

    /// Opens the index in a folder for searching.
    pub fn read(path: &Path, verify: Verify) -> Result<Self> {
        let settings = IndexSettings::read(path)?;
        let checked = Verification {
            checksums: local_checksums(path, &settings, verify)?,
            verify,
            whole_files: true,
        };
        Self::open(path, settings, checked, Arc::default(), || {
            ReadDirectory::open(path)
        })
    }

    fn read_remote(remote: &RemoteIndex, verify: Verify) -> Result<Self> {
        let failures = Arc::<Failures>::default();
        let path = Path::new(&remote.name);
        let files = Arc::new(RemoteFiles::new(remote, Arc::clone(&failures)));
        let settings = match files.read_all(SETTINGS_FILE) {
            Ok(Some(text)) => IndexSettings::parse(path, &text)?,
            Ok(None) => {
                let message = format!(
                    "there is no search index ({SETTINGS_FILE} is missing); build one in a local \
                     folder, and upload all of its files"
                );
                return Err(SearchError::index(path, message));
            }
            Err(error) => return Err(SearchError::io(path, error)),
        };
        let checksums = match verify {
            Verify::None => Checksums::default(),
            Verify::Used | Verify::All => match files.read_all(SUMS_FILE) {
                Ok(Some(text)) => Checksums::parse(path, &text)?,
                Ok(None) if settings.has_sums => {
                    return Err(SearchError::incomplete(path, Path::new(SUMS_FILE)));
                }
                Ok(None) => Checksums::default(),
                Err(error) => return Err(SearchError::io(path, error)),
            },
        };
        let checked = Verification {
            checksums,
            verify,
            // This would read the whole index.
            whole_files: false,
        };
        let directory = RemoteDirectory::new(files);
        Self::open(path, settings, checked, failures, || Ok(directory))
    }

    /// Opens an index for adding documents.
    pub fn write(path: &Path) -> Result<Self> {
        let settings = IndexSettings::read(path)?;
        let verify = Verify::Used;
        let checked = Verification {
            checksums: local_checksums(path, &settings, verify)?,
            verify,
            whole_files: true,
        };
        Self::open(path, settings, checked, Arc::default(), || {
            Ok(MmapDirectory::open(path)?)
        })
    }

    fn open<D: Directory>(
        path: &Path,
        settings: IndexSettings,
        checked: Verification,
        failures: Arc<Failures>,
        directory: impl FnOnce() -> Result<D, TantivyError>,
    ) -> Result<Self> {
        let damaged = SearchError::damaged(path);
        let checksums = Arc::new(checked.checksums);
        let index = guard(path, || {
            let directory = CheckedDirectory {
                directory: Box::new(directory().map_err(&damaged)?),
                checksums: Arc::clone(&checksums),
                verify: checked.verify,
                failures: Arc::clone(&failures),
                whole_files: checked.whole_files,
            };
            Index::open(directory).map_err(&damaged)
        });
        let index = prefer_failures(path, index, [&failures])?;
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
            checksums,
            failures,
        })
    }

    pub fn searcher(&self) -> Result<Searcher> {
        let searcher = guard(&self.path, || {
            let reader = self
                .index
                .reader_builder()
                .reload_policy(ReloadPolicy::Manual)
                .doc_store_cache_num_blocks(STORE_CACHE_BLOCKS)
                .try_into();
            let reader: tantivy::IndexReader = reader.map_err(SearchError::damaged(&self.path))?;
            Ok(reader.searcher())
        });
        prefer_failures(&self.path, searcher, [&self.failures])
    }
}

/// The checksums of an index, and the extent of their verification.
struct Verification {
    checksums: Checksums,
    verify: Verify,
    /// Whether a file without checksums of blocks is checked as a whole.
    whole_files: bool,
}

/// Reads the checksums in a folder.
fn local_checksums(path: &Path, settings: &IndexSettings, verify: Verify) -> Result<Checksums> {
    if verify == Verify::None {
        return Ok(Checksums::default());
    }
    if settings.has_sums && !path.join(SUMS_FILE).exists() {
        return Err(SearchError::incomplete(path, Path::new(SUMS_FILE)));
    }
    Checksums::read(path)
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
pub fn guard<T>(path: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = "the index is damaged: build it again";
        Err(SearchError::index(path, message))
    })
}

/// Replaces an error by the read failure that caused it.
///
/// A failure without an error of Tantivy also counts: the result may be incomplete.
pub fn prefer_failures<'a, T>(
    path: &Path,
    result: Result<T>,
    failures: impl IntoIterator<Item = &'a Arc<Failures>>,
) -> Result<T> {
    match result {
        Ok(value) => {
            let failure = failures.into_iter().find_map(|failures| failures.take());
            match failure {
                Some(failure) => Err(SearchError::io(path, failure)),
                None => Ok(value),
            }
        }
        Err(error @ (SearchError::Index { .. } | SearchError::Io { .. })) => {
            let failure = failures.into_iter().find_map(|failures| failures.take());
            Err(match (failure, error) {
                (Some(failure), SearchError::Index { path, .. } | SearchError::Io { path, .. }) => {
                    SearchError::io(&path, failure)
                }
                (_, error) => error,
            })
        }
        Err(error) => Err(error),
    }
}
