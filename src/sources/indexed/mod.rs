//! Reads only the records that an index or a query names, instead of whole files.
//!
//! ```text
//! filters on the table    ->  RecordIndex::find  ->  for each archive, the places of its records
//! or a query              ->  records::find      ->  the same
//! archive names           ->  archives           ->  paths below the table's location
//! an archive, its places  ->  reader             ->  one row per place, one small read each
//! ```

mod archives;
pub mod paths;
mod reader;
pub mod records;

pub use reader::{ErrorRows, IndexedReader, MAX_FETCH_BYTES};

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::{Result, plan_datafusion_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::logical_expr::Expr;
use object_store::path::Path;

use self::archives::Archives;
use super::format::index::{IndexFile, RecordIndex};
use super::location::query::NestedQuery;
use super::location::{Location, display_name};
use super::remote::file_of;
use corpus_bytes::record::RecordError;
use corpus_bytes::record_locations::{Findings, NamedRecord};

/// The records to read in one file: an extension of its [`PartitionedFile`].
#[derive(Debug)]
pub struct RecordPlaces(pub Arc<[NamedRecord]>);

/// Rows that planning has already found to be errors: an extension of a [`PartitionedFile`] that is
/// never opened.
#[derive(Debug)]
pub struct KnownErrors {
    /// The index, or the archive that it names.
    pub name: Arc<str>,
    pub errors: Arc<[(u64, RecordError)]>,
}

/// Returns the files of the records that an index names, with the records' places.
pub async fn indexed_files(
    session: &dyn Session,
    index: Arc<dyn RecordIndex>,
    locations: &[Location],
    filters: &[Expr],
) -> Result<Vec<PartitionedFile>> {
    let mut files = Vec::new();
    let records = search(session, index, filters, &mut files).await?;
    // Several lines with different URLs may name the same record.
    files_with(session, locations, records, files, |a, b| {
        a.location.offset == b.location.offset
    })
    .await
}

/// Returns the files of the records that a query names, with the records' places.
pub async fn queried_files(
    session: &dyn Session,
    query: &NestedQuery,
    locations: &[Location],
) -> Result<Vec<PartitionedFile>> {
    let mut files = Vec::new();
    let mut findings = records::find(session, query).await?;
    let faults = findings.take_faults();
    if !faults.is_empty() {
        files.push(known_errors(records::RECORDS, faults));
    }
    // A place with two URLs is two rows, because at least one of them is wrong.
    files_with(session, locations, findings.by_archive, files, |a, b| {
        a.location.offset == b.location.offset && a.expected == b.expected
    })
    .await
}

/// Adds the files of these records. Records that are the same become one row.
async fn files_with(
    session: &dyn Session,
    locations: &[Location],
    records: BTreeMap<String, Vec<NamedRecord>>,
    mut files: Vec<PartitionedFile>,
    is_same: fn(&NamedRecord, &NamedRecord) -> bool,
) -> Result<Vec<PartitionedFile>> {
    let archives = Archives::new(session, locations, records.keys()).await?;
    let mut by_path: BTreeMap<Path, Vec<NamedRecord>> = BTreeMap::new();
    for (name, records) in records {
        match archives.resolve(&name)? {
            Ok(path) => by_path.entry(path).or_default().extend(records),
            Err(error) => {
                let errors = distinct(records, is_same)
                    .iter()
                    .map(|record| (record.location.offset, error.clone()))
                    .collect();
                files.push(known_errors(&name, errors));
            }
        }
    }
    for (path, records) in by_path {
        let places = distinct(records, is_same);
        // For progress only: the size of the file is unknown.
        let end = |record: &NamedRecord| {
            let location = record.location;
            location.offset.saturating_add(location.length.unwrap_or(1))
        };
        let size = places.iter().map(end).max().unwrap_or(0);
        let mut file = PartitionedFile::new(String::new(), size);
        file.object_meta.location = path;
        files.push(file.with_extension(RecordPlaces(places.into())));
    }
    Ok(files)
}

/// Sorts records and merges those that are the same. The longest of their lengths is kept, because
/// one read of that length suffices to check the record.
fn distinct(
    mut records: Vec<NamedRecord>,
    is_same: fn(&NamedRecord, &NamedRecord) -> bool,
) -> Vec<NamedRecord> {
    records.sort_unstable_by(|a, b| {
        let offset = a.location.offset.cmp(&b.location.offset);
        offset.then_with(|| a.expected.cmp(&b.expected))
    });
    records.dedup_by(|later, kept| {
        let same = is_same(later, kept);
        if same {
            kept.location.length = kept.location.length.max(later.location.length);
        }
        same
    });
    records
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
) -> Result<BTreeMap<String, Vec<NamedRecord>>> {
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
        // Reading may block on the network.
        findings = tokio::task::spawn_blocking(search)
            .await
            .map_err(|error| plan_datafusion_err!("reading the index '{name}': {error}"))?
            .map_err(|error: String| plan_datafusion_err!("the index '{name}': {error}"))?;
        let faults = findings.take_faults();
        if !faults.is_empty() {
            files.push(known_errors(&name, faults));
        }
    }
    Ok(findings.by_archive)
}
