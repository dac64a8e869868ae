//! The folder of a copy that appears part by part: on a local disk, or on an object store.

use std::fs::{self, File};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use corpus_staging::{PathError, Staging, commit, is_unfinished, remove_abandoned};
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::datasource::listing::ListingTableUrl;
use futures::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::path::{Path, PathPart};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

use super::decide::{Part, PartVersion};
use super::manifest::{Job, Manifest};
use super::object::{StoredFile, Upload};
use super::store_lock::StoreLock;
use crate::sinks::destination::reason;
use crate::sinks::error_rows::written_error_rows;
use crate::sinks::target::Target;

/// The maximum number of manifests read in parallel.
const MAX_PARALLEL_MANIFESTS: usize = 16;

/// The reason why a folder with other files cannot be continued.
pub const NO_MANIFEST: &str = "no resumable COPY wrote it";

/// Advice if the folder contains other files.
const ADVICE: &str = "choose another folder, or remove this one to start over";

/// A folder that a run may continue.
#[derive(Debug, Clone)]
pub struct Folder {
    /// The location as the user wrote it, for messages.
    pub name: String,
    #[cfg_attr(
        not(feature = "cluster"),
        expect(dead_code, reason = "for other processes")
    )]
    pub url: ListingTableUrl,
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) prefix: Path,
    /// Its path, if it is local.
    pub(super) local: Option<PathBuf>,
}

impl Folder {
    pub fn new(name: String, url: &ListingTableUrl, store: Arc<dyn ObjectStore>) -> Result<Self> {
        let local = local_path(url)?;
        Ok(Self {
            name,
            url: url.clone(),
            store,
            prefix: url.prefix().clone(),
            local,
        })
    }

    /// Locks the folder for this run. Fails if another run is writing it.
    pub async fn open(&self) -> Result<OpenFolder> {
        let staging = match &self.local {
            None => None,
            Some(path) => {
                let (path, name) = (path.clone(), self.name.clone());
                let staged = SpawnedTask::spawn_blocking(move || stage(&path, &name));
                let staged = staged.join_unwind().await;
                Some(staged.map_err(|error| exec_datafusion_err!("{error}"))??)
            }
        };
        let lock = match &self.local {
            None => StoreLock::take(&self.store, &self.prefix, &self.name).await?,
            Some(_) => None,
        };
        Ok(OpenFolder {
            folder: self.clone(),
            staged_files: staging.as_ref().map(Staging::files),
            _staging: staging,
            lock,
            prefix: String::new(),
            next: AtomicUsize::new(0),
        })
    }

    /// The path of a file. Other conversions of a name encode what is not ASCII.
    fn file(&self, name: &str) -> Path {
        let file = PathPart::parse(name).unwrap_or_else(|_| PathPart::from(name));
        self.prefix.parts().chain([file]).collect()
    }

    fn cannot_write(&self, error: impl std::fmt::Display) -> datafusion::error::DataFusionError {
        exec_datafusion_err!("cannot write '{}': {error}", self.name)
    }

    /// Lists the files of the parts. A file in a subfolder, or of another kind, is an error.
    pub(super) async fn files(&self) -> Result<Vec<(String, ObjectMeta)>> {
        let objects: Vec<ObjectMeta> = self.store.list(Some(&self.prefix)).try_collect().await?;
        let mut files = Vec::with_capacity(objects.len());
        for object in objects {
            let Some(inside) = object.location.prefix_match(&self.prefix) else {
                continue;
            };
            let inside: Vec<_> = inside.map(|part| part.as_ref().to_owned()).collect();
            let is_ignored = |name: &String| name.starts_with(['.', '_']) || is_unfinished(name);
            if inside.iter().any(is_ignored) {
                continue;
            }
            match inside.as_slice() {
                // Some tools represent a folder by an empty object with its name.
                [] => {}
                [name] if name.ends_with(".parquet") => files.push((name.clone(), object)),
                _ => return self.refuse(&inside.join("/"), NO_MANIFEST),
            }
        }
        Ok(files)
    }

