//! The folder that was opened: what is in it, and statements that show it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use corpus_bytes::compression::{EXTENSIONS, strip_compression_extension};
use datafusion::prelude::SessionContext;
use serde_json::{Value, json};

use super::messages::Problem;
use crate::completion::table_names;
use crate::object_stores::escaped_names::{escape, unescape};
use crate::sources::data_files::extensions;
use crate::sources::formats::formats;
use crate::sql::syntax::literal;

/// The maximum number of entries of a folder. Browsers draw more of them slowly.
const MAX_ENTRIES: usize = 1000;

/// The file by which a folder is known as a search index.
const INDEX_FILE: &str = "corpus-search.json";

/// The file by which a folder is known as the output of a job that removes documents.
pub const REMOVED_FILE: &str = "removed.parquet";

/// The number of files whose names decide how a folder is shown first.
const MAX_SAMPLE_FILES: usize = 1000;

/// The number of documents that are parsed when a folder is opened.
const FIRST_ROWS: usize = 100;

/// A folder on this machine, and the name that SQL has for it.
pub struct Folder {
    /// As given, with a slash at the end if it is a folder; empty for the current one.
    name: String,
    /// The folder without links. `None` for URLs.
    root: Option<PathBuf>,
    /// The file in it that was opened.
    file: Option<String>,
}

impl Folder {
    /// Opens a folder, the folder of a file, a URL, or the current folder.
    pub fn open(location: Option<&str>) -> Result<Self, String> {
        let location = location.unwrap_or_default();
        if location.contains("://") {
            return Ok(Self {
                name: location.to_owned(),
                root: None,
                file: None,
            });
        }
        let cannot = |error| format!("cannot open '{location}': {error}");
        let opened = Path::new(if location.is_empty() { "." } else { location });
        let is_file = fs::metadata(opened).map_err(cannot)?.is_file();
        let end = location.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
        let (name, file) = if is_file {
            (location[..end].to_owned(), Some(location[end..].to_owned()))
        } else if end == location.len() {
            (location.to_owned(), None)
        } else {
            (format!("{location}/"), None)
        };
        let root = Path::new(if name.is_empty() { "." } else { &name });
        Ok(Self {
            root: Some(root.canonicalize().map_err(cannot)?),
            name,
            file,
        })
    }

    /// The name of what was opened.
    pub fn location(&self) -> String {
        format!("{}{}", self.name, self.file.as_deref().unwrap_or_default())
    }

    /// The folder without links, for the page.
    pub fn real_path(&self) -> Option<String> {
        let root = self.root.as_ref()?;
        Some(root.to_string_lossy().into_owned())
    }

    /// Returns the folder or server of a file that is not in the opened folder. A missing file
    /// counts as its nearest existing folder, because readers may take its name for a pattern.
    pub fn outside(&self, file: &str) -> Option<String> {
        if let Some((scheme, rest)) = file.split_once("://") {
            let server = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let is_inside = self.root.is_none() && file.starts_with(&self.name);
            return (!is_inside).then(|| format!("{scheme}://{server}"));
        }
        let path = Path::new(file);
        let real = path.canonicalize().ok();
        let is_pattern = real.is_none() && file.contains(['*', '?', '[']);
        let place = match &real {
            Some(real) => real.parent().unwrap_or(real).to_owned(),
            None => {
                let folders = path.ancestors().skip(1);
                let mut folders =
                    folders.filter_map(|folder| Path::new(".").join(folder).canonicalize().ok());
                folders.next()?
            }
        };
        let real = real.as_deref().unwrap_or(&place);
        let is_inside = (self.root.as_ref()).is_some_and(|root| real.starts_with(root));
        (!is_inside || is_pattern).then(|| place.to_string_lossy().into_owned())
    }

