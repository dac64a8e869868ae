//! An object store whose files appear only when the copy that writes them is complete.

use std::fmt;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{FutureExt, TryStreamExt};
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
    UploadPart,
};
use parking_lot::Mutex;

use super::destination::{Destination, FirstFailure};
use super::open_upload::OpenUpload;
use super::target::{Mode, Target};

/// Passes all calls on, except those that would make a file appear.
#[derive(Debug)]
pub struct HeldStore {
    inner: Arc<dyn ObjectStore>,
    held: Arc<HeldFiles>,
}

/// The files that have been written but have not appeared.
#[derive(Debug)]
pub struct HeldFiles {
    target: Target,
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
    /// A large file whose upload only has to be completed. Dropping it aborts the upload.
    Large { location: Path, upload: OpenUpload },
}

impl HeldStore {
    pub fn new(inner: Arc<dyn ObjectStore>, target: Target) -> (Self, Arc<HeldFiles>) {
        let held = Arc::new(HeldFiles {
            target,
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

#[async_trait]
impl Destination for HeldFiles {
    async fn begin(&self) -> datafusion::common::Result<()> {
        self.target.replaced(self.existing().await?)?;
        Ok(())
    }

    /// Removes the files that have already appeared if one fails. The files of an earlier copy are
    /// removed last, so a run that is killed in between leaves both, never neither.
    async fn complete(&self) -> datafusion::common::Result<()> {
        let old = self.target.replaced(self.existing().await?)?;
        let files = std::mem::take(&mut *self.files.lock());
        let mut appeared = Vec::with_capacity(files.len());
        for file in files {
            let (location, completed) = match file {
                HeldFile::Small {
                    location,
                    payload,
                    options,
                } => {
                    let put = self.store.put_opts(&location, payload, options).await;
                    (location, put)
                }
                HeldFile::Large {
                    location,
                    mut upload,
                } => (location, upload.complete().await),
            };
            if let Err(error) = self.failure.note(completed) {
                if self.target.is_folder {
                    for location in &appeared {
                        self.store.delete(location).await?;
                    }
                }
                return Err(error.into());
            }
            appeared.push(location);
        }
        if self.target.is_folder {
            for file in old {
                self.store.delete(&self.inside(&file)?).await?;
            }
        }
        Ok(())
    }

    /// Dropping an upload aborts it.
    fn abandon(&self) {
        self.files.lock().clear();
    }

    fn take_failure(&self) -> Option<String> {
        self.failure.take()
    }
}

impl HeldFiles {
    /// The objects that the copy may replace, relative to its folder.
    async fn existing(&self) -> datafusion::common::Result<Vec<PathBuf>> {
        let prefix = self.target.url.prefix();
        match (self.target.is_folder, self.target.mode) {
            (true, Mode::Append) => Ok(Vec::new()),
            (true, _) => {
                let objects: Vec<_> = self.store.list(Some(prefix)).try_collect().await?;
                let inside = objects.iter().filter_map(|object| {
                    let path: Path = object.location.prefix_match(prefix)?.collect();
                    // Some tools represent a folder by an empty object with its name.
                    (!path.as_ref().is_empty()).then(|| PathBuf::from(path.as_ref()))
                });
                Ok(inside.collect())
            }
            (false, Mode::Create) => match self.store.head(prefix).await {
                Ok(found) => Ok(vec![PathBuf::from(found.location.as_ref())]),
                Err(Error::NotFound { .. }) => Ok(Vec::new()),
                Err(error) => Err(error.into()),
            },
            (false, _) => Ok(Vec::new()),
        }
    }

    /// The location of an object in the folder.
    fn inside(&self, file: &FilePath) -> Result<Path> {
        let path = format!("{}/{}", self.target.url.prefix(), file.display());
        Ok(Path::parse(path)?)
    }
}

/// The result that writers get for a file that is held back.
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
            location: self.held.target.location_of(location)?,
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
        let location = self.held.target.location_of(location)?;
        let upload = OpenUpload::begin(&self.inner, &location, options).await;
        Ok(Box::new(HeldUpload {
            location,
            upload: Some(self.held.failure.note(upload)?),
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
    location: Path,
    /// `None` once the upload is held.
    upload: Option<OpenUpload>,
    held: Arc<HeldFiles>,
}

impl HeldUpload {
    fn upload(&mut self) -> Result<&mut OpenUpload> {
        self.upload.as_mut().ok_or_else(is_held)
    }
}

fn is_held() -> Error {
    Error::Generic {
        store: "HeldStore",
        source: "the upload has ended already".into(),
    }
}

#[async_trait]
impl MultipartUpload for HeldUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let part = match self.upload() {
            Ok(upload) => upload.put_part(data),
            Err(error) => return futures::future::ready(Err(error)).boxed(),
        };
        let held = Arc::clone(&self.held);
        async move { held.failure.note(part.await) }.boxed()
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let file = HeldFile::Large {
            location: self.location.clone(),
            upload: self.upload.take().ok_or_else(is_held)?,
        };
        self.held.files.lock().push(file);
        Ok(held())
    }

    async fn abort(&mut self) -> Result<()> {
        self.upload()?.abort().await
    }
}
