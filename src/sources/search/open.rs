//! Opens the indexes of a call: local folders, and folders in object stores and on web servers,
//! from which only the needed blocks are read.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, exec_datafusion_err};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use tokio::runtime::Handle;
use url::Url;

use super::{Indexes, plan_error};
use crate::limits::Limits;
use crate::object_stores::apply_store_options;
use crate::object_stores::credentials::{Rejection, failure};
use crate::sources::location::{Location, display_name, is_web};
use crate::sources::remote::transfer::read_range;
use crate::sources::table::register::wait_for;
use corpus_search::{
    IndexFiles, IndexSource, RemoteIndex, SETTINGS_FILE, Search, SearchOptions, Verify, locations,
};

/// The size of the block cache if the session has no memory limit.
const DEFAULT_CACHE_BYTES: usize = 64 << 20;

impl Indexes {
    /// Opens the indexes, and checks a query.
    pub fn open(
        &self,
        query: Option<&str>,
        options: &SearchOptions,
        session: &dyn Session,
    ) -> Result<Search> {
        if !self.locations.iter().any(|location| is_remote(location)) {
            let mut sources = Vec::new();
            for location in &self.locations {
                sources.extend(local(location)?);
            }
            return open(&sources, self.verify, query, options);
        }
        let limits = session.config().get_extension::<Limits>();
        let cache_bytes = limits.map_or(DEFAULT_CACHE_BYTES, |limits| limits.index_cache_bytes);
        let (query, options, verify) = (query.map(str::to_owned), options.clone(), self.verify);
        wait_for(async move {
            let mut sources = Vec::new();
            for location in &self.locations {
                if is_remote(location) {
                    sources.extend(self.remote(location, cache_bytes, session).await?)
                } else {
                    sources.extend(local(location)?)
                }
            }
            let opened = SpawnedTask::spawn_blocking(move || {
                open(&sources, verify, query.as_deref(), &options)
            });
            match opened.join_unwind().await {
                Ok(opened) => opened,
                Err(error) => Err(exec_datafusion_err!(
                    "opening the index was cancelled: {error}"
                )),
            }
        })
    }

    /// The indexes at a location in a store: one, or those that match a pattern.
    async fn remote(
        &self,
        location: &str,
        cache_bytes: usize,
        session: &dyn Session,
    ) -> Result<Vec<IndexSource>> {
        let url = location.trim_end_matches('/');
        let settings = Location::parse(&format!("{url}/{SETTINGS_FILE}"))?;
        let store_url: &Url = settings.store().as_ref();
        apply_store_options(session, store_url, self.store_options.clone())?;
        let store = session.runtime_env().object_store(settings.store())?;
        let folders = if settings.is_glob() {
            let files = settings.files(&store, &[]).await?;
            let names = files.iter();
            let names = names.map(|file| display_name(settings.store(), &file.location));
            names
                .map(|name| name.trim_end_matches(SETTINGS_FILE).to_owned())
                .collect()
        } else {
            vec![format!("{url}/")]
        };
        let mut sources = Vec::new();
        for name in folders {
            let folder = Location::parse(&name)?;
            let sizes = if is_web(folder.store()) {
                None
            } else {
                Some(sizes(&folder, &store).await?)
            };
            let store = Arc::clone(&store);
            let rejection = Rejection::default();
            let files = StoredIndex {
                store,
                folder,
                sizes,
                rejection,
            };
            sources.push(IndexSource::Remote(RemoteIndex {
                name,
                files: Arc::new(files),
                cache_bytes,
            }));
        }
        Ok(sources)
    }
}

fn is_remote(location: &str) -> bool {
    location.contains("://") && !location.starts_with("file://")
}

fn local(location: &str) -> Result<Vec<IndexSource>> {
    let folders = locations::resolve(location).map_err(plan_error)?;
    Ok(folders.into_iter().map(IndexSource::Folder).collect())
}

fn open(
    sources: &[IndexSource],
    verify: Verify,
    query: Option<&str>,
    options: &SearchOptions,
) -> Result<Search> {
    let search = Search::open_all(sources, verify).map_err(plan_error)?;
    if let Some(query) = query {
        search.check(query, options).map_err(plan_error)?;
    }
    Ok(search)
}

/// Lists the files of a folder.
async fn sizes(folder: &Location, store: &Arc<dyn ObjectStore>) -> Result<HashMap<Path, u64>> {
    let files = folder.files(store, &[]).await?;
    let sizes = files.into_iter().map(|file| (file.location, file.size));
    Ok(sizes.collect())
}

/// An index in a folder of a store.
struct StoredIndex {
    store: Arc<dyn ObjectStore>,
    folder: Location,
    /// `None` on web servers, which do not list files.
    sizes: Option<HashMap<Path, u64>>,
    rejection: Rejection,
}

impl StoredIndex {
    fn path(&self, name: &str) -> io::Result<Path> {
        let path = self.folder.below(name);
        path.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }

    fn failed(&self, name: &str, error: &Error) -> io::Error {
        if matches!(error, Error::NotSupported { .. }) {
            let message = "the server does not send parts of files: copy the index to this machine";
            return io::Error::other(format!("cannot read {name}: {message}"));
        }
        let error = failure(error, &self.rejection);
        io::Error::new(error.kind(), format!("cannot read {name}: {error}"))
    }
}

/// Reads run on the blocking threads of the runtime.
impl IndexFiles for StoredIndex {
    fn size(&self, name: &str) -> io::Result<Option<u64>> {
        let path = self.path(name)?;
        if let Some(sizes) = &self.sizes {
            return Ok(sizes.get(&path).copied());
        }
        match Handle::current().block_on(self.store.head(&path)) {
            Ok(file) => Ok(Some(file.size)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed(name, &error)),
        }
    }

    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Vec<u8>> {
        let path = self.path(name)?;
        let read = read_range(self.store.as_ref(), &path, range);
        let bytes = Handle::current().block_on(read);
        Ok(bytes.map_err(|error| self.failed(name, &error))?.into())
    }
}
