//! Finds the archives that an index names.

use std::path::Path as FilePath;

use datafusion::catalog::Session;
use datafusion::common::{Result, plan_err};
use object_store::path::Path;

use crate::sources::location::{Location, display_name};
use corpus_bytes::record::RecordError;

const NOT_FOUND: &str = "archive not found";

/// The files that the names in an index may refer to.
pub struct Archives<'a> {
    locations: &'a [Location],
    /// The files of the locations, unless all names can be appended to the only location.
    listed: Vec<Path>,
}

impl<'a> Archives<'a> {
    pub async fn new(
        session: &dyn Session,
        locations: &'a [Location],
        names: impl Iterator<Item = &String>,
    ) -> Result<Self> {
        let mut archives = Self {
            locations,
            listed: Vec::new(),
        };
        let is_found = |name: &String| name.contains("://") || archives.appended(name).is_some();
        let mut names = names;
        if !names.all(is_found) {
            for location in locations {
                let store = session.runtime_env().object_store(location.store())?;
                let files = location.files(&store, &[]).await?;
                archives
                    .listed
                    .extend(files.into_iter().map(|file| file.location));
            }
        }
        Ok(archives)
    }

    /// Returns the path of this name below the only location. Does not check whether remote files
    /// exist.
    fn appended(&self, name: &str) -> Option<Path> {
        let [location] = self.locations else {
            return None;
        };
        let path = location.resolve(name)?;
        let exists = || FilePath::new(&display_name(location.store(), &path)).exists();
        (!location.is_local() || exists()).then_some(path)
    }

    /// Returns the path of an archive. The inner error becomes rows; the outer one ends the query.
    pub fn resolve(&self, name: &str) -> Result<Result<Path, RecordError>> {
        if let Some(path) = self.appended(name) {
            return Ok(Ok(path));
        }
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        for wanted in [name, base] {
            let has_name = |path: &&Path| {
                let rest = path.as_ref().strip_suffix(wanted.trim_start_matches('/'));
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            let mut matching = self.listed.iter().filter(has_name);
            if let Some(path) = matching.next() {
                return match matching.find(|other| *other != path) {
                    None => Ok(Ok(path.clone())),
                    Some(other) => plan_err!(
                        "the index names '{name}', which may be '{path}' or '{other}': name the \
                         folder of the archives as their location"
                    ),
                };
            }
        }
        Ok(Err(self.not_found(name)))
    }

    fn not_found(&self, name: &str) -> RecordError {
        let places: Vec<_> = self.locations.iter().map(Location::as_str).collect();
        let places = places.join("', '");
        let is_package = |path: &Path| path.as_ref().ends_with(".wacz");
        let hint = if !self.listed.is_empty() && self.listed.iter().all(is_package) {
            "; packages are read without an index, which cannot name their records"
        } else {
            ""
        };
        let detail = format!("the index names '{name}', which is not in '{places}'{hint}");
        RecordError::new(NOT_FOUND, detail)
    }
}
