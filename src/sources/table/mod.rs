//! A table of records: from its locations to the plan that scans its files.

pub mod arguments;
pub mod register;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::cast::as_boolean_array;
use datafusion::common::{DFSchema, Result, ScalarValue, exec_datafusion_err, plan_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::datasource::{TableProvider, TableType};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::utils::conjunction;
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
use super::location::partition_values::NULL_VALUE;
use super::location::query::NestedQuery;
use super::remote::file_at;
use super::scan::RecordSource;
use super::scan::ranges;
use super::scan::ranges::RANGE;
use crate::boxed_methods::scan;
use crate::planner::statement::Opened;
use crate::settings::{CorpusSettings, OnError};
use corpus_columns::record::schema;

/// Files of one format at one or several locations of one object store.
#[derive(Debug)]
pub struct RecordTable {
    format: Arc<dyn RecordFormat>,
    locations: Vec<Location>,
    schema: TableSchema,
    /// The files found when the table was opened, for the first scan of the same statement.
    listed: Mutex<Option<(Opened, Vec<ListedFile>)>>,
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
#[derive(Debug, Clone)]
pub enum Lifetime {
    /// One statement, which lists its files once. If a view or a prepared statement uses the table
    /// again, each later statement lists the files again.
    Statement,
    /// As long as the session: each scan lists the files that exist at that time.
    Session {
        /// The columns that `PARTITIONED BY` names.
        partition_columns: Option<Vec<String>>,
    },
}

impl RecordTable {
    /// Lists the files, so that a wrong location fails here, and hive partitions (`year=2024/…`)
    /// become columns. Without `PARTITIONED BY`, these are the folders that all files have in
    /// common.
    pub async fn open(
        session: &dyn Session,
        format: Arc<dyn RecordFormat>,
        locations: Vec<Location>,
        paths: Option<&str>,
        range: Option<Range<u64>>,
        on_error: Option<OnError>,
        lifetime: Lifetime,
    ) -> Result<Self> {
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
                Some(PathList::plan(session, paths).await?)
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
        let format = fitted(session, format, locations[0].store(), first).await?;
        let (listed, named) = match lifetime {
            Lifetime::Statement => (true, None),
            Lifetime::Session { partition_columns } => (false, partition_columns),
        };
        let partition_columns = named.unwrap_or_else(|| common_partitions(&files));
        let partition_fields: Vec<FieldRef> = partition_columns
            .into_iter()
            .map(|name| Arc::new(Field::new(name, DataType::Utf8, true)))
            .collect();
        let file_schema = schema(format.columns());
        if let Some(field) = partition_fields
            .iter()
            .find(|field| file_schema.field_with_name(field.name()).is_ok())
        {
            return plan_err!(
                "the partition folder '{}=…' has the name of a column of {}",
                field.name(),
                format.name()
            );
        }
        Ok(Self {
            format,
            locations,
            schema: TableSchema::builder(file_schema)
                .with_table_partition_cols(partition_fields)
                .build(),
            listed: Mutex::new(listed.then(|| (Opened::now(session), files))),
            records,
            paths,
            range,
            on_error,
        })
    }

    fn partition_columns(&self) -> Vec<&str> {
        let fields = self.schema.table_partition_cols();
        fields.iter().map(|field| field.name().as_str()).collect()
    }

    fn reads_partitions_only(&self, filter: &Expr) -> bool {
        let columns = filter.column_refs();
        let partitions = self.partition_columns();
        !columns.is_empty()
            && !filter.is_volatile()
            && columns
                .iter()
                .all(|column| partitions.contains(&column.name.as_str()))
    }

    /// Returns the files that the filters do not rule out, with their partition values.
    fn select_files(
        &self,
        session: &dyn Session,
        files: Vec<ListedFile>,
        filters: &[Expr],
    ) -> Result<Vec<PartitionedFile>> {
        let columns = self.partition_columns();
        let values: Vec<Vec<Option<String>>> = files
            .iter()
            .map(|file| {
                let mut values = HashMap::new();
                values.extend(file.partitions.iter().cloned());
                columns
                    .iter()
                    .map(|column| values.remove(*column).filter(|value| value != NULL_VALUE))
                    .collect()
            })
            .collect();
        let filters = filters
            .iter()
            .filter(|filter| self.reads_partitions_only(filter));
        let keep = match conjunction(filters.cloned()) {
            Some(filter) => {
                let fields = self.schema.table_partition_cols().clone();
                matching_rows(session, Arc::new(Schema::new(fields)), &values, filter)?
            }
            None => BooleanArray::from(vec![true; files.len()]),
        };
        Ok(files
            .into_iter()
            .zip(values)
            .zip(keep.iter())
            .filter(|(_, keep)| *keep == Some(true))
            .filter_map(|((file, values), _)| {
                let values = values.into_iter().map(ScalarValue::Utf8).collect();
                let mut read =
                    PartitionedFile::new_from_meta(file.meta).with_partition_values(values);
                if let Some(range) = &file.range {
                    read.range = Some(ranges::within(range, read.object_meta.size)?);
                }
                Some(file.state.mark(read))
            })
            .collect())
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
                if self.reads_partitions_only(filter) {
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
async fn fitted(
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
    partitions: Vec<(String, String)>,
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
            partitions: partitions_of(location, &meta),
            meta,
            state,
            range: None,
        });
        return Ok(files.collect());
    }
    let mut files: Vec<ListedFile> = Vec::new();
    for location in locations {
        let store = session.runtime_env().object_store(location.store())?;
        let found = location.files(&store, format.endings()).await?;
        for meta in keep_recognized(session, format, location, found).await? {
            files.push(ListedFile {
                partitions: partitions_of(location, &meta),
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

/// The `key=value` folders between a location and a file.
pub fn partitions_of(location: &Location, file: &ObjectMeta) -> Vec<(String, String)> {
    location
        .folders_below(&file.location)
        .into_iter()
        .filter_map(|folder| folder.split_once('='))
        .map(|(key, value)| (decoded(key), decoded(value)))
        .collect()
}

/// Decodes the name of a partition folder: special characters are percent-encoded.
fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text)
        .decode_utf8_lossy()
        .into_owned()
}

/// The partition keys of the first file, if every file has exactly these.
fn common_partitions(files: &[ListedFile]) -> Vec<String> {
    common_keys(files.iter().map(|file| file.partitions.as_slice()))
}

/// The keys of the first of some lists of partitions, if every list has exactly these.
pub fn common_keys<'a>(
    mut partitions: impl Iterator<Item = &'a [(String, String)]>,
) -> Vec<String> {
    let keys = |partitions: &[(String, String)]| -> Vec<String> {
        partitions.iter().map(|(key, _)| key.clone()).collect()
    };
    match partitions.next().map(keys) {
        Some(first) if partitions.all(|other| keys(other) == first) => first,
        _ => Vec::new(),
    }
}

/// Evaluates a filter on the partition columns of all files together.
fn matching_rows(
    session: &dyn Session,
    schema: SchemaRef,
    rows: &[Vec<Option<String>>],
    filter: Expr,
) -> Result<BooleanArray> {
    let arrays: Vec<ArrayRef> = (0..schema.fields().len())
        .map(|column| {
            let values = rows.iter().map(|row| row[column].as_deref());
            Arc::new(values.collect::<StringArray>()) as ArrayRef
        })
        .collect();
    let predicate =
        session.create_physical_expr(filter, &DFSchema::try_from(Arc::clone(&schema))?)?;
    let batch = RecordBatch::try_new(schema, arrays)?;
    let result = predicate.evaluate(&batch)?.into_array(rows.len())?;
    Ok(as_boolean_array(&result)?.clone())
}
