//! Local files, listed completely: in `object_store`, one file name that it cannot represent makes
//! the listing of the whole folder fail. Such names are escaped.

use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::Utc;
use futures::StreamExt;
use futures::executor::block_on_stream;
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

use super::escaped_names::{escaped, unescaped};

/// The maximum number of warnings, because a folder may have millions of unusable names.
const MAX_WARNINGS: usize = 10;

/// Files are passed between threads in chunks.
const CHUNK_FILES: usize = 1000;
const MAX_BUFFERED_CHUNKS: usize = 4;

/// A store of local files. Everything but listings is passed on.
#[derive(Debug, Default)]
pub struct LocalFiles {
    inner: Arc<LocalFileSystem>,
}

/// Lists local files. Leaves out files whose names cannot be escaped, and warns about them.
///
/// Inside a runtime, a listing of `object_store` ends at its first error. It therefore runs on a
/// separate thread.
fn local_files(
    store: Arc<LocalFileSystem>,
    prefix: Option<Path>,
) -> BoxStream<'static, Result<ObjectMeta>> {
    let (sender, receiver) = mpsc::channel(MAX_BUFFERED_CHUNKS);
    let list = move || {
        let mut warnings = 0;
        let files = block_on_stream(store.list(prefix.as_ref()));
        let mut files = files.filter_map(|file| readable(file, &mut warnings));
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
        let store = "local files";
        return stream::iter([Err(Error::Generic { store, source })]).boxed();
    }
    let chunks = stream::unfold(receiver, |mut receiver| async {
        let chunk = receiver.recv().await?;
        Some((stream::iter(chunk), receiver))
    });
    chunks.flatten().boxed()
}

fn readable(file: Result<ObjectMeta>, warnings: &mut usize) -> Option<Result<ObjectMeta>> {
    match file {
        Err(Error::InvalidPath { source }) => {
            if let Some((real, location)) = escaped(&source)
                && let Ok(metadata) = real.metadata()
            {
                return metadata.is_file().then(|| Ok(meta(location, &metadata)));
            }
            *warnings += 1;
            match *warnings {
                ..MAX_WARNINGS => log::warn!("a file with an unusable name is not read: {source}"),
                MAX_WARNINGS => log::warn!("further files with unusable names are not read"),
                _ => {}
            }
            None
        }
        // The folder that the link points to is listed anyway.
        Err(error) if is_loop(&error) => None,
        file => Some(file),
    }
}

/// Whether a symbolic link points to a folder above it.
fn is_loop(error: &Error) -> bool {
    error.to_string().contains("File system loop found")
}

fn meta(location: Path, metadata: &Metadata) -> ObjectMeta {
    ObjectMeta {
        location,
        last_modified: metadata.modified().map_or_else(|_| Utc::now(), Into::into),
        size: metadata.len(),
        e_tag: None,
        version: None,
    }
}

/// Opens a file with an escaped name, as `object_store` opens others.
fn escaped_file(path: PathBuf, location: &Path, options: GetOptions) -> Result<GetResult> {
    let failed = |source: io::Error| Error::Generic {
        store: "local files",
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
        local_files(Arc::clone(&self.inner), prefix.cloned())
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
            && let Some(path) = unescaped(&self.inner.path_to_filesystem(location)?)
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
