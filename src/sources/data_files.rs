//! Folders and globs of Parquet, CSV, JSON and Arrow files.
//!
//! DataFusion reads the files directly inside a folder, skips its subfolders without a word, and
//! takes globs in URLs literally. This module lists the files as all other sources do. It then
//! opens one DataFusion table over the folders that contain them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::pin::pin;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::DataFusionError;
use datafusion::execution::context::SessionState;
use futures::{StreamExt, future, stream};
use glob::Pattern;
use object_store::ObjectMeta;
use object_store::path::Path;

use super::location::{Location, display_name};
use super::partition_values;

/// How many files are searched for damage at a time.
const FILES_AT_A_TIME: usize = 32;

/// What DataFusion's table reads: folders, or single files.
struct Places {
    /// Folders end with a slash.
    paths: BTreeSet<String>,
    /// The names of the `key=value` folders below them. They become columns.
    partition_columns: Vec<String>,
}

/// Opens a folder or a glob. `None` if no file there has a format of DataFusion.
pub async fn open(
    session: &SessionState,
    location: &Location,
    files: &[ObjectMeta],
) -> Result<Option<Arc<dyn TableProvider>>> {
    let mut by_ending: BTreeMap<String, (Arc<dyn FileFormat>, Vec<&ObjectMeta>)> = BTreeMap::new();
    for file in files.iter().filter(|file| is_data(location, file)) {
        let (ending, compression) =
            ListingTableConfig::infer_file_extension_and_compression_type(file.location.as_ref())?;
        let Some(factory) = session.get_file_format_factory(&ending) else {
            continue;
        };
        let (full_ending, options) = match compression {
            Some(it) => (
                format!("{ending}.{it}"),
                HashMap::from([("format.compression".to_owned(), it)]),
            ),
            None => (ending, HashMap::new()),
        };
        match by_ending.get_mut(&full_ending) {
            Some((_, files)) => files.push(file),
            None => {
                let format = factory.create(session, &options)?;
                by_ending.insert(full_ending, (format, vec![file]));
            }
        }
    }
    if by_ending.len() > 1 {
        let patterns: Vec<String> = by_ending.keys().map(|it| format!("*.{it}")).collect();
        return plan_err!(
            "'{}' has files of several formats ({}): use a glob that selects one of them, such as '{}**/{}'",
            location.as_str(),
            patterns.join(", "),
            location.folder_text(),
            patterns[0]
        );
    }
    let Some((ending, (format, files))) = by_ending.pop_first() else {
        return Ok(None);
    };
    let options = ListingOptions::new(format).with_file_extension(&ending);
    table(session, location, &files, options).await.map(Some)
}

async fn table(
    session: &SessionState,
    location: &Location,
    files: &[&ObjectMeta],
    options: ListingOptions,
) -> Result<Arc<dyn TableProvider>> {
    warn_of_empty_files(location, files.iter().copied());
    let places = places(location, files);
    let pattern = Pattern::new(&file_pattern(location, &options.file_extension));
    let pattern = pattern.map_err(|error| DataFusionError::External(error.into()))?;
    let urls = places.paths.iter().map(|path| {
        let pattern = path.ends_with('/').then(|| pattern.clone());
        ListingTableUrl::try_new(location.url_of(path)?, pattern)
    });
    let urls: Vec<ListingTableUrl> = urls.collect::<Result<_>>()?;

    let mut schemas = Vec::new();
    for url in &urls {
        match options.infer_schema(session, url).await {
            Ok(schema) => schemas.push(Arc::unwrap_or_clone(schema)),
            Err(error) => {
                return Err(with_file_name(error, session, location, files, &options).await);
            }
        }
    }
    let partition_type = DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::Utf8));
    let partition_columns = places.partition_columns;
    let typed = partition_columns.iter();
    let typed = typed.map(|name| (name.clone(), partition_type.clone()));
    let options = options.with_table_partition_cols(typed.collect());
    let mut schema = Schema::try_merge(schemas)?;
    if files.len() > 1 {
        // A file without a column has NULLs there, even if all other files declare it NOT NULL.
        let fields = schema.fields().iter().map(|field| field.as_ref().clone());
        let fields: Vec<Field> = fields.map(|field| field.with_nullable(true)).collect();
        schema = Schema::new_with_metadata(fields, schema.metadata);
    }
    let config = ListingTableConfig::new_with_multi_paths(urls)
        .with_listing_options(options)
        .with_schema(Arc::new(schema));
    let table = Arc::new(ListingTable::try_new(config)?);
    let mut files = files.iter();
    match files.any(|file| partition_values::has_null(location, &file.location)) {
        true => partition_values::with_nulls(table, &partition_columns),
        false => Ok(table),
    }
}

/// Names the empty files, which are in no row of such a table.
pub fn warn_of_empty_files<'a>(
    location: &Location,
    files: impl IntoIterator<Item = &'a ObjectMeta>,
) {
    let mut empty = files.into_iter().filter(|file| file.size == 0);
    let Some(first) = empty.next() else {
        return;
    };
    let name = display_name(location.store(), &first.location);
    match empty.count() {
        0 => log::warn!("the file '{name}' is empty and is left out"),
        others => log::warn!(
            "{} files are empty and are left out, such as '{name}'",
            others + 1
        ),
    }
}

