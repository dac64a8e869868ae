//! Locations, as users write them after `LOCATION` or in `read_files('…')`, and the files that they
//! name.
//!
//! ```text
//! file_names        whether a name is a file
//! partition_values  folders `key=value`
//! leftovers         names that continue after an extension
//! query             queries for the places or paths to read
//! ```

pub mod file_names;
pub mod leftovers;
pub mod partition_values;
pub mod query;

use std::ffi::OsStr;
use std::path::{Component, Path as FilePath, PathBuf, absolute};
use std::sync::Arc;

use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::ObjectStoreUrl;
use futures::StreamExt;
use glob::{MatchOptions, Pattern};
use object_store::local::LocalFileSystem;
use object_store::path::{Error as PathError, Path};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use url::{Position, Url};

use crate::object_stores::NAME_AFTER_QUERY;
use crate::object_stores::local::unreadable_folder;

use corpus_bytes::compression::has_extension;
use corpus_staging::is_unfinished;

use leftovers::Leftovers;

/// `*` stays within one folder, `**` crosses folders, and hidden files need an explicit dot.
const GLOB_OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// A file, a folder or a glob in an object store.
#[derive(Debug, Clone)]
pub struct Location {
    /// The location as the user wrote it, for messages.
    text: String,
    store: ObjectStoreUrl,
    /// The file or folder, or the folder above the first segment of a glob.
    base: Path,
    glob: Option<Pattern>,
}

impl Location {
    /// Accepts paths (absolute, relative, `~/…`), globs (`*`, `**`, `?`, `[…]`), and URLs.
    pub fn parse(text: &str) -> Result<Self> {
        if text.is_empty() {
            return plan_err!("the location is empty: name a file, a folder, a glob or a URL");
        }
        match Url::parse(text) {
            Ok(url) if text.contains("://") => Self::parse_url(text, &url),
            _ => Self::parse_path(text),
        }
    }