    /// The path of a file in the folder, or its whole path.
    pub fn inside<'a>(&self, file: &'a str) -> &'a str {
        let root = self.root.as_deref().and_then(Path::to_str);
        let rest = root.and_then(|root| file.strip_prefix(root)?.strip_prefix('/'));
        rest.unwrap_or(file)
    }

    /// The name of a folder in it in SQL; of the folder itself if `path` is empty.
    pub fn folder_in_sql(&self, path: &str) -> String {
        match (path, self.name.as_str()) {
            ("", "") => "./".to_owned(),
            ("", name) => name.to_owned(),
            _ => format!("{}/", self.name_in_sql(path)),
        }
    }

    /// The statement that shows what was opened.
    pub fn first_statement(&self) -> Option<String> {
        let location = match (&self.root, &self.file) {
            (None, _) if self.name.ends_with('/') => return Some(listing(&literal(&self.name))),
            (None, _) => self.name.clone(),
            (Some(_), Some(file)) => self.name_in_sql(file),
            (Some(root), None) => return self.overview(root),
        };
        statement(format_of(&location).as_deref(), &location)
    }

    /// The statement that shows what is in the folder, by the names of some files. `None` if there
    /// are none.
    fn overview(&self, root: &Path) -> Option<String> {
        let whole = literal(&self.folder_in_sql(""));
        if root.join(INDEX_FILE).is_file() {
            return Some(search(&whole));
        }
        if root.join(REMOVED_FILE).is_file() {
            let location = literal(&self.name_in_sql(REMOVED_FILE));
            return Some(format!("SELECT * FROM {location} LIMIT 1000"));
        }
        let sample = Sample::of(root);
        if sample.files.is_empty() && sample.indexes.is_empty() {
            return None;
        }
        let (note, location) = match sample.unreadable.as_slice() {
            [] => (String::new(), whole),
            _ if sample.readable.is_empty() => return None,
            unreadable => {
                // A folder that may not be listed is an error of its whole location.
                let readable = sample.readable.iter().take(FIRST_ROWS);
                let readable = readable.map(|name| literal(&self.name_in_sql(name)));
                let location = format!("[{}]", readable.collect::<Vec<_>>().join(", "));
                let note = format!("-- Not readable: {}\n", unreadable.join(", "));
                (note, location)
            }
        };
        let formats: BTreeSet<_> = sample.files.iter().map(|name| format_of(name)).collect();
        let is_table = |format: &Option<String>| {
            is_table(&format.as_deref().unwrap_or_default().to_lowercase())
        };
        let (tables, documents): (Vec<_>, Vec<_>) = formats.into_iter().partition(is_table);
        let statement = match documents.as_slice() {
            [] => listing(&location),
            // A list of locations needs a function that finds something at each.
            [Some(format)] if format == "WARC" && note.is_empty() => warc_records(&location),
            [Some(format)] if format == "HOCR" && note.is_empty() => {
                format!("SELECT * FROM ocr_pages({location}) LIMIT {FIRST_ROWS}")
            }
            _ => first_documents(&location, &tables, &sample.indexes),
        };
        Some(note + &statement)
    }

    /// A pattern of the paths of files in the search indexes of a folder, as far as they are known.
    pub fn in_indexes(&self, path: &str) -> Option<String> {
        in_indexes(&Sample::of(&self.resolve(path).ok()?).indexes)
    }

    /// Returns the real path of a file or folder in the folder. Paths and links that lead out of it
    /// are refused.
    pub fn resolve(&self, path: &str) -> Result<PathBuf, Problem> {
        let outside =
            || Problem::forbidden(format!("'{path}' is not in the folder that was opened"));
        let root = self.root.as_ref().ok_or_else(outside)?;
        let relative = Path::new(path);
        let is_inside = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        if !relative.components().all(is_inside) || path.contains('\0') {
            return Err(outside());
        }
        let named = root.join(relative);
        let real = unescape(&named).unwrap_or(named).canonicalize();
        let real =
            real.map_err(|error| Problem::not_found(format!("cannot open '{path}': {error}")))?;
        if real.starts_with(root) {
            Ok(real)
        } else {
            Err(outside())
        }
    }

    /// Returns the real path of a file, if that is in the folder.
    pub fn real_path_inside(&self, path: &Path) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let real = path.canonicalize().ok()?;
        (real.is_file() && real.starts_with(root)).then_some(real)
    }

    /// The name of a path in SQL.
    pub fn name_in_sql(&self, path: &str) -> String {
        let name = format!("{}{path}", self.name);
        // A name without a slash or dot could be that of a table.
        if name.contains(['/', '.']) {
            name
        } else {
            format!("./{name}")
        }
    }

    /// Returns what is in a folder: folders first, each by name, and the number of entries left
    /// out. The topmost one has the tables of the session, too.
    pub fn places(
        &self,
        path: &str,
        context: &SessionContext,
    ) -> Result<(Vec<Value>, usize), Problem> {
        let mut places = Vec::new();
        if path.is_empty() {
            places.extend(table_names(context).iter().map(|name| table(name)));
            if let Some(root) = &self.root {
                let shown = self.folder(".", "", root);
                places.extend(
                    Some(shown).filter(|it| it["kind"] == "index" || it["has_removed"] == true),
                );
            }
        }
        if self.root.is_none() {
            places.push(json!({
                "name": self.name, "path": "", "kind": "file", "format": format_of(&self.name),
                "sql": self.first_statement().map(|sql| typed(&sql)),
            }));
            return Ok((places, 0));
        }
        let folder = self.resolve(path)?;
        let entries = fs::read_dir(&folder);
        let entries = entries
            .map_err(|error| Problem::not_found(format!("cannot list '{path}': {error}")))?;
        let names = entries.flatten().filter_map(|entry| {
            let name = name_of(&entry)?;
            let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
            (!name.starts_with('.')).then_some((!is_folder, name))
        });
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        let more = names.len().saturating_sub(MAX_ENTRIES);
        let found = names.into_iter().take(MAX_ENTRIES).filter_map(|(_, name)| {
            let inner = match path {
                "" => name.clone(),
                path => format!("{}/{name}", path.trim_end_matches('/')),
            };
            // A link that leads out of the folder is not listed.
            let real = self.resolve(&inner).ok()?;
            let metadata = fs::metadata(&real).ok()?;
            Some((!metadata.is_dir(), name, inner, metadata.len(), real))
        });
        let found: BTreeSet<_> = found.collect();
        places.extend(found.iter().map(|(is_file, name, inner, bytes, real)| {
            if *is_file {
                self.file(name, inner, *bytes)
            } else {
                self.folder(name, inner, real)
            }
        }));
        Ok((places, more))
    }

    fn folder(&self, name: &str, path: &str, real: &Path) -> Value {
        let location = self.folder_in_sql(path);
        let is_index = real.join(INDEX_FILE).is_file();
        let (kind, sql) = if is_index {
            ("index", search(&literal(&location)))
        } else {
            ("folder", listing(&literal(&location)))
        };
        json!({
            "name": name, "path": path, "kind": kind, "sql": typed(&sql), "location": location,
            "has_removed": real.join(REMOVED_FILE).is_file(),
        })
    }

    fn file(&self, name: &str, path: &str, bytes: u64) -> Value {
        let format = format_of(name);
        let location = self.name_in_sql(path);
        json!({
            "name": name,
            "path": path,
            "kind": "file",
            "format": format,
            "bytes": bytes,
            "sql": statement(format.as_deref(), &location).map(|sql| typed(&sql)),
            "opened": path == self.file.as_deref().unwrap_or_default(),
        })
    }
}