    /// Reads the manifests of the parts. A file without a manifest is an error.
    pub async fn parts(&self) -> Result<Vec<Part>> {
        let files = self.files().await?.into_iter();
        let read = files.map(|(name, object)| self.part(name, object));
        let mut parts: Vec<Part> = futures::stream::iter(read)
            .buffer_unordered(MAX_PARALLEL_MANIFESTS)
            .try_collect()
            .await?;
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(parts)
    }

    pub(super) async fn part(&self, name: String, object: ObjectMeta) -> Result<Part> {
        let mut reader = StoredFile::new(Arc::clone(&self.store), &object);
        let metadata = match reader.metadata().await {
            Ok(metadata) => metadata,
            Err(error) => {
                return exec_err!(
                    "'{name}' in '{}' cannot be read: {error}; remove it, and its inputs are \
                     processed again",
                    self.name
                );
            }
        };
        match Manifest::read(metadata.file_metadata()) {
            Ok(Some(manifest)) => Ok(Part {
                name,
                manifest,
                version: PartVersion::from(&object),
                error_rows: written_error_rows(&metadata),
            }),
            Ok(None) => self.refuse(&name, NO_MANIFEST),
            Err(error) => self.refuse(&name, &error),
        }
    }

    /// The error for a folder that cannot be continued.
    pub fn refuse<T>(&self, file: &str, reason: &str) -> Result<T> {
        exec_err!(
            "cannot continue '{}' because of '{file}': {reason}; {ADVICE}",
            self.name
        )
    }

    /// The error for a folder that cannot be continued, for a reason that names the file.
    pub fn refuse_all<T>(&self, reason: &str) -> Result<T> {
        exec_err!("cannot continue '{}': {reason}; {ADVICE}", self.name)
    }
}

/// The path of a local file or folder. A link to a folder stays a link.
fn local_path(url: &ListingTableUrl) -> Result<Option<PathBuf>> {
    if url.scheme() != "file" {
        return Ok(None);
    }
    let path = LocalFileSystem::new().path_to_filesystem(url.prefix())?;
    Ok(Some(fs::canonicalize(&path).unwrap_or(path)))
}

/// Returns the number of rows with an error in the target, if that is the complete output of this
/// job. First completes the commit of a run that was killed while it moved several files into
/// place.
pub async fn errors_if_complete(
    store: &Arc<dyn ObjectStore>,
    target: &Target,
    job: &Job,
) -> Result<Option<u64>> {
    if let Some(path) = local_path(&target.url)? {
        let removed = SpawnedTask::spawn_blocking(move || remove_abandoned(&path));
        let removed = removed.join_unwind().await;
        removed
            .map_err(|error| exec_datafusion_err!("{error}"))?
            .map_err(|error| exec_datafusion_err!("cannot write '{target}': {error}"))?;
    }
    let prefix = target.url.prefix();
    let files: Vec<ObjectMeta> = if target.is_folder {
        store.list(Some(prefix)).try_collect().await?
    } else {
        match store.head(prefix).await {
            Ok(file) => Vec::from([file]),
            Err(object_store::Error::NotFound { .. }) => Vec::new(),
            Err(error) => return Err(error.into()),
        }
    };
    let mut errors = 0;
    for file in &files {
        let mut reader = StoredFile::new(Arc::clone(store), file);
        // The copy later replaces or refuses files that cannot be read.
        let Ok(metadata) = reader.metadata().await else {
            return Ok(None);
        };
        match Manifest::read(metadata.file_metadata()) {
            Ok(Some(manifest)) if manifest.job == *job => {}
            _ => return Ok(None),
        }
        errors += written_error_rows(&metadata);
    }
    Ok((!files.is_empty()).then_some(errors))
}

