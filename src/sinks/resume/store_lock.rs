//! A lock on a folder of an object store: an object that its holder writes again and again.
//!
//! A killed run leaves its object behind, which then no longer changes.

use std::sync::Arc;
use std::time::Duration;

use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, exec_err};
use object_store::path::Path;
use object_store::{
    Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutResult, UpdateVersion,
};
use tokio::runtime::Handle;
use uuid::Uuid;

/// The name of the object. Readers ignore names that start with an underscore.
const NAME: &str = "_corpus-sql.lock";

/// How often the holder writes the object.
const BEAT: Duration = Duration::from_secs(5);

/// An object that does not change for so long belongs to a run that has ended.
const PATIENCE: Duration = Duration::from_secs(20);

/// A lock that is held. Dropping it removes the object.
#[derive(Debug)]
pub struct StoreLock {
    store: Arc<dyn ObjectStore>,
    path: Path,
    _beats: SpawnedTask<()>,
}

impl StoreLock {
    /// Takes the lock. `None` if the store cannot create an object only where there is none.
    pub async fn take(
        store: &Arc<dyn ObjectStore>,
        folder: &Path,
        name: &str,
    ) -> Result<Option<Self>> {
        let path = folder.clone().join(NAME);
        let version = match put(store, &path, PutMode::Create).await {
            Ok(version) => version,
            Err(Error::NotImplemented { .. } | Error::NotSupported { .. }) => return Ok(None),
            Err(Error::AlreadyExists { .. }) => take_over(store, &path, name).await?,
            Err(error) => return Err(error.into()),
        };
        let (beating, target) = (Arc::clone(store), path.clone());
        let beats = SpawnedTask::spawn(async move {
            let mut version = version;
            loop {
                tokio::time::sleep(BEAT).await;
                // A write that fails is tried again, well before others lose patience.
                if let Ok(written) = put(&beating, &target, PutMode::Update(version.clone())).await
                {
                    version = written;
                }
            }
        });
        Ok(Some(Self {
            store: Arc::clone(store),
            path,
            _beats: beats,
        }))
    }
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        if let Ok(runtime) = Handle::try_current() {
            let (store, path) = (Arc::clone(&self.store), self.path.clone());
            runtime.spawn(async move { store.delete(&path).await });
        }
    }
}

/// Takes the lock of a run that was killed. That of a running one is an error.
async fn take_over(store: &Arc<dyn ObjectStore>, path: &Path, name: &str) -> Result<UpdateVersion> {
    let before = store.head(path).await?;
    tokio::time::sleep(PATIENCE).await;
    let version = UpdateVersion {
        e_tag: before.e_tag,
        version: before.version,
    };
    match put(store, path, PutMode::Update(version)).await {
        Ok(version) => Ok(version),
        Err(Error::Precondition { .. } | Error::NotFound { .. }) => exec_err!(
            "another run is writing '{name}' (it renews '{path}'): wait until it ends, or choose \
             another folder"
        ),
        Err(error) => Err(error.into()),
    }
}

async fn put(
    store: &Arc<dyn ObjectStore>,
    path: &Path,
    mode: PutMode,
) -> object_store::Result<UpdateVersion> {
    // Different content each time, because some stores derive the version from it.
    let content = format!("A run of corpus-sql: {}\n", Uuid::new_v4());
    let options = PutOptions::from(mode);
    let PutResult { e_tag, version } = store.put_opts(path, content.into(), options).await?;
    Ok(UpdateVersion { e_tag, version })
}
