//! Access by an index: only the records that an index names, instead of whole files.
//!
//! ```text
//! filters on the table    ->  RecordIndex::find  ->  for each archive, the places of its records
//! archive names           ->  archives           ->  paths below the table's location
//! an archive, its places  ->  reader             ->  one row per place, one small read each
//! ```

mod archives;
mod reader;

pub use reader::{ErrorRows, IndexedReader};

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::{Result, plan_datafusion_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::logical_expr::Expr;
use object_store::path::Path;

use self::archives::Archives;
use super::index::{IndexFile, RecordIndex};
use super::location::{Location, display_name};
use super::remote::file_of;
use corpus_bytes::places::{Findings, Place};
use corpus_bytes::record::RecordError;

/// The places to read in one file: an extension of its [`PartitionedFile`].
#[derive(Debug)]
pub struct Places(pub Arc<[Place]>);

/// Rows that planning has already found to be errors: an extension of a [`PartitionedFile`] that is
/// never opened.
#[derive(Debug)]
pub struct KnownErrors {
    /// The index, or the archive that it names.
    pub name: Arc<str>,
    pub errors: Arc<[(u64, RecordError)]>,
}

/// Returns the files with the records that an index names, and the places of these.
pub async fn indexed_files(
    session: &dyn Session,
    index: Arc<dyn RecordIndex>,
    locations: &[Location],
    filters: &[Expr],
) -> Result<Vec<PartitionedFile>> {
    let mut files = Vec::new();
    let places = search(session, index, filters, &mut files).await?;
    let archives = Archives::new(session, locations, places.keys()).await?;
    let mut by_path: BTreeMap<Path, Vec<Place>> = BTreeMap::new();
    for (name, places) in places {
        match archives.resolve(&name)? {
            Ok(path) => by_path.entry(path).or_default().extend(places),
            Err(error) => {
                let errors = distinct(places)
                    .iter()
                    .map(|place| (place.offset, error.clone()))
                    .collect();
                files.push(known_errors(&name, errors));
            }
        }
    }
    for (path, places) in by_path {
        let places = distinct(places);
        // For progress only: the size of the file is unknown.
        let end = |place: &Place| place.offset.saturating_add(place.length.unwrap_or(1));
        let size = places.iter().map(end).max().unwrap_or(0);
        let mut file = PartitionedFile::new(String::new(), size);
        file.object_meta.location = path;
        files.push(file.with_extension(Places(places.into())));
    }
    Ok(files)
}

/// Sorts places and keeps one per record, although several lines may name it. The longest length
/// wins, because a record can be checked against it by one read.
fn distinct(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_unstable_by(|a, b| a.offset.cmp(&b.offset).then(b.length.cmp(&a.length)));
    places.dedup_by_key(|place| place.offset);
    places
}

fn known_errors(name: &str, errors: Vec<(u64, RecordError)>) -> PartitionedFile {
    PartitionedFile::new(String::new(), 0).with_extension(KnownErrors {
        name: name.into(),
        errors: errors.into(),
    })
}

/// Searches all files of an index. Unusable lines become error rows in `files`.
async fn search(
    session: &dyn Session,
    index: Arc<dyn RecordIndex>,
    filters: &[Expr],
    files: &mut Vec<PartitionedFile>,
) -> Result<BTreeMap<String, Vec<Place>>> {
    let location = Location::parse(index.location())?;
    let store = session.runtime_env().object_store(location.store())?;
    let mut findings = Findings::default();
    for meta in location.files(&store, &[]).await? {
        let name = display_name(location.store(), &meta.location);
        let file = IndexFile {
            bytes: file_of(location.store(), &store, &meta)
                .map_err(|error| plan_datafusion_err!("cannot read the index '{name}': {error}"))?,
            is_local: location.is_local(),
        };
        let (index, filters) = (Arc::clone(&index), filters.to_vec());
        let search = move || {
            index.find(&file, &filters, &mut findings)?;
            Ok(findings)
        };
        // Reading blocks, perhaps on a network.
        findings = tokio::task::spawn_blocking(search)
            .await
            .map_err(|error| plan_datafusion_err!("reading the index '{name}': {error}"))?
            .map_err(|error: String| plan_datafusion_err!("the index '{name}': {error}"))?;
        let faults = findings.take_faults();
        if !faults.is_empty() {
            files.push(known_errors(&name, faults));
        }
    }
    Ok(findings.places)
}