/// Creates the staging folder, which also marks the folder as being written.
fn stage(path: &FilePath, name: &str) -> Result<Staging> {
    let failed = |error: PathError| exec_datafusion_err!("cannot write '{name}': {error}");
    if path.exists() && !path.is_dir() {
        return exec_err!("cannot write '{name}': it is a file, and parts need a folder");
    }
    fs::create_dir_all(path)
        .map_err(PathError::at(path))
        .map_err(failed)?;
    remove_abandoned(path).map_err(failed)?;
    let beside = Staging::beside(path).ok();
    let staging = match beside.filter(|staging| staging.reaches(path)) {
        Some(staging) => staging,
        None => Staging::inside(path).map_err(failed)?,
    };
    match staging.other_run(path).map_err(failed)? {
        None => Ok(staging),
        Some(other) => exec_err!(
            "another run is writing '{name}' (its staging folder is '{}'): wait until it ends, or \
             choose another folder",
            other.display()
        ),
    }
}

/// A folder that this run is writing.
#[derive(Debug)]
pub struct OpenFolder {
    pub(super) folder: Folder,
    /// The folder in which local files are written before they appear.
    pub(super) staged_files: Option<PathBuf>,
    /// Marks the folder as being written.
    pub(super) _staging: Option<Staging>,
    pub(super) lock: Option<StoreLock>,
    /// The prefix of this process's file names in the staging folder.
    pub(super) prefix: String,
    pub(super) next: AtomicUsize,
}

impl OpenFolder {
    /// Starts a file, which appears when it is placed.
    pub fn file(&self, name: &str) -> Result<(Upload, Unplaced)> {
        if let Some(lock) = &self.lock {
            lock.check(&self.folder.name)?;
        }
        let (writer, staged) = match &self.staged_files {
            None => {
                let target = self.folder.file(name);
                (
                    Upload::to_store(Arc::clone(&self.folder.store), target),
                    None,
                )
            }
            Some(files) => {
                let number = self.next.fetch_add(1, Ordering::Relaxed);
                let path = files.join(format!("{}{number}", self.prefix));
                let file = Upload::to_file(&path).map_err(|e| self.folder.cannot_write(e))?;
                (file, Some(path))
            }
        };
        let name = name.to_owned();
        Ok((writer, Unplaced { name, staged }))
    }

    /// Makes a complete file appear, in place of an older one of its name.
    pub async fn place(&self, file: Unplaced) -> Result<()> {
        let (Some(staged), Some(folder)) = (file.staged, self.folder.local.clone()) else {
            // The last request of the upload has already made the file appear.
            return Ok(());
        };
        let placed = SpawnedTask::spawn_blocking(move || {
            let target = folder.join(file.name);
            // After a power failure, a file name must not exist without its content.
            File::open(&staged)
                .and_then(|file| file.sync_all())
                .map_err(PathError::at(&staged))?;
            let _commit = commit().map_err(PathError::at(&target))?;
            fs::rename(&staged, &target).map_err(PathError::at(&target))?;
            sync_folder(&folder);
            Ok::<(), PathError>(())
        });
        match placed.join_unwind().await {
            Ok(placed) => placed.map_err(|error| self.folder.cannot_write(error)),
            Err(error) => Err(self.folder.cannot_write(error)),
        }
    }

    /// Removes a file, if it exists.
    pub async fn remove(&self, name: &str) -> Result<()> {
        let path = self.folder.file(name);
        match self.folder.store.delete(&path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.folder.cannot_write(reason(&error))),
        }
    }

    /// Returns a reader of a part, if the part exists.
    pub async fn reader(&self, name: &str) -> Result<Option<StoredFile>> {
        let found = self.object(name).await?;
        Ok(found.map(|found| StoredFile::new(Arc::clone(&self.folder.store), &found)))
    }

    pub(super) async fn object(&self, name: &str) -> Result<Option<ObjectMeta>> {
        let path = self.folder.file(name);
        match self.folder.store.head(&path).await {
            Ok(found) => Ok(Some(found)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }
}

/// Makes new file names in a folder durable, if the system supports it.
fn sync_folder(folder: &FilePath) {
    if cfg!(unix)
        && let Ok(folder) = File::open(folder)
    {
        // Some file systems do not support it.
        let _ = folder.sync_all();
    }
}

/// A file that has not appeared yet.
#[derive(Debug)]
pub struct Unplaced {
    name: String,
    staged: Option<PathBuf>,
}
