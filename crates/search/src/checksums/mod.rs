//! Checksums of the files of an index, so that damage is an error and never a wrong result.
//!
//! Tantivy writes one checksum at the end of each file, which can only be verified by reading the
//! whole file. The checksums here cover blocks: each block is checked when it is first read.
//!
//! ```text
//! mod        the checksums of all files, in a separate file
//! directory  checks the files that Tantivy reads, and sums those that it writes
//! file       one file that is read
//! text       checksums within small files of JSON
//! ```

mod directory;
mod file;
pub mod text;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value as Json, json};
use tantivy::Index;
use tantivy::directory::{Directory, FileSlice};
use tantivy::index::SegmentComponent;

pub use self::directory::CheckedDirectory;
use self::directory::META_FILE;
pub use self::file::FileSums;
use crate::directory::MANAGED_FILE;
use crate::error::{Result, SearchError};

/// The file of the checksums.
pub const SUMS_FILE: &str = "corpus-search-sums.json";

/// The key of the checksum of that file.
const SEAL: &str = "checksum";

/// The number of bytes read at a time when a whole file is checked.
const CHUNK_BYTES: usize = 4 << 20;

/// The parts of an index whose checksums are verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verify {
    /// The blocks that are read, when they are first read.
    #[default]
    Used,
    /// All files, when the index is opened.
    All,
    /// None, to read the rest of a damaged index.
    None,
}

/// The checksums of the files of an index, by their names.
#[derive(Debug, Default)]
pub struct Checksums {
    files: Mutex<HashMap<String, Arc<FileSums>>>,
}

impl Checksums {
    /// Reads the checksums in a folder. Indexes of older versions have none.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(SUMS_FILE);
        match fs::read(&path) {
            Ok(text) => Self::parse(folder, &text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(SearchError::io(&path, error)),
        }
    }

    /// Parses the content of their file. `folder` is the index, for messages.
    pub fn parse(folder: &Path, text: &[u8]) -> Result<Self> {
        let text = std::str::from_utf8(text).ok();
        let intact = text.filter(|text| text::is_intact(text, SEAL) == Some(true));
        let files = intact.and_then(from_json);
        Ok(Self {
            files: Mutex::new(files.ok_or_else(|| damaged_sums(folder))?),
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<FileSums>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, name: &str) -> Option<Arc<FileSums>> {
        self.lock().get(name).cloned()
    }

    fn insert(&self, name: String, sums: FileSums) {
        self.lock().insert(name, Arc::new(sums));
    }

    /// Writes the checksums of the files that the index has now, in one step.
    pub fn write(&self, folder: &Path, index: &Index) -> Result<()> {
        let mut json = Map::new();
        for file in files_of(folder, index)? {
            let name = file.to_string_lossy().into_owned();
            let sums = match self.of(&name) {
                Some(sums) => sums,
                // The file is from a run that was killed after its commit, or from an older
                // version.
                None => {
                    let sums = FileSums::of_file(&folder.join(&file));
                    Arc::new(sums.map_err(|error| SearchError::io(folder, error))?)
                }
            };
            json.insert(name, sums.to_json());
        }
        let json = json!({ SEAL: text::OPEN, "files": json });
        let text = text::seal(&format!("{json:#}\n"), SEAL);
        let (path, new) = (folder.join(SUMS_FILE), folder.join(format!(".{SUMS_FILE}")));
        let written = fs::File::create(&new)
            .and_then(|mut file| {
                io::Write::write_all(&mut file, text.as_bytes())?;
                // Tantivy creates these two as temporary files, which only their owner may read.
                for name in [META_FILE, MANAGED_FILE] {
                    fs::set_permissions(folder.join(name), file.metadata()?.permissions())?;
                }
                file.sync_all()
            })
            .and_then(|()| fs::rename(&new, &path));
        written.map_err(|error| SearchError::io(&path, error))
    }
}

fn from_json(text: &str) -> Option<HashMap<String, Arc<FileSums>>> {
    let json: Json = serde_json::from_str(text).ok()?;
    let files = json.get("files")?.as_object()?.iter();
    let file =
        |(name, sums): (&String, &Json)| Some((name.clone(), Arc::new(FileSums::from_json(sums)?)));
    files.map(file).collect()
}

fn damaged_sums(folder: &Path) -> SearchError {
    let message = format!("{SUMS_FILE} is damaged: build the index again, or copy it again");
    SearchError::index(folder, message)
}

/// The files that every segment has.
const COMPONENTS: [SegmentComponent; 6] = [
    SegmentComponent::Postings,
    SegmentComponent::Positions,
    SegmentComponent::FastFields,
    SegmentComponent::FieldNorms,
    SegmentComponent::Terms,
    SegmentComponent::Store,
];

/// Returns the names of the files of the segments of an index.
fn files_of(folder: &Path, index: &Index) -> Result<Vec<PathBuf>> {
    let segments = index.searchable_segment_metas();
    let segments = segments.map_err(SearchError::damaged(folder))?;
    let mut files = Vec::new();
    for segment in segments {
        let deletes = segment.has_deletes().then_some(SegmentComponent::Delete);
        let parts = COMPONENTS.into_iter().chain(deletes);
        files.extend(parts.map(|part| segment.relative_path(part)));
    }
    Ok(files)
}

/// Checks all files of an index whose directory is a [`CheckedDirectory`].
pub fn check_all(folder: &Path, index: &Index) -> Result<()> {
    let damaged = SearchError::damaged(folder);
    for file in files_of(folder, index)? {
        let opened = index.directory().open_read(&file);
        let body: FileSlice = opened.map_err(|error| damaged(error.into()))?;
        let length = body.num_bytes().get_bytes() as usize;
        let mut at = 0;
        while at < length {
            let end = (at + CHUNK_BYTES).min(length);
            let read = body.read_bytes_slice(at..end);
            read.map_err(|error| damaged(error.into()))?;
            at = end;
        }
    }
    Ok(())
}
