//! Folders and globs of Parquet, CSV, JSON and Arrow files.
//!
//! DataFusion reads only the files directly inside a folder, silently skips its subfolders, and
//! takes globs in URLs literally. This module lists the files like all other sources.
//!
//! ```text
//! extensions    file extensions of tables
//! arrow_types   types of Arrow that are cast or refused
//! columns       the columns of several files
//! file_table    a table of files of one format
//! named_files   names the file in errors of Parquet and Arrow
//! spellings     columns whose names differ in case between files
//! float_bounds  hides the maximums of Parquet files that leave out NaN
//! text_tables   CSV and JSON
//! ```

mod arrow_types;
pub mod columns;
pub mod extensions;
pub mod file_table;
pub mod float_bounds;
pub mod named_files;
pub mod spellings;
pub mod text_tables;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::slice::from_ref;
use std::sync::Arc;

use corpus_bytes::compression;
use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::listing::ListingTableConfig;
use datafusion::execution::context::SessionState;
use object_store::ObjectMeta;
use object_store::path::Path;

use self::columns::SameFormatFiles;
use self::file_table::{FileList, FileSelection, FileTable, FoundFile, found_files};
use super::location::partition_values::{Folders, HiveOptions, PartitionColumns};
use super::location::{Location, display_name};
use crate::planner::reopened_tables::TableOpening;

/// Folders in which other programs keep the logs of a table.
const LOG_FOLDERS: [&str; 4] = ["_delta_log", "_hoodie", "_spark_metadata", "_temporary"];

/// Opens a location. `None` if no file has a format that DataFusion reads.
pub async fn open(
    session: &SessionState,
    location: &Location,
    files: &[ObjectMeta],
) -> Result<Option<Arc<dyn TableProvider>>> {
    let mut by_format: BTreeMap<String, SameFormat> = BTreeMap::new();
    warn_of_hidden_files(location, files);
    for file in files.iter().filter(|file| is_data(location, file)) {
        let Some(extension) = format_in_name(file.location.as_ref()) else {
            continue;
        };
        if session.get_file_format_factory(&extension.format).is_none() {
            continue;
        }
        let of_format = by_format.entry(extension.format).or_default();
        of_format.extensions.insert(extension.text);
        of_format.compressions.insert(extension.compression);
        of_format.files.push(file);
    }
    if by_format.len() > 1 {
        let extensions = by_format.values().flat_map(|it| &it.extensions);
        let patterns: Vec<String> = extensions.map(|it| format!("*.{it}")).collect();
        return plan_err!(
            "'{}' has files of several formats ({}): use a glob that selects one of them, such as '{}**/{}'",
            location.as_str(),
            patterns.join(", "),
            location.folder_text(),
            patterns[0]
        );
    }
    let Some((name, of_format)) = by_format.pop_first() else {
        return Ok(None);
    };
    let Some(factory) = session.get_file_format_factory(&name) else {
        return Ok(None);
    };
    // This option only keeps DataFusion from dividing files into ranges. The content of each file
    // decides how it is decompressed.
    let mut compressions = of_format.compressions.iter();
    let options = match (compressions.next(), compressions.next()) {
        (Some(Some(compression)), None) => {
            HashMap::from([("format.compression".to_owned(), compression.clone())])
        }
        _ => HashMap::new(),
    };
    let format = factory.create(session, &options)?;
    let list = FileList {
        locations: vec![location.clone()],
        kept: FileSelection::OfFormat(name),
    };
    warn_of_empty_files(location, of_format.files.iter().copied());
    let files = found_files(location, of_format.files.into_iter().cloned());
    let hive = HiveOptions::default();
    table(session, list, files.collect(), format, None, &hive)
        .await
        .map(Some)
}

/// Opens the files of a created table. `None` if DataFusion's own table has the same rows: of text
/// files that are not in folders `key=value`. `declared`: the columns of the files, if they are
/// declared.
pub async fn created(
    session: &SessionState,
    locations: Vec<Location>,
    file_type: &str,
    options: &HashMap<String, String>,
    declared: Option<Schema>,
    hive: &HiveOptions,
) -> Result<Option<Arc<dyn TableProvider>>> {
    let format = format_of(file_type);
    let known = extensions::FORMATS
        .iter()
        .map(|(_, extensions)| *extensions);
    let known = known.into_iter().find(|it| it.contains(&format.as_str()));
    let (Some(extensions), Some(factory)) = (known, session.get_file_format_factory(file_type))
    else {
        return Ok(None);
    };
    let Some(store) = locations.first().map(|location| location.store().clone()) else {
        return Ok(None);
    };
    let list = FileList {
        locations,
        kept: FileSelection::NamedOr(extensions),
    };
    if list.locations.iter().any(|it| *it.store() != store) {
        return Ok(None);
    }
    // A table may be created before its files exist.
    let Ok(files) = list.files(session).await else {
        return Ok(None);
    };
    let needs_keys = hive.keys.is_some() || extensions::is_text(&format);
    let lacks_keys = || files.iter().any(|file| file.folders.is_empty());
    if files.is_empty() || (needs_keys && lacks_keys()) {
        return Ok(None);
    }
    let format = factory.create(session, options)?;
    table(session, list, files, format, declared, hive)
        .await
        .map(Some)
}