/// The statement that lists the files of a folder, without reading them.
fn listing(location: &str) -> String {
    format!("SELECT source_file, size, modified FROM read_files({location}, 'unpack', 'false')")
}

/// The statement that shows a search index.
fn search(location: &str) -> String {
    format!("SELECT * FROM search({location}, '*', 100)")
}

/// The statement that lists the records of web archives.
fn warc_records(location: &str) -> String {
    format!(
        "SELECT source_file, \"offset\", warc_type, target_uri, content_type, date, length, error \
         FROM read_warc({location})"
    )
}

/// The statement that shows some documents of a folder, those of a file together. Tables and the
/// files of search indexes are not documents.
fn first_documents(location: &str, tables: &[Option<String>], indexes: &[String]) -> String {
    let extensions: Vec<_> = tables
        .iter()
        .flatten()
        .map(|it| it.to_lowercase())
        .collect();
    let mut others = Vec::new();
    if !extensions.is_empty() {
        others.push(format!(
            r"\.({})(\.({}))?$",
            extensions.join("|"),
            EXTENSIONS.join("|")
        ));
    }
    others.extend(in_indexes(indexes));
    let condition = match others.as_slice() {
        [] => String::new(),
        others => format!("\n    WHERE source_file !~* {}", literal(&others.join("|"))),
    };
    format!(
        "SELECT source_file, kind, title, url, attachment, pages, error, \"offset\"\n\
         FROM (FROM documents({location}){condition}\n    LIMIT {FIRST_ROWS})\n\
         ORDER BY source_file, \"offset\""
    )
}

/// A pattern of the paths of files in search indexes. `None` if there are none.
fn in_indexes(indexes: &[String]) -> Option<String> {
    // Outside brackets, a hyphen is not an operator.
    let escape = |index: &String| regex::escape(index).replace(r"\-", "-");
    let escaped: Vec<_> = indexes.iter().map(escape).collect();
    match escaped.as_slice() {
        [] => None,
        [one] => Some(format!("/{one}/")),
        several => Some(format!("/({})/", several.join("|"))),
    }
}

