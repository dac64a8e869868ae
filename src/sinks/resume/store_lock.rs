//! A lock on a folder of an object store: an object that its holder rewrites at intervals.
//!
//! If a run is killed, the object remains but no longer changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, exec_err};
use object_store::path::Path;
use object_store::{
    Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutResult, UpdateVersion,
};
use tokio::runtime::Handle;
use uuid::Uuid;

/// The name of the object. Readers ignore names that start with an underscore.
const NAME: &str = "_corpus-sql.lock";

/// The interval at which the holder rewrites the object.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(5);

/// If the object does not change for this long, its run is considered ended.
const LOCK_TIMEOUT: Duration = Duration::from_secs(20);

/// A lock that is held. Dropping it removes the object.
#[derive(Debug)]
pub struct StoreLock {
    object: Object,
    /// Whether another run took the lock, because this one could not renew it in time.
    is_lost: Arc<AtomicBool>,
    _beats: SpawnedTask<()>,
}

impl StoreLock {
    /// Takes the lock. `None` if the store does not support conditional creation.
    pub async fn take(
        store: &Arc<dyn ObjectStore>,
        folder: &Path,
        name: &str,
    ) -> Result<Option<Self>> {
        let object = Object {
            store: Arc::clone(store),
            path: folder.clone().join(NAME),
        };
        let version = match object.put(PutMode::Create).await {
            Ok(version) => version,
            Err(Error::NotImplemented { .. } | Error::NotSupported { .. }) => return Ok(None),
            Err(Error::AlreadyExists { .. }) => object.take_over(name).await?,
            Err(error) => return Err(error.into()),
        };
        let is_lost = Arc::new(AtomicBool::new(false));
        let beats = SpawnedTask::spawn(object.clone().renew(version, Arc::clone(&is_lost)));
        Ok(Some(Self {
            object,
            is_lost,
            _beats: beats,
        }))
    }

    /// Fails if another run has taken over the folder.
    pub fn check(&self, name: &str) -> Result<()> {
        if !self.is_lost.load(Ordering::Relaxed) {
            Ok(())
        } else {
            exec_err!(
                "another run has taken over '{name}', because this one could not renew its lock for \
             {} seconds: wait until that run ends, then run again with --resume",
                LOCK_TIMEOUT.as_secs()
            )
        }
    }
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        if self.is_lost.load(Ordering::Relaxed) {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            let Object { store, path } = self.object.clone();
            runtime.spawn(async move { store.delete(&path).await });
        }
    }
}

/// The object that represents the lock.
#[derive(Debug, Clone)]
struct Object {
    store: Arc<dyn ObjectStore>,
    path: Path,
}

impl Object {
    /// Takes the lock of a killed run. Fails if its holder is still running.
    async fn take_over(&self, name: &str) -> Result<UpdateVersion> {
        let before = self.store.head(&self.path).await?;
        tokio::time::sleep(LOCK_TIMEOUT).await;
        match self.put(PutMode::Update(version(before))).await {
            Ok(version) => Ok(version),
            Err(Error::Precondition { .. } | Error::NotFound { .. }) => exec_err!(
                "another run is writing '{name}' (it renews '{}'): wait until it ends, or choose \
                 another folder",
                self.path
            ),
            Err(error) => Err(error.into()),
        }
    }

    /// Rewrites the object at intervals, until another run has taken it.
    async fn renew(self, mut version: UpdateVersion, is_lost: Arc<AtomicBool>) {
        while !is_lost.load(Ordering::Relaxed) {
            tokio::time::sleep(RENEWAL_INTERVAL).await;
            version = self.renew_once(version, &is_lost).await;
        }
    }

    async fn renew_once(&self, version: UpdateVersion, is_lost: &AtomicBool) -> UpdateVersion {
        match self.put(PutMode::Update(version.clone())).await {
            Ok(written) => return written,
            Err(Error::Precondition { .. } | Error::NotFound { .. }) => {
                is_lost.store(true, Ordering::Relaxed);
            }
            // The next attempt is made well before the lock times out.
            Err(_) => {}
        }
        version
    }

    /// Writes the object, and returns its version.
    async fn put(&self, mode: PutMode) -> object_store::Result<UpdateVersion> {
        // The content differs each time, because some stores derive the version from it.
        let content = Bytes::from(format!("A run of corpus-sql: {}\n", Uuid::new_v4()));
        let options = PutOptions::from(mode);
        let written = self
            .store
            .put_opts(&self.path, content.clone().into(), options)
            .await;
        match written {
            Ok(PutResult { e_tag, version }) => Ok(UpdateVersion { e_tag, version }),
            // The client retries a request whose response was lost, and then finds its own object.
            Err(error @ (Error::AlreadyExists { .. } | Error::Precondition { .. })) => {
                let found = self.store.get(&self.path).await?;
                let meta = found.meta.clone();
                if found.bytes().await? == content {
                    Ok(version(meta))
                } else {
                    Err(error)
                }
            }
            Err(error) => Err(error),
        }
    }
}

fn version(meta: ObjectMeta) -> UpdateVersion {
    UpdateVersion {
        e_tag: meta.e_tag,
        version: meta.version,
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    fn object() -> Object {
        Object {
            store: Arc::new(InMemory::new()),
            path: Path::from("folder/lock"),
        }
    }

    #[tokio::test]
    async fn a_lock_is_renewed_until_another_run_has_it() {
        let object = object();
        let is_lost = AtomicBool::new(false);
        let first = object.put(PutMode::Create).await.unwrap();
        let second = object.renew_once(first.clone(), &is_lost).await;
        let third = object.renew_once(second.clone(), &is_lost).await;
        assert!(first != second && second != third);
        assert!(!is_lost.load(Ordering::Relaxed));

        object.put(PutMode::Overwrite).await.unwrap();
        object.renew_once(third, &is_lost).await;
        assert!(is_lost.load(Ordering::Relaxed));
    }

    #[tokio::test]
    async fn a_run_that_lost_its_lock_says_so_and_keeps_that_of_the_other() {
        let object = object();
        let folder = Path::from("folder");
        let lock = StoreLock::take(&object.store, &folder, "out/");
        let lock = lock.await.unwrap().unwrap();
        lock.check("out/").unwrap();
        lock.is_lost.store(true, Ordering::Relaxed);
        let error = lock.check("out/").unwrap_err().to_string();
        assert!(
            error.contains("another run has taken over 'out/'"),
            "{error}"
        );
        let path = lock.object.path.clone();
        drop(lock);
        tokio::task::yield_now().await;
        object.store.head(&path).await.unwrap();
    }
}
