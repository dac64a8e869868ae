//! `COPY (SELECT name, content …) TO 'folder/' STORED AS FILES`: every row is a file.
//!
//! Each file appears when it is complete, because there may be too many to hold back until the last
//! one.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Field, SchemaRef};
use datafusion::common::{Result, exec_datafusion_err, exec_err, internal_err, plan_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType};
use futures::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};

use super::columns::{check_type, column};
use super::destination::reason;
use super::format::SinkFormat;
use crate::options::Options;
use crate::sources::location::display_name;
use corpus_bytes::columns::ColumnType;
use corpus_staging::{Staging, remove_abandoned};

const NAME: &str = "name";
const CONTENT: &str = "content";

/// The maximum number of files written in parallel. Remote stores take long for each.
const MAX_PARALLEL_FILES: usize = 16;

#[derive(Debug)]
pub struct FilesSink;

impl SinkFormat for FilesSink {
    fn name(&self) -> &'static str {
        "FILES"
    }

    /// Never used: the names of the files include their extensions.
    fn extension(&self) -> &'static str {
        "files"
    }

    fn description(&self) -> &'static str {
        "One file per row, of `name` (a path in the folder) and `content` (text or binary). Equal \
         rows make one file."
    }

    fn is_held_back(&self) -> bool {
        false
    }

    fn sink(
        &self,
        schema: &SchemaRef,
        _options: &Options,
        config: FileSinkConfig,
    ) -> Result<Arc<dyn DataSink>> {
        let mut names: Vec<_> = schema.fields().iter().map(|field| field.name()).collect();
        names.sort();
        if names != [CONTENT, NAME] {
            return plan_err!(
                "files are made from exactly the columns {NAME} and {CONTENT}: \
                 SELECT … AS {NAME}, … AS {CONTENT}"
            );
        }
        check_type(schema, CONTENT, ColumnType::Bytes)?;
        // Integers are also valid names.
        let is_number = |field: &Field| field.data_type().is_integer();
        if !schema.field_with_name(NAME).is_ok_and(is_number) {
            check_type(schema, NAME, ColumnType::Text)?;
        }
        if !config.table_partition_cols.is_empty() {
            return plan_err!(
                "STORED AS FILES cannot be combined with PARTITIONED BY: the column name sets each path"
            );
        }
        Ok(Arc::new(FileWriter { config }))
    }
}

#[derive(Debug)]
struct FileWriter {
    config: FileSinkConfig,
}

impl DisplayAs for FileWriter {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileWriter")
    }
}

#[async_trait]
impl DataSink for FileWriter {
    fn schema(&self) -> &SchemaRef {
        self.config.output_schema()
    }

    async fn write_all(
        &self,
        mut data: SendableRecordBatchStream,
        context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let store = context
            .runtime_env()
            .object_store(&self.config.object_store_url)?;
        let Some(target) = self.config.table_paths.first() else {
            return internal_err!("a copy has no target");
        };
        let folder = target.prefix();
        let writer = FileStore::open(store, target)?;
        let mut names = Names::default();
        let mut rows = 0;
        while let Some(batch) = data.try_next().await? {
            let mut files = files(&batch, folder)?;
            let mut is_new = Vec::with_capacity(files.len());
            for (path, content) in &files {
                is_new.push(names.insert(&writer.url, path, content)?);
            }
            let mut is_new = is_new.into_iter();
            files.retain(|_| is_new.next().unwrap_or(true));
            rows += files.len() as u64;
            futures::stream::iter(files)
                .map(Ok)
                .try_for_each_concurrent(MAX_PARALLEL_FILES, |(path, content)| {
                    writer.put(path, content)
                })
                .await?;
        }
        Ok(rows)
    }
}

/// The names of all files so far, and their contents, as hashes.
#[derive(Default)]
struct Names {
    first: RandomState,
    second: RandomState,
    contents: HashMap<(u64, u64), u64>,
}