/// The files of one format.
#[derive(Default)]
struct SameFormat<'a> {
    /// The extensions, including that of the compression, such as `csv.gz`.
    extensions: BTreeSet<String>,
    /// The extensions of compressions.
    compressions: BTreeSet<Option<String>>,
    files: Vec<&'a ObjectMeta>,
}

async fn table(
    session: &SessionState,
    list: FileList,
    files: Vec<FoundFile>,
    format: Arc<dyn FileFormat>,
    declared: Option<Schema>,
    hive: &HiveOptions,
) -> Result<Arc<dyn TableProvider>> {
    let location = &list.locations[0];
    let store = session.runtime_env().object_store(location.store())?;
    let metas: Vec<ObjectMeta> = files.iter().map(|file| file.meta.clone()).collect();
    let columns = match declared {
        Some(declared) => declared,
        None if metas.is_empty() => Schema::empty(),
        None => {
            let of = SameFormatFiles {
                session,
                store: &store,
                store_url: location.store(),
                files: &metas,
                format: format.as_ref(),
            };
            columns::of_files(of).await?
        }
    };
    let folders: Vec<&Folders> = files.iter().map(|file| &file.folders).collect();
    let table = FileTable {
        is_only: true,
        store: location.store().clone(),
        format,
        columns,
        filename: None,
        partitions: PartitionColumns::common(&folders, hive)?,
        opened: TableOpening::now(session),
        files,
        list: Arc::new(list),
    };
    table.into_provider()
}

/// Warns of empty files, which contribute no row to such a table.
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

/// Warns of files that have the name of data and are not read because of the underscore before it.
pub fn warn_of_hidden_files(location: &Location, files: &[ObjectMeta]) {
    let known: Vec<&str> = extensions::all().collect();
    let is_hidden = |file: &&ObjectMeta| {
        let below = location.folders_below(&file.location);
        let is_log = below.iter().any(|folder| LOG_FOLDERS.contains(folder));
        let has_format = || compression::has_extension(file.location.as_ref(), &known);
        file.size > 0 && !is_log && !is_data(location, file) && has_format()
    };
    let mut hidden = files.iter().filter(is_hidden);
    let Some(first) = hidden.next() else {
        return;
    };
    let name = display_name(location.store(), &first.location);
    let others = match hidden.count() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    log::warn!(
        "not read, because their names begin with '_': '{name}'{others}; name such files by a glob"
    );
}

/// Returns the locations to put into `CREATE EXTERNAL TABLE` so that DataFusion reads all files of
/// the location `name`. `None` if DataFusion reads them all anyway.
pub async fn expand(
    session: &dyn Session,
    name: &str,
    extension: &str,
) -> Result<Option<Vec<String>>> {
    let location = match Location::parse(name) {
        Ok(location) if location.may_be_many() => location,
        _ => return Ok(None),
    };
    let store = session.runtime_env().object_store(location.store())?;
    // A table may be created before its files exist.
    let Ok(files) = location.files(&store, &[]).await else {
        return Ok(None);
    };
    let extensions = extensions(extension, &files);
    warn_of_hidden_files(&location, &files);
    let selected = |file: &&ObjectMeta| {
        let is_of_format = || {
            extensions
                .iter()
                .any(|it| has_extension(&file.location, it))
        };
        location.is_glob() || (is_data(&location, file) && is_of_format())
    };
    let files: Vec<&ObjectMeta> = files.iter().filter(selected).collect();
    warn_of_empty_files(&location, files.iter().copied());
    let folder = format!("{}/", location.base_path());
    let places = places(&location, &files);
    let is_read = places.keys().all(|place| *place == folder);
    let has_only = extensions.len() == 1 || files.is_empty();
    if is_read && has_only && (location.is_local() || !location.is_glob()) {
        return Ok(None);
    }
    // DataFusion takes globs in URLs literally.
    if !location.is_local() && (location.is_glob() || !has_only) {
        let urls = files
            .iter()
            .map(|file| location.url_of(file.location.as_ref()));
        return urls
            .map(|url| Ok(url?.into()))
            .collect::<Result<_>>()
            .map(Some);
    }
    let mut names = Vec::new();
    for (place, here) in &places {
        let has_pattern = location.is_glob() || !has_only;
        if !place.ends_with('/') || !has_pattern {
            names.push(location.url_of(place)?.into());
            continue;
        }
        // DataFusion would take the folder's name for a pattern, too.
        if !location.is_glob() && place.contains(['*', '?', '[']) {
            for file in here {
                names.push(location.url_of(file.location.as_ref())?.into());
            }
            continue;
        }
        let is_here = |extension: &&String| {
            here.iter()
                .any(|file| has_extension(&file.location, extension))
        };
        let patterns: BTreeSet<String> = if location.is_glob() {
            [file_pattern(&location, extension)].into()
        } else {
            extensions
                .iter()
                .filter(is_here)
                .map(|it| file_pattern(&location, it))
                .collect()
        };
        names.extend(patterns.iter().map(|pattern| format!("/{place}{pattern}")));
    }
    Ok(Some(names))
}

