//! Multipart uploads that leave nothing on the store when they are cancelled. Stores keep, and
//! charge for, parts that are neither completed nor aborted.

use std::sync::Arc;

use async_trait::async_trait;
use futures::FutureExt;
use object_store::path::Path;
use object_store::{
    Error, MultipartUpload, ObjectStore, PutMultipartOptions, PutPayload, PutResult, Result,
    UploadPart,
};
use tokio::runtime::Handle;

/// An upload that is aborted unless it is completed.
#[derive(Debug)]
pub struct OpenUpload(Option<Box<dyn MultipartUpload>>);

impl OpenUpload {
    /// Begins an upload. Waits for the response of the store even if the caller is cancelled,
    /// because only the response identifies the upload to abort.
    pub async fn begin(
        store: &Arc<dyn ObjectStore>,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Self> {
        let (store, location) = (Arc::clone(store), location.clone());
        let begun = tokio::spawn(async move {
            let upload = store.put_multipart_opts(&location, options).await;
            upload.map(|upload| Self(Some(upload)))
        });
        begun.await.unwrap_or_else(|error| {
            Err(Error::Generic {
                store: "OpenUpload",
                source: Box::new(error),
            })
        })
    }

    fn upload(&mut self) -> Result<&mut Box<dyn MultipartUpload>> {
        self.0.as_mut().ok_or_else(|| Error::Generic {
            store: "OpenUpload",
            source: "the upload has ended already".into(),
        })
    }
}

#[async_trait]
impl MultipartUpload for OpenUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        match self.upload() {
            Ok(upload) => upload.put_part(data),
            Err(error) => futures::future::ready(Err(error)).boxed(),
        }
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let result = self.upload()?.complete().await?;
        self.0 = None;
        Ok(result)
    }

    async fn abort(&mut self) -> Result<()> {
        self.upload()?.abort().await?;
        self.0 = None;
        Ok(())
    }
}

impl Drop for OpenUpload {
    fn drop(&mut self) {
        if let (Some(mut upload), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(async move { upload.abort().await });
        }
    }
}
