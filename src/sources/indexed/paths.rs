//! The option `paths`: a list of files below a location, from a text file or a query.

use std::sync::Arc;

use chrono::DateTime;
use corpus_bytes::compression::has_extension;
use corpus_bytes::record::RecordError;
use corpus_bytes::record_locations::Findings;
use datafusion::arrow::array::{Array, AsArray};
use datafusion::catalog::Session;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::listing::PartitionedFile;
use futures::{StreamExt, stream};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStoreExt};

use crate::options::FormatOption;
use crate::sources::data_files::extensions;
use crate::sources::format::RecordFormat;
use crate::sources::indexed::KnownErrors;
use crate::sources::location::Location;
use crate::sources::location::query::{ColumnKind, NestedQuery, QueryColumn, is_query};

/// The option of all sources.
pub const PATHS: FormatOption = FormatOption::text(
    "paths",
    "a list of the files to read, which are named relative to the location: a text file with a \
     path or URL per line, such as warc.paths.gz, or a query with a column `path`",
);

/// The column with the paths, if the query has several columns.
const PATH: QueryColumn = QueryColumn {
    names: &[
        "path",
        "url",
        "warc_filename",
        "filename",
        "source_file",
        "text",
    ],
    required: Some("paths"),
    kind: ColumnKind::Text,
};

/// The maximum number of concurrent requests for file sizes.
const MAX_REQUESTS: usize = 32;

/// Up to this number of remote files, their sizes are requested, so that they can be read in
/// ranges. In longer lists, sizes become known when the files are read.
const MAX_SIZED_FILES: usize = 16;

/// A list of files.
#[derive(Debug)]
pub struct PathList {
    query: NestedQuery,
}

/// The state of a file before it is read.
#[derive(Debug)]
pub enum FileState {
    /// The size is known.
    Known,
    /// The size is unknown: the file is one of many remote ones, or cannot be read.
    Unknown,
    /// This is not a file, but the errors of rows that do not name one.
    Errors(Vec<(u64, RecordError)>),
}

/// Marks a file of unknown size: an extension of its [`PartitionedFile`].
#[derive(Debug)]
pub struct UnknownSize;

impl FileState {
    /// Attaches this state to a file of a scan.
    pub fn mark(self, file: PartitionedFile) -> PartitionedFile {
        match self {
            Self::Known => file,
            Self::Unknown => file.with_extension(UnknownSize),
            Self::Errors(errors) => file.with_extension(KnownErrors {
                name: PATHS.name.into(),
                errors: errors.into(),
            }),
        }
    }
}

/// Whether a file is a table. Other files, also those with tabs, are lists with a path per line.
fn is_table(file: &str) -> bool {
    let extensions: Vec<&str> = extensions::all()
        .filter(|extension| !extensions::TABS.contains(extension))
        .collect();
    has_extension(file, &extensions)
}

impl PathList {
    /// Plans the query of the option, or one for the file that it names.
    pub async fn plan(session: &dyn Session, text: &str) -> Result<Self> {
        let query = if is_query(text) || is_table(text) {
            NestedQuery::plan(session, text).await?
        } else {
            let file = text.replace('\'', "''");
            NestedQuery::plan(session, &format!("SELECT text FROM read_lines('{file}')")).await?
        };
        let query = match query.width() {
            1 => query.only_column()?,
            _ => query.select(PATHS.name, &[PATH])?,
        };
        Ok(Self { query })
    }

    /// Runs the query, and finds its files below `location`.
    pub async fn files(
        &self,
        session: &dyn Session,
        location: &Location,
        needs_sizes: bool,
    ) -> Result<Vec<(ObjectMeta, FileState)>> {
        let mut findings = Findings::default();
        let mut paths = Vec::new();
        let mut batches = self.query.run(session).await?;
        let mut row = 0;
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            let texts = batch.column(0).as_string::<i64>();
            for at in 0..texts.len() {
                let number = row;
                row += 1;
                match texts.is_valid(at).then(|| texts.value(at).trim()) {
                    None => findings.add_fault(number, format!("row {row} has no path")),
                    Some("") => {}
                    Some(text) => match location.below(text) {
                        Some(path) => paths.push(path),
                        None => {
                            let place = location.as_str();
                            let message = format!("'{text}' in row {row} is not in '{place}'");
                            findings.add_fault(number, message);
                        }
                    },
                }
            }
        }
        paths.sort_unstable();
        paths.dedup();
        let has_sizes = location.is_local() || needs_sizes && paths.len() <= MAX_SIZED_FILES;
        let store = session.runtime_env().object_store(location.store())?;
        let files = stream::iter(paths).map(|path| {
            let store = Arc::clone(&store);
            async move {
                let known = if has_sizes {
                    store.head(&path).await.ok()
                } else {
                    None
                };
                // A file that cannot be read becomes a row with an error during the scan.
                match known {
                    Some(meta) => (meta, FileState::Known),
                    None => (unknown(path), FileState::Unknown),
                }
            }
        });
        let mut files: Vec<_> = files.buffered(MAX_REQUESTS).collect().await;
        let faults = findings.take_faults();
        if !faults.is_empty() {
            files.push((unknown(Path::default()), FileState::Errors(faults)));
        }
        Ok(files)
    }
}

/// Returns metadata for a file of unknown size. The size is not 0, because DataFusion drops empty
/// files when it divides a scan.
fn unknown(location: Path) -> ObjectMeta {
    ObjectMeta {
        location,
        last_modified: DateTime::UNIX_EPOCH,
        size: 1,
        e_tag: None,
        version: None,
    }
}

/// Returns an error unless a table with these locations and this format may have a list of files.
pub fn check_use(locations: &[Location], format: &dyn RecordFormat) -> Result<()> {
    if format.is_indexed() {
        return plan_err!(
            "the option '{}' cannot be combined with an index, which names its files",
            PATHS.name
        );
    }
    match locations {
        [location] if !location.is_glob() => Ok(()),
        _ => plan_err!(
            "the option '{}' needs one location without wildcards: the folder or URL that the \
             paths are relative to",
            PATHS.name
        ),
    }
}