/// The extension of a file's name.
struct Extension {
    /// The extension, including that of the compression, such as `csv.gz`.
    text: String,
    /// The usual extension of the format.
    format: String,
    compression: Option<String>,
}

/// Returns the extension of a file's name, if it has one.
fn format_in_name(path: &str) -> Option<Extension> {
    let found = ListingTableConfig::infer_file_extension_and_compression_type(path);
    let (extension, compression) = found.ok()?;
    Some(Extension {
        format: format_of(&extension),
        text: match &compression {
            Some(it) => format!("{extension}.{it}"),
            None => extension,
        },
        compression,
    })
}

/// Returns the format that an extension names, as its usual extension. Case does not matter.
fn format_of(extension: &str) -> String {
    let extension = extension.to_ascii_lowercase();
    if extensions::JSON.contains(&extension.as_str()) {
        "json".to_owned()
    } else if extensions::PARQUET.contains(&extension.as_str()) {
        "parquet".to_owned()
    } else if extensions::TABS.contains(&extension.as_str()) {
        "tsv".to_owned()
    } else if extensions::ARROW.contains(&extension.as_str()) {
        "arrow".to_owned()
    } else {
        extension
    }
}

/// Returns the extensions of one format's files, as they are written: `extension`, and those of
/// `files`.
/// The extensions of compressed files such as `csv.gz` are included. If `extension` names a
/// compression, only those with this compression are returned.
fn extensions(extension: &str, files: &[ObjectMeta]) -> Vec<String> {
    let (format, compression) = match extension.split_once('.') {
        Some((format, compression)) => (format, Some(compression)),
        None => (extension, None),
    };
    let format = format_of(format);
    let is_text = extensions::is_text(&format);
    let mut extensions = vec![extension.to_owned()];
    for file in files {
        let path = file.location.as_ref();
        let found = ListingTableConfig::infer_file_extension_and_compression_type(path);
        let Ok((of_file, of_content)) = found else {
            continue;
        };
        if format_of(&of_file) != format {
            continue;
        }
        let full_extension = match of_content {
            None if compression.is_none() => of_file,
            Some(it) if is_text && compression.is_none_or(|only| it == only) => {
                format!("{of_file}.{it}")
            }
            _ => continue,
        };
        if !extensions.contains(&full_extension) {
            extensions.push(full_extension);
        }
    }
    extensions
}

/// Whether a file is data. Spark and others write files such as `_SUCCESS` into the same folder. A
/// file that the user names is read.
pub fn is_data(location: &Location, file: &ObjectMeta) -> bool {
    let is_hidden = |name: &str| name.starts_with('_') && !name.contains('=');
    let below = location.folders_below(&file.location).into_iter();
    let mut names = below.chain(file.location.filename());
    location.names_files(from_ref(file)) || !names.any(is_hidden)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    let name = path.filename().unwrap_or_default();
    name.strip_suffix(extension)
        .is_some_and(|rest| rest.ends_with('.'))
}

/// Returns the pattern of the file names, without that of their folders.
fn file_pattern(location: &Location, extension: &str) -> String {
    match location.glob_of_names() {
        None | Some("**") => format!("[!._]*.{extension}"),
        // As in a shell, a star does not match the dot of a hidden file.
        Some(glob) => match glob.strip_prefix("*.") {
            Some(rest) => format!("[!.]*.{rest}"),
            None => glob.to_owned(),
        },
    }
}

/// Returns the folders and single files that DataFusion's table reads, with their files. Paths of
/// folders end with a slash.
fn places<'a>(
    location: &Location,
    files: &[&'a ObjectMeta],
) -> BTreeMap<String, Vec<&'a ObjectMeta>> {
    let keys: BTreeSet<Vec<String>> = files
        .iter()
        .map(|file| partition_keys(location, file))
        .collect();
    // If a glob selects folders, only these are read.
    let partition_columns = match keys.len() {
        1 if location.takes_all_folders() => keys.into_iter().next().unwrap_or_default(),
        _ => Vec::new(),
    };
    let folder = |file: &ObjectMeta| {
        let mut path = file.location.as_ref();
        for _ in 0..=partition_columns.len() {
            path = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
        format!("{path}/")
    };
    let mut folders: BTreeMap<String, Vec<&ObjectMeta>> = BTreeMap::new();
    for file in files {
        folders.entry(folder(file)).or_default().push(file);
    }
    // DataFusion enters the folders `key=value` below a folder, which would read their files twice.
    let is_entered = |path: &String| {
        let mut above = path.trim_end_matches('/');
        while let Some((parent, name)) = above.rsplit_once('/')
            && name.contains('=')
        {
            if folders.contains_key(&format!("{parent}/")) {
                return true;
            }
            above = parent;
        }
        false
    };
    if folders.keys().any(is_entered) {
        let files = files
            .iter()
            .map(|file| (file.location.to_string(), vec![*file]));
        files.collect()
    } else {
        folders
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
