//! Multipart uploads that leave nothing on the store when they are cancelled. Stores keep, and
//! charge for, parts that are neither completed nor aborted.

use std::sync::Arc;

use async_trait::async_trait;
use futures::FutureExt;
use object_store::path::Path;
use object_store::{
    Error, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions,
    PutPayload, PutResult, Result, UploadPart,
};
use tokio::runtime::Handle;

/// An upload that is aborted unless it is completed.
#[derive(Debug)]
pub struct OpenUpload {
    /// `None` once the upload has ended.
    upload: Option<Box<dyn MultipartUpload>>,
    store: Arc<dyn ObjectStore>,
    location: Path,
    bytes: u64,
}

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
            let upload = store.put_multipart_opts(&location, options).await?;
            Ok(Self {
                upload: Some(upload),
                store,
                location,
                bytes: 0,
            })
        });
        begun.await.unwrap_or_else(|error| {
            Err(Error::Generic {
                store: "OpenUpload",
                source: Box::new(error),
            })
        })
    }

    fn upload(&mut self) -> Result<&mut Box<dyn MultipartUpload>> {
        self.upload.as_mut().ok_or_else(|| Error::Generic {
            store: "OpenUpload",
            source: "the upload has ended already".into(),
        })
    }
}

/// The object at a location. `None` if the store does not say.
async fn object_at(store: &dyn ObjectStore, location: &Path) -> Option<Option<ObjectMeta>> {
    match store.head(location).await {
        Ok(found) => Some(Some(found)),
        Err(Error::NotFound { .. }) => Some(None),
        Err(_) => None,
    }
}

#[async_trait]
impl MultipartUpload for OpenUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        self.bytes += data.content_length() as u64;
        match self.upload() {
            Ok(upload) => upload.put_part(data),
            Err(error) => futures::future::ready(Err(error)).boxed(),
        }
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let before = object_at(self.store.as_ref(), &self.location).await;
        let completed = match self.upload()?.complete().await {
            // The client repeats a request whose response was lost. Then the upload no longer
            // exists, but its object does.
            Err(error @ Error::NotFound { .. }) => {
                match (before, object_at(self.store.as_ref(), &self.location).await) {
                    (Some(before), Some(Some(now)))
                        if now.size == self.bytes
                            && before
                                .as_ref()
                                .is_none_or(|before| before.e_tag != now.e_tag) =>
                    {
                        Ok(PutResult {
                            e_tag: now.e_tag,
                            version: now.version,
                        })
                    }
                    _ => Err(error),
                }
            }
            completed => completed,
        }?;
        self.upload = None;
        Ok(completed)
    }

    async fn abort(&mut self) -> Result<()> {
        self.upload()?.abort().await?;
        self.upload = None;
        Ok(())
    }
}

impl Drop for OpenUpload {
    fn drop(&mut self) {
        if let (Some(mut upload), Ok(runtime)) = (self.upload.take(), Handle::try_current()) {
            runtime.spawn(async move { upload.abort().await });
        }
    }
}
