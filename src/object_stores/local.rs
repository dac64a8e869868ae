//! Local files, listed completely. In `object_store`, one file name that it cannot represent makes
//! the listing of the whole folder fail; here, such names are escaped. It also leaves out links
//! whose target is missing, such as those to a disk that is not mounted.

use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::UNIX_EPOCH;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::Utc;
use futures::StreamExt;
use futures::future;
use futures::stream::{self, BoxStream};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    Attributes, CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions,
    PutPayload, PutResult, Result,
};
use tokio::sync::mpsc;
use walkdir::{DirEntry, WalkDir};

use super::escaped_names::{escape, unescape};

/// The maximum number of warnings, because a folder may have millions of unusable names.
const MAX_WARNINGS: usize = 10;

const STORE: &str = "local files";

/// Files are passed between threads in chunks.
const CHUNK_FILES: usize = 1000;
const MAX_BUFFERED_CHUNKS: usize = 4;

/// A store of local files. Everything but listings is passed on.
#[derive(Debug, Default)]
pub struct LocalFiles {
    inner: Arc<LocalFileSystem>,
}

/// Lists local files on a separate thread. Leaves out files whose names cannot be escaped, and
/// warns about them.
fn local_files(
    store: &LocalFileSystem,
    prefix: Option<&Path>,
) -> BoxStream<'static, Result<ObjectMeta>> {
    let root = match folder(store, prefix) {
        Ok(root) => root,
        Err(error) => return stream::iter([Err(error)]).boxed(),
    };
    let (sender, receiver) = mpsc::channel(MAX_BUFFERED_CHUNKS);
    let list = move || {
        let mut warnings = 0;
        let entries = WalkDir::new(root).min_depth(1).follow_links(true);
        let mut files = entries
            .into_iter()
            .filter_map(|entry| list_entry(entry, &mut warnings));
        loop {
            let chunk: Vec<Result<ObjectMeta>> = files.by_ref().take(CHUNK_FILES).collect();
            // The receiver is gone if the query was cancelled.
            if chunk.is_empty() || sender.blocking_send(chunk).is_err() {
                return;
            }
        }
    };
    if let Err(source) = thread::Builder::new().spawn(list) {
        let source = source.into();
        return stream::iter([Err(Error::Generic {
            store: STORE,
            source,
        })])
        .boxed();
    }
    let chunks = stream::unfold(receiver, |mut receiver| async {
        let chunk = receiver.recv().await?;
        Some((stream::iter(chunk), receiver))
    });
    chunks.flatten().boxed()
}

/// The path of a folder.
fn folder(store: &LocalFileSystem, prefix: Option<&Path>) -> Result<PathBuf> {
    // Names of folders may end like those of unfinished files, which have no path.
    let inside = prefix.cloned().unwrap_or_default().join("file");
    let mut path = store.path_to_filesystem(&inside)?;
    path.pop();
    if !path.exists()
        && let Some(real) = unescape(&path)
    {
        return Ok(real);
    }
    Ok(path)
}

/// Returns the file of an entry. A link whose target cannot be reached is a file, too, so that
/// reading it is an error.
fn list_entry(
    entry: walkdir::Result<DirEntry>,
    warnings: &mut usize,
) -> Option<Result<ObjectMeta>> {
    let error = match entry {
        Ok(entry) if entry.file_type().is_file() => {
            let metadata = entry.metadata().ok()?;
            return file(entry.path(), &metadata, warnings);
        }
        // A folder, a pipe or a device.
        Ok(_) => return None,
        Err(error) => error,
    };
    // The folder that the link points to is listed anyway.
    if error.loop_ancestor().is_some() {
        return None;
    }
    if let Some(path) = error.path()
        && let Ok(link) = path.symlink_metadata()
        && link.is_symlink()
    {
        return file(path, &link, warnings);
    }
    // The folder does not exist, or a file was removed meanwhile.
    let kind = error.io_error().map(io::Error::kind);
    if kind == Some(io::ErrorKind::NotFound) {
        return None;
    }
    let source = error.into();
    Some(Err(Error::Generic {
        store: STORE,
        source,
    }))
}

/// Returns the folder that a listing could not read because of its permissions.
pub fn unreadable_folder(error: &Error) -> Option<&FilePath> {
    let Error::Generic { source, .. } = error else {
        return None;
    };
    let error: &walkdir::Error = source.downcast_ref()?;
    let kind = error.io_error().map(io::Error::kind);
    (kind == Some(io::ErrorKind::PermissionDenied)).then_some(error.path()?)
}

