//! A store whose readers do not mix two versions of a file.
//!
//! DataFusion reads Parquet, CSV and JSON by many requests for ranges. If the file is replaced
//! between two of them, the rows would come from both. This store compares each response with the
//! one before. A listing, or a request for the whole file, starts over.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use parking_lot::Mutex;

use super::version::{change, changed};

/// The maximum number of files whose versions are known. Each takes some hundred bytes.
const MAX_FILES: usize = 32_768;

/// Compares the versions of files, and passes all calls on.
#[derive(Debug)]
pub struct OneVersion {
    inner: Arc<dyn ObjectStore>,
    seen: Arc<KnownVersions>,
}

/// The files that were read in ranges, as the last response described them.
#[derive(Debug, Default)]
struct KnownVersions(Mutex<HashMap<Path, ObjectMeta>>);

impl OneVersion {
    pub fn new(inner: Arc<dyn ObjectStore>) -> Self {
        Self {
            inner,
            seen: Arc::default(),
        }
    }
}

impl KnownVersions {
    /// Compares a response for a range with the previous one, and remembers it.
    fn check(&self, location: &Path, now: &ObjectMeta) -> Result<()> {
        let mut files = self.0.lock();
        if files.len() >= MAX_FILES && !files.contains_key(location) {
            files.clear();
        }
        match files.insert(location.clone(), now.clone()) {
            Some(before) if before.size != now.size => {
                let how = format!("it had {} bytes and now has {}", before.size, now.size);
                Err(mixed(location, &how))
            }
            Some(before) => change(&before, now).map_or(Ok(()), |how| Err(mixed(location, how))),
            None => Ok(()),
        }
    }

    /// Forgets the version of a file, so that the next response sets it. Listings are not compared
    /// with responses, because some stores write times and ETags differently there.
    fn forget(&self, location: &Path) {
        self.0.lock().remove(location);
    }
}

fn mixed(location: &Path, how: &str) -> Error {
    Error::Generic {
        store: "remote",
        source: format!("'{location}': {}", changed(how)).into(),
    }
}

#[async_trait]
impl ObjectStore for OneVersion {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let is_part = options.range.is_some() && !options.head;
        let response = self.inner.get_opts(location, options).await?;
        if is_part {
            self.seen.check(location, &response.meta)?;
        } else {
            self.seen.forget(location);
        }
        Ok(response)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let seen = Arc::clone(&self.seen);
        let files = self.inner.list(prefix);
        files
            .inspect_ok(move |file| seen.forget(&file.location))
            .boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        let list = self.inner.list_with_delimiter(prefix).await?;
        for file in &list.objects {
            self.seen.forget(&file.location);
        }
        Ok(list)
    }

    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.seen.forget(location);
        self.inner.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.seen.forget(location);
        self.inner.put_multipart_opts(location, options).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        let seen = Arc::clone(&self.seen);
        let deleted = self.inner.delete_stream(locations);
        deleted.inspect_ok(move |file| seen.forget(file)).boxed()
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.seen.forget(to);
        self.inner.copy_opts(from, to, options).await
    }
}

impl fmt::Display for OneVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use object_store::ObjectStoreExt;
    use object_store::memory::InMemory;

    use super::*;

    #[tokio::test]
    async fn ranges_of_two_versions_are_an_error() {
        let files = Arc::new(InMemory::new());
        let store = OneVersion::new(Arc::clone(&files) as _);
        let path = Path::from("a.parquet");
        files.put(&path, "first".into()).await.unwrap();
        assert_eq!(store.get_range(&path, 0..2).await.unwrap(), "fi");
        assert_eq!(store.get_range(&path, 2..5).await.unwrap(), "rst");

        files.put(&path, "other".into()).await.unwrap();
        let error = store.get_range(&path, 2..5).await.unwrap_err().to_string();
        assert!(
            error.contains("'a.parquet': the file changed on the server"),
            "{error}"
        );
        // The next query reads the new version.
        assert_eq!(store.get_range(&path, 0..5).await.unwrap(), "other");

        for look in ["head", "list", "whole", "put"] {
            files.put(&path, look.into()).await.unwrap();
            match look {
                "head" => drop(store.head(&path).await.unwrap()),
                "list" => drop(store.list(None).collect::<Vec<_>>().await),
                "whole" => drop(store.get(&path).await.unwrap()),
                _ => drop(store.put(&path, look.into()).await.unwrap()),
            }
            assert_eq!(store.get_range(&path, 0..9).await.unwrap(), look);
        }
    }
}