    fn parse_path(text: &str) -> Result<Self> {
        let expanded = match (text.strip_prefix("~/"), dirs::home_dir()) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => text.into(),
        };
        // An existing path is taken literally, even if it contains `[` or `*`.
        let exists = expanded.exists();
        let full = absolute(&expanded)
            .map_err(|error| plan_datafusion_err!("not a usable path: '{text}': {error}"))?;
        let full = without_parents(full);
        let Some(full) = full.to_str() else {
            return plan_err!("the path '{text}' is not valid Unicode");
        };
        let (base, glob) = if exists {
            (full, None)
        } else {
            split_glob(text, full)?
        };
        let base = Path::from_absolute_path(base)
            .map_err(|error| plan_datafusion_err!("not a usable path: '{text}': {error}"))?;
        Ok(Self {
            text: text.to_owned(),
            store: ObjectStoreUrl::local_filesystem(),
            base,
            glob,
        })
    }

    fn parse_url(text: &str, url: &Url) -> Result<Self> {
        if url.scheme() == "file" {
            let path = url
                .to_file_path()
                .map_err(|()| plan_datafusion_err!("not a local file: '{text}'"))?;
            return Self::parse_path(&path.to_string_lossy());
        }
        if !url.has_host() {
            return plan_err!("'{text}' has no bucket or host");
        }
        let store = ObjectStoreUrl::parse(&url[..Position::BeforePath])?;
        // Object names are used as written; only web servers expect an encoded path.
        let (base, glob) = if is_web(&store) {
            if url.path().contains('*') {
                return plan_err!(
                    "globs do not work over HTTP, as web servers do not list files: '{text}'"
                );
            }
            let path = web_path(url)
                .map_err(|error| plan_datafusion_err!("not a usable URL: '{text}': {error}"))?;
            (path, None)
        } else {
            let raw = raw_url_path(text);
            // What is not a valid glob can only be a name.
            let (base, glob) = split_glob(text, raw).unwrap_or((raw, None));
            let base = Path::parse(base.trim_matches('/'))
                .map_err(|error| plan_datafusion_err!("not a usable URL: '{text}': {error}"))?;
            (base, glob)
        };
        Ok(Self {
            text: text.to_owned(),
            store,
            base,
            glob,
        })
    }

    pub fn store(&self) -> &ObjectStoreUrl {
        &self.store
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The folders between this location and one of its files.
    pub fn folders_below<'a>(&self, file: &'a Path) -> Vec<&'a str> {
        if *file == self.base {
            return Vec::new();
        }
        let file = query_of(&self.store, file).map_or(file.as_ref(), |(path, _)| path);
        let base = self.base.as_ref();
        let below = match file.strip_prefix(base) {
            Some(rest) if base.is_empty() || rest.is_empty() => rest,
            // Another folder may begin with the same letters.
            Some(rest) => rest.strip_prefix('/').unwrap_or(file),
            None => file,
        };
        let mut folders: Vec<&str> = below.split('/').collect();
        folders.pop();
        folders
    }

    /// The folders that the text of this location names, and those between it and one of its files.
    /// They may be `key=value`.
    pub fn folders<'a>(&'a self, file: &'a Path) -> Vec<&'a str> {
        let below = self.folders_below(file);
        if !file.prefix_matches(&self.base) {
            return below;
        }
        let mut folders = self.named();
        if *file == self.base {
            folders.pop();
        }
        folders.extend(below);
        folders
    }

    /// Whether the text of this location names a folder `key=value`.
    pub fn names_keys(&self) -> bool {
        let mut folders = self.named();
        if self.glob.is_none() {
            folders.pop();
        }
        folders.iter().any(|folder| folder.contains('='))
    }

    /// The names in the text of this location, before the first segment of a glob. Relative paths
    /// start from a folder whose own name does not count.
    fn named(&self) -> Vec<&str> {
        if !self.is_local() {
            let query = query_of(&self.store, &self.base);
            let path = query.map_or(self.base.as_ref(), |(path, _)| path);
            return path.split('/').filter(|name| !name.is_empty()).collect();
        }
        let text = self.text.strip_prefix("file://").unwrap_or(&self.text);
        let text = match &self.glob {
            Some(glob) => text.strip_suffix(glob.as_str()).unwrap_or(text),
            None => text,
        };
        let mut names = Vec::new();
        for name in text.split('/') {
            match name {
                "" | "." | "~" => {}
                ".." => {
                    names.pop();
                }
                name => names.push(name),
            }
        }
        names
    }

    /// Lists all files, sorted by name. Returns an error if there are none.
    ///
    /// `extensions` select the files of a folder; a file or a glob that the user names is taken
    /// as it is.
    pub async fn files(
        &self,
        store: &Arc<dyn ObjectStore>,
        extensions: &[&str],
    ) -> Result<Vec<ObjectMeta>> {
        let may_be_a_file = !self.base.as_ref().is_empty()
            && (!self.text.ends_with('/') || query_of(&self.store, &self.base).is_some());
        if self.glob.is_none() && may_be_a_file && !self.is_local_folder() {
            self.check_is_regular()?;
            match store.head(&self.base).await {
                Ok(file) => return Ok(vec![file]),
                Err(object_store::Error::NotFound { .. })
                    if self.is_local() || is_web(&self.store) =>
                {
                    return plan_err!("no such file or folder: '{}'", self.text);
                }
                Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(self.unreadable(&error)),
            }
        }
        let mut skipped = 0usize;
        let mut other = None;
        let mut leftovers = Leftovers::default();
        let mut files = Vec::new();
        let mut listing = store.list(Some(&self.base));
        while let Some(file) = listing.next().await {
            let file = match file {
                Ok(file) => file,
                Err(error) if self.needs_no_files_of(&error) => continue,
                Err(error) => return Err(self.unlisted(&error)),
            };
            if self.selects(&file.location, extensions) {
                files.push(file);
            } else {
                skipped += 1;
                leftovers.add(&file.location, extensions);
                other = other.or_else(|| file.location.filename().map(str::to_owned));
            }
        }
        if files.is_empty()
            && let Some(named) = self.literal()
            && let Ok(file) = store.head(&named).await
        {
            return Ok(vec![file]);
        }
        if files.is_empty() {
            if self.glob.is_none() && self.is_local() && !self.local_path().exists() {
                return plan_err!("no such file or folder: '{}'", self.text);
            }
            let kinds = match (self.glob.is_some(), extensions) {
                (true, _) | (_, []) => String::new(),
                _ => format!(" ending in .{}", extensions.join(", .")),
            };
            let other = other.map(|name| format!(": one is '{name}'"));
            return plan_err!(
                "no files{kinds} at '{}' ({skipped} other files are there){}",
                self.text,
                other.unwrap_or_default()
            );
        }
        leftovers.warn(&self.text);
        files.sort_unstable_by(|a, b| a.location.cmp(&b.location));
        Ok(files)
    }

    /// The object that a glob of a bucket names if its special characters are taken literally.
    fn literal(&self) -> Option<Path> {
        let is_pattern = self.glob.is_some() && !self.is_local();
        let named = Path::parse(raw_url_path(&self.text).trim_matches('/'));
        named.ok().filter(|_| is_pattern)
    }

    /// Returns an error for pipes and devices, which have no size and cannot be read in ranges.
    fn check_is_regular(&self) -> Result<()> {
        let metadata = self.is_local().then(|| self.local_path().metadata());
        match metadata {
            Some(Ok(metadata)) if !metadata.is_file() => plan_err!(
                "'{}' is a pipe or a device: write it to a file first",
                self.text
            ),
            _ => Ok(()),
        }
    }

    fn selects(&self, file: &Path, extensions: &[&str]) -> bool {
        let below = file
            .as_ref()
            .strip_prefix(self.base.as_ref())
            .map_or("", |rest| rest.trim_start_matches('/'));
        if below.split('/').any(is_unfinished) {
            return false;
        }
        match &self.glob {
            Some(glob) => glob.matches_with(below, GLOB_OPTIONS),
            None => {
                !below.split('/').any(|segment| segment.starts_with('.'))
                    && (extensions.is_empty() || has_extension(below, extensions))
            }
        }
    }

    /// Whether this is a glob that selects a local file, which may not exist yet. The path has no
    /// links.
    pub fn glob_selects(&self, file: &std::path::Path) -> bool {
        let Some(glob) = self.glob.as_ref().filter(|_| self.is_local()) else {
            return false;
        };
        let base = self.local_path();
        let below = file.strip_prefix(base.canonicalize().unwrap_or(base));
        below.is_ok_and(|below| glob.matches_path_with(below, GLOB_OPTIONS))
    }

    /// Whether an error only says that a folder is unreadable, and no file in it would be selected.
    fn needs_no_files_of(&self, error: &object_store::Error) -> bool {
        let Some(folder) = unreadable_folder(error) else {
            return false;
        };
        let Ok(below) = folder.strip_prefix(self.local_path()) else {
            return false;
        };
        let names: Vec<_> = below.iter().map(OsStr::to_string_lossy).collect();
        let is_skipped =
            |name: &str| name.starts_with('.') || name == "lost+found" || is_unfinished(name);
        let glob = self.glob.as_ref().map(Pattern::as_str);
        let segments = || glob.into_iter().flat_map(|glob| glob.split('/'));
        let is_too_deep =
            glob.is_some_and(|glob| !glob.contains("**")) && names.len() >= segments().count();
        is_too_deep || !segments().any(is_skipped) && names.iter().any(|name| is_skipped(name))
    }

    /// Returns the path of a file that is named relative to this location: below it, or the
    /// location itself if that is the file. `None` for a glob.
    pub fn join(&self, name: &str) -> Option<Path> {
        if self.base.filename().is_some() && self.base.filename() == name.rsplit('/').next() {
            return self.glob.is_none().then(|| self.base.clone());
        }
        self.append(name)
    }

    /// Returns the path of a file that a list names: by a URL of this store, by an absolute path if
    /// the file exists, or relative to this location. Names on web servers are parts of URLs.
    pub fn below(&self, name: &str) -> Option<Path> {
        if name.contains("://") {
            return self.resolve(name);
        }
        if is_web(&self.store) {
            let folder = self.text.trim_end_matches('/');
            return self.resolve(&format!("{folder}/{}", name.trim_start_matches('/')));
        }
        if self.is_local() && name.starts_with('/') && FilePath::new(name).exists() {
            return Path::from_absolute_path(name).ok();
        }
        self.append(name)
    }

    /// Returns the path of a file below this location. `None` for a glob.
    fn append(&self, name: &str) -> Option<Path> {
        if self.glob.is_some() {
            return None;
        }
        let segments = name
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."));
        Path::parse(format!(
            "{}/{}",
            self.base,
            segments.collect::<Vec<_>>().join("/")
        ))
        .ok()
    }

    /// Returns the path of a file that is named in full, by a URL of this store or an absolute
    /// path, or relative to this location. `None` for a glob.
    pub fn resolve(&self, name: &str) -> Option<Path> {
        if name.contains("://") {
            let named = Self::parse(name).ok()?;
            return (named.store == self.store && named.glob.is_none()).then_some(named.base);
        }
        self.join(name)
    }

    pub fn is_glob(&self) -> bool {
        self.glob.is_some()
    }

    /// Whether the user named these files: by a glob, or a single one by its path.
    pub fn names_files(&self, files: &[ObjectMeta]) -> bool {
        self.glob.is_some() || files.iter().all(|file| file.location == self.base)
    }

    /// Whether this may name many files: by a glob or a folder.
    pub fn may_be_many(&self) -> bool {
        // Stores have no folders, so this is a guess: a name without an extension is probably one.
        let has_extension = self.base.filename().is_some_and(|name| name.contains('.'));
        let is_folder = self.text.ends_with('/')
            || (self.is_local() && self.is_local_folder())
            || (!self.is_local() && !has_extension);
        self.is_glob() || (is_folder && (!is_web(&self.store) || self.text.ends_with('/')))
    }

    /// The file or folder, or the folder above the first segment of a glob.
    pub fn base_path(&self) -> &Path {
        &self.base
    }

    /// The location as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The folder as written, with a slash at its end.
    pub fn folder_text(&self) -> String {
        let folder = match &self.glob {
            Some(glob) => self.text.trim_end_matches(glob.as_str()),
            None => &self.text,
        };
        match folder {
            "" => String::new(),
            _ => format!("{}/", folder.trim_end_matches('/')),
        }
    }

    /// The last segment of a glob.
    pub fn glob_of_names(&self) -> Option<&str> {
        self.glob.as_ref()?.as_str().rsplit('/').next()
    }

    /// Whether all folders below are read: for a folder, and for a glob such as `**/*.csv`.
    pub fn takes_all_folders(&self) -> bool {
        let Some(glob) = &self.glob else {
            return true;
        };
        let (folders, _) = glob.as_str().rsplit_once('/').unwrap_or_default();
        folders == "**"
    }

    /// The URL of a path in this store.
    pub fn url_of(&self, path: &str) -> Result<Url> {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let segments: Vec<String> = path.split('/').map(encoded).collect();
        let text = format!("{}{}", self.store.as_str(), segments.join("/"));
        Url::parse(&text)
            .map_err(|error| plan_datafusion_err!("not a usable URL: '{text}': {error}"))
    }

    /// Returns the URL of a local file or folder whose name DataFusion would take for a pattern.
    pub fn literal_url(text: &str) -> Option<String> {
        if !text.contains(['*', '?', '[']) {
            return None;
        }
        let location = Self::parse(text).ok()?;
        if !location.is_local() || location.is_glob() {
            return None;
        }
        let url = location.url_of(location.base.as_ref()).ok()?;
        let end = if location.is_local_folder() { "/" } else { "" };
        Some(format!("{url}{end}"))
    }

    pub fn is_local(&self) -> bool {
        self.store.as_str().starts_with("file:")
    }

    fn is_local_folder(&self) -> bool {
        self.is_local() && self.local_path().is_dir()
    }

    fn local_path(&self) -> PathBuf {
        display_name(&self.store, &self.base).into()
    }

    /// The error for a folder that cannot be listed.
    fn unlisted(&self, error: &object_store::Error) -> DataFusionError {
        if let Some(folder) = unreadable_folder(error) {
            return plan_datafusion_err!(
                "cannot read '{}': permission denied to list the folder '{}': name the other files by a glob, or as a \
                 list of folders",
                self.text,
                folder.display()
            );
        }
        // A server that cannot be reached might list files.
        let has_answered = !error.to_string().contains("error sending request");
        if is_web(&self.store) && has_answered {
            return plan_datafusion_err!(
                "cannot list '{}': most web servers list no files; name each file, as in \
                 ['{}a.html', …], or name them in a file with the option 'paths'",
                self.text,
                self.folder_text()
            );
        }
        self.unreadable(error)
    }

    fn unreadable(&self, error: &object_store::Error) -> DataFusionError {
        let error = error.to_string();
        let hint = no_credentials(self.store.as_str(), &error).unwrap_or_default();
        plan_datafusion_err!("cannot read '{}'{hint}: {error}", self.text)
    }
}

