//! Makes listings complete.
//!
//! `object_store` retries failed requests, but not those whose response ends early. In local
//! folders, one file name that it cannot represent makes DataFusion fail for the whole folder.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures::StreamExt;
use futures::executor::block_on_stream;
use futures::stream::{self, BoxStream};
#[cfg(feature = "cloud")]
use object_store::client::HttpError;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use tokio::sync::mpsc;

/// The maximum number of warnings, because a folder may have millions of unusable names.
const MAX_WARNINGS: usize = 10;

/// Files are passed between threads in chunks.
const CHUNK_FILES: usize = 1000;
const MAX_BUFFERED_CHUNKS: usize = 4;

const MAX_RETRIES: u32 = 5;

/// The pause before the first retry; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// A store whose listings are complete. Everything else is passed on.
#[derive(Debug)]
pub struct CompleteListings {
    inner: Arc<dyn ObjectStore>,
    is_local: bool,
}

impl CompleteListings {
    #[cfg(feature = "cloud")]
    pub fn remote(store: impl ObjectStore) -> Self {
        Self {
            inner: Arc::new(store),
            is_local: false,
        }
    }

    pub fn local(store: LocalFileSystem) -> Self {
        Self {
            inner: Arc::new(store),
            is_local: true,
        }
    }
}

/// Lists local files. Leaves out files with unusable names, and warns about them.
///
/// Inside a runtime, a listing of `object_store` ends at its first error. It therefore runs on a
/// separate thread.
fn local_files(
    store: Arc<dyn ObjectStore>,
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

#[cfg(not(feature = "cloud"))]
fn broke_off(_error: &Error) -> bool {
    false
}

/// Whether a response broke off. Other errors have already been retried, or are permanent.
#[cfg(feature = "cloud")]
fn broke_off(error: &Error) -> bool {
    match error {
        Error::Generic { source, .. } => {
            source.source().is_some_and(|cause| cause.is::<HttpError>())
        }
        _ => false,
    }
}

async fn pause(repeats: u32) {
    tokio::time::sleep(FIRST_PAUSE * 2u32.pow(repeats)).await;
}

/// A listing that can be restarted.
struct Listing {
    store: Arc<dyn ObjectStore>,
    prefix: Option<Path>,
    objects: BoxStream<'static, Result<ObjectMeta>>,
    repeats: u32,
    /// Objects returned before the last retry, and those returned since. Not all stores list in an
    /// order that would allow resuming after the last object.
    earlier: HashSet<Path>,
    passed: Vec<Path>,
}

impl Listing {
    /// Returns the next object that has not been returned yet.
    async fn next(&mut self) -> Option<Result<ObjectMeta>> {
        loop {
            match self.objects.next().await? {
                Ok(object) if self.earlier.contains(&object.location) => {}
                Ok(object) => {
                    self.passed.push(object.location.clone());
                    return Some(Ok(object));
                }
                Err(error) if self.repeats < MAX_RETRIES && broke_off(&error) => {
                    pause(self.repeats).await;
                    self.repeats += 1;
                    self.earlier.extend(self.passed.drain(..));
                    self.objects = self.store.list(self.prefix.as_ref());
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[async_trait]
impl ObjectStore for CompleteListings {
    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        if self.is_local {
            return local_files(Arc::clone(&self.inner), prefix.cloned());
        }
        let listing = Listing {
            store: Arc::clone(&self.inner),
            prefix: prefix.cloned(),
            objects: self.inner.list(prefix),
            repeats: 0,
            earlier: HashSet::new(),
            passed: Vec::new(),
        };
        stream::unfold(listing, |mut listing| async {
            let object = listing.next().await?;
            Some((object, listing))
        })
        .boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        let mut repeats = 0;
        loop {
            match self.inner.list_with_delimiter(prefix).await {
                Err(error) if repeats < MAX_RETRIES && broke_off(&error) => {
                    pause(repeats).await;
                    repeats += 1;
                }
                listed => return listed,
            }
        }
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
        self.inner.get_opts(location, options).await
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.inner.get_ranges(location, ranges).await
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

impl fmt::Display for CompleteListings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}
