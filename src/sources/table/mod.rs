//! A table of records: from its locations to the plan that scans its files.

pub mod arguments;
pub mod register;

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{Result, exec_datafusion_err, plan_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::datasource::{TableProvider, TableType};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use object_store::ObjectMeta;
use parking_lot::Mutex;

use super::format::RecordFormat;
use super::formats::recognize::keep_recognized;
use super::indexed::paths::{FileState, PathList, check_use};
use super::indexed::{indexed_files, queried_files, records};
use super::location::Location;
use super::location::partition_values::{Folders, HiveOptions, PartitionColumns, folders_above};
use super::location::query::NestedQuery;
use super::remote::file_at;
use super::scan::RecordSource;
use super::scan::ranges;
use super::scan::ranges::RANGE;
use crate::boxed_methods::scan;
use crate::planner::reopened_tables::TableOpening;
use crate::settings::{CorpusSettings, OnError};
use corpus_columns::record::schema;

/// Files of one format at one or several locations of one object store.
#[derive(Debug)]
pub struct RecordTable {
    format: Arc<dyn RecordFormat>,
    locations: Vec<Location>,
    schema: TableSchema,
    /// The columns of the keys of folders.
    partitions: PartitionColumns,
    /// The files found when the table was opened, for the first scan of the same statement.
    listed: Mutex<Option<(TableOpening, Vec<ListedFile>)>>,
    /// The query that names the records to read, if any.
    records: Option<NestedQuery>,
    /// The list of the files, if the options have one.
    paths: Option<PathList>,
    /// The bytes that the option `range` selects. The table then has a single file.
    range: Option<Range<u64>>,
    /// How to treat records that cannot be read, if an option sets it.
    on_error: Option<OnError>,
}

/// The lifetime of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// One statement, which lists its files once. If a view uses the table again, each later
    /// statement lists the files again.
    Statement,
    /// As long as the session: each scan lists the files that exist at that time.
    Session,
}

/// The options of all formats.
#[derive(Debug, Default)]
pub struct TableOptions {
    /// A query that lists the files.
    pub paths: Option<String>,
    /// The bytes of the only file that are read.
    pub range: Option<Range<u64>>,
    /// How to treat records that cannot be read.
    pub on_error: Option<OnError>,
    pub hive: HiveOptions,
}

impl RecordTable {
    /// Lists the files, so that a wrong location fails here, and hive partitions (`year=2024/…`)
    /// become columns.
    pub async fn open(
        session: &dyn Session,
        format: Arc<dyn RecordFormat>,
        locations: Vec<Location>,
        options: TableOptions,
        lifetime: Lifetime,
    ) -> Result<Self> {
        let TableOptions {
            paths,
            range,
            on_error,
            hive,
        } = options;
        let Some(first) = locations.first() else {
            return plan_err!(
                "{} needs a location: a file, a folder, a glob or a URL",
                format.name()
            );
        };
        if let Some(other) = locations.iter().find(|l| l.store() != first.store()) {
            return plan_err!(
                "all locations of a table must be in one object store, but '{}' and '{}' are not: \
                 make two tables and UNION ALL them",
                first.as_str(),
                other.as_str()
            );
        }
        let records = match format.records() {
            Some(_) if format.index().is_some() => {
                return plan_err!(
                    "the options 'index' and 'records' both name the records to read: use one of them"
                );
            }
            Some(records) => Some(records::plan(session, records).await?),
            None => None,
        };
        let paths = match paths {
            Some(paths) => {
                check_use(&locations, format.as_ref())?;
                Some(PathList::plan(session, &paths).await?)
            }
            None => None,
        };
        let files = match format.index() {
            _ if records.is_some() => Vec::new(),
            // The index names the files. The location need not be listable at all.
            Some(index) => {
                let location = Location::parse(index.location())?;
                let store = session.runtime_env().object_store(location.store())?;
                location.files(&store, &[]).await?;
                Vec::new()
            }
            None => {
                let files = list_files(session, &locations, paths.as_ref(), &format).await?;
                in_range(files, range.as_ref())?
            }
        };
        // An empty file does not reveal any types.
        let first = files.iter().find(|file| file.meta.size > 0);
        let format = fit(session, format, locations[0].store(), first).await?;
        let listed = lifetime == Lifetime::Statement;
        let folders: Vec<&Folders> = files.iter().map(|file| &file.folders).collect();
        let mut partitions = PartitionColumns::common(&folders, &hive)?;
        let file_schema = schema(format.columns());
        // The columns of a format have a meaning that queries rely on.
        partitions.rename_taken(|name| file_schema.field_with_name(name).is_ok());
        Ok(Self {
            format,
            locations,
            schema: TableSchema::builder(file_schema)
                .with_table_partition_cols(partitions.fields().to_vec())
                .build(),
            partitions,
            listed: Mutex::new(listed.then(|| (TableOpening::now(session), files))),
            records,
            paths,
            range,
            on_error,
        })
    }

    /// Returns the files that the filters do not rule out, with their partition values.
    fn select_files(
        &self,
        session: &dyn Session,
        files: Vec<ListedFile>,
        filters: &[Expr],
    ) -> Result<Vec<PartitionedFile>> {
        let files = self
            .partitions
            .select(session, files, |file| &file.folders, filters)?;
        let files = files.into_iter().filter_map(|(file, values)| {
            let mut read = PartitionedFile::new_from_meta(file.meta).with_partition_values(values);
            if let Some(range) = &file.range {
                read.range = Some(ranges::within(range, read.object_meta.size)?);
            }
            Some(file.state.mark(read))
        });
        Ok(files.collect())
    }
}