/// Some entries of a folder and its folders.
#[derive(Default)]
struct Sample {
    files: Vec<String>,
    /// The folders with search indexes, whose files are not among `files`.
    indexes: Vec<String>,
    /// The files of the folder itself, and its folders with files.
    readable: Vec<String>,
    /// Its folders that may not be listed.
    unreadable: Vec<String>,
}

impl Sample {
    fn of(root: &Path) -> Self {
        let mut sample = Self::default();
        let mut folders = Vec::new();
        for (name, path) in entries(root) {
            if !path.is_dir() {
                sample.readable.push(name.clone());
                sample.files.push(name);
            } else if fs::read_dir(&path).is_err() {
                sample.unreadable.push(name);
            } else if path.join(INDEX_FILE).is_file() {
                sample.indexes.push(name);
            } else {
                folders.push((name, path));
            }
        }
        for (folder, path) in folders {
            if sample.files.len() >= MAX_SAMPLE_FILES {
                break;
            }
            let before = sample.files.len();
            for (name, path) in entries(&path) {
                if path.is_file() {
                    sample.files.push(name);
                } else if path.join(INDEX_FILE).is_file() {
                    sample.indexes.push(format!("{folder}/{name}"));
                }
            }
            if sample.files.len() > before {
                sample.readable.push(format!("{folder}/"));
            }
        }
        sample
    }
}

/// The names and paths of some entries of a folder.
fn entries(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.take(MAX_SAMPLE_FILES).filter_map(|entry| {
        let name = name_of(&entry)?;
        (!name.starts_with('.')).then(|| (name, entry.path()))
    })
}

/// The name of an entry as locations have it: escaped if it is not a text.
fn name_of(entry: &fs::DirEntry) -> Option<String> {
    match entry.file_name().into_string() {
        Ok(name) if !name.contains(char::is_control) => Some(name),
        _ => {
            let refused = object_store::path::Path::from_absolute_path(entry.path()).err()?;
            escape(&refused)?.filename().map(str::to_owned)
        }
    }
}

fn table(name: &str) -> Value {
    let quoted = datafusion::common::utils::quote_identifier(name).into_owned();
    json!({
        "name": name, "path": "", "kind": "table",
        "sql": typed(&format!("SELECT * FROM {quoted} LIMIT 1000")),
    })
}

/// Whether files with this extension are tables or statements.
fn is_table(extension: &str) -> bool {
    extensions::all().any(|known| known == extension) || extension == "sql"
}

/// Returns the format of a file by its extension, in upper case.
pub fn format_of(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    // Crawlers give this extension to an archive that is still being written.
    let complete = lower.strip_suffix(".open").unwrap_or(&lower);
    let (_, extension) = strip_compression_extension(complete).rsplit_once('.')?;
    if is_table(extension) {
        return Some(extension.to_uppercase());
    }
    // Scanned pages have these extensions, too. `documents` looks into the files.
    if ["htm", "html", "xhtml"].contains(&extension) {
        return None;
    }
    let mut formats = formats().into_iter();
    let format = formats.find(|format| format.direct_extensions().contains(&extension))?;
    Some(format.name().to_owned())
}

/// A statement as it is typed, where `${` begins a variable.
pub fn typed(sql: &str) -> String {
    sql.replace("${", "$${")
}