/// Returns what to set if a request failed because there are no credentials. The clients then
/// request them from a service that exists only inside the cloud.
fn no_credentials(store: &str, error: &str) -> Option<&'static str> {
    const SERVICES: [&str; 2] = ["169.254.169.254", "metadata.google.internal"];
    if !SERVICES.iter().any(|service| error.contains(service)) {
        return None;
    }
    Some(match store.split(':').next().unwrap_or_default() {
        "gs" => {
            " (there are no credentials: set GOOGLE_APPLICATION_CREDENTIALS, or \
             'gcp.skip_signature' 'true' for a public bucket)"
        }
        "az" | "adl" | "azure" | "abfs" | "abfss" => {
            " (there are no credentials: set AZURE_STORAGE_ACCOUNT_KEY or \
             AZURE_STORAGE_SAS_TOKEN, or 'azure.skip_signature' 'true' for a public container)"
        }
        _ => {
            " (there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
             'aws.skip_signature' 'true' for a public bucket)"
        }
    })
}

/// Whether this is a web server: it serves single files, and cannot list them.
pub fn is_web(store: &ObjectStoreUrl) -> bool {
    store.as_str().starts_with("http:") || store.as_str().starts_with("https:")
}

/// The path of a file on a web server. A query is the last segment and begins with `?`, as the
/// client of `object_stores` expects.
fn web_path(url: &Url) -> Result<Path, PathError> {
    let path = Path::from_url_path(url.path())?;
    match url.query() {
        // A slash means the same if it is encoded.
        Some(query) => Path::parse(format!("{path}/?{}", query.replace('/', "%2F"))),
        None => Ok(path),
    }
}

