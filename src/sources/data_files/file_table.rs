//! The table of files of one format with the same columns, which DataFusion's reader of the format
//! scans.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::{Column, ColumnStatistics, Result, ScalarValue, Statistics, plan_err};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::datasource::{TableProvider, TableType, ViewTable, provider_as_source};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, TableProviderFilterPushDown, cast};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion_datasource::compute_all_files_statistics;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::ObjectMeta;

use super::arrow_types::{arrow_scan, supported_type};
use super::columns::MAX_PARALLEL_FILES;
use super::extensions::ARROW;
use super::float_bounds::without_float_maximums;
use super::{format_in_name, is_data, warn_of_empty_files, warn_of_hidden_files};
use crate::planner::reopened_tables::TableOpening;
use crate::sources::location::leftovers::Leftovers;
use crate::sources::location::partition_values::{Folders, PartitionColumns, folders_above};
use crate::sources::location::{Location, display_name};
use corpus_bytes::compression::has_extension;
use corpus_udfs::duckdb::null_masked;

/// Locations whose files can be listed again.
#[derive(Debug)]
pub struct FileList {
    pub locations: Vec<Location>,
    pub kept: FileSelection,
}

/// Selects the files at a location that belong to a table.
#[derive(Debug)]
pub enum FileSelection {
    /// Files with these extensions, and all files that the user names.
    NamedOr(&'static [&'static str]),
    /// Files of the format whose usual extension this is.
    OfFormat(String),
}

/// A file and the `key=value` folders above it.
#[derive(Debug, Clone)]
pub struct FoundFile {
    pub meta: ObjectMeta,
    pub folders: Folders,
}

impl FileList {
    /// Returns the files in the order of the locations, each once.
    pub async fn files(&self, session: &dyn Session) -> Result<Vec<FoundFile>> {
        let mut files = Vec::new();
        for location in &self.locations {
            let store = session.runtime_env().object_store(location.store())?;
            let mut found = location.files(&store, &[]).await?;
            let is_named = location.names_files(&found);
            let mut leftovers = Leftovers::default();
            if let (FileSelection::NamedOr(extensions), false) = (&self.kept, is_named) {
                found
                    .iter()
                    .for_each(|file| leftovers.add(&file.location, extensions));
            }
            leftovers.warn(location.text());
            warn_of_hidden_files(location, &found);
            found.retain(|file| match &self.kept {
                FileSelection::NamedOr(_) if is_named => true,
                FileSelection::NamedOr(extensions) => {
                    is_data(location, file) && has_extension(file.location.as_ref(), extensions)
                }
                FileSelection::OfFormat(format) => {
                    let extension = format_in_name(file.location.as_ref());
                    is_data(location, file) && extension.is_some_and(|it| it.format == *format)
                }
            });
            warn_of_empty_files(location, &found);
            found.sort_by(|a, b| a.location.cmp(&b.location));
            files.extend(found_files(location, found));
        }
        let mut known = HashSet::new();
        files.retain(|file: &FoundFile| known.insert(file.meta.location.clone()));
        Ok(files)
    }
}

/// Adds the folders above files. Empty files have no rows.
pub fn found_files(
    location: &Location,
    files: impl IntoIterator<Item = ObjectMeta>,
) -> impl Iterator<Item = FoundFile> {
    let files = files.into_iter().filter(|file| file.size > 0);
    files.map(|meta| FoundFile {
        folders: folders_above(location, &meta.location),
        meta,
    })
}

/// Files of one format with the same columns.
#[derive(Debug)]
pub struct FileTable {
    pub list: Arc<FileList>,
    /// Whether all files of the list are in this table.
    pub is_only: bool,
    pub store: ObjectStoreUrl,
    pub format: Arc<dyn FileFormat>,
    /// The columns of the files.
    pub columns: Schema,
    /// The name of the column with the names of the files.
    pub filename: Option<String>,
    pub partitions: PartitionColumns,
    pub opened: TableOpening,
    /// The files found when the table was opened.
    pub files: Vec<FoundFile>,
}

