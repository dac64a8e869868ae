//! An object store that puts the files of a copy into a staging folder.
//!
//! It works for local files: renames put them in place, if possible a whole folder in one step.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use futures::FutureExt;
use futures::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, UploadPart,
};
use parking_lot::Mutex;

use super::destination::{Destination, FirstFailure};
use super::target::{Mode, Target};
use corpus_staging::{
    PathError, Staging, is_special, is_unfinished, remove_abandoned, without_link,
};

/// Stages written files, and passes all other calls on.
#[derive(Debug)]
pub struct StagedStore {
    inner: Arc<dyn ObjectStore>,
    files: Arc<StagedFiles>,
}

/// The files of one copy.
#[derive(Debug)]
pub struct StagedFiles {
    target: Target,
    /// `None` before the copy begins and after it ends.
    stage: Mutex<Option<Stage>>,
    failure: FirstFailure,
}

#[derive(Debug)]
struct Stage {
    staging: Staging,
    /// The file or folder that the copy writes.
    path: PathBuf,
    /// Whether the folder keeps its content, or files are replaced one by one.
    file_by_file: bool,
    /// The final path of each staged file. Staged files have numbers without an extension as names,
    /// so that other readers do not take them for complete files.
    files: Vec<PathBuf>,
}

impl StagedStore {
    pub fn new(inner: Arc<dyn ObjectStore>, target: Target) -> (Self, Arc<StagedFiles>) {
        let files = Arc::new(StagedFiles {
            target,
            stage: Mutex::default(),
            failure: FirstFailure::default(),
        });
        let store = Self {
            inner,
            files: Arc::clone(&files),
        };
        (store, files)
    }
}

#[async_trait]
impl Destination for StagedFiles {
    async fn begin(&self) -> Result<()> {
        let target = self.target.clone();
        let begun = SpawnedTask::spawn_blocking(move || Stage::begin(&target));
        *self.stage.lock() = Some(join(begun).await?);
        Ok(())
    }

    async fn complete(&self) -> Result<()> {
        let Some(stage) = self.stage.lock().take() else {
            return exec_err!("the copy has ended already");
        };
        let target = self.target.clone();
        join(SpawnedTask::spawn_blocking(move || stage.complete(&target))).await
    }

    fn abandon(&self) {
        self.stage.lock().take();
    }

    fn take_failure(&self) -> Option<String> {
        self.failure.take()
    }
}

async fn join<T: 'static>(task: SpawnedTask<Result<T>>) -> Result<T> {
    task.join_unwind()
        .await
        .map_err(|error| exec_datafusion_err!("the copy was cancelled: {error}"))?
}

impl StagedFiles {
    /// The staged path of the next file.
    fn staged(&self, location: &Path) -> object_store::Result<Path> {
        let mut stage = self.stage.lock();
        let Some(stage) = stage.as_mut() else {
            return Err(Error::Generic {
                store: "StagedStore",
                source: "the copy has ended already".into(),
            });
        };
        let location = self.target.location_of(location)?;
        let path = LocalFileSystem::new().path_to_filesystem(&location)?;
        let staged = stage.staged(stage.files.len());
        stage.files.push(path);
        Ok(Path::from_absolute_path(staged)?)
    }
}

impl Stage {
    /// Checks the target, and creates the staging folder.
    fn begin(target: &Target) -> Result<Self> {
        let path = LocalFileSystem::new().path_to_filesystem(target.url.prefix())?;
        if is_special(&path) {
            return exec_err!(
                "cannot write '{target}': it is a pipe or a device: use -o, with a query"
            );
        }
        let path = if target.is_folder {
            fs::canonicalize(&path).unwrap_or(path)
        } else {
            without_link(&path)
        };
        let failed = |error: PathError| exec_datafusion_err!("cannot write '{target}': {error}");
        remove_abandoned(&path).map_err(failed)?;
        let found = fs::metadata(&path).map(|found| found.is_dir());
        let (staging, file_by_file) = match (found, target.is_folder) {
            (Ok(true), true) => {
                target.replaced(files_in(&path)?)?;
                let beside = match target.mode {
                    Mode::Append => None,
                    _ => Staging::beside(&path).ok(),
                };
                match beside.filter(|staging| staging.reaches(&path)) {
                    Some(staging) => (staging, false),
                    None => (Staging::inside(&path).map_err(failed)?, true),
                }
            }
            (Ok(true), false) => return exec_err!("cannot write '{target}': it is a folder"),
            (Ok(false), true) => {
                return exec_err!(
                    "cannot write '{target}': it is a file, but the name is that of a folder (one \
                     without an extension, or with '/' at its end)"
                );
            }
            (Ok(false), false) if target.mode == Mode::Create => {
                target.replaced(vec![path.clone()])?;
                (Staging::beside(&path).map_err(failed)?, false)
            }
            _ => (Staging::beside(&path).map_err(failed)?, false),
        };
        let path = std::path::absolute(&path).unwrap_or(path);
        Ok(Self {
            staging,
            path,
            file_by_file,
            files: Vec::new(),
        })
    }