/// Returns a URL with a query in a form that DataFusion's own tables can read. `None` for other
/// names. These tables choose formats by the extension, so the file name follows the query again.
pub fn with_name_after_query(name: &str) -> Option<String> {
    let url = Url::parse(name).ok()?;
    let store = ObjectStoreUrl::parse(&url[..Position::BeforePath]).ok()?;
    let path = web_path(&url).ok()?;
    let (path, query) = query_of(&store, &path)?;
    let file = path.rsplit('/').next()?;
    let last = format!("{query}{NAME_AFTER_QUERY}{file}");
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let folders: Vec<String> = path.split('/').map(encoded).collect();
    let store = store.as_str().trim_end_matches('/');
    let last = encoded(&last).replace("%2E", ".");
    Some(format!("{store}/{}/{last}", folders.join("/")))
}

/// Cuts the query off a URL of a web server. Other names may contain `?`.
pub fn without_query(name: &str) -> &str {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|it| name.starts_with(it));
    match name.split_once('?') {
        Some((path, _)) if is_web => path,
        _ => name,
    }
}

/// The path without the query, and the query, of a file on a web server.
fn query_of<'a>(store: &ObjectStoreUrl, file: &'a Path) -> Option<(&'a str, &'a str)> {
    let (path, query) = match file.as_ref().rsplit_once('/') {
        Some((path, last)) => (path, last),
        None => ("", file.as_ref()),
    };
    (is_web(store) && query.starts_with('?')).then_some((path, query))
}