/// The statement that shows a file: its rows without their bytes.
fn statement(format: Option<&str>, location: &str) -> Option<String> {
    let location = literal(location);
    Some(match format {
        Some("SQL") => return None,
        Some("WARC") => warc_records(&location),
        Some("PDF") => format!("SELECT * FROM pdf_documents({location})"),
        Some("HOCR") => format!("SELECT * FROM ocr_pages({location})"),
        Some("FILES") => {
            format!("SELECT source_file, size, modified, error FROM read_files({location})")
        }
        Some(_) => format!("SELECT * FROM {location} LIMIT 1000"),
        None => format!("SELECT * FROM documents({location})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_the_extensions() {
        for (name, format) in [
            ("crawl.warc.gz", Some("WARC")),
            ("a.b.WARC", Some("WARC")),
            ("pages.seq", Some("SEQUENCEFILE")),
            ("a.pdf", Some("PDF")),
            ("a.hocr.gz", Some("HOCR")),
            ("a.html", None),
            ("a.jsonl.zst", Some("JSONL")),
            ("a.warc.gz.open", Some("WARC")),
            ("a.zip", Some("FILES")),
            ("job.sql", Some("SQL")),
            ("warc", None),
            ("gz", None),
            ("a.gz", None),
            ("a.unknown", None),
        ] {
            assert_eq!(format_of(name).as_deref(), format, "{name}");
        }
    }

    #[test]
    fn rows_may_name_files_of_other_places() {
        let folder = Folder::open(Some("https://h/a/")).unwrap();
        assert_eq!(folder.outside("https://h/a/b"), None);
        assert_eq!(folder.outside("https://h/b").as_deref(), Some("https://h"));
        let outer = tempfile::tempdir().unwrap();
        fs::create_dir(outer.path().join("in")).unwrap();
        let path = |name: &str| outer.path().join(name).to_str().unwrap().to_owned();
        for name in ["in/a", "b"] {
            fs::write(path(name), "").unwrap();
        }
        let folder = Folder::open(Some(&path("in"))).unwrap();
        for (name, is_outside) in [
            (path("in/a"), false),
            (path("in/missing"), false),
            (path("b"), true),
            (path("in/../b"), true),
            ("s3://bucket/a".to_owned(), true),
        ] {
            assert_eq!(folder.outside(&name).is_some(), is_outside, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_leads_out_of_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("in")).unwrap();
        fs::write(outer.path().join("secret.csv"), "a").unwrap();
        fs::write(root.join("in/a.csv"), "a").unwrap();
        std::os::unix::fs::symlink(outer.path(), root.join("out")).unwrap();
        std::os::unix::fs::symlink(outer.path().join("secret.csv"), root.join("link.csv")).unwrap();
        std::os::unix::fs::symlink(root.join("in/a.csv"), root.join("fine.csv")).unwrap();
        let folder = Folder::open(root.to_str()).unwrap();
        for path in ["", "in", "in/", "./in/a.csv", "fine.csv"] {
            assert!(folder.resolve(path).is_ok(), "{path}");
        }
        let absolute = outer.path().join("secret.csv");
        let paths = [
            "..",
            "../secret.csv",
            "in/../../secret.csv",
            "out",
            "out/secret.csv",
        ];
        for path in paths
            .into_iter()
            .chain(["link.csv", "/etc/passwd", absolute.to_str().unwrap()])
        {
            let refused = folder.resolve(path).unwrap_err();
            assert_eq!(refused.status, 403, "{path}");
        }
        let missing = folder.resolve("in/b.csv").unwrap_err();
        assert_eq!(missing.status, 404);
        let context = SessionContext::new();
        let (places, _) = folder.places("", &context).unwrap();
        let names: Vec<_> = places
            .iter()
            .map(|place| place["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["in", "fine.csv"]);
    }

    #[test]
    fn the_first_statement_fits_what_is_there() {
        let outer = tempfile::tempdir().unwrap();
        let first = |files: &[&str]| {
            let folder = tempfile::tempdir_in(outer.path()).unwrap();
            for file in files {
                let file = folder.path().join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            let folder = Folder::open(folder.path().to_str()).unwrap();
            folder.first_statement()
        };
        for (files, expected) in [
            (&["a.warc.gz", "b/c.warc"][..], " FROM read_warc('"),
            (&["a.hocr"], "SELECT * FROM ocr_pages('"),
            (&["a.warc.gz", "b/c.pdf"], "FROM documents('"),
            (&["a.txt", "b/c.pdf"], "FROM documents('"),
            (
                &["a.txt", "b.parquet", "c.CSV"],
                r"source_file !~* '\.(csv|parquet)(",
            ),
            (
                &["a.txt", "b/i-1/corpus-search.json"],
                "source_file !~* '/b/i-1/'",
            ),
            (
                &["i/corpus-search.json", "i/x.parquet"],
                " FROM read_files('",
            ),
            (&["a.parquet", "b/c.csv", "job.sql"], " FROM read_files('"),
            (&["a.txt", REMOVED_FILE], "/removed.parquet' LIMIT 1000"),
            (&["a.txt", INDEX_FILE], "SELECT * FROM search('"),
        ] {
            let found = first(files).unwrap();
            assert!(found.contains(expected), "{files:?}: {found}");
        }
        assert_eq!(first(&[]), None);
    }
}