/// Adds the name of the damaged file to an error. The readers of Parquet and Arrow name none.
async fn with_file_name(
    error: DataFusionError,
    session: &SessionState,
    location: &Location,
    files: &[&ObjectMeta],
    options: &ListingOptions,
) -> DataFusionError {
    let Ok(store) = session.runtime_env().object_store(location.store()) else {
        return error;
    };
    let message = error.to_string();
    let mut names = Vec::new();
    for file in files.iter().filter(|file| file.size > 0) {
        let name = display_name(location.store(), &file.location);
        if message.contains(&name) {
            return error;
        }
        names.push((name, ObjectMeta::clone(file)));
    }
    let checks = stream::iter(names).map(|(name, file)| {
        let store = &store;
        async move {
            let objects = [file];
            let columns = options.format.infer_schema(session, store, &objects);
            columns.await.is_err().then_some(name)
        }
    });
    let mut damaged = pin!(checks.buffered(FILES_AT_A_TIME).filter_map(future::ready));
    match damaged.next().await {
        Some(name) => error.context(format!("cannot read '{name}'")),
        None => error,
    }
}

/// Returns the locations that `CREATE EXTERNAL TABLE` has to name so that DataFusion reads all
/// files of one. `None` if DataFusion reads them all as it is.
pub async fn expand(
    session: &dyn Session,
    name: &str,
    ending: &str,
) -> Result<Option<Vec<String>>> {
    let location = match Location::parse(name) {
        Ok(location) if location.may_be_many() => location,
        _ => return Ok(None),
    };
    let store = session.runtime_env().object_store(location.store())?;
    // A table may be created before its files are.
    let Ok(files) = location.files(&store, &[]).await else {
        return Ok(None);
    };
    let selected = |file: &&ObjectMeta| {
        location.is_glob() || (is_data(&location, file) && has_ending(&file.location, ending))
    };
    let files: Vec<&ObjectMeta> = files.iter().filter(selected).collect();
    warn_of_empty_files(&location, files.iter().copied());
    let folder = format!("{}/", location.base_path());
    let places = places(&location, &files).paths;
    let is_read = places.iter().all(|place| *place == folder);
    if is_read && (location.is_local() || !location.is_glob()) {
        return Ok(None);
    }
    // DataFusion takes globs in URLs literally.
    if location.is_glob() && !location.is_local() {
        let urls = files
            .iter()
            .map(|file| location.url_of(file.location.as_ref()));
        return urls
            .map(|url| Ok(url?.into()))
            .collect::<Result<_>>()
            .map(Some);
    }
    let pattern = file_pattern(&location, ending);
    let names = places
        .iter()
        .map(|place| match location.is_glob() && place.ends_with('/') {
            true => Ok(format!("/{place}{pattern}")),
            false => Ok(location.url_of(place)?.into()),
        });
    names.collect::<Result<_>>().map(Some)
}

/// Whether a file is data. Spark and others write files such as `_SUCCESS` into the same folder.
fn is_data(location: &Location, file: &ObjectMeta) -> bool {
    let is_hidden = |name: &str| name.starts_with('_') && !name.contains('=');
    let below = location.folders_below(&file.location).into_iter();
    let mut names = below.chain(file.location.filename());
    location.is_glob() || !names.any(is_hidden)
}

fn has_ending(path: &Path, ending: &str) -> bool {
    let name = path.filename().unwrap_or_default();
    name.strip_suffix(ending)
        .is_some_and(|rest| rest.ends_with('.'))
}

/// The pattern of the names of files, without that of their folders.
fn file_pattern(location: &Location, ending: &str) -> String {
    match location.glob_of_names() {
        None | Some("**") => format!("[!._]*.{ending}"),
        // As in a shell, a star does not match the dot of a hidden file.
        Some(glob) => match glob.strip_prefix("*.") {
            Some(rest) => format!("[!.]*.{rest}"),
            None => glob.to_owned(),
        },
    }
}

fn places(location: &Location, files: &[&ObjectMeta]) -> Places {
    let keys: BTreeSet<Vec<String>> = files
        .iter()
        .map(|file| partition_keys(location, file))
        .collect();
    // With a glob for folders, only the folders that it selects are read.
    let partition_columns = match keys.len() {
        1 if location.takes_all_folders() => keys.into_iter().next().unwrap_or_default(),
        _ => Vec::new(),
    };
    let folder = |file: &&ObjectMeta| {
        let mut path = file.location.as_ref();
        for _ in 0..=partition_columns.len() {
            path = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
        format!("{path}/")
    };
    let folders: BTreeSet<String> = files.iter().map(folder).collect();
    // DataFusion enters the folders `key=value` below a folder, which would read their files twice.
    let is_entered = |path: &String| {
        let mut above = path.trim_end_matches('/');
        while let Some((parent, name)) = above.rsplit_once('/')
            && name.contains('=')
        {
            if folders.contains(&format!("{parent}/")) {
                return true;
            }
            above = parent;
        }
        false
    };
    let paths = match folders.iter().any(is_entered) {
        true => files.iter().map(|file| file.location.to_string()).collect(),
        false => folders,
    };
    Places {
        paths,
        partition_columns,
    }
}

/// The keys of the `key=value` folders that a file is in.
fn partition_keys(location: &Location, file: &ObjectMeta) -> Vec<String> {
    let folders = location.folders_below(&file.location).into_iter().rev();
    let keys = folders.map_while(|folder| Some(folder.split_once('=')?.0.to_owned()));
    let mut keys: Vec<String> = keys.collect();
    keys.reverse();
    keys
}
