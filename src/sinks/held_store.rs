//! An object store whose files appear only when the whole of them is let go.

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
use tokio::runtime::Handle;

/// Passes everything on, but holds back what would make a file appear.
#[derive(Debug)]
pub struct HeldStore {
    inner: Arc<dyn ObjectStore>,
    held: Arc<HeldFiles>,
}

/// The files that are written and not yet there.
#[derive(Debug)]
pub struct HeldFiles {
    store: Arc<dyn ObjectStore>,
    files: Mutex<Vec<HeldFile>>,
    failure: FirstFailure,
}

#[derive(Debug)]
enum HeldFile {
    /// A small file, as a whole.
    Small {
        location: Path,
        payload: PutPayload,
        options: PutOptions,
    },
    /// A large one, of which only the completion is missing.
    Large(OpenUpload),
}

impl HeldStore {
    pub fn new(inner: Arc<dyn ObjectStore>) -> (Self, Arc<HeldFiles>) {
        let held = Arc::new(HeldFiles {
            store: Arc::clone(&inner),
            files: Mutex::default(),
            failure: FirstFailure::default(),
        });
        let store = Self {
            inner,
            held: Arc::clone(&held),
        };
        (store, held)
    }
}

impl HeldFiles {
    /// Lets all files appear. After an error the remaining ones do not.
    pub async fn let_go(&self) -> Result<()> {
        let files = std::mem::take(&mut *self.files.lock());
        for file in files {
            match file {
                HeldFile::Small {
                    location,
                    payload,
                    options,
                } => self.store.put_opts(&location, payload, options).await?,
                HeldFile::Large(upload) => upload.complete().await?,
            };
        }
        Ok(())
    }

    /// Why the store refused to take a file, if it did.
    pub fn take_failure(&self) -> Option<String> {
        self.failure.0.lock().take()
    }
}

/// What the store refused first: some of DataFusion's writers do not tell.
#[derive(Debug, Default)]
struct FirstFailure(Mutex<Option<String>>);

impl FirstFailure {
    fn note<T>(&self, result: Result<T>) -> Result<T> {
        result.inspect_err(|error| {
            self.0.lock().get_or_insert_with(|| error.to_string());
        })
    }
}

/// An upload that is aborted unless it is completed: parts that nobody completes or aborts are
/// kept by the store, and paid for.
#[derive(Debug)]
struct OpenUpload(Option<Box<dyn MultipartUpload>>);

impl OpenUpload {
    async fn complete(mut self) -> Result<PutResult> {
        match self.0.take() {
            Some(mut upload) => upload.complete().await,
            None => Err(already_ended()),
        }
    }
}

impl Drop for OpenUpload {
    fn drop(&mut self) {
        if let (Some(mut upload), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(async move { upload.abort().await });
        }
    }
}

fn already_ended() -> Error {
    Error::Generic {
        store: "HeldStore",
        source: "the upload has ended already".into(),
    }
}

/// What the writers are told of a file that is held.
fn held() -> PutResult {
    PutResult {
        e_tag: None,
        version: None,
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
        self.held.files.lock().push(HeldFile::Small {
            location: location.clone(),
            payload,
            options,
        });
        Ok(held())
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        let inner = self.inner.put_multipart_opts(location, options).await;
        Ok(Box::new(HeldUpload {
            upload: OpenUpload(Some(self.held.failure.note(inner)?)),
            held: Arc::clone(&self.held),
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
    upload: OpenUpload,
    held: Arc<HeldFiles>,
}

#[async_trait]
impl MultipartUpload for HeldUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let Some(upload) = &mut self.upload.0 else {
            return futures::future::ready(Err(already_ended())).boxed();
        };
        let part = upload.put_part(data);
        let held = Arc::clone(&self.held);
        async move { held.failure.note(part.await) }.boxed()
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let upload = self.upload.0.take().ok_or_else(already_ended)?;
        let file = HeldFile::Large(OpenUpload(Some(upload)));
        self.held.files.lock().push(file);
        Ok(held())
    }

    async fn abort(&mut self) -> Result<()> {
        match self.upload.0.take() {
            Some(mut upload) => upload.abort().await,
            None => Ok(()),
        }
    }
}
