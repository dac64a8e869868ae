//! Repeats listings that break off. `object_store` repeats requests that fail, but not those whose
//! response ends early.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use object_store::client::HttpError;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

const MAX_REPEATS: u32 = 5;

/// The pause before the first repetition; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// A store that lists again what it could not list to its end. Everything else is passed on.
#[derive(Debug)]
pub struct RepeatedListings {
    inner: Arc<dyn ObjectStore>,
}

impl RepeatedListings {
    pub fn new(inner: impl ObjectStore) -> Self {
        Self {
            inner: Arc::new(inner),
        }
    }
}

/// Whether a response began and did not end. Other errors were repeated already, or do not go away.
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

/// A listing that may be begun again.
struct Listing {
    store: Arc<dyn ObjectStore>,
    prefix: Option<Path>,
    objects: BoxStream<'static, Result<ObjectMeta>>,
    repeats: u32,
    /// Objects that were passed on before the last repetition, and those since then. Not all stores
    /// list in an order that would allow to go on after the last one.
    earlier: HashSet<Path>,
    passed: Vec<Path>,
}

impl Listing {
    /// Returns the next object that was not passed on yet.
    async fn next(&mut self) -> Option<Result<ObjectMeta>> {
        loop {
            match self.objects.next().await? {
                Ok(object) if self.earlier.contains(&object.location) => {}
                Ok(object) => {
                    self.passed.push(object.location.clone());
                    return Some(Ok(object));
                }
                Err(error) if self.repeats < MAX_REPEATS && broke_off(&error) => {
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
impl ObjectStore for RepeatedListings {
    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
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
                Err(error) if repeats < MAX_REPEATS && broke_off(&error) => {
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

impl fmt::Display for RepeatedListings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}