    fn staged(&self, number: usize) -> PathBuf {
        self.staging.files().join(number.to_string())
    }

    /// Puts the files in place.
    fn complete(self, target: &Target) -> Result<()> {
        let failed = |error: PathError| exec_datafusion_err!("cannot write '{target}': {error}");
        if !target.is_folder {
            let moves: Vec<_> = (0..self.files.len())
                .map(|number| (self.staged(number), self.path.clone()))
                .collect();
            return self.staging.move_files(&moves, &[]).map_err(failed);
        }
        let folder = LocalFileSystem::new().path_to_filesystem(target.url.prefix())?;
        let mut moves = Vec::with_capacity(self.files.len());
        for (number, file) in self.files.iter().enumerate() {
            let Ok(inside) = file.strip_prefix(&folder) else {
                return exec_err!("'{}' is not in '{target}'", file.display());
            };
            let new = self.staging.new_content().join(inside);
            rename(&self.staged(number), &new).map_err(failed)?;
            moves.push((new, self.path.join(inside)));
        }
        if !self.path.exists() {
            return self.staging.place(&self.path).map_err(failed);
        }
        // Other programs may have written files there meanwhile.
        let old = target.replaced(files_in(&self.path)?)?;
        if !self.file_by_file && self.staging.replace(&self.path).map_err(failed)? {
            return Ok(());
        }
        let old: Vec<_> = old.iter().map(|file| self.path.join(file)).collect();
        self.staging.move_files(&moves, &old).map_err(failed)?;
        for file in &old {
            remove_empty_folders(file, &self.path);
        }
        Ok(())
    }
}

/// Renames a file, and creates the folders that it needs.
fn rename(from: &FilePath, to: &FilePath) -> Result<(), PathError> {
    let failed = PathError::at(to);
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(&failed)?;
    }
    fs::rename(from, to).map_err(failed)
}

/// Removes the folders of partitions that lost their last file.
fn remove_empty_folders(file: &FilePath, root: &FilePath) {
    let folders = file
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != root);
    for folder in folders {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

/// The files and empty folders below a folder, relative to it, without staging folders.
fn files_in(root: &FilePath) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let path = root.join(&folder);
        let failed = |error: io::Error| exec_datafusion_err!("{}: {error}", path.display());
        let mut is_empty = true;
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            is_empty = false;
            let name = entry.file_name();
            if name.to_str().is_some_and(is_unfinished) {
                continue;
            }
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(folder.join(name))
            } else {
                files.push(folder.join(name))
            }
        }
        if is_empty && !folder.as_os_str().is_empty() {
            files.push(folder);
        }
    }
    Ok(files)
}

impl fmt::Display for StagedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StagedStore({})", self.inner)
    }
}

#[async_trait]
impl ObjectStore for StagedStore {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> object_store::Result<PutResult> {
        let staged = self.files.failure.note(self.files.staged(location))?;
        let put = self.inner.put_opts(&staged, payload, options).await;
        self.files.failure.note(put)
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        let staged = self.files.failure.note(self.files.staged(location))?;
        let upload = self.inner.put_multipart_opts(&staged, options).await;
        Ok(Box::new(StagedUpload {
            upload: self.files.failure.note(upload)?,
            files: Arc::clone(&self.files),
        }))
    }

    async fn get_opts(
        &self,
        location: &Path,
        options: GetOptions,
    ) -> object_store::Result<GetResult> {
        self.inner.get_opts(location, options).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> object_store::Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(
        &self,
        from: &Path,
        to: &Path,
        options: CopyOptions,
    ) -> object_store::Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

/// An upload that records why the store refused it.
#[derive(Debug)]
struct StagedUpload {
    upload: Box<dyn MultipartUpload>,
    files: Arc<StagedFiles>,
}

#[async_trait]
impl MultipartUpload for StagedUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let part = self.upload.put_part(data);
        let files = Arc::clone(&self.files);
        async move { files.failure.note(part.await) }.boxed()
    }

    async fn complete(&mut self) -> object_store::Result<PutResult> {
        self.files.failure.note(self.upload.complete().await)
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        self.upload.abort().await
    }
}