impl TableProvider for RecordTable {
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
        Ok(filters
            .iter()
            .map(|filter| {
                if self.partitions.has_all_of(filter) {
                    TableProviderFilterPushDown::Exact
                } else if self.format.index().is_some_and(|index| index.uses(filter)) {
                    TableProviderFilterPushDown::Inexact
                } else {
                    // The physical optimizer offers these to the scan again.
                    TableProviderFilterPushDown::Unsupported
                }
            })
            .collect())
    }

    scan!(RecordTable, scan_files);
}

impl RecordTable {
    async fn scan_files(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let files = match (self.format.index(), &self.records) {
            (Some(index), _) => indexed_files(session, index, &self.locations, filters).await?,
            (None, Some(query)) => queried_files(session, query, &self.locations).await?,
            (None, None) => {
                let listed = self.listed.lock().take();
                let files = match listed {
                    Some((opened, files)) if opened.in_this_statement(session) => files,
                    _ => {
                        let (locations, paths) = (&self.locations, self.paths.as_ref());
                        let files = list_files(session, locations, paths, &self.format).await?;
                        in_range(files, self.range.as_ref())?
                    }
                };
                self.select_files(session, files, filters)?
            }
        };
        if files.is_empty() {
            let schema = match projection {
                Some(projection) => Arc::new(self.schema().project(projection)?),
                None => self.schema(),
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let mut settings = CorpusSettings::of(session.config_options());
        settings.on_error = self.on_error.unwrap_or(settings.on_error);
        let source = RecordSource::new(Arc::clone(&self.format), self.schema.clone(), settings);
        let partitions = session.config().target_partitions();
        let groups = FileGroup::new(files).split_files(partitions);
        let config =
            FileScanConfigBuilder::new(self.locations[0].store().clone(), Arc::new(source))
                .with_file_groups(groups)
                .with_projection_indices(projection.cloned())?
                .with_limit(limit)
                .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

/// Returns the format with the columns that suit the first file.
async fn fit(
    session: &dyn Session,
    format: Arc<dyn RecordFormat>,
    store_url: &ObjectStoreUrl,
    first: Option<&ListedFile>,
) -> Result<Arc<dyn RecordFormat>> {
    let Some(first) = first else {
        return Ok(format);
    };
    let store = session.runtime_env().object_store(store_url)?;
    let size = match first.state {
        FileState::Known => Some(first.meta.size),
        FileState::Unknown => None,
        FileState::Errors(_) => return Ok(format),
    };
    // Unreadable files become error rows during the scan.
    let Ok(file) = file_at(store_url, &store, &first.meta.location, size) else {
        return Ok(format);
    };
    let asked = Arc::clone(&format);
    // Reading may block on the network.
    let fitted = tokio::task::spawn_blocking(move || asked.fitted_to(file.as_ref())).await;
    let fitted =
        fitted.map_err(|error| exec_datafusion_err!("reading the start of a file: {error}"))?;
    Ok(fitted.unwrap_or(format))
}

/// A file and the `key=value` folders above it.
#[derive(Debug)]
struct ListedFile {
    meta: ObjectMeta,
    folders: Folders,
    state: FileState,
    /// The part to read, if not all of it.
    range: Option<Range<u64>>,
}

/// Sets the part of the only file to read.
fn in_range(mut files: Vec<ListedFile>, range: Option<&Range<u64>>) -> Result<Vec<ListedFile>> {
    let Some(range) = range else {
        return Ok(files);
    };
    let option = RANGE.name;
    match files.as_mut_slice() {
        [file] if matches!(file.state, FileState::Known) => file.range = Some(range.clone()),
        [file] => {
            return plan_err!(
                "the option '{option}' needs a file that exists, but '{}' cannot be opened",
                file.meta.location
            );
        }
        files => {
            return plan_err!(
                "the option '{option}' is for a single file, but the location has {}",
                files.len()
            );
        }
    }
    Ok(files)
}

async fn list_files(
    session: &dyn Session,
    locations: &[Location],
    paths: Option<&PathList>,
    format: &Arc<dyn RecordFormat>,
) -> Result<Vec<ListedFile>> {
    if let (Some(paths), [location]) = (paths, locations) {
        let files = paths.files(session, location, format.splittable()).await?;
        let files = files.into_iter().map(|(meta, state)| ListedFile {
            folders: folders_above(location, &meta.location),
            meta,
            state,
            range: None,
        });
        return Ok(files.collect());
    }
    let mut files: Vec<ListedFile> = Vec::new();
    for location in locations {
        let store = session.runtime_env().object_store(location.store())?;
        let found = location.files(&store, format.extensions()).await?;
        for meta in keep_recognized(session, format, location, found).await? {
            files.push(ListedFile {
                folders: folders_above(location, &meta.location),
                meta,
                state: FileState::Known,
                range: None,
            });
        }
    }
    // Locations may overlap.
    files.sort_by(|a, b| a.meta.location.cmp(&b.meta.location));
    files.dedup_by(|a, b| a.meta.location == b.meta.location);
    Ok(files)
}