/// Returns the location and the size of a file.
fn file(path: &FilePath, metadata: &Metadata, warnings: &mut usize) -> Option<Result<ObjectMeta>> {
    let location = match Path::from_absolute_path(path) {
        Ok(location) if !is_unfinished_upload(&location) => Some(location),
        Ok(_) => None,
        Err(error) => escape(&error),
    };
    let Some(location) = location else {
        *warnings += 1;
        match *warnings {
            ..MAX_WARNINGS => log::warn!(
                "a file with an unusable name is not read: '{}'",
                path.display()
            ),
            MAX_WARNINGS => log::warn!("further files with unusable names are not read"),
            _ => {}
        }
        return None;
    };
    Some(Ok(meta(location, metadata)))
}

/// Whether a file has a name that `object_store` gives to unfinished uploads, and does not open.
fn is_unfinished_upload(location: &Path) -> bool {
    let name = location.filename().unwrap_or_default();
    let number = name.split_once('#').map(|(_, number)| number);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// The facts of a file, as `object_store` returns them for a file that is named.
fn meta(location: Path, metadata: &Metadata) -> ObjectMeta {
    let size = metadata.len();
    let modified = metadata.modified().ok();
    let since_1970 = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let micros = since_1970.unwrap_or_default().as_micros();
    let inode = inode(metadata);
    ObjectMeta {
        location,
        last_modified: modified.map_or_else(Utc::now, Into::into),
        size,
        e_tag: Some(format!("{inode:x}-{micros:x}-{size:x}")),
        version: None,
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}

/// Opens a file with an escaped name, as `object_store` opens others.
fn escaped_file(path: PathBuf, location: &Path, options: GetOptions) -> Result<GetResult> {
    let failed = |source: io::Error| Error::Generic {
        store: STORE,
        source: source.into(),
    };
    let file = File::open(&path).map_err(failed)?;
    let meta = meta(location.clone(), &file.metadata().map_err(failed)?);
    options.check_preconditions(&meta)?;
    let whole = 0..meta.size;
    let range = options.range.map_or(Ok(whole), |range| {
        let range = range.as_range(meta.size);
        range.map_err(|error| failed(io::Error::other(error)))
    })?;
    Ok(GetResult {
        payload: GetResultPayload::File(file, path),
        attributes: Attributes::default(),
        range,
        meta,
    })
}

#[async_trait]
impl ObjectStore for LocalFiles {
    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        local_files(&self.inner, prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.inner.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let found = self.inner.get_opts(location, options.clone()).await;
        if let Err(Error::NotFound { .. }) = &found
            && let Some(path) = unescape(&self.inner.path_to_filesystem(location)?)
        {
            return escaped_file(path, location, options);
        }
        found
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let found = self.inner.get_ranges(location, ranges).await;
        if let Err(Error::NotFound { .. }) = &found
            && location.as_ref().contains('%')
        {
            let ranges = ranges
                .iter()
                .map(|range| self.get_range(location, range.clone()));
            return future::try_join_all(ranges).await;
        }
        found
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

impl fmt::Display for LocalFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use futures::TryStreamExt;

    use super::*;

    #[tokio::test]
    async fn files_are_listed_as_they_are_named() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().canonicalize().unwrap();
        fs::create_dir_all(folder.join("b#1/c")).unwrap();
        for name in ["a.txt", "b#1/c/ö d%.txt", "unfinished.txt#12"] {
            fs::write(folder.join(name), name).unwrap();
        }
        let store = LocalFiles::default();
        let prefix = Path::from_absolute_path(&folder).unwrap();
        let mut files: Vec<ObjectMeta> = store.list(Some(&prefix)).try_collect().await.unwrap();
        files.sort_by(|a, b| a.location.cmp(&b.location));
        assert_eq!(files.len(), 2);
        for file in files {
            assert_eq!(store.head(&file.location).await.unwrap(), file);
        }
        let missing = prefix.join("missing");
        let files: Vec<ObjectMeta> = store.list(Some(&missing)).try_collect().await.unwrap();
        assert_eq!(files, []);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn links_without_a_target_are_listed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().canonicalize().unwrap();
        fs::create_dir(folder.join("folder")).unwrap();
        for (target, link) in [("/nowhere/a", "a"), ("b", "b"), ("..", "folder/above")] {
            std::os::unix::fs::symlink(target, folder.join(link)).unwrap();
        }
        let store = LocalFiles::default();
        let prefix = Path::from_absolute_path(&folder).unwrap();
        let files: Vec<ObjectMeta> = store.list(Some(&prefix)).try_collect().await.unwrap();
        let mut names: Vec<&str> = files
            .iter()
            .filter_map(|file| file.location.filename())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["a", "b"]);
        for file in &files {
            assert!(store.get(&file.location).await.is_err());
        }
    }
}