impl Names {
    /// Returns `false` if an earlier row has the same name and content. Fails if the content
    /// differs, because one of the two rows would be lost.
    fn insert(&mut self, store: &ObjectStoreUrl, path: &Path, content: &[u8]) -> Result<bool> {
        let name = (self.first.hash_one(path), self.second.hash_one(path));
        let content = self.first.hash_one(content);
        match self.contents.insert(name, content) {
            None => Ok(true),
            Some(earlier) if earlier == content => Ok(false),
            Some(_) => exec_err!(
                "two rows have the name '{}' and different contents",
                display_name(store, path)
            ),
        }
    }
}

/// The paths and contents of a batch.
fn files(batch: &RecordBatch, folder: &Path) -> Result<Vec<(Path, Bytes)>> {
    let column = |name: &str, kind| match column(batch, name, kind)? {
        Some(column) => Ok(column),
        None => internal_err!("the column {name} is gone"),
    };
    let names = column(NAME, ColumnType::Text)?;
    let contents = column(CONTENT, ColumnType::Bytes)?;
    let (texts, bytes) = (names.as_string::<i64>(), contents.as_binary::<i64>());
    (0..batch.num_rows())
        .map(|row| {
            if names.is_null(row) {
                return exec_err!("the column {NAME} is NULL; filter such rows out");
            }
            let name = texts.value(row);
            if contents.is_null(row) {
                return exec_err!(
                    "the {CONTENT} of the file '{name}' is NULL; filter such rows out, or use coalesce({CONTENT}, '')"
                );
            }
            let path = path(folder, name)?;
            Ok((path, Bytes::copy_from_slice(bytes.value(row))))
        })
        .collect()
}

/// Returns the path of a file, which is always inside the folder.
fn path(folder: &Path, name: &str) -> Result<Path> {
    let inside = if name.starts_with('/') || name.is_empty() {
        None
    } else {
        Path::parse(name).ok()
    };
    match inside {
        Some(inside) => Ok(folder.parts().chain(inside.parts()).collect()),
        None => exec_err!(
            "invalid file name '{name}': expected a path without '..' that does not start with '/'"
        ),
    }
}

/// Writes files that appear one by one.
struct FileStore {
    url: ObjectStoreUrl,
    store: Arc<dyn ObjectStore>,
    /// On a local disk, files are staged, so that a killed run leaves no partial files in the
    /// folder.
    staging: Option<Staging>,
    staged: AtomicU64,
}

impl FileStore {
    fn open(store: Arc<dyn ObjectStore>, target: &ListingTableUrl) -> Result<Self> {
        let staging = match target.scheme() {
            "file" => {
                let folder = LocalFileSystem::new().path_to_filesystem(target.prefix())?;
                let staging = remove_abandoned(&folder).and_then(|()| {
                    if folder.is_dir() {
                        Staging::inside(&folder)
                    } else {
                        Staging::beside(&folder)
                    }
                });
                let failed = |error| exec_datafusion_err!("cannot write '{target}': {error}");
                Some(staging.map_err(failed)?)
            }
            _ => None,
        };
        Ok(Self {
            url: target.object_store(),
            store,
            staging,
            staged: AtomicU64::new(0),
        })
    }

    async fn put(&self, path: Path, content: Bytes) -> Result<()> {
        let failed = |error: object_store::Error| {
            let name = display_name(&self.url, &path);
            exec_datafusion_err!("cannot write the file '{name}': {}", reason(&error))
        };
        let Some(staging) = &self.staging else {
            self.store
                .put(&path, content.into())
                .await
                .map_err(failed)?;
            return Ok(());
        };
        let number = self.staged.fetch_add(1, Ordering::Relaxed);
        let staged = Path::from_absolute_path(staging.files().join(number.to_string()))?;
        self.store
            .put(&staged, content.into())
            .await
            .map_err(failed)?;
        self.store.rename(&staged, &path).await.map_err(failed)
    }
}
