//! An object store whose files appear only after the query that writes them has succeeded.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures::FutureExt;
use futures::stream::BoxStream;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, UploadPart,
};
use parking_lot::Mutex;
use tokio::sync::watch;

/// How the query that is written is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Running,
    Succeeded,
    Failed,
}

/// Passes everything on, but holds back what would make a file appear until the outcome is
/// known, and refuses it if the query failed.
#[derive(Debug)]
pub struct HeldStore {
    pub inner: Arc<dyn ObjectStore>,
    pub outcome: watch::Receiver<Outcome>,
    pub failure: Arc<FirstFailure>,
}

/// What the store refused first: some of DataFusion's writers do not tell.
#[derive(Debug, Default)]
pub struct FirstFailure(Mutex<Option<String>>);

impl FirstFailure {
    fn note<T>(&self, result: Result<T>) -> Result<T> {
        result.inspect_err(|error| {
            self.0.lock().get_or_insert_with(|| error.to_string());
        })
    }

    pub fn take(&self) -> Option<String> {
        self.0.lock().take()
    }
}

/// Waits for the end of the query.
async fn success(mut outcome: watch::Receiver<Outcome>) -> Result<()> {
    let known = outcome
        .wait_for(|outcome| *outcome != Outcome::Running)
        .await
        .map(|outcome| *outcome);
    match known {
        Ok(Outcome::Succeeded) => Ok(()),
        _ => Err(Error::Generic {
            store: "HeldStore",
            source: "the query did not succeed, nothing is written".into(),
        }),
    }
}

impl fmt::Display for HeldStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HeldStore({})", self.inner)
    }
}

#[async_trait]
impl ObjectStore for HeldStore {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        success(self.outcome.clone()).await?;
        self.failure
            .note(self.inner.put_opts(location, payload, options).await)
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        let inner = self.inner.put_multipart_opts(location, options).await;
        Ok(Box::new(HeldUpload {
            inner: Some(self.failure.note(inner)?),
            outcome: self.outcome.clone(),
            failure: Arc::clone(&self.failure),
        }))
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.inner.get_opts(location, options).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

#[derive(Debug)]
struct HeldUpload {
    /// `None` once it was completed or aborted.
    inner: Option<Box<dyn MultipartUpload>>,
    outcome: watch::Receiver<Outcome>,
    failure: Arc<FirstFailure>,
}

fn already_ended() -> Error {
    Error::Generic {
        store: "HeldStore",
        source: "the upload has ended already".into(),
    }
}

#[async_trait]
impl MultipartUpload for HeldUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let Some(inner) = &mut self.inner else {
            return futures::future::ready(Err(already_ended())).boxed();
        };
        let part = inner.put_part(data);
        let failure = Arc::clone(&self.failure);
        async move { failure.note(part.await) }.boxed()
    }

    async fn complete(&mut self) -> Result<PutResult> {
        if let Err(error) = success(self.outcome.clone()).await {
            // The reason for the end is told by the query; an upload that cannot even be
            // aborted adds nothing to it.
            let _ = self.abort().await;
            return Err(error);
        }
        let mut inner = self.inner.take().ok_or_else(already_ended)?;
        self.failure.note(inner.complete().await)
    }

    async fn abort(&mut self) -> Result<()> {
        match self.inner.take() {
            Some(mut inner) => inner.abort().await,
            None => Ok(()),
        }
    }
}

impl Drop for HeldUpload {
    /// Parts of an upload that nobody completes or aborts are kept, and paid for.
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        if let (Some(mut inner), Ok(runtime)) = (self.inner.take(), runtime) {
            runtime.spawn(async move { inner.abort().await });
        }
    }
}