/// The name of a file as users know it: its path or its URL.
pub fn display_name(store: &ObjectStoreUrl, file: &Path) -> String {
    if let Some((path, query)) = query_of(store, file) {
        return format!("{}/{path}{query}", store.as_str().trim_end_matches('/'));
    }
    let store = store.as_str();
    if !store.starts_with("file:") {
        return format!("{}/{file}", store.trim_end_matches('/'));
    }
    match LocalFileSystem::new().path_to_filesystem(file) {
        Ok(path) => path.to_string_lossy().into_owned(),
        Err(_) => format!("/{file}"),
    }
}

/// Replaces `a/..`, which object stores do not know. As in the system, `..` after a symbolic link
/// is the parent of the folder that the link names.
fn without_parents(path: PathBuf) -> PathBuf {
    if !path.components().any(|part| part == Component::ParentDir) {
        return path;
    }
    let mut resolved = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            resolved = resolved.canonicalize().unwrap_or(resolved);
            resolved.pop();
        } else {
            resolved.push(part);
        }
    }
    resolved
}

/// Splits `a/b/*/c?.warc` into `a/b` and the pattern `*/c?.warc`.
fn split_glob<'a>(text: &str, path: &'a str) -> Result<(&'a str, Option<Pattern>)> {
    let Some(first) = path.find(['*', '?', '[']) else {
        return Ok((path, None));
    };
    let start = path[..first].rfind('/').map_or(0, |slash| slash + 1);
    let pattern = Pattern::new(&path[start..])
        .map_err(|error| plan_datafusion_err!("not a valid glob: '{text}': {error}"))?;
    Ok((&path[..start], Some(pattern)))
}

/// The part of `scheme://host/path` after the host, as written.
fn raw_url_path(text: &str) -> &str {
    let after_scheme = text.split_once("://").map_or(text, |(_, rest)| rest);
    after_scheme.split_once('/').map_or("", |(_, path)| path)
}

#[cfg(test)]
mod tests;