impl FileTable {
    /// Makes a table with the columns of the files, their names, and the keys of their folders. The
    /// value of a folder replaces that of a column with the name of its key, as in DuckDB.
    pub fn into_provider(mut self) -> Result<Arc<dyn TableProvider>> {
        let columns = self.columns.clone();
        let is_column = |name: &str| columns.field_with_name(name).is_ok();
        let is_key = |name: &str| self.partitions.fields().iter().any(|it| it.name() == name);
        if let Some(name) = &self.filename
            && (is_column(name) || is_key(name))
        {
            return plan_err!(
                "the files or their folders already have a column '{name}': name the other one \
                 with filename => 'name'"
            );
        }
        // The column of the files that each key replaces.
        let replaced = self.partitions.fields().iter().map(|key| {
            let mut fields = columns.fields().iter();
            fields.position(|field| field.name().eq_ignore_ascii_case(key.name()))
        });
        let replaced: Vec<Option<usize>> = replaced.collect();
        self.partitions.rename_taken(is_column);
        let keys: Vec<String> = (self.partitions.fields().iter())
            .map(|field| field.name().clone())
            .collect();
        let filename = self.filename.clone();
        let is_arrow = is_arrow(self.format.as_ref());
        let table = Arc::new(ScannedFiles::new(self));
        // Arrow files may have values under NULL: PyArrow writes zeros there.
        let is_cleaned = |field: &Field| is_arrow && field.data_type().is_nested();
        let is_plain =
            |field: &Arc<Field>| !is_cleaned(field) && supported_type(field.data_type()).is_none();
        if replaced.iter().all(Option::is_none) && columns.fields().iter().all(is_plain) {
            return Ok(table);
        }
        let scan = LogicalPlanBuilder::scan("files", provider_as_source(table), None)?;
        let column = |name: &String| Expr::Column(Column::new(Some("files"), name));
        let of_files = columns.fields().iter().enumerate().map(|(place, field)| {
            if let Some(key) = replaced.iter().position(|it| *it == Some(place)) {
                return column(&keys[key]).alias(field.name());
            }
            let mut value = column(field.name());
            if is_plain(field) {
                return value;
            }
            if is_cleaned(field) {
                value = null_masked().call(vec![value]);
            }
            if let Some(supported) = supported_type(field.data_type()) {
                value = cast(value, supported);
            }
            value.alias(field.name())
        });
        let others = keys.iter().zip(&replaced);
        let others = others.filter(|(_, place)| place.is_none());
        let others = others.map(|(name, _)| column(name));
        let columns = of_files.chain(filename.iter().map(column)).chain(others);
        let columns: Vec<Expr> = columns.collect();
        let plan = scan.project(columns)?.build()?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}

fn is_arrow(format: &dyn FileFormat) -> bool {
    ARROW.contains(&format.get_ext().as_str())
}

/// A table that scans its files.
#[derive(Debug)]
pub struct ScannedFiles {
    table: FileTable,
    schema: TableSchema,
}

impl ScannedFiles {
    fn new(table: FileTable) -> Self {
        let name = table.filename.iter();
        let name = name.map(|name| Arc::new(Field::new(name, DataType::Utf8, false)));
        let keys = table.partitions.fields().iter().cloned();
        let schema = TableSchema::builder(Arc::new(table.columns.clone()))
            .with_table_partition_cols(name.chain(keys).collect::<Vec<_>>())
            .build();
        Self { table, schema }
    }

    /// Lists the files again if a view uses the table later.
    async fn files(&self, session: &dyn Session) -> Result<Vec<FoundFile>> {
        let table = &self.table;
        if table.is_only && !table.opened.in_this_statement(session) {
            return table.list.files(session).await;
        }
        Ok(table.files.clone())
    }

    /// Returns the files that the filters do not rule out, with the values of the columns that are
    /// not in the files.
    async fn selected(
        &self,
        session: &dyn Session,
        filters: &[Expr],
    ) -> Result<Vec<PartitionedFile>> {
        let (table, files) = (&self.table, self.files(session).await?);
        let files = table
            .partitions
            .select(session, files, |file| &file.folders, filters)?;
        let files = files.into_iter().map(|(file, keys)| {
            let name = display_name(&table.store, &file.meta.location);
            let name = table.filename.is_some().then(|| ScalarValue::from(name));
            PartitionedFile::new_from_meta(file.meta)
                .with_partition_values(name.into_iter().chain(keys).collect())
        });
        if !session.config().collect_statistics() {
            return Ok(files.collect());
        }
        let store = session.runtime_env().object_store(&table.store)?;
        let columns = self.schema.file_schema();
        let files = stream::iter(files).map(|file| async {
            let meta = &file.object_meta;
            let statistics = table
                .format
                .infer_stats(session, &store, Arc::clone(columns), meta)
                .await?;
            let statistics = without_missing(without_float_maximums(statistics, columns));
            Ok(file.with_statistics(Arc::new(statistics)))
        });
        files.buffered(MAX_PARALLEL_FILES).try_collect().await
    }
}

/// Removes the statistics of columns that seem to be NULL in all rows: the file may spell their
/// names in another case.
fn without_missing(mut statistics: Statistics) -> Statistics {
    let rows = statistics.num_rows;
    for column in &mut statistics.column_statistics {
        if column.null_count == rows {
            *column = ColumnStatistics::new_unknown();
        }
    }
    statistics
}

#[async_trait]
impl TableProvider for ScannedFiles {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.schema.table_schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let filters = filters.iter();
        let taken = filters.map(|filter| {
            if self.table.partitions.has_all_of(filter) {
                TableProviderFilterPushDown::Exact
            } else {
                // The physical optimizer offers these to the scan again.
                TableProviderFilterPushDown::Unsupported
            }
        });
        Ok(taken.collect())
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let files = self.selected(session, filters).await?;
        if files.is_empty() {
            let schema = match projection {
                Some(projection) => Arc::new(self.schema().project(projection)?),
                None => self.schema(),
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let groups = FileGroup::new(files).split_files(session.config().target_partitions());
        let is_collected = session.config().collect_statistics();
        let (groups, statistics) =
            compute_all_files_statistics(groups, self.schema(), is_collected, false)?;
        let source = self.table.format.file_source(self.schema.clone());
        let config = FileScanConfigBuilder::new(self.table.store.clone(), source)
            .with_file_groups(groups)
            .with_statistics(statistics)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        if is_arrow(self.table.format.as_ref()) {
            let store = session.runtime_env().object_store(&self.table.store)?;
            return arrow_scan(&store, config).await;
        }
        self.table
            .format
            .create_physical_plan(session, config)
            .await
    }
}
