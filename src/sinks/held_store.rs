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
        self.inner.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        let inner = self.inner.put_multipart_opts(location, options).await?;
        Ok(Box::new(HeldUpload {
            inner,
            outcome: self.outcome.clone(),
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
    inner: Box<dyn MultipartUpload>,
    outcome: watch::Receiver<Outcome>,
}

#[async_trait]
impl MultipartUpload for HeldUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        self.inner.put_part(data).boxed()
    }

    async fn complete(&mut self) -> Result<PutResult> {
        if let Err(error) = success(self.outcome.clone()).await {
            // The reason for the end is told by the query; an upload that cannot even be
            // aborted adds nothing to it.
            let _ = self.inner.abort().await;
            return Err(error);
        }
        self.inner.complete().await
    }

    async fn abort(&mut self) -> Result<()> {
        self.inner.abort().await
    }
}
